"""Push workers that are killed between any two steps of sending.

Every notification is still delivered. The tests use real processes and a real push service.
"""

import os
import signal
import warnings
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from unittest import mock

import pytest
from django.db import connection

from duels.models import OutboxStatus
from duels.push.commands import delivering
from duels.push.models import Push
from tests.cast import NOW, Cast, begin
from tests.push_service import PushService, subscribe_device

pytestmark = pytest.mark.sqlite

DELIVERING_MODULE = "duels.push.commands.delivering"
DUEL_COUNT = 2

# Steps before which a worker is killed, and whether the service has accepted the message by then.
KILL_STEPS = {
    f"{DELIVERING_MODULE}.timing.plan_delivery": False,  # the notification has been claimed
    f"{DELIVERING_MODULE}.push_message_for": False,
    "http_ece.encrypt": False,
    "urllib3.connection.HTTPConnection.connect": False,
    f"{DELIVERING_MODULE}._process_response": True,
}


@pytest.mark.django_db(transaction=True)
def test_every_notification_is_delivered_even_if_workers_are_killed(
    cast: Cast, service: PushService
):
    subscribe_device(cast.ada, service.url)
    for _ in range(DUEL_COUNT):
        begin(cast.ada, cast.bram)
    pushes = list(Push.objects.values_list("pk", flat=True))
    now = NOW
    for step in KILL_STEPS:
        for pk in pushes:
            kill_worker_at(step, pk, now)
        now += timedelta(minutes=10)
        # A round without time only puts the notifications back into the queue.
        spent = mock.Mock(is_spent=True)
        assert delivering.deliver_due(clock=fixed_clock(now), budget=spent).requeued == len(pushes)
    assert delivering.deliver_due(clock=fixed_clock(now)).sent == len(pushes)
    assert set(Push.objects.values_list("status", flat=True)) == {OutboxStatus.SENT}
    copies = Counter(each.headers["Topic"] for each in service.received)
    assert set(copies.values()) == {1 + sum(KILL_STEPS.values())}
    assert len(copies) == len({each.content["address"] for each in service.received}) == DUEL_COUNT


def fixed_clock(now: datetime) -> Callable[[], datetime]:
    """Return a clock that always shows this time."""
    return lambda: now


def kill_worker_at(step: str, pk: int, now: datetime) -> None:
    connection.close()  # the connection must not be shared with the child process
    with warnings.catch_warnings():
        # Later Python versions warn about forking a process that has threads. The push service's
        # thread does not affect the child.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        with mock.patch(step, kill_own_process):
            delivering.deliver_push(push_id=pk, now=now)
        os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), step
    assert os.WTERMSIG(status) == signal.SIGKILL


def kill_own_process(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
