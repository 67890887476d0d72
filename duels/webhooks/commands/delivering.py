"""Delivery of messages to webhooks, with the guarantees of `duels.delivery.outbox`.

Every minute, a round compares posted messages with the current public state of their duels, and
queues the messages that have changed. `rounds` leaves out duels that have not changed. Commands do
not have to report their changes, and several changes within a minute cause only one edit. If a
worker dies after a service has accepted a message, Discord and Slack may show the message twice.
Matrix and ntfy recognise the repeated request.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from http.client import HTTPException
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from duels.caching import silence
from duels.clocks.budget import Budget
from duels.commands.error_isolation import run_for_each
from duels.delivery import outbox
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.delivery.outbox import RoundCounts
from duels.errors import error_summary
from duels.loaded.database_clock import site_now
from duels.models import FINISHED_STATUSES, OutboxStatus
from duels.sealing import seals
from duels.webhooks import formats, sending
from duels.webhooks.commands import rounds
from duels.webhooks.commands.changing import delete_with_messages
from duels.webhooks.commands.rounds import WebhookDuel
from duels.webhooks.formats import MessageTarget
from duels.webhooks.messages import ChatMessage, duel_message, sample_message
from duels.webhooks.models import Service, Webhook, WebhookMessage
from duels.webhooks.queries import duel_states
from duels.webhooks.sending import Response

logger = logging.getLogger(__name__)

TURN_OFF_AFTER_FAILING_FOR: Final = timedelta(days=3)
RESULT_UPDATES_FOR: Final = timedelta(days=2)  # later changes to a duel's result are not shown
MAX_KEPT_RESPONSES: Final = 10  # number of responses shown to the owner
RESPONSE_BYTES_KEPT: Final = 200  # number of bytes shown of each response
MAX_DUELS_AT_ONCE: Final = 1_000
DIGEST_COLUMNS: Final = ("webhook", "duel", "status", "shown")  # columns that are read and compared


def deliver_due(
    *, clock: Callable[[], datetime] = site_now, budget: Budget | None = None
) -> RoundCounts:
    """Run one round: queue changed messages, send queued messages and delete old ones.

    Workers send each message in a task of its own, so that slow hosts do not delay other messages.
    """
    now = clock()
    rows = WebhookMessage.objects.all()
    requeued = outbox.requeue_stuck(rows, now)
    budget = budget or Budget(outbox.MAX_ROUND_SECONDS)
    _queue_changed_messages(now, budget)
    due = outbox.due_row_ids(rows, clock, budget)
    if settings.CELERY_TASK_ALWAYS_EAGER:
        sent = sum(deliver_message(message_id=each, now=clock()) for each in due)
    else:
        waiting = list(due)
        sent = len(waiting)
        send_task_after_commit(TaskName.DELIVER_WEBHOOK_MESSAGE, *waiting)
    pruned = outbox.delete_old_rows(rows.filter(duel=None), now)
    ended = Q(duel__ended_at__lt=now - 2 * RESULT_UPDATES_FOR)
    pruned += rows.filter(ended).delete()[0]
    pruned += delete_with_messages(Webhook.objects.filter(ended))
    return RoundCounts(requeued, sent, pruned)


def deliver_message(*, message_id: int, now: datetime | None = None) -> bool:
    """Post or edit this message if it is due and unclaimed. Return whether it was sent now."""
    now = now or site_now()
    if not outbox.claim_row(WebhookMessage.objects.all(), message_id, now):
        return False
    found = WebhookMessage.objects.filter(pk=message_id).select_related("webhook")
    row = found.first()
    if row is None:  # the webhook has just been deleted
        return False
    try:
        return _deliver(row, now)
    except Exception as error:
        # Catch every error, so that no message stays claimed. Errors may contain secrets.
        if isinstance(error, TimeoutError):
            silence.record_silence(row.webhook.host, now)
        _record_failure(row, None, _error_text(error), error_summary(error), now)
        return False


def _queue_changed_messages(now: datetime, budget: Budget) -> None:
    pairs, is_all = rounds.select_possibly_changed(_webhooks_with_duels(now), now)
    every = sorted({pair.duel for pair in pairs})
    for first in range(0, len(every), MAX_DUELS_AT_ONCE):
        duels = every[first : first + MAX_DUELS_AT_ONCE]
        shown = {
            (each.webhook_id, each.duel_id): each
            for each in WebhookMessage.objects.filter(duel__in=duels).only(*DIGEST_COLUMNS)
        }
        messages = _messages_about(duels, budget)
        new, changed = [], []
        for webhook, service, duel, _ in pairs:
            if duel not in messages:
                continue
            message = shown.get((webhook, duel))
            if message is None:
                new.append(
                    WebhookMessage(webhook_id=webhook, duel_id=duel, created_at=now, due_at=now)
                )
            elif message.is_finished and message.shown != _digest(service, messages[duel]):
                changed.append(message.pk)
        WebhookMessage.objects.bulk_create(new, ignore_conflicts=True)
        finished = WebhookMessage.objects.filter(pk__in=changed, status__in=FINISHED_STATUSES)
        finished.update(status=OutboxStatus.QUEUED, due_at=now, attempts=0)
    if not budget.is_spent:
        rounds.record_round(now, is_all=is_all)


def _messages_about(duels: Sequence[int], budget: Budget) -> dict[int, ChatMessage]:
    """Return the messages about these duels, except those that cannot be written."""
    states, messages = duel_states(duels), dict[int, ChatMessage]()

    def write(duel: int) -> bool:
        messages[duel] = duel_message(states[duel])
        return True

    run_for_each(states, write, budget, "Failed to write the webhook message about duel")
    return messages


def _webhooks_with_duels(now: datetime) -> list[WebhookDuel]:
    """Return a pair for each active webhook and each of its running or recently ended duels."""
    ended = Q(wizard__seats__duel_ended_at__gt=now - RESULT_UPDATES_FOR) & Q(
        wizard__seats__duel_ended_at__gte=F("created_at")
    )
    message = WebhookMessage.objects.filter(
        webhook=OuterRef("pk"), duel=OuterRef("wizard__seats__duel")
    )
    rows = Webhook.objects.filter(
        Q(duel=None) | Q(duel=F("wizard__seats__duel")),
        Q(wizard__seats__duel_ended_at=None) | ended,
        turned_off_at=None,
        wizard__seats__place__isnull=False,
        wizard__seats__duel__lesson="",
    ).values_list("pk", "service", "wizard__seats__duel", Exists(message))
    return [WebhookDuel(*row) for row in rows]


def _digest(service: str, message: ChatMessage) -> str:
    return message.digest(is_editable=service in formats.EDITABLE_SERVICES)


def _deliver(row: WebhookMessage, now: datetime) -> bool:
    webhook, service = row.webhook, Service(row.webhook.service)
    message = None if webhook.turned_off_at else _message_of(row)
    if message is None:
        outbox.set_status([row], OutboxStatus.DROPPED)
        return False
    digest = _digest(service, message)
    if digest == row.shown:
        outbox.mark_sent([row], now)
        return False
    if silent_until := silence.silent_until(webhook.host, now):
        outbox.set_status([row], OutboxStatus.QUEUED, due_at=silent_until)
        return False
    secret = json.loads(seals.decrypt(webhook.secret))
    key = f"{row.pk}-{digest[:16]}-{row.sent_at.timestamp() if row.sent_at else 0}"
    target = MessageTarget(secret["address"], secret["token"], row.remote_id, key)
    response = sending.send(formats.request_for(service, target, message))
    return _process_response(row, digest, response, now)


def _message_of(row: WebhookMessage) -> ChatMessage | None:
    """Return the current message, or None if it is no longer about one of its wizard's duels."""
    if row.duel_id is None:
        return sample_message()
    state = duel_states([row.duel_id]).get(row.duel_id)
    wizards = [seat.wizard for seat in state.seats] if state else []
    return duel_message(state) if state and row.webhook.wizard_id in wizards else None


