"""A broker that is away, or that accepts and never answers: orders are saved all the same, the
answer comes within its timeouts, and the sweep does what the lost messages should have done."""

import time
from collections.abc import Callable

import pytest

from duels import commands
from duels.models import Duel, Orders, OutboxStatus, Stage, Turn
from tests import services
from tests.cast import NOW, Cast, begin, deliver, hands, open_turn, seal

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

IDLE = hands("-", "-")
# One second to connect, one for an answer, and some for a busy machine.
SOON_SECONDS = 4


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


def seal_in_time(duel: Duel, cast: Cast) -> None:
    for wizard in (cast.ada, cast.bram):
        began = time.monotonic()
        seal(duel, wizard, IDLE)
        assert time.monotonic() - began < SOON_SECONDS
    assert Orders.objects.filter(superseded=False).count() == 2


def assert_the_sweep_finds(turn: Turn) -> None:
    turn.refresh_from_db()
    assert turn.stage == Stage.ORDERS
    swept = commands.sweep(now=NOW)
    assert (swept.resolved, swept.failed) == (1, 0)
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    deliver()
    sent = turn.duel.notices.filter(turn__ordinal=2, status=OutboxStatus.SENT)
    assert sent.count() == 2


def test_orders_are_sealed_while_the_brokers_port_is_closed(
    duel: Duel, cast: Cast, broken_broker: Callable[[int], None]
):
    turn = open_turn(duel)
    broken_broker(services.free_port())
    seal_in_time(duel, cast)
    assert_the_sweep_finds(turn)


def test_orders_are_sealed_while_the_broker_never_answers(
    duel: Duel, cast: Cast, broken_broker: Callable[[int], None]
):
    turn = open_turn(duel)
    with services.silent_server() as port:
        broken_broker(port)
        seal_in_time(duel, cast)
        assert_the_sweep_finds(turn)
