"""Duels to measure: the rules' sample duel, played at once or after many turns without gestures."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest import mock

from duels import tasks
from duels.commands import resolution, sealing
from duels.demonstration import BLACK, SAMPLE_DRAWS, SAMPLE_DUEL, WHITE
from duels.models import Duel, Turn, Wizard
from duels.post import tasks as post_tasks
from tests.cast import NOW, begin, make_wizard, open_turn, seal

Orders = dict[str, str]
EMPTY_ORDERS: Orders = {"left": "-", "right": "-"}


def two_wizards() -> tuple[Wizard, Wizard]:
    """Create both duellists of the sample duel, whose draws are stored under these two names."""
    return make_wizard(BLACK, pronouns="he"), make_wizard(WHITE, pronouns="she")


@contextmanager
def tasks_disabled() -> Iterator[None]:
    """Disable tasks, so that turns are resolved and emails delivered only by direct calls."""
    with (
        mock.patch.object(tasks.resolve_turn, "delay"),
        mock.patch.object(post_tasks.deliver_notices, "delay"),
    ):
        yield


def sample_duel(black: Wizard, white: Wizard, *, quiet: int = 0) -> Duel:
    """Return the sample duel, ready for its first move after `quiet` turns in which no one acts."""
    with tasks_disabled():
        draws = {  # the same draws, with later turn numbers in their labels
            f"turn {quiet + 10} {label.split(' ', 2)[2]}": value
            for label, value in SAMPLE_DRAWS.items()
        }
        duel = begin(black, white, draws=draws)
        for _ in range(quiet):
            play_turn(duel, (black, EMPTY_ORDERS), (white, EMPTY_ORDERS))
    return duel


def duel_at_turn(turn: int, black: Wizard, white: Wizard) -> Duel:
    """Return a duel at this turn. Its last 19 turns are the first 19 turns of the sample duel."""
    played = SAMPLE_DUEL[:19]
    duel = sample_duel(black, white, quiet=turn - 1 - len(played))
    with tasks_disabled():
        for blacks, whites in played:
            play_turn(duel, (black, blacks), (white, whites))
    assert open_turn(duel).number == turn
    return duel


def play_turn(duel: Duel, *moves: tuple[Wizard, Orders]) -> Turn:
    """Seal for both wizards, and resolve the turn in this process.

    Turns end a minute apart, because turns that end at the same time would share an email.
    """
    turn = open_turn(duel)
    now = NOW + timedelta(minutes=turn.ordinal)
    for wizard, fields in moves:
        seal(duel, wizard, fields, now=now)
    assert resolution.resolve_turn(turn_id=turn.pk, now=now)
    return turn


def seal_turn(turn: Turn, wizard: Wizard, fields: Orders) -> None:
    sealing.seal_orders(turn_id=turn.pk, wizard=wizard, fields=fields, form_seal="", now=NOW)
