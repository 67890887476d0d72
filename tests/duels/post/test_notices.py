"""Contents of notices: each email shows only what its reader may see."""

import re
from datetime import timedelta
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import DjangoCaptureOnCommitCallbacks

from duels.commands import challenges, endings
from duels.models import Duel, OutboxStatus, Wizard
from duels.post.models import Notice
from duels.wording.rule_index import differences
from engine.rulesets import RULESETS
from tests.cast import LATER, NOW, Cast, begin, challenge, deliver, hands, open_turn, play

IDLE = hands("-", "-")
MINUTE = timedelta(minutes=1)


def html_part(message: EmailMultiAlternatives) -> str:
    ((content, kind),) = message.alternatives
    assert kind == "text/html"
    return str(content)


def deliver_all() -> list[EmailMultiAlternatives]:
    """Deliver everything that is due and return the sent emails."""
    mail.outbox.clear()
    deliver(now=LATER)
    return [m for m in mail.outbox if isinstance(m, EmailMultiAlternatives)]


def email_to(wizard: Wizard) -> EmailMultiAlternatives:
    """Deliver what is due and return the single email to this wizard."""
    user = wizard.user
    assert user
    (message,) = [message for message in deliver_all() if message.to == [user.email]]
    return message


def test_emails_are_sent_when_a_change_is_committed(
    ada: Wizard, bram: Wizard, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        challenge(ada, bram)
    assert [message.to for message in mail.outbox] == [["bram@example.org"]]


def test_no_email_is_sent_if_a_change_is_rolled_back(ada: Wizard, bram: Wizard):
    with (
        mock.patch("duels.commands.challenges._store_challenge", side_effect=RuntimeError),
        pytest.raises(RuntimeError),
    ):
        challenge(ada, bram)
    assert not Notice.objects.exists()


def test_unverified_address_does_not_get_emails(ada: Wizard, bram: Wizard):
    user = bram.user
    assert user
    EmailAddress.objects.filter(user=user).update(verified=False)
    challenge(ada, bram)
    assert deliver(now=NOW) == 0
    assert Notice.objects.get().status == OutboxStatus.DROPPED


# Contents of an email


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_challenge_email_lists_differences_from_bartles_rules(
    ada: Wizard, bram: Wizard, ruleset: str
):
    challenge(ada, bram, ruleset=ruleset)
    message = email_to(bram)
    lines = [line.text for line in differences(RULESETS[ruleset])]
    told = " ".join(str(message.body).split())
    assert all(f" - {line} " in told for line in lines)
    assert told.count(" - ") == len(lines)
    assert ("differs from Bartle" in message.body) == bool(lines)
    assert html_part(message).count("<li>") == len(lines)


def test_challenge_email_lists_the_options_of_the_duel(ada: Wizard, bram: Wizard):
    challenge(ada, bram, ruleset="warlocks-1", options=["parafc", "maladroit"])
    message = email_to(bram)
    for text in (str(message.body), html_part(message)):
        assert "Warlocks with ParaFC and Maladroit" in text
        assert "Maladroit: D-S-F is Maladroitness instead of Confusion." in text


def test_challenge_email_has_the_message_and_a_link(ada: Wizard, bram: Wizard):
    begin(ada, bram)  # Ada and Bram now know each other
    deliver_all()
    duel = challenge(ada, bram, words="Wands <at> dawn & no mercy")
    message = email_to(bram)
    assert message.subject == "Ada challenges you to a duel"
    assert "Wands <at> dawn & no mercy" in message.body
    assert "Wands &lt;at&gt; dawn &amp; no mercy" in html_part(message)
    assert f"/duels/{duel.pk}/" in message.body


def test_message_from_a_stranger_is_not_emailed(cast: Cast):
    begin(cast.bram, cast.cleo)
    deliver_all()
    challenge(cast.ada, cast.bram, words="Wands at dawn")
    message = email_to(cast.bram)
    for text in (str(message.body), html_part(message)):
        assert "Wands" not in text
        assert "The challenge comes with a message" in text


def test_challenge_email_does_not_mention_a_message_if_there_is_none(ada: Wizard, bram: Wizard):
    challenge(ada, bram)
    assert "comes with a message" not in email_to(bram).body


def test_challenger_is_emailed_about_each_answer(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    mail.outbox.clear()
    challenges.decline(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert "Bram declined" in email_to(cast.ada).subject
    challenges.accept(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    assert "Cleo accepted" in email_to(cast.ada).subject


def test_wizards_are_emailed_when_the_duel_begins(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo)
    message = email_to(cast.cleo)
    assert message.subject == "Your duel with Ada and Bram begins: turn 1"
    assert "Turn 1" in message.body


def test_turn_email_has_the_report_and_the_grid(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    deliver_all()
    play(duel, {cast.ada: hands("W", "P", say="<Well> met"), cast.bram: hands("S", ">")})
    message = email_to(cast.bram)
    assert message.subject == "Your turn against Ada (turn 2)"
    assert "Turn 1" in message.body
    assert "<Well> met" in message.body
    assert "&lt;Well&gt; met" in html_part(message)
    assert re.search(r"(?m)^turn +Ada +Bram$", str(message.body))
    assert re.search(r"(?m)^ +1 +W +P +S +>$", str(message.body))
    assert "<table" in html_part(message)


def test_rules_in_emails_are_links_with_the_names_of_the_rules(cast: Cast):
    """Bram's Shield stops nothing, so his report cites a rule."""
    duel = begin(cast.ada, cast.bram)
    deliver_all()
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("P", ">")})
    message = email_to(cast.bram)
    assert "[Shield]" in message.body
    assert not re.search(r"\w+:\w+\]", str(message.body))
    links = dict(re.findall(r'<a [^>]*href="([^"]+#[^"]+)"[^>]*>([^<]+)</a>', html_part(message)))
    assert links["http://127.0.0.1:8000/rules/bartle-1/#spell:shield"] == "Shield"
    assert not any(":" in name and not name.startswith("R") for name in links.values())


def test_emails_use_the_colours_of_the_site():
    styles = (settings.BASE_DIR / "static" / "css" / "variables.css").read_text()
    for file in (settings.BASE_DIR / "templates" / "emails").rglob("*.*"):
        colours = set(re.findall(r"#[0-9a-f]{3,6}\b", file.read_text()))
        assert all(colour in styles for colour in colours), file
        assert not re.search(r"<img|url\(|@import|<link", file.read_text()), file


def test_subject_of_an_email_about_a_large_duel_is_short(cast: Cast):
    begin(cast.ada, cast.bram, cast.cleo, cast.dorn)
    message = email_to(cast.dorn)
    assert message.subject == "Your duel with Ada and 2 others begins: turn 1"
    assert "Ada, Bram and Cleo" in message.body


def test_emails_hide_gestures_of_invisible_opponents(cast: Cast):
    """When Ada is invisible, Bram's email hides her gestures, and her own shows them."""
    duel = begin(cast.ada, cast.bram)
    for left, right in (("P", "F"), ("P", "D"), ("W", "W"), ("S", "S")):
        play(duel, {cast.ada: hands(left, right), cast.bram: IDLE})
    deliver_all()
    play(duel, {cast.ada: hands("F", "F"), cast.bram: IDLE})
    messages = {message.to[0]: message for message in deliver_all()}
    row = r"(?m)^ +5 +{} +{} +- +-$"
    assert re.search(row.format("F", "F"), str(messages["ada@example.org"].body))
    assert re.search(row.format(r"\?", r"\?"), str(messages["bram@example.org"].body))


def test_turn_email_says_if_the_reader_has_nothing_to_decide(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for left, right in (("D", "W"), ("P", "W"), ("P", "D")):
        deliver_all()
        play(duel, {cast.ada: hands(left, right), cast.bram: hands("W", "S")})
    message = email_to(cast.bram)
    assert message.subject == "Turn 4 against Ada: nothing to decide"
    assert "nothing to decide" in message.body


def test_email_about_questions_has_the_grid(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        deliver_all()
        play(duel, {cast.ada: hands("F", letter), cast.bram: IDLE})
    message = email_to(cast.ada)
    assert message.subject == "A question for you in turn 3 against Bram"
    assert re.search(r"(?m)^1\. .*Bram.*\?$", str(message.body))
    assert re.search(r"(?m)^ +3 +F +W +- +-$", str(message.body))


def test_draw_offer_is_emailed_to_the_opponent(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    deliver_all()
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
    assert email_to(cast.bram).subject == "Ada offers a draw"


@pytest.mark.parametrize("how", ["surrender", "resigned", "agreed"])
def test_email_about_the_result_is_from_the_readers_point_of_view(cast: Cast, how: str):
    duel = begin(cast.ada, cast.bram)
    deliver_all()
    if how == "surrender":
        play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE})
    elif how == "resigned":
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    else:
        endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
        deliver_all()
        endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    messages = {message.to[0]: message for message in deliver_all()}
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
        assert ("by resignation" in messages["ada@example.org"].body) == (how == "resigned")


def test_emails_contain_no_addresses_and_link_only_to_pages(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    messages = deliver_all()
    play(duel, {cast.ada: hands("W", "P"), cast.bram: IDLE})
    messages += deliver_all()
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    challenge(cast.cleo, cast.dorn)
    messages += deliver_all()
    assert len(messages) >= 7
    for message in messages:
        text = message.body + html_part(message)
        assert len(message.to) == 1
        assert "@" not in text
        links = set(re.findall(r"https?://[^\s\"<]+", text))
        site = "http://127.0.0.1:8000"
        off = {link for link in links if link.startswith(f"{site}/mail-off/")}
        duels = {f"{site}/duels/{pk}/" for pk in Duel.objects.values_list("pk", flat=True)}
        rules = {link for link in links if link.startswith(f"{site}/rules/bartle-1/#")}
        assert links - off - rules <= duels
        assert (len(off), len(links - rules)) == (1, 2)


def test_emails_about_a_duel_form_one_thread(cast: Cast, settings):
    settings.SITE_URL = "https://duels.example"
    duel, _ = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram)
    messages = deliver_all()
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    messages += deliver_all()
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    messages += deliver_all()
    conversations: dict[str, list[str]] = {}
    for message in messages:
        sent = message.message()
        assert sent["In-Reply-To"] == sent["References"]
        assert re.fullmatch(r"<[^<>@\s]+@duels\.example>", sent["References"])
        conversations.setdefault(sent["References"], []).append(sent["Message-ID"])
    assert sorted(len(ids) for ids in conversations.values()) == [2, 6]
    ids = [each for ids in conversations.values() for each in ids]
    assert len({*ids, *conversations}) == len(ids) + 2
    assert all(re.fullmatch(r"<[^<>@\s]+@duels\.example>", each) for each in ids)


def test_emails_are_marked_as_automatically_generated(ada: Wizard, bram: Wizard):
    challenge(ada, bram)
    assert email_to(bram).message()["Auto-Submitted"] == "auto-generated"


def test_each_wizard_gets_one_email_per_turn(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    messages = deliver_all()
    for _ in range(3):
        play(duel, {cast.ada: IDLE, cast.bram: IDLE})
        messages += deliver_all()
    subjects = [m.subject for m in messages if m.to == ["ada@example.org"]]
    assert subjects == [
        "Your duel with Bram begins: turn 1",
        "Your turn against Bram (turn 2)",
        "Your turn against Bram (turn 3)",
        "Your turn against Bram (turn 4)",
    ]
    assert open_turn(duel).ordinal == 4
