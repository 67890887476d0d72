"""Commands for the bell in the header: mark notices as read, and keep their paths valid."""

from urllib.parse import unquote

from django.urls import reverse

from duels.models import Turn, Wizard
from duels.post.kinds.messaged import Messaged
from duels.post.models import Notice


def mark_page_read(*, wizard: Wizard, path: str) -> None:
    """Mark the wizard's notices about the page with this path as read."""
    Notice.objects.filter(wizard=wizard, is_unread=True, path=path).update(is_unread=False)


def mark_turn_read(*, wizard: Wizard, turn: Turn) -> None:
    """Mark the wizard's notices about this turn as read."""
    Notice.objects.filter(wizard=wizard, is_unread=True, turn=turn).update(is_unread=False)


def mark_all_read(*, wizard: Wizard) -> None:
    """Mark all the wizard's notices as read."""
    Notice.objects.filter(wizard=wizard, is_unread=True).update(is_unread=False)


def update_paths(*, renamed: Wizard) -> None:
    """Update the paths of notices whose pages have the name of a renamed wizard."""
    path = unquote(reverse("thread", args=[renamed.slug]))
    Notice.objects.filter(kind=Messaged.code, about=renamed).update(path=path)
