"""Texts of account pages, emails and messages, which must use the site's own wording."""

import re
from datetime import timedelta
from pathlib import Path

import allauth
import pytest
from allauth.account import app_settings
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import mail
from django.test import Client
from pytest_django import Settings

from duels.commands.alarms import email_alarms, raise_alarm
from duels.commands.guests import create_guest
from duels.models import AlarmKind
from duels.post import public as post
from duels.sign_in import guests
from tests.cast import NOW, PASSWORD, make_user, sign_in_with_second_factor

pytestmark = pytest.mark.django_db

EMAIL_PART = re.compile(r"(/email/\w+)\.txt$")
THREE_DAYS = timedelta(days=3)
ALLAUTH_TEMPLATES = Path(allauth.__file__).parent / "templates"
OWN_TEMPLATES = settings.BASE_DIR / "templates"
TEMPLATE_FOLDERS = ("account", "mfa", "usersessions")
# Templates that this site does not use, each with the setting that would enable it.
UNUSED_TEMPLATES = {
    "account/confirm_phone_verification_code.html": "SIGNUP_FIELDS with a phone",
    "account/phone_change.html": "SIGNUP_FIELDS with a phone",
    "account/messages/phone_verification_sent.txt": "SIGNUP_FIELDS with a phone",
    "account/messages/phone_verified.txt": "SIGNUP_FIELDS with a phone",
    "account/confirm_email_verification_code.html": "EMAIL_VERIFICATION_BY_CODE_ENABLED",
    "account/confirm_password_reset_code.html": "PASSWORD_RESET_BY_CODE_ENABLED",
    "account/email/password_reset_code_message.txt": "PASSWORD_RESET_BY_CODE_ENABLED",
    "account/email/password_reset_code_subject.txt": "PASSWORD_RESET_BY_CODE_ENABLED",
    "account/email_change.html": "CHANGE_EMAIL",
    "account/snippets/warn_no_email.html": "CHANGE_EMAIL",
    "account/snippets/already_logged_in.html": "AUTHENTICATED_LOGIN_REDIRECTS",
    "account/signup_closed.html": "an adapter that closes sign-up",
    "account/signup_by_passkey.html": "PASSKEY_SIGNUP_ENABLED",
    "mfa/webauthn/signup_form.html": "PASSKEY_SIGNUP_ENABLED",
    "account/verified_email_required.html": "a view that asks for it",
    "mfa/trust.html": "TRUST_ENABLED",
}


def templates_with_text() -> list[str]:
    """Return the templates of django-allauth that contain text."""
    return sorted(
        str(path.relative_to(ALLAUTH_TEMPLATES))
        for room in TEMPLATE_FOLDERS
        for path in (ALLAUTH_TEMPLATES / room).rglob("*.*")
        if re.search(r"{% *(blocktrans|trans)", path.read_text(encoding="utf-8"))
    )


@pytest.mark.parametrize("name", templates_with_text())
def test_every_allauth_template_with_text_is_overridden(name: str):
    if name in UNUSED_TEMPLATES:
        assert not (OWN_TEMPLATES / name).exists(), "a template listed as unreachable is overridden"
        return
    # A single template contains an email's subject and text.
    ours = OWN_TEMPLATES / EMAIL_PART.sub(r"\1.html", name.replace("_subject.txt", "_message.txt"))
    assert ours.is_file()
    assert "trans" not in ours.read_text(encoding="utf-8")


def heading(html: str) -> str:
    (found,) = re.findall(r"<h1>(.*?)</h1>", html)
    return str(found)


def test_login_code_pages_use_our_texts(client: Client):
    make_user("ada@example.org")
    asked = client.post("/accounts/login/code/", {"email": "ada@example.org"}, follow=True)
    assert heading(asked.content.decode()) == "Enter the code"
    assert "A code is on its way to ada@example.org." in asked.content.decode()
    (sent,) = mail.outbox
    assert sent.subject == "Your sign-in code"
    code = re.search(r"^\S{4,}$", str(sent.body), re.MULTILINE)
    assert code is not None
    answer = client.post("/accounts/login/code/confirm/", {"code": code[0]}, follow=True)
    assert "You are signed in as" in answer.content.decode()


