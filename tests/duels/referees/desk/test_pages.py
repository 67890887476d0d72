"""Pages of the desk in a referee's browser: the queue, cases, dry runs, acts and rulings."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from duels.commands import endings, guests, speaking
from duels.models import Act, ActKind, Duel, Orders, Seat, Turn, User, Wizard
from duels.post.models import Notice
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.acts.registry import SPEC_BY_ACT
from duels.referees.cases.eligibility import handling_refusal
from duels.referees.cases.handling import claim_case
from duels.referees.cases.objections import object_to_referee
from duels.referees.cases.reports import report_name
from duels.referees.desk.queue import queue_context
from duels.referees.log import act_log
from duels.referees.models import Assignment, Case, Note, Ruling
from tests.cast import (
    NOW,
    begin,
    hands,
    make_user,
    make_wizard,
    play,
    sign_in_with_second_factor,
)
from tests.duels.referees.desk.conftest import (
    acts_on_duels,
    create_referee,
    open_dispute_at,
    signed_in_referee,
)
from tests.states import STATES, People, sample

STAMP_PATTERN = re.compile(r'name="seen" value="(\w+)"')


def page_text(answer: Any) -> str:
    return str(answer.content.decode())


# The queue


def test_queue_shows_the_age_and_category_of_each_case(
    case: Case, desk: Client, theo: User
) -> None:
    ada = case.opened_by
    report = report_name(about=make_wizard("Vilename"), wizard=ada, words="Look at it.", now=NOW)
    later = NOW + timedelta(days=3)
    context = queue_context(theo, later, "all", "")
    assert [row["case"].pk for row in context["rows"]] == [case.pk, report.pk]
    assert context["rows"][0]["age"] == "3\N{NO-BREAK SPACE}days"
    assert context["rows"][0]["about"].endswith("turn 2")
    assert context["rows"][1]["about"] == "The name of Vilename"
    assert [row["case"] for row in queue_context(theo, later, "all", "name")["rows"]] == [report]
    claim_case(case_id=case.pk, user=theo, now=NOW)
    assert [row["case"] for row in queue_context(theo, later, "waiting", "")["rows"]] == [report]
    assert [row["case"] for row in queue_context(theo, later, "mine", "")["rows"]] == [case]
    page = page_text(desk.get("/desk/?show=mine&category=rule"))
    assert f"Dispute {case.pk}" in page
    assert "Vilename" not in page
    assert desk.get("/desk/?show=nonsense&category=nonsense").status_code == 200


def test_queue_lists_only_cases_that_the_referee_may_open(
    case: Case, desk: Client, theo: User
) -> None:
    """The queue and the cases' pages follow the same rule, whatever a referee's part in a case."""
    hers, other = make_wizard("Theodora"), make_wizard("Vilename")
    Wizard.objects.filter(pk=hers.pk).update(user=theo)
    hers.refresh_from_db()
    now = timezone.now()
    opener = case.opened_by
    duel = begin(hers, other)
    past = begin(hers, make_wizard("Longgone"))
    cases = [
        case,
        report_name(about=make_wizard("Rudename"), wizard=opener, words="Look.", now=now),
        report_name(about=hers, wizard=opener, words="Look.", now=now),
        report_name(about=opener, wizard=other, words="Look.", now=now),
        report_name(about=past.seats.get(place=1).wizard, wizard=opener, words="Look.", now=now),
        open_dispute_at(duel, 1),
    ]
    endings.resign(duel_id=past.pk, wizard=hers, now=now - timedelta(days=40))
    for moment in (now, now + timedelta(days=60)):
        listed = {row["case"].pk for row in queue_context(theo, moment, "all", "")["rows"]}
        may = {each.pk for each in cases if handling_refusal(theo, each, moment) is None}
        assert listed == may
        assert listed == {cases[0].pk, cases[1].pk, cases[4].pk}
    page = page_text(desk.get("/desk/"))
    assert "Vilename" not in page
    assert "3 more cases are for other referees" in page
    claim_case(case_id=case.pk, user=theo, now=now)
    make_user("silas@example.org")
    appointments.appoint_referee(email="silas@example.org")
    object_to_referee(case_id=case.pk, wizard=opener, words="He is biased.", now=now)
    assert case.pk not in {row["case"].pk for row in queue_context(theo, now, "all", "")["rows"]}
    assert desk.get(f"/desk/cases/{case.pk}/").status_code == 403


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        ("declare", {"result": "w1"}, "A referee declared the second wizard the winner."),
        ("remove", {"seat": "w0"}, "A referee removed the first wizard from the duel."),
        ("annul", {}, "A referee annulled the duel."),
    ],
)
def test_ruling_form_is_prefilled_after_an_act_that_ends_the_duel(
    held: Case, desk: Client, kind: str, fields: dict[str, str], said: str
) -> None:
    assert held.duel is not None
    name = held.duel.seats.get(place=0).wizard.name
    path = f"/desk/cases/{held.pk}/acts/{kind}"
    (stamp,) = STAMP_PATTERN.findall(page_text(desk.post(path, {"do": "preview", **fields})))
    sure = {"do": "carry_out", "seen": stamp, "reason": f"Nothing that {name} did was fair."}
    answer = desk.post(path, {**sure, **fields})
    assert answer.headers["Location"] == f"/desk/cases/{held.pk}/ruling/"
    form = desk.get(answer.headers["Location"]).context["form"]
    words = f"{said} The reason: Nothing that the first wizard did was fair."
    assert form.initial["words"] == words
    published = desk.post(answer.headers["Location"], {**form.initial, "settles": ""})
    assert published.status_code == 302
    held.refresh_from_db()
    assert held.rulings.get().words == words


def test_lists_of_the_desk_are_paginated(
    case: Case, desk: Client, theo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items that do not fit on a page are shown on the next one."""
    for module in ("queue.CASES_PER_PAGE", "case.ACTS_PER_PAGE"):
        monkeypatch.setattr(f"duels.referees.desk.{module}", 2)
    wizards = [make_wizard(f"Vilename the {number}") for number in ("First", "Second", "Third")]
    for wizard in wizards:
        report_name(about=wizard, wizard=case.opened_by, words="Look at it.", now=NOW)
    first = page_text(desk.get("/desk/?show=waiting&category=name"))
    assert re.findall("Vilename the [A-Z][a-z]+", first) == [w.name for w in wizards[:2]]
    (following,) = re.findall(r'href="([^"]+)" rel="next"', first)
    assert following == "?show=waiting&amp;category=name&amp;page=2"
    second = page_text(desk.get(f"/desk/{following.replace('&amp;', '&')}"))
    assert re.findall("Vilename the [A-Z][a-z]+", second) == [wizards[2].name]
    assert 'rel="next"' not in second

    by = act_log.referee_ref(theo)
    for number in range(3):
        for kind in (ActKind.PAUSE, ActKind.GO_ON):
            reason = f"Reason {kind} {number}."
            carrying_out.carry_out_act(kind, by=by, reason=reason, now=NOW, duel_id=case.duel_id)
    told = []
    for page in range(1, 1 + (Act.objects.count() + 1) // 2):
        told += re.findall(r"Reason \w+ \d\.", page_text(desk.get(f"/desk/log/?page={page}")))
    assert told == [
        f"Reason {kind} {number}." for number in (2, 1, 0) for kind in ("go_on", "pause")
    ]
    for odd in ("nonsense", "0", "99999999999999999999"):
        assert desk.get(f"/desk/log/?page={odd}").status_code == 200


# Claiming a case, writing notes, and handing the case over


def test_referee_can_claim_a_case_write_notes_hand_it_over_and_return_it(
    case: Case, desk: Client, theo: User
) -> None:
    uma = create_referee("uma@example.org")
    base = f"/desk/cases/{case.pk}"
    assert desk.post(f"{base}/claim").status_code == 302
    assert desk.post(f"{base}/note", {"note-words": "Looks like fog to me."}).status_code == 302
    told = {"note-words": "Wait a day.", "note-for_players": "on"}
    assert desk.post(f"{base}/note", told).status_code == 302
    assert {(note.words, note.audience) for note in Note.objects.all()} == {
        ("Looks like fog to me.", "referees"),
        ("Wait a day.", "players"),
    }
    over = {"hand_over-to": str(uma.pk), "hand_over-reason": "I travel."}
    assert desk.post(f"{base}/hand-over", over).status_code == 302
    back = {"give_back-reason": "So do I."}
    assert signed_in_referee(uma).post(f"{base}/give-back", back).status_code == 302
    case.refresh_from_db()
    assert case.referee is None
    assert [each.kind for each in Assignment.objects.order_by("pk")] == [
        "claimed",
        "handed_over",
        "given_back",
    ]
    page = page_text(desk.get(f"{base}/"))
    for words in ("Looks like fog to me.", "I travel.", "So do I.", "I could not see that."):
        assert words in page


@pytest.mark.parametrize(
    ("path", "typed", "kept"),
    [
        ("note", {"note-words": " "}, ""),
        ("hand-over", {"hand_over-to": "", "hand_over-reason": "Far away."}, "Far away."),
        ("give-back", {"give_back-reason": ""}, ""),
        ("note", {"note-words": "x" * 2001}, "x" * 2001),
    ],
)
def test_rejected_input_of_a_referee_is_kept_in_its_form(
    held: Case, desk: Client, path: str, typed: dict[str, str], kept: str
) -> None:
    answer = desk.post(f"/desk/cases/{held.pk}/{path}", typed)
    assert answer.status_code == 422
    assert 'class="fault"' in page_text(answer)
    assert kept in page_text(answer)


def test_report_can_be_closed_with_a_reason(case: Case, desk: Client, theo: User) -> None:
    about = make_wizard("Vilename")
    report = report_name(about=about, wizard=case.opened_by, words="Look at it.", now=NOW)
    assert "Dry run" not in page_text(desk.get(f"/desk/cases/{report.pk}/"))
    for path in ("timeline/", "turns/1/", "turns/1/dry-run/"):
        assert desk.get(f"/desk/cases/{report.pk}/{path}").status_code == 404
    claim_case(case_id=report.pk, user=theo, now=NOW)
    closed = desk.post(f"/desk/cases/{report.pk}/close", {"close-words": "It is a name."})
    assert closed.status_code == 302
    report.refresh_from_db()
    assert report.status == "closed"


# Dry runs


@pytest.fixture
def dispute_about_drawn_gesture(db: None, theo: User) -> Case:
    """A dispute about the tenth turn of the printed duel.

    Theo has claimed it and opened the turn.
    """
    case = claim_case(case_id=open_dispute_at(sample(People(), 10).duel, 10).pk, user=theo, now=NOW)
    path = f"/desk/cases/{case.pk}/turns/10/open"
    assert signed_in_referee(theo).post(path, {"reason": "The die."}).status_code == 302
    return case


def dry_run_fields(page: str) -> dict[str, str]:
    """Return the fields that the unchanged form of a dry run sends."""
    areas = re.findall(r'<textarea[^>]*name="([\w-]+)"[^>]*>\n?([^<]*)</textarea>', page)
    inputs = re.findall(r'<input[^>]*name="(draw-[^"]+)" value="([^"]*)"', page)
    return dict(areas) | dict(inputs)


def test_dry_run_page_shows_what_would_change_and_writes_nothing(
    dispute_about_drawn_gesture: Case, desk: Client
) -> None:
    path = f"/desk/cases/{dispute_about_drawn_gesture.pk}/turns/10/dry-run/"
    rows = [model.objects.count() for model in (Act, Notice, Orders, Turn)]
    page = page_text(desk.get(path))
    assert 'data-verdict="same"' in page
    assert 'data-difference="no"' in page
    typed = dry_run_fields(page)
    same = desk.post(path, typed)
    assert same.status_code == 200
    assert 'data-difference="no"' in page_text(same), (
        "typing the sealed orders again changes nothing"
    )
    value = next(name for name in typed if name.startswith("draw-"))
    for change in (
        {"orders-w1": "LH -\nRH -"},
        {value: "3"},
    ):
        answer = desk.post(path, typed | change)
        assert answer.status_code == 200
        assert 'data-difference="yes"' in page_text(answer), change
    other = {"draw-turn 9 confusion w0 hand": "1"}
    page = page_text(desk.post(path, typed | other))
    assert "turn 9 confusion Ada hand" in page
    assert other.items() <= dry_run_fields(page).items()
    assert desk.post(path, typed | {"reading": "switch:elementals_merge"}).status_code == 200
    assert [model.objects.count() for model in (Act, Notice, Orders, Turn)] == rows


INVALID_DRY_RUNS = (
    ({"orders-w1": "LH nonsense"}, "Line 1"),
    ({"orders-w0": "LH C\nRH P\nLH cast missile"}, "Line"),
    ({"draw-x": "many"}, "is not a valid draw"),
    ({"draw-turn 10 confusion w0 hand": "99"}, "This draw is impossible"),
    ({"reading": "ruleset:nonsense"}, "This turn is impossible under those rules"),
)


def test_dry_run_page_shows_errors_and_keeps_the_input(
    dispute_about_drawn_gesture: Case, desk: Client, subtests: pytest.Subtests
) -> None:
    path = f"/desk/cases/{dispute_about_drawn_gesture.pk}/turns/10/dry-run/"
    unchanged = dry_run_fields(page_text(desk.get(path)))
    for change, words in INVALID_DRY_RUNS:
        with subtests.test(words, change=change):
            answer = desk.post(path, unchanged | change)
            assert answer.status_code == 422
            assert words in page_text(answer)
            kept = dry_run_fields(page_text(answer))
            for name in change:
                if name.startswith("orders-"):
                    assert kept[name] == change[name]


def test_dry_run_of_an_unopened_turn_shows_only_whether_the_result_is_the_same(
    held: Case, desk: Client
) -> None:
    path = f"/desk/cases/{held.pk}/turns/2/dry-run/"
    page = page_text(desk.get(path))
    assert 'data-verdict="same"' in page
    assert "textarea" not in page
    answer = desk.post(path, {"orders-w1": "LH -"})
    assert "data-difference" not in page_text(answer)


def test_dry_run_page_offers_other_answers_to_questions(db: None, theo: User, desk: Client) -> None:
    duel = STATES["answers"](People()).duel
    case = claim_case(case_id=open_dispute_at(duel, 1).pk, user=theo, now=NOW)
    base = f"/desk/cases/{case.pk}/turns/1/"
    desk.post(f"{base}open", {"reason": "Which hand?"})
    page = page_text(desk.get(f"{base}dry-run/"))
    (name,) = re.findall(r'<select id="(answer-[^"]+)"', page)
    options = re.findall(
        r'<option value="(\w+)"', page.partition(name)[2].partition("</select>")[0]
    )
    found = [
        re.sub(
            r"selected|csrf\S+ value=\S+", "", page_text(desk.post(f"{base}dry-run/", {name: each}))
        )
        for each in options
    ]
    assert len(set(found)) == len(options), "each answer has a different result"


# Acts


def test_desk_has_a_form_for_every_act(held: Case, desk: Client, subtests: pytest.Subtests) -> None:
    menu = page_text(desk.get(f"/desk/cases/{held.pk}/acts/"))
    for kind, act in SPEC_BY_ACT.items():
        with subtests.test(kind.value):
            page = page_text(desk.get(f"/desk/cases/{held.pk}/acts/{kind}"))
            assert act.title in page
            for field in act.fields:
                assert f'name="{field.name}"' in page
            assert act.title in menu


def test_act_is_previewed_before_it_is_carried_out(
    held: Case, desk: Client, blind_duel: Duel, theo: User
) -> None:
    path = f"/desk/cases/{held.pk}/acts/roll_back"
    shown = page_text(desk.post(path, {"do": "preview", "turn": "2"}))
    assert "data-change" in shown
    assert not acts_on_duels()
    assert Turn.objects.filter(duel=blind_duel).count() == 3
    (stamp,) = STAMP_PATTERN.findall(shown)
    sure = {"do": "carry_out", "turn": "2", "seen": stamp}
    without = desk.post(path, sure | {"reason": ""})
    assert without.status_code == 422
    assert not acts_on_duels()
    stale = desk.post(path, sure | {"reason": "The fog.", "seen": "0" * 32})
    assert stale.status_code == 422
    assert "Check again." in page_text(stale)
    assert "The fog." in page_text(stale)
    assert not acts_on_duels()
    done = desk.post(path, sure | {"reason": "The fog was wrong."})
    assert done.status_code == 302
    (act,) = acts_on_duels()
    assert (act.kind, act.case, act.referee, act.turn) == ("roll_back", held.pk, theo.pk, 2)
    assert Turn.objects.filter(duel=blind_duel).count() == 2
    assert "The fog was wrong." in page_text(desk.get(f"/desk/cases/{held.pk}/"))
    assert "The fog was wrong." in page_text(desk.get("/desk/log/"))


def test_referee_can_remove_messages_sent_with_orders(
    blind_duel: Duel, desk: Client, theo: User
) -> None:
    """The form offers messages in orders and between turns, except those already removed."""
    wizards = {seat.code: seat.wizard for seat in blind_duel.seats.select_related("wizard")}
    said = speaking.send_message(
        duel_id=blind_duel.pk, wizard=wizards["w0"], words="Fouler.", now=NOW
    )
    play(blind_duel, {wizards["w0"]: hands("W", "P", say="Foul words.")})
    case = claim_case(case_id=open_dispute_at(blind_duel, 3).pk, user=theo, now=NOW)
    path = f"/desk/cases/{case.pk}/acts/remove_words"
    for value in ("turn 3 w0", str(said.pk)):
        assert f'<option value="{value}">' in page_text(desk.get(path))
        shown = page_text(desk.post(path, {"do": "preview", "speech": value}))
        (stamp,) = STAMP_PATTERN.findall(shown)
        sure = {"do": "carry_out", "speech": value, "seen": stamp, "reason": "Insults."}
        assert desk.post(path, sure).status_code == 302
        assert f'<option value="{value}">' not in page_text(desk.get(path))
    assert Turn.objects.get(duel=blind_duel, ordinal=3).silenced == ["w0"]


def test_duel_name_can_be_reported_and_removed(blind_duel: Duel, desk: Client, theo: User) -> None:
    """An opponent reports a duel's name, a referee removes it, and the log shows the removal."""
    Duel.objects.filter(pk=blind_duel.pk).update(name="A foul name")
    ada, bram = (
        blind_duel.challenger,
        blind_duel.seats.exclude(wizard=blind_duel.challenger).get().wizard,
    )
    reader, own = Client(), Client()
    for client, wizard in ((reader, bram), (own, ada)):
        assert wizard.user
        client.force_login(wizard.user)
    link = f"/duels/{blind_duel.pk}/names/duel/report"
    assert link in page_text(reader.get(f"/duels/{blind_duel.pk}/"))
    assert link not in page_text(own.get(f"/duels/{blind_duel.pk}/"))
    assert "A foul name" in page_text(reader.get(link))
    assert reader.post(link, {"words": ""}).status_code == 422
    assert reader.post(link, {"words": "Look at it."}).status_code == 302
    assert reader.post(link, {"words": "Look again."}).status_code == 409
    assert own.post(link, {"words": "It is mine."}).status_code == 409
    (case,) = Case.objects.all()
    assert (case.duel, case.about, case.quoted) == (blind_duel, ada, "A foul name")
    assert f"The name of duel {blind_duel.pk}" in page_text(desk.get("/desk/"))
    claim_case(case_id=case.pk, user=theo, now=NOW)
    path = f"/desk/cases/{case.pk}/acts/remove_words"
    (stamp,) = STAMP_PATTERN.findall(
        page_text(desk.post(path, {"do": "preview", "speech": "name"}))
    )
    sure = {"do": "carry_out", "speech": "name", "seen": stamp, "reason": "An insult."}
    assert desk.post(path, sure).status_code == 302
    page = page_text(reader.get(f"/duels/{blind_duel.pk}/"))
    assert "A foul name" not in page
    assert "removed the name of the duel" in page
    assert "A foul name" not in f"{acts_on_duels()[0].facts}"
    assert reader.get(link).status_code == 404


def test_referee_can_rename_a_guest(desk: Client, theo: User) -> None:
    """The report is made on the duel's page, because guests do not have a page of their own."""
    ada, guest = make_wizard("Ada"), guests.create_guest(key="k" * 64, now=NOW, name="Foul")
    duel = begin(ada, make_wizard("Bram"))
    Seat.objects.filter(duel=duel, place=1).update(wizard=guest)
    reader = Client()
    assert ada.user
    reader.force_login(ada.user)
    link = f"/duels/{duel.pk}/names/w1/report"
    assert link in page_text(reader.get(f"/duels/{duel.pk}/"))
    assert reader.post(link, {"words": "Look at it."}).status_code == 302
    case = claim_case(case_id=Case.objects.get().pk, user=theo, now=NOW)
    path = f"/desk/cases/{case.pk}/acts/"
    typed = {"subject": str(guest.pk), "name": "Fair"}
    shown = page_text(desk.post(f"{path}rename", typed | {"do": "preview"}))
    (stamp,) = STAMP_PATTERN.findall(shown)
    sure = typed | {"do": "carry_out", "seen": stamp, "reason": "An insult."}
    assert desk.post(f"{path}rename", sure).status_code == 302
    guest.refresh_from_db()
    assert guest.name == "Guest Fair"
    assert "Guest Fair" in page_text(reader.get(f"/duels/{duel.pk}/"))
    taken = desk.post(f"{path}rename", typed | {"do": "preview"})
    assert taken.status_code == 422
    suspended = desk.post(f"{path}suspend", {"do": "preview", "subject": str(guest.pk)})
    assert "This wizard does not belong to a player." in page_text(suspended)
    locked = desk.post(f"{path}lock_speech", {"do": "preview", "subject": str(guest.pk)})
    assert "Messages of Guest Fair" in page_text(locked)


def test_impossible_act_shows_an_error_next_to_its_field(held: Case, desk: Client) -> None:
    path = f"/desk/cases/{held.pk}/acts/"
    answer = desk.post(f"{path}roll_back", {"do": "preview", "turn": ""})
    assert answer.status_code == 422
    assert 'class="fault"' in page_text(answer)
    again = desk.post(f"{path}go_on", {"do": "preview"})
    assert again.status_code == 422
    assert "No referee has paused this duel." in page_text(again)
    assert desk.get(f"{path}nonsense").status_code == 404


# Rulings


def test_ruling_is_published_with_the_dry_run_on_which_it_is_based(
    held: Case, desk: Client
) -> None:
    path = f"/desk/cases/{held.pk}/ruling/"
    page = page_text(desk.get(path))
    assert 'data-verdict="same"' in page
    assert 'value="R94"' in page, "the rule that the player named"
    typed = {
        "verdict": "engine_right",
        "words": "The first wizard was blind.",
        "private_words": "You were blind, Ada.",
        "rules": "R94, turn:seeing",
        "settles": "",
        "dry_run": "on",
    }
    wrong = desk.post(path, typed | {"rules": "R9999"})
    assert wrong.status_code == 422
    assert "There is no rule" in page_text(wrong)
    assert "The first wizard was blind." in page_text(wrong)
    named = desk.post(path, typed | {"words": "Ada was blind."})
    assert named.status_code == 422
    assert not Ruling.objects.exists()
    assert desk.post(path, typed).status_code == 302
    ruling = Ruling.objects.get()
    assert ruling.words.startswith("The first wizard was blind.\n\nResolved again")
    assert "gives the stored result" in ruling.words
    assert {each.rule for each in ruling.cited_rules.all()} == {"R94", "turn:seeing"}
    assert ruling.title in page_text(desk.get(f"/desk/cases/{held.pk}/"))
    assert desk.get("/desk/?show=ended").status_code == 200


def test_note_of_a_signed_out_referee_is_offered_again(
    held: Case, desk: Client, theo: User
) -> None:
    """The referee has no wizard. Another user signs in, and does not see it."""
    path = f"/desk/cases/{held.pk}/"
    key = re.findall(r'name="form_key" value="([^"]+)"', page_text(desk.get(path)))[0]
    typed = {"note-words": "Compare turn 2.", "form_key": key}
    stranger = Client()
    answer = stranger.post(f"{path}note", typed)
    assert answer["Location"] == "/accounts/login/?next=/unsent/"
    stranger.force_login(make_user("nia@example.org"))
    assert stranger.get("/unsent/")["Location"] == "/"
    signed_out = Client()
    signed_out.post(f"{path}note", typed)
    signed_out.force_login(theo)
    assert "Compare turn 2." in page_text(signed_out.get("/unsent/"))
    answer = signed_out.post(f"{path}note", typed)
    assert answer["Location"].endswith("?next=%2Funsent%2F"), "the second factor is missing"
    sign_in_with_second_factor(signed_out, theo)
    assert signed_out.post(f"{path}note", typed)["Location"] == path
    assert Note.objects.get(words="Compare turn 2.").case == held


def test_act_sent_twice_is_carried_out_once(held: Case, desk: Client) -> None:
    path = f"/desk/cases/{held.pk}/acts/roll_back"
    shown = page_text(desk.post(path, {"do": "preview", "turn": "2"}))
    (stamp,), key = (
        STAMP_PATTERN.findall(shown),
        re.findall(r'name="form_key" value="([^"]+)"', shown)[0],
    )
    sure = {"do": "carry_out", "turn": "2", "seen": stamp, "reason": "The fog was wrong."}
    answers = [desk.post(path, sure | {"form_key": key}) for _ in range(2)]
    assert [each.status_code for each in answers] == [302, 302]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert len(acts_on_duels()) == 1
