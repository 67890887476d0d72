"""Mutants of data: switches, spells' rows, tables, constants and phases.

Each mutant has a fingerprint of the files that contain its kind of data, and is tried again if one
of these files changes.
"""

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import engine
from engine import gestures
from engine.resolve import ORDERS_OF_PLAY, stepwise
from engine.rulesets import RULESETS
from engine.rulesets.choices import NUMBERED, SEALED, STEPWISE
from engine.rulesets.rows import errors_of_rows
from engine.rulesets.ruleset import CompletablePattern, Ruleset, make_ruleset
from engine.rulesets.unsupported_values import REQUIRED_VALUES
from engine.spellbook import (
    TURNS_OF_DURATION,
    AffectedBeings,
    CaptureEffect,
    CasterDecision,
    DefaultSubject,
    FieldChanges,
    Guard,
    HandEffect,
    LegalSubjects,
    RemovalEffect,
    SightEffect,
    Spell,
    SpellClass,
    VictimEffect,
)
from tests.engine.board import NUMBERED_RULESETS, SEALED_RULESETS, STEPWISE_RULESETS
from tests.engine.mutants.patch import (
    Mutant,
    engine_modules,
    place_of_function,
    places_of_readers,
    rebind,
)
from tests.engine.mutants.result_store import fingerprint

ENGINE_FOLDER = Path(engine.__file__).parent


def value_mutants() -> Iterator[Mutant]:
    """Yield all mutants of data."""
    for ruleset in RULESETS.values():
        yield from _with_fingerprints(mutants_of_switches(ruleset), "rulesets/*.py", "spellbook.py")
        for spell in ruleset.spells.values():
            yield from _with_fingerprints(
                mutants_of_row(ruleset, spell), "rulesets/*.py", "spellbook.py"
            )
    yield from _with_fingerprints(mutants_of_phases(), "resolve/**/__init__.py")
    for module in engine_modules():
        if module.__name__.startswith("engine.resolve") or module.__name__ in MODULES_WITH_TABLES:
            assert module.__file__ is not None
            file = Path(module.__file__).relative_to(ENGINE_FOLDER)
            yield from _with_fingerprints(mutants_of_constants(module), str(file))


def _with_fingerprints(mutants: Iterator[Mutant], *files: str) -> Iterator[Mutant]:
    for mutant in mutants:
        yield dataclasses.replace(mutant, source=_fingerprint(files))


@cache
def _fingerprint(patterns: tuple[str, ...]) -> str:
    return fingerprint(file for pattern in patterns for file in ENGINE_FOLDER.glob(pattern))[:16]


# Rulesets


def replace_published_ruleset(ruleset: Ruleset) -> None:
    """Replace the published ruleset of this id."""
    assert isinstance(RULESETS, dict)
    RULESETS[ruleset.id] = ruleset


def mutants_of_switches(ruleset: Ruleset) -> Iterator[Mutant]:
    for field in dataclasses.fields(ruleset):
        if field.name in REQUIRED_VALUES[ruleset.order_of_play] or not field.init:
            continue  # no other value is supported, or it is derived
        for value in _other_values_of_type(getattr(ruleset, field.name)):
            changed = _with_field(ruleset, field.name, value)
            yield Mutant(
                f"{ruleset.id} {field.name} = {value}",
                partial(replace_published_ruleset, changed),
                (ruleset.id,),
            )
    for table, label, letters in _other_tables(ruleset):
        name = f"{ruleset.id} {table}{label}"
        yield Mutant(
            name,
            partial(replace_published_ruleset, _with_field(ruleset, table, letters)),
            (ruleset.id,),
        )
    for number in range(len(ruleset.order_of_log) - 1):
        order = swap_with_next(ruleset.order_of_log, number)
        name = f"{ruleset.id} order_of_log: {order[number]} before {order[number + 1]}"
        words = order[number : number + 2]
        yield Mutant(
            name,
            partial(replace_published_ruleset, _with_field(ruleset, "order_of_log", order)),
            (ruleset.id,),
            words=words,
        )


