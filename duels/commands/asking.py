"""Questions that wizards must answer after the reveal, batch by batch. rules: turn:answers"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import engine.play
from duels.commands.alarms import FAILURE_COLUMNS, end_failure_alarm
from duels.commands.awaiting import await_wizards
from duels.loaded.open_turn import OpenTurn
from duels.models import Orders, QuestionRound, Stage
from duels.post.kinds.question import Question
from duels.post.public import notify


def ask_questions(turn: OpenTurn, questions: Sequence[engine.play.Question], now: datetime) -> None:
    """Make the turn wait for answers to this next batch of questions, which may be empty."""
    row = turn.row
    row.questions = turn.questions_to_store(questions)
    row.stage = Stage.ANSWERS
    row.batch += 1
    end_failure_alarm(row, now)  # an earlier attempt to play the turn may have failed
    row.save(update_fields=["stage", "batch", "questions", *FAILURE_COLUMNS])
    QuestionRound.objects.create(turn=row, batch=row.batch, asked_at=now)
    asked = {question.wizard for question in questions}
    await_wizards(row, turn.seats, asked, now)
    readers = [seat.wizard for seat in turn.seats if seat.code in asked]
    notify(Question, readers, turn.duel, now, turn=row)


def ask_remaining_questions(turn: OpenTurn, now: datetime) -> None:
    """Ask the questions that are still open after a wizard has left, as a new batch.

    Answers that were sealed in the interrupted batch count if their questions are asked again.
    Answers that were taken back do not count. rules: turn:stepwise
    """
    back = [seal for seal in turn.seals if seal.stage == Stage.ANSWERS and not seal.is_sealed]
    Orders.objects.filter(pk__in=[seal.pk for seal in back]).update(superseded=True)
    sealed = replace(turn, seals=tuple(seal for seal in turn.seals if seal not in back))
    ask_questions(sealed, sealed.open_questions(), now)
