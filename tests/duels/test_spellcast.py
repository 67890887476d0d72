"""Duels under spellcast-1: batches of questions, haste phases, stopped time and strict duels.

rules: turn:stepwise, turn:answers, F31, F32
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client

import engine.play
from duels.commands import deadlines, endings, resolution, sealing
from duels.commands.awaiting import await_wizards
from duels.loaded import adjudication
from duels.models import Duel, Orders, Outcome, Seat, Stage, Turn, Wizard
from duels.post.models import Notice
from duels.queries import pages, stories
from engine.proof.replay import replay
from engine.proof.verify import verify
from tests.cast import NOW, Cast, begin, deliver, hands, open_turn, play, signed_in
from tests.duels.test_secrecy import query_results

pytestmark = pytest.mark.django_db

NAMES = ("Ada", "Bram", "Cleo")
IDLE = hands("-", "-")
GOBLIN = {"kind": "goblin", "controller": "w0"}


def set_up(cast: Cast, *wizards: Mapping[str, Any], strict: bool = True, **more: Any) -> Duel:
    """Start a duel of Ada, Bram and Cleo, or the first two, with this setup before turn 1."""
    people = [cast.ada, cast.bram, cast.cleo][: len(wizards)]
    duel = begin(*people, ruleset="spellcast-1", strict=strict)
    duellists = [engine.play.Duellist(name) for name in NAMES[: len(wizards)]]
    setup = {"wizards": list(wizards), **more}
    position = engine.play.begin("spellcast-1", duellists, setup=setup, options=duel.options)
    turn = open_turn(duel)
    turn.position, turn.kind = engine.play.dump(position), position.kind
    await_wizards(
        turn, list(Seat.objects.filter(duel=duel)), engine.play.deciding_wizards(position), NOW
    )
    turn.save()
    return duel


def page(reader: Client, duel: Duel) -> str:
    return reader.get(f"/duels/{duel.pk}/").content.decode()


def seal_status(reader: Client, duel: Duel, **fields: str) -> int:
    """Seal these orders and return the status code of the response."""
    typed = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": "seal", **fields}
    return reader.post(f"/duels/{duel.pk}/orders", typed).status_code


def submit_answers(reader: Client, duel: Duel, given: Mapping[str, str]) -> str:
    """Submit these answers, resolve turns as far as possible, and return the page."""
    turn = open_turn(duel)
    typed = {"turn": str(turn.ordinal), "round": str(turn.batch), "form_seal": "", **given}
    answer = reader.post(f"/duels/{duel.pk}/answers", typed, follow=True)
    resolution.resolve_turn(turn_id=turn.pk, now=NOW)
    return answer.content.decode()


def question_texts(duel: Duel, wizard: Wizard) -> dict[str, str]:
    """Return the texts of the questions that the wizard must answer, by id."""
    return {q.id: q.text for q in pages.duel_page(duel, wizard).questions}


def offered_answers(html: str, question: str) -> tuple[list[str], list[str]]:
    """Return the offered answers and the selected ones."""
    buttons = re.findall(
        rf'<input type="radio" name="{re.escape(question)}" value="([^"]*)"( checked)?>', html
    )
    return [value for value, _ in buttons], [value for value, checked in buttons if checked]


def position_of(duel: Duel) -> engine.play.Position:
    return adjudication.position_after_departures(open_turn(duel))


@pytest.fixture
def turn_with_batches(cast: Cast) -> Duel:
    """A strict turn with three batches: Ada has a goblin, and one hand completes two spells."""
    duel = set_up(cast, {"left": "WF", "right": "--"}, {}, monsters=[GOBLIN])
    play(duel, {cast.ada: hands("P", "D"), cast.bram: hands("F", "S")})
    return duel


def test_order_sheet_of_a_strict_duel_has_only_gestures_and_a_message(cast: Cast):
    duel = set_up(cast, {"left": "WF", "right": "--"}, {}, monsters=[GOBLIN])
    ada = signed_in(cast.ada)
    typed = {"turn": "1", "form_seal": "", "do": "look", "left": "P", "right": ">"}
    html = ada.post(f"/duels/{duel.pk}/orders", typed).content.decode()
    assert "This duel is strict" in html
    assert "Cause Light Wounds" in html
    sheet = html.partition('id="order-form"')[2].partition("</form>")[0]
    names = set(re.findall(r'<(?:input type="radio"|select|textarea)[^>]* name="([^"]+)"', sheet))
    assert names - {"text"} == {"left", "right", "say"}
    for field, value in (("left_subject", "w1"), ("left_spell", "shield"), ("victim:m0", "w1")):
        assert seal_status(ada, duel, left="P", right="D", **{field: value}) == 422
    assert seal_status(ada, duel, left="P", right="D", say="Now!") == 302


def test_strict_turn_asks_its_questions_batch_by_batch(cast: Cast, turn_with_batches: Duel):
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    html = page(ada, turn_with_batches)
    assert question_texts(turn_with_batches, cast.ada) == {
        "left_spell:w0": "Which spell does your left hand cast?"
    }
    assert offered_answers(html, "left_spell:w0") == (["shield", "cause_light_wounds"], [])
    rival = page(bram, turn_with_batches)
    assert "Decide now" not in rival
    assert "Waiting for Ada." in rival
    assert re.search(r'data-turn="1"[^\n]*?class="sign-P[^>]*data-hand="w0-left"', rival, re.DOTALL)
    assert "Cause Light Wounds" not in rival.partition('id="history-title"')[0]

    submit_answers(ada, turn_with_batches, {"left_spell:w0": "cause_light_wounds"})
    html = page(ada, turn_with_batches)
    text = "Who do you cast Cause Light Wounds at with your left hand?"
    assert question_texts(turn_with_batches, cast.ada) == {"target:w0.L": text}
    assert offered_answers(html, "target:w0.L") == (["nowhere", "w0", "w1", "m0"], ["w1"])
    assert "Round 2 of the questions" in html

    submit_answers(ada, turn_with_batches, {"target:w0.L": "w1"})
    assert list(question_texts(turn_with_batches, cast.ada)) == ["attack:m0.1"]
    assert offered_answers(page(ada, turn_with_batches), "attack:m0.1") == (
        ["nowhere", "w0", "w1", "m0"],
        ["w1"],
    )
    submit_answers(ada, turn_with_batches, {"attack:m0.1": "w1"})
    assert open_turn(turn_with_batches).ordinal == 2
    assert position_of(turn_with_batches).wizard("w1").damage == 3
    assert "Cause Light Wounds" in page(bram, turn_with_batches)


def test_every_batch_of_questions_is_emailed(cast: Cast, turn_with_batches: Duel):
    ada = signed_in(cast.ada)
    for given in ({"left_spell:w0": "shield"}, {"target:w0.L": "w0"}):
        mail.outbox.clear()
        deliver(now=NOW)
        (body,) = [str(m.body) for m in mail.outbox if m.to == ["ada@example.org"]][-1:]
        assert next(iter(question_texts(turn_with_batches, cast.ada).values())) in body
        submit_answers(ada, turn_with_batches, given)
    assert Notice.objects.filter(kind="question", wizard=cast.ada).count() == 3
    assert not Notice.objects.filter(kind="question", wizard=cast.bram).exists()


def test_batch_with_missing_or_unknown_answers_is_rejected(cast: Cast):
    """rules: F32. The page shows the error, and the batch stays open."""
    duel = set_up(cast, {"left": "WF", "right": "WF"}, {})
    play(duel, {cast.ada: hands("P", "-"), cast.bram: IDLE})
    assert list(question_texts(duel, cast.ada)) == ["left_spell:w0"]
    ada = signed_in(cast.ada)
    for given in ({}, {"left_spell:w0": ""}, {"left_spell:w0": "fireball"}):
        html = submit_answers(ada, duel, given)
        assert 'data-fault="answer_' in html
        assert open_turn(duel).batch == 1
    submit_answers(ada, duel, {"left_spell:w0": "shield"})
    assert list(question_texts(duel, cast.ada)) == ["target:w0.L"]


def test_page_keeps_given_answers_if_one_is_missing(cast: Cast):
    """rules: F32"""
    goblins = [GOBLIN, GOBLIN]
    duel = set_up(cast, {}, {}, monsters=goblins)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    html = submit_answers(signed_in(cast.ada), duel, {"attack:m1.1": "m0"})
    assert 'data-fault="answer_missing"' in html
    assert offered_answers(html, "attack:m1.1")[1] == ["m0"]
    assert offered_answers(html, "attack:m0.1")[1] == ["w1"]


def test_no_gestures_are_shown_until_the_charmed_hands_gesture_is_chosen(cast: Cast):
    """rules: R86"""
    charm = {"charm_person": {"turns": 1, "caster": "w0", "hand": "L"}}
    duel = set_up(cast, {}, {"effects": charm})
    play(duel, {cast.ada: hands("S", "W"), cast.bram: hands("D", "F")})
    assert list(question_texts(duel, cast.ada).values()) == [
        "Which gesture does Bram’s charmed left hand make?"
    ]
    assert "You choose before anyone sees" in page(signed_in(cast.ada), duel)
    for reader in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        html = page(reader, duel)
        row = re.search(r'<tr[^>]*data-turn="1".*?</tr>', html, re.DOTALL)
        assert row is None or "gesture-" not in row[0]
        assert "Revealed so far" not in html
    html = page(signed_in(cast.ada), duel)
    assert offered_answers(html, "charm_gesture:w1") == ([*"FPSWDC", "&gt;", "-"], [])
    submit_answers(signed_in(cast.ada), duel, {"charm_gesture:w1": "C"})
    made = position_of(duel).wizard("w1")
    assert (made.left, made.right) == ("C", "F")


def duel_with_dead_charmer(cast: Cast, **more: str) -> Duel:
    """Return a duel in which Cleo charmed Bram's right hand and died in the same turn.

    Ada and Bram have sealed the next turn.
    """
    begun_by_ada = {"left": "S", "right": "-"}
    dying = {"left": "PSD", "right": "---", "damage": 14}
    duel = set_up(cast, begun_by_ada, {}, dying, strict=False)
    Duel.objects.filter(pk=duel.pk).update(**more)
    charm = {"left_subject": "w1", "answer:charm_person": "R"}
    missile = hands("D", "-", left_subject="w2")
    play(duel, {cast.ada: missile, cast.bram: IDLE, cast.cleo: hands("F", "-", **charm)})
    play(duel, {cast.ada: IDLE, cast.bram: hands("W", "D")})
    return duel


def test_dead_charmer_is_asked_for_the_charmed_hands_gesture(cast: Cast):
    """rules: R214"""
    duel = duel_with_dead_charmer(cast)
    assert position_of(duel).wizard("w2").standing == "dead"
    assert question_texts(duel, cast.cleo) == {
        "charm_gesture:w1": "Which gesture does Bram’s charmed right hand make?"
    }
    assert Notice.objects.filter(kind="question", wizard=cast.cleo).exists()
    assert "Waiting for Cleo." in page(signed_in(cast.ada), duel)
    cleo = signed_in(cast.cleo)
    assert offered_answers(page(cleo, duel), "charm_gesture:w1") == ([*"FPSWDC", "&gt;", "-"], [])
    assert f"/duels/{duel.pk}/" in cleo.get("/").content.decode()
    submit_answers(cleo, duel, {"charm_gesture:w1": "P"})
    made = position_of(duel).wizard("w1")
    assert (made.left[-1], made.right[-1]) == ("W", "P")
    assert not Seat.objects.filter(duel=duel, wizard=cast.cleo, awaited=True).exists()


def test_dead_charmer_gets_default_answers_and_does_not_forfeit(cast: Cast):
    """rules: R214, R86. The charmer's deadline passes, and the charmed hand does nothing."""
    duel = duel_with_dead_charmer(cast, pace="86400")
    seat = Seat.objects.get(duel=duel, wizard=cast.cleo)
    assert seat.awaited
    assert seat.due_at is not None
    Seat.objects.filter(pk=seat.pk).update(missed_turns=5)
    late = seat.due_at + timedelta(minutes=1)
    counts = deadlines.process_deadlines(duel_id=duel.pk, now=late)
    assert (counts.defaults, counts.ended) == (1, 0)
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=late)
    made = position_of(duel).wizard("w1")
    assert (made.left[-1], made.right[-1]) == ("W", "-")
    seat.refresh_from_db()
    assert (seat.awaited, seat.missed_turns, seat.outcome) == (False, 5, Outcome.LOST)


