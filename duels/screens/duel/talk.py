"""The chat on a duel's page, with messages grouped by wizard."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from duels.models import PEOPLE, SPEECH_LENGTH, Visibility, Wizard
from duels.queries import speeches
from duels.queries.rows import DuelPage
from duels.queries.speeches import SpeechRow
from duels.template_values import TemplateValue
from duels.wording.turns import turn_words

LONG_PAUSE = timedelta(minutes=10)


@dataclass(frozen=True)
class RejectedSpeech:
    """A rejected message, shown again with the reason."""

    words: str
    fault: str


@dataclass(frozen=True)
class SpeechLine(TemplateValue):
    """One message. `id` is 0 for a message that was sent with a turn's orders."""

    id: int
    words: str
    later: datetime | None  # time of the message, if it came long after the previous one
    is_new: bool
    is_removed: bool  # whether a referee has removed it


@dataclass(frozen=True)
class SpeechRun(TemplateValue):
    """Consecutive messages by one wizard, all sent between turns or all with the orders of one
    turn."""

    speaker: Wizard
    code: str
    occasion: str
    at: datetime | None  # time of the first message, or None if the turn is still open
    is_mine: bool
    is_muted: bool
    lines: tuple[SpeechLine, ...]
    with_turn: int = 0  # ordinal of the turn whose orders came with the message, or 0


@dataclass(frozen=True)
class Talk(TemplateValue):
    """The chat on a duel's page."""

    runs: tuple[SpeechRun, ...]
    last: int  # id of the last message between turns (even if not shown), or 0
    has_earlier: bool
    silence: str  # why the reader cannot write, or ""
    is_shown: bool
    is_public: bool
    can_mute: bool
    rejected: RejectedSpeech | None
    speech_length: int = SPEECH_LENGTH

    @property
    def new_count(self) -> int:
        """The number of messages on the page that the reader has not read yet."""
        return sum(line.is_new for run in self.runs if not run.is_muted for line in run.lines)


def speech_runs(said: Iterable[SpeechRow], ruleset: str) -> tuple[SpeechRun, ...]:
    """Return these messages, grouped by wizard and occasion."""
    runs = groupby(
        said, key=lambda each: (each.code, each.speaker.pk, _turn_heading(each, ruleset))
    )
    return tuple(_speech_run(list(group), occasion) for (*_, occasion), group in runs)


def talk_on_page(
    page: DuelPage, viewer: Wizard | None, rejected: RejectedSpeech | None = None
) -> Talk:
    """Return the chat. The page shows it only if there is another person to talk to."""
    messages = speeches.messages_on_page(page, viewer)
    people = [seat for seat in page.seats if seat.wizard.kind in PEOPLE]
    return Talk(
        runs=speech_runs(messages.said, page.duel.ruleset),
        last=messages.last,
        has_earlier=messages.has_earlier,
        silence=messages.silence,
        is_shown=len(people) > 1 or bool(messages.said),
        is_public=page.duel.visibility == Visibility.PUBLIC,
        can_mute=viewer is not None,
        rejected=rejected,
    )


def _speech_run(said: list[SpeechRow], occasion: str) -> SpeechRun:
    first = said[0]
    return SpeechRun(
        speaker=first.speaker,
        code=first.code,
        occasion=occasion,
        at=first.at,
        is_mine=first.is_mine,
        is_muted=first.is_muted,
        with_turn=first.ordinal if first.with_turn else 0,
        lines=tuple(
            SpeechLine(
                each.id,
                each.words,
                _time_after_long_pause(before, each),
                each.is_new,
                each.is_removed,
            )
            for before, each in zip([first, *said], said, strict=False)
        ),
    )


def _time_after_long_pause(before: SpeechRow, said: SpeechRow) -> datetime | None:
    """Return a message's time if it is much later than the previous message, otherwise None."""
    if before.at is None or said.at is None or said.at - before.at < LONG_PAUSE:
        return None
    return said.at


def _turn_heading(said: SpeechRow, ruleset: str) -> str:
    if said.after_end:
        return "after the end"
    turn = turn_words(ruleset, said.number, said.kind)
    return f"with {turn}" if said.with_turn else f"during {turn}"
