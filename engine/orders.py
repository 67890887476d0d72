"""The orders that a wizard seals for one turn, and their flat form.

Forms, faults, seals and JSON all use the field names of the flat form: `fields` returns it, and
`from_fields` reads it. `engine.play.check` decides if orders are legal, and
`engine.words.parse_orders` reads orders that players type.
rules: turn:orders, R9, R14
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.gestures import (
    BOTH,
    GESTURES,
    HAND_FIELD_NAMES,
    LEFT,
    NOTHING,
    RIGHT,
    STABS_PAIR,
    SYMBOLS_OF_PAIR,
)
from engine.ids import FUTURE_BEINGS, SEATS, SET_HANDS, WIZARD_HANDS
from engine.json_values import InvalidData, parse_choice
from engine.spellbook import HandEffect

MESSAGE_FIELD: Final = "say"
"""The field with the message for this turn."""
MAX_MESSAGE_LENGTH: Final = 500
"""Maximum number of characters in a message."""
MAX_FIELD_LENGTH: Final = 40
"""Maximum number of characters in any other field, and in its name."""
_UNPRINTABLE_PATTERN: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class HandSet:
    """One set of gestures with its choices; `spells` and `subjects` are by "L", "R" or "BH".

    `pair` has both letters. `is_lawful` means that both letters are gestures, that at most one of
    them is a stab, and that the choices name existing hands. `is_bare` means that the set is lawful
    and has no choices.
    """

    left: str = NOTHING
    right: str = NOTHING
    spells: Mapping[str, str] = field(default_factory=dict[str, str])
    subjects: Mapping[str, str] = field(default_factory=dict[str, str])
    pair: str = field(init=False, compare=False, repr=False)
    is_lawful: bool = field(init=False, compare=False, repr=False)
    is_bare: bool = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        pair = self.left + self.right
        object.__setattr__(self, "pair", pair)
        named = {*self.spells, *self.subjects}
        lawful = pair in SYMBOLS_OF_PAIR and pair != STABS_PAIR and named <= HAND_FIELD_NAMES.keys()
        object.__setattr__(self, "is_lawful", lawful)
        object.__setattr__(self, "is_bare", lawful and not self.spells and not self.subjects)


MARK_FIELDS: Final = ("bank", "permanency")
"""The fields that mark a hand for a delay or a permanency."""


class MarkedHand(NamedTuple):
    """A hand chosen in orders for a window to act on, and the field that contains it."""

    field: str
    hand: str


@dataclass(frozen=True, slots=True)
class Orders:
    """One wizard's orders for one turn. Empty fields take their defaults.

    - `victims`: by monster (or being to come), its victims, one for each attack.
    - `charmed`: by charmed hand ("w1.L"), its letters, one for each set.
    - `held`: by wizard, the hand that the writer's paralysis holds (W18).
    - `bank`, `permanency`: the hand ("L", "R2") whose spell should be banked or made permanent.
    - `sacrifice`: the monster that a Sacrifice gives up (R24).
    - `heart`: whether the writer's own heart stops (W27).
    - `answers`: advance answers, by kind of question.
    - `is_hands_and_monsters_only`: whether the orders contain nothing except lawful sets with their
      choices, and the victims of monsters.
    - `is_bare`: whether they contain nothing except at most one lawful set without choices.
    - `first_set`: the first set, or an empty one if none is written; `first_pair`: its letters.
    """

    sets: tuple[HandSet, ...] = ()
    victims: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    charmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    held: Mapping[str, str] = field(default_factory=dict[str, str])
    release: bool = False
    release_subject: str = ""
    bank: str = ""
    permanency: str = ""
    sacrifice: str = ""
    heart: bool = False
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    say: str = ""
    is_hands_and_monsters_only: bool = field(init=False, compare=False, repr=False)
    is_bare: bool = field(init=False, compare=False, repr=False)
    first_set: HandSet = field(init=False, compare=False, repr=False)
    first_pair: tuple[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        first = self.sets[0] if self.sets else HandSet()
        object.__setattr__(self, "first_set", first)
        object.__setattr__(self, "first_pair", (first.pair,))
        elsewhere = (
            self.charmed, self.held, self.release, self.release_subject, self.bank,
            self.permanency, self.sacrifice, self.heart, self.answers, self.say,
        )  # fmt: skip
        plain = (
            all(hands.is_lawful for hands in self.sets)
            and all(
                order_field(KeyedField("victim", key, len(victims) or 1).text)
                for key, victims in self.victims.items()
            )
            and not any(elsewhere)
        )
        object.__setattr__(self, "is_hands_and_monsters_only", plain)
        is_one_set = len(self.sets) <= 1 and not self.victims
        bare = plain and is_one_set and all(hands.is_bare for hands in self.sets)
        object.__setattr__(self, "is_bare", bare)

    def hands(self, number: int) -> HandSet:
        """Return the set with this number, or an empty one if the orders do not contain it."""
        return self.sets[number - 1] if number <= len(self.sets) else EMPTY_SET

    @property
    def marks(self) -> tuple[MarkedHand, ...]:
        """The hands named for windows. rules: R103, R107, W34, W35"""
        if not self.bank and not self.permanency:
            return ()
        named = zip(MARK_FIELDS, (self.bank, self.permanency), strict=True)
        return tuple(MarkedHand(field, hand) for field, hand in named if hand)


NO_ORDERS: Final = Orders()
"""Orders that leave both hands idle."""
EMPTY_SET: Final = HandSet()
"""A set of gestures that leaves both hands idle."""

KIND_OF_HAND_QUESTION: Final[Mapping[HandEffect, str]] = {
    HandEffect.HELD: "paralysis",
    HandEffect.CHARMED: "charm_person",
}
"""The kind of question that asks for the hand affected by a spell with this effect. rules: R81"""
ADVANCE_ANSWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "elemental": ("fire", "ice"),
    **dict.fromkeys(KIND_OF_HAND_QUESTION.values(), ("L", "R")),
}
"""The answers that orders may give in advance, by kind of question. rules: R81"""


class SetField(NamedTuple):
    """The name of a field of one set: a hand's gesture, its spell, or its subject."""

    hand: str
    set: int = 1
    what: str = "gesture"

    @property
    def text(self) -> str:
        of = "" if self.what == "gesture" else f"_{self.what}"
        return f"{HAND_FIELD_NAMES.get(self.hand, self.hand)}{of}{_number_suffix(self.set)}"


