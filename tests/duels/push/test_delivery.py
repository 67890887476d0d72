"""Notifications are encrypted, signed, sent once, and retried a limited number of times."""

from collections.abc import Callable
from copy import copy
from datetime import timedelta
from email.utils import format_datetime
from io import StringIO
from typing import Any
from unittest import mock

import pytest
import requests
from celery.exceptions import SoftTimeLimitExceeded
from django.core.management import call_command
from redis.exceptions import ConnectionError as CacheIsAway

from duels.caching.volatile import cache
from duels.clocks.budget import Budget
from duels.commands import sweeping
from duels.delivery import outbox
from duels.models import Duel, OutboxStatus
from duels.post.models import Notice
from duels.post.public import queue_notices
from duels.push import device_limits, sending, vapid
from duels.push.commands import delivering
from duels.push.models import Push, PushSubscription
from duels.push.sending import retry_after
from spellcaster.celery import app
from tests.cast import NOW, Cast, begin
from tests.duels.push.conftest import allow
from tests.push_service import PushService, subscribed
from tests.services import VAPID, silent_server

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture
def duel(cast: Cast, service: PushService) -> Duel:
    """A duel whose first turn has caused a notification, which is queued for Ada's phone."""
    subscribed(cast.ada, service.url)
    return begin(cast.ada, cast.bram, pace=str(24 * 3600))


def deliver(now=NOW, **more: Any) -> int:
    return delivering.deliver_due(clock=lambda: now, **more).sent


def only_push() -> Push:
    return Push.objects.get()


# Contents and headers


def test_each_device_is_notified_once_of_a_turn(duel: Duel, cast: Cast, service: PushService):
    subscribed(cast.ada, service.url, name="two")
    other = begin(cast.ada, cast.cleo)
    assert deliver() == 3
    assert deliver() == 0
    told = sorted((each.told["address"], each.path) for each in service.received)
    assert told == [
        (f"/duels/{duel.pk}/", f"/{cast.ada.pk}/one"),
        (f"/duels/{other.pk}/", f"/{cast.ada.pk}/one"),
        (f"/duels/{other.pk}/", f"/{cast.ada.pk}/two"),
    ]
    assert {push.sent_at for push in Push.objects.all()} == {NOW}
    assert set(PushSubscription.objects.values_list("last_success_at", flat=True)) == {NOW}


def test_notification_contains_event_opponent_and_deadline(duel: Duel, service: PushService):
    deliver()
    (received,) = service.received
    assert received.told == {
        "kind": "turn",
        "title": "Your turn against Bram",
        "body": "Due 2 March, 12:00 UTC",
        "address": f"/duels/{duel.pk}/",
    }
    assert b"Bram" not in received.encrypted


def test_request_to_the_push_service_is_signed(duel: Duel, service: PushService):
    deliver()
    (received,) = service.received
    assert received.is_signed
    scheme, _, rest = received.headers["Authorization"].partition(" ")
    assert scheme == "vapid"
    key = dict(each.split("=", 1) for each in rest.split(","))["k"]
    assert key == vapid.public_key()


def test_request_to_the_push_service_has_ttl_urgency_and_topic(
    duel: Duel, cast: Cast, service: PushService
):
    sweeping.sweep(now=NOW + 20 * HOUR)  # a reminder
    begin(cast.ada, cast.cleo)  # not urgent
    deliver()
    deliver(now=NOW + 20 * HOUR)
    headers = {
        each.told["title"]: [each.headers[name] for name in ("TTL", "Urgency", "Topic")]
        for each in service.received
    }
    slow, topic = headers["Your turn against Cleo"][:2], headers["Your turn against Cleo"][2]
    assert slow == [str(3 * 24 * 3600), "normal"]
    kept, urgency, other = headers["Your time is nearly over: your turn against Bram"]
    assert (kept, urgency) == (str(4 * 3600), "high")
    assert topic != other
    assert {len(topic), len(other)} == {32}
    assert {each.headers["Content-Encoding"] for each in service.received} == {"aes128gcm"}


