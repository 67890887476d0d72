"""Comparison of the engine's questions, casts and states with a recording, part by part."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from engine.events import Cast
from engine.ids import SEATS, SpellWithPattern, monster_number
from engine.json_values import MISSING
from engine.questions import Question
from tests.vectors.names import HAND_NAMES, being_name, candidate_name, spell_name


class Difference(NamedTuple):
    """A recorded value that differs from the engine's result."""

    field: str
    expected: object
    got: object


def question_as_recorded(question: Question) -> dict[str, object]:
    """Return the question as a recording describes it, without batch and answer."""
    kind = question.kind
    data: dict[str, object] = {"who": SEATS[question.wizard], "q": kind}
    match kind:
        case "charm_gesture":
            data |= {"of": question.about, "hand": question.hand}
        case "release":
            data |= {"spell": spell_name(question.spell)}
        case "target":
            data |= {"spell": spell_name(question.spell), "hand": HAND_NAMES[question.hand]}
        case "paralysis_hand" | "charm_hand":
            data |= {"of": question.about}
        case "attack":
            data |= {"m": monster_number(question.about), "attack": question.number}
        case _:
            pass
    return data | _recorded_options(question)


def _recorded_options(question: Question) -> dict[str, object]:
    options = question.options
    match question.kind:
        case "charm_gesture":
            return {}
        case "release":
            return {"def": int(question.default == "yes")}
        case "left_spell" | "right_spell":
            return {"opts": [candidate_name(option) for option in options]}
        case "which_delay" | "which_extend":
            return {"opts": [spell_name(label) for label in question.labels]}
        case "target" | "attack":
            preset = {"def": being_name(question.default)} if question.is_preset else {}
            return {"opts": [being_name(option) for option in options], **preset}
        case _:
            return {"opts": list(options)}


def cast_as_recorded(event: Cast) -> dict[str, object]:
    """Return a cast spell as a recording describes it."""
    return {
        "spell": spell_name(SpellWithPattern(event.spell, event.pattern).text),
        "by": event.wizard,
        "hand": HAND_NAMES[event.hand],
        "at": being_name(event.subject) or "*",
    }


def differences(field: str, expected: object, got: object) -> Iterator[Difference]:
    """Yield every part in which `expected` and `got` differ, with its place.

    A list of plain values counts as one part.
    """
    parts, others = _parts_by_place(expected), _parts_by_place(got)
    if parts is None or others is None or expected == got:
        if expected != got:
            yield Difference(field, expected, got)
        return
    for key in {**parts, **others}:
        yield from differences(field + key, parts.get(key, MISSING), others.get(key, MISSING))


def _parts_by_place(value: object) -> dict[str, object] | None:
    """Return the parts of an object or a list of objects by place; None for any other value."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, object]", value)
        return {f".{key}": member for key, member in members.items()}
    if isinstance(value, list):
        items = cast("list[object]", value)
        if all(isinstance(item, Mapping) for item in items):
            return {f"[{number}]": item for number, item in enumerate(items)}
    return None
