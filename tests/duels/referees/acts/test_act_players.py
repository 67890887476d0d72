"""Referees' acts on players (excusing, playing for, replacing, removing) and on results."""

from datetime import timedelta
from typing import Any

import pytest

from duels.commands import endings, practising, resolution, sealing, speaking
from duels.errors import Refused
from duels.models import (
    ActKind,
    Block,
    Duel,
    DuelEnding,
    DuelStatus,
    Marker,
    Orders,
    Outcome,
    SealSource,
    Seat,
    Stage,
    TurnKind,
    User,
)
from duels.post.models import Notice
from duels.proof.records import duel_record
from duels.queries.speeches import all_messages
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.log import act_log
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play, seal, seat
from tests.duels.referees.acts.refereeing import (
    REASON,
    changed_columns,
    make_referee,
    perform_act,
    rows_of,
)

DAY = timedelta(days=1)
IDLE = hands("-", "-")

pytestmark = pytest.mark.django_db


def rejection_code(kind: ActKind, duel: Duel, **fields: str) -> str:
    """Carry out an act that must be rejected; return its code. Check that no row has changed."""
    before = rows_of(duel)
    with pytest.raises(Refused) as refused:
        carrying_out.carry_out_act(
            kind,
            duel_id=duel.pk,
            by=make_referee(),
            reason=REASON,
            now=LATER,
            fields=fields,
        )
    assert rows_of(duel) == before
    return refused.value.code


def planned_changes(duel: Duel, kind: ActKind, **fields: str) -> list[tuple[str, str, str]]:
    """Return the changes listed in the plan of an act."""
    by = make_referee()
    plan = carrying_out.plan_act(kind, duel_id=duel.pk, by=by, now=LATER, fields=fields)
    return [(change.words, change.before, change.after) for change in plan.changes]


