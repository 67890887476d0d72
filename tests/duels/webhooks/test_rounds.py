"""With a shared cache, a round of the webhooks reads only duels that may have changed."""

from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from redis.exceptions import RedisError

from duels.caching.volatile import cache
from duels.clocks.budget import Budget
from duels.models import Duel
from duels.webhooks import queries
from duels.webhooks.commands import delivering, rounds
from duels.webhooks.models import WebhookMessage
from tests.cast import NOW, Cast, hands, seal
from tests.duels.webhooks.test_delivery import add_hook, begin_timed_duel
from tests.webhook_sink import WebhookSink

pytestmark = [pytest.mark.django_db(transaction=True)]

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def shared_cache(settings: Any) -> None:
    settings.CACHE_URL = "redis://"  # the tests' cache is in this process
    cache.clear()


def read_duels(now: datetime, budget: Budget | None = None) -> list[int]:
    """Run the comparison of a round. Return the duels whose state it reads."""
    with mock.patch.object(delivering, "duel_states", wraps=queries.duel_states) as states:
        delivering._queue_changed_messages(now, budget or Budget(60))
    WebhookMessage.objects.update(status="sent", sent_at=now)
    return [duel for call in states.call_args_list for duel in call.args[0]]


@pytest.fixture
def duels_read_before(cast: Cast, sink: WebhookSink) -> list[Duel]:
    """Two duels of Ada that a round has read. Their cached versions have expired since then."""
    begun = [begin_timed_duel(cast.ada, cast.bram), begin_timed_duel(cast.ada, cast.cleo)]
    add_hook(cast.ada, sink)
    assert read_duels(NOW) == [duel.pk for duel in begun]
    expire_versions(begun)
    return begun


def expire_versions(duels: list[Duel]) -> None:
    cache.delete_many([f"poll-version:{duel.pk}" for duel in duels])


def test_round_reads_only_changed_and_new_duels(cast: Cast, duels_read_before: list[Duel]) -> None:
    assert read_duels(NOW + MINUTE) == []
    seal(duels_read_before[1], cast.cleo, hands("S", "W"))
    assert read_duels(NOW + 2 * MINUTE) == [duels_read_before[1].pk]
    new = begin_timed_duel(cast.ada, cast.dorn)
    expire_versions([*duels_read_before, new])
    assert read_duels(NOW + 3 * MINUTE) == [new.pk]


def test_lost_version_is_noticed_within_ten_minutes(
    cast: Cast, duels_read_before: list[Duel]
) -> None:
    """A process that dies after its commit does not give the duel a new version."""
    with mock.patch("duels.caching.poll_cache.secrets.token_hex", side_effect=RuntimeError):
        seal(duels_read_before[0], cast.ada, hands("S", "W"))
    read = [read_duels(NOW + minutes * MINUTE) for minutes in range(1, 12)]
    assert read == [[]] * 9 + [[duel.pk for duel in duels_read_before], []]


def test_round_after_a_pause_reads_all_duels(duels_read_before: list[Duel]) -> None:
    assert read_duels(NOW + MINUTE) == []
    assert len(read_duels(NOW + 3 * MINUTE)) == 2


def test_interrupted_round_is_repeated_by_the_next(duels_read_before: list[Duel]) -> None:
    cache.delete(rounds.ROUNDS_KEY)
    read_duels(NOW + MINUTE, Budget(0))
    assert len(read_duels(NOW + 2 * MINUTE)) == 2


def test_round_reads_all_duels_while_the_cache_is_down(duels_read_before: list[Duel]) -> None:
    failing = mock.Mock(side_effect=RedisError)
    with mock.patch.object(rounds, "cache", mock.Mock(get=failing)):
        assert len(read_duels(NOW + MINUTE)) == 2
    with mock.patch("duels.caching.poll_cache.cache", mock.Mock(get_many=failing)):
        assert len(read_duels(NOW + MINUTE)) == 2
