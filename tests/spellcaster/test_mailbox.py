"""Tests of the page of sent emails, which only this machine can open."""

from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.utils import timezone

from duels.commands.guests import create_guest
from duels.models import User
from duels.post.models import GuestAddress
from duels.post.public import delete_guest_address
from spellcaster.mailbox import MailboxBackend, stored_emails
from tests.cast import PASSWORD


@pytest.fixture(autouse=True)
def use_mailbox_folder(settings: Any, tmp_path: Path) -> None:
    settings.MAILBOX_FOLDER = tmp_path / "mail"
    settings.MAILBOX_SHOWN = True


@pytest.fixture
def reader_client(client: Client, db: None) -> Client:
    """The browser of a user whose confirmed address is ada@duels.example."""
    client.force_login(make_user("ada@duels.example"))
    return client


def make_user(address: str, *, verified: bool = True, is_staff: bool = False) -> User:
    user = User.objects.create_user(address, PASSWORD, is_staff=is_staff)
    EmailAddress.objects.create(user=user, email=address, verified=verified, primary=True)
    return user


def send_email(
    subject: str, html: str = "<p>The duel is <b>over</b>.</p>", to: str = "ada@duels.example"
) -> None:
    message = EmailMultiAlternatives(
        subject, "Read https://duels.example/duels/1/", "site@duels.example", [to]
    )
    message.attach_alternative(html, "text/html")
    assert MailboxBackend().send_messages([message]) == 1


def test_emails_are_stored_completely_and_shown_newest_first() -> None:
    send_email("First")
    send_email("Zweiter – größer")
    newest, oldest = stored_emails()
    assert (newest.subject, oldest.subject) == ("Zweiter – größer", "First")
    assert newest.recipient == "ada@duels.example"
    assert newest.text.strip() == "Read https://duels.example/duels/1/"
    assert newest.html.strip() == "<p>The duel is <b>over</b>.</p>"


def test_page_of_sent_emails_shows_text_with_links(reader_client: Client) -> None:
    send_email("Your turn")
    page = reader_client.get("/mail/").content.decode()
    assert "Your turn" in page
    assert 'href="https://duels.example/duels/1/"' in page


def test_page_of_sent_emails_has_a_note_if_there_are_none(reader_client: Client) -> None:
    assert "No emails have been sent to you yet" in reader_client.get("/mail/").content.decode()


def test_html_of_an_email_is_shown_in_a_sandbox(reader_client: Client) -> None:
    send_email("Your turn", "<script>alert(1)</script>")
    response = reader_client.get(f"/mail/{stored_emails()[0].name}/")
    policy = response.headers["Content-Security-Policy"]
    assert response.content.decode().strip() == "<script>alert(1)</script>"
    assert "sandbox;" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


@pytest.mark.parametrize("path", ["/mail/", "/mail/{name}/"])
@pytest.mark.parametrize(
    "elsewhere",
    [
        {"REMOTE_ADDR": "192.0.2.7"},
        {"REMOTE_ADDR": ""},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
    ],
    ids=["another machine", "no address", "a proxy", "a newer proxy", "nginx"],
)
def test_page_of_sent_emails_is_shown_only_to_visitors_on_this_machine(
    reader_client: Client, path: str, elsewhere: dict[str, Any]
) -> None:
    send_email("Your code")
    address = path.format(name=stored_emails()[0].name)
    assert reader_client.get(address).status_code == 200
    assert reader_client.get(address, **elsewhere).status_code == 404


@pytest.mark.parametrize("path", ["/mail/", "/mail/{name}/"])
def test_page_of_sent_emails_does_not_exist_if_there_is_a_mail_server(
    reader_client: Client, settings: Any, path: str
) -> None:
    send_email("Your code")
    settings.MAILBOX_SHOWN = False
    assert reader_client.get(path.format(name=stored_emails()[0].name)).status_code == 404


@pytest.mark.parametrize("name", ["nothing", "..%2Fkeys", "../keys"])
def test_page_of_sent_emails_does_not_show_other_files(
    reader_client: Client, settings: Any, name: str
) -> None:
    (settings.MAILBOX_FOLDER.parent / "keys.eml").write_text("Subject: secret\n\nsecret")
    assert reader_client.get(f"/mail/{name}/").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_page_of_sent_emails_is_read_only(reader_client: Client, method: str) -> None:
    assert getattr(reader_client, method)("/mail/").status_code == 405


def test_readers_see_only_emails_to_their_own_addresses(
    client: Client, reader_client: Client
) -> None:
    send_email("For Ada")
    send_email("For Bram", to="bram@duels.example")
    page = reader_client.get("/mail/").content.decode()
    assert "For Ada" in page
    assert "For Bram" not in page
    names = {each.subject: each.name for each in stored_emails()}
    assert reader_client.get(f"/mail/{names['For Ada']}/").status_code == 200
    assert reader_client.get(f"/mail/{names['For Bram']}/").status_code == 404
    assert "For Ada" not in Client().get("/mail/").content.decode()


def test_staff_see_all_emails(client: Client, db: None) -> None:
    client.force_login(make_user("site@duels.example", is_staff=True))
    send_email("For Ada")
    assert "For Ada" in client.get("/mail/").content.decode()


def test_unconfirmed_address_of_somebody_else_shows_no_emails(reader_client: Client) -> None:
    bram = make_user("bram@duels.example")
    user = User.objects.get(email="ada@duels.example")
    EmailAddress.objects.create(user=user, email="Bram@duels.example", verified=False)
    send_email("For Bram", to="bram@duels.example")
    assert "For Bram" not in reader_client.get("/mail/").content.decode()
    bram.delete()
    send_email("Confirm", to="bram@duels.example")
    assert "Confirm" in reader_client.get("/mail/").content.decode()


def test_visitor_can_read_the_confirmation_email_after_sign_up(
    client: Client, db: None, settings: Any
) -> None:
    settings.EMAIL_BACKEND = "spellcaster.mailbox.MailboxBackend"
    address = "nova@duels.example"
    typed = {"email": address, "password1": PASSWORD, "name": "Nova", "pronouns": "she"}
    answer = client.post("/accounts/signup/", typed)
    assert answer.status_code == 302
    assert f"To {address}" in client.get("/mail/").content.decode()
    assert address not in Client().get("/mail/").content.decode()


def test_deleting_an_account_deletes_the_emails_to_it(db: None) -> None:
    user = make_user("ada@duels.example")
    send_email("For Ada")
    send_email("For Bram", to="bram@duels.example")
    user.delete()
    assert [each.subject for each in stored_emails()] == ["For Bram"]


def test_deleting_a_guests_address_deletes_the_emails_to_it(db: None) -> None:
    guest = create_guest(key="key", now=timezone.now())
    GuestAddress.objects.create(wizard=guest, address="tom@duels.example", asked_at=timezone.now())
    send_email("For Tom", to="tom@duels.example")
    send_email("For Ada")
    delete_guest_address(wizard=guest)
    assert [each.subject for each in stored_emails()] == ["For Ada"]


def test_deleting_an_unconfirmed_address_keeps_its_owners_emails(db: None) -> None:
    make_user("ada@duels.example")
    bram = make_user("bram@duels.example")
    claimed = EmailAddress.objects.create(user=bram, email="Ada@duels.example", verified=False)
    send_email("For Ada")
    claimed.delete()
    assert [each.subject for each in stored_emails()] == ["For Ada"]