class KeyedField(NamedTuple):
    """The name of a field for a being, a hand or a question: "victim2:m0", "answer:paralysis"."""

    kind: str
    key: str
    number: int = 1

    @property
    def text(self) -> str:
        return f"{self.kind}{_number_suffix(self.number)}:{self.key}"


def _number_suffix(number: int) -> str:
    return "" if number == 1 else str(number)


def _finite_fields() -> Iterator[SetField | KeyedField]:
    """Yield all fields with parts, except those of existing monsters (of any number)."""
    for number in (1, 2):
        for hand in (LEFT, RIGHT):
            yield SetField(hand, number)
        for hand in (LEFT, RIGHT, BOTH):
            yield SetField(hand, number, "spell")
            yield SetField(hand, number, "subject")
        for key in FUTURE_BEINGS:
            yield KeyedField("victim", key, number)
        for key, moved in WIZARD_HANDS.items():
            if not moved.is_later:
                yield KeyedField("charmed", key, number)
    for wizard in SEATS:
        yield KeyedField("held", wizard)
    for question in ADVANCE_ANSWERS:
        yield KeyedField("answer", question)


_FIELDS_WITH_PARTS: Final[Mapping[str, SetField | KeyedField]] = {
    field.text: field for field in _finite_fields()
}
_MONSTER_FIELD_PATTERN = re.compile(r"victim(2?):(m[0-9]{1,6})")
NAMES_WITH_PARTS: Final = tuple(_FIELDS_WITH_PARTS)
"""The names of all fields with parts, except those that name an existing monster."""
PLAIN_FIELDS: Final = (
    "release", "release_subject", "bank", "permanency", "sacrifice", "heart", MESSAGE_FIELD,
)  # fmt: skip
"""The names of the fields that are not divided into parts."""


def order_field(name: str) -> SetField | KeyedField | None:
    """Return the field with that name; None if it has no parts or does not exist."""
    if known := _FIELDS_WITH_PARTS.get(name):
        return known
    found = _MONSTER_FIELD_PATTERN.fullmatch(name)
    return KeyedField("victim", found[2], 2 if found[1] else 1) if found else None


def fields(orders: Orders) -> dict[str, str]:
    """Return the flat form of these orders, without empty fields."""
    return {name: value for name, value in all_fields(orders).items() if value}


def all_fields(orders: Orders) -> dict[str, str]:
    """Return the flat form of these orders, including fields that are written but empty."""
    flat: dict[str, str] = {}
    for number, hands in enumerate(orders.sets, 1):
        flat[SetField(LEFT, number).text] = hands.left
        flat[SetField(RIGHT, number).text] = hands.right
        for hand, spell in sorted(hands.spells.items()):
            flat[SetField(hand, number, "spell").text] = spell
        for hand, subject in sorted(hands.subjects.items()):
            flat[SetField(hand, number, "subject").text] = subject
    for key, victims in sorted(orders.victims.items()):
        for number, victim in enumerate(victims or ("",), 1):
            flat[KeyedField("victim", key, number).text] = victim
    for key, letters in sorted(orders.charmed.items()):
        for number, letter in enumerate(letters or ("",), 1):
            flat[KeyedField("charmed", key, number).text] = letter
    for key, hand in sorted(orders.held.items()):
        flat[KeyedField("held", key).text] = hand
    if orders.release:
        flat["release"] = "yes"
    flat["release_subject"] = orders.release_subject
    flat["bank"] = orders.bank
    flat["permanency"] = orders.permanency
    flat["sacrifice"] = orders.sacrifice
    if orders.heart:
        flat["heart"] = "yes"
    for kind, answer in sorted(orders.answers.items()):
        flat[KeyedField("answer", kind).text] = answer
    flat[MESSAGE_FIELD] = orders.say
    return flat


