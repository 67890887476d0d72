"""Queries on wizards' devices, on their preferences and on sent notifications."""

from django.db.models import QuerySet

from duels.models import Wizard
from duels.push.models import Push, PushChoice, PushSubscription

LOGGED = 20  # notifications in a wizard's log


def push_choice(wizard: Wizard) -> PushChoice:
    """Return the wizard's preferences, or unsaved defaults if there are none."""
    found = PushChoice.objects.filter(wizard=wizard).first()
    return found or PushChoice(wizard=wizard)


def devices(wizard: Wizard) -> QuerySet[PushSubscription]:
    """Return the wizard's devices with notifications, oldest first."""
    return PushSubscription.objects.filter(wizard=wizard).order_by("created_at", "pk")


def push_log(wizard: Wizard) -> QuerySet[Push]:
    """Return the latest notifications to the wizard's devices, newest first."""
    return Push.objects.filter(wizard=wizard).order_by("-created_at", "-pk")[:LOGGED]
