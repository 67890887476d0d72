"""Queries for a duel's chat, as one reader may see it: messages between turns, with orders, and
after the end.

Messages sent with orders become public at the reveal. They are taken from the reader's view, so
they appear at the same time in the chat as in the reader's reports.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import engine.play
from duels.loaded.loading import load_duel
from duels.models import PEOPLE, Duel, Speech, Turn, Wizard
from duels.queries.rows import DuelPage
from duels.queries.stories import observer_code, silenced_wizards, story_so_far
from duels.referees.log.act_log import FormerWizard, former_wizards
from duels.referees.log.visible_acts import removed_messages
from duels.template_values import TemplateValue
from engine.play import Spoke

NOBODY_LISTENS = "There is nobody else in this duel who could read a message."
SHOWN = 40  # messages between turns on a duel's page
MOST = 1_000  # limit for the page of all messages


@dataclass(frozen=True)
class SpeechRow(TemplateValue):
    """A message by one wizard. If the wizard is muted, its text is left out."""

    id: int  # primary key, or 0 for a message sent with orders
    speaker: Wizard
    code: str  # the speaker's seat
    ordinal: int  # of the turn that was open, or the last one
    number: int
    kind: str
    at: datetime | None  # None for a message with orders of a turn that is not resolved yet
    words: str
    with_turn: bool
    after_end: bool
    is_muted: bool
    is_mine: bool
    is_new: bool
    is_removed: bool = False  # whether a referee has removed the text


@dataclass(frozen=True)
class ShownMessages:
    """The messages shown on a page, newest last."""

    said: tuple[SpeechRow, ...]
    has_earlier: bool
    silence: str  # why the reader cannot send messages, or ""
    last: int  # the last message between turns, even if not shown, or 0


@dataclass(frozen=True)
class _Reader:
    """The reader, with the wizards they block or mute, and the messages that a referee has
    removed."""

    wizard: Wizard | None
    read: int
    unheard: dict[int, bool]
    removed: frozenset[tuple[int, str]]  # ordinals and seats of messages sent with orders


@dataclass(frozen=True)
class _TurnSpokenIn:
    """The turn whose orders contained a message, or during which a chat message was sent."""

    number: int
    kind: str
    resolved_at: datetime | None


Turns = dict[int, _TurnSpokenIn]  # by ordinal


def messages_on_page(page: DuelPage, viewer: Wizard | None) -> ShownMessages:
    """Return the messages from the turns that the page shows."""
    turns = page.view.turns
    newest = _newest_messages(page.duel, SHOWN + 1) if page.last_speech else []
    oldest = turns[0].ordinal if turns else 0
    kept = [speech for speech in newest[:SHOWN] if speech.ordinal >= oldest][::-1]
    seated = [(seat.code, seat.wizard) for seat in page.seats]
    me = page.me.wizard if page.me else None
    return ShownMessages(
        said=_readable_messages(page.duel, kept, turns, seated, viewer, page.read_speech),
        has_earlier=len(kept) < len(newest) or oldest > 1,
        silence=_why_silent(page.duel, me, [wizard for _, wizard in seated]),
        last=page.last_speech,
    )


def all_messages(duel: Duel, viewer: Wizard | None) -> tuple[SpeechRow, ...]:
    """Return all messages of the duel so far, oldest first."""
    loaded = load_duel(duel.pk)
    assert loaded is not None
    assert loaded.newest is not None
    seats, mine = loaded.seats, loaded.seat_of(viewer)
    turn = loaded.newest.as_known_to(mine)
    view, _ = story_so_far(turn, observer_code(duel, mine), turn.row.ordinal, mine)
    speeches = _newest_messages(duel, MOST)[::-1]
    seated = [(seat.code, seat.wizard) for seat in seats]
    read = mine.read_speech if mine else 0
    return _readable_messages(duel, speeches, view.turns, seated, viewer, read)


def _newest_messages(duel: Duel, limit: int) -> list[Speech]:
    return list(Speech.objects.filter(duel=duel).order_by("-pk")[:limit])


def _readable_messages(
    duel: Duel,
    speeches: Iterable[Speech],
    turns: Iterable[engine.play.TurnView],
    seated: list[tuple[str, Wizard]],
    viewer: Wizard | None,
    last_read: int,
) -> tuple[SpeechRow, ...]:
    """Return the messages by wizards who are not blocked, in the order in which they became
    visible."""
    speeches = list(speeches)
    spoken = [
        (turn.ordinal, event) for turn in turns for event in turn.events if isinstance(event, Spoke)
    ]
    if not speeches and not spoken:
        return ()
    known = _turns_spoken_in(
        duel, {speech.ordinal for speech in speeches} | {at for at, _ in spoken}
    )
    unheard = silenced_wizards(viewer) if viewer else {}
    reader = _Reader(viewer, last_read, unheard, removed_messages(duel))
    gone = former_wizards(duel)
    said = [
        *_messages_between_turns(duel, speeches, known, seated, gone, reader),
        *_messages_with_orders(spoken, known, seated, gone, reader),
    ]
    # Messages sent with orders become visible when the turn is resolved, so sort them after the
    # chat during the turn.
    said.sort(key=lambda each: (each.ordinal, each.after_end, each.with_turn))
    return tuple(said)


def _messages_between_turns(
    duel: Duel,
    speeches: Iterable[Speech],
    turns: Turns,
    seated: list[tuple[str, Wizard]],
    past_wizards: list[FormerWizard],
    reader: _Reader,
) -> Iterator[SpeechRow]:
    codes = {former.wizard.pk: (former.seat, former.wizard) for former in past_wizards}
    codes |= {wizard.pk: (code, wizard) for code, wizard in seated}
    for speech in speeches:
        code, speaker = codes[speech.wizard_id]
        if reader.unheard.get(speaker.pk) is False:
            continue
        is_mine = reader.wizard is not None and speaker.pk == reader.wizard.pk
        is_muted = speaker.pk in reader.unheard
        turn = turns[speech.ordinal]
        yield SpeechRow(
            id=speech.pk,
            speaker=speaker,
            code=code,
            ordinal=speech.ordinal,
            number=turn.number,
            kind=turn.kind,
            at=speech.said_at,
            words="" if is_muted or speech.removed_at else speech.words,
            with_turn=False,
            after_end=duel.was_over_at(speech.said_at),
            is_muted=is_muted,
            is_mine=is_mine,
            is_new=bool(reader.wizard) and speech.pk > reader.read and not is_mine,
            is_removed=speech.removed_at is not None,
        )


def _messages_with_orders(
    spoken: Iterable[tuple[int, Spoke]],
    turns: Turns,
    seated: list[tuple[str, Wizard]],
    past_wizards: list[FormerWizard],
    reader: _Reader,
) -> Iterator[SpeechRow]:
    wizards = dict(seated)
    for ordinal, event in spoken:
        before = (
            each for each in past_wizards if each.seat == event.wizard and ordinal < each.until
        )
        former = next(before, None)
        speaker = former.wizard if former else wizards[event.wizard]
        if reader.unheard.get(speaker.pk) is False:
            continue
        is_muted = speaker.pk in reader.unheard
        turn = turns[ordinal]
        yield SpeechRow(
            id=0,
            speaker=speaker,
            code=event.wizard,
            ordinal=ordinal,
            number=turn.number,
            kind=turn.kind,
            at=turn.resolved_at,
            words="" if is_muted or (ordinal, event.wizard) in reader.removed else event.words,
            with_turn=True,
            after_end=False,
            is_muted=is_muted,
            is_mine=reader.wizard is not None and speaker.pk == reader.wizard.pk,
            is_new=False,
            is_removed=(ordinal, event.wizard) in reader.removed,
        )


def _turns_spoken_in(duel: Duel, ordinals: set[int]) -> Turns:
    rows = Turn.objects.filter(duel=duel, ordinal__in=ordinals)
    found = rows.values_list("ordinal", "number", "kind", "closed_at")
    return {
        ordinal: _TurnSpokenIn(number, kind, closed_at)
        for ordinal, number, kind, closed_at in found
    }


def locked_speech(duel: Duel, wizard: Wizard) -> str:
    """Return a sentence about the lock if a referee has locked chat for the duel or the wizard,
    otherwise ""."""
    if duel.speech_locked_at is not None:
        return "A referee has locked messages in this duel."
    return "A referee has locked your messages." if wizard.speech_locked_at is not None else ""


def _why_silent(duel: Duel, me: Wizard | None, seated: Iterable[Wizard]) -> str:
    """Return the reason why the reader cannot send messages, or "". The rules are those of
    `commands.speaking`."""
    if me is None:
        return "Only the wizards in this duel can write here."
    if sum(wizard.kind in PEOPLE for wizard in seated) < 2:
        return NOBODY_LISTENS
    return locked_speech(duel, me)
