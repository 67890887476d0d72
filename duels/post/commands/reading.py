"""Commands that mark notices as read. The bell in the header counts unread ones."""

from duels.models import Wizard
from duels.post.models import Notice


def mark_page_read(*, wizard: Wizard, path: str) -> None:
    """Mark the wizard's notices about the page with this path as read."""
    Notice.objects.filter(wizard=wizard, is_unread=True, path=path).update(is_unread=False)


def mark_all_read(*, wizard: Wizard) -> None:
    """Mark all the wizard's notices as read."""
    Notice.objects.filter(wizard=wizard, is_unread=True).update(is_unread=False)
