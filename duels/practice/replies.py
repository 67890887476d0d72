"""The practice opponent's answers to what is asked after the reveal."""

import random
from collections.abc import Sequence

import engine
from duels.practice.play import Mind
from duels.practice.worth import worth


def answers(
    history: engine.History, wizard: str, questions: Sequence[engine.Question], luck: random.Random
) -> dict[str, str]:
    """One of the options for each of his questions, by the question's id."""
    mind = Mind(history, wizard, luck)
    return {
        question.id: _answer(mind, question) for question in questions if question.wizard == wizard
    }


def _answer(mind: Mind, question: engine.Question) -> str:
    wanted: list[str] = []
    match question.kind:
        case "target" if question.spell == "stab":
            wanted = list(mind.aims.victims())
        case "target":
            wanted = mind.aims.subjects(mind.rules.spells[_spell(question.spell)])
        case "attack":
            wanted = mind.aims.victims()
        case "left_spell" | "right_spell":
            wanted = sorted(question.options, key=lambda name: -_worth(mind, name))
        case "which_delay" | "which_permanency":
            named = zip(question.options, question.labels, strict=True)
            ranked = sorted(named, key=lambda row: -_worth(mind, row[1]))
            wanted = [hand for hand, _ in ranked]
        case "release":
            wanted = ["yes"]
        case _:
            pass
    return next((option for option in wanted if option in question.options), question.default)


def _spell(name: str) -> str:
    """The spell's id in the name of a choice, which may name a pattern too."""
    return name.partition("/")[0]


def _worth(mind: Mind, name: str) -> float:
    return worth(_spell(name), mind.needs[mind.wizard])
