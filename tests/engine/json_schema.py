"""The JSON Schema of everything that `engine.play.dump` writes, derived from the engine's classes.

`engine/schema.json` is this schema. After a change to the JSON, regenerate it:

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

SCHEMA_PATH: Final = Path(engine.__file__).parent / "schema.json"
Json = dict[str, Any]
SPELL_ROWS: Final = [
    row
    for ruleset in RULESETS.values()
    for rules in (ruleset, *ruleset.variants.values())
    for row in rules.spells.values()
]
SPELL_IDS: Final = frozenset(row.id for row in SPELL_ROWS)
SPELL_PATTERNS: Final = frozenset(pattern for row in SPELL_ROWS for pattern in row.patterns)
STRING_SCHEMA: Final[Json] = {"type": "string"}
INTEGER_SCHEMA: Final[Json] = {"type": "integer"}
FUTURE_BEING_PATTERN: Final = r"(L|R|BH)2?:w[0-7]|BANK:w[0-7]"


def reference_schema(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def enum_schema(*texts: str) -> Json:
    return {"enum": list(texts)}


def array_schema(items: Json, **limits: int) -> Json:
    return {"type": "array", "items": items, **limits}


def object_schema(properties: Mapping[str, Json], required: list[str], **more: Any) -> Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    } | more


SIMPLE_DEFINITIONS: Final[Mapping[str, Json]] = {
    "gesture": enum_schema(*GESTURES)
    | {"description": "One hand’s gesture; > is a stab, and - is no gesture."},
    "gestures": {"type": "string", "pattern": "^[FPSWDC>-]*$"},
    "set": enum_schema(*GESTURE_PAIRS) | {"description": "A set of gestures, left hand first."},
    "spell": enum_schema(*sorted(SPELL_IDS)),
    "pattern": enum_schema(*sorted(SPELL_PATTERNS)),
    "wizard_id": enum_schema(*SEATS) | {"description": "A wizard, by seat."},
    "wizard_or_none": enum_schema("", *SEATS),
    "monster_id": {"type": "string", "pattern": "^m[0-9]+$"},
    "being": {
        "type": "string",
        "pattern": f"^(w[0-7]|m[0-9]+|{FUTURE_BEING_PATTERN}|nowhere|no_one)?$",
        "description": "A wizard, a monster (including one that a hand or a bank will summon), "
        "“nowhere” or “no_one”, or nothing.",
    },
    "subject": {
        "type": "string",
        "pattern": f"^(w[0-7]|m[0-9]+|{FUTURE_BEING_PATTERN}|nowhere|no_one|attacker)$",
    },
}
"""Definitions of values that are not objects."""

FIELD_SCHEMAS: Final[Mapping[tuple[type, str], Json]] = {
    (Position, "ruleset"): enum_schema(*RULESETS),
    (Position, "wizards"): array_schema(reference_schema("wizard"), minItems=2, maxItems=8),
    (Position, "monsters"): array_schema(reference_schema("monster")),
    (Position, "pending"): array_schema(reference_schema("pending_cast")),
    (Position, "outcome"): enum_schema("", DRAW, *SEATS),
    (Position, "stopped"): array_schema(reference_schema("being")),
    (Position, "left_now"): array_schema(reference_schema("wizard_id")),
    (Wizard, "left"): reference_schema("gestures"),
    (Wizard, "right"): reference_schema("gestures"),
    (Wizard, "bank"): reference_schema("spell"),
    (Wizard, "bank_pattern"): reference_schema("pattern"),
    (Wizard, "bank_subject"): reference_schema("being"),
    (Wizard, "made"): array_schema(reference_schema("set")),
    (Wizard, "attacker"): reference_schema("being"),
    (Wizard, "knows"): {"type": "object", "additionalProperties": STRING_SCHEMA},
    (Wizard, "charming"): array_schema(enum_schema(*WIZARD_HANDS)),
    (Monster, "id"): reference_schema("monster_id"),
    (Monster, "controller"): reference_schema("wizard_or_none"),
    (Monster, "victim"): reference_schema("being"),
    (Monster, "made"): array_schema(reference_schema("being")),
    (Effect, "caster"): reference_schema("wizard_or_none"),
    (Effect, "hand"): enum_schema("", "L", "R"),
    (Effect, "letter"): reference_schema("gesture"),
    (Effect, "sets"): array_schema(STRING_SCHEMA),
    (Effect, "unseen_by"): array_schema(reference_schema("wizard_id")),
    (PendingCast, "wizard"): reference_schema("wizard_id"),
    (PendingCast, "spell"): {"anyOf": [reference_schema("spell"), {"const": ""}]},
    (PendingCast, "pattern"): {"anyOf": [reference_schema("pattern"), {"const": ">"}]},
    (PendingCast, "hand"): enum_schema("L", "R", "BH", "BANK"),
    (PendingCast, "subject"): reference_schema("being"),
}
"""Schemas of fields that the engine checks more strictly than their class declares."""

FIELD_DESCRIPTIONS: Final[Mapping[tuple[type, str], str]] = {
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


def whole_schema() -> Json:
    """Return the whole schema."""
    position = _row_schema(Position, "A duel between two turns.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Positions, orders, events and histories of Spellcaster",
        "description": "The format of engine.play.dump and engine.play.load. Keys with default "
        "values are omitted.",
        "oneOf": [reference_schema(name) for name in ("position", "orders", "events", "history")],
        "$defs": {
            "position": _dump_schema("position", position["properties"], position["required"]),
            "orders": _dump_schema("orders", {"fields": reference_schema("fields")}, ["fields"]),
            "events": _dump_schema(
                "events", {"events": array_schema(reference_schema("event"))}, ["events"]
            ),
            "history": _dump_schema("history", *_history_parts()),
            "position_row": position,
            "wizard": _row_schema(Wizard, "A wizard in a position."),
            "monster": _row_schema(Monster, "A monster in a position, alive or a corpse."),
            "effect": _row_schema(Effect, "An active effect."),
            "pending_cast": _row_schema(
                PendingCast, "A spell that has been aimed but not yet cast."
            ),
            "fields": _order_fields_schema(),
            "event": {"oneOf": [_event_schema(kind) for kind in EVENT_CLASSES]},
            "turn": _resolve_input_schema(),
            "result": _resolve_output_schema(),
            **SIMPLE_DEFINITIONS,
        },
    }


def _dump_schema(kind: str, properties: Json, required: list[str]) -> Json:
    begin: Json = {"format": {"const": FORMAT}, "type": {"const": kind}}
    return object_schema({**begin, **properties}, [*begin, *required])


def _history_parts() -> tuple[Json, list[str]]:
    turn = object_schema(
        {
            "ordinal": {
                **INTEGER_SCHEMA,
                "minimum": 1,
                "description": "The turn’s place among all turns, including extra ones.",
            },
            "position": reference_schema("position_row"),
            "events": array_schema(reference_schema("event")),
        },
        ["ordinal", "position", "events"],
        description="A resolved turn, with the position before it.",
    )
    waiting = {"const": True, "description": "Present if the last turn is waiting for answers."}
    rows = {
        "turns": array_schema(turn),
        "position": reference_schema("position_row"),
        "is_open": waiting,
    }
    return rows, ["turns", "position"]


def _row_schema(kind: type, description: str) -> Json:
    properties: Json = {}
    required: list[str] = []
    for field in fields_of(kind):
        stored = field.stored
        for key in (
            () if stored.is_derived else stored.interleaved_keys or [stored.name or field.name]
        ):
            value = FIELD_SCHEMAS.get((kind, key)) or _field_schema(field)
            if description_of := FIELD_DESCRIPTIONS.get((kind, key)):
                value = {**value, "description": description_of}
            properties[key] = value
            if stored.is_needed:
                required.append(key)
    return object_schema(properties, required, description=description)


def _field_schema(field: Field) -> Json:
    """Return the schema of a field's value, according to its declaration."""
    if field.name in ("effects", "waiting", "lasting"):
        names = {
            "propertyNames": reference_schema("spell"),
            "additionalProperties": reference_schema("effect"),
        }
        return {"type": "object", **names}
    options = field.stored.options
    text = enum_schema(*options) if options else STRING_SCHEMA
    if field.type is int:
        return {**INTEGER_SCHEMA, "minimum": field.stored.least}
    if field.type is bool:
        return {"type": "boolean"}
    return text if field.type is str else array_schema(text)


