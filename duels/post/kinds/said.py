"""Notice of chat messages, for readers who want them by email."""

from itertools import groupby
from typing import Final

from duels.models import Speech
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.queries import speeches_to_send
from duels.post.rendering import shortened_names
from duels.post.wrapping import wrapped
from duels.wording.moments import moment_words

MOST_WORDS: Final = 40  # chat messages in one email; the page has the others


class Said(NoticeKind):
    code, label = "said", "new messages"

    def context(self, notice: Notice) -> Context | None:
        words = speeches_to_send(notice)
        if not words:  # none is left for this reader
            return None
        speakers = dict.fromkeys(speech.wizard.name for speech in words)
        runs = groupby(words[:MOST_WORDS], key=lambda speech: speech.wizard.name)
        return {
            "speakers": shortened_names(list(speakers)),
            "runs": [(name, [_speech_context(speech) for speech in run]) for name, run in runs],
            "more": max(len(words) - MOST_WORDS, 0),
            "url": f"{self.url(notice)}#talk",
        }


def _speech_context(speech: Speech) -> dict[str, str]:
    lines = [wrapped(line, "    ") for line in speech.words.split("\n")]
    return {
        "at": moment_words(speech.said_at),
        "words": speech.words,
        "text": "\n".join(lines),
    }
