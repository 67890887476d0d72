"""Delivery to webhooks: one message for each duel, edited, retried, and with public facts only."""

import threading
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from unittest import mock

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import connection

from duels.clocks.budget import Budget
from duels.commands.endings import resign
from duels.delivery import outbox
from duels.models import Duel, OutboxStatus, Seat, Turn, TurnKind, Wizard
from duels.webhooks import sending
from duels.webhooks.commands import delivering
from duels.webhooks.commands.changing import add_webhook, delete_webhook, turn_on_webhook
from duels.webhooks.models import Service, Webhook, WebhookMessage
from tests.cast import NOW, Cast, begin, hands, play, seal
from tests.duels.test_races import run_simultaneously
from tests.webhook_sink import DISCORD_PATH, SLACK_PATH, WebhookSink

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


def add_hook(
    wizard: Wizard, sink: WebhookSink, service: Service = Service.DISCORD, **more: Any
) -> Webhook:
    addresses = {Service.DISCORD: sink.discord_webhook, Service.SLACK: sink.slack_webhook}
    address = addresses.get(service, sink.url)
    return add_webhook(wizard=wizard, service=service, address=address, now=NOW, **more)


def begin_timed_duel(*wizards: Wizard, **more: Any) -> Duel:
    return begin(*wizards, pace=str(24 * 3600), **more)


def deliver(now: datetime = NOW) -> int:
    return delivering.deliver_due(clock=lambda: now).sent


def posted_texts(sink: WebhookSink) -> list[str]:
    return [each.value.get("content", each.value.get("text", "")) for each in sink.received]


