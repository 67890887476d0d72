"""Commands that turn push notifications on or off for devices, and choose which kinds are sent."""

from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction

from duels.errors import Refused
from duels.models import Wizard
from duels.push import device_limits, endpoints, vapid
from duels.push.models import MAX_DEVICE_LENGTH, Push, PushChoice, PushSubscription

MAX_ATTEMPTS: Final = 5


@transaction.atomic
def subscribe(
    *,
    wizard: Wizard,
    endpoint: str,
    p256dh: str,
    auth: str,
    device: str,
    now: datetime,
    replaces: str = "",
) -> PushSubscription:
    """Send this wizard's notifications, and no other wizard's, to the device with this endpoint.

    A repeated call has no effect. `replaces` is the endpoint that this browser had before, if any.
    """
    if not vapid.is_configured():
        raise Refused("push_is_off", "This site does not send notifications.")
    try:
        endpoints.check_endpoint(endpoint)
        keys = {
            "p256dh": endpoints.encode_key(endpoints.parse_public_key(p256dh)),
            "auth": endpoints.encode_key(endpoints.parse_auth_secret(auth)),
        }
    except endpoints.InvalidSubscription as error:
        raise Refused("bad_subscription", str(error), field=error.field) from None
    # Lock the wizard, so that the second of two simultaneous requests sees the first one's changes.
    if Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk).is_closed:
        raise Refused("account_closed", "This account is closed.")
    mine = PushSubscription.objects.filter(wizard=wizard)
    mine.filter(endpoint=replaces).exclude(endpoint=endpoint).delete()
    values = {**keys, "device": device[:MAX_DEVICE_LENGTH], "failures": 0}
    if mine.filter(endpoint=endpoint).update(**values):
        return mine.get(endpoint=endpoint)
    if mine.count() >= device_limits.MAX_DEVICES:
        most = device_limits.MAX_DEVICES
        text = f"Notifications are already on for {most} devices. Remove one first."
        raise Refused("too_many_devices", text)
    return _save_device(
        PushSubscription(wizard=wizard, endpoint=endpoint, created_at=now, **values)
    )


def _save_device(subscription: PushSubscription) -> PushSubscription:
    """Store the subscription.

    A browser belongs to the wizard who turned on notifications last. If two wizards do so at the
    same time, the later transaction wins.
    """
    others = PushSubscription.objects.filter(endpoint=subscription.endpoint)
    for _ in range(MAX_ATTEMPTS):
        others.exclude(wizard=subscription.wizard).delete()
        try:
            with transaction.atomic():
                subscription.save(force_insert=True)
        except IntegrityError:  # another wizard has just stored this endpoint, so try again
            continue
        return subscription
    text = "Somebody else is turning on notifications in this browser. Try again."
    raise Refused("taken_just_now", text)


@transaction.atomic
def unsubscribe(*, wizard: Wizard, subscription_id: int) -> None:
    """Stop notifications to one of the wizard's devices. A repeated call has no effect."""
    PushSubscription.objects.filter(wizard=wizard, pk=subscription_id).delete()


@transaction.atomic
def set_push_choice(*, wizard: Wizard, turns: bool, reminders: bool, messages: bool = True) -> None:
    """Set which kinds of notifications the wizard's devices get."""
    values = {"turns": turns, "reminders": reminders, "messages": messages}
    PushChoice.objects.update_or_create(wizard=wizard, defaults=values)


@transaction.atomic
def delete_push_data(*, wizard: Wizard) -> None:
    """Delete the wizard's devices, notifications and preferences."""
    Push.objects.filter(wizard=wizard).delete()
    PushSubscription.objects.filter(wizard=wizard).delete()
    PushChoice.objects.filter(wizard=wizard).delete()
