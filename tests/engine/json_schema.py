"""The JSON Schema of everything that `engine.play.dump` writes, made from the engine's own classes.

`engine/schema.json` is this schema. After a change of the JSON, regenerate it:

    python -m tests.engine.json_schema
"""

import json
import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Final, get_origin

import engine
from engine.events import EVENT_CLASSES, Event
from engine.fields import Field, fields_of
from engine.gestures import GESTURE_PAIRS, GESTURES
from engine.ids import FUTURE_BEINGS, SEATS, SET_HANDS, WIZARD_HANDS
from engine.legality.check import Fault
from engine.orders import ADVANCE_ANSWERS, MAX_FIELD_LENGTH, MAX_MESSAGE_LENGTH
from engine.positions.codec import FORMAT, SIGNED_FIELDS
from engine.positions.event_check import known_texts
from engine.positions.position import DRAW, Effect, Monster, PendingCast, Position, Wizard
from engine.questions import Question
from engine.rulesets import RULESETS
from engine.spellbook import MAX_SURPLUS_HIT_POINTS
from engine.text_orders.order_parser import Misreading

PATH: Final = Path(engine.__file__).parent / "schema.json"
Json = dict[str, Any]
ROWS: Final = [
    row
    for ruleset in RULESETS.values()
    for rules in (ruleset, *ruleset.variants.values())
    for row in rules.spells.values()
]
SPELLS: Final = frozenset(row.id for row in ROWS)
PATTERNS: Final = frozenset(pattern for row in ROWS for pattern in row.patterns)
STRING: Final[Json] = {"type": "string"}
INTEGER: Final[Json] = {"type": "integer"}
FUTURE: Final = r"(L|R|BH)2?:w[0-7]|BANK:w[0-7]"


def ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def choice(*texts: str) -> Json:
    return {"enum": list(texts)}


def list_of(items: Json, **limits: int) -> Json:
    return {"type": "array", "items": items, **limits}


def object_of(properties: Mapping[str, Json], required: list[str], **more: Any) -> Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    } | more


PLAIN: Final[Mapping[str, Json]] = {
    "gesture": choice(*GESTURES)
    | {"description": "One hand’s gesture; > is a stab, and - is no gesture."},
    "gestures": {"type": "string", "pattern": "^[FPSWDC>-]*$"},
    "set": choice(*GESTURE_PAIRS) | {"description": "A set of gestures, left hand first."},
    "spell": choice(*sorted(SPELLS)),
    "pattern": choice(*sorted(PATTERNS)),
    "wizard_id": choice(*SEATS) | {"description": "A wizard, by seat."},
    "wizard_or_none": choice("", *SEATS),
    "monster_id": {"type": "string", "pattern": "^m[0-9]+$"},
    "being": {
        "type": "string",
        "pattern": f"^(w[0-7]|m[0-9]+|{FUTURE}|nowhere|no_one)?$",
        "description": "A wizard, a monster (including one that a hand or a bank will summon), "
        "“nowhere” or “no_one”, or nothing.",
    },
    "subject": {
        "type": "string",
        "pattern": f"^(w[0-7]|m[0-9]+|{FUTURE}|nowhere|no_one|attacker)$",
    },
}
"""Definitions of values that are not objects."""