def _other_values_of_type(value: object) -> Iterator[bool | int | StrEnum]:
    """Yield all other values of a switch or an enumeration; for a number, the next one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, StrEnum):
        yield from (other for other in type(value) if other is not value)
    elif isinstance(value, int):
        yield value + 1


def _other_tables(ruleset: Ruleset) -> Iterator[tuple[str, str, object]]:
    """Yield tables of gestures with one entry changed, as field, label and table."""
    for before, after in ruleset.paralysed.items():
        other = "D" if after != "D" else "F"
        yield "paralysed", f" [{before}] = {other}", {**ruleset.paralysed, before: other}
    for letter in ruleset.under_fear:
        yield "under_fear", f" without {letter}", ruleset.under_fear.replace(letter, "")
    for number in range(len(ruleset.confused) - 1):
        letters = "".join(swap_with_next(ruleset.confused, number))
        label = f": {letters[number]} before {letters[number + 1]}"
        yield "confused", label, letters


def _with_field(ruleset: Ruleset, field: str, value: object) -> Ruleset:
    """Return the ruleset with another value in this field, even in a derived one."""
    new = dataclasses.replace(ruleset)
    object.__setattr__(new, field, value)
    return new


def swap_with_next(items: Sequence[Any], number: int) -> tuple[Any, ...]:
    """Return the items with this one and the next swapped."""
    new = list(items)
    new[number], new[number + 1] = new[number + 1], new[number]
    return tuple(new)


# Rows of the book

VALUES_WITHOUT_EFFECT: Final = (
    HandEffect.FREE, VictimEffect.ORDERED, Guard.NONE,
    RemovalEffect.NOTHING, SightEffect.CLEAR, CaptureEffect.NONE,
)  # fmt: skip
"""Values for spells without a special effect."""


def mutants_of_row(ruleset: Ruleset, spell: Spell) -> Iterator[Mutant]:
    for field in dataclasses.fields(spell):
        for value in other_field_values(field.name, spell):
            if field.name != "patterns" and not _is_accepted(ruleset, spell, field.name, value):
                continue
            told = value.value if isinstance(value, Enum) else value
            yield Mutant(
                f"{ruleset.id} {spell.id}.{field.name} = {told!r}",
                partial(_apply_row_change, ruleset, spell, field.name, value),
                (ruleset.id,),
                words=(spell.id, spell.name.lower()),
            )


def other_field_values(field: str, spell: Spell) -> list[object]:
    """Return other possible values for this field of a spell's row."""
    value = getattr(spell, field)
    match field:
        case "id" | "name" | "is_area" | "is_enchantment" | "is_illness":
            return []
        case "helps" | "harms":
            return []  # only for advice, which trials do not use
        case "element" | "resists":
            return ["ice" if value == "fire" else "fire", ""] if value else []
        case "destroys" | "heals":
            return [value[:place] + value[place + 1 :] for place in range(len(value))]
        case "asks":
            return [] if value is CasterDecision.NOTHING else [CasterDecision.NOTHING]
        case "patterns":
            return list(_other_patterns(value))
        case "amount":
            return [value + 1] if value else []
        case "monster":
            return ["giant" if value != "giant" else "ogre"] if value else []
        case "once_by":
            return [""] if value else []
        case "default":
            return [
                DefaultSubject.OPPONENT
                if value is not DefaultSubject.OPPONENT
                else DefaultSubject.SELF
            ]
        case "works":
            return (
                [AffectedBeings.WIZARDS, AffectedBeings.MONSTERS]
                if value is AffectedBeings.ALL
                else [AffectedBeings.ALL]
            )
        case "legal":
            return [other for other in LegalSubjects if other is not value]
        case "lasts":
            return (
                [other for other in TURNS_OF_DURATION if other is not value]
                if value in TURNS_OF_DURATION
                else []
            )
        case "hands" | "victims" | "guard" | "unmakes" | "eyes" | "takes":
            return [] if value in VALUES_WITHOUT_EFFECT else [*_other_values_of_type(value)]
        case "class_":
            return [
                SpellClass.ENCHANTMENT
                if value is not SpellClass.ENCHANTMENT
                else SpellClass.DAMAGING
            ]
        case _:
            return [not value]