@pytest.mark.parametrize("strict", [True, False])
def test_only_hasted_wizards_play_a_haste_phase(cast: Cast, strict: bool):
    """rules: R97. The Missile is aimed in the haste phase, and cast with the spells of the turn."""
    haste = {"haste": {"turns": 2}}
    duel = set_up(cast, {"left": "S", "right": "-", "effects": haste}, {}, strict=strict)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    html = page(ada, duel)
    assert "Your orders for haste phase before turn 1" in html
    assert 'name="left2"' not in html
    rival = page(bram, duel)
    assert 'id="orders"' not in rival
    assert "Waiting for Ada." in rival
    assert seal_status(bram, duel, left="P", right="-") == 409
    play(duel, {cast.ada: hands("D", "-")})
    if strict:
        submit_answers(ada, duel, {"target:w0.L": "w1"})
    turn = open_turn(duel)
    assert (turn.ordinal, turn.number, turn.kind) == (2, 1, "normal")
    html = page(bram, duel)
    assert "What happened in haste phase before turn 1" in html
    assert re.search(r'data-turn="1h"[^\n]*?class="sign-D[^>]*data-hand="w0-left"', html, re.DOTALL)
    assert 'data-line="cast"' not in html
    mail.outbox.clear()
    deliver(now=NOW)
    (body,) = [str(m.body) for m in mail.outbox if m.to == ["bram@example.org"]][-1:]
    assert re.search(r"^ +1h  D ", body, re.MULTILINE)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    assert adjudication.position_at_start(open_turn(duel)).wizard("w1").damage == 1
    assert 'data-line="cast"' in bram.get(f"/duels/{duel.pk}/turns/2/").content.decode()
    assert open_turn(duel).kind == "haste"


