"""Queries for wizards' devices, notification preferences and notifications."""

from django.db.models import QuerySet

from duels.models import Wizard
from duels.push.models import Push, PushChoice, PushSubscription

LOG_ROWS = 20  # maximum number of notifications in a wizard's log


def push_choice(wizard: Wizard) -> PushChoice:
    """Return the wizard's notification preferences, or unsaved defaults if there are none."""
    found = PushChoice.objects.filter(wizard=wizard).first()
    return found or PushChoice(wizard=wizard)


def devices(wizard: Wizard) -> QuerySet[PushSubscription]:
    """Return the devices on which the wizard has turned on notifications, oldest first."""
    return PushSubscription.objects.filter(wizard=wizard).order_by("created_at", "pk")


def push_log(wizard: Wizard) -> QuerySet[Push]:
    """Return the latest notifications to the wizard's devices, newest first."""
    return Push.objects.filter(wizard=wizard).order_by("-created_at", "-pk")[:LOG_ROWS]
