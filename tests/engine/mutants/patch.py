"""The class of mutants, and functions that find or replace values in the engine."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

import engine
from tests.engine.mutants import probes


@dataclass(frozen=True)
class Mutant:
    """One change to one rule.

    `apply` makes the change for the rest of this process.

    A trial can only notice the mutant under one of the `rulesets`, and if it reaches one of the
    places in `touches`. An empty tuple means all rulesets, and 0 any place. Trials that mention one
    of `words` run first. `source` is a fingerprint of the source code that the mutant changes.
    """

    name: str
    apply: Callable[[], None] = field(compare=False, repr=False)
    rulesets: tuple[str, ...] = ()
    touches: int = 0
    words: tuple[str, ...] = ()
    line: int = 0  # not part of the name, because line numbers change
    source: str = field(default="", compare=False, repr=False)


def engine_modules() -> Iterator[ModuleType]:
    """Yield the loaded modules of the engine."""
    for name, module in sorted(sys.modules.items()):
        if name == engine.__name__ or name.startswith(f"{engine.__name__}."):
            yield module


def modules_with_value(name: str, value: object) -> list[ModuleType]:
    """Return the modules in which this name refers to this object."""
    return [module for module in engine_modules() if vars(module).get(name) is value]


def rebind(name: str, old: object, new: object) -> None:
    """Replace the old value of this name in every module in which the name has that value."""
    for module in modules_with_value(name, old):
        setattr(module, name, new)


def functions_in_module(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the module's functions, and the methods and properties of its classes."""
    for value in list(vars(module).values()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _methods_of_class(value)


def _methods_of_class(class_: type) -> Iterator[FunctionType]:
    for value in vars(class_).values():
        found: Any = value.fget if isinstance(value, property) else value
        if isinstance(found, FunctionType):
            yield found


@cache
def first_place_by_file() -> dict[str, int]:
    """Return, for each file of the engine, the number of lines in the files before it."""
    numbers, last = {}, 0
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        numbers[str(path)] = last
        last += len(path.read_text("utf-8").splitlines())
    return numbers


def places_of_lines(file: str, lines: Iterable[int]) -> int:
    """Return a bit mask of these lines in a file of the engine."""
    first = first_place_by_file()[file]
    return sum(1 << (first + line) for line in set(lines))


def place_beyond_lines(number: int) -> int:
    """Return the place that belongs to a numbered event, rather than to a line of code."""
    return _number_of_lines() + 1 + number


@cache
def _number_of_lines() -> int:
    last = list(first_place_by_file())[-1]
    return first_place_by_file()[last] + len(Path(last).read_text("utf-8").splitlines())


def bit_mask(numbers: Set[int]) -> int:
    """Return a bit mask with these bits set."""
    made = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        made[number // 8] |= 1 << number % 8
    return int.from_bytes(made, "little")


def place_of_function(function: FunctionType) -> int:
    """Return the place that every call of this function reaches, as a bit mask."""
    return places_of_lines(function.__code__.co_filename, [function.__code__.co_firstlineno])


@contextlib.contextmanager
def record_places() -> Iterator[Callable[[], int]]:
    """Record which places of the engine's code run inside the `with` block.

    Yield a function that returns the places reached so far.
    """
    firsts = first_place_by_file()
    seen: set[int] = set()
    probes.REACHED_PLACES.clear()

    def by_line(frame: FrameType, event: str, _: object) -> Any:
        if event == "line":
            seen.add(firsts[frame.f_code.co_filename] + frame.f_lineno)
        return by_line

    def by_call(frame: FrameType, _event: str, _: object) -> Any:
        first = firsts.get(frame.f_code.co_filename)
        if first is None:
            return None
        seen.add(first + frame.f_code.co_firstlineno)
        return by_line

    sys.settrace(by_call)
    try:
        yield lambda: bit_mask(seen | probes.REACHED_PLACES)
    finally:
        sys.settrace(None)


def places_of_readers(name: str, value: object, except_prefixes: tuple[str, ...] = ()) -> int:
    """Return the places of all functions that use this name, except those with these prefixes."""
    found = 0
    for module in modules_with_value(name, value):
        for function in functions_in_module(module):
            told = f"{module.__name__}.{function.__qualname__}"
            if name in _names_used_in(function.__code__) and not told.startswith(except_prefixes):
                found |= place_of_function(function)
    return found


def _names_used_in(code: Any) -> set[str]:
    inner = [const for const in code.co_consts if hasattr(const, "co_names")]
    return {*code.co_names, *(name for each in inner for name in _names_used_in(each))}