def test_notification_about_a_duel_replaces_an_older_one(duel: Duel, service: PushService):
    deliver()
    later = NOW + 20 * HOUR
    sweeping.sweep(now=later)
    assert deliver(now=later) == 1
    first, second = service.received
    assert first.headers["Topic"] == second.headers["Topic"]
    assert first.told["address"] == second.told["address"]


def test_title_of_a_notification_about_a_large_duel_is_short(cast: Cast, service: PushService):
    subscribed(cast.ada, service.url)
    begin(cast.ada, cast.bram, cast.cleo)
    begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    deliver()
    assert sorted(service.titles) == [
        "Your turn against Bram and 2 others",
        "Your turn against Bram and Cleo",
    ]


# Notifications are queued together with a change, and sent by a worker.


def test_requests_do_not_wait_for_the_push_service_if_there_are_no_workers(
    cast: Cast, service: PushService, committed: Callable[[], Any]
):
    subscribed(cast.ada, service.url)
    with committed():
        begin(cast.ada, cast.bram)
    assert service.received == []
    call_command("resolve_due", stdout=StringIO())
    assert service.titles == ["Your turn against Bram"]


def test_push_workers_are_nudged_after_the_commit(
    cast: Cast, service: PushService, settings, committed: Callable[[], Any]
):
    settings.PUSH_NUDGED = True
    subscribed(cast.ada, service.url)
    with committed():
        begin(cast.ada, cast.bram)
    assert service.titles == ["Your turn against Bram"]


def test_notice_queued_twice_causes_one_notification(
    duel: Duel, cast: Cast, service: PushService, settings, committed: Callable[[], Any]
):
    settings.PUSH_NUDGED = True
    notice = Notice.objects.get(duel=duel, wizard=cast.ada)
    for _ in range(2):
        with committed():
            queue_notices([copy(notice)])
    assert len(service.received) == Push.objects.count() == 1


def test_push_tasks_have_time_limits_and_use_the_post_queue():
    for name in ("deliver_push", "deliver_due"):
        task = app.tasks[f"duels.push.tasks.{name}"]
        assert 0 < (task.soft_time_limit or 0) < (task.time_limit or 0)
        assert app.amqp.router.route({}, task.name)["queue"].name == "post"
    assert "duels.push.tasks.deliver_due" in {
        entry["task"] for entry in app.conf.beat_schedule.values()
    }


@pytest.mark.parametrize("missing", VAPID)
def test_no_notification_is_queued_if_the_site_has_no_push_keys(
    cast: Cast, settings, missing: str, service: PushService
):
    setattr(settings, missing, "")
    subscribed(cast.ada, service.url)
    begin(cast.ada, cast.bram)
    assert not Push.objects.exists()


# Responses of the push service


@pytest.mark.parametrize("status", [404, 410])
def test_device_is_deleted_if_the_push_service_reports_that_it_is_gone(
    duel: Duel, service: PushService, status: int
):
    service.will_answer(status)
    assert deliver() == 0
    assert not PushSubscription.objects.exists()
    assert (only_push().status, only_push().dropped_for, only_push().subscription) == (
        "dropped",
        "gone",
        None,
    )
    assert only_push().device == "Firefox on Android"
    assert deliver(now=NOW + DAY) == 0


def test_other_notifications_to_a_deleted_device_are_dropped(
    duel: Duel, cast: Cast, service: PushService
):
    begin(cast.ada, cast.cleo)
    service.will_answer(410)
    assert deliver() == 0
    assert len(service.received) == 1
    assert {each.dropped_for for each in Push.objects.all()} == {"gone"}


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503])
def test_failed_notification_is_retried_at_growing_intervals(
    duel: Duel, service: PushService, status: int, caplog
):
    service.will_answer(*[status] * 3)
    now, pauses = NOW, []
    for _ in range(3):
        assert deliver(now=now) == 0
        pauses.append(only_push().due_at - now)
        now = only_push().due_at
    assert pauses == [MINUTE, 2 * MINUTE, 4 * MINUTE]
    assert only_push().last_error == f"answered: {status}"
    assert f"Push {only_push().pk}" in caplog.text
    assert deliver(now=now) == 1
    assert PushSubscription.objects.get().failures == 0


