"""The chat on a duel's page, with messages grouped by wizard."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

import engine.words
from duels.models import HUMAN_KINDS, MAX_SPEECH_LENGTH, Visibility, Wizard
from duels.queries import speeches
from duels.queries.rows import DuelPage
from duels.queries.speeches import SpeechRow
from duels.template_values import TemplateValue

LONG_PAUSE = timedelta(minutes=10)


@dataclass(frozen=True)
class RejectedSpeech:
    """A rejected message, shown again with the reason."""

    words: str
    fault: str


@dataclass(frozen=True)
class MessageRun(TemplateValue):
    """Consecutive messages by one wizard, all sent between turns or all with the orders of one
    turn. A line is a message, with its time if it came long after the previous one."""

    occasion: str
    first: SpeechRow
    lines: tuple[tuple[SpeechRow, datetime | None], ...]


@dataclass(frozen=True)
class DuelChat(TemplateValue):
    """The chat on a duel's page."""

    runs: tuple[MessageRun, ...]
    last: int  # id of the last message between turns (even if not shown), or 0
    has_earlier: bool
    silence: str  # why the reader cannot write, or ""
    is_shown: bool
    is_public: bool
    can_mute: bool
    rejected: RejectedSpeech | None
    speech_length: int = MAX_SPEECH_LENGTH

    @property
    def new_count(self) -> int:
        """The number of messages on the page that the reader has not read yet."""
        shown = (run for run in self.runs if not run.first.is_muted)
        return sum(said.is_new for run in shown for said, _ in run.lines)


def message_runs(said: Iterable[SpeechRow], ruleset: str) -> tuple[MessageRun, ...]:
    """Return these messages, grouped by wizard and occasion."""
    groups = groupby(
        said, key=lambda each: (each.code, each.speaker.pk, _turn_heading(each, ruleset))
    )
    runs = ((occasion, list(group)) for (*_, occasion), group in groups)
    return tuple(
        MessageRun(
            occasion,
            said[0],
            tuple(
                (each, _time_after_long_pause(before, each))
                for before, each in zip([said[0], *said], said, strict=False)
            ),
        )
        for occasion, said in runs
    )


def chat_on_page(
    page: DuelPage, viewer: Wizard | None, rejected: RejectedSpeech | None = None
) -> DuelChat:
    """Return the chat. The page shows it only if there is another person to talk to."""
    messages = speeches.messages_on_page(page, viewer)
    people = [seat for seat in page.seats if seat.wizard.kind in HUMAN_KINDS]
    return DuelChat(
        runs=message_runs(messages.said, page.duel.ruleset),
        last=messages.last,
        has_earlier=messages.has_earlier,
        silence=messages.silence,
        is_shown=len(people) > 1 or bool(messages.said),
        is_public=page.duel.visibility == Visibility.PUBLIC,
        can_mute=viewer is not None,
        rejected=rejected,
    )


def _time_after_long_pause(before: SpeechRow, said: SpeechRow) -> datetime | None:
    """Return a message's time if it is much later than the previous message, otherwise None."""
    if before.at is None or said.at is None or said.at - before.at < LONG_PAUSE:
        return None
    return said.at


def _turn_heading(said: SpeechRow, ruleset: str) -> str:
    if said.after_end:
        return "after the end"
    turn = engine.words.turn_name(ruleset, said.kind, said.number)
    return f"with {turn}" if said.with_turn else f"during {turn}"
