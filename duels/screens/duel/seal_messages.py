"""Messages that confirm a seal, and are left out if the turn has been played meanwhile.

A message is queued with the seal and shown on the next page. If the turn is played at once, that
page already shows another turn, and its report says what the message would say.
"""

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest

from duels.models import Turn
from duels.queries.rows import DuelPage

SEALED = "sealed-"


def sealed_tag(ordinal: int) -> str:
    """Return the tag for messages that confirm a seal for this turn."""
    return f"{SEALED}{ordinal}"


def messages_on(request: HttpRequest, page: DuelPage) -> list[Message]:
    """Return the messages for the top of a duel's page."""
    return [message for message in get_messages(request) if not _is_past(message, page)]


def _is_past(message: Message, page: DuelPage) -> bool:
    """Return whether the message confirms a seal for a turn that has been played."""
    tag = message.extra_tags or ""
    if not tag.startswith(SEALED):
        return False
    turn = Turn.objects.filter(duel=page.duel, ordinal=int(tag.removeprefix(SEALED))).first()
    return turn is not None and not turn.is_open