@pytest.mark.parametrize("as_date", [False, True])
def test_retry_after_header_is_respected(duel: Duel, service: PushService, as_date: bool):
    text = format_datetime(NOW + HOUR, usegmt=True) if as_date else "3600"
    service.will_answer(429, Retry_After=text)
    deliver()
    assert only_push().due_at == NOW + HOUR


def test_pause_requested_by_a_retry_after_header_is_limited(duel: Duel, service: PushService):
    service.will_answer(503, Retry_After="999999999")
    deliver()
    assert only_push().due_at == NOW + 6 * HOUR


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("120", timedelta(seconds=120)),
        ("Sun, 01 Mar 2026 11:00:00 GMT", timedelta(0)),
        ("soon", None),
        ("", None),
        ("-5", None),
        ("9" * 400, None),
        ("Sun, 01 Mar 2026 13:00:00", None),  # a date without a time zone
    ],
)
def test_retry_after_header_can_be_seconds_or_a_date(text: str, expected: timedelta | None):
    assert retry_after(text, NOW) == expected


def test_notification_that_keeps_failing_is_given_up(cast: Cast, service: PushService):
    subscribed(cast.ada, service.url)
    begin(cast.ada, cast.bram)
    service.will_answer(*[500] * 20)
    now = NOW
    while only_push().status == OutboxStatus.QUEUED:
        deliver(now=now)
        now = only_push().due_at
    assert (only_push().status, only_push().attempts) == (OutboxStatus.FAILED, 12)
    assert now - NOW > 20 * HOUR


@pytest.mark.parametrize("status", [301, 400, 401, 403, 413])
def test_rejected_notification_is_counted_and_not_retried(
    duel: Duel, service: PushService, status: int
):
    service.will_answer(status, Location=f"{service.url}/elsewhere")
    assert deliver() == 0
    assert (only_push().status, only_push().last_error) == (
        OutboxStatus.FAILED,
        f"refused: {status}",
    )
    assert PushSubscription.objects.get().failures == 1
    assert len(service.received) == 1  # a redirect is not followed


def test_device_is_removed_after_too_many_rejected_notifications(duel: Duel, service: PushService):
    PushSubscription.objects.update(failures=device_limits.MAX_FAILURES - 1)
    service.will_answer(403)
    deliver()
    assert not PushSubscription.objects.exists()


def test_delivered_notification_resets_the_count_of_failures(duel: Duel, service: PushService):
    PushSubscription.objects.update(failures=device_limits.MAX_FAILURES - 1)
    deliver()
    assert PushSubscription.objects.get().failures == 0


def test_body_of_the_push_services_response_is_not_read(duel: Duel, service: PushService):
    service.will_answer(201, Content_Length="999999999")  # more than the service sends
    assert deliver() == 1


# A push service that does not respond