def test_referee_can_excuse_missed_turns_except_the_open_one(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400", excuses=1)
    assert rejection_code(ActKind.EXCUSE, duel, seat="w1") == "nothing_to_excuse"
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    # Bram missed turn 1 and the open turn 2. Until the open turn is resolved, other wizards must
    # not be able to see that he missed it.
    Seat.objects.filter(wizard=cast.bram).update(missed_turns=2, missed_in=2, excuses_left=0)
    assert planned_changes(duel, ActKind.EXCUSE, seat="w1") == [
        ("Turns missed by Bram", "1", "0"),
        ("Extensions of Bram", "0 left", "1 left"),
    ]
    before = rows_of(duel)
    act = perform_act(ActKind.EXCUSE, make_referee(), duel, seat="w1")
    after = changed_columns(before, rows_of(duel))
    assert after["Seat"] == {"missed_turns", "excuses_left"}
    assert (act.seat, seat(duel, cast.bram).missed_turns) == ("w1", 1)
    assert rejection_code(ActKind.EXCUSE, duel, seat="w1") == "nothing_to_excuse"


def test_referee_can_seal_default_orders_for_an_awaited_wizard(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400")
    seal(duel, cast.ada, hands("W", "P"))
    assert rejection_code(ActKind.DEFAULTS, duel, seat="w0") == "not_awaited"
    turn = open_turn(duel)
    act = perform_act(ActKind.DEFAULTS, make_referee(), duel, seat="w1")
    orders = Orders.objects.get(seat=seat(duel, cast.bram), turn=turn)
    assert (orders.source, act.facts) == (SealSource.DEFAULT, {"commitment": orders.commitment})
    assert seat(duel, cast.bram).missed_turns == 0
    assert rejection_code(ActKind.DEFAULTS, duel, seat="w1") == "not_awaited"
    assert resolution.resolve_turn(turn_id=turn.pk, now=LATER)
    assert Notice.objects.filter(kind="played_for", wizard=cast.bram).count() == 1


def test_referee_cannot_seal_default_orders_in_extra_turns(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400")
    turn = open_turn(duel)
    turn.kind = TurnKind.EXTRA
    for turn.stage, turn.batch, awaited in (
        (Stage.ORDERS, 0, True),
        (Stage.ANSWERS, 1, True),
        (Stage.ANSWERS, 1, False),
    ):
        turn.save()
        Seat.objects.filter(wizard=cast.bram).update(awaited=awaited)
        assert rejection_code(ActKind.DEFAULTS, duel, seat="w1") == "hidden_turn"


def test_replacement_continues_the_duel_in_the_same_seat(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400", visibility="private")
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("P", "W", say="Here I am.")})
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="I must go.", now=NOW)
    old = seal(duel, cast.bram, hands("S", "D"))
    sealing.save_draft(
        turn_id=open_turn(duel).pk, wizard=cast.bram, fields=hands("F", "F"), now=NOW
    )
    assert rejection_code(ActKind.REPLACE, duel, seat="w1", wizard="Ada") == "sits_there"
    assert rejection_code(ActKind.REPLACE, duel, seat="w1", wizard="Nobody") == "unknown_wizard"
    User.objects.filter(wizard=cast.dorn).update(is_active=False)
    assert rejection_code(ActKind.REPLACE, duel, seat="w1", wizard="Dorn") == "opponent_not_player"
    User.objects.filter(wizard=cast.dorn).update(is_active=True)
    block = Block.objects.create(wizard=cast.ada, blocked=cast.dorn, created_at=NOW)
    assert rejection_code(ActKind.REPLACE, duel, seat="w1", wizard="Dorn") == "blocked"
    block.delete()
    neighbour = begin(cast.bram, cast.dorn)
    neighbours = rows_of(neighbour)
    act = perform_act(ActKind.REPLACE, make_referee(), duel, seat="w1", wizard="cleo")
    assert rows_of(neighbour) == neighbours
    assert act.facts == {"from": cast.bram.pk, "to": cast.cleo.pk}
    old.refresh_from_db()
    assert old.superseded
    sits = seat(duel, cast.cleo)
    assert (sits.code, sits.awaited, sits.due_at) == ("w1", True, LATER + DAY)
    names = [wizard["name"] for wizard in open_turn(duel).position["wizards"]]
    assert names == ["Ada", "Cleo"]
    spoken = [(words.speaker.name, words.words) for words in all_messages(duel, cast.ada)]
    assert spoken == [("Bram", "Here I am."), ("Bram", "I must go.")]
    assert Notice.objects.filter(kind="your_turn", wizard=cast.cleo).count() == 1
    with pytest.raises(Refused, match="not in this duel"):
        seal(duel, cast.bram, IDLE)
    assert cast.bram.user is not None
    gone = appointments.appoint_referee(email=cast.bram.user.email)
    with pytest.raises(Refused, match="your own duel"):
        carrying_out.plan_act(
            ActKind.PAUSE, duel_id=duel.pk, by=act_log.referee_ref(gone), now=LATER
        )
    play(duel, {cast.ada: IDLE, cast.cleo: IDLE}, now=LATER)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    duel.refresh_from_db()
    assert [said["wizard"] for said in duel_record(duel)["speeches"]] == ["w1"]


def test_removed_player_leaves_the_duel_as_if_they_had_resigned(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    assert planned_changes(duel, ActKind.REMOVE, seat="w2") == [
        ("Cleo", "still in it", "removed by a referee")
    ]
    act = perform_act(ActKind.REMOVE, make_referee(), duel, seat="w2")
    assert (act.seat, act.turn, duel.status) == ("w2", 1, DuelStatus.RUNNING)
    assert open_turn(duel).removed == open_turn(duel).resigned == ["w2"]
    assert rejection_code(ActKind.REMOVE, duel, seat="w2") == "out_of_it"
    perform_act(ActKind.REMOVE, make_referee("other@example.org"), duel, seat="w1")
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, DuelEnding.REMOVED, "w0")
    outcomes = [each.outcome for each in duel.seats.all()]
    assert outcomes == [Outcome.WON, Outcome.REMOVED, Outcome.REMOVED]
    perform_act(ActKind.ROLL_BACK, make_referee("third@example.org"), duel, turn="1")
    assert {each.outcome for each in duel.seats.all()} == {Outcome.NONE}


def test_referee_can_declare_a_result_during_and_after_a_duel(cast: Cast):
    duel = begin(cast.ada, cast.bram, ruleset="wizards-1")
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("P", "W")})
    by = make_referee()
    assert planned_changes(duel, ActKind.DECLARE, result="w0") == [
        ("The result", "none yet", "Ada wins, by declaration"),
        ("Ada", "still in it", "won"),
        ("Bram", "still in it", "lost"),
        ("The marker of Bram", "their own", "held by the winner"),
    ]
    perform_act(ActKind.DECLARE, by, duel, result="w0")
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.OVER, DuelEnding.DECLARED, "w0")
    assert [marker.holder for marker in Marker.objects.all()] == [cast.ada]
    assert rejection_code(ActKind.DECLARE, duel, result="w0") == "same_result"
    assert rejection_code(ActKind.DECLARE, duel, result="w5") == "unknown_seat"
    act = perform_act(ActKind.DECLARE, by, duel, result="w1")
    assert act.facts["was"] == {"status": "over", "ended": "declared", "result": "w0"}
    assert [marker.holder for marker in Marker.objects.all()] == [cast.bram]
    assert [each.outcome for each in duel.seats.all()] == [Outcome.LOST, Outcome.WON]
    perform_act(ActKind.DECLARE, by, duel, result="draw")
    assert not Marker.objects.exists()
    assert [each.outcome for each in duel.seats.all()] == [Outcome.DREW, Outcome.DREW]


