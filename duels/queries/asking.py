"""Query for the questions after the reveal. `OpenTurn.as_known_to` decides what other wizards can
see of them."""

from duels.models import Seat, Stage, Turn
from duels.queries.rows import AskedQuestion
from engine.play import BEFORE_REVEAL


def questions_for(turn: Turn, own_seat: Seat | None) -> tuple[AskedQuestion, ...]:
    """Return the questions that the wizard of this seat must answer in the turn."""
    if own_seat is None or turn.stage != Stage.ANSWERS:
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
            hand=asked["hand"],
        )
        for asked in turn.questions
        if asked["wizard"] == own_seat.code
    )
