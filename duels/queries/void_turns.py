"""Queries for turns that a referee has made void, as one reader may still see them."""

import engine.play
import engine.words
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import hides_questions
from duels.models import Duel, Seat, Stage, Turn, Wizard, seat_of
from duels.queries.pages import past_seals
from duels.queries.rows import VoidTurnPage
from duels.queries.stories import TURNS_SHOWN_AT_FIRST, observer_code, readable_reports, reader_code


def void_turn_page(
    duel: Duel, roll_back: int, ordinal: int, viewer: Wizard | None
) -> VoidTurnPage | None:
    """Return the page of a void turn for the viewer, or None if there is no such turn."""
    turns = _voided_turns_up_to(duel, roll_back, ordinal)
    turn = turns[-1] if turns else None
    if turn is None or not roll_back or (turn.ordinal, turn.voided_in) != (ordinal, roll_back):
        return None
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = seat_of(seats, viewer)
    observer = observer_code(duel, mine)
    was_played = turn.stage == Stage.RESOLVED
    history = adjudication.history(turns, _position_after(turn))
    if not was_played:
        history = _history_with_reveal(turn, history)
    view = engine.play.view(history, observer)
    all_reports = engine.words.narrate(view, reader_code(view, mine))
    removed = frozenset((each.ordinal, code) for each in turns for code in each.silenced)
    reports = readable_reports(all_reports, seats, viewer, duel, removed=removed)
    return VoidTurnPage(
        duel=duel,
        turn=turn,
        view=view,
        report=next((report for report in reports if report.ordinal == ordinal), None),
        seals=past_seals(duel, turn, mine, seats),
        was_played=was_played,
    )


def _history_with_reveal(turn: Turn, history: engine.play.History) -> engine.play.History:
    """Return the history, with the gestures of this unplayed turn if they were revealed."""
    loaded = load_turn(turn.pk)
    if loaded is None or not turn.batch or hides_questions(turn.kind):
        return history
    return loaded.history_with_reveal(history)


def _voided_turns_up_to(duel: Duel, roll_back: int, ordinal: int) -> list[Turn]:
    """Return the turns up to this one that were valid before the rollback, oldest first."""
    later = Turn.with_voided.filter(
        duel=duel, ordinal__lte=ordinal, ordinal__gt=ordinal - TURNS_SHOWN_AT_FIRST
    )
    by_ordinal: dict[int, Turn] = {}
    # For each ordinal, take the turn that was valid just before the rollback.
    for turn in later.order_by("ordinal", "pk"):
        if turn.voided_in == roll_back:
            by_ordinal[turn.ordinal] = turn
        elif turn.voided_in == 0 or turn.voided_in > roll_back:
            by_ordinal.setdefault(turn.ordinal, turn)
    return [by_ordinal[number] for number in sorted(by_ordinal)]


def _position_after(turn: Turn) -> engine.play.Position:
    """Return the position after the void turn, taken from the next turn or computed from the turn's
    seals.

    If the turn was not played, only departures affect the position, and seals are not opened.
    """
    if turn.stage != Stage.RESOLVED:
        return adjudication.position_after_departures(turn)
    following = Turn.with_voided.filter(
        duel=turn.duel_id, voided_in=turn.voided_in, ordinal=turn.ordinal + 1
    ).first()
    if following is not None:
        return adjudication.position_at_start(following)
    loaded = load_turn(turn.pk)
    assert loaded is not None
    acting = set(engine.play.acting_wizards(loaded.position))
    if loaded.position.outcome or not acting <= set(loaded.orders):
        return loaded.position  # the duel ended during this turn because the last opponent left
    dice = adjudication.recorded_dice([turn])
    after, _ = engine.play.resolve(loaded.position, loaded.orders, loaded.answers(), dice)
    return after
