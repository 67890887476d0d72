"""A position whose beings have names for orders as text, and its reader."""

import engine.orders
import engine.play
import engine.words
from engine.orders import Orders
from engine.positions.position import Position
from engine.text_orders.notation import parse_orders
from tests.engine.board import ADA, Row

WIZARD_NAMES = ("Merlyn", "Ugly Mage", "Jean-Luc")
MONSTER_KINDS = ("goblin", "ogre", "goblin")
ONE_TURN: dict[str, object] = {"turns": 1}


def named_position(
    *wizards: Row,
    ruleset: str = "bartle-1",
    names: tuple[str, ...] = WIZARD_NAMES,
    monster_kinds: tuple[str, ...] = MONSTER_KINDS,
) -> Position:
    """Return a position with Merlyn as w0, a Red Goblin, a Green Ogre and a Blue Goblin."""
    monsters = [{"kind": kind, "controller": "w0"} for kind in monster_kinds]
    setup = {"wizards": list(wizards), "monsters": monsters}
    return engine.play.begin(ruleset, [engine.play.Duellist(name) for name in names], setup=setup)


def read(text: str, position: Position | None = None) -> Orders:
    return parse_orders(text, position or named_position(), ADA)
