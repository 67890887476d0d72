"""What a mutant is, and how a changed value gets to everybody who holds the old one."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import engine


@dataclass(frozen=True)
class Mutant:
    """One change of one rule. `apply` makes it for the rest of this process.

    Only trials under `rulesets` (all, if none is named) that call one of the functions in `touches`
    (any, if none is named) can notice it; those that mention a word of `words` are asked first.
    """

    name: str
    apply: Callable[[], None] = field(compare=False, repr=False)
    rulesets: tuple[str, ...] = ()
    touches: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    line: int = 0  # where it stands in its module; lines move, so no name has them


def modules() -> Iterator[ModuleType]:
    """The engine's modules that are loaded."""
    for name, module in sorted(sys.modules.items()):
        if name == engine.__name__ or name.startswith(f"{engine.__name__}."):
            yield module


def holders(name: str, value: object) -> list[ModuleType]:
    """The modules that know this very value by this name."""
    return [module for module in modules() if vars(module).get(name) is value]


def rebind(name: str, old: object, new: object) -> None:
    """Every module that knows the old value by this name knows the new one."""
    for module in holders(name, old):
        setattr(module, name, new)


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """Its functions, and the methods and properties of its classes."""
    for value in list(vars(module).values()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _methods(value)


def _methods(class_: type) -> Iterator[FunctionType]:
    for value in vars(class_).values():
        found: Any = value.fget if isinstance(value, property) else value
        if isinstance(found, FunctionType):
            yield found


def place(function: FunctionType) -> str:
    """How coverage names a function."""
    return f"{function.__code__.co_filename}:{function.__code__.co_qualname}"


def readers(name: str, value: object) -> frozenset[str]:
    """The functions that look this value up by its name."""
    return frozenset(
        place(function)
        for module in holders(name, value)
        for function in functions(module)
        if name in _names(function.__code__)
    )


def _names(code: Any) -> set[str]:
    inner = [const for const in code.co_consts if hasattr(const, "co_names")]
    return {*code.co_names, *(name for each in inner for name in _names(each))}
