"""Questions of a reveal that the order sheet lets wizards answer in advance. rules: R9"""

import engine.orders
import engine.play
from duels.screens.order_sheet.foreseen_questions import foreseen_questions
from engine.positions.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns


def foreseen_kinds(history: engine.play.History, wizard: str = ADA, **fields: str) -> list[str]:
    position = history.position
    sheet = engine.play.sheet(position, wizard, engine.orders.from_fields(fields))
    view = engine.play.view(history, wizard)
    return [each.kind for each in foreseen_questions(sheet, view, fields)]


def history_at(position: Position) -> engine.play.History:
    return engine.play.History((), position)


def test_no_question_can_be_answered_in_advance_in_the_first_turn():
    history = history_at(duel())
    assert [each.kind for each in engine.play.sheet(history.position, ADA).advance] == ["elemental"]
    assert foreseen_kinds(history) == []


def test_question_about_an_elemental_is_offered_if_one_is_possible():
    """If the rules let the subject choose the element, an opponent's spell counts too."""
    history = history_of_turns(
        duel({}, begun("CSW", "C--")), {"ada": made("W P"), "bram": made("W -")}
    )
    assert foreseen_kinds(history, BRAM) == ["elemental"]
    assert foreseen_kinds(history_of_turns(duel(), {"ada": made("W P"), "bram": made("W -")})) == []
    whole = history_of_turns(
        duel(),
        *({"bram": made(pair), "ada": made("W P")} for pair in ("C C", "S -", "W -", "W -")),
    )
    assert foreseen_kinds(whole, ADA) == ["elemental"]


def test_answer_given_in_advance_can_be_changed():
    assert foreseen_kinds(history_at(duel()), **{"answer:elemental": "ice"}) == ["elemental"]


def test_question_about_a_banked_elemental_can_be_answered_in_advance():
    history = history_at(duel({"bank": "summon_elemental"}))
    assert foreseen_kinds(history) == ["elemental"]


def test_blind_wizard_can_always_answer_the_question_in_advance():
    """The opponent, who is not visible, may have made all gestures of the spell except the last."""
    history = history_of_turns(
        duel({"effects": {"blindness": {"turns": 9}}}),
        *({"ada": made("W P"), "bram": made("D D")} for _ in range(4)),
    )
    assert foreseen_kinds(history) == ["elemental"]
    assert foreseen_kinds(history, BRAM) == []


def test_empty_draft_offers_the_questions_of_all_possible_spells():
    assert foreseen_kinds(history_at(duel(begun("FF")))) == ["paralysis"]
    assert foreseen_kinds(history_at(duel(begun("CSWW", "C---")))) == ["elemental"]


def test_draft_offers_a_question_only_if_it_completes_the_spell():
    summoning, paralysing = history_at(duel(begun("CSWW", "C---"))), history_at(duel(begun("FF")))
    assert foreseen_kinds(summoning, **made("S -")) == ["elemental"]
    assert foreseen_kinds(summoning, **made("P -")) == []
    assert foreseen_kinds(summoning, **made("S -", left_spell="counter_spell")) == []
    assert foreseen_kinds(paralysing, **made("F -")) == ["paralysis"]
    assert foreseen_kinds(paralysing, **made("- P")) == []
    assert foreseen_kinds(summoning, BRAM, **made("W P")) == ["elemental"]