def test_haste_phase_in_which_only_monsters_act_resolves_without_orders(cast: Cast):
    """rules: R97. In the turn after it, the goblin's controller is asked about both attacks."""
    goblin = GOBLIN | {"effects": {"haste": {"turns": 2}}}
    duel = set_up(cast, {}, {}, monsters=[goblin])
    assert open_turn(duel).kind == "haste"
    assert resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    assert (open_turn(duel).ordinal, open_turn(duel).kind) == (2, "normal")
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    words = list(question_texts(duel, cast.ada).values())
    assert [text.rpartition(" attack ")[2] for text in words] == ["first?", "next?"]
    submit_answers(signed_in(cast.ada), duel, {"attack:m0.1": "w1", "attack:m0.2": "nowhere"})
    assert (open_turn(duel).ordinal, open_turn(duel).kind) == (4, "normal")
    assert position_of(duel).wizard("w1").damage == 1
    # the page reports the previous turn, because no wizard made a gesture in the haste phase
    html = page(signed_in(cast.bram), duel)
    assert 'data-line="hit"' in html


@pytest.mark.parametrize("strict", [True, False])
def test_gestures_in_stopped_time_are_hidden_from_other_readers(cast: Cast, strict: bool):
    """rules: R98, R121. Others do not even see that Ada is asked a question."""
    duel = set_up(cast, {"left": "SPP", "right": "---"}, {}, strict=strict)
    play(duel, {cast.ada: hands("C", "C"), cast.bram: IDLE})
    ada = signed_in(cast.ada)
    if strict:
        assert offered_answers(page(ada, duel), "target:w0.BH")[1] == ["w0"]
        submit_answers(ada, duel, {"target:w0.BH": "w0"})
    turn = open_turn(duel)
    assert (turn.ordinal, turn.number, turn.kind) == (2, 2, "extra")
    play(duel, {cast.ada: hands(">", "-")})
    if strict:
        assert question_texts(duel, cast.ada) == {
            "target:w0.L": "Who do you stab with your left hand?"
        }
        known = pages.duel_page(duel, cast.bram)
        assert known.turn
        assert (known.turn.stage, known.questions) == (Stage.ORDERS, ())
        assert "Waiting for Ada." in page(signed_in(cast.bram), duel)
        submit_answers(ada, duel, {"target:w0.L": "w1"})
    assert open_turn(duel).ordinal == 3
    html = page(signed_in(cast.bram), duel)
    row = re.search(r'<tr[^>]*data-turn="\+2".*?</tr>', html, re.DOTALL)
    assert row
    assert "gesture-" not in row[0].replace("gesture-unknown", "")
    assert position_of(duel).wizard("w1").damage == 1


