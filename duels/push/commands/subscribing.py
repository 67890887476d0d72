"""Devices: switched on, switched off, and of what they tell."""

from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction

from duels.errors import Refused
from duels.models import Wizard
from duels.push import endpoints, limits, vapid
from duels.push.models import DEVICE_LENGTH, Push, PushChoice, PushSubscription

TRIES: Final = 5


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
    """The device with this endpoint is told of the wizard's turns, and of nobody else's.

    Switching on twice is as good as once. `replaces`: an endpoint that this browser had before.
    """
    if not vapid.is_on():
        raise Refused("push_is_off", "This site sends no notifications.")
    try:
        endpoints.check_endpoint(endpoint)
        keys = {
            "p256dh": endpoints.encoded(endpoints.public_key(p256dh)),
            "auth": endpoints.encoded(endpoints.auth_secret(auth)),
        }
    except endpoints.InvalidSubscription as error:
        raise Refused("bad_subscription", str(error), field=error.field) from None
    # Of two requests at once the second sees what the first has written.
    Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk)
    mine = PushSubscription.objects.filter(wizard=wizard)
    mine.filter(endpoint=replaces).exclude(endpoint=endpoint).delete()
    values = {**keys, "device": device[:DEVICE_LENGTH], "failures": 0}
    if mine.filter(endpoint=endpoint).update(**values):
        return mine.get(endpoint=endpoint)
    if mine.count() >= limits.DEVICES:
        text = f"Notifications are on for {limits.DEVICES} devices already. Remove one of them."
        raise Refused("too_many_devices", text)
    return _taken_over(PushSubscription(wizard=wizard, endpoint=endpoint, created_at=now, **values))


def _taken_over(subscription: PushSubscription) -> PushSubscription:
    """The row is written. Who has signed in with a browser after somebody else has it for
    themselves; where two wizards come at the same instant, whoever comes last."""
    others = PushSubscription.objects.filter(endpoint=subscription.endpoint)
    for _ in range(TRIES):
        others.exclude(wizard=subscription.wizard).delete()
        try:
            with transaction.atomic():
                subscription.save(force_insert=True)
        except IntegrityError:  # somebody else's came between; now it can be seen
            continue
        return subscription
    text = "This browser is being switched on by somebody else just now. Try again."
    raise Refused("taken_just_now", text)


@transaction.atomic
def unsubscribe(*, wizard: Wizard, subscription_id: int) -> None:
    """This device of the wizard's is told nothing more. Twice is as good as once."""
    PushSubscription.objects.filter(wizard=wizard, pk=subscription_id).delete()


@transaction.atomic
def choose(*, wizard: Wizard, turns: bool, reminders: bool) -> None:
    """The wizard's devices tell of this from now on."""
    values = {"turns": turns, "reminders": reminders}
    PushChoice.objects.update_or_create(wizard=wizard, defaults=values)


@transaction.atomic
def forget(*, wizard: Wizard) -> None:
    """Nothing is left of the wizard's devices, of what they were told, and of what was chosen."""
    Push.objects.filter(wizard=wizard).delete()
    PushSubscription.objects.filter(wizard=wizard).delete()
    PushChoice.objects.filter(wizard=wizard).delete()
