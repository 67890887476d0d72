"""Query for the questions after the reveal. `OpenTurn.as_known_to` decides what other wizards can
see of them."""

from typing import Final

from duels.models import Seat, Stage, Turn
from duels.queries.rows import AskedQuestion
from engine.play import BEFORE_REVEAL

STORED: Final = ("id", "kind", "about", "default", "is_preset", "text", "hand")


def questions_for(turn: Turn, own_seat: Seat | None) -> tuple[AskedQuestion, ...]:
    """Return the questions that the wizard of this seat must answer in the turn."""
    if own_seat is None or turn.stage != Stage.ANSWERS:
        return ()
    return tuple(
        AskedQuestion(
            **{name: asked[name] for name in STORED},
            options=tuple(asked["options"]),
            words=tuple(asked["words"]),
            precedes_reveal=asked["kind"] in BEFORE_REVEAL,
        )
        for asked in turn.questions
        if asked["wizard"] == own_seat.code
    )