DETAILS: Final[Mapping[tuple[type, str], Json]] = {
    (Position, "ruleset"): choice(*RULESETS),
    (Position, "wizards"): list_of(ref("wizard"), minItems=2, maxItems=8),
    (Position, "monsters"): list_of(ref("monster")),
    (Position, "pending"): list_of(ref("pending_cast")),
    (Position, "outcome"): choice("", DRAW, *SEATS),
    (Position, "stopped"): list_of(ref("being")),
    (Position, "left_now"): list_of(ref("wizard_id")),
    (Wizard, "left"): ref("gestures"),
    (Wizard, "right"): ref("gestures"),
    (Wizard, "bank"): ref("spell"),
    (Wizard, "bank_pattern"): ref("pattern"),
    (Wizard, "bank_subject"): ref("being"),
    (Wizard, "made"): list_of(ref("set")),
    (Wizard, "attacker"): ref("being"),
    (Wizard, "knows"): {"type": "object", "additionalProperties": STRING},
    (Wizard, "charming"): list_of(choice(*WIZARD_HANDS)),
    (Monster, "id"): ref("monster_id"),
    (Monster, "controller"): ref("wizard_or_none"),
    (Monster, "victim"): ref("being"),
    (Monster, "made"): list_of(ref("being")),
    (Effect, "caster"): ref("wizard_or_none"),
    (Effect, "hand"): choice("", "L", "R"),
    (Effect, "letter"): ref("gesture"),
    (Effect, "sets"): list_of(STRING),
    (Effect, "unseen_by"): list_of(ref("wizard_id")),
    (PendingCast, "wizard"): ref("wizard_id"),
    (PendingCast, "spell"): {"anyOf": [ref("spell"), {"const": ""}]},
    (PendingCast, "pattern"): {"anyOf": [ref("pattern"), {"const": ">"}]},
    (PendingCast, "hand"): choice("L", "R", "BH", "BANK"),
    (PendingCast, "subject"): ref("being"),
}
"""Schemas of fields that the engine checks more strictly than their class declares."""

DESCRIPTIONS: Final[Mapping[tuple[type, str], str]] = {
    (Position, "turn"): "The number of the next turn.",
    (Position, "wizards"): "In order of seats.",
    (Position, "monsters"): "In order of creation, including corpses.",
    (Position, "created"): "The number of monsters created so far.",
    (Position, "options"): "House rules and other options of the duel.",
    (Position, "kind"): "extra: only beings in `stopped` act; haste: only hasted wizards act.",
    (Position, "outcome"): "The winner or a draw, if the duel is over.",
    (Position, "left_now"): "Wizards who have left since the last turn.",
    (Position, "was_hasted"): "Whether this turn’s hasted turn was played before the extra turn.",
    (Position, "pending"): "Spells aimed in this turn’s haste phase.",
    (Wizard, "damage"): "Points of damage; negative if cured above the starting hit points.",
    (Wizard, "left"): "Gestures of the left hand since its sequences last broke.",
    (Wizard, "right"): "Gestures of the right hand since its sequences last broke.",
    (Wizard, "effects"): "Active effects, by spell.",
    (Wizard, "bank"): "The banked spell.",
    (Wizard, "used_bolt"): "Whether the short lightning bolt is used up.",
    (Wizard, "made"): "Sets made in the last turn.",
    (Wizard, "attacker"): "The being that last attacked a blind wizard.",
    (Wizard, "knows"): "Names of the beings known to a blind wizard, by id.",
    (Wizard, "charming"): "Hands that a blind wizard may have charmed; + is a later turn.",
    (Wizard, "held"): "The hand that was paralysed in the last set.",
    (Wizard, "lasting"): "A permanent mind spell that acts if no other is waiting.",
    (Wizard, "yielded"): "Whether the wizard has surrendered and leaves at the end of the turn.",
    (Wizard, "guards"): "Guards from the last normal turn.",
    (Monster, "controller"): "The wizard that the monster obeys, if any.",
    (Monster, "victim"): "The victim that its controller ordered last.",
    (Monster, "made"): "Victims attacked in the last turn.",
    (Monster, "lasting"): "A permanent mind spell that acts if no other is waiting.",
    (Monster, "waiting"): "A mind spell that will change its next attack.",
    (Monster, "keeps_victim"): "Whether a permanent confusion was renewed since its last attack.",
    (Monster, "raised"): "Whether the monster has been raised from the dead.",
    (Monster, "guards"): "Guards from the last normal turn.",
    (Effect, "first"): "The first turn on which the effect acts.",
    (Effect, "last"): "The last turn on which the effect acts; 1000000 if it has no end.",
    (Effect, "hand"): "The hand that a mind spell affects.",
    (Effect, "letter"): "The gesture that this hand must make.",
    (Effect, "sets"): "Sets of gestures or victims that an amnesia repeats.",
    (Effect, "unseen_by"): "Wizards who do not know of the effect.",
}


