"""Tests that pages, emails, cookies and response times do not reveal which addresses are known."""

import re
from dataclasses import dataclass
from typing import Any
from unittest import mock

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.test import Client

from duels.models import Wizard
from tests.cast import PASSWORD as CAST_PASSWORD
from tests.cast import make_user, make_wizard

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

KNOWN, UNKNOWN = "known@example.org", "never@example.org"  # addresses of equal length
TOKEN_PATTERN = r'name="(?:csrfmiddlewaretoken|form_key)" value="[^"]+"'
PASSWORD = "candle and raven and ink"


@dataclass(frozen=True)
class VisibleResult:
    """Everything that a requester can see, including the work that the request causes."""

    status: int
    location: str
    headers: dict[str, str]
    cookies: list[str]
    page: str
    mails: int
    hashes: int


def submit_and_observe(path: str, address: str, typed: dict[str, str]) -> VisibleResult:
    """Submit the form with this address, follow redirects, and return the result."""
    client = Client()
    mail.outbox.clear()
    encode = MD5PasswordHasher.encode
    with mock.patch.object(
        MD5PasswordHasher, "encode", autospec=True, side_effect=encode
    ) as hashed:
        answer: Any = client.post(path, {"email": address, "login": address, **typed})
    location = answer.headers.get("Location", "")
    after = client.get(location).content.decode() if location else ""
    page = answer.content.decode() + after
    for changing in (address, TOKEN_PATTERN, r"^.*\d+ms.*$"):
        page = re.sub(changing, "", page, flags=re.MULTILINE)
    return VisibleResult(
        status=answer.status_code,
        location=location,
        headers={
            name: value
            for name, value in answer.headers.items()
            if name not in ("Content-Length", "Expires")
        },
        cookies=sorted(client.cookies),
        page=page,
        mails=len(mail.outbox),
        hashes=hashed.call_count,
    )


@pytest.mark.parametrize("verified", [True, False])
@pytest.mark.parametrize(
    ("path", "typed", "mails"),
    [
        ("/accounts/signup/", {"password1": PASSWORD, "name": "Quill", "pronouns": "it"}, 1),
        ("/accounts/signup/", {"password1": "short", "name": "Quill", "pronouns": "it"}, 0),
        ("/accounts/signup/", {"password1": PASSWORD, "name": "Goblin", "pronouns": "it"}, 0),
        ("/accounts/login/", {"password": "a wrong guess"}, 0),
        ("/accounts/password/reset/", {}, 1),
        ("/accounts/login/code/", {}, 1),
    ],
)
def test_known_and_unknown_addresses_get_the_same_response(
    path: str, typed: dict[str, str], mails: int, verified: bool
):
    make_user(KNOWN, verified=verified)
    known, unknown = (
        submit_and_observe(path, KNOWN, typed),
        submit_and_observe(path, UNKNOWN, typed),
    )
    assert known == unknown
    assert known.mails == mails


def test_signing_up_does_not_create_a_public_wizard():
    make_user(KNOWN)
    form = {"password1": PASSWORD, "pronouns": "it"}
    for address, name in ((KNOWN, "Ink"), (UNKNOWN, "Pen")):
        submit_and_observe("/accounts/signup/", address, form | {"name": name})
        assert Client().get(f"/wizards/{name.lower()}/").status_code == 404
        again = submit_and_observe("/accounts/signup/", "other@example.org", form | {"name": name})
        assert again.status == 302, "the name is still free for others"
    assert not Wizard.objects.exists()


def test_signing_in_after_sign_up_does_not_reveal_a_known_address():
    """Signing in with the password chosen at sign-up looks the same for new and known addresses."""
    make_user(KNOWN)
    signed_up = {"password1": PASSWORD, "name": "Quill", "pronouns": "it"}
    for address in (KNOWN, UNKNOWN):
        submit_and_observe("/accounts/signup/", address, signed_up)
    typed = {"password": PASSWORD}
    for _ in range(6):  # up to the limit for guesses
        known, unknown = (
            submit_and_observe("/accounts/login/", each, typed) for each in (KNOWN, UNKNOWN)
        )
        assert known == unknown
    assert known.mails == 0
    assert "Too many failed" in known.page


def test_signing_in_with_an_added_address_does_not_reveal_its_owner():
    known_user = make_user(KNOWN)
    known_user.set_password(PASSWORD)
    known_user.save()
    user = make_wizard("Ada").user
    assert user
    client = Client()
    client.force_login(user)
    for address in (KNOWN, UNKNOWN):
        client.post("/accounts/email/", {"action_add": "", "email": address})
    typed = {"password": CAST_PASSWORD}
    known, unknown = (
        submit_and_observe("/accounts/login/", each, typed) for each in (KNOWN, UNKNOWN)
    )
    assert known.status == 200
    assert known == unknown


def test_password_guesses_are_also_counted_for_unknown_addresses():
    make_user(KNOWN)
    typed = {"password": "a wrong guess"}
    for _ in range(6):
        known, unknown = (
            submit_and_observe("/accounts/login/", each, typed) for each in (KNOWN, UNKNOWN)
        )
        assert known == unknown
    assert "Too many failed" in known.page


def test_adding_an_address_does_not_reveal_that_another_user_has_it():
    wizard = make_wizard("Ada")
    make_user(KNOWN)
    assert wizard.user
    pages = []
    for address in (KNOWN, UNKNOWN):
        client = Client()
        client.force_login(wizard.user)
        mail.outbox.clear()
        answer = client.post("/accounts/email/", {"action_add": "", "email": address}, follow=True)
        page = re.sub(TOKEN_PATTERN, "", answer.content.decode())
        pages.append(page.replace(address, ""))
        recipients = [letter.to for letter in mail.outbox]
        assert [address] in recipients
        assert ["ada@example.org"] in recipients, "the old address is notified"
        client.post("/accounts/email/", {"action_remove": "", "email": address})
    assert pages[0] == pages[1]
