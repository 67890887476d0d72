"""Evidence for referees: what spectators see, and turns that they have opened, which is logged."""

import re
from datetime import timedelta
from functools import partial
from html import unescape

import pytest
from django.test import Client

import engine.play
from duels.commands import deadlines, endings, sealing, speaking
from duels.errors import Refused
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Act, ActKind, Draft, Duel, Orders, QuestionRound, Seat, Stage, Turn, User
from duels.post.models import Notice
from duels.push.models import Push
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.cases.case_acts import open_sealed_orders
from duels.referees.cases.handling import claim_case
from duels.referees.desk.evidence.difference import compare_outcomes
from duels.referees.desk.evidence.dry_run import run_with_changes, stored_outcome
from duels.referees.desk.evidence.evidence_access import (
    FULL_ACCESS,
    NO_ACCESS,
    EvidenceAccess,
    turn_key,
    turns_opened_in_case,
)
from duels.referees.desk.evidence.sight import moments_of, pending_actions, view_of_observer
from duels.referees.desk.evidence.timeline import ENTRY_KINDS, timeline
from duels.referees.log import act_log
from duels.referees.models import Case
from engine.play import ALL, SPECTATOR
from tests.cast import LATER, NOW, begin, hands, make_wizard, open_turn, play, seal
from tests.duels.referees.desk.conftest import (
    acts_on_duels,
    create_referee,
    open_dispute_at,
    signed_in_referee,
)
from tests.states import STATES, People

HASH_VALUE = re.compile(r"[0-9a-f]{64}")
CASE_OR_DUEL_NUMBER = re.compile(r'(?i)/cases/\d+/|/duels/\d+/|dispute \d+|data-case="\d+"')
TOKEN_FIELD = re.compile(r'name="(?:csrfmiddlewaretoken|form_key)" value="[^"]+"')


def loaded_turn(duel: Duel, ordinal: int) -> OpenTurn:
    found = load_turn(Turn.objects.get(duel=duel, ordinal=ordinal).pk)
    assert found is not None
    return found


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return TOKEN_FIELD.sub("", HASH_VALUE.sub("", answer.content.decode()))


# Opening sealed turns. Promise 10


def evidence_paths(case: Case) -> list[str]:
    base = f"/desk/cases/{case.pk}/"
    turns = [f"{base}turns/{ordinal}/" for ordinal in (1, 2, 3)]
    return [base, f"{base}timeline/", *turns, *(f"{turn}dry-run/" for turn in turns)]


def test_unopened_turn_does_not_show_sealed_orders(
    blind_duel: Duel, case: Case, theo: User
) -> None:
    """Compare the pages before and after a seal of the open turn is exchanged and a draft added.

    Promise 1
    """
    claim_case(case_id=case.pk, user=theo, now=NOW)
    desk = signed_in_referee(theo)
    before = [page(desk, path) for path in evidence_paths(case)]
    ada, bram = (seat.wizard for seat in blind_duel.seats.order_by("place"))
    turn = open_turn(blind_duel)
    sealed = Orders.objects.get(turn=turn)
    other = begin(ada, bram)
    instead = seal(other, bram, {"left": ">", "right": "W", "say": "Never!", "left_subject": "w0"})
    Orders.objects.filter(pk=sealed.pk).update(body=instead.body, commitment=instead.commitment)
    draft = sealing.save_draft(
        turn_id=open_turn(other).pk, wizard=ada, fields=hands("D", "D"), now=NOW
    )
    assert draft is not None
    Draft.objects.create(
        turn=turn, seat=turn.duel.seats.get(place=0), body=draft.body, saved_at=NOW
    )
    assert [page(desk, path) for path in evidence_paths(case)] == before


