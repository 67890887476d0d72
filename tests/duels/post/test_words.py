"""Emails with messages sent between turns: only on request, and once for each message."""

import re
from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from duels import errors
from duels.caching import poll_cache
from duels.commands import challenges, endings, profiles, read_marks, speaking
from duels.delivery import outbox
from duels.models import Duel, OutboxStatus, Speech, Wizard
from duels.post import limits
from duels.post.commands import choosing, delivering
from duels.post.models import DroppedFor, EmailTiming, Notice
from duels.post.queries import mail_choice
from tests.cast import NOW, Cast, begin, challenge, deliver, hands, play, seal, seat

MINUTE = timedelta(minutes=1)
FIVE_MINUTES = 5 * MINUTE


def request_message_emails(
    wizard: Wizard, *, when: EmailTiming = EmailTiming.EVERY, though_here: bool = False
) -> None:
    choosing.set_mail_choice(
        wizard=wizard, when=when, hour=8, though_here=though_here, words=True, now=NOW
    )


def say(duel: Duel, wizard: Wizard, words: str = "Well met.", *, at: datetime = NOW) -> Speech:
    return speaking.send_message(duel_id=duel.pk, wizard=wizard, words=words, now=at)


def mails_to(wizard: Wizard, now: datetime) -> list[EmailMultiAlternatives]:
    """Run a round of deliveries and return the emails to this wizard about messages."""
    mail.outbox.clear()
    deliver(now=now)
    assert wizard.user
    messages = [each for each in mail.outbox if isinstance(each, EmailMultiAlternatives)]
    mine = [each for each in messages if each.to == [wizard.user.email]]
    return [each for each in mine if each.subject.startswith("Message")]


def drop_reasons(wizard: Wizard) -> list[str]:
    notices = Notice.objects.filter(wizard=wizard, kind="said")
    return list(notices.order_by("pk").values_list("dropped_for", flat=True))


