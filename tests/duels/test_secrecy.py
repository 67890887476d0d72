"""Promises 1 (sealed orders are secret) and 2 (unseen gestures are secret) in stored data.

Until a turn is resolved, responses must not depend on an opponent's orders. Only the existence, the
time and the commitment of a seal are public.
"""

import json
import re
from collections.abc import Mapping
from unittest import mock

import pytest
from django.core import mail
from django.core.management import call_command
from django.db import transaction
from django.test import Client

import engine.play
from duels import errors
from duels.commands import resolution, sealing
from duels.models import Duel, Orders, Seat, Turn, User, Wizard
from duels.post import emails
from duels.post.models import Notice
from duels.push import endpoints
from duels.queries import pages, stories
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    hands,
    open_turn,
    play,
    seal,
    sign_in_with_second_factor,
)
from tests.duels import duel_rows
from tests.push_service import push_service, subscribe_device
from tests.services import VAPID_SETTINGS

IDLE = hands("-", "-")
COMMITMENT_PATTERN = re.compile(r"[0-9a-f]{64}")

# Orders for Bram that differ as much as possible.
ALTERNATIVE_ORDERS: tuple[Mapping[str, str], ...] = (
    hands("W", "P", right_subject="w0", say="abracadabra"),
    hands(">", "S", left_subject="w0"),
    hands("P", "P"),
    hands("-", "-"),
    hands("C", "C", say="x" * 500),
)


def masked_text(value: object) -> str:
    """Return the value as text without commitments, which may differ by promise 1."""
    return COMMITMENT_PATTERN.sub("commitment", repr(value))


def query_results(duel: Duel, viewer: Wizard | None) -> str:
    """Return everything that the site's queries return for this viewer."""
    duel.refresh_from_db()
    lists: list[object] = [duel_rows.public_duels(), duel_rows.open_challenges(viewer, NOW)]
    if viewer:
        lists += [duel_rows.duels_awaiting(viewer, NOW), duel_rows.duels_running(viewer)]
    page = pages.duel_page(duel, viewer)
    past = [pages.turn_page(duel, 1, viewer, seen_by=eyes) for eyes in ("", "spectator")]
    return masked_text([page, page.view, page.reports, page.sheet, past, lists])


def test_opponents_views_do_not_depend_on_seals(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: hands("W", "F")})
    previous = ""
    for viewer in (cast.ada, cast.cleo, None):
        views = set()
        for orders in ALTERNATIVE_ORDERS:
            previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
            views.add(query_results(duel, viewer))
        assert len(views) == 1
    assert len({row.commitment for row in Orders.objects.filter(turn__ordinal=2)}) == 15


def test_opponents_views_do_not_depend_on_answers(cast: Cast):
    """Both wizards paralyse each other and are asked which hand, and one of them has answered."""
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        turn = play(duel, {cast.ada: hands("F", letter), cast.bram: hands("F", letter)})
    (question,) = pages.duel_page(duel, cast.bram).questions
    views, previous = set(), ""
    for answer in "LRL":
        previous = sealing.answer_questions(
            turn_id=turn.pk,
            wizard=cast.bram,
            answers={question.id: answer},
            form_seal=previous,
            batch=1,
            now=NOW,
        ).commitment
        views.add((query_results(duel, cast.ada), query_results(duel, cast.cleo)))
    assert len(views) == 1


def duel_in_extra_turn(cast: Cast) -> Duel:
    """Return a strict duel of three in an extra turn of Ada's, after her right hand made F-F."""
    three = (cast.ada, cast.bram, cast.cleo)
    duel = begin(*three, strict=True)
    duellists = [engine.play.Duellist(wizard.name, wizard.pronouns) for wizard in three]
    setup = {"wizards": [{"left": "--", "right": "FF"}, {}, {}], "monsters": []}
    position = engine.play.begin("bartle-1", duellists, setup=setup, options=("strict",))
    position.kind, position.stopped = "extra", ("w0",)
    Turn.objects.filter(duel=duel).update(
        position=engine.play.dump(position), kind="extra", number=position.turn
    )
    others = Seat.objects.filter(duel=duel).exclude(wizard=cast.ada)
    others.update(awaited=False, awaited_since=None)
    return duel


