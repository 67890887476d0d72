"""Private messages: who may write, consent, limits, notices, reports, and who can read them."""

import json
import re
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from duels.commands.closing import begin_closing
from duels.commands.guests import create_guest
from duels.commands.profiles import block
from duels.commands.speaking import mute
from duels.errors import Refused
from duels.messages.commands import (
    mark_thread_read,
    report_message,
    send_message,
    set_consent,
    set_muted,
)
from duels.messages.models import MAX_MESSAGE_LENGTH, Consent, Message, Participant, Thread
from duels.messages.queries import exported_messages, participant
from duels.models import Act, ActKind, Block, Wizard
from duels.post.models import DroppedFor, Notice
from duels.post.public import set_mail_choice
from duels.referees import appointments
from duels.referees.cases.handling import claim_case
from duels.referees.models import Case
from duels.screens.account.export import data_archive
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    deliver,
    make_user,
    sign_in_with_second_factor,
    signed_in,
)
from tests.duels.referees.acts.refereeing import make_referee
from tests.duels.referees.acts.test_act_words import carry_out_on

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

MINUTE = timedelta(minutes=1)
AFTER_EMAIL_DELAY = NOW + 6 * MINUTE


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def write_message(author: Wizard, reader: Wizard, words: str = "Well met.", *, at=NOW) -> Message:
    return send_message(author=author, reader=reader, words=words, now=at)


def rejection_code(author: Wizard, reader: Wizard) -> str:
    """Return the code with which a message is rejected."""
    with pytest.raises(Refused) as refused:
        write_message(author, reader)
    return refused.value.code


def make_acquainted(one: Wizard, other: Wizard) -> None:
    """Start a duel, let its wizards write to each other and read it, and deliver all emails."""
    begin(one, other)
    write_message(one, other, "First.", at=NOW - timedelta(hours=2))
    write_message(other, one, "Second.", at=NOW - timedelta(hours=2))
    for wizard, friend in ((one, other), (other, one)):
        part = participant(wizard, friend)
        assert part
        mark_thread_read(part=part)
    deliver(now=NOW)
    mail.outbox.clear()


def message_emails(wizard: Wizard, now=AFTER_EMAIL_DELAY) -> list[str]:
    """Run a round of deliveries, and return the texts of emails to this wizard about messages."""
    mail.outbox.clear()
    deliver(now=now)
    assert wizard.user
    mine = [each for each in mail.outbox if each.to == [wizard.user.email]]
    return [str(each.body) for each in mine if each.subject.startswith("Message")]


def unread_count(wizard: Wizard) -> int:
    return Notice.objects.filter(wizard=wizard, kind="messaged", is_unread=True).count()


