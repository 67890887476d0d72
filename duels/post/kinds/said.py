"""Notice of chat messages, for readers who want them by email."""

from itertools import groupby
from typing import Final

from django.db.models import Min

from duels.delivery.wrapping import wrap_with_prefixes
from duels.models import Seat, Speech
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import MailChoice, Notice
from duels.post.rendering import shortened_names
from duels.queries.stories import silenced_wizards
from duels.wording.moments import moment_words

MAX_WORDS: Final = 40  # chat messages in one email; the page shows the rest


class Said(NoticeKind):
    code, label = "said", "new messages"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context | None:
        words = speeches_to_send(notice)
        if not words:  # no message is left for this reader
            return None
        speakers = dict.fromkeys(speech.wizard.name for speech in words)
        runs = groupby(words[:MAX_WORDS], key=lambda speech: speech.wizard.name)
        return {
            "speakers": shortened_names(list(speakers)),
            "runs": [(name, [_speech_context(speech) for speech in run]) for name, run in runs],
            "more": max(len(words) - MAX_WORDS, 0),
            "url": f"{self.url(notice)}#talk",
        }

    def is_wanted(self, choice: MailChoice) -> bool:
        return choice.words

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return not speeches_to_send(notice)

    def has_read(self, notice: Notice, seat: Seat) -> bool:
        return all(speech.pk <= seat.read_speech for speech in speeches_to_send(notice))


def speeches_to_send(notice: Notice) -> list[Speech]:
    """Return the chat messages for this notice's email, up to where the next notice starts.

    Exclude the reader's own messages, and those of wizards whom the reader has blocked or muted.
    """
    unheard = {notice.wizard_id, *silenced_wizards(notice.wizard)}
    heard = Speech.objects.filter(duel=notice.duel_id, pk__gte=notice.speech_id)
    heard = heard.exclude(wizard__in=unheard).filter(removed_at=None).select_related("wizard")
    # Read the messages before looking for the next notice, because a message and its notice are
    # stored together.
    said = list(heard.order_by("pk"))
    later = Notice.objects.filter(
        kind=Said.code,
        wizard=notice.wizard_id,
        duel=notice.duel_id,
        speech__gt=notice.speech_id,
    )
    next_words = later.aggregate(first=Min("speech"))["first"]
    return [each for each in said if next_words is None or each.pk < next_words]


def _speech_context(speech: Speech) -> dict[str, str]:
    lines = [wrap_with_prefixes(line, "    ") for line in speech.words.split("\n")]
    return {
        "at": moment_words(speech.said_at),
        "words": speech.words,
        "text": "\n".join(lines),
    }
