"""What was said in a duel, as one reader may read it: between turns, with turns, after the end.

What was said with a turn is part of its orders and known since it was revealed; it comes from the
reader's view of the duel, so it is there exactly where his reports have it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

import engine
from duels.models import Duel, Seat, Speech, Turn, Wizard, WizardKind
from duels.queries.asking import as_known
from duels.queries.rows import DuelPage
from duels.queries.stories import observer_of, story_so_far, unheard_by
from engine.events import Spoke

KEPT = 40  # speeches between turns on a duel's page
EVERY = 1_000  # speeches on the page of all words: more than anybody reads

Turns = dict[int, tuple[int, str, datetime | None]]  # number, kind, and when it was resolved


@dataclass(frozen=True)
class Said:
    """Words of one wizard. Those of one who is muted are not here, only that there are some."""

    id: int  # of a speech; 0 of what was said with a turn
    speaker: Wizard
    code: str  # the speaker's seat
    ordinal: int  # of the turn that was open, or with which it was said
    number: int
    kind: str
    at: datetime | None  # None while the turn with which it was said is not resolved
    words: str
    with_turn: bool
    after_end: bool
    is_muted: bool
    is_mine: bool
    is_new: bool


@dataclass(frozen=True)
class Talk:
    """All that is shown of what was said in a duel, the newest last."""

    said: tuple[Said, ...]
    has_earlier: bool
    may_speak: bool
    last: int  # the last speech between turns, shown or not; 0 if there is none


@dataclass(frozen=True)
class _Reader:
    """Who reads, and what he does not read."""

    wizard: Wizard | None
    read: int
    unheard: dict[int, bool]


def talk(page: DuelPage, viewer: Wizard | None) -> Talk:
    """What was said during the turns that the page shows."""
    turns = page.view.turns if page.view else ()
    newest = _newest(page.duel, KEPT + 1) if page.last_speech else []
    oldest = turns[0].ordinal if turns else 0
    kept = [speech for speech in newest[:KEPT] if speech.ordinal >= oldest][::-1]
    seated = [(seat.code, seat.wizard) for seat in page.seats]
    me = page.me.wizard if page.me else None
    return Talk(
        said=_heard(page.duel, kept, turns, seated, viewer, page.read_speech),
        has_earlier=len(kept) < len(newest) or oldest > 1,
        may_speak=_may_speak(me, [wizard for _, wizard in seated]),
        last=page.last_speech,
    )


def all_words(duel: Duel, viewer: Wizard | None) -> tuple[Said, ...]:
    """Everything that was said in the duel so far, the oldest first."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    turn = Turn.objects.filter(duel=duel).order_by("-ordinal").first()
    assert turn is not None
    turn = as_known(turn, mine)
    view, _ = story_so_far(duel, turn, seats, observer_of(duel, mine), turn.ordinal)
    speeches = _newest(duel, EVERY)[::-1]
    seated = [(seat.code, seat.wizard) for seat in seats]
    read = mine.read_speech if mine else 0
    return _heard(duel, speeches, view.turns, seated, viewer, read)


def _newest(duel: Duel, most: int) -> list[Speech]:
    return list(Speech.objects.filter(duel=duel).order_by("-pk")[:most])


def _heard(
    duel: Duel,
    speeches: Iterable[Speech],
    turns: Iterable[engine.TurnView],
    seated: list[tuple[str, Wizard]],
    viewer: Wizard | None,
    read: int,
) -> tuple[Said, ...]:
    """These words in the order in which they became known, without those of the blocked."""
    speeches = list(speeches)
    spoken = [
        (turn.ordinal, event) for turn in turns for event in turn.events if isinstance(event, Spoke)
    ]
    if not speeches and not spoken:
        return ()
    known = _turns(duel, {speech.ordinal for speech in speeches} | {at for at, _ in spoken})
    reader = _Reader(viewer, read, unheard_by(viewer) if viewer else {})
    said = [
        *_between(duel, speeches, known, seated, reader),
        *_with_turns(spoken, known, seated, reader),
    ]
    # Words that came with a turn are known when it is resolved: after what was said until then.
    said.sort(key=lambda each: (each.ordinal, each.after_end, each.with_turn))
    return tuple(said)


def _between(
    duel: Duel,
    speeches: Iterable[Speech],
    turns: Turns,
    seated: list[tuple[str, Wizard]],
    reader: _Reader,
) -> Iterator[Said]:
    codes = {wizard.pk: (code, wizard) for code, wizard in seated}
    for speech in speeches:
        code, speaker = codes[speech.wizard_id]
        if reader.unheard.get(speaker.pk) is False:
            continue
        is_mine = reader.wizard is not None and speaker.pk == reader.wizard.pk
        is_muted = speaker.pk in reader.unheard
        number, kind, _ = turns[speech.ordinal]
        yield Said(
            id=speech.pk,
            speaker=speaker,
            code=code,
            ordinal=speech.ordinal,
            number=number,
            kind=kind,
            at=speech.said_at,
            words="" if is_muted else speech.words,
            with_turn=False,
            after_end=duel.was_over_at(speech.said_at),
            is_muted=is_muted,
            is_mine=is_mine,
            is_new=bool(reader.wizard) and speech.pk > reader.read and not is_mine,
        )


def _with_turns(
    spoken: Iterable[tuple[int, Spoke]],
    turns: Turns,
    seated: list[tuple[str, Wizard]],
    reader: _Reader,
) -> Iterator[Said]:
    wizards = dict(seated)
    for ordinal, event in spoken:
        speaker = wizards[event.wizard]
        if reader.unheard.get(speaker.pk) is False:
            continue
        is_muted = speaker.pk in reader.unheard
        number, kind, resolved_at = turns[ordinal]
        yield Said(
            id=0,
            speaker=speaker,
            code=event.wizard,
            ordinal=ordinal,
            number=number,
            kind=kind,
            at=resolved_at,
            words="" if is_muted else event.words,
            with_turn=True,
            after_end=False,
            is_muted=is_muted,
            is_mine=reader.wizard is not None and speaker.pk == reader.wizard.pk,
            is_new=False,
        )


def _turns(duel: Duel, ordinals: set[int]) -> Turns:
    rows = Turn.objects.filter(duel=duel, ordinal__in=ordinals)
    found = rows.values_list("ordinal", "number", "kind", "closed_at")
    return {ordinal: (number, kind, closed_at) for ordinal, number, kind, closed_at in found}


def _may_speak(me: Wizard | None, seated: Iterable[Wizard]) -> bool:
    """As `commands.speaking` says: between players."""
    players = {wizard.pk for wizard in seated if wizard.kind == WizardKind.PLAYER}
    return me is not None and me.pk in players and len(players) > 1