def _other_patterns(patterns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the patterns with one of them changed at its end or its beginning."""
    for number, pattern in enumerate(patterns):
        others = (pattern[:-1] + pattern[-1].swapcase(), "D" + pattern, pattern[:-1] + "d")
        for other in dict.fromkeys(others):
            if other != pattern:
                yield (*patterns[:number], other, *patterns[number + 1 :])


def _is_accepted(ruleset: Ruleset, spell: Spell, field: str, value: object) -> bool:
    """Return whether the ruleset accepts this value in the spell's row."""
    change: FieldChanges = {field: value}
    try:
        row = dataclasses.replace(spell, **change)
        if next(errors_of_rows(ruleset.order_of_play, [row]), ""):  # avoids building the ruleset
            return False
        _with_row_change(ruleset, spell, field, value)
    except ValueError:
        return False
    return True


def _apply_row_change(ruleset: Ruleset, spell: Spell, field: str, value: object) -> None:
    replace_published_ruleset(_with_row_change(ruleset, spell, field, value))


def _with_row_change(ruleset: Ruleset, spell: Spell, field: str, value: object) -> Ruleset:
    change: FieldChanges = {field: value}
    row = dataclasses.replace(spell, **change)
    spells = [row if other is spell else other for other in ruleset.spells.values()]
    if field == "patterns":
        kept = {
            each.name: getattr(ruleset, each.name)
            for each in dataclasses.fields(ruleset)
            if each.init and each.name not in _DERIVED_FIELDS
        }
        return make_ruleset(ruleset.id, spells=spells, **kept)
    completables = {
        each: dataclasses.replace(each, spell=row, once=each.pattern == row.once_by)
        if each.spell is spell
        else each
        for each in ruleset.completables
    }
    return dataclasses.replace(
        ruleset,
        spells={other.id: other for other in spells},
        completables=tuple(completables.values()),
        ends=tuple(tuple(completables[end] for end in ends) for ends in ruleset.ends),
    )


_DERIVED_FIELDS = ("id", "spells", "automaton", "completables", "ends", "asks")


# Phases


def mutants_of_phases() -> Iterator[Mutant]:
    plays = {
        SEALED: SEALED_RULESETS,
        NUMBERED: NUMBERED_RULESETS,
        STEPWISE: STEPWISE_RULESETS,
    }
    for name, rulesets in plays.items():
        play = ORDERS_OF_PLAY[name]
        for label, phases, moved in other_phase_orders(play.phases):
            told = f"{name} play {label}"
            yield Mutant(
                told, partial(_replace_phases, name, phases), rulesets, place_of_function(moved)
            )
    resolve = sys.modules["engine.resolve"]
    for module, constant, rulesets in (
        (resolve, "SEALED_MAGIC_PHASES", SEALED_RULESETS),
        (resolve, "NUMBERED_MAGIC_PHASES", NUMBERED_RULESETS),
        (stepwise, "EXECUTION_STEPS", STEPWISE_RULESETS),
        (stepwise, "CLOSING_STEPS", STEPWISE_RULESETS),
    ):
        old = getattr(module, constant)
        for label, phases, moved in other_phase_orders(old):
            told = f"{constant} {label}"
            yield Mutant(
                told, partial(rebind, constant, old, phases), rulesets, place_of_function(moved)
            )


def other_phase_orders(phases: Sequence[Any]) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """Yield the order with one phase removed or two swapped, with a label and the changed phase.

    Only a trial that runs the changed phase can notice.
    """
    for number, phase in enumerate(phases):
        yield f"without {phase.__name__}", (*phases[:number], *phases[number + 1 :]), phase
        if number + 1 < len(phases):
            name = f"{phases[number + 1].__name__} before {phase.__name__}"
            yield name, swap_with_next(phases, number), phase


def _replace_phases(name: str, phases: tuple[Any, ...]) -> None:
    """Set the phases of an order of play, and keep its other settings."""
    plays: Any = ORDERS_OF_PLAY
    play = plays[name]
    asking = tuple(phase for phase in phases if phase in play.asking)
    plays[name] = dataclasses.replace(play, phases=phases, asking=asking)


# Tables and constants

MODULES_WITH_TABLES = tuple(
    f"engine.{name}"
    for name in (
        "legality.casting",
        "legality.check",
        "gestures",
        "legality.hand_constraints",
        "legality.moves",
        "positions.position",
        "legality.scope",
        "spellbook",
    )
)
FUNCTIONS_UNUSED_IN_DUELS = (
    *(f"engine.rulesets.{name}." for name in ("unsupported_values", "rows", "ruleset")),
    "engine.spellbook.Spell.",
    "engine.gestures.symbols",
    "engine.advice.",
)
"""Functions that only build or check rows and tables, or that are only used for advice."""
SKIPPED_NAMES = frozenset(
    # displayed names, internal codes, and values that no rule mentions
    {
        "MAX_SURPLUS_HIT_POINTS",
        "MONSTER_COLOURS",
        "MONSTER_NUMERALS",
        "NO_CANDIDATES",
        "GESTURE_NAMES",
        "HAND_NAMES",
        "FOREVER",
        "MAX_SEATS",
        "SEATS",
        "DOOM_DAMAGE",
    }
    # derived values, or values that tests of the automaton cover
    | {
        "ALL_SYMBOLS",
        "SYMBOL_COUNT",
        "GESTURE_PAIRS",
        "_INDEX_OF_SYMBOL",
        "SYMBOLS_OF_PAIR",
        "BARTLE_SPELLBOOK",
        "ORDERS_OF_PLAY",
        "PHASES",
        "SEALED_MAGIC_PHASES",
        "SPELLS_THAT_NEED_PHASE",
        "NUMBERED_PHASES",
        "NUMBERED_MAGIC_PHASES",
        "STEPS_OF_PHASES",
    }
    | {
        "EXECUTION_STEPS",
        "CLOSING_STEPS",
        "PHASES_THAT_ASK",
        "PHASES_BEFORE_ANSWERS",
        "SAME_ELEMENT",
        "_TOLD",
        "_SIDES",
        "_EVENT_FIELDS",
    }
)


def mutants_of_constants(module: ModuleType) -> Iterator[Mutant]:
    """Yield mutants of every table entry, number and letter written in this module.

    Skip constants that no function reads during a duel: those that are converted at import or used
    only for advice. No trial would notice if they changed.
    """
    for name, value in vars(module).items():
        if not name.isupper() or name in SKIPPED_NAMES or not _is_assigned_in(module, name):
            continue
        touches = places_of_readers(name, value, except_prefixes=FUNCTIONS_UNUSED_IN_DUELS)
        if not touches:
            continue
        for label, apply in changes_of_constant(name, value):
            yield Mutant(f"{module.__name__}.{name} {label}", apply, touches=touches)


def _is_assigned_in(module: ModuleType, name: str) -> bool:
    """Return whether the module itself assigns this name."""
    assert module.__file__ is not None
    with open(module.__file__, encoding="utf-8") as source:
        return any(line.startswith((f"{name} ", f"{name}:")) for line in source)


def changes_of_constant(name: str, value: Any) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield each change to this value, as a label and a function that applies it."""
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield f"= {value + 1}", partial(rebind, name, value, value + 1)
    elif isinstance(value, str) and len(value) > 3 and set(value) <= set(gestures.GESTURES):
        for letter in value:
            new = value.replace(letter, "")
            yield f"without {letter}", partial(rebind, name, value, new)
        for number in range(len(value) - 1):
            new = "".join(swap_with_next(value, number))
            if name.startswith("CONFUS"):
                yield f"= {new}", partial(rebind, name, value, new)
    elif isinstance(value, (tuple, frozenset)):
        for item in sorted(value, key=lambda each: getattr(each, "__name__", str(each))):
            kept = type(value)(other for other in value if other != item)
            told = getattr(item, "__name__", item)
            yield f"without {told}", partial(rebind, name, value, kept)
    elif isinstance(value, dict):
        yield from changes_of_table(value)


def changes_of_table(table: dict[Any, Any]) -> Iterator[tuple[str, Callable[[], None]]]:
    for key, value in table.items():
        yield f"without {key}", partial(table.pop, key)
        for new in other_table_values(table, value):
            yield f"[{key}] = {new}", partial(table.__setitem__, key, new)


def other_table_values(table: Mapping[Any, Any], value: Any) -> Iterator[Any]:
    """Yield other possible values for this entry of the table."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield from [other for other in table.values() if other != value][:1]
    elif isinstance(value, tuple):
        for number, part in enumerate(value):
            if isinstance(part, int):
                yield (*value[:number], part + 1, *value[number + 1 :])
    elif dataclasses.is_dataclass(value) and not isinstance(value, (type, CompletablePattern)):
        for field in dataclasses.fields(value):
            part = getattr(value, field.name)
            if isinstance(part, int):
                yield dataclasses.replace(value, **{field.name: part + 1})