def from_fields(flat: Mapping[str, object]) -> Orders:
    """Return the orders in this flat form.

    Raises InvalidData, naming the field, for an unknown name, a value that is too long or not a
    string, or a letter that is not a gesture. `check` decides if the orders are legal.
    """
    read = _OrdersBuilder()
    for name, value in flat.items():
        if not isinstance(value, str):
            raise InvalidData(str(name)[:MAX_FIELD_LENGTH], "must be a string")
        if value:
            read.read_field(name, value)
    return read.build_orders()


def has_unprintable_characters(text: str) -> bool:
    """Return whether the text contains a control character or half a character (a surrogate)."""
    return _UNPRINTABLE_PATTERN.search(text) is not None


class _OrdersBuilder:
    """Builder of orders from their flat fields, added one at a time."""

    def __init__(self) -> None:
        self.letters: dict[tuple[int, str], str] = {}
        self.spells: tuple[dict[str, str], dict[str, str]] = ({}, {})
        self.subjects: tuple[dict[str, str], dict[str, str]] = ({}, {})
        self.victims: dict[str, dict[int, str]] = {}
        self.charmed: dict[str, dict[int, str]] = {}
        self.held: dict[str, str] = {}
        self.answers: dict[str, str] = {}
        self.plain: dict[str, str] = {}

    def read_field(self, name: str, value: str) -> None:
        most = MAX_MESSAGE_LENGTH if name == MESSAGE_FIELD else MAX_FIELD_LENGTH
        if len(value) > most:
            raise InvalidData(name[:MAX_FIELD_LENGTH], f"at most {most} characters")
        if has_unprintable_characters(value):
            raise InvalidData(name[:MAX_FIELD_LENGTH], "contains a character that cannot be shown")
        match order_field(name):
            case SetField(hand, number, "spell"):
                self.spells[number - 1][hand] = value
            case SetField(hand, number, "subject"):
                self.subjects[number - 1][hand] = value
            case SetField(hand, number):
                self.letters[number, hand] = _parse_gesture(name, value)
            case KeyedField("victim", key, number):
                self.victims.setdefault(key, {})[number] = value
            case KeyedField("charmed", key, number):
                self.charmed.setdefault(key, {})[number] = _parse_gesture(name, value)
            case KeyedField("held", wizard):
                self.held[wizard] = parse_choice(name, value, (LEFT, RIGHT))
            case KeyedField(_, question):
                self.answers[question] = parse_choice(name, value, ADVANCE_ANSWERS[question])
            case None:
                self.read_plain_field(name, value)

    def read_plain_field(self, name: str, value: str) -> None:
        if name in ("release", "heart"):
            self.plain[name] = parse_choice(name, value, ("yes",))
        elif name in ("release_subject", "sacrifice", MESSAGE_FIELD):
            self.plain[name] = value
        elif name in ("bank", "permanency"):
            if value not in SET_HANDS:
                raise InvalidData(name, "must be a hand: L, R, BH, L2, R2 or BH2")
            self.plain[name] = value
        else:
            raise InvalidData(name[:MAX_FIELD_LENGTH], "is not a field of orders")

    def build_orders(self) -> Orders:
        return Orders(
            sets=self.build_sets(),
            victims=_values_by_number(self.victims),
            charmed=_values_by_number(self.charmed),
            held=self.held,
            release=bool(self.plain.get("release")),
            release_subject=self.plain.get("release_subject", ""),
            bank=self.plain.get("bank", ""),
            permanency=self.plain.get("permanency", ""),
            sacrifice=self.plain.get("sacrifice", ""),
            heart=bool(self.plain.get("heart")),
            answers=self.answers,
            say=self.plain.get(MESSAGE_FIELD, ""),
        )

    def build_sets(self) -> tuple[HandSet, ...]:
        second = any(number == 2 for number, _ in self.letters) or any(
            part[1] for part in (self.spells, self.subjects)
        )
        if not second and not self.letters and not self.spells[0] and not self.subjects[0]:
            return ()
        return tuple(
            HandSet(
                self.letters.get((number, LEFT), NOTHING),
                self.letters.get((number, RIGHT), NOTHING),
                self.spells[number - 1],
                self.subjects[number - 1],
            )
            for number in ((1, 2) if second else (1,))
        )


def _values_by_number(found: Mapping[str, Mapping[int, str]]) -> dict[str, tuple[str, ...]]:
    return {
        key: tuple(values.get(number, "") for number in range(1, max(values) + 1))
        for key, values in found.items()
    }


def _parse_gesture(field: str, value: str) -> str:
    """Return the value if it is one gesture. Raises InvalidData."""
    if len(value) != 1 or value not in GESTURES:
        raise InvalidData(field, f"must be one of {' '.join(GESTURES)}")
    return value
