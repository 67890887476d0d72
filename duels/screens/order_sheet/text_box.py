"""The box for text orders, with errors for the lines that could not be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import engine.play
import engine.words
from duels.loaded import adjudication
from duels.template_values import TemplateValue
from engine.play import ALIVE, STANDING, View

MAX_SHOWN_LENGTH = 60
FEWEST_ROWS, MOST_ROWS = 5, 16


@dataclass(frozen=True)
class TypedText:
    """The submitted text. `before` is the text that the page originally had in the box."""

    text: str
    before: str
    misreadings: Sequence[engine.words.Misreading] = ()
    is_read: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the text has been edited but not yet applied to the sheet."""
        return not self.is_read and _lines(self.text) != _lines(self.before)


NO_TEXT = TypedText("", "")


class MisreadLine(NamedTuple):
    """A line that could not be read, split where the error is."""

    error: engine.words.Misreading
    start: str
    rest: str


@dataclass(frozen=True)
class TextBox(TemplateValue):
    """The contents of the box on the page. `before` is the text without the player's edits."""

    text: str
    before: str
    misread: tuple[MisreadLine, ...]
    is_open: bool
    is_read: bool

    @property
    def rows(self) -> int:
        return min(max(len(self.text.splitlines()) + 1, FEWEST_ROWS), MOST_ROWS)


def text_box(
    position: engine.play.Position, wizard: str, fields: Mapping[str, str], typed: TypedText
) -> TextBox:
    """Return the box with these fields of the order sheet as text. Edited text is kept."""
    written = adjudication.orders_as_text(position, wizard, fields)
    return TextBox(
        typed.text if typed.is_changed else written,
        typed.before if typed.is_changed else written,
        tuple(map(_misread_line, typed.misreadings)),
        is_open=typed.is_changed or typed.is_read,
        is_read=typed.is_read,
    )


def merge_text_orders(
    position: engine.play.Position, wizard: str, typed: TypedText, fields: Mapping[str, str]
) -> dict[str, str]:
    """Return the fields after applying the player's changes to the text.

    Fields whose lines were not changed keep their values. Raise engine.UnreadableOrders.
    """
    now = adjudication.orders_from_text(position, wizard, typed.text)
    try:
        before = adjudication.orders_from_text(position, wizard, typed.before)
    except engine.words.UnreadableOrders:
        before = {}
    changed = {name for name in now.keys() | before.keys() if now.get(name) != before.get(name)}
    kept = {name: value for name, value in fields.items() if name not in changed}
    return kept | {name: now[name] for name in sorted(changed & now.keys())}


def _misread_line(misreading: engine.words.Misreading) -> MisreadLine:
    at = misreading.column - 1
    start, rest = misreading.source[:at], misreading.source[at:]
    if len(start) > MAX_SHOWN_LENGTH:
        start = f"…{start[-MAX_SHOWN_LENGTH:]}"
    if len(rest) > MAX_SHOWN_LENGTH:
        rest = f"{rest[:MAX_SHOWN_LENGTH]}…"
    return MisreadLine(misreading, start, rest)


def text_help(view: View, wizard: str) -> dict[str, str]:
    """Return names for the examples in the help on text orders, so that players can copy them.

    The names are the reader's, that of the first opponent who is still in the duel, and a
    monster's if there is one.
    """
    others = [being for being in view.status if being.kind == "wizard" and being.id != wizard]
    standing = [being for being in others if being.state == STANDING]
    monsters = [each for each in view.status if each.kind != "wizard" and each.state == ALIVE]
    return {
        "me": view.names[wizard],
        "rival": (standing or others)[0].name,
        "monster": monsters[0].name if monsters else "",
    }


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
