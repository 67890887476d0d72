"""The practice opponent: what it may look at, that it obeys the rules, and that it is no fool."""

import random

import pytest

import engine
from duels import practice

RULESETS = tuple(engine.RULESETS)


def played(
    ruleset: str, seed: int, *, wizards: int = 2, turns: int = 12, options: tuple[str, ...] = ()
) -> engine.Position:
    """The position after a duel of practice opponents, or after so many turns of it."""
    luck = random.Random(seed)
    dice = engine.Dice(luck.randbytes(32))
    position = engine.begin(ruleset, [engine.Duellist()] * wizards, options=options)
    past: list[engine.Turn] = []
    for ordinal in range(1, turns + 1):
        if position.outcome:
            break
        history = engine.History(past, position)
        orders = {
            wizard: practice.orders(history, wizard, luck) for wizard in engine.acting(position)
        }
        answers: dict[str, str] = {}
        while asked := engine.questions(position, orders, answers, dice):
            for wizard in dict.fromkeys(question.wizard for question in asked):
                answers |= practice.answers(history, wizard, asked, luck)
        after, events = engine.resolve(position, orders, answers, dice)
        past.append(engine.Turn(ordinal, position, events))
        position = after
    return position


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_plays_by_the_rules_of_every_ruleset(ruleset: str) -> None:
    """`resolve` refuses illegal orders."""
    assert played(ruleset, 1).turn > 5


def test_it_answers_everything_in_a_strict_duel() -> None:
    assert played("spellcast-1", 2, options=("strict",)).turn > 5