def test_each_duel_has_one_message_that_is_edited(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    assert deliver() == 1
    assert deliver(NOW + MINUTE) == 0
    seal(duel, cast.ada, hands("S", "W"))
    assert deliver(NOW + MINUTE) == 1
    play(duel, {cast.bram: hands("S", "W")})
    assert deliver(NOW + 2 * MINUTE) == 1
    edit = f"PATCH {DISCORD_PATH}/messages/1?wait=true"
    assert sink.request_lines == [f"POST {DISCORD_PATH}?wait=true", edit, edit]
    first, second, third = posted_texts(sink)
    assert f"Duel {duel.pk}\\: Ada against Bram · turn 1\nWaiting for Ada and Bram: due" in first
    assert "turn 1\nWaiting for Bram: due" in second
    assert "turn 2\nWaiting for Ada and Bram: due" in third


def test_message_shows_the_end_of_a_duel(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    deliver()
    resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert deliver(NOW + MINUTE) == 1
    assert "over, Bram won\n" in posted_texts(sink)[-1].replace("\\", "")
    assert deliver(NOW + 2 * MINUTE) == 0


def test_duel_whose_message_cannot_be_written_does_not_stop_the_round(
    cast: Cast, sink: WebhookSink, caplog: pytest.LogCaptureFixture
):
    bad, good = begin_timed_duel(cast.ada, cast.bram), begin_timed_duel(cast.ada, cast.cleo)
    add_hook(cast.ada, sink)
    Duel.objects.filter(pk=bad.pk).update(ruleset="of a later release")
    assert deliver() == 1
    assert f"Duel {good.pk}" in posted_texts(sink)[0]
    assert f"Failed to write the webhook message about duel {bad.pk}: " in caplog.text


def test_slack_gets_one_new_message_per_turn(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink, Service.SLACK)
    assert deliver() == 1
    seal(duel, cast.ada, hands("S", "W"))
    deliver(NOW + MINUTE)
    assert len(sink.received) == 1
    play(duel, {cast.bram: hands("S", "W")})
    deliver(NOW + 2 * MINUTE)
    assert sink.request_lines == [f"POST {SLACK_PATH}"] * 2
    assert "turn 2" in posted_texts(sink)[1]


def test_matrix_events_are_edited_and_requests_are_repeated_with_the_same_id(
    cast: Cast, sink: WebhookSink
):
    duel = begin_timed_duel(cast.ada, cast.bram)
    more = {"room": "!room:example.org", "token": "syt_x"}
    add_hook(cast.ada, sink, Service.MATRIX, **more)
    sink.answers.append((502, b""))
    deliver()
    deliver(NOW + MINUTE)
    failed, posted = sink.received
    assert failed.path == posted.path
    seal(duel, cast.ada, hands("S", "W"))
    deliver(NOW + 2 * MINUTE)
    edited = sink.received[2]
    assert edited.path != posted.path
    assert edited.value["m.relates_to"]["event_id"] == "$2"


def test_webhook_of_a_duel_is_only_about_that_duel(cast: Cast, sink: WebhookSink):
    one, other = begin_timed_duel(cast.ada, cast.bram), begin_timed_duel(cast.ada, cast.cleo)
    add_hook(cast.ada, sink, duel=one)
    assert deliver() == 1
    assert f"Duel {one.pk}" in posted_texts(sink)[0]
    add_hook(cast.ada, sink, duel=other)
    assert deliver() == 1
    assert f"Duel {other.pk}" in posted_texts(sink)[1]


def test_webhook_ignores_duels_without_its_owner_and_duels_that_ended_before_it_was_added(
    cast: Cast, sink: WebhookSink
):
    begin_timed_duel(cast.bram, cast.cleo)
    over = begin_timed_duel(cast.ada, cast.bram)
    resign(duel_id=over.pk, wizard=cast.bram, now=NOW)
    add_hook(cast.ada, sink)
    Seat.objects.filter(duel_ended_at__isnull=False).update(duel_ended_at=NOW - MINUTE)
    assert deliver() == 0


def test_message_about_a_private_duel_names_nobody(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram, visibility="private")
    add_hook(cast.ada, sink)
    deliver()
    resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    deliver(NOW + MINUTE)
    during, after = posted_texts(sink)
    assert during.startswith(f"Duel {duel.pk} · turn 1\ndue <t:")
    assert after.startswith(f"Duel {duel.pk} · over\n")
    assert not any(name in text for name in ("Ada", "Bram") for text in (during, after))


def test_message_about_an_extra_turn_does_not_say_who_is_asked(cast: Cast, sink: WebhookSink):
    """rules: R121, R162"""
    Turn.objects.filter(duel=begin_timed_duel(cast.ada, cast.bram)).update(kind=TurnKind.EXTRA)
    add_hook(cast.ada, sink)
    deliver()
    (text,) = posted_texts(sink)
    assert "extra turn" in text
    assert "Waiting" not in text
    assert "due <t" not in text


def test_replaced_player_no_longer_gets_messages(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    delivering._queue_changed_messages(NOW, Budget(60))
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(wizard=cast.cleo)
    assert deliver() == 0
    assert WebhookMessage.objects.get().status == OutboxStatus.DROPPED


# Failures


def test_failed_message_is_retried_at_growing_intervals(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    webhook = add_hook(cast.ada, sink)
    sink.answers += [(500, b"<b>broken</b>"), (429, b"slow down")]
    assert [deliver(NOW + minutes * MINUTE) for minutes in (0, 0, 1, 2, 3)] == [0, 0, 0, 0, 1]
    assert len(sink.received) == 3
    webhook.refresh_from_db()
    assert webhook.failing_since is None
    assert [(each["status"], each["words"]) for each in webhook.latest_responses] == [
        (200, '{"id": "3", "event_id": "$3"}'),
        (429, "slow down"),
        (500, "<b>broken</b>"),
    ]


def test_deleted_message_is_posted_again(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    deliver()
    seal(duel, cast.ada, hands("S", "W"))
    sink.answers.append((404, b'{"code": 10008}'))
    deliver(NOW + MINUTE)
    deliver(NOW + 2 * MINUTE)
    assert [each.split()[0] for each in sink.request_lines] == ["POST", "PATCH", "POST"]


def test_webhook_that_fails_for_three_days_is_turned_off(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    webhook = add_hook(cast.ada, sink)
    sink.answers += [(404, b"")] * 50
    for hours in range(0, 24 * 4, 6):
        deliver(NOW + timedelta(hours=hours))
    webhook.refresh_from_db()
    assert webhook.turned_off_at == NOW + 3 * DAY
    assert len(webhook.responses) == delivering.MAX_KEPT_RESPONSES
    tried = len(sink.received)
    deliver(NOW + 5 * DAY)
    assert len(sink.received) == tried
    sink.answers.clear()
    turn_on_webhook(wizard=cast.ada, webhook_id=webhook.pk)
    assert deliver(NOW + 5 * DAY) == 1


def test_host_that_does_not_respond_is_not_tried_again_for_a_minute(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    begin_timed_duel(cast.ada, cast.cleo)
    webhook = add_hook(cast.ada, sink)
    with mock.patch.object(sending, "_connect", side_effect=TimeoutError) as connected:
        deliver()
    assert connected.call_count == 1
    assert deliver(NOW + MINUTE) == 2
    webhook.refresh_from_db()
    (*_, oldest) = webhook.latest_responses
    assert (oldest["status"], oldest["words"]) == (None, "The host did not answer in time.")


@pytest.mark.parametrize("error", [SoftTimeLimitExceeded, ValueError, OSError])
def test_any_error_puts_the_message_back_into_the_queue_and_logs_no_address(
    cast: Cast, sink: WebhookSink, caplog: pytest.LogCaptureFixture, error: type[Exception]
):
    begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    with mock.patch.object(sending, "_connect", side_effect=error(sink.discord_webhook)):
        assert deliver() == 0
    message = WebhookMessage.objects.get()
    assert message.status == OutboxStatus.QUEUED
    assert error.__name__ in message.last_error
    assert f"Webhook message {message.pk} was not sent" in caplog.text
    assert "/hook" not in caplog.text + message.last_error + str(message.webhook.responses)
    assert deliver(NOW + 2 * MINUTE) == 1


def test_message_of_a_dead_worker_is_sent_by_a_later_round(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    delivering._queue_changed_messages(NOW, Budget(60))
    message = WebhookMessage.objects.get()
    assert outbox.claim_row(WebhookMessage.objects.all(), message.pk, NOW)
    assert deliver(NOW + MINUTE) == 0
    assert deliver(NOW + outbox.STUCK_AFTER) == 1


def test_webhook_deleted_during_a_request_stays_deleted(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    webhook = add_hook(cast.ada, sink)
    send = sending.send

    def send_and_delete(call: Any) -> Any:
        delete_webhook(wizard=cast.ada, webhook_id=webhook.pk)
        return send(call)

    with mock.patch.object(sending, "send", send_and_delete):
        deliver()
    assert not Webhook.objects.exists()
    assert not WebhookMessage.objects.exists()


def test_webhooks_and_messages_of_old_duels_are_deleted(cast: Cast, sink: WebhookSink):
    duel = begin_timed_duel(cast.ada, cast.bram)
    of_all, _ = add_hook(cast.ada, sink), add_hook(cast.ada, sink, duel=duel)
    resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    deliver()
    Duel.objects.update(ended_at=NOW)
    Seat.objects.update(duel_ended_at=NOW)
    deliver(NOW + 3 * DAY)
    assert WebhookMessage.objects.count() == Webhook.objects.count() == 2
    deliver(NOW + 5 * DAY)
    assert not WebhookMessage.objects.exists()
    assert Webhook.objects.get() == of_all
    assert len(sink.received) == 2


def test_sealing_and_resolving_run_no_queries_for_webhooks(
    cast: Cast, sink: WebhookSink, django_capture_on_commit_callbacks: Any
):
    duel = begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    statements: list[str] = []

    def record_statement(execute: Any, sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with (
        connection.execute_wrapper(record_statement),
        django_capture_on_commit_callbacks(execute=True),
    ):
        play(duel, {cast.ada: hands("S", "W"), cast.bram: hands("P", "P")})
    assert statements
    assert not [each for each in statements if "webhooks_" in each]


@pytest.mark.django_db(transaction=True)
def test_several_workers_never_post_the_same_message(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    add_hook(cast.ada, sink)
    delivering._queue_changed_messages(NOW, Budget(60))
    message = WebhookMessage.objects.get()
    for number in range(1, 6):
        call = partial(delivering.deliver_message, message_id=message.pk, now=NOW)
        assert sorted(run_simultaneously(call, call, call, call)) == [False, False, False, True]
        assert len(sink.received) == number
        WebhookMessage.objects.update(status=OutboxStatus.QUEUED, shown="")


@pytest.mark.django_db(transaction=True)
def test_simultaneous_rounds_post_each_message_once(cast: Cast, sink: WebhookSink):
    begin_timed_duel(cast.ada, cast.bram)
    begin_timed_duel(cast.ada, cast.cleo)
    add_hook(cast.ada, sink)
    assert sum(run_simultaneously(deliver, deliver, deliver)) == 2
    assert len(sink.received) == 2
    assert threading.active_count() < 50
