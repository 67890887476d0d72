"""Messages that confirm a seal, and are replaced if the turn has been played meanwhile.

A message is queued with the seal and shown on the next page. If the turn is played at once, that
page already shows another turn.
"""

from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import Message
from django.http import HttpRequest
from django.utils.text import capfirst

from duels.models import Turn
from duels.queries.rows import DuelPage
from duels.wording.turns import turn_words

SEALED = "sealed-"


def sealed_tag(ordinal: int) -> str:
    """Return the tag for messages that confirm a seal for this turn."""
    return f"{SEALED}{ordinal}"


def messages_on(request: HttpRequest, page: DuelPage) -> list[Message]:
    """Return the messages for the top of a duel's page.

    If a turn has been played, a note about this replaces the confirmation of its seal.
    """
    return [_current_wording(message, page) for message in get_messages(request)]


def _current_wording(message: Message, page: DuelPage) -> Message:
    tag = message.extra_tags or ""
    if not tag.startswith(SEALED):
        return message
    turn = Turn.objects.filter(duel=page.duel, ordinal=int(tag.removeprefix(SEALED))).first()
    if turn is None or turn.is_open:
        return message
    name = turn_words(page.duel.ruleset, turn.number, turn.kind)
    return Message(message.level, f"{capfirst(name)} has been played.")
