"""Tests of the four public modules: every name is documented, and results have public types."""

import ast
import importlib
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine.orders
import engine.play
import engine.proof
import engine.words
from engine.events import EVENT_CLASSES

MODULES = {each.__name__: each for each in (engine.play, engine.orders, engine.words, engine.proof)}
pytestmark = pytest.mark.source


def public_names(module: Any) -> Iterator[tuple[str, str]]:
    """Yield each public name of the module, with the name of the module that defines it."""
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom):
            yield from ((alias.asname, node.module or "") for alias in node.names if alias.asname)
        elif module is engine.orders:
            yield from (
                (name, module.__name__) for name in names_defined_by(node) if name[0] != "_"
            )


def names_defined_by(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Assign(targets=targets):
            return [each.id for target in targets for each in ast.walk(target)
                    if isinstance(each, ast.Name)]  # fmt: skip
        case _:
            return []


def documented_names(source: str) -> set[str]:
    """Return the names that have a docstring, or are followed by one."""
    body = ast.parse(source).body
    found: set[str] = set()
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node, following:
            case ((ast.FunctionDef() | ast.ClassDef()), _) if ast.get_docstring(node):
                found |= {*names_defined_by(node)}
            case ((ast.Assign() | ast.AnnAssign()), ast.Expr(value=ast.Constant(value=str()))):
                found |= {*names_defined_by(node)}
            case _:
                pass
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_documented(name: str) -> None:
    for public, home in public_names(MODULES[name]):
        source = Path(inspect.getfile(importlib.import_module(home))).read_text(encoding="utf-8")
        assert public in documented_names(source), f"{home}.{public}"


def classes_named_in(annotation: object) -> Iterator[type]:
    """Yield the classes named in an annotation."""
    if inspect.isclass(annotation):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from classes_named_in(inner)


def test_public_functions_and_values_have_public_types() -> None:
    """Only the switches of a ruleset and of a spell are left out."""
    public = {
        value: name
        for module in MODULES.values()
        for name, value in vars(module).items()
        if inspect.isclass(value) or inspect.isfunction(value)
    }
    hidden = {
        f"{name}: {each.__name__}"
        for value, name in public.items()
        if value.__module__.startswith("engine.") and name not in ("Ruleset", "Spell")
        for annotation in typing.get_type_hints(value).values()
        for each in classes_named_in(annotation)
        if each.__module__.startswith("engine.") and each not in public
    }
    assert hidden == set()


def test_every_class_of_events_is_public() -> None:
    assert all(getattr(engine.play, event.__name__) is event for event in EVENT_CLASSES)