@pytest.mark.parametrize("bram_aims_at", ["w2", "w0"])
def test_wizard_who_resigns_between_batches_cannot_be_a_subject(cast: Cast, bram_aims_at: str):
    """rules: turn:resign.

    Questions are asked again only if the answer named the wizard who left.
    """
    caster = {"left": "S", "right": "-"}
    duel = set_up(cast, caster, caster, {})
    both = {cast.ada: hands("D", "-"), cast.bram: hands("D", "-")}
    play(duel, {**both, cast.cleo: IDLE})
    bram, ada = signed_in(cast.bram), signed_in(cast.ada)
    submit_answers(bram, duel, {"target:w1.L": bram_aims_at})
    assert open_turn(duel).ordinal == 1
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    assert list(question_texts(duel, cast.ada)) == ["target:w0.L"]
    assert offered_answers(page(ada, duel), "target:w0.L")[0] == ["nowhere", "w0", "w1"]
    assert bool(question_texts(duel, cast.bram)) == (bram_aims_at == "w2")
    submit_answers(ada, duel, {"target:w0.L": "w1"})
    if bram_aims_at == "w2":
        assert open_turn(duel).ordinal == 1
        submit_answers(bram, duel, {"target:w1.L": "w0"})
    assert open_turn(duel).ordinal == 2
    assert [position_of(duel).wizard(each).damage for each in ("w0", "w1")] == [1, 1]
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert duel.result == "w0"


