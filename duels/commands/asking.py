"""Questions after the reveal: put to their wizards, batch by batch. rules: turn:answers"""

from collections.abc import Sequence
from datetime import datetime

import engine
from duels import adjudication
from duels.commands.notices import notice, queue
from duels.commands.opening import await_wizards
from duels.commands.sealing import awaited_in
from duels.models import NoticeKind, Orders, Seat, Stage, Turn


def ask(
    turn: Turn, questions: Sequence[engine.Question], orders: Sequence[Orders], now: datetime
) -> None:
    """The turn waits for the answers to its next batch of questions; none: for nobody."""
    turn.stage = Stage.ANSWERS
    turn.batch += 1
    turn.questions = adjudication.dumped_questions(turn, questions, orders)
    asked = awaited_in(turn)
    await_wizards(turn, asked, now)
    turn.save(update_fields=["stage", "batch", "questions", "missing"])
    seats = Seat.objects.filter(duel=turn.duel).select_related("wizard")
    queue(
        notice(NoticeKind.QUESTION, seat.wizard, turn.duel, now, turn=turn)
        for seat in seats
        if seat.code in asked
    )


def ask_again(turn: Turn, orders: Sequence[Orders], now: datetime) -> None:
    """Who has left was among the answers: what is open without him is the next batch.

    What the others have sealed in the batch that is broken off stays an answer where it still is
    one; what they have taken back is not sealed. rules: turn:stepwise
    """
    back = [row for row in orders if row.stage == Stage.ANSWERS and not row.is_sealed]
    Orders.objects.filter(pk__in=[row.pk for row in back]).update(superseded=True)
    sealed = [row for row in orders if row not in back]
    ask(turn, adjudication.asked(turn, sealed), sealed, now)