def test_unopened_turn_does_not_show_gestures_that_a_wizard_has_not_seen(theo: User) -> None:
    """Compare two duels with different gestures that a blind wizard has not seen. Promise 2"""
    pages = []
    people = People()
    for right in ("D", "F"):
        duel = STATES["blind"](people).duel
        bram = duel.seats.get(place=1)
        turn = Turn.objects.get(duel=duel, ordinal=2)
        assert turn.events is not None
        events = turn.events["events"]
        (made,) = [e for e in events if e["code"] == "gestured" and e["wizard"] == bram.code]
        made["right"] = right
        Turn.objects.filter(pk=turn.pk).update(events=turn.events)
        case = claim_case(case_id=open_dispute_at(duel, 2).pk, user=theo, now=NOW)
        found = page(signed_in_referee(theo), f"/desk/cases/{case.pk}/turns/2/")
        pages.append(CASE_OR_DUEL_NUMBER.sub("", found))
    assert pages[0] == pages[1]


def test_opening_a_turn_is_logged_and_shows_the_turn(
    blind_duel: Duel, held: Case, desk: Client, theo: User
) -> None:
    base = f"/desk/cases/{held.pk}/turns/"
    assert "data-closed" in page(desk, f"{base}3/")
    answer = desk.post(f"{base}3/open", {"reason": "To see whether the shield was sealed."})
    assert answer.status_code == 302
    act = Act.objects.get(kind=ActKind.OPEN_SEALED)
    assert (act.duel, act.case, act.turn, act.referee) == (blind_duel, held.pk, 3, theo.pk)
    assert "shield" in act.reason
    assert act.facts == {}, "the log contains nothing from the orders"
    found = page(desk, f"{base}3/")
    assert "data-closed" not in found
    assert "Sealed orders</h2>" in found
    for observer in ("w0", ALL):
        assert f'data-observer="{observer}"' in found
    # Sealed orders of an earlier turn stay hidden until it is opened too, but its gestures are
    # shown.
    earlier = page(desk, f"{base}2/")
    assert "Sealed orders</h2>" not in earlier
    assert 'data-observer="all"' in earlier
    # Opening the turn a second time is not logged again.
    desk.post(f"{base}3/open", {"reason": "Again."})
    assert Act.objects.filter(kind=ActKind.OPEN_SEALED).count() == 1


def test_opening_a_turn_requires_a_reason(held: Case, desk: Client) -> None:
    answer = desk.post(f"/desk/cases/{held.pk}/turns/3/open", {"reason": "  "})
    assert answer.status_code == 422
    assert not acts_on_duels()


def test_only_the_referee_who_claimed_a_case_can_open_its_turns(
    blind_duel: Duel, held: Case, theo: User
) -> None:
    uma = create_referee("uma@example.org")
    for case_id, user, ordinal, code in (
        (held.pk, uma, 3, "not_held"),
        (held.pk, theo, 9, "no_such_turn"),
        (held.pk + 9, theo, 3, "no_such_case"),
    ):
        with pytest.raises(Refused) as refused:
            open_sealed_orders(
                case_id=case_id, referee=user, ordinal=ordinal, reason="So.", now=NOW
            )
        assert refused.value.code == code
    open_sealed_orders(case_id=held.pk, referee=theo, ordinal=3, reason="So.", now=NOW)
    # Neither a colleague nor the same referee in another case sees the opened turn.
    assert "data-closed" in page(signed_in_referee(uma), f"/desk/cases/{held.pk}/turns/3/")


def test_referee_with_a_seat_does_not_see_in_the_log_that_a_turn_was_opened(
    blind_duel: Duel, held: Case, desk: Client, theo: User
) -> None:
    open_sealed_orders(
        case_id=held.pk, referee=theo, ordinal=3, reason="Is there a shield?", now=NOW
    )
    bram = blind_duel.seats.get(place=1).wizard.user
    assert bram is not None
    bram = appointments.appoint_referee(email=bram.email)
    assert "Is there a shield?" in page(desk, "/desk/log/")
    assert "Is there a shield?" not in page(signed_in_referee(bram), "/desk/log/")