def schema() -> Json:
    """Return the whole schema."""
    position = _row(Position, "A duel between two turns.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Positions, orders, events and histories of Spellcaster",
        "description": "The format of engine.play.dump and engine.play.load. Keys with default "
        "values are omitted.",
        "oneOf": [ref(name) for name in ("position", "orders", "events", "history")],
        "$defs": {
            "position": _dump("position", position["properties"], position["required"]),
            "orders": _dump("orders", {"fields": ref("fields")}, ["fields"]),
            "events": _dump("events", {"events": list_of(ref("event"))}, ["events"]),
            "history": _dump("history", *_history()),
            "position_row": position,
            "wizard": _row(Wizard, "A wizard in a position."),
            "monster": _row(Monster, "A monster in a position, alive or a corpse."),
            "effect": _row(Effect, "An active effect."),
            "pending_cast": _row(PendingCast, "A spell that has been aimed but not yet cast."),
            "fields": _order_fields(),
            "event": {"oneOf": [_event(kind) for kind in EVENT_CLASSES]},
            "turn": _turn(),
            "result": _result(),
            **PLAIN,
        },
    }


def _dump(kind: str, properties: Json, required: list[str]) -> Json:
    begin: Json = {"format": {"const": FORMAT}, "type": {"const": kind}}
    return object_of({**begin, **properties}, [*begin, *required])


def _history() -> tuple[Json, list[str]]:
    turn = object_of(
        {
            "ordinal": {
                **INTEGER,
                "minimum": 1,
                "description": "The turn’s place among all turns, including extra ones.",
            },
            "position": ref("position_row"),
            "events": list_of(ref("event")),
        },
        ["ordinal", "position", "events"],
        description="A resolved turn, with the position before it.",
    )
    waiting = {"const": True, "description": "Present if the last turn is waiting for answers."}
    rows = {"turns": list_of(turn), "position": ref("position_row"), "is_open": waiting}
    return rows, ["turns", "position"]


def _row(kind: type, description: str) -> Json:
    properties: Json = {}
    required: list[str] = []
    for field in fields_of(kind):
        stored = field.stored
        for key in (
            () if stored.is_derived else stored.interleaved_keys or [stored.name or field.name]
        ):
            value = DETAILS.get((kind, key)) or _field_value(field)
            if description_of := DESCRIPTIONS.get((kind, key)):
                value = {**value, "description": description_of}
            properties[key] = value
            if stored.is_needed:
                required.append(key)
    return object_of(properties, required, description=description)


def _field_value(field: Field) -> Json:
    """Return the schema of a field's value, according to its declaration."""
    if field.name in ("effects", "waiting", "lasting"):
        names = {"propertyNames": ref("spell"), "additionalProperties": ref("effect")}
        return {"type": "object", **names}
    options = field.stored.options
    text = choice(*options) if options else STRING
    if field.type is int:
        return {**INTEGER, "minimum": field.stored.least}
    if field.type is bool:
        return {"type": "boolean"}
    return text if field.type is str else list_of(text)


def _event(kind: type[Event]) -> Json:
    properties: Json = {"code": {"const": kind.code}}
    required = ["code"]
    for field in fields(kind):
        properties[field.name] = _event_value(kind.code, field.name, field.type)
        if field.default is MISSING:
            required.append(field.name)
    told = re.split(r"\s*\b(?:rules:|R98)", kind.__doc__ or "")[0]
    return object_of(properties, required, description=" ".join(told.split()))


