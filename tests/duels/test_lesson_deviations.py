"""Learners who leave the lesson's script once and then follow the guide, and who still win."""

import random
from collections.abc import Iterator
from typing import Final

import pytest

import engine.play
from duels.lessons.first import FIRST_LESSON
from duels.lessons.script import LEARNER, RIVAL, gesture_orders
from duels.practice.gentle import gentle_orders
from duels.practice.suggestion import suggested_gestures
from engine.orders import Orders
from engine.play import NOTHING, SURRENDER_PAIR, Dice, History, NoDice, Position, Turn
from tests import daily
from tests.opponents import allowed_gesture_pairs

DEVIATIONS: Final = 50
MAX_LOSSES: Final = 5
LAST_DEVIATION: Final = 7
DICE: Final = Dice(b"deviations")


def deviations() -> Iterator[tuple[int, str]]:
    """Yield turns, each with a pair of gestures that differs from the script."""
    luck = random.Random("deviations")
    for _ in range(DEVIATIONS):
        turn = luck.randint(1, LAST_DEVIATION)
        sheet = engine.play.sheet(position_before(turn), LEARNER)
        pairs = {*allowed_gesture_pairs(sheet.sets[0])} - {
            FIRST_LESSON.steps[turn - 1].learner,
            SURRENDER_PAIR,
        }
        yield turn, luck.choice(sorted(pairs))


def position_before(turn: int) -> Position:
    """Return the position before a turn of the script."""
    position = first_position()
    for step in FIRST_LESSON.steps[: turn - 1]:
        orders = {LEARNER: gesture_orders(step.learner), RIVAL: gesture_orders(step.rival)}
        position, _ = engine.play.resolve(position, orders, {}, NoDice())
    return position


def first_position() -> Position:
    wizards = [engine.play.Duellist("Learner"), engine.play.Duellist("Rival")]
    return engine.play.begin(FIRST_LESSON.ruleset, wizards, setup=FIRST_LESSON.engine_setup())


def winner_after_deviation(turn: int, pair: str) -> str:
    """Return the winner if the learner deviates once, in this turn, by making this pair.

    Return "" if nobody wins before the opponent would resign.
    """
    position, past = first_position(), list[Turn]()
    luck = random.Random(f"{turn} {pair}")
    for ordinal in range(1, FIRST_LESSON.patience + 1):
        history = History(tuple(past), position)
        step = FIRST_LESSON.step_at(ordinal, engine.play.dump(position))
        if ordinal == turn:
            mine = gesture_orders(pair)
        else:
            mine = gesture_orders(step.learner if step else suggested_pair(history))
            assert engine.play.cautions(position, LEARNER, mine) == ()
        theirs = gesture_orders(step.rival) if step else gentle_orders(history, RIVAL, luck)
        after, events = play_turn(position, {LEARNER: mine, RIVAL: theirs})
        past.append(Turn(ordinal, position, events))
        position = after
        if position.outcome:
            return position.outcome
    return ""


def suggested_pair(history: History) -> str:
    return suggested_gestures(history, LEARNER) or NOTHING * 2


def play_turn(
    position: Position, orders: dict[str, Orders]
) -> tuple[Position, tuple[engine.play.Event, ...]]:
    """Play one turn, and answer all questions with their defaults."""
    answers: dict[str, str] = {}
    while asked := engine.play.questions(position, orders, answers, DICE):
        answers |= {question.id: question.default for question in asked}
    return engine.play.resolve(position, orders, answers, DICE)


@pytest.mark.long
def test_learner_who_leaves_the_script_once_still_wins() -> None:
    """None of the guide's suggestions may cause a warning.

    A third of the deviations is played each day.
    """
    played = daily.sample(deviations(), 3)
    lost = [(turn, pair) for turn, pair in played if winner_after_deviation(turn, pair) != LEARNER]
    assert len(lost) <= MAX_LOSSES, lost
