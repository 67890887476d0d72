"""Tests of the page of sent emails, which only this machine can open."""

from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from spellcaster.mailbox import MailboxBackend, stored_emails


@pytest.fixture(autouse=True)
def at_home(settings: Any, tmp_path: Path) -> None:
    settings.MAILBOX_FOLDER = tmp_path / "mail"
    settings.MAILBOX_SHOWN = True


def send(subject: str, html: str = "<p>The duel is <b>over</b>.</p>") -> None:
    message = EmailMultiAlternatives(
        subject, "Read https://duels.example/duels/1/", "site@duels.example", ["ada@duels.example"]
    )
    message.attach_alternative(html, "text/html")
    assert MailboxBackend().send_messages([message]) == 1


def test_emails_are_stored_completely_and_shown_newest_first() -> None:
    send("First")
    send("Zweiter – größer")
    newest, oldest = stored_emails()
    assert (newest.subject, oldest.subject) == ("Zweiter – größer", "First")
    assert newest.recipient == "ada@duels.example"
    assert newest.text.strip() == "Read https://duels.example/duels/1/"
    assert newest.html.strip() == "<p>The duel is <b>over</b>.</p>"


def test_page_of_sent_emails_shows_text_with_links(client: Client, db: None) -> None:
    send("Your turn")
    page = client.get("/mail/").content.decode()
    assert "Your turn" in page
    assert 'href="https://duels.example/duels/1/"' in page


def test_page_of_sent_emails_says_if_there_are_none(client: Client, db: None) -> None:
    assert "No emails have been sent yet" in client.get("/mail/").content.decode()


def test_html_of_an_email_is_shown_in_a_sandbox(client: Client, db: None) -> None:
    send("Your turn", "<script>alert(1)</script>")
    response = client.get(f"/mail/{stored_emails()[0].name}/")
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
def test_page_of_sent_emails_is_shown_only_to_this_machine(
    client: Client, db: None, path: str, elsewhere: dict[str, Any]
) -> None:
    send("Your code")
    address = path.format(name=stored_emails()[0].name)
    assert client.get(address).status_code == 200
    assert client.get(address, **elsewhere).status_code == 404


@pytest.mark.parametrize("path", ["/mail/", "/mail/{name}/"])
def test_page_of_sent_emails_does_not_exist_if_there_is_a_mail_server(
    client: Client, db: None, settings: Any, path: str
) -> None:
    send("Your code")
    settings.MAILBOX_SHOWN = False
    assert client.get(path.format(name=stored_emails()[0].name)).status_code == 404


@pytest.mark.parametrize("name", ["nothing", "..%2Fkeys", "../keys"])
def test_page_of_sent_emails_does_not_show_other_files(
    client: Client, db: None, settings: Any, name: str
) -> None:
    (settings.MAILBOX_FOLDER.parent / "keys.eml").write_text("Subject: secret\n\nsecret")
    assert client.get(f"/mail/{name}/").status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_page_of_sent_emails_is_read_only(client: Client, db: None, method: str) -> None:
    assert getattr(client, method)("/mail/").status_code == 405
