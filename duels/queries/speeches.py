"""Queries for a duel's chat, as one reader may see it: messages between turns, with orders, and
after the end.

Messages sent with orders become public at the reveal. They are taken from the reader's view, so
they appear at the same time in the chat as in the reader's reports.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import engine.play
from duels.loaded.loading import load_duel
from duels.models import HUMAN_KINDS, Duel, Speech, Turn, Wizard, seat_of
from duels.queries.rows import DuelPage
from duels.queries.stories import observer_code, silenced_wizards, story_so_far
from duels.referees.log.act_log import former_wizards
from duels.referees.log.visible_acts import removed_messages
from duels.template_values import TemplateValue
from engine.play import Spoke

NO_READERS_TEXT = "There is nobody else in this duel who could read a message."
MESSAGES_SHOWN_AT_FIRST = 40  # messages between turns on a duel's page
MAX_MESSAGES = 1_000  # limit for the page of all messages


@dataclass(frozen=True)
class SpeechRow(TemplateValue):
    """A message by one wizard. If the wizard is muted, its text is left out."""

    id: int  # primary key, or 0 for a message sent with orders
    speaker: Wizard
    code: str  # the speaker's seat
    ordinal: int  # ordinal of the turn that was open or the last
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
    last: int  # id of the latest message between turns, even if it is not shown, or 0


@dataclass(frozen=True)
class _StoredMessage:
    """A message before it is adapted to its reader."""

    id: int
    code: str
    speaker: Wizard
    ordinal: int
    at: datetime | None
    words: str
    is_removed: bool


def messages_on_page(page: DuelPage, viewer: Wizard | None) -> ShownMessages:
    """Return the messages from the turns that the page shows."""
    turns = page.view.turns
    newest = _newest_messages(page.duel, MESSAGES_SHOWN_AT_FIRST + 1) if page.last_speech else []
    oldest = turns[0].ordinal if turns else 0
    kept = [speech for speech in newest[:MESSAGES_SHOWN_AT_FIRST] if speech.ordinal >= oldest][::-1]
    seated = [(seat.code, seat.wizard) for seat in page.seats]
    me = page.me.wizard if page.me else None
    return ShownMessages(
        said=_readable_messages(page.duel, kept, turns, seated, viewer, page.read_speech),
        has_earlier=len(kept) < len(newest) or oldest > 1,
        silence=_reason_for_silence(page.duel, me, [wizard for _, wizard in seated]),
        last=page.last_speech,
    )


def all_messages(duel: Duel, viewer: Wizard | None) -> tuple[SpeechRow, ...]:
    """Return all messages of the duel so far, oldest first."""
    loaded = load_duel(duel.pk)
    assert loaded is not None
    assert loaded.newest is not None
    seats, mine = loaded.seats, seat_of(loaded.seats, viewer)
    turn = loaded.newest.as_known_to(mine)
    view, _ = story_so_far(turn, observer_code(duel, mine), turn.row.ordinal, mine)
    speeches = _newest_messages(duel, MAX_MESSAGES)[::-1]
    seated = [(seat.code, seat.wizard) for seat in seats]
    read = mine.read_speech if mine else 0
    return _readable_messages(duel, speeches, view.turns, seated, viewer, read)


def _newest_messages(duel: Duel, limit: int) -> list[Speech]:
    return list(Speech.objects.filter(duel=duel).order_by("-pk")[:limit])


def _readable_messages(
    duel: Duel,
    speeches: Sequence[Speech],
    turns: Iterable[engine.play.TurnView],
    seated: list[tuple[str, Wizard]],
    viewer: Wizard | None,
    last_read: int,
) -> tuple[SpeechRow, ...]:
    """Return messages that are not blocked, in the order in which they became visible."""
    spoken = [
        (turn.ordinal, event) for turn in turns for event in turn.events if isinstance(event, Spoke)
    ]
    if not speeches and not spoken:
        return ()
    ordinals = {speech.ordinal for speech in speeches} | {ordinal for ordinal, _ in spoken}
    rows = Turn.objects.filter(duel=duel, ordinal__in=ordinals)
    known = {row.ordinal: row for row in rows.only("ordinal", "number", "kind", "closed_at")}
    unheard = silenced_wizards(viewer) if viewer else {}
    said = _messages(duel, speeches, spoken, known, seated)
    shown = [
        SpeechRow(
            id=each.id,
            speaker=each.speaker,
            code=each.code,
            ordinal=each.ordinal,
            number=known[each.ordinal].number,
            kind=known[each.ordinal].kind,
            at=each.at,
            words="" if each.is_removed or each.speaker.pk in unheard else each.words,
            with_turn=not each.id,
            after_end=bool(each.id and each.at and duel.was_over_at(each.at)),
            is_muted=each.speaker.pk in unheard,
            is_mine=each.speaker == viewer,
            is_new=viewer is not None and each.id > last_read and each.speaker != viewer,
            is_removed=each.is_removed,
        )
        for each in said
        if unheard.get(each.speaker.pk) is not False
    ]
    # Messages sent with orders become visible when the turn is resolved, so sort them after the
    # chat during the turn.
    return tuple(sorted(shown, key=lambda each: (each.ordinal, each.after_end, each.with_turn)))


def _messages(
    duel: Duel,
    speeches: Iterable[Speech],
    spoken: Iterable[tuple[int, Spoke]],
    turns: Mapping[int, Turn],
    seated: list[tuple[str, Wizard]],
) -> Iterator[_StoredMessage]:
    """Yield messages between turns, then messages sent with orders."""
    gone, removed = former_wizards(duel), removed_messages(duel)
    places = {former.wizard.pk: (former.seat, former.wizard) for former in gone}
    places |= {wizard.pk: (code, wizard) for code, wizard in seated}
    for each in speeches:
        place, is_removed = places[each.wizard_id], each.removed_at is not None
        yield _StoredMessage(each.pk, *place, each.ordinal, each.said_at, each.words, is_removed)
    for ordinal, event in spoken:
        code, at = event.wizard, turns[ordinal].closed_at
        before = (old.wizard for old in gone if old.seat == code and ordinal < old.until)
        speaker = next(before, None) or dict(seated)[code]
        yield _StoredMessage(0, code, speaker, ordinal, at, event.words, (ordinal, code) in removed)


def speech_lock_text(duel: Duel, wizard: Wizard) -> str:
    """Return a sentence if a referee has locked messages of the duel or wizard, otherwise ""."""
    if duel.speech_locked_at is not None:
        return "A referee has locked messages in this duel."
    return "A referee has locked your messages." if wizard.speech_locked_at is not None else ""


def _reason_for_silence(duel: Duel, me: Wizard | None, seated: Iterable[Wizard]) -> str:
    """Return the reason why the reader cannot send messages, or "". The rules are those of
    `commands.speaking`."""
    if me is None:
        return "Only the wizards in this duel can write here."
    if sum(wizard.kind in HUMAN_KINDS for wizard in seated) < 2:
        return NO_READERS_TEXT
    return speech_lock_text(duel, me)
