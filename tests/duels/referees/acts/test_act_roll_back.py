"""Rollbacks by referees, after which later turns are void, and orders are collected again."""

import hashlib
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

import engine.play
from duels.commands import deadlines, endings, read_marks, resolution, sealing, speaking
from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import (
    ActKind,
    Draft,
    Duel,
    DuelStatus,
    Marker,
    Orders,
    Outcome,
    Seat,
    Speech,
    Stage,
    Turn,
)
from duels.post.models import Notice
from duels.proof.records import duel_record
from duels.queries import pages, void_turns
from duels.queries.speeches import all_messages
from duels.referees.acts import carrying_out
from duels.sealing import seals, seeds
from engine.cli.main import main
from engine.proof.verify import verify
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    deliver,
    hands,
    open_turn,
    play,
    seal,
    seat,
    signed_in,
)
from tests.duels.referees.acts.refereeing import (
    REASON,
    changed_columns,
    make_referee,
    perform_act,
    rows_of,
)
from tests.states import STATES, People, play_turn

IDLE = hands("-", "-")
SURRENDER = hands("P", "P")
DAY = timedelta(days=1)

pytestmark = pytest.mark.django_db


def replay_duel(duel: Duel, void: list[Turn]) -> None:
    """Play the duel again with the seals of these turns."""
    for turn in void:
        now_open = open_turn(duel)
        assert now_open.ordinal == turn.ordinal
        for stage in (Stage.ORDERS, Stage.ANSWERS):
            rows = Orders.objects.filter(turn=turn, superseded=False, stage=stage)
            for row in rows.order_by("batch", "pk"):
                row.pk, row.turn = None, now_open
                row.save(force_insert=True)
            resolution.resolve_turn(turn_id=now_open.pk, now=LATER)


def outcome_of(turns: list[Turn]) -> list[tuple[Any, ...]]:
    """Return everything that resulted from these turns."""
    return [(turn.ordinal, turn.number, turn.kind, turn.position, turn.events) for turn in turns]


def test_same_seals_lead_to_the_same_positions_after_a_rollback():
    people = People()
    duel = STATES["every_effect"](people).duel
    while not duel.is_over:
        play_turn(duel, {})
    draws = [
        event
        for turn in Turn.objects.filter(duel=duel, events__isnull=False)
        for event in adjudication.load_stored_events(turn.events)
        if isinstance(event, engine.play.Drew)
    ]
    assert draws, "the duel has draws"
    neighbour = begin(people[0], people[1])
    neighbours = rows_of(neighbour)
    by = make_referee()
    for number in (1, 2):
        duel.refresh_from_db()
        assert duel.is_over
        turns = list(Turn.objects.filter(duel=duel).order_by("ordinal"))
        final, chains = duel.final_position, [turn.chain for turn in turns]
        act = perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
        ordinals = [turn.ordinal for turn in turns[1:]]
        assert act.facts["void"] == ordinals
        assert (act.turn, act.facts["roll_back"]) == (2, number)
        assert (duel.status, duel.result, duel.ended) == (DuelStatus.RUNNING, "", "")
        assert duel.seed_commitment
        assert not duel.seed.isalnum(), "sealed again"
        assert open_turn(duel).position == turns[1].position
        void = list(Turn.with_voided.filter(duel=duel, voided_in=number).order_by("ordinal"))
        assert outcome_of(void) == outcome_of(turns[1:])
        replay_duel(duel, void)
        duel.refresh_from_db()
        again = list(Turn.objects.filter(duel=duel).order_by("ordinal"))
        assert outcome_of(again) == outcome_of(turns)
        # Links also cover rollbacks, and the time at which a turn is played again.
        assert [turn.chain for turn in again][:1] == chains[:1]
        assert not {turn.chain for turn in again[1:]} & set(chains)
        assert duel.final_position == final
    assert Turn.with_voided.filter(duel=duel).count() == 1 + 3 * len(ordinals)
    assert rows_of(neighbour) == neighbours
    written = json.loads(json.dumps(duel_record(duel)))
    assert written["turns"][-1]["ordinal"] == turns[-1].ordinal
    assert [turn["voided_in"] for turn in written["void_turns"]] == sorted([1, 2] * len(ordinals))
    assert [act["act"] for act in written["acts"]] == ["roll_back", "roll_back"]
    assert [turn["acts"] for turn in written["turns"]] == [0] + [2] * len(ordinals)
    assert Notice.objects.filter(duel=duel, kind="over").count() == 6


