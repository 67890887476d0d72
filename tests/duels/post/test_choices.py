"""Choosing which emails to get, in the settings, on a duel's page, and by a link in an email."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from duels import errors
from duels.commands import closing
from duels.models import Duel, Wizard
from duels.post import tokens
from duels.post.commands import choosing
from duels.post.models import DuelMailChoice, EmailTiming, MailChoice, Notice
from duels.post.queries import duel_mail_choice, mail_choice
from tests.cast import NOW, Cast, begin, deliver, signed_in

ONE_CLICK_FORM = {"List-Unsubscribe": "One-Click"}


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, visibility="private")


def unsubscribe_path(wizard: Wizard) -> str:
    """Return the unsubscribe path of the email that this wizard receives."""
    mail.outbox.clear()
    deliver()
    assert wizard.user
    (message,) = [each for each in mail.outbox if each.to == [wizard.user.email]]
    found = re.fullmatch(
        r"<http://127\.0\.0\.1:8000(/\S+)>", message.extra_headers["List-Unsubscribe"]
    )
    assert found
    assert found[1] in message.body
    return found[1]


# Settings


def test_settings_show_and_store_which_emails_the_player_wants(ada: Wizard):
    client = signed_in(ada)
    assert b"/settings/mail" in client.get("/settings/").content
    assert (mail_choice(ada).when, mail_choice(ada).hour) == (EmailTiming.EVERY, 8)
    form = {"when": "daily", "hour": "21", "though_here": "on"}
    assert client.post("/settings/mail", form).status_code == 302
    choice = mail_choice(ada)
    assert (choice.when, choice.hour, choice.though_here) == (EmailTiming.DAILY, 21, True)
    shown = client.get("/settings/mail").content.decode()
    assert re.search(r'value="daily"[^>]*checked', shown)
    assert re.search(r'value="21" selected', shown)
    assert "UTC" in shown


@pytest.mark.parametrize(
    "form", [{"when": "hourly", "hour": "8"}, {"when": "daily", "hour": "24"}, {}]
)
def test_invalid_email_choice_is_rejected(ada: Wizard, form: dict[str, str]):
    assert signed_in(ada).post("/settings/mail", form).status_code == 400
    assert not MailChoice.objects.exists()


@pytest.mark.parametrize(("field", "value"), [("when", "hourly"), ("hour", 24)])
def test_command_rejects_an_invalid_email_choice(ada: Wizard, field: str, value: object):
    chosen: dict[str, Any] = {"when": "daily", "hour": 8, "though_here": False, field: value}
    with pytest.raises(errors.Refused):
        choosing.set_mail_choice(wizard=ada, now=NOW, **chosen)


# The email choice on the page of a duel


def test_page_of_a_duel_links_to_the_choice_of_emails_about_it(duel: Duel, cast: Cast):
    client = signed_in(cast.ada)
    address = f"/duels/{duel.pk}/mail"
    assert address in client.get(f"/duels/{duel.pk}/").content.decode()
    assert "as for all my duels: at once, for every turn" in client.get(address).content.decode()
    assert client.post(address, {"when": "off"}).status_code == 302
    assert duel_mail_choice(cast.ada, duel) == EmailTiming.OFF
    assert re.search(r'value="off"[^>]*checked', client.get(address).content.decode())
    assert client.post(address, {"when": ""}).status_code == 302
    assert duel_mail_choice(cast.ada, duel) is None
    assert client.post(address, {"when": "hourly"}).status_code == 400


def test_only_players_of_a_duel_can_choose_emails_about_it(duel: Duel, cast: Cast):
    address = f"/duels/{duel.pk}/mail"
    for ask in (signed_in(cast.dorn).get, signed_in(cast.dorn).post):
        assert ask(address).status_code == 404
    with pytest.raises(errors.Refused):
        choosing.set_duel_mail_choice(wizard=cast.dorn, duel=duel, when="off", now=NOW)
    assert Client().post(address, {"when": "off"}).status_code == 302  # redirected to sign in
    assert not DuelMailChoice.objects.exists()


# The unsubscribe link in an email


def test_one_click_unsubscribe_turns_emails_off(duel: Duel, cast: Cast):
    address = unsubscribe_path(cast.ada)
    client = Client(enforce_csrf_checks=True)
    assert client.post(address, ONE_CLICK_FORM).status_code == 200
    assert mail_choice(cast.ada).when == EmailTiming.OFF
    assert mail_choice(cast.bram).when == EmailTiming.EVERY
    begin(cast.ada, cast.cleo)
    mail.outbox.clear()
    deliver()
    assert [message.to for message in mail.outbox] == [["cleo@example.org"]]


def test_emails_offer_one_click_unsubscribe(duel: Duel):
    deliver()
    for message in mail.outbox:
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.mark.parametrize("method", ["get", "head"])
def test_opening_the_unsubscribe_link_changes_nothing(duel: Duel, cast: Cast, method: str):
    """Mail scanners follow every link in an email."""
    address = unsubscribe_path(cast.ada)
    answer = getattr(Client(), method)(address)
    assert answer.status_code == 200
    assert not MailChoice.objects.exists()
    assert not DuelMailChoice.objects.exists()
    if method == "get":
        assert "Nothing has changed yet" in answer.content.decode()


def test_unsubscribe_page_turns_off_emails_about_one_duel_or_all(duel: Duel, cast: Cast):
    other = begin(cast.ada, cast.cleo)
    choosing.set_duel_mail_choice(wizard=cast.ada, duel=other, when="every", now=NOW)
    address = post_address = f"/mail-off/{tokens.unsubscribe_token(cast.ada.pk, duel.pk)}"
    assert 'name="which" value="duel"' in Client().get(address).content.decode()
    Client().post(post_address, {"which": "duel"})
    assert duel_mail_choice(cast.ada, duel) == EmailTiming.OFF
    assert mail_choice(cast.ada).when == EmailTiming.EVERY
    Client().post(post_address, {"which": "all"})
    assert mail_choice(cast.ada).when == EmailTiming.OFF
    assert duel_mail_choice(cast.ada, other) is None


def test_unsubscribe_link_of_a_daily_email_does_not_name_a_duel(cast: Cast):
    address = f"/mail-off/{tokens.unsubscribe_token(cast.ada.pk)}"
    assert 'value="duel"' not in Client().get(address).content.decode()
    assert Client().post(address, {"which": "duel"}).status_code == 404
    assert not MailChoice.objects.exists()


@pytest.mark.parametrize("token", ["", "1-1", "1-1.forged", "1-2.{signature}"])
def test_forged_unsubscribe_link_is_not_found(duel: Duel, cast: Cast, token: str):
    signature = tokens.unsubscribe_token(1, 1).rpartition(".")[2]
    address = f"/mail-off/{token.format(signature=signature)}"
    for ask in (Client().get, Client().post):
        assert ask(address).status_code == 404
    assert not MailChoice.objects.exists()


def test_closing_an_account_deletes_its_email_choices(duel: Duel, cast: Cast):
    choosing.set_mail_choice(wizard=cast.ada, when="daily", hour=1, though_here=False, now=NOW)
    choosing.set_duel_mail_choice(wizard=cast.ada, duel=duel, when="off", now=NOW)
    assert cast.ada.user
    closing.close_account(user=cast.ada.user, now=NOW)
    assert not MailChoice.objects.exists()
    assert not DuelMailChoice.objects.exists()
    deliver()
    assert not Notice.objects.filter(wizard=cast.ada, status="sent").exists()