def test_referee_can_see_everything_of_a_finished_duel(
    blind_duel: Duel, held: Case, desk: Client, theo: User
) -> None:
    endings.resign(duel_id=blind_duel.pk, wizard=blind_duel.seats.get(place=1).wizard, now=LATER)
    assert "data-closed" not in page(desk, f"/desk/cases/{held.pk}/turns/2/")
    with pytest.raises(Refused) as refused:
        open_sealed_orders(case_id=held.pk, referee=theo, ordinal=2, reason="So.", now=LATER)
    assert refused.value.code == "open_already"


def test_opening_a_turn_shows_hidden_gestures_but_not_seals_of_earlier_turns(
    blind_duel: Duel, held: Case, theo: User
) -> None:
    open_sealed_orders(case_id=held.pk, referee=theo, ordinal=2, reason="So.", now=NOW)
    opening = turns_opened_in_case(held, theo)
    turns = list(Turn.objects.filter(duel=blind_duel).order_by("ordinal"))
    assert [opening.shows_fogged(turn) for turn in turns] == [True, True, False]
    assert [opening.shows_sealed(turn) for turn in turns] == [False, True, False]
    assert FULL_ACCESS.shows_sealed(turns[2])
    assert not NO_ACCESS.shows_fogged(turns[0])


def test_seals_after_a_rollback_stay_closed_to_the_referee(
    blind_duel: Duel, held: Case, desk: Client, theo: User
) -> None:
    """Opening a turn that has become void does not open the turn that replaced it."""
    look = partial(open_sealed_orders, case_id=held.pk, referee=theo, reason="So.", now=NOW)
    first = look(ordinal=3)
    by = act_log.referee_ref(theo)
    for turn in ("3", "2"):
        carrying_out.carry_out_act(
            ActKind.ROLL_BACK,
            by=by,
            reason="Again.",
            now=NOW,
            duel_id=blind_duel.pk,
            fields={"turn": turn},
        )
        bram = blind_duel.seats.get(place=1).wizard
        seal(blind_duel, bram, {"left": "S", "right": "P", "say": "Unheard of"})
        if turn == "3":
            path = f"/desk/cases/{held.pk}/turns/3/"
            for closed in (path, f"{path}dry-run/", f"/desk/cases/{held.pk}/timeline/"):
                assert "Unheard of" not in page(desk, closed)
            assert "data-closed" in page(desk, path)
            assert "data-closed" not in page(desk, f"{path}?void=1")
            assert look(ordinal=3, voided_in=1) == first, "a second opening is not logged"
            second = look(ordinal=3)
            assert second != first
            assert second.facts == {}
            assert "data-closed" not in page(desk, path)
    # A closed turn stays closed even if a later turn was opened before both became void.
    opening = turns_opened_in_case(held, theo)
    assert opening.turns == {(3, 1), (3, 2)}
    assert not opening.shows_fogged(Turn.objects.get(duel=blind_duel, ordinal=2))
    assert opening.shows_fogged(Turn.with_voided.get(duel=blind_duel, ordinal=2, voided_in=2))
    third = look(ordinal=2, voided_in=2)
    assert third.facts == {"voided_in": 2}
    assert not turns_opened_in_case(held, theo).shows_sealed(open_turn(blind_duel))


def test_blind_wizards_view_has_fewer_gestures_than_the_referees_view(blind_duel: Duel) -> None:
    turn = loaded_turn(blind_duel, 2)
    (*_, resolved) = moments_of(turn.row, with_hidden=True)
    blind, everything = (view_of_observer(turn, each, resolved) for each in ("w0", ALL))
    rows = [sight.view.turns[-1].rows["w1"][0] for sight in (blind, everything)]
    assert [row.left.letter for row in rows] == ["?", "F"]


