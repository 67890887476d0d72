# On a fresh machine, `make play` and `make test` are enough. The other targets run single steps or
# special tests.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
SITE := .venv/.site
TOOLS := .venv/.tools

.PHONY: help play test test-all quick bench faster compiled screenshots practice fuzz malformed mutants faults load setup format lint types

help:
	@echo "make play     run the site on http://127.0.0.1:$(PORT), with a demonstration world"
	@echo "make test     run all checks, and all tests except the nightly ones"
	@echo "make test-all run the nightly tests too: many whole duels"
	@echo "make quick    run all checks, the engine's cases, and the application on SQLite"
	@echo "make bench    run the benchmarks (name, value, unit); FULL=1: with 20,000 duels too"
	@echo "make faster COMMIT=…  compare the engine's speed with its speed at that commit"
	@echo "make compiled compile the engine with mypyc into build/, and run its tests on that"
	@echo "make practice measure how often the practice opponent wins"
	@echo "make screenshots  take pictures of every page and email, in screenshots/"
	@echo "make fuzz     play 100,000 random duels, with all rulesets and 2 to 8 wizards"
	@echo "make malformed  send 20,000 malformed requests to every address, with every method;"
	@echo "                repeat a run with MALFORMED_SEED=…"
	@echo "make mutants  change rules one at a time, and list changes that no test notices"
	@echo "make faults   play duels for ten minutes while processes, database and Redis crash"
	@echo "make load     measure how many players can duel before turns become slow"
	@echo "make setup    create the virtual environment, with everything that tests need"
	@echo "make format   format the code"
	@echo "make lint     check formatting, lint and import contracts"
	@echo "make types    run the type checkers"

.venv/bin/pip:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "Python 3.11 or later is missing: install the Debian package python3."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "$$($(PYTHON) --version) is too old: Python 3.11 or later is needed."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv is missing: install the Debian package python3-venv."; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check pip==26.3  # installs packages three times as fast

# A stamp file that is newer than the requirements shows that they are installed.
$(SITE): requirements.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(TOOLS): tests/requirements.txt requirements.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	@touch $(SITE) $@

setup: $(TOOLS)

# Run the sweep (overdue turns) every minute in the background. The sweep stops together with the
# site.
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
	@$(MAKE) compiled

quick: $(TOOLS)
	@$(BIN)/python tests/run.py cases quick checks

bench: $(TOOLS)
	@$(BIN)/python -m bench $(if $(filter 1,$(FULL)),full)

faster: $(TOOLS)
	@$(BIN)/python -m bench.against $(COMMIT)

# Compiling needs a C compiler and Python's headers. Python 3.12 and later do not include
# setuptools.
compiled: $(TOOLS)
	@$(BIN)/python -c 'import setuptools' 2>/dev/null || \
	  $(BIN)/pip install --quiet --disable-pip-version-check setuptools
	@$(BIN)/python -m bench.compiled
	@PYTHONPATH=build/compiled $(BIN)/python -P -c \
	  'import engine.legality.check; assert engine.legality.check.__file__.endswith(".so")'
	@$(BIN)/pytest -q -n 2 -c tests/engine/pytest.ini \
	  -o 'pythonpath=../../build/compiled ../..' -m 'not nightly and not source' tests/engine

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

faults: $(TOOLS)
	@$(BIN)/python -m tests.faults $(FAULTS)

load: $(TOOLS)
	@$(BIN)/python -m bench.load

format: $(TOOLS)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djlint --reformat --quiet --warn templates

lint: $(TOOLS)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djlint --check templates
	$(BIN)/lint-imports

types: $(TOOLS)
	$(BIN)/mypy
	$(BIN)/pyright --warnings
