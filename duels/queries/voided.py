"""A turn that a referee has made void, as one reader may look at it still."""

import engine
from duels import adjudication
from duels.loading import load_turn
from duels.models import Duel, Seat, Stage, Turn, Wizard
from duels.queries.rows import VoidTurnPage
from duels.queries.stories import WINDOW, observer_of, readable_reports, reader_of


def void_turn_page(
    duel: Duel, roll_back: int, ordinal: int, viewer: Wizard | None
) -> VoidTurnPage | None:
    """What the viewer is shown of a void turn that was played; None where there is none."""
    turns = _branch(duel, roll_back, ordinal)
    turn = turns[-1] if turns else None
    if turn is None or (turn.ordinal, turn.voided_in, turn.stage) != (
        ordinal,
        roll_back,
        Stage.RESOLVED,
    ):
        return None
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    observer = observer_of(duel, mine)
    history = adjudication.history(turns, _after(turn))
    view = engine.view(history, observer)
    told = engine.narrate(view, reader_of(view, mine))
    removed = frozenset((each.ordinal, code) for each in turns for code in each.silenced)
    reports = readable_reports(told, seats, viewer, duel, removed=removed)
    return VoidTurnPage(
        duel=duel,
        turn=turn,
        view=view,
        report=next((report for report in reports if report.ordinal == ordinal), None),
    )


def _branch(duel: Duel, roll_back: int, ordinal: int) -> list[Turn]:
    """The newest turns up to this one, oldest first, that counted before that roll back."""
    later = Turn.with_voided.filter(duel=duel, ordinal__lte=ordinal, ordinal__gt=ordinal - WINDOW)
    of_it: dict[int, Turn] = {}
    # Of an ordinal that the roll back left alone, the oldest that it has not found void already.
    for turn in later.order_by("ordinal", "pk"):
        if turn.voided_in == roll_back:
            of_it[turn.ordinal] = turn
        elif turn.voided_in == 0 or turn.voided_in > roll_back:
            of_it.setdefault(turn.ordinal, turn)
    return [of_it[number] for number in sorted(of_it)]


def _after(turn: Turn) -> engine.Position:
    """What the void turn had led to: the turn after it knows, or the seals in it."""
    following = Turn.with_voided.filter(
        duel=turn.duel_id, voided_in=turn.voided_in, ordinal=turn.ordinal + 1
    ).first()
    if following is not None:
        return adjudication.start_of(following)
    loaded = load_turn(turn.pk)
    assert loaded is not None
    acting = set(engine.acting(loaded.position))
    if loaded.position.outcome or not acting <= set(loaded.orders):
        return loaded.position  # the last of the others has left in it
    fell = adjudication.dice_as_they_fell([turn])
    after, _ = engine.resolve(loaded.position, loaded.orders, loaded.answers(), fell)
    return after