def test_turn_with_questions_has_one_moment_before_and_one_after_its_reveal(db: None) -> None:
    state = STATES["answers"](People())
    turn = loaded_turn(state.duel, 1)
    assert [each.code for each in moments_of(turn.row, with_hidden=True)] == [
        "opened",
        "revealed-1",
    ]
    opened, revealed = (
        view_of_observer(turn, "w1", each) for each in moments_of(turn.row, with_hidden=True)
    )
    assert not opened.reports
    assert revealed.view.turns[-1].rows["w0"][0].left.letter == "F"
    hidden = turn.row
    hidden.kind = "extra"
    assert [each.code for each in moments_of(hidden, with_hidden=False)] == ["opened"]


def test_order_sheet_or_questions_of_a_moment_are_shown_next_to_the_board(
    db: None, theo: User
) -> None:
    """The page shows the fields of the sheet and the seats that must act, without any values."""
    duel = STATES["answers"](People()).duel
    turn = loaded_turn(duel, 1)
    opened, revealed = moments_of(turn.row, with_hidden=True)
    first = pending_actions(turn, "w0", opened)
    assert [seat.code for seat in first.awaited] == ["w0", "w1"]
    assert first.sheet is not None
    assert not first.questions
    asked = pending_actions(turn, "w0", revealed)
    assert [question.id for question in asked.questions] == [
        question["id"] for question in turn.row.questions
    ]
    other = pending_actions(turn, "w1", revealed)
    assert (other.questions, other.sheet) == ((), None)
    assert [seat.code for seat in other.awaited] == ["w0"]
    assert pending_actions(turn, SPECTATOR, opened).sheet is None

    case = claim_case(case_id=open_dispute_at(duel, 1).pk, user=theo, now=NOW)
    path = f"/desk/cases/{case.pk}/turns/1/"
    desk = signed_in_referee(theo)
    closed = page(desk, path)
    assert turn.row.questions[0]["text"] not in unescape(closed)
    open_sealed_orders(case_id=case.pk, referee=theo, ordinal=1, reason="So.", now=NOW)
    seen = unescape(page(desk, f"{path}?at=revealed-1&first=w0&second=w1"))
    (mine, theirs) = re.findall(r"<div class=\"leaf\" data-wanted>.*?</div>\s*<div", seen, re.S)
    assert turn.row.questions[0]["text"] in mine
    assert turn.row.questions[0]["text"] not in theirs
    assert "The turn was waiting for Ada." in theirs
    sheet = page(desk, f"{path}?at=opened&first=w0&second=spectator")
    assert "<dt>Message</dt>" in sheet
    assert "The turn was waiting for Ada and Bram." in sheet


def test_only_the_asked_wizard_sees_that_an_extra_turn_waits_for_answers(db: None) -> None:
    """rules: R121, R162"""
    turn = loaded_turn(STATES["answers"](People()).duel, 1)
    turn.row.kind = "extra"
    opened, revealed = moments_of(turn.row, with_hidden=True)
    seen = {each: pending_actions(turn, each, revealed) for each in ("w0", "w1", SPECTATOR, ALL)}
    assert {each for each, pending in seen.items() if pending.questions} == {"w0"}
    assert [seat.code for seat in seen[ALL].awaited] == ["w0"]
    assert seen["w1"] == pending_actions(turn, "w1", opened), (
        "others see a turn that waits for orders"
    )
    assert not pending_actions(turn, SPECTATOR, opened).is_known
    assert pending_actions(turn, SPECTATOR, opened).awaited == ()


def test_view_of_a_past_moment_does_not_include_later_turns(db: None) -> None:
    duel = STATES["over"](People()).duel
    turn = loaded_turn(duel, 10)
    opened, resolved = moments_of(turn.row, with_hidden=True)
    sight = view_of_observer(turn, SPECTATOR, opened)
    assert [each.ordinal for each in sight.view.turns][-1] == 9
    assert [each.ordinal for each in view_of_observer(turn, SPECTATOR, resolved).view.turns][
        -1
    ] == 10


