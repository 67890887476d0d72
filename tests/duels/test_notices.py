"""The outbox: a mail is sent once, tried again when it fails, and says what its reader may know."""

import re
from datetime import timedelta
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import DjangoCaptureOnCommitCallbacks

from duels import commands
from duels.models import Duel, Notice, NoticeKind, NoticeStatus, Wizard
from engine.differences import differences
from engine.rulesets import RULESETS
from tests.cast import LATER, NOW, Cast, begin, challenge, hands, open_turn, play

IDLE = hands("-", "-")
MINUTE = timedelta(minutes=1)


def queued(kind: NoticeKind | None = None) -> Notice:
    notices = Notice.objects.filter(status=NoticeStatus.QUEUED)
    notice = (notices.filter(kind=kind) if kind else notices).first()
    assert notice
    return notice


def html(message: EmailMultiAlternatives) -> str:
    ((content, kind),) = message.alternatives
    assert kind == "text/html"
    return str(content)


def send_all() -> list[EmailMultiAlternatives]:
    """Everything that is due, and what was sent."""
    mail.outbox.clear()
    commands.deliver_due(now=LATER)
    return [m for m in mail.outbox if isinstance(m, EmailMultiAlternatives)]


def sent_to(wizard: Wizard) -> EmailMultiAlternatives:
    """The one mail that the wizard gets now."""
    user = wizard.user
    assert user
    (message,) = [message for message in send_all() if message.to == [user.email]]
    return message


def test_a_notice_is_delivered_once(ada: Wizard, bram: Wizard):
    challenge(ada, bram)
    notice = queued()
    assert commands.deliver_notice(notice_id=notice.pk, now=LATER)
    assert not commands.deliver_notice(notice_id=notice.pk, now=LATER)
    assert len(mail.outbox) == 1
    notice.refresh_from_db()
    assert (notice.status, notice.sent_at) == (NoticeStatus.SENT, LATER)


