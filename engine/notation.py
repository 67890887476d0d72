"""Orders as text, both ways: what players write in a mail or a box, and what they read there.

docs/ORDERS.md tells players how it is written. rules: turn:orders, F14-F22, F26, F27
"""

from collections.abc import Sequence
from typing import Final

from engine.gestures import BANK
from engine.naming import PLAIN, STYLES, Beings, hand_word
from engine.orders import Orders, fields, from_fields
from engine.position import Position, Wizard
from engine.reading import CHOICES, ESCAPES, Misreading, Reader

_CHOICE_WORDS: Final = {side: hand for hand, side in CHOICES.items()}


class UnreadableOrders(ValueError):
    """A text that states no orders; `misreadings` are all that is wrong with it, by line."""

    def __init__(self, misreadings: Sequence[Misreading]) -> None:
        super().__init__("; ".join(f"line {each.line}: {each.text}" for each in misreadings))
        self.misreadings = tuple(misreadings)


def parse(text: str, position: Position, wizard: str) -> Orders:
    """The orders that this wizard's text states; what it leaves out is left to the defaults.

    Raises UnreadableOrders with the fault of every line, and KeyError for an unknown wizard.
    """
    return from_fields(stated_fields(text, position, wizard))


def stated_fields(text: str, position: Position, wizard: str) -> dict[str, str]:
    """The fields of the flat form that the text speaks of, and no others; raises as `parse` does.

    A spell named for a hand without a gesture brings the gesture that completes it.
    """
    own = position.wizard(wizard)
    reader = Reader(position, own, Beings(position, own))
    reader.text(text)
    reader.fill_in_gestures()
    if reader.misreadings:
        raise UnreadableOrders(sorted(reader.misreadings, key=lambda each: each.line))
    return reader.flat


def write(orders: Orders, position: Position, wizard: str) -> str:
    """The text that reads as these orders, a line for each thing ordered.

    Names nothing that the wizard does not know of: what they cannot mean is written by its id.
    """
    own = position.wizard(wizard)
    writer = _Writer(position, own)
    return "".join(f"{writer.line(*field)}\n" for field in fields(orders).items())


class _Writer:
    """Writes each field of the flat form as a line that reads as this field."""

    def __init__(self, position: Position, own: Wizard) -> None:
        self.position = position
        self.own = own
        self.beings = Beings(position, own)

    def line(self, field: str, value: str) -> str:
        """The plainest line that is not misunderstood."""
        line = ""
        for style in STYLES:
            line = self.order(field, value, style)
            reader = Reader(self.position, self.own, self.beings)
            reader.text(line)
            if reader.flat == {field: value}:
                break
        return line

    def order(self, field: str, value: str, style: str) -> str:
        kind, _, key = field.partition(":")
        suffix = "2" if kind.endswith("2") else ""
        match kind.removesuffix("2"):
            case "left" | "right" as side:
                return f"{_CHOICE_WORDS[side]}{suffix} {value}"
            case "left_spell" | "right_spell" | "both_spell" as choice:
                return f"{_CHOICE_WORDS[choice.removesuffix('_spell')]}{suffix} {self.spell(value)}"
            case "left_subject" | "right_subject" | "both_subject" as choice:
                hand = _CHOICE_WORDS[choice.removesuffix("_subject")]
                return f"TARGET {hand}{suffix} {self.beings.written(value, style)}"
            case "victim":
                victim = self.beings.written(value, style)
                return f"TARGET{suffix} {self.beings.written(key, style)} {victim}"
            case "charmed":
                owner, _, hand = key.partition(".")
                return f"{hand_word(hand)}{suffix}:{self.beings.written(owner, style)} {value}"
            case "held":
                return f"HOLD {hand_word(value)}:{self.beings.written(key, style)}"
            case "release":
                return "RELEASE"
            case "release_subject":
                return f"TARGET {BANK} {self.beings.written(value, style)}"
            case "bank":
                return f"BANK {hand_word(value)}"
            case "permanency":
                return f"PERMANENT {hand_word(value)}"
            case "sacrifice":
                return f"SACRIFICE {self.beings.written(value, style)}"
            case "heart":
                return "HEART"
            case "answer":
                return f"ANSWER {key.replace('_', ' ')} {hand_word(value)}"
            case _:
                assert field == "say", field
                return self.words(value, style)

    def spell(self, id: str) -> str:
        spell = self.position.rules.spells.get(id)
        return spell.name if spell else " ".join(id.split())

    def words(self, words: str, style: str) -> str:
        if style == PLAIN:
            return "\n".join(f"SAY {line}" for line in words.split("\n"))
        escapes = {letter: f"\\{name}" for name, letter in ESCAPES.items()}
        return f'SAY "{"".join(escapes.get(letter, letter) for letter in words)}"'


__all__ = ["Misreading", "UnreadableOrders", "parse", "stated_fields", "write"]
