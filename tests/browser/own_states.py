"""States of duels that only browser tests need, created as in `tests/states.py`.

This module imports models, so only the site's own process can import it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from duels.commands import endings
from tests import states
from tests.cast import hands
from tests.states import People, State

PACE = str(3 * 24 * 3600)  # seconds


def two_monsters(people: People) -> State:
    """Return a duel of two wounded wizards with two monsters."""
    ada: dict[str, Any] = {"damage": 4, "left": "SW", "right": "WP"}
    bram = {"damage": 7, "effects": {"resist_heat": {}, "protection_from_evil": {"turns": 3}}}
    monsters = [{"kind": "troll", "controller": "w0"}, {"kind": "ogre", "controller": "w0"}]
    duel = states.begin_duel(people, setup={"wizards": [ada, bram], "monsters": monsters})
    moves = [{"w0": hands("S", "W"), "w1": hands(*pair)} for pair in ("WP", "DF", "FS", "SD")]
    return State(states.play_turns(duel, moves, people.now), people[0])


def warlocks(people: People) -> State:
    """Return a duel in which Ada has many choices and an elemental attacks.

    Ada can mark the spells of two hands, paralyse one of Bram's hands, and stop her heart.
    """
    open_windows = {"delayed_effect": {"turns": 3}, "permanency": {"turns": 3}}
    fear = {"fear": {"caster": "w1", "permanent": True}}
    ada: dict[str, Any] = {"damage": 2, "left": "WWP", "right": "---"}
    ada |= {"effects": {**open_windows, **fear}}
    bram: dict[str, Any] = {"damage": 4, "left": "SFW", "right": "WSW"}
    bram |= {"effects": {"paralysis": {"caster": "w0", "turns": 1}}}
    monsters = [{"kind": "ogre", "controller": "w0"}, {"kind": "ice", "controller": ""}]
    setup = {"turn": 5, "wizards": [ada, bram], "monsters": monsters}
    return State(states.begin_duel(people, setup=setup, ruleset="warlocks-1"), people[0])


def draw_offered(people: People) -> State:
    state = states.awaited(people)
    endings.offer_draw(duel_id=state.duel.pk, wizard=people[1], ordinal=None, now=people.now)
    return state


def with_clock(number: int, people: People) -> State:
    """Return a duel of `number` wizards with a clock."""
    return State(states.begin_duel(people, number, pace=PACE), people[0])


OWN_STATES: Final[dict[str, Callable[[People], State]]] = {
    "two_monsters": two_monsters,
    "warlocks": warlocks,
    "draw_offered": draw_offered,
    "clock_of_two": partial(with_clock, 2),
    "clock_of_four": partial(with_clock, 4),
}