def test_record_of_a_duel_with_a_resignation_between_batches_verifies(cast: Cast):
    """The replay has the same result, whatever was answered about the wizard who left."""
    duel = begin(cast.ada, cast.bram, cast.cleo, ruleset="spellcast-1", strict=True)
    everybody = (cast.ada, cast.bram, cast.cleo)
    play(duel, dict.fromkeys(everybody, hands("S", "-")))
    play(duel, dict.fromkeys(everybody, hands("D", "-")))
    submit_answers(signed_in(cast.bram), duel, {"target:w1.L": "w2"})
    submit_answers(signed_in(cast.cleo), duel, {"target:w2.L": "w0"})
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    submit_answers(signed_in(cast.ada), duel, {"target:w0.L": "w1"})
    submit_answers(signed_in(cast.bram), duel, {"target:w1.L": "nowhere"})
    assert open_turn(duel).ordinal == 3
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    record = stories.record_of_finished_duel(duel)
    assert verify(record) == []
    assert [record["turns"][1]["damage"][each] for each in ("w0", "w1")] == [0, 1]


def test_duel_that_is_not_strict_lets_wizards_decide_in_advance(cast: Cast):
    """rules: F30.

    The sheet has the defaults of the original program, and no questions are asked.
    """
    paralysed = {"left": "FF", "right": "WF"}
    duel = set_up(cast, paralysed, {}, strict=False, monsters=[GOBLIN])
    ada = signed_in(cast.ada)
    typed = {"turn": "1", "form_seal": "", "do": "look", "left": "F", "right": "P"}
    html = ada.post(f"/duels/{duel.pk}/orders", typed).content.decode()
    for field in ("left_subject", "right_spell", "right_subject", "victim:m0", "answer:paralysis"):
        assert f'name="{field}"' in html, field
    assert html.count("Bram (default)") == 3
    fields = {"right_spell": "cause_light_wounds", "answer:paralysis": "R", "victim:m0": "w1"}
    assert seal_status(ada, duel, left="F", right="P", **fields) == 302
    play(duel, {cast.bram: IDLE})
    assert open_turn(duel).ordinal == 2
    bram = position_of(duel).wizard("w1")
    assert (bram.damage, bram.effects["paralysis"].hand) == (3, "R")


