"""Commands that add, test, turn on and delete webhooks."""

import json
import re
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from duels.commands.locking import lock_account
from duels.delivery import public_hosts
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.models import Duel, DuelStatus, Seat, User, Wizard, WizardKind
from duels.sealing import seals
from duels.webhooks import addresses, formats
from duels.webhooks.models import Service, Webhook, WebhookMessage

MAX_WEBHOOKS: Final = 5
MAX_TESTS: Final = 10  # maximum number of test messages within an hour
MAX_ADDRESS_LENGTH: Final = 1_000


@transaction.atomic
def add_webhook(
    *,
    wizard: Wizard,
    service: Service,
    address: str,
    now: datetime,
    room: str = "",
    token: str = "",
    duel: Duel | None = None,
) -> Webhook:
    """Add a webhook for one running duel of the wizard, or for all of the wizard's duels.

    `address` is the webhook's URL, the URL of a Matrix server or that of an ntfy topic. Matrix also
    needs a room and a token. ntfy needs a token only for protected topics.
    """
    _check_address(service, address)
    _check_token(service, room, token)
    if wizard.kind != WizardKind.PLAYER:
        raise Refused("no_webhooks", "Guests cannot have webhooks.")
    if duel is not None:
        _check_duel(wizard, duel)
    # Lock the wizard, so that the second of two simultaneous requests counts the first webhook too.
    lock_account(wizard)
    own = Webhook.objects.filter(wizard=wizard)
    if own.count() >= MAX_WEBHOOKS:
        text = f"You already have {MAX_WEBHOOKS} webhooks. Delete one first."
        raise Refused("too_many_webhooks", text)
    if duel is not None and own.filter(duel=duel).exists():
        text = "You already have a webhook for this duel. Delete it first."
        raise Refused("webhook_exists", text, field="duel")
    target = formats.matrix_address(address, room) if service == Service.MATRIX else address
    return Webhook.objects.create(
        wizard=wizard,
        duel=duel,
        service=service,
        host=public_hosts.host_of(address),
        secret=seals.encrypt(json.dumps({"address": target, "token": token})),
        created_at=now,
    )


def _check_address(service: Service, address: str) -> None:
    if len(address) > MAX_ADDRESS_LENGTH:
        text = f"The address is longer than {MAX_ADDRESS_LENGTH} characters."
        raise Refused("bad_address", text, field="address")
    host = public_hosts.host_of(address)
    if not public_hosts.is_public_host(host):
        text = "The address must begin with https:// and the name of a public host."
        raise Refused("bad_address", text, field="address")
    if not addresses.is_address_of(service, address):
        example = addresses.ADDRESS_FORMATS[service].example
        text = f"This is not an address for {service.label}. It must look like {example}"
        raise Refused("bad_address", text, field="address")


def _check_token(service: Service, room: str, token: str) -> None:
    if not re.fullmatch(r"[!-~]{0,500}", token):
        raise Refused("bad_token", "This is not an access token.", field="token")
    if service == Service.MATRIX and not token:
        raise Refused("bad_token", "Matrix needs an access token.", field="token")
    if service == Service.MATRIX and not re.fullmatch(r"![!-~]{1,254}", room):
        text = "Enter the room’s internal ID, which begins with an exclamation mark."
        raise Refused("bad_room", text, field="room")


def _check_duel(wizard: Wizard, duel: Duel) -> None:
    is_running = duel.status == DuelStatus.RUNNING and not duel.is_practice
    if not (is_running and Seat.objects.filter(duel=duel, wizard=wizard).exists()):
        raise Refused("not_your_duel", "This is not a running duel of yours.", field="duel")


def delete_webhook(*, wizard: Wizard, webhook_id: int) -> None:
    """Delete the wizard's webhook. Do nothing if it has been deleted already."""
    delete_with_messages(Webhook.objects.filter(wizard=wizard, pk=webhook_id))


def turn_on_webhook(*, wizard: Wizard, webhook_id: int) -> None:
    """Turn on a webhook that the site turned off because it had failed for days."""
    own = Webhook.objects.filter(wizard=wizard, pk=webhook_id)
    own.update(turned_off_at=None, failing_since=None)


@transaction.atomic
def send_test(*, wizard: Wizard, webhook_id: int, now: datetime) -> None:
    """Queue a test message to the wizard's webhook."""
    lock_account(wizard)  # so that simultaneous requests cannot exceed the number of tests
    webhook = Webhook.objects.select_for_update().filter(wizard=wizard, pk=webhook_id).first()
    if webhook is None or webhook.turned_off_at:
        raise Refused("no_webhook", "There is no such webhook, or it is off.")
    tests = WebhookMessage.objects.filter(webhook__wizard=wizard, duel=None)
    if tests.filter(created_at__gt=now - timedelta(hours=1)).count() >= MAX_TESTS:
        raise Refused("tested_out", "You have sent too many tests. Try again in an hour.")
    test = WebhookMessage.objects.create(webhook=webhook, created_at=now, due_at=now)
    if not settings.CELERY_TASK_ALWAYS_EAGER:  # otherwise the request would wait
        send_task_after_commit(TaskName.DELIVER_WEBHOOK_MESSAGE, test.pk)


def delete_webhooks(*, user: User, now: datetime) -> Any:
    """Delete the webhooks of a user who closes their account."""
    return delete_with_messages(Webhook.objects.filter(wizard__user=user))


@transaction.atomic
def delete_with_messages(webhooks: QuerySet[Webhook]) -> int:
    """Delete these webhooks and their messages. Return the number of deleted rows.

    Lock the webhooks first. Otherwise a message that is added between the deletion of the messages
    and that of the webhooks would violate its foreign key.
    """
    locked = webhooks.select_for_update(of=("self",)).order_by("pk")
    found = list(locked.values_list("pk", flat=True))
    return Webhook.objects.filter(pk__in=found).delete()[0]