def test_emails_that_are_not_about_a_duel_have_the_sites_headers(
    client: Client, settings: Settings
):
    """Emails about accounts, guests and alarms are sent."""
    settings.SITE_URL, settings.ADMINS = "https://duels.example", [("Op", "op@duels.example")]
    ada = make_user("ada@example.org")
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    client.post("/accounts/login/code/", {"email": "nobody@example.org"})
    sign_in_with_second_factor(client, ada)
    client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    guest = create_guest(key=guests.token_hash("token"), now=NOW)
    post.request_address_confirmation(wizard=guest, address="guest@example.org", now=NOW)
    raise_alarm(AlarmKind.TURN, "turn 1", "It failed.", NOW)
    email_alarms(now=NOW)
    readers = {message.to[0] for message in mail.outbox}
    assert {"ada@example.org", "guest@example.org", "op@duels.example"} <= readers
    ids = [message.extra_headers["Message-ID"] for message in mail.outbox]
    assert all(id.endswith("@duels.example>") for id in ids)
    assert len(set(ids)) == len(ids)
    for message in mail.outbox:
        assert "Nobody reads replies to" in str(message.body)
        assert message.extra_headers["Auto-Submitted"] == "auto-generated"


def test_password_reset_email_uses_our_text(client: Client):
    make_user("ada@example.org")
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    (sent,) = mail.outbox
    assert sent.subject == "Choose a new password"
    assert "Your old password still works" in sent.body


def test_emails_with_a_link_say_how_long_it_works(client: Client):
    assert timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS) == THREE_DAYS
    assert timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT) == THREE_DAYS
    make_user("ada@example.org")
    sign_up = {"email": "nia@example.org", "password1": PASSWORD, "name": "Nia", "pronouns": "she"}
    client.post("/accounts/signup/", sign_up)
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    confirmation, reset = mail.outbox
    assert "The link works for three days." in str(confirmation.body)
    assert "The link works once, within three days." in str(reset.body)


def test_recovery_code_pages_use_our_texts(client: Client):
    ada = make_user("ada@example.org")
    sign_in_with_second_factor(client, ada)
    page = client.get("/accounts/2fa/recovery-codes/generate/").content.decode()
    assert heading(page) == "Make recovery codes?"
    made = client.post("/accounts/2fa/recovery-codes/generate/", follow=True).content.decode()
    assert heading(made) == "Recovery codes"
    assert made.count('<code class="secret">') == 10


@pytest.mark.parametrize(
    ("path", "labels"),
    [
        ("/accounts/login/", ["Email address", "Password", "Stay signed in on this device"]),
        ("/accounts/signup/", ["Email address", "Password", "Wizard’s name", "Pronouns"]),
        ("/accounts/login/code/", ["Email address"]),
        ("/accounts/password/reset/", ["Email address"]),
        ("/accounts/email/", ["Email address"]),
        (
            "/accounts/password/change/",
            ["Current password", "New password", "New password again"],
        ),
    ],
)
def test_each_field_of_account_forms_has_one_label_in_our_wording(
    client: Client, path: str, labels: list[str]
):
    if path in ("/accounts/email/", "/accounts/password/change/"):
        client.force_login(make_user("ada@example.org"))
    page = client.get(path).content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    found = re.findall(r"<label[^>]*>(?:<input[^>]*>)?\s*([^<]+?)\s*<", main)
    assert [each for each in found if "@" not in each] == labels
    assert "placeholder" not in main


def test_invalid_confirmation_link_is_explained_in_the_heading(client: Client):
    page = client.get("/accounts/confirm-email/never-was/").content.decode()
    assert heading(page) == "This link no longer works"
    assert 'href="/accounts/login/code/"' in page


CODE_HELP = "Six digits from your authenticator app, or a recovery code"


def labels_in(page: str) -> list[str]:
    """Return the labels of the page's own forms, after checking that no field has a placeholder."""
    main = page[page.index("<main") : page.index("</main>")]
    assert "placeholder" not in main
    return re.findall(r'<label for="[^"]*">([^<]+)<', main)


def test_labels_of_fields_for_codes_say_which_code_to_enter(client: Client):
    ada = make_user("ada@example.org")
    asked = client.post("/accounts/login/code/", {"email": "ada@example.org"}, follow=True)
    assert labels_in(asked.content.decode()) == ["Code from our email"]

    sign_in_with_second_factor(client, ada)
    assert labels_in(client.get("/accounts/2fa/reauthenticate/").content.decode()) == [CODE_HELP]
    client.logout()
    typed = {"login": "ada@example.org", "password": PASSWORD}
    factor = client.post("/accounts/login/", typed, follow=True)
    assert heading(factor.content.decode()) == "Your second factor"
    assert labels_in(factor.content.decode()) == [CODE_HELP]


def test_label_of_the_activation_field_asks_for_the_code_in_the_app(client: Client):
    bram = make_user("bram@example.org")
    sign_in_with_second_factor(client, bram)
    Authenticator.objects.all().delete()
    page = client.get("/accounts/2fa/totp/activate/").content.decode()
    assert labels_in(page) == ["Six digits from your app"]
