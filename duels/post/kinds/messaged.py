"""Notice of private messages from another wizard (`duels.messages`)."""

from typing import Final

from django.conf import settings
from django.urls import reverse

from duels.delivery.wrapping import wrap_with_prefixes
from duels.messages import queries as messages
from duels.messages.models import Message
from duels.models import Seat
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import MailChoice, Notice
from duels.post.rendering import email_details

MAX_MESSAGES: Final = 20  # in one email; the page shows the rest


class Messaged(NoticeKind):
    code, label = "messaged", "a message to you"
    needs_duel = False
    limit_group = LimitGroup.PROVOKED

    def url(self, notice: Notice) -> str:
        assert notice.about is not None, "a message has an author"
        return f"{settings.SITE_URL}{reverse('thread', args=[notice.about.slug])}"

    def context(self, notice: Notice) -> Context | None:
        found = _messages_of(notice)
        if not found:
            return None
        texts = [
            {
                "words": each.words,
                "text": "\n".join(
                    wrap_with_prefixes(line, "  ") for line in each.words.split("\n")
                ),
            }
            for each in found[:MAX_MESSAGES]
        ]
        return {"words": texts, "more": max(len(found) - MAX_MESSAGES, 0)}

    def is_wanted(self, choice: MailChoice) -> bool:
        return choice.messages

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return not _messages_of(notice, only_unread=True)


def _messages_of(notice: Notice, *, only_unread: bool = False) -> list[Message]:
    """Return the messages that the notice reports, starting with the one that caused it.

    Return none if the reader has not accepted messages from the author.
    """
    if notice.about is None:  # the author was deleted
        return []
    first = email_details(notice)["message"]
    return messages.messages_to_send(notice.wizard, notice.about, first, only_unread=only_unread)