def _process_response(row: WebhookMessage, digest: str, response: Response, now: datetime) -> bool:
    """Record the service's response. Return whether the service has accepted the message."""
    is_accepted = HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES
    words = response.body[:RESPONSE_BYTES_KEPT].decode(errors="replace").replace("\0", "")
    if not is_accepted:
        if row.remote_id and response.status == HTTPStatus.NOT_FOUND:
            # Somebody has deleted the message in the chat, so the next attempt posts a new one.
            WebhookMessage.objects.filter(pk=row.pk).update(remote_id="")
        _record_failure(row, response.status, words, f"answered: {response.status}", now)
        return False
    remote_id = row.remote_id or formats.remote_id_in(Service(row.webhook.service), response.body)
    WebhookMessage.objects.filter(pk=row.pk).update(remote_id=remote_id, shown=digest)
    outbox.mark_sent([row], now)
    _record_response(row, response.status, words, now, is_failure=False)
    return True


def _record_failure(
    row: WebhookMessage, status: int | None, words: str, error: str, now: datetime
) -> None:
    failure = outbox.retry_later(row, error, now, most_attempts=None)
    _record_response(row, status, words, now, is_failure=True)
    logger.warning("Webhook message %s was not sent (%s): %s", row.pk, failure, error)


@transaction.atomic
def _record_response(
    row: WebhookMessage, status: int | None, words: str, now: datetime, *, is_failure: bool
) -> None:
    """Add a response to the webhook's list. Turn the webhook off if it has failed for days."""
    webhook = Webhook.objects.select_for_update().filter(pk=row.webhook_id).first()
    if webhook is None:  # deleted in the meantime
        return
    response = {"at": now.isoformat(), "status": status, "words": words}
    webhook.responses = [response, *webhook.responses][:MAX_KEPT_RESPONSES]
    webhook.failing_since = (webhook.failing_since or now) if is_failure else None
    if webhook.failing_since and now - webhook.failing_since >= TURN_OFF_AFTER_FAILING_FOR:
        webhook.turned_off_at = now
    webhook.save(update_fields=["responses", "failing_since", "turned_off_at"])


def _error_text(error: Exception) -> str:
    """Return why there is no response, as a sentence for the webhook's owner."""
    match error:
        case TimeoutError():
            return "The host did not answer in time."
        case OSError() | HTTPException():
            return "The host has no public address, does not answer, or has no valid certificate."
        case _:
            return "The message could not be written."
