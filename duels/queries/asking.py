"""Who is asked after the reveal, and what the others see of it.

That a question arose in an extra turn is hidden from all who are not asked. rules: R121, R162
"""

from copy import copy

from duels.models import Orders, Seat, Stage, Turn, TurnKind
from duels.queries.rows import AskedQuestion
from engine.questions import BEFORE_REVEAL


def as_known(turn: Turn, mine: Seat | None) -> Turn:
    """The turn at the stage that this observer may know of.

    That an extra turn asks shows that a spell works in it, which is hidden: for whoever is not
    asked it waits for orders still. rules: R121, R162
    """
    if turn.kind != TurnKind.EXTRA or turn.stage != Stage.ANSWERS or is_asked(turn, mine):
        return turn
    known = copy(turn)
    known.stage, known.batch, known.questions = Stage.ORDERS, 0, []
    return known


def is_asked(turn: Turn, mine: Seat | None) -> bool:
    """Whether the wizard of this seat has been asked something in the turn so far."""
    if mine is None:
        return False
    answered = Orders.objects.filter(turn=turn, seat=mine, stage=Stage.ANSWERS)
    return bool(questions_for(turn, mine)) or answered.exists()


def questions_for(turn: Turn | None, mine: Seat | None) -> tuple[AskedQuestion, ...]:
    """What the wizard of this seat is asked in the turn."""
    if turn is None or mine is None or turn.stage != Stage.ANSWERS:
        return ()
    return tuple(
        AskedQuestion(
            id=asked["id"],
            kind=asked["kind"],
            about=asked["about"],
            options=tuple(asked["options"]),
            words=tuple(asked["words"]),
            default=asked["default"],
            is_preset=asked["is_preset"],
            precedes_reveal=asked["kind"] in BEFORE_REVEAL,
            text=asked["text"],
        )
        for asked in turn.questions
        if asked["wizard"] == mine.code
    )