def test_duel_that_is_not_strict_asks_only_questions_without_a_default(cast: Cast):
    """rules: turn:answers. There is no default for the hand that is paralysed."""
    duel = set_up(cast, {"left": "FF", "right": "WF"}, {}, strict=False)
    turn = play(duel, {cast.ada: hands("F", "P"), cast.bram: IDLE})
    assert turn.stage == Stage.ANSWERS
    html = page(signed_in(cast.ada), duel)
    assert offered_answers(html, "paralysis_hand:w1") == (["L", "R"], [])
    submit_answers(signed_in(cast.ada), duel, {"paralysis_hand:w1": "R"})
    assert position_of(duel).wizard("w1").effects["paralysis"].hand == "R"


def test_question_about_a_newly_summoned_monster_contains_its_name(cast: Cast):
    """The monster was summoned in this turn.

    Only its controller, who must choose a target, sees the name yet.
    """
    duel = set_up(cast, {"left": "SF", "right": "--"}, {})
    play(duel, {cast.ada: hands("W", "-"), cast.bram: IDLE})
    ada = signed_in(cast.ada)
    submit_answers(ada, duel, {"target:w0.L": "w0"})
    (text,) = question_texts(duel, cast.ada).values()
    assert re.fullmatch(r"Who does the \w+ Goblin attack\?", text)
    html = page(ada, duel)
    assert re.search(r'value="m0"> the \w+ Goblin<', html) or "itself" in html
    assert "Goblin" not in page(signed_in(cast.bram), duel).partition('id="history-title"')[0]
    submit_answers(ada, duel, {"attack:m0.1": "w1"})
    assert position_of(duel).wizard("w1").damage == 1


def test_opponents_views_do_not_depend_on_answers_of_a_batch(cast: Cast):
    """Promise 1: opponents do not see answers of any batch before the turn is played."""
    duel = set_up(cast, {"left": "S", "right": "-"}, {}, monsters=[GOBLIN])
    play(duel, {cast.ada: hands("D", "-"), cast.bram: hands("W", "F")})
    ada = signed_in(cast.ada)
    views = set()
    for aim, victim in (("nowhere", "nowhere"), ("w1", "w1"), ("m0", "w0")):
        point = transaction.savepoint()
        submit_answers(ada, duel, {"target:w0.L": aim})
        turn = open_turn(duel)
        assert list(question_texts(duel, cast.ada)) == ["attack:m0.1"]
        asking = (
            query_results(duel, cast.bram),
            query_results(duel, cast.cleo),
            query_results(duel, None),
        )
        sealing.answer_questions(
            turn_id=turn.pk,
            wizard=cast.ada,
            answers={"attack:m0.1": victim},
            batch=turn.batch,
            form_seal="",
            now=NOW,
        )
        views.add((*asking, query_results(duel, cast.bram), query_results(duel, None)))
        transaction.savepoint_rollback(point)
    assert len(views) == 1


def test_late_answers_are_not_accepted_for_a_later_round(cast: Cast, turn_with_batches: Duel):
    """A form names its round, because the same answer could mean something else in another."""
    ada = signed_in(cast.ada)
    turn = open_turn(turn_with_batches)
    form = page(ada, turn_with_batches).partition('action="/duels/')[2]
    assert 'name="round" value="1"' in form
    submit_answers(ada, turn_with_batches, {"left_spell:w0": "shield"})
    assert 'name="round" value="2"' in page(ada, turn_with_batches)
    late = {"turn": str(turn.ordinal), "round": "1", "form_seal": "", "target:w0.L": "w1"}
    for typed in (late, {name: late[name] for name in late if name != "round"}):
        answer = ada.post(f"/duels/{turn_with_batches.pk}/answers", typed)
        assert answer.status_code == 409
        assert "round 1 of the questions, but round 2 is open now" in answer.content.decode()
    again = {"turn": str(turn.ordinal), "round": "1", "form_seal": "", "left_spell:w0": "shield"}
    assert ada.post(f"/duels/{turn_with_batches.pk}/answers", again).status_code == 302
    odd = ada.post(f"/duels/{turn_with_batches.pk}/answers", again | {"round": "first"})
    assert (odd.status_code, list(question_texts(turn_with_batches, cast.ada))) == (
        422,
        ["target:w0.L"],
    )
    seals = Orders.objects.filter(turn=turn, stage="answers")
    assert list(seals.values_list("batch", flat=True)) == [1]


