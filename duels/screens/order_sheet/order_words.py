"""Names and values of order fields, as text."""

from collections.abc import Mapping
from typing import Final

from django.utils.text import capfirst

from duels.wording.order_fields import OrderField, order_field
from engine.play import GESTURE_NAMES, HAND_FIELD_NAMES, HAND_NAMES
from engine.words import OPTION_WORDS, PLACE_WORDS, future_being_text, hand_text, with_set_name

BOTH_HANDS_VALUE: Final = "BH"
FIXED_FIELD_LABELS: Final = {
    "release": "Release the banked spell",
    "release_subject": "Subject of the banked spell",
    "bank": "Bank this hand’s spell",
    "permanency": "Make this hand’s spell permanent",
    "sacrifice": "Monster to sacrifice",
    "heart": "Stop your own heart",
    "say": "Say",
}
SPELL_MARK_LABELS: Final = {"bank": "Bank this spell", "permanency": "Make this spell permanent"}
SPELL_MARK_RULES: Final = {"bank": "W34", "permanency": "W35"}
ANSWER_FIELD_LABELS: Final = {
    "elemental": "If asked, summon an elemental of",
    "paralysis": "If asked, paralyse",
    "charm_person": "If asked, charm",
}
# The order of fields in lists of orders. The message comes last.
FIELD_KIND_ORDER: Final = (
    "gesture",
    "spell",
    "subject",
    "release",
    "release_subject",
    "bank",
    "permanency",
    "sacrifice",
    "heart",
    "answer",
    "charmed",
    "held",
    "victim",
)


def orders_as_pairs(
    fields: Mapping[str, str], names: Mapping[str, str], spells: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the name and value of each order field, as text.

    `names` contains the names of beings by id.
    """
    filled = [order_field(name) for name, value in fields.items() if value]
    return [
        (field_label(field, names), _value_text(field, fields[field.name], names, spells))
        for field in sorted(filled, key=_sort_key)
    ]


def hand_label(hand: str, number: int = 1) -> str:
    return capfirst(with_set_name(HAND_NAMES[hand], number))


def field_label(field: OrderField, names: Mapping[str, str]) -> str:
    match field.kind:
        case "gesture":
            return hand_label(field.hand, field.number)
        case "spell":
            casts = "cast" if field.hand == BOTH_HANDS_VALUE else "casts"
            return with_set_name(f"{hand_label(field.hand)} {casts}", field.number)
        case "subject":
            end = "’" if field.hand == BOTH_HANDS_VALUE else "’s"
            return with_set_name(f"{hand_label(field.hand)}{end} subject", field.number)
        case "charmed":
            return charmed_hand_label(
                _possessive_name(field.about, names), field.hand, field.number
            )
        case "held":
            return held_hand_label(_possessive_name(field.about, names))
        case "victim":
            return attack_label(capfirst(_being_name(field.about, names)), field.number)
        case "answer":
            return ANSWER_FIELD_LABELS.get(field.about, field.name)
        case _:
            return FIXED_FIELD_LABELS.get(field.name, field.name)


def charmed_hand_label(owner: str, hand: str, number: int) -> str:
    """Return the name of the field for another wizard's charmed hand."""
    return with_set_name(f"{owner} {HAND_NAMES[hand]}", number)


def held_hand_label(owner: str) -> str:
    """Return the name of the field for the owner's hand that the caster paralyses."""
    return f"{owner} hand to paralyse"


def attack_label(monster: str, number: int) -> str:
    """Return the name of the field for a monster's attack. Hasted monsters have two such fields."""
    return f"{monster} attacks{' again' if number > 1 else ''}"


def _value_text(
    field: OrderField, value: str, names: Mapping[str, str], spells: Mapping[str, str]
) -> str:
    match field.kind:
        case "gesture" | "charmed":
            return f"{value} {GESTURE_NAMES.get(value, '')}".strip()
        case "spell":
            return spells.get(value, value)
        case "bank" | "permanency" | "held":
            return hand_text(value)
        case "answer":
            return OPTION_WORDS.get(value, value)
        case "say":
            return f"“{value}”"
        case _:
            return PLACE_WORDS.get(value) or _being_name(value, names)


def _being_name(id: str, names: Mapping[str, str]) -> str:
    if id in names or ":" not in id:
        return names.get(id, id)
    return future_being_text(id, lambda maker: _possessive_name(maker, names))


def _possessive_name(wizard: str, names: Mapping[str, str]) -> str:
    return f"{names.get(wizard, wizard)}’s"


def _sort_key(field: OrderField) -> tuple[int, int, int, str, int]:
    if field.kind == "say":
        return len(FIELD_KIND_ORDER) + 1, 0, 0, "", 1
    kind = (
        FIELD_KIND_ORDER.index(field.kind)
        if field.kind in FIELD_KIND_ORDER
        else len(FIELD_KIND_ORDER)
    )
    hand = list(HAND_FIELD_NAMES).index(field.hand) if field.hand else 0
    answer = (
        list(ANSWER_FIELD_LABELS).index(field.about) if field.about in ANSWER_FIELD_LABELS else 0
    )
    return kind, hand, answer, field.about, field.number
