"""What an observer may know of the turns that were played: views and reports."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import Value

import engine
from duels import adjudication, records
from duels.errors import Refused
from duels.models import (
    Block,
    Duel,
    DuelStatus,
    Mute,
    Orders,
    Seat,
    Stage,
    Turn,
    Wizard,
)
from duels.queries.asking import as_known
from duels.queries.rows import (
    Story,
)
from engine.replay import transcript as transcript_of

WINDOW = 20  # turns on a duel's page, the open one among them
KEPT = 256  # views that a process remembers
EVERYTHING = "all"  # the observer of a duel that is over
SPECTATOR = "spectator"


def story(duel: Duel, reader: Wizard, turn: Turn | None) -> Story:
    """What the reader may know when this turn opens; without a turn, of the whole duel's end."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next(seat for seat in seats if seat.wizard_id == reader.pk)
    turn = as_known(turn, mine) if turn else None
    played = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("-ordinal")
    if turn is not None:
        played = played.filter(ordinal__lt=turn.ordinal)
    turns = list(played[:WINDOW])[::-1]
    position = adjudication.start_of(turn) if turn else position_at(duel, None)
    assert position is not None
    observer = mine.code if turn else EVERYTHING
    history = adjudication.history(turns, position)
    # Turns that needed nobody have closed together with the one before them.
    news = {other.ordinal for other in turns if other.closed_at == turns[-1].closed_at}
    if turn is not None and turn.stage == Stage.ANSWERS:
        turn.duel = duel
        history = adjudication.with_reveal(history, turn, played_in(turn))
        news = {turn.ordinal}
    view = engine.view(history, observer)
    reports = heard(engine.narrate(view), seats, reader)
    told = tuple(report for report in reports if report.ordinal in news)
    opening = opened(view, turn.ordinal) if turn and not told else None
    return Story(view, (opening,) if opening else told)


def record(duel: Duel) -> dict[str, Any]:
    """The record of a duel that is over, from which anyone can play it again and check it."""
    if not duel.is_over:
        raise Refused("not_over", "The record is open when the duel is over.")
    return records.record(duel)


def transcript(duel: Duel) -> str:
    """The story of a duel that is over, as text."""
    if not duel.is_over:
        raise Refused("not_over", "The transcript is open when the duel is over.")
    return transcript_of(records.record(duel))


def opened(view: engine.View, ordinal: int) -> engine.TurnReport | None:
    """What is told before the first turn, if the view of this turn begins there. rules: R115"""
    first = view.turns[0].ordinal if view.turns else ordinal
    return engine.opening(view) if first == 1 else None


def observer_of(duel: Duel, mine: Seat | None) -> str:
    if duel.is_over:
        return EVERYTHING
    return mine.code if mine else SPECTATOR


def eyes_of(duel: Duel, seats: Iterable[Seat], mine: Seat | None) -> tuple[str, ...]:
    """Through whose eyes a reader may look, his usual ones first.

    While the duel runs only through his own and a spectator's, and then through everybody's.
    """
    if duel.is_over:
        return (EVERYTHING, *sorted(seat.code for seat in seats), SPECTATOR)
    return (mine.code, SPECTATOR) if mine else (SPECTATOR,)


@dataclass(frozen=True)
class Moment:
    """A turn that waits for orders, as one observer sees it. What was played before it is the same
    for as long as it waits, unless a wizard gets another name."""

    seed_commitment: str  # no two duels have the same
    ordinal: int
    observer: str
    names: tuple[tuple[str, str], ...]
    last: int
    turn: Turn = field(compare=False)


def story_so_far(
    duel: Duel, turn: Turn, seats: Iterable[Seat], observer: str, last: int
) -> tuple[engine.View, tuple[engine.TurnReport, ...]]:
    """What the observer may know of the newest turns, and its reports."""
    if duel.status == DuelStatus.RUNNING and turn.stage == Stage.ORDERS and not turn.resigned:
        names = tuple((seat.wizard.name, seat.wizard.pronouns) for seat in seats)
        at = Moment(duel.seed_commitment, turn.ordinal, observer, names, last, turn)
        return story_before(at)
    position = position_at(duel, turn)
    assert position is not None
    history = adjudication.history(shown(turn, last), position)
    if turn.stage == Stage.ANSWERS and duel.status == DuelStatus.RUNNING:
        turn.duel = duel
        history = adjudication.with_reveal(history, turn, played_in(turn))
    view = engine.view(history, observer)
    return view, engine.narrate(view)


@lru_cache(maxsize=KEPT)
def story_before(at: Moment) -> tuple[engine.View, tuple[engine.TurnReport, ...]]:
    """Players come back, and spectators come: a page shows the same turns many times."""
    history = adjudication.history(shown(at.turn, at.last), adjudication.start_of(at.turn))
    view = engine.view(history, at.observer)
    return view, engine.narrate(view)


def shown(turn: Turn, last: int) -> list[Turn]:
    """The newest turns up to this one, oldest first, in which something has happened."""
    before = Turn.objects.filter(duel=turn.duel_id, ordinal__lt=turn.ordinal).order_by("-ordinal")
    turns = [*list(before[: max(last - 1, 0)])[::-1], turn]
    return [each for each in turns if each.events is not None] if last else []


def earlier(view: engine.View | None) -> int | None:
    """The ordinal of the newest turn that was played before those of the view."""
    oldest = view.turns[0].ordinal if view and view.turns else 1
    return oldest - 1 or None


def position_at(duel: Duel, turn: Turn | None) -> engine.Position | None:
    if duel.final_position is not None:
        return adjudication.loaded_position(duel.final_position)
    return adjudication.position_of(turn) if turn else None


def heard(
    reports: Iterable[engine.TurnReport], seats: Iterable[Seat], viewer: Wizard | None
) -> tuple[engine.TurnReport, ...]:
    """The reports without the words of wizards whom the viewer has blocked or muted."""
    reports = tuple(reports)
    spoken = {line.wizard for report in reports for line in report.lines if line.code == "spoke"}
    if viewer is None or not spoken:
        return reports
    unheard = unheard_by(viewer)
    silent = {seat.code for seat in seats if seat.wizard_id in unheard}
    return tuple(adjudication.unspoken(report, silent) for report in reports)


def unheard_by(viewer: Wizard) -> dict[int, bool]:
    """The wizards whose words this viewer does not read, by key; whether only muted."""
    blocked = Block.objects.filter(wizard=viewer).values_list("blocked_id", Value(False))
    muted = Mute.objects.filter(wizard=viewer).values_list("muted_id", Value(True))
    # Who is both is blocked: that one comes last.
    return dict(sorted(blocked.union(muted), key=lambda row: not row[1]))


def played_in(turn: Turn) -> list[Orders]:
    """What stands sealed for all stages of the turn so far."""
    return list(Orders.objects.filter(turn=turn, superseded=False).select_related("seat"))