def test_late_answers_are_recorded_with_the_round_of_their_form(cast: Cast):
    """rules: promise 14. The same question is asked again, because a wizard has left."""
    duel = begin(cast.ada, cast.bram, cast.cleo, ruleset="spellcast-1", strict=True)
    everybody = (cast.ada, cast.bram, cast.cleo)
    play(duel, dict.fromkeys(everybody, hands("S", "-")))
    play(duel, dict.fromkeys(everybody, hands("D", "-")))
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    submit_answers(bram, duel, {"target:w1.L": "w2"})
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    for client, target in ((ada, "target:w0.L"), (bram, "target:w1.L")):
        for number in ("1", "3"):  # round 3 has not begun, so no answer can be for it
            late = {"turn": "2", "form_seal": "", "round": number, target: "nowhere"}
            assert client.post(f"/duels/{duel.pk}/answers", late).status_code == 409
    submit_answers(ada, duel, {"target:w0.L": "w1"})
    submit_answers(bram, duel, {"target:w1.L": "nowhere"})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    record = stories.record_of_finished_duel(duel)
    rejected = record["turns"][1]["rejected"]
    kept = [(each["wizard"], each["batch"], each["before"], each["code"]) for each in rejected]
    assert kept == [("w0", 1, 0, "round_over"), ("w1", 1, 1, "round_over")]
    assert verify(record) == []


def test_record_of_a_strict_duel_verifies(cast: Cast):
    duel = begin(cast.ada, cast.bram, ruleset="spellcast-1", strict=True)
    play(duel, {cast.ada: hands("S", "-"), cast.bram: hands("S", "-")})
    play(duel, {cast.ada: hands("D", ">"), cast.bram: hands("D", "-")})
    submit_answers(signed_in(cast.bram), duel, {"target:w1.L": "nowhere"})
    submit_answers(signed_in(cast.ada), duel, {"target:w0.L": "w1", "target:w0.R": "w1"})
    play(duel, {cast.ada: IDLE, cast.bram: hands("P", "P")})
    for _ in range(3):
        for wizard in (cast.ada, cast.bram):
            page_now = pages.duel_page(duel, wizard)
            if page_now.questions:
                given = {q.id: q.options[0] for q in page_now.questions}
                submit_answers(signed_in(wizard), duel, given)
    duel.refresh_from_db()
    assert duel.result == "w0"
    record = stories.record_of_finished_duel(duel)
    assert verify(record) == []
    assert engine.play.dump(replay(record).position) == duel.final_position
    assert record["turns"][1]["answers"] == {
        "target:w0.L": "w1", "target:w0.R": "w1", "target:w1.L": "nowhere",
    }  # fmt: skip
    assert "Missile" in stories.transcript(duel)


def test_answers_of_all_batches_are_shown_after_the_end_of_the_duel(
    cast: Cast, turn_with_batches: Duel
):
    ada = signed_in(cast.ada)
    submit_answers(ada, turn_with_batches, {"left_spell:w0": "shield"})
    submit_answers(ada, turn_with_batches, {"target:w0.L": "w0"})
    submit_answers(ada, turn_with_batches, {"attack:m0.1": "w1"})
    endings.resign(duel_id=turn_with_batches.pk, wizard=cast.bram, now=NOW)
    past = pages.turn_page(turn_with_batches, 1, None)
    assert past
    seals = [(seal.stage, seal.batch) for seal in past.seals if seal.code == "w0"]
    assert seals == [("orders", 0), ("answers", 1), ("answers", 2), ("answers", 3)]
    assert Turn.objects.get(duel=turn_with_batches, ordinal=1).questions == []
