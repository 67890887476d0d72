"""Context for the chat on a duel's page, with messages grouped by wizard."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from duels.models import PEOPLE, SPEECH_LENGTH, Visibility, Wizard
from duels.queries import speeches
from duels.queries.rows import DuelPage
from duels.queries.speeches import SpeechRow, Talk
from duels.wording.turns import turn_words

LONG_PAUSE = timedelta(minutes=10)


@dataclass(frozen=True)
class RejectedSpeech:
    """A rejected message that the page shows again, with the reason."""

    words: str
    fault: str


@dataclass(frozen=True)
class SpeechLine:
    """One message. `id` is 0 for a message that was sent with a turn's orders."""

    id: int
    words: str
    later: datetime | None  # its time, if long after the previous message
    is_new: bool
    is_removed: bool  # whether a referee has removed it


@dataclass(frozen=True)
class SpeechRun:
    """Consecutive messages by one wizard, all between turns or all with the same turn."""

    speaker: Wizard
    code: str
    occasion: str
    at: datetime | None  # time of the first message, or None with an open turn
    is_mine: bool
    is_muted: bool
    lines: tuple[SpeechLine, ...]
    with_turn: int = 0  # ordinal of the turn it was sent with, or 0 between turns


def speech_runs(said: Iterable[SpeechRow], ruleset: str) -> tuple[SpeechRun, ...]:
    """Return these messages, grouped by wizard and occasion."""
    runs = groupby(
        said, key=lambda each: (each.code, each.speaker.pk, _turn_heading(each, ruleset))
    )
    return tuple(_speech_run(list(group), occasion) for (*_, occasion), group in runs)


def talk_context(
    page: DuelPage, viewer: Wizard | None, rejected: RejectedSpeech | None
) -> dict[str, Any]:
    """Return the context for the chat."""
    talk = speeches.messages_on_page(page, viewer)
    return {
        "talk": talk,
        "talk_runs": speech_runs(talk.said, page.duel.ruleset),
        "talk_is_shown": _is_shown(page, talk),
        "talk_is_public": page.duel.visibility == Visibility.PUBLIC,
        "can_mute": viewer is not None,
        "speech_length": SPEECH_LENGTH,
        "rejected": rejected,
    }


def _is_shown(page: DuelPage, talk: Talk) -> bool:
    """Return whether to show the chat, which needs another person to talk to."""
    people = [seat for seat in page.seats if seat.wizard.kind in PEOPLE]
    return len(people) > 1 or bool(talk.said)


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