@pytest.fixture
def duel(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    deliver()
    request_message_emails(cast.ada)
    return duel


def test_messages_between_turns_are_not_emailed_by_default(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    assert not mail_choice(cast.ada).words
    say(duel, cast.bram)
    assert mails_to(cast.ada, NOW + FIVE_MINUTES) == []
    assert drop_reasons(cast.ada) == [DroppedFor.UNWANTED]


def test_message_is_emailed_once_after_five_minutes(duel: Duel, cast: Cast):
    say(duel, cast.bram, "Wands <at> dawn?\n\nOr at dusk.")
    assert mails_to(cast.ada, NOW + FIVE_MINUTES - timedelta(seconds=1)) == []
    (message,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    assert message.subject == "Message from Bram"
    assert re.search(
        r"(?m)^Bram\n\n  1 March, 12:00 UTC\n    Wands <at> dawn\?\n\n    Or at dusk\.$",
        str(message.body),
    )
    ((html, _),) = message.alternatives
    assert "Wands &lt;at&gt; dawn?" in str(html)
    assert f"/duels/{duel.pk}/#talk" in message.body
    assert "reply" not in str(message.reply_to)
    assert mails_to(cast.ada, NOW + 9 * FIVE_MINUTES) == []
    assert mails_to(cast.bram, NOW + 9 * FIVE_MINUTES) == []  # Bram wrote the message himself


def test_messages_within_five_minutes_are_sent_in_one_email(duel: Duel, cast: Cast):
    for minute in range(5):
        say(duel, cast.bram, f"line {minute}", at=NOW + minute * MINUTE)
        say(duel, cast.ada, f"reply {minute}", at=NOW + minute * MINUTE)
    (message,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    assert re.findall(r"line \d", str(message.body)) == [f"line {number}" for number in range(5)]
    assert "reply" not in message.body
    say(duel, cast.bram, "line 5", at=NOW + 6 * MINUTE)
    (message,) = mails_to(cast.ada, NOW + 11 * MINUTE)
    assert re.findall(r"line \d", str(message.body)) == ["line 5"]


def test_message_written_while_an_email_is_being_sent_is_not_lost(duel: Duel, cast: Cast):
    say(duel, cast.bram, "first")
    Notice.objects.filter(kind="said").update(
        status=OutboxStatus.SENDING, claimed_at=NOW + FIVE_MINUTES
    )
    say(duel, cast.bram, "second", at=NOW + FIVE_MINUTES)
    outbox.requeue_stuck(Notice.objects.all(), NOW + 15 * MINUTE)
    messages = mails_to(cast.ada, NOW + 15 * MINUTE)
    told = [re.findall("first|second", str(message.body)) for message in messages]
    assert sorted(told) == [["first"], ["second"]]


def test_resent_email_with_messages_has_the_same_body(duel: Duel, cast: Cast):
    say(duel, cast.bram, "first")
    (once,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    say(duel, cast.bram, "second", at=NOW + FIVE_MINUTES)
    notice = Notice.objects.filter(kind="said").earliest("pk")
    assert delivering.resend_notice(notice_id=notice.pk, now=NOW + 6 * MINUTE)
    (again,) = mails_to(cast.ada, NOW + 6 * MINUTE)
    assert (again.body, again.extra_headers["Message-ID"]) == (
        once.body,
        once.extra_headers["Message-ID"],
    )


def test_message_read_on_the_site_is_not_emailed(duel: Duel, cast: Cast):
    speech = say(duel, cast.bram)
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=0, speech=speech.pk)
    assert mails_to(cast.ada, NOW + FIVE_MINUTES) == []
    assert drop_reasons(cast.ada) == [DroppedFor.READ]


def test_messages_are_emailed_if_only_some_were_read(duel: Duel, cast: Cast):
    speech = say(duel, cast.bram, "first")
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=0, speech=speech.pk)
    say(duel, cast.bram, "second", at=NOW + MINUTE)
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    assert len(mails_to(cast.ada, NOW + FIVE_MINUTES)) == 1


@pytest.mark.parametrize("how", ["mute", "block"])
@pytest.mark.parametrize("is_before", [True, False])
def test_messages_of_muted_or_blocked_wizards_are_not_emailed(
    duel: Duel, cast: Cast, how: str, is_before: bool
):
    def mute_or_block() -> None:
        if how == "mute":
            speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
        else:
            profiles.block(wizard=cast.ada, other=cast.bram, now=NOW)

    if is_before:
        mute_or_block()
    say(duel, cast.bram, "Drivel!")
    if not is_before:
        mute_or_block()
    assert mails_to(cast.ada, NOW + FIVE_MINUTES) == []
    assert drop_reasons(cast.ada) == ([] if is_before else [DroppedFor.OUTDATED])


def test_messages_of_other_wizards_are_emailed_even_if_one_is_muted(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    deliver()
    request_message_emails(cast.ada)
    for speaker in (cast.bram, cast.cleo):
        say(duel, speaker, f"I am {speaker.name}.")
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    (message,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    assert message.subject == "Message from Cleo"
    assert "I am Bram." not in message.body


def test_messages_in_unrevealed_orders_are_not_emailed(duel: Duel, cast: Cast):
    seal(duel, cast.bram, hands("W", "P", say="abracadabra"))
    say(duel, cast.bram, "Your turn, I think.")
    (message,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    assert "abracadabra" not in str(message.message())
    play(duel, {cast.ada: hands("-", "-")})
    mail.outbox.clear()
    deliver(now=NOW + FIVE_MINUTES)
    assert not any(str(each.subject).startswith("Message") for each in mail.outbox)
    assert any("abracadabra" in each.body for each in mail.outbox)  # in the email about the turn


def test_messages_written_after_the_end_are_emailed(duel: Duel, cast: Cast):
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    say(duel, cast.bram, "Well played.")
    assert len(mails_to(cast.ada, NOW + FIVE_MINUTES)) == 1


def test_strangers_cannot_send_messages_by_email(cast: Cast):
    """Only a duel's players can write messages, and all of them have accepted the duel."""
    request_message_emails(cast.ada)
    duel = challenge(cast.ada, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
    with pytest.raises(errors.Refused):
        say(duel, cast.dorn, "Buy at www.example.com")
    assert not Notice.objects.filter(kind="said").exists()


def test_number_of_emails_with_messages_is_limited(duel: Duel, cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_FROM_WIZARD_TO_READER", 2)
    sent = 0
    for hour in range(4):
        now = NOW + hour * timedelta(hours=1)
        say(duel, cast.bram, f"hour {hour}", at=now)
        sent += len(mails_to(cast.ada, now + FIVE_MINUTES))
    assert sent == 2
    assert drop_reasons(cast.ada)[2:] == [DroppedFor.RATE_LIMITED] * 2


def test_length_of_an_email_with_messages_is_limited(duel: Duel, cast: Cast):
    row = say(duel, cast.bram)
    Speech.objects.bulk_create(
        Speech(duel=duel, wizard=cast.bram, ordinal=1, words=f"word {number}", said_at=row.said_at)
        for number in range(50)
    )
    (message,) = mails_to(cast.ada, NOW + FIVE_MINUTES)
    assert len(re.findall(r"word \d+", str(message.body))) == 39
    assert "And 11 more on the duel’s page." in message.body


# Timing


def test_messages_are_included_in_the_daily_email_if_the_reader_chose_it(duel: Duel, cast: Cast):
    request_message_emails(cast.ada, when=EmailTiming.DAILY)
    say(duel, cast.bram, "first")
    assert mails_to(cast.ada, NOW + FIVE_MINUTES) == []
    say(duel, cast.bram, "second", at=NOW + 60 * MINUTE)
    mail.outbox.clear()
    deliver(now=NOW.replace(hour=8) + timedelta(days=1))
    (message,) = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert message.subject == "Your duels: 1 update"
    assert "Messages from Bram" in message.body


def test_only_one_email_with_messages_is_sent_before_the_next_visit(duel: Duel, cast: Cast):
    request_message_emails(cast.ada, when=EmailTiming.VISIT)
    seat_of_ada = seat(duel, cast.ada)
    seat_of_ada.read_turn = 1  # Ada has read the report of turn 1
    seat_of_ada.save()
    speech = say(duel, cast.bram, "first")
    assert len(mails_to(cast.ada, NOW + FIVE_MINUTES)) == 1
    second = say(duel, cast.bram, "second", at=NOW + 6 * MINUTE)
    assert mails_to(cast.ada, NOW + 11 * MINUTE) == []
    assert drop_reasons(cast.ada) == [DroppedFor.NOTHING, DroppedFor.ALREADY_NOTIFIED]
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=0, speech=second.pk)
    assert second.pk > speech.pk
    say(duel, cast.bram, "third", at=NOW + 20 * MINUTE)
    assert len(mails_to(cast.ada, NOW + 25 * MINUTE)) == 1


@pytest.mark.parametrize("whose", ["duel", "all", "words"])
def test_turning_emails_off_also_turns_off_emails_with_messages(duel: Duel, cast: Cast, whose: str):
    say(duel, cast.bram)
    if whose == "duel":
        choosing.set_duel_mail_choice(wizard=cast.ada, duel=duel, when=EmailTiming.OFF, now=NOW)
    else:
        when = EmailTiming.OFF if whose == "all" else EmailTiming.EVERY
        wanted = whose == "all"
        choosing.set_mail_choice(
            wizard=cast.ada, when=when, hour=8, though_here=False, words=wanted, now=NOW
        )
    assert mails_to(cast.ada, NOW + FIVE_MINUTES) == []
    assert drop_reasons(cast.ada) == [DroppedFor.UNWANTED]


def test_emails_with_messages_are_off_by_default_in_the_settings(cast: Cast):
    client = Client()
    assert cast.ada.user
    client.force_login(cast.ada.user)
    page = client.get("/settings/mail").content.decode()
    assert "Also messages between turns" in page
    assert not re.search(r'name="words"[^>]*checked', page)
    client.post("/settings/mail", {"when": "every", "hour": "8", "words": "on"})
    assert mail_choice(cast.ada).words
    assert re.search(r'name="words"[^>]*checked', client.get("/settings/mail").content.decode())
    client.post("/settings/mail", {"when": "every", "hour": "8"})
    assert not mail_choice(cast.ada).words


@pytest.mark.sqlite
def test_database_requires_a_message_exactly_for_notices_about_messages(duel: Duel, cast: Cast):
    speech = say(duel, cast.bram)
    for values in ({"kind": "said", "speech": None}, {"kind": "over", "speech": speech}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Notice.objects.create(
                wizard=cast.ada,
                duel=duel,
                key=f"odd {values}",
                created_at=timezone.now(),
                due_at=timezone.now(),
                **values,
            )
