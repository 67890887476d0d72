"""A recorded duel as a value, read from one line of JSON. Malformed values are rejected.

tests/vectors/README.md describes the format. Only a phase's casts are read, not its
other events.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.json_values import (
    InvalidData,
    check_keys,
    parse_choice,
    parse_int,
    parse_list,
    parse_object,
    parse_objects,
    parse_string,
    parse_strings,
)
from engine.rulesets.spellcast import SPELLCAST_1
from engine.start.begin import MAX_WIZARDS, MIN_WIZARDS
from tests.vectors.names import GESTURE_LETTERS, HAND_NAMES, PHASE_TYPES, SPELL_NAMES

FORMAT_VERSION: Final = 1
UNFINISHED_RESULT: Final = "unfinished"

_DUEL_KEYS: Final = ("id", "n", "phases", "result")
_PHASE_KEYS: Final = ("t", "type", "moves", "asks", "rand", "events", "state", "next")
_PHASE_TYPES: Final = tuple(PHASE_TYPES.values())
CAST_KEYS: Final = ("spell", "by", "hand", "at")
_CANDIDATE_NAMES: Final = frozenset(name + star for name in SPELL_NAMES for star in ("", "*"))

QUESTION_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "charm_gesture": ("of", "hand"),
    "left_spell": ("opts",),
    "right_spell": ("opts",),
    "release": ("spell",),
    "which_delay": ("opts", "idx"),
    "which_extend": ("opts", "idx"),
    "target": ("spell", "hand", "opts"),
    "elemental": ("opts",),
    "paralysis_hand": ("of", "opts"),
    "charm_hand": ("of", "opts"),
    "attack": ("m", "attack", "opts"),
}
"""Keys of each kind of question, in addition to its batch, seat, kind and answer."""


@dataclass(frozen=True, slots=True)
class RecordedQuestion:
    """A recorded question without its answer, and the answer's index among the options."""

    batch: int
    data: Mapping[str, object]
    choice: int


