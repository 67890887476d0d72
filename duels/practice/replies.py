"""The practice opponent's answers to questions after the reveal."""

import random
from collections.abc import Sequence

import engine.orders
import engine.play
from duels.practice.forecast import Forecast
from duels.practice.remaining_orders import preferred_answer
from duels.practice.seat import PracticeSeat
from duels.practice.spell_values import spell_value
from engine.play import NOTHING


def choose_answers(
    history: engine.play.History,
    wizard: str,
    questions: Sequence[engine.play.Question],
    rng: random.Random,
) -> dict[str, str]:
    """Return the chosen option for each of this wizard's questions, by the question's id."""
    seat = PracticeSeat(history, wizard)
    return {
        question.id: _choose_answer(seat, question)
        for question in questions
        if question.wizard == wizard
    }


def _choose_answer(seat: PracticeSeat, question: engine.play.Question) -> str:
    wanted: list[str] = []
    match question.kind:
        case "target" if question.spell == "stab":
            wanted = list(seat.aims.attack_targets())
        case "target":
            wanted = seat.aims.targets_for(seat.rules.spells[_spell_id(question.spell)])
        case "attack":
            wanted = seat.aims.attack_targets()
        case "left_spell" | "right_spell":
            wanted = sorted(question.options, key=lambda name: -_spell_worth(seat, name))
            wanted = _safe_spells(seat, question, wanted) or wanted
        case "which_delay" | "which_extend":
            named = zip(question.options, question.labels, strict=True)
            ranked = sorted(named, key=lambda row: -_spell_worth(seat, row[1]))
            wanted = [hand for hand, _ in ranked]
        case "release":
            wanted = ["yes"] if _spell_worth(seat, question.spell) > 0 else []
        case "charm_gesture":
            wanted = [NOTHING]
        case _:
            wanted = [preferred_answer(seat, question.kind, question.about)]
    return next((option for option in wanted if option in question.options), question.default)


def _safe_spells(seat: PracticeSeat, question: engine.play.Question, names: list[str]) -> list[str]:
    """Return the spells in this question with which the wizard survives every rival move."""

    def orders_of(name: str) -> engine.orders.Orders:
        spell, _, pattern = name.partition("/")
        letter = (pattern or seat.rules.spells[spell].patterns[0])[-1]
        other = letter.upper() if letter.islower() else NOTHING
        pair = (letter.upper(), other) if question.hand == "L" else (other, letter.upper())
        hand = "BH" if letter.islower() else question.hand
        subjects = seat.aims.targets_for(seat.rules.spells[spell])[:1]
        aimed = dict.fromkeys([hand], subjects[0]) if subjects else {}
        return engine.orders.Orders(sets=(engine.orders.HandSet(*pair, {hand: spell}, aimed),))

    return Forecast(seat).dangers.surviving_options(names, orders_of, len(names))


def _spell_id(name: str) -> str:
    """Return the spell's id from an option's name, which may also contain a pattern."""
    return name.partition("/")[0]


def _spell_worth(seat: PracticeSeat, name: str) -> float:
    return spell_value(_spell_id(name), seat.needs[seat.wizard])
