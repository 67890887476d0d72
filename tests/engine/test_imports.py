"""Tests that `engine` imports only listed modules, and thus no clocks, files or networks."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import engine

ROOT = Path(engine.__file__).parent
ALLOWED_MODULES = frozenset(
    {
        "bisect",
        "collections.abc",
        "contextlib",
        "dataclasses",
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "operator",
        "re",
        "types",
        "typing",
    }
)
MODULES_ALLOWED_IN_FILE = {
    # The command line reads files and arguments.
    "cli/battles.py": {"json"},
    "cli/input.py": {"pathlib", "sys"},
    "cli/records.py": {"pathlib"},
    "cli/main.py": {"argparse", "io", "sys"},
    "cli/terminal.py": {"sys"},
    "cli/terminal_duel.py": {"datetime", "json", "pathlib", "secrets"},
    "cli/turns.py": {"json", "sys"},
    # Commitments hash canonical JSON, and `source` finds line numbers in JSON text.
    "proof/commitment.py": {"json"},
    "proof/source.py": {"json"},
    "text_orders/naming.py": {"unicodedata"},  # names are equal despite different encodings
}
MODULES = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py"))


def imported_modules(source: str) -> Iterator[str]:
    """Yield the name of every module imported anywhere in the source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


@cache
def functions_called_in(module: str) -> set[str]:
    """Return the plain names that this module calls."""
    return {
        node.func.id
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def forbidden_imports(module: str, source: str) -> set[str]:
    """Return the modules that this module imports but must not import."""
    allowed = ALLOWED_MODULES | MODULES_ALLOWED_IN_FILE.get(module, set())
    return {
        name
        for name in imported_modules(source)
        if name not in allowed and name.partition(".")[0] != "engine"
    }


@pytest.mark.parametrize("module", MODULES)
def test_module_imports_only_allowed_modules(module: str) -> None:
    assert forbidden_imports(module, (ROOT / module).read_text(encoding="utf-8")) == set()


def test_import_check_finds_the_engines_modules() -> None:
    assert {"__init__.py", "cli/main.py", "dice.py", "resolve/strike.py"} <= set(MODULES)
    assert set(MODULES_ALLOWED_IN_FILE) <= set(MODULES)


@pytest.mark.parametrize(
    "name",
    ["os", "time", "datetime", "socket", "pathlib", "random", "secrets", "json", "django.db"],
)
def test_import_check_rejects_outside_modules(name: str) -> None:
    assert forbidden_imports("view.py", f"import {name}") == {name}
    assert forbidden_imports("view.py", f"def now():\n    from {name} import x\n    return x") == {
        name
    }


def test_only_the_command_line_reads_files() -> None:
    assert forbidden_imports("cli/main.py", "import argparse, io, sys") == set()
    assert forbidden_imports("cli/main.py", "import os") == {"os"}
    assert forbidden_imports("replay.py", "import json") == {"json"}


@pytest.mark.parametrize("call", ["open", "input", "exec", "eval", "__import__", "breakpoint"])
def test_no_module_calls_forbidden_builtins(call: str) -> None:
    assert [module for module in MODULES if call in functions_called_in(module)] == []


def test_only_the_command_line_prints() -> None:
    printing = {
        module
        for module in MODULES
        for node in ast.walk(ast.parse((ROOT / module).read_text(encoding="utf-8")))
        if isinstance(node, ast.Name) and node.id == "print"
    }
    assert {module.partition("/")[0] for module in printing} == {"cli"}