def responses_to(duel: Duel, viewer: Wizard | None) -> list[tuple[int, str]]:
    """Return the responses to this viewer from every address of the open turn."""
    client = Client()
    if viewer is not None:
        assert viewer.user is not None
        client.force_login(viewer.user)
    typed = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "left": "W", "right": "-"}
    answers = [client.get(f"/duels/{duel.pk}/"), client.get("/")]
    for name, do in (("orders", "seal"), ("orders", "draft"), ("sheet", ""), ("answers", "")):
        answers.append(client.post(f"/duels/{duel.pk}/{name}", typed | {"do": do}))
    return [
        (
            answer.status_code,
            re.sub(r'value="\w{64}"|name="form_key" value="[^"]+"', "", answer.content.decode()),
        )
        for answer in answers
    ]


def test_question_in_an_extra_turn_is_hidden_from_other_readers(cast: Cast):
    duel = duel_in_extra_turn(cast)
    rivals = (cast.bram, cast.cleo, cast.dorn, None)
    before = [(query_results(duel, rival), responses_to(duel, rival)) for rival in rivals]
    turn = play(duel, {cast.ada: hands("-", "F", right_subject="w1")})
    assert turn.stage == "answers"
    assert [(query_results(duel, rival), responses_to(duel, rival)) for rival in rivals] == before
    story = stories.story_for_reader(duel, cast.bram, turn)
    assert story.view == pages.duel_page(duel, cast.bram).view
    (question,) = pages.duel_page(duel, cast.ada).questions
    sealing.answer_questions(
        turn_id=turn.pk,
        wizard=cast.ada,
        answers={question.id: "L"},
        form_seal="",
        batch=1,
        now=LATER,
    )
    resolution.resolve_turn(turn_id=turn.pk)
    shown = pages.turn_page(duel, turn.ordinal, cast.cleo)
    own = pages.turn_page(duel, turn.ordinal, cast.ada)
    assert shown
    assert own
    assert [(row.stage, row.sealed_at) for row in shown.seals] == [("orders", LATER)]
    assert [row.stage for row in own.seals] == ["orders", "answers"]