def _event_value(code: str, name: str, kind: object) -> Json:
    if kind is int:
        return {**INTEGER, "minimum": -MAX_SURPLUS_HIT_POINTS if name in SIGNED_FIELDS else 0}
    if kind is bool:
        return {"type": "boolean"}
    known = known_texts(code, name)
    text = STRING if known is None else _texts(known)
    return list_of(text) if get_origin(kind) is tuple else text


def _texts(known: frozenset[str]) -> Json:
    """Return the schema of a choice among these texts, with references to spells or beings."""
    if known >= FUTURE_BEINGS.keys():
        return ref("being")
    for name, part in (("spell", SPELLS), ("pattern", PATTERNS)):
        if known == part:
            return ref(name)
        if known > part:
            return {"anyOf": [ref(name), choice(*sorted(known - part))]}
    return choice(*sorted(known))


def _order_fields() -> Json:
    """Return the schema of orders as fields."""
    hands = list(SET_HANDS)
    return {
        "type": "object",
        "description": "One wizard’s orders as fields. Empty fields are omitted.",
        "properties": {
            "release": {"const": "yes", "description": "Release the banked spell."},
            "release_subject": ref("subject"),
            "bank": choice(*hands),
            "permanency": choice(*hands),
            "sacrifice": ref("monster_id"),
            "heart": {"const": "yes", "description": "Stop your own heart."},
            "say": {"type": "string", "minLength": 1, "maxLength": MAX_MESSAGE_LENGTH},
        },
        "patternProperties": {
            "^(left|right)2?$": ref("gesture"),
            "^(left|right|both)_spell2?$": {
                **STRING,
                "minLength": 1,
                "maxLength": MAX_FIELD_LENGTH,
            },
            "^(left|right|both)_subject2?$": ref("subject"),
            f"^victim2?:({FUTURE}|m[0-9]{{1,6}})$": ref("subject"),
            r"^charmed2?:w[0-7]\.[LR]$": ref("gesture"),
            "^held:w[0-7]$": choice("L", "R"),
            **{f"^answer:{kind}$": choice(*options) for kind, options in ADVANCE_ANSWERS.items()},
        },
        "additionalProperties": False,
    }


def _turn() -> Json:
    """Return the schema of the input of `python -m engine resolve`."""
    orders = {"oneOf": [ref("fields"), {**STRING, "description": "Text orders."}]}
    properties = {
        "position": ref("position"),
        "orders": {"type": "object", "propertyNames": ref("wizard_id"),
                   "additionalProperties": orders},
        "answers": {"type": "object", "additionalProperties": STRING,
                    "description": "Options, by the id of the question."},
        "seed": {"type": "string", "pattern": "^([0-9a-fA-F]{2})*$"},
        "commitments": list_of(STRING),
        "draws": {"type": "object", "additionalProperties": {**INTEGER, "minimum": 0},
                  "description": "Dice that are set in advance, by label."},
    }  # fmt: skip
    return object_of(
        properties, ["position"], description="The input of `python -m engine resolve`."
    )


def _result() -> Json:
    """Return the schema of the output of `python -m engine resolve`."""
    fault = {"oneOf": [_plain_row(Fault), _plain_row(Misreading)]}
    faults = {"type": "object", "additionalProperties": list_of(fault)}
    results = (
        {"position": ref("position"), "events": ref("events")},
        {"questions": list_of(_plain_row(Question))},
        {"faults": faults},
    )
    return {
        "description": "The output of `python -m engine resolve`.",
        "oneOf": [object_of(each, list(each)) for each in results],
    }


def _plain_row(kind: type) -> Json:
    """Return the schema of a dataclass whose fields are all required and of simple types."""
    types: Mapping[object, Json] = {str: STRING, int: INTEGER, bool: {"type": "boolean"}}
    properties = {field.name: types.get(field.type, list_of(STRING)) for field in fields(kind)}
    return object_of(properties, list(properties))


def text() -> str:
    """Return the text of the schema file."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
