"""Players' pages about disputes and reports, and the page of published rulings."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from duels.commands import practising, speaking
from duels.models import Duel, Speech, Wizard
from duels.referees.cases.appeals import open_appeal
from duels.referees.cases.handling import add_note, claim_case, close_report
from duels.referees.cases.reports import report_name
from duels.referees.cases.rulings import rule_on_case
from duels.referees.models import Case, CitedRule
from tests.cast import NOW, deliver, hands, make_wizard, play, signed_in

DISPUTE_FIELDS = {
    "category": "rule",
    "rule": "r21",
    "words": "My <b>shield</b> should have stopped it.",
}
RULING_FIELDS: dict[str, Any] = {
    "verdict": "engine_right",
    "words": "The shield was late.",
    "rules": ["R21"],
}


def page_text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, (address, answer.status_code)
    return answer.content.decode()


def test_only_wizards_of_the_duel_can_read_a_dispute(duel, ada, bram, cleo):
    form = f"/duels/{duel.pk}/turns/1/dispute"
    hers, his, watching = map(signed_in, (ada, bram, cleo))
    assert form in page_text(hers, f"/duels/{duel.pk}/")
    assert "The clocks of this duel stop" in page_text(hers, form)
    answer = hers.post(form, DISPUTE_FIELDS)
    case = Case.objects.get()
    address = f"/disputes/{case.pk}/"
    assert (answer.status_code, answer.headers["Location"]) == (302, address)
    assert Duel.objects.get(pk=duel.pk).halted_at is not None
    assert "This duel is paused" in page_text(hers, f"/duels/{duel.pk}/")
    assert f"{address}withdraw" in page_text(hers, address)
    assert address in page_text(hers, "/disputes/")
    read = page_text(his, address)
    assert "My &lt;b&gt;shield&lt;/b&gt; should have" in read
    assert "#R21" in read
    assert f"{address}withdraw" not in read
    assert his.post(f"{address}withdraw").status_code == 403
    assert his.post(f"{address}say", {"words": "It came too late."}).status_code == 302
    assert "It came too late." in page_text(hers, address)
    # Other users see only that the duel is paused.
    page_text(watching, address, 404)
    assert watching.post(f"{address}say", {"words": "I saw it."}).status_code == 404
    watched = page_text(watching, f"/duels/{duel.pk}/")
    assert "A dispute is open" in watched
    assert address not in watched
    assert form not in watched
    assert watching.get(form).status_code == 403


def test_disputes_about_private_duels_are_hidden_from_other_users(duel, case, cleo):
    Duel.objects.filter(pk=duel.pk).update(visibility="private")
    for client in (signed_in(cleo), Client()):
        page_text(client, f"/duels/{duel.pk}/", 404)
        answer = client.get(f"/disputes/{case.pk}/")
        assert answer.status_code == (404 if client.session.get("_auth_user_id") else 302)
    assert client.get(f"/duels/{duel.pk}/turns/1/dispute").status_code in (302, 404)


@pytest.mark.parametrize("wrong", [{"category": ""}, {"rule": "R9999"}, {"words": " "}])
def test_rejected_dispute_form_keeps_the_input(duel, ada, wrong):
    typed = DISPUTE_FIELDS | wrong
    answer = signed_in(ada).post(f"/duels/{duel.pk}/turns/1/dispute", typed)
    assert answer.status_code == 422
    page = answer.content.decode()
    (name,) = wrong
    assert f'id="id_{name}_error"' in page
    if name != "words":
        assert "My &lt;b&gt;shield&lt;/b&gt; should" in page
    if name != "category":
        assert 'value="rule" required checked' in page
    if name != "rule":
        assert 'value="r21"' in page
    assert not Case.objects.exists()


def test_page_of_a_past_turn_links_to_the_form_to_dispute_it(duel, ada, bram, cleo):
    play(duel, {ada: hands("S", "P"), bram: hands("W", "P")})
    assert f"/duels/{duel.pk}/turns/1/dispute" in page_text(
        signed_in(ada), f"/duels/{duel.pk}/turns/1/"
    )
    assert "/dispute" not in page_text(signed_in(cleo), f"/duels/{duel.pk}/turns/1/")
    page_text(signed_in(ada), f"/duels/{duel.pk}/turns/7/dispute", 404)


def test_page_explains_why_a_practice_duel_cannot_be_disputed(db, ada):
    practice = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    hers = signed_in(ada)
    assert "/dispute" not in page_text(hers, f"/duels/{practice.pk}/")
    refused = page_text(hers, f"/duels/{practice.pk}/turns/1/dispute", 403)
    assert "Practice duels have no referees" in refused


def test_ruling_is_shown_to_players_and_published(held, rhea, silas, duel, ada, bram):
    add_note(case_id=held.pk, user=rhea, words="Which hand?", now=NOW, for_players=True)
    add_note(case_id=held.pk, user=rhea, words="A beginner, I think.", now=NOW)
    ruling = rule_on_case(
        case_id=held.pk,
        user=rhea,
        now=NOW,
        settles="R21",
        private_words="Ada, read R21.",
        **RULING_FIELDS,
    )
    hers = signed_in(ada)
    read = page_text(hers, f"/disputes/{held.pk}/")
    assert "Which hand?" in read
    assert "A beginner" not in read
    assert "Ada, read R21." in read
    assert "This duel is paused" not in page_text(hers, f"/duels/{duel.pk}/")
    assert ruling.title in page_text(hers, f"/duels/{duel.pk}/")
    visitor = Client()
    for address in ("/rulings/", "/rulings/?rule=r21", f"/rulings/{ruling.pk}/"):
        published = page_text(visitor, address)
        assert "The shield was late." in published
        for private in ("Ada", "Bram", "read R21.", f"/duels/{duel.pk}/", "My shield"):
            assert private not in published
    assert "No ruling cites R22" in page_text(visitor, "/rulings/?rule=R22")
    assert "There is no rule" in page_text(visitor, "/rulings/?rule=%3Cb%3E")
    assert f"/rulings/{ruling.pk}/" in page_text(visitor, "/rules/bartle-1/")
    assert '/rules/bartle-1/#R21"' in page_text(visitor, f"/rulings/{ruling.pk}/")
    assert "less than a day" in page_text(visitor, "/referees/")
    page_text(visitor, f"/rulings/{ruling.pk + 1}/", 404)
    # long after the ruling, an appeal is no longer possible
    address = f"/disputes/{held.pk}/"
    assert f"{address}appeal" not in page_text(signed_in(bram), address)
    assert signed_in(bram).post(f"{address}appeal", {"appeal_words": "No."}).status_code == 409


def test_dispute_page_offers_an_appeal_for_fourteen_days(duel, ada, bram, rhea, silas):
    now = timezone.now()
    hers = signed_in(ada)
    hers.post(f"/duels/{duel.pk}/turns/1/dispute", DISPUTE_FIELDS)
    case = Case.objects.get()
    claim_case(case_id=case.pk, user=rhea, now=now)
    first = rule_on_case(case_id=case.pk, user=rhea, now=now, **RULING_FIELDS)
    his, address = signed_in(bram), f"/disputes/{case.pk}/"
    assert f"{address}appeal" in page_text(his, address)
    refused = his.post(f"{address}appeal", {"appeal_words": " "})
    assert refused.status_code == 422
    assert 'id="id_appeal_words_error"' in refused.content.decode()
    assert his.post(f"{address}appeal", {"appeal_words": "It was in time."}).status_code == 302
    assert Duel.objects.get(pk=duel.pk).halted_at is not None
    read = page_text(hers, address)
    assert "It was in time." in read
    assert f"{address}appeal" not in read
    assert f"{address}withdraw" not in read
    assert f"{address}withdraw" in page_text(his, address)
    claim_case(case_id=case.pk, user=silas, now=now)
    wrong = RULING_FIELDS | {"verdict": "engine_wrong", "words": "It was in time."}
    second = rule_on_case(case_id=case.pk, user=silas, now=now, **wrong)
    assert "This ruling is final" in page_text(his, address)
    assert f"/rulings/{second.pk}/" in page_text(Client(), f"/rulings/{first.pk}/")


def test_messages_and_names_have_a_link_to_report_them(duel, ada, bram, cleo):
    speech = speaking.send_message(duel_id=duel.pk, wizard=bram, words="You cheat.", now=NOW)
    hers = signed_in(ada)
    words = f"/duels/{duel.pk}/words/{speech.pk}/report"
    name = f"/wizards/{bram.slug}/report"
    assert words in page_text(hers, f"/duels/{duel.pk}/")
    assert words not in page_text(signed_in(bram), f"/duels/{duel.pk}/")
    assert words not in page_text(Client(), f"/duels/{duel.pk}/")
    assert name in page_text(hers, f"/wizards/{bram.slug}/")
    for address, quoted in ((words, "You cheat."), (name, "Bram")):
        assert quoted in page_text(hers, address)
        assert hers.post(address, {"words": ""}).status_code == 422
        answer = hers.post(address, {"words": "That is rude."})
        assert answer.status_code == 302
        page = page_text(hers, answer.headers["Location"])
        assert "That is rude." in page
        page_text(signed_in(bram), answer.headers["Location"], 404)
    assert Duel.objects.get(pk=duel.pk).halted_at is None
    page_text(hers, f"/duels/{duel.pk}/words/{speech.pk + 1}/report", 404)


def test_message_sent_with_orders_can_be_reported(duel, ada, bram, cleo):
    play(duel, {ada: hands("S", "P"), bram: hands("W", "P", say="You cheat.")})
    hers, address = signed_in(ada), f"/duels/{duel.pk}/turns/1/words/w1/report"
    assert address in page_text(hers, f"/duels/{duel.pk}/")
    assert address in page_text(hers, f"/duels/{duel.pk}/words/")
    assert "You cheat." in page_text(hers, address)
    answer = hers.post(address, {"words": "That is rude."})
    case = Case.objects.get()
    assert answer.headers["Location"] == f"/disputes/{case.pk}/"
    assert (case.quoted, case.about, case.ordinal, case.speech) == ("You cheat.", bram, 1, None)
    assert hers.post(address, {"words": "Again."}).status_code == 409
    page_text(hers, f"/duels/{duel.pk}/turns/1/words/w0/report", 404)
    page_text(hers, f"/duels/{duel.pk}/turns/2/words/w1/report", 404)
    Duel.objects.filter(pk=duel.pk).update(visibility="private")
    page_text(signed_in(cleo), address, 404)


def test_removed_message_cannot_be_reported(duel, ada, bram):
    speech = speaking.send_message(duel_id=duel.pk, wizard=bram, words="You cheat.", now=NOW)
    address = f"/duels/{duel.pk}/words/{speech.pk}/report"
    assert address in page_text(signed_in(ada), f"/duels/{duel.pk}/")
    Speech.objects.filter(pk=speech.pk).update(removed_at=NOW)
    assert address not in page_text(signed_in(ada), f"/duels/{duel.pk}/")
    page_text(signed_in(ada), address, 404)
    assert signed_in(ada).post(address, {"words": "Rude."}).status_code == 404


# Emails


def mails_to(wizard: Wizard) -> list[Any]:
    assert wizard.user is not None
    return [each for each in mail.outbox if each.to == [wizard.user.email]]


def test_all_wizards_get_emails_about_a_dispute(duel, ada, bram, rhea, silas):
    deliver()
    mail.outbox.clear()
    signed_in(ada).post(f"/duels/{duel.pk}/turns/1/dispute", DISPUTE_FIELDS)
    case = Case.objects.get()
    now = case.opened_at
    note_words = "Which hand was it?"
    claim_case(case_id=case.pk, user=rhea, now=now)
    add_note(case_id=case.pk, user=rhea, words=note_words, now=now, for_players=True)
    ruling = rule_on_case(
        case_id=case.pk, user=rhea, now=now, private_words="Read R21, Ada.", **RULING_FIELDS
    )
    open_appeal(case_id=case.pk, wizard=bram, words="It was in time.", now=now)
    deliver(now=now)
    for wizard, opener in ((ada, "You have opened"), (bram, "Ada has opened")):
        opened, written, ruled, appealed = mails_to(wizard)
        title = f"dispute {case.pk}"
        assert title in opened.subject.lower()
        body = " ".join(opened.body.split())
        assert f"{opener} {title} about turn 1 of your duel with" in body
        assert "the clocks of the duel are stopped" in body
        assert "shield" not in body  # emails do not quote what players write
        assert f"/disputes/{case.pk}/" in opened.body
        assert note_words in written.body
        assert ruled.subject == f"Ruling {ruling.pk} on {title}: the engine was right"
        assert "The shield was late." in ruled.body
        assert "Read R21, Ada." in ruled.body
        assert "appeal once" in ruled.body
        assert appealed.subject.startswith(f"Appeal in {title}")
        for each in (opened, written, ruled, appealed):
            (html,) = each.alternatives
            assert f"/disputes/{case.pk}/" in html[0]


def test_withdrawn_appeal_is_emailed_to_the_players_who_can_still_appeal(duel, ada, bram, rhea):
    signed_in(ada).post(f"/duels/{duel.pk}/turns/1/dispute", DISPUTE_FIELDS)
    case = Case.objects.get()
    now = case.opened_at
    address = f"/disputes/{case.pk}/"
    claim_case(case_id=case.pk, user=rhea, now=now)
    rule_on_case(case_id=case.pk, user=rhea, now=now, **RULING_FIELDS)
    his = signed_in(bram)
    his.post(f"{address}appeal", {"appeal_words": "It was in time."})
    assert "You cannot appeal again, but the other players can" in page_text(his, address)
    deliver(now=now)
    mail.outbox.clear()
    his.post(f"{address}withdraw")
    deliver(now=Case.objects.get().ended_at or now)
    (told,) = (each for each in mails_to(ada) if "has been withdrawn" in each.subject)
    assert "Players who have not appealed yet can still do so" in " ".join(told.body.split())
    for reader, may in ((his, False), (signed_in(ada), True)):
        page = page_text(reader, address)
        assert "Withdrawn appeal" in page
        assert (f"{address}appeal" in page) == may


def test_reporter_is_emailed_the_outcome(ada, bram, rhea):
    first = report_name(about=bram, wizard=ada, words="Me, backwards.", now=NOW)
    claim_case(case_id=first.pk, user=rhea, now=NOW)
    close_report(case_id=first.pk, user=rhea, words="It is a usual name.", now=NOW)
    second = report_name(about=bram, wizard=ada, words="Still.", now=NOW)
    claim_case(case_id=second.pk, user=rhea, now=NOW)
    rule_on_case(case_id=second.pk, user=rhea, verdict="no_conduct", words="A usual name.", now=NOW)
    deliver()
    closed, ruled = mails_to(ada)
    assert "It is a usual name." in closed.body
    assert "nothing wrong was done" in ruled.subject
    assert "appeal" not in ruled.body
    assert "In-Reply-To" not in ruled.extra_headers
    assert mails_to(bram) == []
    assert not CitedRule.objects.exists()
    assert make_wizard("Ines").cases.count() == 0


def test_player_can_object_to_the_referee_on_the_page_of_the_case(held, ada, bram, silas):
    hers, his, address = signed_in(ada), signed_in(bram), f"/disputes/{held.pk}/"
    assert "Object to referee" in page_text(hers, address)
    wrong = hers.post(f"{address}object", {"objection": " "})
    assert (wrong.status_code, "Enter some text." in wrong.content.decode()) == (422, True)
    words = {"objection": "She is <b>biased</b>."}
    assert hers.post(f"{address}object", words).status_code == 302
    for reader in (hers, his):
        read = page_text(reader, address)
        assert "Objection to Rhea, a referee" in read
        assert "She is &lt;b&gt;biased&lt;/b&gt;." in read
        assert "Object to referee" not in read
    deliver(now=timezone.now())
    told = [each.body for each in mail.outbox if "Objection to the referee" in each.subject]
    assert len(told) == 2
    assert any("Ada has objected to the referee of dispute" in body for body in told)