def test_opponents_views_do_not_depend_on_drafts(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    for viewer in (cast.ada, cast.cleo, None):
        before = query_results(duel, viewer)
        for orders in ALTERNATIVE_ORDERS:
            sealing.save_draft(turn_id=turn.pk, wizard=cast.bram, fields=orders, now=NOW)
            assert query_results(duel, viewer) == before


def test_error_messages_do_not_depend_on_opponents_orders(cast: Cast):
    """Bram seals different orders, and Ada's are rejected each time."""
    duel = begin(cast.ada, cast.bram)
    answers, previous = set(), ""
    for orders in ALTERNATIVE_ORDERS:
        previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
        with pytest.raises(errors.IllegalOrders) as illegal:
            seal(duel, cast.ada, hands(">", ">", left_subject="w9"))
        answers.add(masked_text((illegal.value.faults, illegal.value.fields, str(illegal.value))))
    assert len(answers) == 1


def test_sealed_orders_do_not_appear_in_logs_or_emails(
    cast: Cast, caplog, django_capture_on_commit_callbacks
):
    caplog.set_level("DEBUG")
    duel = begin(cast.ada, cast.bram)
    with django_capture_on_commit_callbacks(execute=True):
        seal(duel, cast.bram, hands("W", "P", say="abracadabra"))
    with pytest.raises(errors.IllegalOrders):
        seal(duel, cast.ada, hands(">", ">", say="abracadabra"))
    assert "abracadabra" not in caplog.text
    assert mail.outbox == []


def turn_emails(duel: Duel, *readers: Wizard) -> list[tuple[str, str, str]]:
    """Return subject, text and HTML of emails about the open turn, as they would be sent now."""
    notices = [
        Notice.objects.filter(
            wizard=reader, turn=open_turn(duel), kind__in=["your_turn", "question"]
        )
        .select_related("wizard", "duel", "turn")
        .latest("pk")
        for reader in readers
    ]
    written = [emails.email_for([notice]) for notice in notices]
    return [
        (str(mail.subject), str(mail.body), str(mail.alternatives[0][0]))
        for mail in written
        if mail
    ]


def test_emails_do_not_depend_on_opponents_seals(cast: Cast):
    """An email is written when it is sent, and opponents may have sealed by then.

    The report, grid, state and hints in it must be as they were at the beginning of the turn.
    """
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for letter in "WF":
        others = {cast.ada: hands("D", letter), cast.cleo: hands(letter, "S")}
        play(duel, {cast.bram: hands("F", letter), **others})
    before = turn_emails(duel, cast.ada, cast.cleo)
    assert len(before) == 2
    for _, text, html in before:
        for told in (text, html):
            assert "Spells your hands can complete" in told
            assert "Spells your opponents may complete" in told
    previous = ""
    for orders in ALTERNATIVE_ORDERS:
        previous = seal(duel, cast.bram, orders, form_seal=previous).commitment
        assert turn_emails(duel, cast.ada, cast.cleo) == before
    sealing.save_draft(
        turn_id=open_turn(duel).pk, wizard=cast.bram, fields=hands("C", "D"), now=NOW
    )
    assert turn_emails(duel, cast.ada, cast.cleo) == before


def test_emails_about_questions_do_not_depend_on_opponents_answers(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        turn = play(duel, {cast.ada: hands("F", letter), cast.bram: hands("F", letter)})
    before = turn_emails(duel, cast.ada)
    assert "Wizards and effects" in before[0][1]
    (question,) = pages.duel_page(duel, cast.bram).questions
    previous = ""
    for answer in "LRL":
        previous = sealing.answer_questions(
            turn_id=turn.pk,
            wizard=cast.bram,
            answers={question.id: answer},
            form_seal=previous,
            batch=1,
            now=NOW,
        ).commitment
        assert turn_emails(duel, cast.ada) == before


def test_emails_do_not_reveal_invisible_gestures(cast: Cast):
    """Bram must get the same email in two duels that differ only in gestures that he cannot see."""
    told = []
    for unseen in ("-", "W"):
        duel = begin(cast.ada, cast.bram)
        for left, right in (("P", "F"), ("P", "D"), ("W", "W"), ("S", "S")):
            play(duel, {cast.ada: hands(left, right), cast.bram: IDLE})
        play(duel, {cast.ada: hands("P", unseen), cast.bram: IDLE})
        (mail_now,) = turn_emails(duel, cast.bram)
        told.append(re.sub(rf"/duels/{duel.pk}/|/mail-off/\S+", "", mail_now[1]))
    assert "Invisibility: " in told[0]
    assert told[0] == told[1]


def test_notifications_do_not_depend_on_orders(
    cast: Cast, settings, django_capture_on_commit_callbacks
):
    """Neither Ada's phone nor the push service may receive orders or messages."""
    for name, value in VAPID_SETTINGS.items():
        setattr(settings, name, value)
    settings.PUSH_SENT_IMMEDIATELY = True
    begun = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    with push_service() as service, mock.patch.object(endpoints, "is_allowed", return_value=True):
        subscribe_device(cast.ada, service.url)
        told = []
        for orders in ALTERNATIVE_ORDERS:
            with transaction.atomic():
                with django_capture_on_commit_callbacks(execute=True):
                    seal(begun, cast.bram, orders)
                assert service.received == []  # a seal does not cause notifications
                with (
                    mock.patch("django.utils.timezone.now", return_value=LATER),
                    django_capture_on_commit_callbacks(execute=True),
                ):
                    seal(begun, cast.ada, hands("S", "W"), now=LATER)
                    resolution.resolve_turn(turn_id=open_turn(begun).pk, now=LATER)
                transaction.set_rollback(True)
            told += service.received
            service.received.clear()
    assert len(told) == 4  # with two palms, the surrender ends the duel, so there is no next turn
    headers = ("TTL", "Urgency", "Topic", "Content-Length")
    assert len({tuple(each.headers[name] for name in headers) for each in told}) == 1
    assert len({tuple(each.content.items()) for each in told}) == 1


def test_failed_resolution_does_not_show_sealed_orders(cast: Cast, caplog):
    duel = begin(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, hands("W", "P", say="abracadabra"))
    turn = open_turn(duel)

    def fail(position: object, orders: Mapping[str, object], *rest: object) -> None:
        raise ValueError(f"cannot play {orders}")

    with (
        mock.patch("engine.play.resolve", fail),
        pytest.raises(errors.ResolutionFailed) as failed,
    ):
        resolution.resolve_turn(turn_id=turn.pk)
    turn.refresh_from_db()
    assert "abracadabra" not in f"{caplog.text} {turn.last_error} {failed.value!r}"
    assert failed.value.__cause__ is failed.value.__context__ is None


def test_orders_drafts_and_seeds_are_not_stored_unencrypted(cast: Cast, tmp_path):
    """Without the keys, the database does not reveal orders, drafts or dice."""
    duel = begin(cast.ada, cast.bram)
    sealing.save_draft(
        turn_id=open_turn(duel).pk, wizard=cast.bram, fields=hands("W", "D", say="sesame"), now=NOW
    )
    seal(duel, cast.ada, hands("W", "P", say="abracadabra"))
    dumped = tmp_path / "dump.json"
    call_command("dumpdata", "duels", output=str(dumped), verbosity=0)
    text = dumped.read_text()
    assert "sealed_at" in text
    assert "abracadabra" not in text
    assert "sesame" not in text
    (row,) = [r for r in json.loads(text) if r["model"] == "duels.duel"]
    assert not re.fullmatch("[0-9a-f]{64}", row["fields"]["seed"])


def test_only_a_finished_duel_has_a_record_and_a_transcript(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "F"), cast.bram: IDLE})
    for call in (stories.record_of_finished_duel, stories.transcript):
        with pytest.raises(errors.Refused) as refused:
            call(duel)
        assert refused.value.code == "not_over"


