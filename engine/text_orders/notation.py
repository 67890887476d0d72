"""Text orders, as players write and read them in emails and text boxes.

docs/ORDERS.md explains the notation to players. rules: turn:orders, F14-F22, F26, F27
"""

from collections.abc import Sequence

from engine.gestures import BANK
from engine.ids import WIZARD_HANDS, SetHand
from engine.orders import (
    KeyedField,
    Orders,
    SetField,
    fields,
    from_fields,
    order_field,
)
from engine.positions.position import Position, Wizard
from engine.text_orders.naming import NAME_STYLES, PLAIN_STYLE, BeingsByName, hand_word
from engine.text_orders.order_parser import ESCAPED_CHARACTERS, Misreading, OrderParser


class UnreadableOrders(ValueError):
    """Error for a text that cannot be read as orders; `misreadings` lists its faults, by line."""

    def __init__(self, misreadings: Sequence[Misreading]) -> None:
        super().__init__("; ".join(f"line {each.line}: {each.text}" for each in misreadings))
        self.misreadings = tuple(misreadings)


def parse_orders(text: str, position: Position, wizard: str) -> Orders:
    """Return the orders in this wizard's text. Anything left out takes its default.

    Raises UnreadableOrders with the fault of every line, and KeyError for an unknown wizard.
    """
    return from_fields(stated_fields(text, position, wizard))


def stated_fields(text: str, position: Position, wizard: str) -> dict[str, str]:
    """Return only the fields of the flat form that the text mentions. Raises like `parse_orders`.

    If a hand has a spell but no gesture, the gesture that completes the spell is added.
    """
    own = position.wizard(wizard)
    reader = OrderParser(position, own, BeingsByName(position, own))
    reader.parse_text(text)
    reader.fill_in_gestures()
    if reader.misreadings:
        raise UnreadableOrders(sorted(reader.misreadings, key=lambda each: each.line))
    return reader.flat


def write_orders(orders: Orders, position: Position, wizard: str) -> str:
    """Return these orders as text, with one line for each field.

    Beings that the wizard does not know of are written by id, never by name.
    """
    own = position.wizard(wizard)
    writer = _Writer(position, own)
    return "".join(f"{writer.write_line(*field)}\n" for field in fields(orders).items())


class _Writer:
    """Writer that turns each field of the flat form into a line of text orders."""

    def __init__(self, position: Position, own: Wizard) -> None:
        self.position = position
        self.own = own
        self.beings = BeingsByName(position, own)

    def write_line(self, field: str, value: str) -> str:
        """Return the simplest line that the parser reads as this field."""
        line = ""
        for style in NAME_STYLES:
            line = self.write_order(field, value, style)
            reader = OrderParser(self.position, self.own, self.beings)
            reader.parse_text(line)
            if reader.flat == {field: value}:
                break
        return line

    def write_order(self, field: str, value: str, style: str) -> str:
        match order_field(field):
            case SetField(hand, number, what):
                return self.write_set_order(SetHand(hand, number), what, value, style)
            case KeyedField("victim", key, number):
                victim = self.beings.phrase_of_being(value, style)
                word = "TARGET" if number == 1 else f"TARGET{number}"
                return f"{word} {self.beings.phrase_of_being(key, style)} {victim}"
            case KeyedField("charmed", key, number):
                owner, hand, _ = WIZARD_HANDS[key]
                word = hand_word(SetHand(hand, number).text)
                return f"{word}:{self.beings.phrase_of_being(owner, style)} {value}"
            case KeyedField("held", key):
                return f"HOLD {hand_word(value)}:{self.beings.phrase_of_being(key, style)}"
            case KeyedField(_, question):
                return f"ANSWER {question.replace('_', ' ')} {hand_word(value)}"
            case None:
                return self.write_plain_order(field, value, style)

    def write_set_order(self, hand: SetHand, what: str, value: str, style: str) -> str:
        word = hand_word(hand.text)
        if what == "subject":
            return f"TARGET {word} {self.beings.phrase_of_being(value, style)}"
        return f"{word} {self.spell(value) if what == 'spell' else value}"

    def write_plain_order(self, field: str, value: str, style: str) -> str:
        match field:
            case "release":
                return "RELEASE"
            case "release_subject":
                return f"TARGET {BANK} {self.beings.phrase_of_being(value, style)}"
            case "bank":
                return f"BANK {hand_word(value)}"
            case "permanency":
                return f"PERMANENT {hand_word(value)}"
            case "sacrifice":
                return f"SACRIFICE {self.beings.phrase_of_being(value, style)}"
            case "heart":
                return "HEART"
            case _:
                assert field == "say", field
                return self.write_message(value, style)

    def spell(self, id: str) -> str:
        spell = self.position.rules.spells.get(id)
        return spell.name if spell else " ".join(id.split())

    def write_message(self, words: str, style: str) -> str:
        if style == PLAIN_STYLE:
            return "\n".join(f"SAY {line}" for line in words.split("\n"))
        escapes = {letter: f"\\{name}" for name, letter in ESCAPED_CHARACTERS.items()}
        return f'SAY "{"".join(escapes.get(letter, letter) for letter in words)}"'
