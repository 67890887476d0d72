"""Questions of a reveal that the order sheet lets wizards answer in advance. rules: R9"""

import engine.orders
import engine.play
from duels.screens.order_sheet.foreseen_questions import foreseen_questions
from engine.positions.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns


def foreseen(history: engine.play.History, wizard: str = ADA, **fields: str) -> list[str]:
    position = history.position
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(fields))
    view = engine.play.view(history, wizard)
    return [each.kind for each in foreseen_questions(sheet, view, fields)]


def now(position: Position) -> engine.play.History:
    return engine.play.History((), position)


def test_no_question_can_be_answered_in_advance_in_the_first_turn():
    history = now(duel())
    assert [each.kind for each in engine.play.sheet(history.position, ADA).advance] == ["elemental"]
    assert foreseen(history) == []


def test_question_about_an_elemental_is_offered_if_one_is_possible():
    """If the rules let the subject choose the element, an opponent's spell counts too."""
    history = history_of_turns(
        duel({}, begun("CSW", "C--")), {"ada": made("W P"), "bram": made("W -")}
    )
    assert foreseen(history, BRAM) == ["elemental"]
    assert foreseen(history_of_turns(duel(), {"ada": made("W P"), "bram": made("W -")})) == []
    whole = history_of_turns(
        duel(),
        *({"bram": made(pair), "ada": made("W P")} for pair in ("C C", "S -", "W -", "W -")),
    )
    assert foreseen(whole, ADA) == ["elemental"]


def test_answer_given_in_advance_can_be_changed():
    assert foreseen(now(duel()), **{"answer:elemental": "ice"}) == ["elemental"]


def test_question_about_a_banked_elemental_can_be_answered_in_advance():
    history = now(duel({"bank": "summon_elemental"}))
    assert foreseen(history) == ["elemental"]


def test_blind_wizard_can_always_answer_the_question_in_advance():
    """The opponent, who is not visible, may have made all gestures of the spell except the last."""
    history = history_of_turns(
        duel({"effects": {"blindness": {"turns": 9}}}),
        *({"ada": made("W P"), "bram": made("D D")} for _ in range(4)),
    )
    assert foreseen(history) == ["elemental"]
    assert foreseen(history, BRAM) == []


def test_empty_draft_offers_the_questions_of_all_possible_spells():
    assert foreseen(now(duel(begun("FF")))) == ["paralysis"]
    assert foreseen(now(duel(begun("CSWW", "C---")))) == ["elemental"]


def test_draft_offers_a_question_only_if_it_completes_the_spell():
    summoning, paralysing = now(duel(begun("CSWW", "C---"))), now(duel(begun("FF")))
    assert foreseen(summoning, **made("S -")) == ["elemental"]
    assert foreseen(summoning, **made("P -")) == []
    assert foreseen(summoning, **made("S -", left_spell="counter_spell")) == []
    assert foreseen(paralysing, **made("F -")) == ["paralysis"]
    assert foreseen(paralysing, **made("- P")) == []
    assert foreseen(summoning, BRAM, **made("W P")) == ["elemental"]