def test_void_turns_are_part_of_the_evidence(db: None, theo: User) -> None:
    """The duel is rolled back twice.

    Each void turn is shown after the turns that were valid when it was played.
    """
    duel = STATES["blind"](People()).duel
    wizards = [seat.wizard for seat in duel.seats.order_by("place")]
    by = act_log.referee_ref(theo)
    roll_back = ActKind.ROLL_BACK
    carrying_out.carry_out_act(
        roll_back, by=by, reason="Again.", now=NOW, duel_id=duel.pk, fields={"turn": "2"}
    )
    play(duel, {wizards[0]: hands("W", "W"), wizards[1]: hands("P", "P")})
    carrying_out.carry_out_act(
        roll_back, by=by, reason="And again.", now=NOW, duel_id=duel.pk, fields={"turn": "1"}
    )
    void = Turn.with_voided.filter(duel=duel, stage=Stage.RESOLVED).order_by("pk")
    assert [(turn.ordinal, turn.voided_in) for turn in void] == [(1, 2), (2, 1), (2, 2)]
    for row in void:
        found = load_turn(row.pk)
        assert found is not None
        again = run_with_changes(found)
        assert compare_outcomes(stored_outcome(row), again.outcome, again.start).is_empty
        sight = view_of_observer(found, ALL, moments_of(row, with_hidden=True)[-1])
        assert [each.ordinal for each in sight.view.turns] == [*range(1, row.ordinal + 1)]
        assert engine.play.dump(sight.view.turns[-1].events) == row.events
    case = claim_case(case_id=open_dispute_at(duel, 1).pk, user=theo, now=NOW)
    desk = signed_in_referee(theo)
    assert "void since rollback 1" in page(desk, f"/desk/cases/{case.pk}/turns/2/?void=1")
    assert desk.get(f"/desk/cases/{case.pk}/turns/2/").status_code == 404
    assert any("void since rollback 2" in each.words for each in timeline(duel, FULL_ACCESS))


# The timeline


def test_timeline_lists_every_kind_of_entry(db: None, theo: User) -> None:
    """The duel has every kind of entry. Each entry is listed once, at its time."""
    state = STATES["deserted"](People())
    duel = state.duel
    ada = duel.seats.get(place=0).wizard
    first = seal(duel, ada, hands("S", "W"), now=NOW)
    second = seal(duel, ada, hands("W", "W"), form_seal=first.commitment, now=LATER)
    sealing.unseal(turn_id=open_turn(duel).pk, wizard=ada, now=LATER + timedelta(minutes=1))
    speaking.send_message(duel_id=duel.pk, wizard=ada, words="Where is he?", now=LATER)
    case = claim_case(case_id=open_dispute_at(duel, 1).pk, user=theo, now=NOW)
    carrying_out.carry_out_act(
        ActKind.PAUSE, by=act_log.referee_ref(theo), reason="To look.", now=LATER, duel_id=duel.pk,
        case=case.pk,
    )  # fmt: skip
    duel.refresh_from_db()
    entries = timeline(duel, FULL_ACCESS)
    assert [each.at for each in entries] == sorted(each.at for each in entries)
    told = {(each.kind, each.words, each.who) for each in entries}
    assert ("word", "said: “Where is he?”", ada.name) in told
    assert ("act", "Pause the duel: To look.", "") in told
    seals = [each for each in entries if each.kind == "seal"]
    assert {each.commitment for each in seals} == set(
        Orders.objects.filter(turn__duel=duel).values_list("commitment", flat=True)
    )
    assert any(each.commitment == first.commitment and "replaced" in each.detail for each in seals)
    assert any("unsealed" in each.words and each.commitment == second.commitment for each in seals)
    assert any("by default" in each.words for each in seals)
    assert any("still paused" in each.words for each in entries if each.kind == "time")
    mails = [each for each in entries if each.kind == "mail" and "queued" in each.words]
    assert len(mails) == Notice.objects.filter(duel=duel).count()
    resolved = [each for each in entries if each.words.endswith(" resolved")]
    assert len(resolved) == Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).count()
    assert {each.kind for each in entries} == set(ENTRY_KINDS) - {"push"}


