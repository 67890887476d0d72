"""Queries for the contents of a duel's picture, which shows a spectator's view, or everything once
the duel is over."""

from dataclasses import dataclass

import engine.play
import engine.words
from duels.loaded import adjudication
from duels.models import Duel, Seat, Stage, Turn
from duels.queries.stories import position_at

MAX_TURNS_LOADED = 8  # number of turns to load; each has at least one set of gestures


@dataclass(frozen=True)
class PictureMoment:
    """The moment of a duel that a picture shows. The same moment always gives the same picture."""

    duel_id: int
    names: tuple[str, ...]  # the wizards' names, in order of place
    ordinal: int  # ordinal of the last turn shown, or 0 before the first turn
    is_end: bool  # whether the duel ended at this moment, which may be in the middle of a turn
    is_open: bool  # whether everything is visible
    acts: int = 0  # changes whenever a referee's act changes the picture


def picture_moment(duel: Duel, ordinal: int | None = None) -> PictureMoment | None:
    """Return the moment after this turn, or the current moment if no turn is given. Return None if
    the turn does not exist."""
    rows = Turn.objects.filter(duel=duel).order_by("-ordinal")
    turns = list(rows.only("ordinal", "stage", "roll_backs"))  # one query for all turns
    if not turns:
        return None
    shown = turns[0]
    newest = shown.ordinal if shown.stage == Stage.RESOLVED else shown.ordinal - 1
    if ordinal is not None:
        if not 1 <= ordinal <= newest:
            return None
        shown = next(turn for turn in turns if turn.ordinal == ordinal)
    seats = Seat.objects.filter(duel=duel).select_related("wizard").order_by("place")
    return PictureMoment(
        duel_id=duel.pk,
        names=tuple(seat.wizard.name for seat in seats),
        ordinal=newest if ordinal is None else ordinal,
        is_end=duel.is_over and ordinal is None,
        is_open=duel.is_over,
        acts=last_act_in_picture(duel, shown),
    )


def last_act_in_picture(duel: Duel, turn: Turn) -> int:
    """Return a number that changes whenever an act changes the picture of this turn.

    Until the duel is over, only rollbacks change the picture, and hidden acts must not change its
    address.
    """
    return duel.last_act if duel.is_over else turn.roll_backs


def picture_content(
    duel: Duel, moment: PictureMoment
) -> tuple[engine.play.View, engine.words.TurnReport | None]:
    """Return the view at this moment, and the report of the last turn."""
    turns, after = _turns_until(duel, moment)
    observer = engine.play.ALL if moment.is_open else engine.play.SPECTATOR
    view = engine.play.view(adjudication.history(turns, after), observer)
    reports = engine.words.narrate(view)
    return view, reports[-1] if reports else engine.words.opening_report(view)


def _turns_until(duel: Duel, moment: PictureMoment) -> tuple[list[Turn], engine.play.Position]:
    turns = Turn.objects.filter(duel=duel).order_by("-ordinal")
    if moment.is_end:
        # At the end of the duel, the last turn may have events although it was not played.
        played = [turn for turn in turns[: MAX_TURNS_LOADED + 1] if turn.events is not None]
        position = position_at(duel, None)
        if position is None and played:
            position = adjudication.position_after_departures(played[0])
    else:
        newest = list(turns.filter(ordinal__lte=moment.ordinal + 1)[: MAX_TURNS_LOADED + 1])
        played = [turn for turn in newest if turn.ordinal <= moment.ordinal]
        following = newest[0] if newest[0].ordinal > moment.ordinal else None
        position = (
            adjudication.position_at_start(following) if following else position_at(duel, None)
        )
    assert position is not None
    return played[::-1], position