def test_push_service_that_does_not_respond_is_tried_once_per_round(
    cast: Cast,
    service: PushService,
    settings,
    monkeypatch: pytest.MonkeyPatch,
    timeouts: list[float | None],
):
    settings.PUSH_TIMEOUT = 1
    with silent_server() as port:
        url = f"http://localhost:{port}"  # a host other than the working push service
        allow(monkeypatch, url)
        monkeypatch.setattr("duels.delivery.public_hosts.host_of", lambda endpoint: endpoint[:16])
        for wizard in (cast.ada, cast.bram):
            subscribed(wizard, url)
            begin(wizard, cast.cleo)
        subscribed(cast.dorn, service.url)
        begin(cast.dorn, cast.cleo)
        assert timeouts == []  # playing sends nothing
        assert deliver() == 1  # only Dorn's is delivered
        assert timeouts == [1, 1]  # one attempt per service
    waiting = Push.objects.exclude(wizard=cast.dorn).order_by("pk")
    assert [each.attempts for each in waiting] == [1, 0]
    assert {each.due_at for each in waiting} == {NOW + MINUTE}


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded, requests.ConnectionError])
def test_push_service_that_does_not_respond_is_retried_after_a_minute(
    duel: Duel, service: PushService, error
):
    with mock.patch.object(requests.Session, "post", side_effect=error) as asked:
        assert deliver() == 0
        Push.objects.update(due_at=NOW)
        assert deliver(now=NOW + 59 * SECOND) == 0
    assert asked.call_count == 1
    assert deliver(now=NOW + MINUTE) == 1


def test_each_notification_tries_the_push_service_if_there_is_no_cache(
    duel: Duel, service: PushService, monkeypatch
):
    monkeypatch.setattr("duels.caching.poll_cache._CacheBackoff.until", 0.0)  # reset after the test
    with (
        mock.patch.object(cache, "get", side_effect=CacheIsAway),
        mock.patch.object(cache, "get_many", side_effect=CacheIsAway),
        mock.patch.object(cache, "set", side_effect=CacheIsAway),
    ):
        with mock.patch.object(requests.Session, "post", side_effect=requests.Timeout):
            assert deliver() == 0
        assert deliver(now=only_push().due_at) == 1


def test_push_round_stops_when_its_time_is_up_and_the_next_one_continues(
    cast: Cast, service: PushService
):
    subscribed(cast.ada, service.url)
    for opponent in (cast.bram, cast.cleo, cast.dorn):
        begin(cast.ada, opponent)
    seconds = iter(range(100))  # each reading of the clock takes a second
    assert deliver(budget=Budget(2.5, clock=lambda: next(seconds))) == 2
    assert deliver() == 1


# Notifications whose worker has died


@pytest.mark.parametrize(
    "step", ["timing.plan_delivery", "push_message_for", "sending.send_push", "_process_response"]
)
def test_notification_claimed_by_a_dead_worker_is_sent_by_another(
    duel: Duel, service: PushService, step: str
):
    name = f"duels.push.commands.delivering.{step}"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        delivering.deliver_push(push_id=only_push().pk, now=NOW)
    assert deliver(now=NOW + MINUTE) == 0
    result = delivering.deliver_due(clock=lambda: NOW + 10 * MINUTE)
    assert (result.requeued, result.sent) == (1, 1)
    assert len({each.headers["Topic"] for each in service.received}) == 1


def test_late_failure_of_a_slow_push_worker_does_not_affect_the_next_claim(
    duel: Duel, service: PushService
):
    def take_over_and_fail(*_: object) -> None:
        # another worker claims the notification meanwhile
        Push.objects.update(claimed_at=NOW + HOUR)
        raise OSError

    with mock.patch.object(sending, "send_push", take_over_and_fail):
        assert deliver() == 0
    assert (only_push().status, only_push().attempts) == (OutboxStatus.SENDING, 0)


def test_notification_is_sent_once_even_by_two_workers(duel: Duel, service: PushService):
    pk = only_push().pk
    assert [delivering.deliver_push(push_id=pk, now=NOW) for _ in range(2)] == [True, False]
    assert len(service.received) == 1


# Pruning


def test_old_finished_notifications_are_pruned(duel: Duel, service: PushService, settings):
    settings.NOTICES_KEPT_DAYS = 30
    deliver()
    assert outbox.delete_old_rows(Push.objects.all(), NOW + 30 * DAY) == 0
    assert delivering.deliver_due(clock=lambda: NOW + 31 * DAY).pruned == 1
