"""Questions of the reveal that the order sheet offers to answer in advance. rules: R9"""

import engine
from duels.pages.foreseen import foreseen_questions
from engine.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import story


def foreseen(history: engine.History, wizard: str = ADA, **fields: str) -> list[str]:
    position = history.position
    sheet = engine.sheet(position, wizard, engine.from_fields(fields))
    view = engine.view(history, wizard)
    return [each.kind for each in foreseen_questions(sheet, view, position.rules, fields)]


def now(position: Position) -> engine.History:
    return engine.History((), position)


def test_no_question_is_possible_before_the_first_gesture():
    history = now(duel())
    assert [each.kind for each in engine.sheet(history.position, ADA).advance] == ["elemental"]
    assert foreseen(history) == []


def test_possible_elemental_offers_the_question():
    """Under rules that let the subject choose the kind, this also applies if the opponent casts."""
    history = story(duel({}, begun("CSW", "C--")), {"ada": made("W P"), "bram": made("W -")})
    assert foreseen(history, BRAM) == ["elemental"]
    assert foreseen(story(duel(), {"ada": made("W P"), "bram": made("W -")})) == []
    whole = story(
        duel(),
        *({"bram": made(pair), "ada": made("W P")} for pair in ("C C", "S -", "W -", "W -")),
    )
    assert foreseen(whole, ADA) == ["elemental"]


def test_given_advance_answer_can_be_changed():
    assert foreseen(now(duel()), **{"answer:elemental": "ice"}) == ["elemental"]


def test_banked_summons_offers_the_question():
    history = now(duel({"bank": "summon_elemental"}))
    assert foreseen(history) == ["elemental"]


def test_blind_wizard_is_always_offered_the_question():
    """A hidden opponent may have made all gestures except the last one."""
    history = story(
        duel({"effects": {"blindness": {"turns": 9}}}),
        *({"ada": made("W P"), "bram": made("D D")} for _ in range(4)),
    )
    assert foreseen(history) == ["elemental"]
    assert foreseen(history, BRAM) == []


def test_empty_draft_offers_questions_of_possible_spells():
    assert foreseen(now(duel(begun("FF")))) == ["paralysis"]
    assert foreseen(now(duel(begun("CSWW", "C---")))) == ["elemental"]


def test_draft_must_complete_the_spell():
    summoning, paralysing = now(duel(begun("CSWW", "C---"))), now(duel(begun("FF")))
    assert foreseen(summoning, **made("S -")) == ["elemental"]
    assert foreseen(summoning, **made("P -")) == []
    assert foreseen(summoning, **made("S -", left_spell="counter_spell")) == []
    assert foreseen(paralysing, **made("F -")) == ["paralysis"]
    assert foreseen(paralysing, **made("- P")) == []
    assert foreseen(summoning, BRAM, **made("W P")) == ["elemental"]