def _event_schema(kind: type[Event]) -> Json:
    properties: Json = {"code": {"const": kind.code}}
    required = ["code"]
    for field in fields(kind):
        properties[field.name] = _event_field_schema(kind.code, field.name, field.type)
        if field.default is MISSING:
            required.append(field.name)
    told = re.split(r"\s*\b(?:rules:|R98)", kind.__doc__ or "")[0]
    return object_schema(properties, required, description=" ".join(told.split()))


def _event_field_schema(code: str, name: str, kind: object) -> Json:
    if kind is int:
        return {
            **INTEGER_SCHEMA,
            "minimum": -MAX_SURPLUS_HIT_POINTS if name in SIGNED_FIELDS else 0,
        }
    if kind is bool:
        return {"type": "boolean"}
    known = known_texts(code, name)
    text = STRING_SCHEMA if known is None else _texts_schema(known)
    return array_schema(text) if get_origin(kind) is tuple else text


def _texts_schema(known: frozenset[str]) -> Json:
    """Return the schema of a choice among these texts, with references to spells or beings."""
    if known >= FUTURE_BEINGS.keys():
        return reference_schema("being")
    for name, part in (("spell", SPELL_IDS), ("pattern", SPELL_PATTERNS)):
        if known == part:
            return reference_schema(name)
        if known > part:
            return {"anyOf": [reference_schema(name), enum_schema(*sorted(known - part))]}
    return enum_schema(*sorted(known))


