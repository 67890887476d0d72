"""Brokers that are down, or that accept connections and never respond.

Orders are still saved, a request waits for the broker only once, for a second, and the sweep does
the work of the lost messages.
"""

from collections.abc import Callable

import pytest

from duels.commands import sweeping
from duels.models import Duel, Orders, OutboxStatus, Stage, Turn
from tests import services
from tests.cast import NOW, Cast, begin, deliver, hands, open_turn, seal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

IDLE = hands("-", "-")


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


def seal_after_one_try(duel: Duel, cast: Cast, timeouts: list[float | None]) -> None:
    for wizard in (cast.ada, cast.bram):
        timeouts.clear()
        seal(duel, wizard, IDLE)
        assert timeouts == [1]
    assert Orders.objects.filter(superseded=False).count() == 2


def assert_sweep_resolves(turn: Turn) -> None:
    turn.refresh_from_db()
    assert turn.stage == Stage.ORDERS
    swept = sweeping.sweep(now=NOW)
    assert (swept.resolved, swept.failed) == (1, 0)
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    deliver()
    sent = turn.duel.notices.filter(turn__ordinal=2, status=OutboxStatus.SENT)
    assert sent.count() == 2


def test_orders_are_sealed_while_the_broker_is_down(
    duel: Duel,
    cast: Cast,
    broken_broker: Callable[[int], None],
    connection_timeouts: list[float | None],
):
    turn = open_turn(duel)
    broken_broker(services.free_port())
    seal_after_one_try(duel, cast, connection_timeouts)
    assert_sweep_resolves(turn)


def test_orders_are_sealed_while_the_broker_does_not_respond(
    duel: Duel,
    cast: Cast,
    broken_broker: Callable[[int], None],
    connection_timeouts: list[float | None],
):
    turn = open_turn(duel)
    with services.silent_server() as port:
        broken_broker(port)
        seal_after_one_try(duel, cast, connection_timeouts)
        assert_sweep_resolves(turn)