@dataclass(frozen=True, slots=True)
class Phase:
    """A round of gestures with all its results. `moves`: letters by seat, "" for none."""

    turn: int
    kind: str
    moves: tuple[str, ...]
    asks: tuple[RecordedQuestion, ...]
    draws: tuple[tuple[int, int], ...]  # number of sides, value
    casts: tuple[Mapping[str, object], ...] | None  # None if no events are recorded
    state: Mapping[str, object]
    next: str | None


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded duel. `result` is a seat, "draw" or "unfinished"."""

    id: str
    wizards: int
    phases: tuple[Phase, ...]
    result: int | str


def parse_recording(value: object) -> Recording:
    """Return the duel in this JSON value. Raise InvalidData, naming the field."""
    row = parse_object("duel", value)
    if row.get("version", FORMAT_VERSION) != FORMAT_VERSION:
        raise InvalidData("version", f"must be {FORMAT_VERSION}")
    parse_choice("ruleset", row.get("ruleset", SPELLCAST_1.id), (SPELLCAST_1.id,))
    check_keys("duel", row, (*_DUEL_KEYS, "version", "ruleset"))
    wizards = parse_int("n", row.get("n"), MIN_WIZARDS)
    if wizards > MAX_WIZARDS:
        raise InvalidData("n", f"a duel has {MIN_WIZARDS} to {MAX_WIZARDS} wizards")
    phases = tuple(
        _parse_phase(f"phases[{number}]", phase, wizards)
        for number, phase in enumerate(parse_objects("phases", row.get("phases")))
    )
    if not phases:
        raise InvalidData("phases", "there is none")
    return Recording(
        parse_string("id", row.get("id")), wizards, phases, _parse_result(row, wizards)
    )


def _parse_result(row: Mapping[str, object], wizards: int) -> int | str:
    result = row.get("result")
    if isinstance(result, int):
        return _parse_seat("result", result, wizards)
    return parse_choice("result", result, ("draw", UNFINISHED_RESULT))


def _parse_seat(place: str, value: object, wizards: int) -> int:
    seat = parse_int(place, value)
    if seat >= wizards:
        raise InvalidData(place, f"there is no seat {seat}")
    return seat


def _parse_phase(place: str, row: Mapping[str, object], wizards: int) -> Phase:
    check_keys(place, row, _PHASE_KEYS)
    following = row.get("next", "")
    return Phase(
        parse_int(f"{place}.t", row.get("t")),
        parse_choice(f"{place}.type", row.get("type"), _PHASE_TYPES),
        tuple(_parse_moves(f"{place}.moves", row.get("moves"), wizards)),
        tuple(_parse_questions(f"{place}.asks", row.get("asks"), wizards)),
        tuple(_parse_draws(f"{place}.rand", row.get("rand"))),
        _parse_casts(f"{place}.events", row["events"]) if "events" in row else None,
        _parse_state(f"{place}.state", row.get("state"), wizards),
        None if following is None else parse_choice(f"{place}.next", following, _PHASE_TYPES),
    )


def _parse_moves(place: str, value: object, wizards: int) -> Iterator[str]:
    rows = parse_list(place, value)
    if len(rows) != wizards:
        raise InvalidData(place, f"must have {wizards} entries, one for each seat")
    for seat, row in enumerate(rows):
        if row is None:
            yield ""
            continue
        pair = parse_string(f"{place}[{seat}]", row)
        if len(pair) != 2 or any(letter not in GESTURE_LETTERS for letter in pair):
            raise InvalidData(f"{place}[{seat}]", f"must be two of {' '.join(GESTURE_LETTERS)}")
        yield pair


def _parse_draws(place: str, value: object) -> Iterator[tuple[int, int]]:
    for number, draw in enumerate(parse_list(place, value)):
        here = f"{place}[{number}]"
        pair = parse_list(here, draw)
        if len(pair) != 2:
            raise InvalidData(here, "must be the number of sides and the value")
        sides, drawn = parse_int(here, pair[0], 1), parse_int(here, pair[1])
        if drawn >= sides:
            raise InvalidData(here, f"{drawn} is not below {sides}")
        yield sides, drawn


def _parse_questions(place: str, value: object, wizards: int) -> Iterator[RecordedQuestion]:
    batch = 0
    for number, row in enumerate(parse_objects(place, value)):
        here = f"{place}[{number}]"
        asked = _parse_question(here, row, wizards)
        if asked.batch not in ((0,) if number == 0 else (batch, batch + 1)):
            raise InvalidData(f"{here}.b", "batches are numbered from 0, one after another")
        batch = asked.batch
        yield asked


def _parse_question(place: str, row: Mapping[str, object], wizards: int) -> RecordedQuestion:
    kind = parse_choice(f"{place}.q", row.get("q"), tuple(QUESTION_KEYS))
    check_keys(place, row, ("b", "who", "q", "def", "ans", *QUESTION_KEYS[kind]))
    _parse_seat(f"{place}.who", row.get("who"), wizards)
    for key in QUESTION_KEYS[kind]:
        _PARSER_BY_KEY[key](f"{place}.{key}", row.get(key))
    options = _parse_options(place, kind, row)
    if "def" in row:
        _index_among(f"{place}.def", row["def"], options)
    choice = _index_among(f"{place}.ans", row.get("ans"), options)
    if "idx" in row:
        choice = parse_int(f"{place}.idx", row["idx"])
        if choice >= len(options) or options[choice] != row["ans"]:
            raise InvalidData(f"{place}.idx", "must be the answer's index among the options")
    data = {key: each for key, each in row.items() if key not in ("b", "ans", "idx")}
    return RecordedQuestion(parse_int(f"{place}.b", row.get("b")), data, choice)


def _parse_options(place: str, kind: str, row: Mapping[str, object]) -> Sequence[object]:
    """Return the possible answers, in order. Two kinds of question do not list them."""
    if kind == "charm_gesture":
        return GESTURE_LETTERS
    if kind == "release":
        return (0, 1)
    options = parse_strings(f"{place}.opts", row.get("opts"))
    if kind in ("left_spell", "right_spell", "which_delay", "which_extend"):
        for number, name in enumerate(options):
            _check_spell(f"{place}.opts[{number}]", name, _CANDIDATE_NAMES)
    return options


def _index_among(place: str, value: object, options: Sequence[object]) -> int:
    if isinstance(value, bool) or value not in tuple(options):
        raise InvalidData(place, f"must be one of {', '.join(map(str, options))}")
    return tuple(options).index(value)


def _check_spell(place: str, value: object, known: frozenset[str] = SPELL_NAMES) -> None:
    if not isinstance(value, str) or value not in known:
        raise InvalidData(place, f"unknown spell {value!r}")


def _check_subject_spell(place: str, value: object) -> None:
    _check_spell(place, value, SPELL_NAMES | {"stab"})


def _check_hand(place: str, value: object) -> None:
    parse_choice(place, value, tuple(HAND_NAMES.values()))


_PARSER_BY_KEY: Final[Mapping[str, Callable[[str, object], object]]] = {
    "opts": parse_strings,
    "spell": _check_subject_spell,
    "hand": _check_hand,
    "of": parse_string,
    "m": parse_int,
    "attack": parse_int,
    "idx": parse_int,
}


def _parse_casts(place: str, value: object) -> tuple[Mapping[str, object], ...]:
    """Return the spells that were cast, in order, with caster, hand and subject, but not stabs."""
    found: list[Mapping[str, object]] = []
    for number, event in enumerate(parse_objects(place, value)):
        if event.get("e") == "cast" and event.get("spell") != "stab":
            _check_spell(f"{place}[{number}].spell", event.get("spell"))
            found.append({key: event.get(key) for key in CAST_KEYS})
    return tuple(found)


def _parse_state(place: str, value: object, wizards: int) -> Mapping[str, object]:
    state = parse_object(place, value)
    check_keys(place, state, ("wiz", "mon"))
    beings = {key: parse_objects(f"{place}.{key}", state.get(key)) for key in ("wiz", "mon")}
    if len(beings["wiz"]) != wizards:
        raise InvalidData(f"{place}.wiz", f"must have {wizards} entries, one for each seat")
    for key, rows in beings.items():
        for number, being in enumerate(rows):
            for held in ("mind", "bank", "now"):
                if being.get(held) is not None:
                    _check_spell(f"{place}.{key}[{number}].{held}", being[held])
    return state