def test_record_of_a_rolled_back_duel_verifies(cast: Cast):
    """Rollbacks happen after the end, in an open turn, and over turns rolled back earlier."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    three = (cast.ada, cast.bram, cast.cleo)
    by = make_referee()
    for _ in range(3):
        play(duel, dict.fromkeys(three, hands("S", "-")))
    seal(duel, cast.ada, hands("D", "-"))
    perform_act(ActKind.ROLL_BACK, by, duel, turn="3")
    play(duel, dict.fromkeys(three, hands("D", "-", left_subject="w0")))
    surrender = hands("P", "P")
    play(duel, {cast.ada: hands("D", "-"), cast.bram: surrender, cast.cleo: surrender})
    duel.refresh_from_db()
    assert duel.is_over
    perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
    play(duel, dict.fromkeys(three, hands("W", "-")))
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    removed = seat(duel, cast.bram).code
    perform_act(ActKind.REMOVE, by, Duel.objects.get(pk=duel.pk), seat=removed)
    duel.refresh_from_db()
    written = json.loads(json.dumps(duel_record(duel)))
    assert [
        (turn["voided_in"], turn["ordinal"], turn["played"]) for turn in written["void_turns"]
    ] == [
        (1, 3, True),
        (1, 4, False),
        (2, 2, True),
        (2, 3, True),
        (2, 4, True),
    ]
    assert [turn["acts"] for turn in written["turns"]] == [0, 2, 2]
    assert (written["turns"][2]["removed"], written["ended"]["how"]) == ([removed], "removed")
    assert verify(written) == []
    sealed = written["void_turns"][1]["seals"][0]
    assert sealed["fields"]["left"] == "D"
    sealed["source"] = "default"
    assert verify(written)[0].startswith("void_turns[1].chain: ")


def duel_with_drawn_gesture(cast: Cast) -> Duel:
    """Return a duel in which confused Bram's gesture in turn 4 is drawn; then he resigns."""
    duel = begin(cast.ada, cast.bram)
    for letter, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"}), ("-", {})):
        seal(duel, cast.ada, hands(letter, "-", **more), chance=CHANCE)
        play(duel, {cast.bram: hands("W", "W")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    return duel


CHANCE = "0123456789abcdef" * 2


def drawn_values(turn: Turn) -> list[tuple[str, int]]:
    events = adjudication.load_stored_events(turn.events)
    return [(event.label, event.value) for event in events if isinstance(event, engine.play.Drew)]


def test_rollback_after_the_end_uses_a_new_seed(
    cast: Cast, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """The duel is rolled back twice.

    The act contains a commitment to the new seed, which is secret until the duel ends again.
    """
    duel, by = duel_with_drawn_gesture(cast), make_referee()
    seen = [(duel.seed, duel.seed_commitment)]
    for number in (1, 2):
        act = perform_act(ActKind.ROLL_BACK, by, duel, turn="4")
        assert act.facts["seed_commitment"] == duel.seed_commitment
        assert duel.seed_commitment not in {commitment for _, commitment in seen}
        assert not duel.seed.isalnum(), "sealed again"
        assert (duel.seed_roll_backs, open_turn(duel).roll_backs) == (number, number)
        seed = seeds.seed_of(duel)
        assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == duel.seed_commitment
        seal(duel, cast.ada, IDLE, chance=CHANCE)
        for client in (Client(), signed_in(cast.ada), signed_in(cast.bram)):
            addresses = ["", "turns/3/", "turns/3/proof.json", "record.json"]
            for address in addresses:
                assert seed not in client.get(f"/duels/{duel.pk}/{address}").content.decode()
        assert (
            duel.seed_commitment in signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
        )
        play(duel, {cast.bram: IDLE})
        told = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
        assert "everything after that is void, and the dice have a new seed." in told
        for ordinal, (_, commitment) in ((3, seen[0]), (4, ("", duel.seed_commitment))):
            proof = Client().get(f"/duels/{duel.pk}/turns/{ordinal}/proof.json").json()
            assert proof["seed_commitment"] == commitment
            assert commitment in Client().get(f"/duels/{duel.pk}/turns/{ordinal}/").content.decode()
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        duel.refresh_from_db()
        assert duel.seed == seed
        seen.append((seed, duel.seed_commitment))
    written = json.loads(json.dumps(duel_record(duel)))
    assert [
        (s["roll_backs"], s["seed"], s["seed_commitment"]) for s in written["dice"]["seeds"]
    ] == [(number, *each) for number, each in enumerate(seen)]
    assert [turn["roll_backs"] for turn in written["turns"]] == [0, 0, 0, 2, 2]
    assert [
        (turn["voided_in"], turn["ordinal"], turn["roll_backs"]) for turn in written["void_turns"]
    ] == [(1, 4, 0), (1, 5, 0), (2, 4, 1), (2, 5, 1)]
    assert all(turn["draws"] for turn in (written["turns"][3], *written["void_turns"][::2]))
    path = tmp_path / "record.json"
    path.write_text(json.dumps(written), encoding="utf-8")
    assert main(["verify", str(path)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"checked: salts of seals \d+, by the seed\n", printed)
    assert "checked: seeds 3\n" in printed
    assert "lay open" not in printed


def test_same_seals_lead_to_other_draws_after_a_rollback_of_a_finished_duel(cast: Cast):
    """Someone who knows the old seed must not be able to predict the new draws."""
    duel, by = duel_with_drawn_gesture(cast), make_referee()
    fallen = set[str]()
    for _ in range(6):
        turns = list(Turn.objects.filter(duel=duel, ordinal=4))
        fallen.add(str(drawn_values(turns[0])))
        perform_act(ActKind.ROLL_BACK, by, duel, turn="4")
        replay_duel(duel, turns)
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        duel.refresh_from_db()
    assert len(fallen) > 1, "six equal draws happen once in 60 million times"


def test_rollback_of_a_running_duel_keeps_its_seed(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    before = (duel.seed, duel.seed_commitment, duel.past_seeds)
    act = perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert "seed_commitment" not in act.facts
    assert (duel.seed, duel.seed_commitment, duel.past_seeds) == before
    assert open_turn(duel).roll_backs == 1
    sealed = seal(duel, cast.ada, IDLE)
    place = seals.decrypt_seal(sealed.body).fields["place"]
    assert place == f"duel {duel.pk} turn 1 wizard w0 orders 0 roll backs 1"
    assert play(duel, {cast.bram: IDLE}).roll_backs == open_turn(duel).roll_backs == 1


def test_plan_of_a_rollback_announces_the_new_seed(cast: Cast):
    duel, by = duel_with_drawn_gesture(cast), make_referee()
    plan = carrying_out.plan_act(
        ActKind.ROLL_BACK, duel_id=duel.pk, by=by, now=NOW, fields={"turn": "4"}
    )
    told = {change.words: (change.before, change.after) for change in plan.changes}
    assert told["The seed of the dice"] == ("open", "a new one, secret until the end")


def test_new_seals_after_a_rollback_have_new_commitments():
    duel = STATES["every_effect"](People()).duel
    play_turn(duel, {})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    play_turn(duel, {})
    sealed = Orders.objects.filter(turn__duel=duel, turn__ordinal=1, stage=Stage.ORDERS)
    assert len(set(sealed.values_list("commitment", flat=True))) == 4
    links = Turn.with_voided.filter(duel=duel, ordinal=1).values_list("chain", flat=True)
    assert len(set(links)) == 2


def test_rollback_restores_clocks_and_unread_reports_and_keeps_messages_but_not_drafts(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400", excuses=2)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("P", "W")})
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Two.", now=NOW)
    deadlines.process_deadlines(duel_id=duel.pk, now=NOW + DAY)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE}, now=NOW + DAY)
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Three.", now=LATER)
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=2, speech=0)
    turn, now = open_turn(duel), NOW + 2 * DAY
    sealing.save_draft(turn_id=turn.pk, wizard=cast.ada, fields=hands("F", "F"), now=now)
    sealed = seal(duel, cast.bram, hands("D", "D"), now=now)
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=now)
    assert [each.excuses_left for each in duel.seats.all()] == [1, 1]
    plan = carrying_out.plan_act(
        ActKind.ROLL_BACK, duel_id=duel.pk, by=make_referee(), now=now, fields={"turn": "2"}
    )
    told = [(change.words, change.before, change.after) for change in plan.changes]
    assert told == [
        ("turn 2 to turn 3", "played", "void: does not count, but can still be read"),
        ("The duel", "at turn 3", "at turn 2, with new orders"),
        ("Extensions of Ada", "1 left", "2 left"),
        ("Extensions of Bram", "1 left", "2 left"),
    ]
    perform_act(ActKind.ROLL_BACK, make_referee("other@example.org"), duel, turn="2", now=now)
    again = open_turn(duel)
    assert (again.ordinal, again.number, again.voided_in, again.stage) == (2, 2, 0, "orders")
    for each in duel.seats.all():
        assert (each.awaited, each.due_at, each.outcome) == (True, now + DAY, "")
        assert (each.draw_offered_in, each.read_turn, each.excuses_left) == (None, 0, 2)
    assert not Draft.objects.exists()
    assert set(Speech.objects.values_list("ordinal", flat=True)) == {2}
    sealed.refresh_from_db()
    assert (sealed.turn_id, sealed.superseded) == (turn.pk, False)
    turn.refresh_from_db()
    assert (turn.stage, turn.voided_in) == (Stage.VOID, 1)
    for change in (
        lambda: sealing.seal_orders(
            turn_id=turn.pk, wizard=cast.bram, fields=hands("D", "D"), form_seal="", now=now
        ),
        lambda: sealing.unseal(turn_id=turn.pk, wizard=cast.bram, now=now),
        lambda: sealing.save_draft(turn_id=turn.pk, wizard=cast.ada, fields=IDLE, now=now),
    ):
        with pytest.raises(Refused) as refused:
            change()
        assert refused.value.code == "turn_void"
    assert not resolution.resolve_turn(turn_id=turn.pk, now=now)
    with pytest.raises(Refused, match="already at the start of this turn"):
        perform_act(ActKind.ROLL_BACK, make_referee("third@example.org"), duel, turn="2", now=now)
    view = pages.duel_page(duel, cast.ada).view
    assert view is not None
    assert [turn.ordinal for turn in view.turns] == [1]
    words = all_messages(duel, cast.ada)
    assert [said.words for said in words] == ["Two.", "Three."]


def test_rollback_can_restart_an_open_turn_with_questions(cast: Cast):
    state = STATES["answers"](People())
    duel = state.duel
    assert open_turn(duel).stage == Stage.ANSWERS
    before = rows_of(duel)
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert open_turn(duel).stage == Stage.ORDERS
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()
    after = changed_columns(before, rows_of(duel))
    assert "Orders" not in after
    assert open_turn(duel).questions == []


@pytest.mark.parametrize("name", ["hasted", "four_wizards", "blind"])
def test_any_duel_can_be_rolled_back_and_replayed(name: str):
    duel = STATES[name](People()).duel
    turns = list(Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("ordinal"))
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    replay_duel(duel, turns[1:])
    assert open_turn(duel).ordinal == turns[-1].ordinal + 1
    again = list(Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("ordinal"))
    assert outcome_of(again) == outcome_of(turns)
    assert again[0].chain == turns[0].chain
    assert not {turn.chain for turn in again[1:]} & {turn.chain for turn in turns}


def test_rollback_of_a_finished_duel_undoes_outcomes_and_marker_moves(cast: Cast):
    won = begin(cast.bram, cast.cleo, ruleset="wizards-1")
    endings.resign(duel_id=won.pk, wizard=cast.cleo, now=NOW)
    duel = begin(cast.ada, cast.bram, ruleset="wizards-1")
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-"), cast.bram: IDLE}, now=LATER)
    assert [each.outcome for each in duel.seats.all()] == [Outcome.WON, Outcome.LOST]
    before = Marker.objects.get(duel=won)
    assert before.returned_in == duel
    act = perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    assert act.facts["markers_to"] == ["w1"]
    assert act.facts["was"] == {"status": "over", "ended": "rules", "result": "w0"}
    kept = Marker.objects.get(duel=won)
    assert (kept.returned_at, kept.returned_in) == (None, None)
    assert not Marker.objects.filter(duel=duel).exists()
    assert {each.outcome for each in duel.seats.all()} == {Outcome.NONE}
    assert {each.duel_ended_at for each in duel.seats.all()} == {None}


def test_rollback_brings_back_only_wizards_who_left_after_that_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    endings.resign(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE, cast.cleo: IDLE})
    play(duel, {cast.ada: IDLE, cast.bram: IDLE, cast.cleo: SURRENDER})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    duel.refresh_from_db()
    assert duel.is_over
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2")
    assert [each.outcome for each in duel.seats.all()] == ["", "", "", Outcome.RESIGNED]
    assert [each.awaited for each in duel.seats.all()] == [True, True, True, False]


def test_rollback_restores_the_number_of_missed_turns(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400")
    for number in (1, 2):
        seal(duel, cast.ada, IDLE, now=NOW)
        deadlines.process_deadlines(duel_id=duel.pk, now=NOW + number * DAY)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW + number * DAY)
    assert seat(duel, cast.bram).missed_turns == 2
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="2", now=NOW + 3 * DAY)
    again = seat(duel, cast.bram)
    assert (again.missed_turns, again.missed_in) == (1, 1)
    assert seat(duel, cast.ada).missed_turns == 0


