"""Which devices a wizard has, what they are told of, and what became of it."""

from django.db.models import QuerySet

from duels.models import Wizard
from duels.push.models import Push, PushChoice, PushSubscription

LOGGED = 20  # of a wizard's notifications


def push_choice(wizard: Wizard) -> PushChoice:
    """Of what the wizard's devices tell; the usual, not saved, where nothing was ever chosen."""
    found = PushChoice.objects.filter(wizard=wizard).first()
    return found or PushChoice(wizard=wizard)


def devices(wizard: Wizard) -> QuerySet[PushSubscription]:
    """Where the wizard has switched notifications on, the first one first."""
    return PushSubscription.objects.filter(wizard=wizard).order_by("created_at", "pk")


def push_log(wizard: Wizard) -> QuerySet[Push]:
    """The newest of what was to be sent to the wizard's devices, the newest first."""
    return Push.objects.filter(wizard=wizard).order_by("-created_at", "-pk")[:LOGGED]
