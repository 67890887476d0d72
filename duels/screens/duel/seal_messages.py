"""Messages that confirm a seal. They are not shown if the turn has been played in the meantime.

The message is queued when the orders are sealed, and the next page shows it. If this seal completes
the turn, the next page already shows the report, so the message would be redundant.
"""

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest

from duels.models import Turn
from duels.queries.rows import DuelPage

SEALED = "sealed-"


def sealed_tag(ordinal: int) -> str:
    """Return the message tag that marks confirmations of a seal for this turn."""
    return f"{SEALED}{ordinal}"


def messages_on(request: HttpRequest, page: DuelPage) -> list[Message]:
    return [message for message in get_messages(request) if not _is_past(message, page)]


def _is_past(message: Message, page: DuelPage) -> bool:
    """Return whether the message confirms a seal for a turn that has been played."""
    tag = message.extra_tags or ""
    if not tag.startswith(SEALED):
        return False
    turn = Turn.objects.filter(duel=page.duel, ordinal=int(tag.removeprefix(SEALED))).first()
    return turn is not None and not turn.is_open