@pytest.mark.parametrize("say", ["abracadabra", pytest.param("W P", id="gestures")])
def test_admin_does_not_show_orders_of_an_open_turn(cast: Cast, say: str):
    duel = begin(cast.ada, cast.bram)
    orders = seal(duel, cast.ada, hands("W", "P", say=say))
    client = Client()
    sign_in_with_second_factor(client, User.objects.create_superuser("root@example.org", "x"))
    for url in (
        f"/admin/duels/orders/{orders.pk}/change/",
        "/admin/duels/orders/",
        f"/admin/duels/turn/{orders.turn_id}/change/",
        f"/admin/duels/duel/{duel.pk}/change/",
    ):
        page = client.get(url)
        assert page.status_code == 200
        text = page.content.decode()
        assert say not in text
        assert orders.body not in text


def test_opponents_views_do_not_contain_invisible_gestures(cast: Cast):
    """The data of Bram's page must not contain Ada's gestures while she is invisible."""
    duel = begin(cast.ada, cast.bram)
    for left, right in (("P", "F"), ("P", "D"), ("W", "W"), ("S", "S")):
        play(duel, {cast.ada: hands(left, right), cast.bram: IDLE})
    play(duel, {cast.ada: hands("F", "F"), cast.bram: IDLE})
    for viewer in (cast.bram, cast.cleo, None):
        view = pages.duel_page(duel, viewer).view
        assert view
        assert view.turns[-1].rows["w0"][0].left.letter == "?"
        assert "gestured" not in {
            event.code for event in view.turns[-1].events if getattr(event, "wizard", "") == "w0"
        }
    own = pages.duel_page(duel, cast.ada).view
    assert own
    assert own.turns[-1].rows["w0"][0].left.letter == "F"