def test_wizards_can_write_after_sharing_a_duel_or_a_challenge(cast: Cast) -> None:
    assert rejection_code(cast.ada, cast.bram) == "not_met"
    challenge(cast.ada, opponent=cast.bram)
    write_message(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    write_message(cast.cleo, cast.ada)
    assert rejection_code(cast.cleo, cast.bram) == "not_met"
    assert rejection_code(cast.ada, cast.ada) == "players_only"


def test_sender_of_a_first_message_waits_until_it_is_accepted(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    warning = "Bram must accept or answer before you can write again"
    assert warning in page(signed_in(cast.ada), "/messages/bram/")
    write_message(cast.ada, cast.bram)
    assert rejection_code(cast.ada, cast.bram) == "not_accepted"
    assert warning not in page(signed_in(cast.ada), "/messages/bram/")
    set_consent(wizard=cast.bram, other=cast.ada, consent=Consent.ACCEPTED)
    write_message(cast.ada, cast.bram, "Thank you.")
    write_message(cast.bram, cast.ada, "My pleasure.")
    assert Thread.objects.count() == 1


def test_answering_a_thread_accepts_it_even_after_declining(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    write_message(cast.ada, cast.bram)
    set_consent(wizard=cast.bram, other=cast.ada, consent=Consent.DECLINED)
    assert rejection_code(cast.ada, cast.bram) == "not_accepted"
    assert ">Ada" not in page(signed_in(cast.bram), "/messages/")
    write_message(cast.bram, cast.ada, "On second thoughts, hello.")
    write_message(cast.ada, cast.bram, "Hello!")


def test_nothing_is_emailed_before_the_first_message_is_accepted(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    deliver(now=NOW)
    write_message(cast.ada, cast.bram, "Buy my wands!")
    assert unread_count(cast.bram) == 1
    assert message_emails(cast.bram) == []
    assert Notice.objects.get(kind="messaged").dropped_for == DroppedFor.NOT_ACCEPTED
    set_consent(wizard=cast.bram, other=cast.ada, consent=Consent.ACCEPTED)
    write_message(cast.ada, cast.bram, "Only two <markers> each.", at=AFTER_EMAIL_DELAY)
    (text,) = message_emails(cast.bram, AFTER_EMAIL_DELAY + 6 * MINUTE)
    assert "Only two <markers> each." in text
    assert "Buy my wands" not in text
    assert "/messages/ada/" in text
    assert "not by email" in text


def test_messages_within_five_minutes_are_sent_in_one_email(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    for minute in range(3):
        write_message(cast.bram, cast.ada, f"line {minute}", at=NOW + minute * MINUTE)
    (text,) = message_emails(cast.ada)
    assert re.findall(r"line \d", text) == ["line 0", "line 1", "line 2"]
    assert message_emails(cast.ada, AFTER_EMAIL_DELAY + 30 * MINUTE) == []
    write_message(cast.bram, cast.ada, "line 3", at=AFTER_EMAIL_DELAY)
    (text,) = message_emails(cast.ada, AFTER_EMAIL_DELAY + 6 * MINUTE)
    assert re.findall(r"line \d", text) == ["line 3"]


@pytest.mark.parametrize("how", ["read", "off", "muted", "wizard muted", "blocked"])
def test_unwanted_or_already_read_messages_are_not_emailed(cast: Cast, how: str) -> None:
    make_acquainted(cast.ada, cast.bram)
    if how == "off":
        set_mail_choice(
            wizard=cast.ada, when="every", hour=8, though_here=True, messages=False, now=NOW
        )
    write_message(cast.bram, cast.ada)
    if how == "read":
        signed_in(cast.ada).get("/messages/bram/")
    if how == "muted":
        set_muted(wizard=cast.ada, other=cast.bram, is_muted=True)
    if how == "wizard muted":
        mute(wizard=cast.ada, other=cast.bram, now=NOW)
    if how == "blocked":
        block(wizard=cast.ada, other=cast.bram, now=NOW)
    assert message_emails(cast.ada) == []


def test_messages_in_muted_threads_are_not_counted_next_to_the_bell(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    set_muted(wizard=cast.ada, other=cast.bram, is_muted=True)
    before = unread_count(cast.ada)
    write_message(cast.bram, cast.ada)
    assert unread_count(cast.ada) == before
    assert "(1 new)" in page(signed_in(cast.ada), "/messages/")
    set_muted(wizard=cast.ada, other=cast.bram, is_muted=False)
    write_message(cast.bram, cast.ada, at=AFTER_EMAIL_DELAY)
    assert unread_count(cast.ada) == before + 1


def test_opening_a_thread_marks_it_as_read(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    write_message(cast.bram, cast.ada, "<b>Well</b> met.")
    ada = signed_in(cast.ada)
    assert "(1 new)" in page(ada, "/messages/")
    ada.get("/messages/bram/", headers={"X-Page-Hidden": "yes"})
    assert unread_count(cast.ada) == 1
    assert "(1 new)" in page(ada, "/messages/")
    assert "&lt;b&gt;Well&lt;/b&gt; met." in page(ada, "/messages/bram/")
    assert unread_count(cast.ada) == 0
    assert "new)" not in page(ada, "/messages/")
    assert "Not accepted yet" in page(signed_in(cast.bram), "/messages/")


def test_news_about_a_message_links_to_its_renamed_author(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    write_message(cast.bram, cast.ada)
    carry_out_on(ActKind.RENAME, make_referee(), cast.bram, name="Bram the Élder")
    path = Notice.objects.get(kind="messaged").path
    assert "Well met." in page(signed_in(cast.ada), path)
    assert unread_count(cast.ada) == 0


def test_blocking_by_either_wizard_stops_private_messages(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    block(wizard=cast.ada, other=cast.bram, now=NOW)
    assert rejection_code(cast.ada, cast.bram) == rejection_code(cast.bram, cast.ada) == "blocked"
    Block.objects.all().delete()
    write_message(cast.ada, cast.bram)


def test_guests_practice_opponents_and_restricted_wizards_cannot_write(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    guest = create_guest(key="a-key", now=NOW)
    assert rejection_code(guest, cast.ada) == rejection_code(cast.ada, guest) == "players_only"
    Wizard.objects.filter(pk=cast.ada.pk).update(speech_locked_at=NOW)
    assert rejection_code(cast.ada, cast.bram) == "speech_locked"
    Wizard.objects.filter(pk=cast.ada.pk).update(suspended_at=NOW, suspended_for="Spam")
    assert rejection_code(cast.ada, cast.bram) == "suspended"
    write_message(cast.bram, cast.ada)


def test_messages_are_cleaned_and_limited_in_length_and_number(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    assert write_message(cast.ada, cast.bram, " a\u202eb\r\n\r\n\r\n\r\nc ").words == "ab\n\nc"
    for words, code in ((" ", "no_words"), ("x" * (MAX_MESSAGE_LENGTH + 1), "too_long")):
        with pytest.raises(Refused) as refused:
            write_message(cast.ada, cast.bram, words)
        assert refused.value.code == code
    for _ in range(9):
        write_message(cast.ada, cast.bram)
    assert rejection_code(cast.ada, cast.bram) == "too_many_words"
    for minute in range(1, 51):
        write_message(cast.ada, cast.bram, at=NOW + minute * MINUTE)
    with pytest.raises(Refused):
        write_message(cast.ada, cast.bram, at=NOW + 59 * MINUTE)


def test_form_sent_twice_sends_one_message(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    (key,) = set(re.findall(r'name="form_key"[^>]*value="([^"]+)"', page(ada, "/messages/bram/")))
    for _ in range(2):
        answer = ada.post("/messages/bram/", {"words": "Well met.", "form_key": key})
        assert answer.status_code == 302
    assert Message.objects.count() == 1


def test_rejected_message_is_shown_as_typed(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    answer = signed_in(cast.ada).post("/messages/bram/", {"words": "x" * (MAX_MESSAGE_LENGTH + 1)})
    assert answer.status_code == 422
    assert "Shorten it." in answer.content.decode()
    assert "x" * MAX_MESSAGE_LENGTH in answer.content.decode()


def test_wizard_page_links_to_messages_or_says_why_there_is_no_link(cast: Cast) -> None:
    ada = signed_in(cast.ada)
    link = 'href="/messages/bram/"'
    shown = page(ada, "/wizards/bram/")
    assert link not in shown
    assert "once you have shared a duel or a challenge" in shown
    begin(cast.ada, cast.bram)
    assert link in page(ada, "/wizards/bram/")
    block(wizard=cast.bram, other=cast.ada, now=NOW)
    assert "Bram does not receive messages from you." in page(ada, "/wizards/bram/")


def test_thread_buttons_accept_decline_and_mute(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    write_message(cast.ada, cast.bram)
    bram = signed_in(cast.bram)
    assert "Accept messages" in page(bram, "/messages/ada/")
    for change, values in (
        ("decline", {"consent": "declined"}),
        ("accept", {"consent": "accepted"}),
        ("mute", {"is_muted": True}),
        ("unmute", {"is_muted": False}),
    ):
        assert bram.post(f"/messages/ada/{change}").status_code == 302
        assert Participant.objects.filter(wizard=cast.bram, **values).exists()
    assert signed_in(cast.cleo).post("/messages/ada/accept").status_code == 404


def test_threads_and_messages_are_paginated(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THREADS_PER_PAGE", "MESSAGES_PER_PAGE"):
        monkeypatch.setattr(f"duels.messages.queries.{name}", 1)
        monkeypatch.setattr(f"duels.messages.public.{name}", 1)
    make_acquainted(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    write_message(cast.ada, cast.cleo)
    ada = signed_in(cast.ada)
    first = page(ada, "/messages/")
    assert "Cleo" in first
    assert "Bram" not in first
    (before,) = re.findall(r'href="(\?before=\d+)"', first)
    assert "Bram" in page(ada, f"/messages/{before}")
    thread = page(ada, "/messages/bram/")
    assert "Second." in thread
    (before,) = re.findall(r'href="(\?before=\d+)"', thread)
    assert "First." in page(ada, f"/messages/bram/{before}")


def test_only_the_two_wizards_can_read_their_messages(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    message = write_message(cast.ada, cast.bram, "sesame")
    begin(cast.cleo, cast.ada)
    operator = Client()
    root = make_user("root@example.org")
    root.is_staff = root.is_superuser = True
    root.save()
    sign_in_with_second_factor(operator, appointments.appoint_referee(email=root.email))
    paths = [
        "/messages/",
        "/messages/ada/",
        "/messages/bram/",
        f"/messages/ada/{message.pk}/report",
        "/news/",
        "/admin/wizard_messages/message/",
        f"/admin/wizard_messages/message/{message.pk}/change/",
    ]
    for reader in (signed_in(cast.cleo), Client(), operator):
        for path in paths:
            assert b"sesame" not in reader.get(path).content, path
    assert operator.get(paths[-1]).status_code == 200
    assert "sesame" in page(signed_in(cast.bram), "/messages/ada/")


def test_referee_sees_a_reported_message_with_its_context_only(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    words = [f"line {number:02}" for number in range(20)]
    sent = [
        write_message(cast.bram, cast.ada, each, at=NOW + i * MINUTE)
        for i, each in enumerate(words)
    ]
    ada = signed_in(cast.ada)
    path = f"/messages/bram/{sent[10].pk}/report"
    assert "line 10" in page(ada, path)
    assert ada.post(path, {"words": "This is a threat."}).status_code == 302
    case = Case.objects.get()
    assert re.findall(r"line \d\d", case.quoted) == words[5:16]
    assert "reported:\n> line 10" in case.quoted
    assert case.about == cast.bram
    with pytest.raises(Refused) as refused:
        report_message(message_id=sent[10].pk, wizard=cast.ada, words="Again.", now=NOW)
    assert refused.value.code == "reported_already"
    assert signed_in(cast.bram).get(path).status_code == 404
    assert signed_in(cast.cleo).get(f"/disputes/{case.pk}/").status_code == 404

    referee = appointments.appoint_referee(email=make_user("referee@example.org").email)
    claim_case(case_id=case.pk, user=referee, now=timezone.now())
    desk = Client()
    sign_in_with_second_factor(desk, referee)
    assert "A message by Bram" in page(desk, "/desk/")
    shown = page(desk, f"/desk/cases/{case.pk}/")
    assert re.findall(r"line \d\d", shown) == words[5:16]
    assert "This is a threat." in shown


def test_referee_can_remove_a_reported_private_message(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    own, rude = (
        write_message(cast.ada, cast.bram, "Mine."),
        write_message(cast.bram, cast.ada, "Grr!"),
    )
    report_message(message_id=rude.pk, wizard=cast.ada, words="Rude.", now=NOW)
    case = Case.objects.get()
    referee = appointments.appoint_referee(email=make_user("referee@example.org").email)
    claim_case(case_id=case.pk, user=referee, now=timezone.now())
    desk = Client()
    sign_in_with_second_factor(desk, referee)
    removal = f"/desk/cases/{case.pk}/acts/remove_words"
    shown = page(desk, removal)
    assert f'value="{rude.pk}"' in shown
    assert f'value="{own.pk}"' not in shown
    plan = desk.post(removal, {"speech": rude.pk}).content.decode()
    assert Message.objects.get(pk=rude.pk).removed_at is None
    seen = re.search(r'name="seen" value="(\w+)"', plan)
    assert seen
    sent = {"speech": rude.pk, "reason": "An insult.", "do": "carry_out", "seen": seen[1]}
    assert desk.post(removal, sent).status_code == 302

    act = Act.objects.get(kind=ActKind.REMOVE_WORDS)
    assert (act.wizard_id, act.case, act.reason) == (cast.bram.pk, case.pk, "An insult.")
    assert act.facts == {"private_message": rude.pk}
    for reader, path in ((cast.ada, "/messages/bram/"), (cast.bram, "/messages/ada/")):
        shown = page(signed_in(reader), path)
        assert "A referee removed this message." in shown
        assert "Grr!" not in shown + page(signed_in(reader), "/messages/")
        assert ("An insult." in shown) == (reader == cast.bram)
    mail.outbox.clear()
    deliver(now=timezone.now())
    sent_to = {each.to[0]: str(each.body) for each in mail.outbox}
    assert cast.bram.user
    assert "removed a private message that you had written" in sent_to[cast.bram.user.email]
    assert "An insult." in sent_to[cast.bram.user.email]
    assert not any("Grr!" in each for each in sent_to.values())
    assert signed_in(cast.ada).get(f"/messages/bram/{rude.pk}/report").status_code == 404
    (thread,) = exported_messages(cast.ada)
    assert "Grr!" not in str(thread)
    assert desk.post(removal, sent).status_code == 422


def test_closing_an_account_deletes_its_threads_but_not_its_reports(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    begin(cast.cleo, cast.ada)
    write_message(cast.cleo, cast.ada)
    report_message(
        message_id=write_message(cast.bram, cast.ada, "Grr").pk,
        wizard=cast.ada,
        words="Rude.",
        now=NOW,
    )
    assert cast.bram.user
    begin_closing(user=cast.bram.user, now=NOW)
    assert Thread.objects.count() == 1
    assert Message.objects.get().author == cast.cleo
    assert not Notice.objects.filter(kind="messaged", about=cast.bram).exists()
    assert "Grr" in Case.objects.get().quoted
    assert rejection_code(cast.ada, cast.bram) == "account_closed"


def test_exported_data_include_both_sides_of_each_thread(cast: Cast) -> None:
    make_acquainted(cast.ada, cast.bram)
    assert cast.ada.user
    with data_archive(cast.ada.user) as file, ZipFile(file) as archive:
        (thread,) = json.loads(archive.read("messages.json"))
    assert thread["with"] == "Bram"
    assert [each["words"] for each in thread["messages"]] == ["First.", "Second."]
    assert exported_messages(cast.cleo) == []
