"""Tests that the cost of calls does not grow with the square of the number of monsters.

The tests count executed lines, because these are the same in every run. rules: W50
"""

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest

import engine.orders
import engine.play
from tests.engine.board import ADA, begun, duel, made

MONSTER_COUNT: Final = 150
GROWTH_FACTOR: Final = 4


def position_with_goblins(
    monsters: int, ruleset: str
) -> tuple[engine.play.Position, engine.orders.Orders]:
    """Return a position in which Ada controls this many goblins, and her orders for all of them."""
    goblin = {"kind": "goblin", "controller": ADA}
    position = duel(begun("SF", "PS"), monsters=[goblin] * monsters, ruleset=ruleset)
    victims = {f"victim:m{n}": f"m{(n + 1) % monsters}" for n in range(monsters)}
    return position, engine.orders.from_fields({**made("W D"), **victims})


def executed_lines(call: Callable[[], object]) -> int:
    """Return the number of lines of Python that the call executes."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("ruleset", ["bartle-1", "warlocks-1"])
@pytest.mark.parametrize("call", [engine.play.sheet, engine.play.check, engine.play.orders_text])
def test_work_grows_in_proportion_to_the_number_of_monsters(
    call: Callable[..., object], ruleset: str
) -> None:
    lines: list[int] = []
    for number in (MONSTER_COUNT, GROWTH_FACTOR * MONSTER_COUNT):
        position, orders = position_with_goblins(number, ruleset)
        lines.append(executed_lines(partial(call, position, ADA, orders)))
    assert lines[1] <= GROWTH_FACTOR * 1.4 * lines[0], lines


@pytest.mark.parametrize("ruleset", ["bartle-1", "warlocks-1"])
def test_monsters_on_a_sheet_share_one_list_of_victims(ruleset: str) -> None:
    """rules: R74, W39"""
    sheet = engine.play.sheet(*position_with_goblins(3, ruleset)[:1], ADA)
    assert len({id(row.victims) for row in sheet.monsters}) == 1
    can_attack_itself = ruleset == "warlocks-1"
    assert [row.key in row.options for row in sheet.monsters] == [can_attack_itself] * 3


def test_every_one_of_many_monsters_is_found_by_id() -> None:
    """The ids have gaps where monsters were removed. An unknown id returns None."""
    position, _ = position_with_goblins(2 * MONSTER_COUNT, "bartle-1")
    position = position.copy()
    del position.monsters[::3]
    here = {monster.id: monster for monster in position.monsters}
    for number in range(2 * MONSTER_COUNT + 5):
        assert position.being(f"m{number}") is here.get(f"m{number}")
    assert position.being("m") is position.being("nowhere") is position.being("L:w0") is None