def test_extension_is_not_restored_by_both_an_excuse_and_a_rollback(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace="86400", excuses=1)
    seal(duel, cast.ada, IDLE, now=NOW)
    deadlines.process_deadlines(duel_id=duel.pk, now=NOW + DAY)
    assert seat(duel, cast.bram).excuses_left == 0
    by = make_referee()
    perform_act(ActKind.EXCUSE, by, duel, seat="w1", now=NOW + DAY)
    perform_act(ActKind.ROLL_BACK, by, duel, turn="1", now=NOW + DAY)
    assert seat(duel, cast.bram).excuses_left == 1


@pytest.mark.parametrize("turn", ["", "0", "9", "-1", "1.5", "x", "99999999999"])
def test_rollback_to_an_unknown_turn_is_rejected(cast: Cast, turn: str):
    duel = begin(cast.ada, cast.bram)
    with pytest.raises(Refused) as refused:
        perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn=turn)
    assert refused.value.field == "turn"


def test_notices_about_void_turns_are_not_sent(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    deliver(now=LATER)
    told = Notice.objects.filter(duel=duel, status="sent", turn__isnull=False)
    assert {notice.turn.voided_in for notice in told if notice.turn} == {0}
    dropped = Notice.objects.filter(duel=duel, status="dropped", turn__voided_in=1)
    assert dropped.count() == 4  # notices about the start and about turn 2, for both wizards
    assert Seat.objects.filter(duel=duel, awaited=True).count() == 2


def test_void_turns_have_pages_and_links_to_them(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    for letters in ("WP", "SD", "FF"):
        play(duel, {cast.ada: hands(*letters), cast.bram: IDLE})
    by = make_referee()
    perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
    play(duel, {cast.ada: hands("C", "C"), cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
    ada = signed_in(cast.ada)
    page = ada.get(f"/duels/{duel.pk}/").content.decode()
    assert (
        f"{by.name} rolled the duel back to the start of turn 2; everything after that is void."
        in page
    )
    assert REASON in page
    for address in ("1/2", "1/3", "2/2"):
        assert f'href="/duels/{duel.pk}/void/{address}/"' in page
    first = ada.get(f"/duels/{duel.pk}/void/1/3/").content.decode()
    assert "Turn 3 (void)" in first
    assert count_squares(first, "F") == 2
    second = ada.get(f"/duels/{duel.pk}/void/2/2/").content.decode()
    assert count_squares(second, "F") == 0
    answer = ada.get(f"/duels/{duel.pk}/void/1/1/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/duels/{duel.pk}/turns/1/"
    for unplayed in ("1/4", "2/3"):
        page_of_unplayed_turn = ada.get(f"/duels/{duel.pk}/void/{unplayed}/")
        assert "It was not played" in page_of_unplayed_turn.content.decode()
    for missing in ("1/5", "3/2", "1/9999999999"):
        assert ada.get(f"/duels/{duel.pk}/void/{missing}/").status_code == 404
    for stranger in (signed_in(cast.dorn), Client()):
        assert stranger.get(f"/duels/{duel.pk}/void/1/3/").status_code == 404


def test_page_of_the_last_void_turn_shows_its_outcome(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-"), cast.bram: IDLE})
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    page = Client().get(f"/duels/{duel.pk}/void/1/1/").content.decode()
    assert "Bram dies" in page
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    perform_act(ActKind.ROLL_BACK, make_referee("other@example.org"), duel, turn="1")
    page = Client().get(f"/duels/{duel.pk}/void/2/1/").content.decode()
    assert "Ada resigns" in page


def count_squares(html: str, letter: str) -> int:
    """Return how many squares of the grid show this gesture."""
    return html.count(f"<b>{letter}<i>")


def test_void_turn_that_had_not_been_resolved_has_a_page(cast: Cast, client: Client):
    """The page shows which wizards had sealed. Orders stay secret, even if everyone had sealed."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
    by = make_referee()
    perform_act(ActKind.PAUSE, by, duel)
    first = seal(duel, cast.ada, hands("S", "D"))
    second = seal(duel, cast.bram, hands("F", "F"))
    perform_act(ActKind.ROLL_BACK, by, duel, turn="1")
    address = f"/duels/{duel.pk}/void/1/2/"
    assert address in client.get(f"/duels/{duel.pk}/").content.decode()
    page = void_turns.void_turn_page(duel, 1, 2, None)
    assert page is not None
    assert (page.was_played, page.view.turns[-1].ordinal) == (False, 2)
    assert [seal.commitment for seal in page.seals] == [first.commitment, second.commitment]
    assert not any(seal.fields for seal in page.seals)
    shown = client.get(address)
    assert shown.status_code == 200
    assert "It was not played" in shown.content.decode()
    assert first.commitment in shown.content.decode()
    assert "Proof" not in shown.content.decode()


def test_page_of_a_void_turn_with_questions_shows_its_gestures(cast: Cast):
    """The gestures had been revealed to everyone before the questions were asked."""
    duel = STATES["answers"](People()).duel
    ordinal = open_turn(duel).ordinal
    perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="1")
    page = void_turns.void_turn_page(duel, 1, ordinal, None)
    assert page is not None
    letters = {row.left.letter for rows in page.view.turns[-1].rows.values() for row in rows}
    assert letters - {"-", "?"}