def _order_fields_schema() -> Json:
    """Return the schema of orders as fields."""
    hands = list(SET_HANDS)
    return {
        "type": "object",
        "description": "One wizard’s orders as fields. Empty fields are omitted.",
        "properties": {
            "release": {"const": "yes", "description": "Release the banked spell."},
            "release_subject": reference_schema("subject"),
            "bank": enum_schema(*hands),
            "permanency": enum_schema(*hands),
            "sacrifice": reference_schema("monster_id"),
            "heart": {"const": "yes", "description": "Stop your own heart."},
            "say": {"type": "string", "minLength": 1, "maxLength": MAX_MESSAGE_LENGTH},
        },
        "patternProperties": {
            "^(left|right)2?$": reference_schema("gesture"),
            "^(left|right|both)_spell2?$": {
                **STRING_SCHEMA,
                "minLength": 1,
                "maxLength": MAX_FIELD_LENGTH,
            },
            "^(left|right|both)_subject2?$": reference_schema("subject"),
            f"^victim2?:({FUTURE_BEING_PATTERN}|m[0-9]{{1,6}})$": reference_schema("subject"),
            r"^charmed2?:w[0-7]\.[LR]$": reference_schema("gesture"),
            "^held:w[0-7]$": enum_schema("L", "R"),
            **{
                f"^answer:{kind}$": enum_schema(*options)
                for kind, options in ADVANCE_ANSWERS.items()
            },
        },
        "additionalProperties": False,
    }


def _resolve_input_schema() -> Json:
    """Return the schema of the input of `python -m engine resolve`."""
    orders = {
        "oneOf": [reference_schema("fields"), {**STRING_SCHEMA, "description": "Text orders."}]
    }
    properties = {
        "position": reference_schema("position"),
        "orders": {"type": "object", "propertyNames": reference_schema("wizard_id"),
                   "additionalProperties": orders},
        "answers": {"type": "object", "additionalProperties": STRING_SCHEMA,
                    "description": "Options, by the id of the question."},
        "seed": {"type": "string", "pattern": "^([0-9a-fA-F]{2})*$"},
        "commitments": array_schema(STRING_SCHEMA),
        "draws": {"type": "object", "additionalProperties": {**INTEGER_SCHEMA, "minimum": 0},
                  "description": "Dice that are set in advance, by label."},
    }  # fmt: skip
    return object_schema(
        properties, ["position"], description="The input of `python -m engine resolve`."
    )


def _resolve_output_schema() -> Json:
    """Return the schema of the output of `python -m engine resolve`."""
    fault = {"oneOf": [_simple_row_schema(Fault), _simple_row_schema(Misreading)]}
    faults = {"type": "object", "additionalProperties": array_schema(fault)}
    results = (
        {"position": reference_schema("position"), "events": reference_schema("events")},
        {"questions": array_schema(_simple_row_schema(Question))},
        {"faults": faults},
    )
    return {
        "description": "The output of `python -m engine resolve`.",
        "oneOf": [object_schema(each, list(each)) for each in results],
    }


def _simple_row_schema(kind: type) -> Json:
    """Return the schema of a dataclass whose fields are all required and of simple types."""
    types: Mapping[object, Json] = {
        str: STRING_SCHEMA,
        int: INTEGER_SCHEMA,
        bool: {"type": "boolean"},
    }
    properties = {
        field.name: types.get(field.type, array_schema(STRING_SCHEMA)) for field in fields(kind)
    }
    return object_schema(properties, list(properties))


def schema_text() -> str:
    """Return the text of the schema file."""
    return json.dumps(whole_schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SCHEMA_PATH.write_text(schema_text(), encoding="utf-8")
