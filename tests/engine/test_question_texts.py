"""Tests of the texts of questions and of their options."""

import ast
from typing import Any

import pytest

import engine
import engine.orders
import engine.play
import engine.words
from engine.questions import Question
from engine.words import prose
from tests.engine.board import ADA, begun, duel, made
from tests.engine.reports import POSITION, nodes_of_resolve


@pytest.mark.parametrize(
    ("left", "gesture", "text", "options"),
    [
        (
            "FF",
            "F -",
            "Which of Bram’s hands do you paralyse?",
            ["the left hand", "the right hand"],
        ),
        ("PSD", "F -", "Which of Bram’s hands do you charm?", ["the left hand", "the right hand"]),
        ("CSWW", "S -", "An elemental takes shape: fire or ice?", ["fire", "ice"]),
    ],
)
def test_question_texts(left: str, gesture: str, text: str, options: list[str]) -> None:
    position = duel(begun(left, "C---" if left == "CSWW" else ""))
    orders = {ADA: engine.orders.from_fields(made(gesture))}
    (question,) = engine.play.questions(position, orders, {}, engine.play.NoDice())
    view = engine.play.view(engine.play.History((), position), ADA)
    assert engine.words.question_text(view, question) == text
    assert [
        engine.words.option_text(view, question, option) for option in question.options
    ] == options


# kind, other parts of the question, options, text for Ada, and option texts for Ada
QUESTION_SENTENCES: tuple[tuple[str, dict[str, Any], tuple[str, ...], str, list[str]], ...] = (
    ("target", {"spell": "missile", "hand": "L"}, ("nowhere", "w0", "w1", "m0"),
     "Who do you cast Missile at with your left hand?",
     ["nobody", "yourself", "Bram", "the Red Goblin"]),
    ("target", {"spell": "dispel_magic", "hand": "BH"}, ("w0",),
     "Who do you cast Dispel Magic at with both hands?", ["yourself"]),
    ("target", {"spell": "lightning_bolt/WDDc", "hand": "BH"}, ("w1",),
     "Who do you cast Lightning Bolt (W-D-D-c) at with both hands?", ["Bram"]),
    ("target", {"spell": "fireball", "hand": "BANK"}, ("w1",),
     "Who do you aim the banked Fireball at?", ["Bram"]),
    ("target", {"spell": "summon_goblin", "hand": "L"}, ("w0", "w1"),
     "Who do you cast Summon Goblin for with your left hand?", ["yourself", "Bram"]),
    ("target", {"spell": "summon_goblin", "hand": "BANK"}, ("w1",),
     "Who is the banked Summon Goblin for?", ["Bram"]),
    ("target", {"spell": "stab", "hand": "R"}, ("nowhere", "w1"),
     "Who do you stab with your right hand?", ["nobody", "Bram"]),
    ("attack", {"about": "m0"}, ("nowhere", "w0", "m1"),
     "Who does the Red Goblin attack?", ["nobody", "yourself", "the Green Ogre"]),
    ("attack", {"about": "m0", "number": 1}, ("w1",),
     "Who does the Red Goblin attack first?", ["Bram"]),
    ("attack", {"about": "m0", "number": 2}, ("w1",),
     "Who does the Red Goblin attack next?", ["Bram"]),
    ("left_spell", {"hand": "L"}, ("shield", "lightning_bolt/WDDc"),
     "Which spell does your left hand cast?", ["Shield", "Lightning Bolt (W-D-D-c)"]),
    ("right_spell", {"hand": "R"}, ("shield", "missile"),
     "Which spell does your right hand cast?", ["Shield", "Missile"]),
    ("release", {"spell": "fireball"}, ("no", "yes"),
     "Do you release the banked Fireball?", ["no", "yes"]),
    ("which_delay", {"labels": ("missile", "shield")}, ("L", "R"),
     "Which of your spells should be banked?", ["Missile (left hand)", "Shield (right hand)"]),
    ("which_extend", {"labels": ("haste", "fear")}, ("R", "L"),
     "Which of your spells should be permanent?", ["Haste (right hand)", "Fear (left hand)"]),
    ("charm_gesture", {"about": "w1", "hand": "L"}, ("F", ">", "-"),
     "Which gesture does Bram’s charmed left hand make?", ["fingers (F)", "stab", "nothing"]),
    ("paralysis_hand", {"about": "w0"}, ("L", "R"),
     "Which of your hands do you paralyse?", ["the left hand", "the right hand"]),
    ("charm_hand", {"about": "w1"}, ("L", "R"),
     "Which of Bram’s hands do you charm?", ["the left hand", "the right hand"]),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "more", "options", "text", "words"), QUESTION_SENTENCES)
def test_stepwise_question_texts(
    kind: str, more: dict[str, Any], options: tuple[str, ...], text: str, words: list[str]
) -> None:
    """F32"""
    details = {"about": "", **more}
    question = Question(
        id="q", kind=kind, wizard=ADA, options=options, default=options[0], **details
    )
    view = engine.play.view(engine.play.History((), POSITION), ADA)
    assert engine.words.question_text(view, question) == text
    assert [engine.words.option_text(view, question, option) for option in options] == words


def test_text_of_every_question_kind_is_tested() -> None:
    asked = {
        argument.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("Question", "cast_to_take")
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    tested_kinds = {row[0] for row in QUESTION_SENTENCES} | {
        "elemental",
        "paralysis",
        "charm_person",
    }
    assert asked & set(prose.QUESTION_TEXT) <= tested_kinds
    assert {"target", "attack", "release", "which_delay", "elemental"} <= asked
    tested_kinds |= {"target for", "released", "released for", "stab", "attack 1", "attack 2"}
    assert tested_kinds == set(prose.QUESTION_TEXT)