def test_declared_result_does_not_change_outcomes_of_wizards_who_left_before(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    play(
        duel,
        dict.fromkeys((cast.ada, cast.bram, cast.cleo), IDLE) | {cast.dorn: hands("P", "P")},
    )
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    by = make_referee()
    perform_act(ActKind.DECLARE, by, duel, result="draw")
    outcomes = [each.outcome for each in duel.seats.all()]
    assert outcomes == [Outcome.DREW, Outcome.RESIGNED, Outcome.RESIGNED, Outcome.LOST]
    perform_act(ActKind.DECLARE, by, duel, result="w1")
    outcomes = [each.outcome for each in duel.seats.all()]
    assert outcomes == [Outcome.LOST, Outcome.WON, Outcome.RESIGNED, Outcome.LOST]


@pytest.mark.parametrize("is_over", [False, True])
def test_annulled_duel_has_no_result_and_its_markers_are_removed(cast: Cast, is_over: bool):
    duel = begin(cast.ada, cast.bram, ruleset="wizards-1")
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("P", "W")})
    if is_over:
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        assert Marker.objects.count() == 1
    act = perform_act(ActKind.ANNUL, make_referee(), duel)
    assert (duel.status, duel.ended, duel.result) == (DuelStatus.ANNULLED, DuelEnding.ANNULLED, "")
    assert not Marker.objects.exists()
    assert {each.outcome for each in duel.seats.all()} == {Outcome.NONE}
    assert None not in {each.duel_ended_at for each in duel.seats.all()}
    assert duel.seed.isalnum(), "the seed is public"
    played = Orders.objects.filter(turn__duel=duel, turn__stage="resolved", superseded=False)
    assert all(orders.body.startswith("{") for orders in played)
    assert act.facts.get("markers_of", []) == (["w1"] if is_over else [])
    assert rejection_code(ActKind.ANNUL, duel) == "annulled_already"


def test_acts_on_challenges_and_practice_duels_are_rejected(cast: Cast):
    gathering = challenge(cast.ada, cast.bram)
    assert rejection_code(ActKind.ANNUL, gathering) == "not_begun"
    practice: Any = practising.start_practice(wizard=cast.ada, ruleset="bartle-1", now=NOW)
    assert rejection_code(ActKind.ANNUL, practice) == "practice"
