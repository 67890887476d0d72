"""Parsing and construction of field names in order forms, such as "left_spell2" or "victim:m3".

The names are those of the flat form of orders (`engine.orders.fields`). Only this module parses
these names.
"""

import re
from dataclasses import dataclass
from typing import Final

from engine.orders import PLAIN_FIELDS
from engine.play import HAND_FIELD_NAMES

_HAND_BY_SIDE: Final = {side: hand for hand, side in HAND_FIELD_NAMES.items()}
_GESTURE_FIELD_PATTERN = re.compile(r"(left|right)(2?)")
_CHOICE_FIELD_PATTERN = re.compile(r"(left|right|both)_(spell|subject)(2?)")
_VICTIM_FIELD_PATTERN = re.compile(r"victim(2?):(.+)")
_CHARMED_FIELD_PATTERN = re.compile(r"charmed(2?):(\w+)\.([LR])")
_KEYED_FIELD_PATTERN = re.compile(r"(held|answer):(.+)")
UNKNOWN_FIELD: Final = "unknown"
COMMON_TARGET_FIELD: Final = "all_attack"
"""A field that exists only in the form: one victim for all of the wizard's monsters."""


@dataclass(frozen=True)
class OrderField:
    """One field of an order form.

    `kind` is the type of its value. The other attributes depend on the kind:

    - "gesture": `hand`, and `number` for the set of gestures ("left2")
    - "spell", "subject": `hand`, which may be both hands, and `number` ("both_spell")
    - "charmed": `about`, the wizard whose `hand` it is, and `number` ("charmed:w1.L")
    - "victim": `about`, the monster, and `number` for its attack ("victim2:m3"); a monster that
      does not exist yet is named after its source ("victim:L2:w0")
    - "held": `about`, the wizard whose hand a paralysis holds ("held:w1")
    - "answer": `about`, the kind of question ("answer:paralysis")
    - a field with a fixed name is a kind of its own ("release", "bank", "say")
    - "unknown": `about`, a name that is not the name of any field, such as "colour" or the
      incomplete names "subject" and "victim2:"
    """

    kind: str
    hand: str = ""
    number: int = 1
    about: str = ""

    @property
    def name(self) -> str:
        """The field's name in forms, drafts, sealed orders and errors."""
        again = "" if self.number == 1 else str(self.number)
        match self.kind:
            case "gesture":
                return f"{HAND_FIELD_NAMES[self.hand]}{again}"
            case "spell" | "subject":
                return f"{HAND_FIELD_NAMES[self.hand]}_{self.kind}{again}"
            case "charmed":
                return f"charmed{again}:{self.about}.{self.hand}"
            case "victim":
                return f"victim{again}:{self.about}"
            case "held" | "answer":
                return f"{self.kind}:{self.about}"
            case _:
                return self.about if self.kind == UNKNOWN_FIELD else self.kind


def order_field(name: str) -> OrderField:
    """Return the field with this name. Its kind is "unknown" if there is no such field."""
    if found := _GESTURE_FIELD_PATTERN.fullmatch(name):
        return OrderField("gesture", _HAND_BY_SIDE[found[1]], _number_in_suffix(found[2]))
    if found := _CHOICE_FIELD_PATTERN.fullmatch(name):
        return OrderField(found[2], _HAND_BY_SIDE[found[1]], _number_in_suffix(found[3]))
    if found := _VICTIM_FIELD_PATTERN.fullmatch(name):
        return OrderField("victim", number=_number_in_suffix(found[1]), about=found[2])
    if found := _CHARMED_FIELD_PATTERN.fullmatch(name):
        return OrderField("charmed", found[3], _number_in_suffix(found[1]), found[2])
    if found := _KEYED_FIELD_PATTERN.fullmatch(name):
        return OrderField(found[1], about=found[2])
    return OrderField(name) if name in PLAIN_FIELDS else OrderField(UNKNOWN_FIELD, about=name)


def _number_in_suffix(suffix: str) -> int:
    return int(suffix or 1)