def test_timeline_shows_when_questions_of_a_turn_were_asked(db: None) -> None:
    """Each round of questions is listed at its time.

    Rounds of an extra turn are shown only once it is opened. Promise 2
    """
    duel = STATES["answers"](People()).duel
    turn = Turn.objects.get(duel=duel, ordinal=1)
    QuestionRound.objects.filter(turn=turn).update(asked_at=LATER)
    (asked,) = [each for each in timeline(duel, NO_ACCESS) if "asked questions" in each.words]
    assert (asked.at, asked.ordinal, asked.detail) == (LATER, 1, "")
    Turn.objects.filter(pk=turn.pk).update(kind="extra")
    assert not any("asked questions" in each.words for each in timeline(duel, NO_ACCESS))
    opened = timeline(duel, EvidenceAccess(turns=frozenset({turn_key(turn)})))
    assert any("asked questions" in each.words for each in opened)
    # A round without a stored time, as in old turns, is still listed.
    QuestionRound.objects.all().delete()
    (asked,) = [each for each in timeline(duel, FULL_ACCESS) if "asked questions" in each.words]
    assert "not recorded" in asked.detail


def test_timeline_keeps_messages_of_a_replaced_wizard(
    blind_duel: Duel, held: Case, desk: Client, theo: User
) -> None:
    bram = blind_duel.seats.get(place=1).wizard
    speaking.send_message(duel_id=blind_duel.pk, wizard=bram, words="I must go.", now=NOW)
    carrying_out.carry_out_act(
        ActKind.REPLACE,
        by=act_log.referee_ref(theo),
        reason="They asked for it.",
        now=NOW,
        duel_id=blind_duel.pk,
        fields={"seat": "w1", "wizard": make_wizard("Zora").name},
    )
    told = page(desk, f"/desk/cases/{held.pk}/timeline/")
    assert re.search(r"Bram.{0,80}said: “I must go.”|said: “I must go.”.{0,80}Bram", told, re.S)
    forms = page(desk, f"/desk/cases/{held.pk}/acts/suspend")
    assert "Bram" in re.findall(r"<option[^>]*>([^<]+)</option>", forms), "they can be suspended"


def test_timeline_lists_notifications_without_naming_the_device(blind_duel: Duel) -> None:
    turn = Turn.objects.get(duel=blind_duel, ordinal=1)
    wizard = blind_duel.seats.get(place=0).wizard
    Push.objects.create(
        kind="turn", key="one", wizard=wizard, device="Firefox on Android", duel=blind_duel,
        turn=turn, created_at=NOW, due_at=NOW,
    )  # fmt: skip
    (told,) = [each for each in timeline(blind_duel, NO_ACCESS) if each.kind == "push"]
    assert told.who == wizard.name
    assert "Firefox" not in f"{told}"


def test_default_seal_of_the_open_turn_is_hidden_until_a_referee_opens_the_turn(db: None) -> None:
    """Promises 1 and 9"""
    duel = STATES["deserted"](People()).duel
    Seat.objects.filter(duel=duel, place=0).update(due_at=NOW)
    deadlines.process_deadlines(duel_id=duel.pk, now=NOW)
    turn = open_turn(duel)
    assert Orders.objects.filter(turn=turn, source="default").exists()
    closed = [each for each in timeline(duel, NO_ACCESS) if each.ordinal == turn.ordinal]
    opened = timeline(duel, EvidenceAccess(turns=frozenset({turn_key(turn)})))
    assert not any("default" in f"{each}" for each in closed)
    assert any("by default" in each.words for each in opened if each.ordinal == turn.ordinal)


def test_timeline_can_be_filtered(held: Case, desk: Client) -> None:
    words = page(desk, f"/desk/cases/{held.pk}/timeline/?kind=seal")
    assert 'data-entry="seal"' in words
    assert 'data-entry="turn"' not in words
    assert 'data-entry="turn"' in page(desk, f"/desk/cases/{held.pk}/timeline/?kind=nonsense")
