# Two commands do everything on a fresh machine: `make play` and `make test`. The others are parts.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
SITE := .venv/.site
TOOLS := .venv/.tools

.PHONY: help play test test-all quick bench faster compiled screenshots practice fuzz malformed mutants setup format lint types

help:
	@echo "make play     the site on http://127.0.0.1:$(PORT), with a demonstration world"
	@echo "make test     all checks, and all tests but the nightly ones"
	@echo "make test-all the same and the nightly tests: many whole duels"
	@echo "make quick    all checks, the engine's cases, the application on SQLite"
	@echo "make bench    the figures: name, value, unit; FULL=1: also at 20,000 duels"
	@echo "make faster COMMIT=…  how many times as fast as at that commit the engine is"
	@echo "make compiled the engine compiled with mypyc into build/, and its tests run on that"
	@echo "make practice how well the practice opponent plays, in some thousands of duels"
	@echo "make screenshots  pictures of every page and mail in screenshots/, to look at"
	@echo "make fuzz     100,000 random duels, over all rulesets and 2 to 8 wizards"
	@echo "make malformed  20,000 malformed requests, over every address and method; repeat a run"
	@echo "                with MALFORMED_SEED=…"
	@echo "make mutants  rules changed one at a time, and which change no test notices"
	@echo "make setup    the virtual environment, with what tests need"
	@echo "make format   put the code in order"
	@echo "make lint     what the formatter and the linters say"
	@echo "make types    what the type checkers say"

.venv/bin/pip:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Python 3.11 or later is missing: the Debian package python3 brings it."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) --version) is too old: Python 3.11 or later is needed."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: the Debian package python3-venv brings it."; exit 1; }
	$(PYTHON) -m venv .venv

# A stamp newer than the requirements says that they are installed.
$(SITE): requirements.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(TOOLS): tests/requirements.txt requirements.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $(SITE) $@

setup: $(TOOLS)

# The sweep runs beside the site, and both end together.
play: export SITE_URL ?= http://127.0.0.1:$(PORT)
play: $(SITE)
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py demonstration
	@$(BIN)/python manage.py runserver --noreload 127.0.0.1:$(PORT) & site=$$!; \
	(trap 'kill $$nap; exit' TERM; \
	  while sleep 60 & nap=$$!; wait $$nap; do $(BIN)/python manage.py resolve_due; done) & \
	trap "kill $$site $$! 2>/dev/null" INT TERM EXIT; wait $$site

test: $(TOOLS)
	@$(BIN)/python tests/run.py

test-all: $(TOOLS)
	@$(BIN)/python tests/run.py --nightly

quick: $(TOOLS)
	@$(BIN)/python tests/run.py cases quick checks

bench: $(TOOLS)
	@$(BIN)/python -m bench $(if $(filter 1,$(FULL)),full)

faster: $(TOOLS)
	@$(BIN)/python -m bench.against $(COMMIT)

# Needs a C compiler and Python's headers. Python 3.12 and later bring no setuptools.
compiled: $(TOOLS)
	@$(BIN)/python -c 'import setuptools' 2>/dev/null || \
	  $(BIN)/pip install --quiet --disable-pip-version-check setuptools
	@$(BIN)/python -m bench.compiled
	@$(BIN)/pytest -q -n 2 -c tests/engine/pytest.ini \
	  -o 'pythonpath=../../build/compiled ../..' tests/engine

practice: $(TOOLS)
	@$(BIN)/python -m bench.practice $(PRACTICE)

screenshots: $(TOOLS)
	@$(BIN)/python -m tests.screenshots $(PAGES)

fuzz: $(TOOLS)
	@$(BIN)/python -m tests.engine.fuzz $(FUZZ)

malformed: export MALFORMED ?= 20000
malformed: $(TOOLS)
	@$(BIN)/pytest -q -s --disable-warnings tests/walks/test_malformed.py

mutants: $(TOOLS)
	@$(BIN)/python -m tests.engine.mutants $(MUTANTS)

format: $(TOOLS)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(TOOLS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(TOOLS)
	$(BIN)/mypy
	$(BIN)/pyright --warnings