def test_a_change_nudges_its_mails(
    ada: Wizard, bram: Wizard, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        challenge(ada, bram)
    assert [message.to for message in mail.outbox] == [["bram@example.org"]]


def test_a_change_that_is_undone_sends_nothing(ada: Wizard, bram: Wizard):
    with (
        mock.patch("duels.commands.challenges._challenge", side_effect=RuntimeError),
        pytest.raises(RuntimeError),
    ):
        challenge(ada, bram)
    assert not Notice.objects.exists()


def test_a_mail_that_fails_is_tried_again_later(ada: Wizard, bram: Wizard, caplog):
    challenge(ada, bram, words="sesame")
    notice = queued()
    with mock.patch.object(EmailMultiAlternatives, "send", side_effect=OSError("sesame")):
        assert not commands.deliver_notice(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (NoticeStatus.QUEUED, 1)
    assert notice.last_error.startswith("OSError at ")
    assert notice.due_at > NOW
    assert f"Notice {notice.pk}" in caplog.text
    assert "sesame" not in caplog.text
    assert commands.deliver_due(now=NOW) == 0
    assert commands.deliver_due(now=notice.due_at) == 1
    assert commands.deliver_due(now=notice.due_at) == 0


def test_a_mail_that_always_fails_is_given_up(ada: Wizard, bram: Wizard):
    challenge(ada, bram)
    notice = queued()
    with mock.patch.object(EmailMultiAlternatives, "send", side_effect=OSError):
        for _ in range(20):
            commands.deliver_notice(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == NoticeStatus.FAILED
    assert notice.attempts == 8
    assert commands.resend_notice(notice_id=notice.pk, now=LATER)
    assert not commands.resend_notice(notice_id=notice.pk, now=LATER)
    assert commands.deliver_due(now=LATER) == 1


def test_what_a_dead_worker_had_claimed_is_queued_again(ada: Wizard, bram: Wizard):
    challenge(ada, bram)
    notice = queued()
    with (
        mock.patch.object(EmailMultiAlternatives, "send", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        commands.deliver_notice(notice_id=notice.pk, now=NOW)
    assert commands.sweep(now=NOW + MINUTE).sent == 0
    swept = commands.sweep(now=NOW + 10 * MINUTE)
    assert (swept.requeued, swept.sent) == (1, 1)
    assert len(mail.outbox) == 1


def test_an_address_that_is_not_verified_gets_nothing(ada: Wizard, bram: Wizard):
    user = bram.user
    assert user
    EmailAddress.objects.filter(user=user).update(verified=False)
    challenge(ada, bram)
    assert commands.deliver_due(now=NOW) == 0
    assert Notice.objects.get().status == NoticeStatus.DROPPED


# What is in a mail


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_the_challenged_are_told_how_the_rules_differ(ada: Wizard, bram: Wizard, ruleset: str):
    challenge(ada, bram, ruleset=ruleset)
    message = sent_to(bram)
    lines = [line.text for line in differences(RULESETS[ruleset])]
    assert [row[4:] for row in message.body.split("\n") if row.startswith("  - ")] == lines
    assert ("differs from Bartle" in message.body) == bool(lines)
    assert html(message).count("<li>") == len(lines)


def test_the_challenged_are_told_the_terms(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram, words="Wands <at> dawn & no mercy")
    message = sent_to(bram)
    assert message.subject == "Ada challenges you to a duel"
    assert "Wands <at> dawn & no mercy" in message.body
    assert "Wands &lt;at&gt; dawn &amp; no mercy" in html(message)
    assert f"/duels/{duel.pk}/" in message.body


def test_the_challenger_is_told_of_answers(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    mail.outbox.clear()
    commands.decline(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert "Bram does not take up" in sent_to(cast.ada).subject
    commands.accept(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    assert "Cleo takes up" in sent_to(cast.ada).subject


def test_everybody_is_told_that_it_begins(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo)
    message = sent_to(cast.cleo)
    assert message.subject == "Your duel with Ada and Bram begins: turn 1"
    assert "Turn 1" in message.body


def test_your_turn_tells_what_happened_and_shows_the_grid(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    send_all()
    play(duel, {cast.ada: hands("W", "P", say="<Well> met"), cast.bram: hands("S", ">")})
    message = sent_to(cast.bram)
    assert message.subject == "Your turn 2 against Ada"
    assert "Turn 1" in message.body
    assert "<Well> met" in message.body
    assert "&lt;Well&gt; met" in html(message)
    assert re.search(r"(?m)^turn +Ada +Bram$", str(message.body))
    assert re.search(r"(?m)^ +1 +W +P +S +>$", str(message.body))
    assert "<table" in html(message)
    assert re.search(r"\[(R\d+|\w+:\w+)\]", str(message.body))


def test_fog_is_fog_in_a_mail_too(cast: Cast):
    """Ada becomes invisible: Bram's mail does not show her gestures, hers does."""
    duel = begin(cast.ada, cast.bram)
    for left, right in (("P", "F"), ("P", "D"), ("W", "W"), ("S", "S")):
        play(duel, {cast.ada: hands(left, right), cast.bram: IDLE})
    send_all()
    play(duel, {cast.ada: hands("F", "F"), cast.bram: IDLE})
    messages = {message.to[0]: message for message in send_all()}
    row = r"(?m)^ +5 +{} +{} +- +-$"
    assert re.search(row.format("F", "F"), str(messages["ada@example.org"].body))
    assert re.search(row.format(r"\?", r"\?"), str(messages["bram@example.org"].body))


def test_who_has_nothing_to_decide_is_told_so(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for left, right in (("D", "W"), ("P", "W"), ("P", "D")):
        send_all()
        play(duel, {cast.ada: hands(left, right), cast.bram: hands("W", "S")})
    message = sent_to(cast.bram)
    assert message.subject == "Turn 4 against Ada"
    assert "nothing to decide" in message.body


def test_a_question_is_told(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        send_all()
        play(duel, {cast.ada: hands("F", letter), cast.bram: IDLE})
    message = sent_to(cast.ada)
    assert message.subject == "A question for you in turn 3 against Bram"
    assert re.search(r"(?m)^  .*Bram.*\?$", str(message.body))
    assert re.search(r"(?m)^ +3 +F +W +- +-$", str(message.body))


def test_an_offer_of_a_draw_is_told(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    send_all()
    commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert sent_to(cast.bram).subject == "Ada offers a draw"


@pytest.mark.parametrize("how", ["surrender", "resigned", "agreed"])
def test_the_end_is_told_to_each_as_it_is_for_him(cast: Cast, how: str):
    duel = begin(cast.ada, cast.bram)
    send_all()
    if how == "surrender":
        play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE})
    elif how == "resigned":
        commands.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    else:
        commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
        send_all()
        commands.offer_draw(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    messages = {message.to[0]: message for message in send_all()}
    subjects = [messages[f"{name}@example.org"].subject for name in ("ada", "bram")]
    if how == "agreed":
        assert subjects == [
            "Your duel with Bram is over: a draw",
            "Your duel with Ada is over: a draw",
        ]
        assert "by agreement" in messages["ada@example.org"].body
    else:
        assert subjects == [
            "Your duel with Bram is over: Bram has won",
            "Your duel with Ada is over: you have won",
        ]
        assert ("by resigning" in messages["ada@example.org"].body) == (how == "resigned")


def test_no_mail_holds_anothers_address_and_links_only_open_pages(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
    commands.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    challenge(cast.cleo, cast.dorn)
    messages = send_all()
    assert len(messages) >= 7
    for message in messages:
        text = message.body + html(message)
        assert len(message.to) == 1
        assert "@" not in text
        links = set(re.findall(r"https?://[^\s\"<]+", text))
        assert links <= {
            f"http://127.0.0.1:8000/duels/{pk}/" for pk in Duel.objects.values_list("pk", flat=True)
        }
        assert links


def test_each_wizard_gets_one_mail_a_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for _ in range(3):
        play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    subjects = [m.subject for m in send_all() if m.to == ["ada@example.org"]]
    assert subjects == [
        "Your duel with Bram begins: turn 1",
        "Your turn 2 against Bram",
        "Your turn 3 against Bram",
        "Your turn 4 against Bram",
    ]
    assert open_turn(duel).ordinal == 4
