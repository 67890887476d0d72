"""Signing up with a verified address, and signing in by password or emailed code."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.account.utils import user_display
from django.contrib.auth import get_user, get_user_model
from django.contrib.auth.password_validation import (
    MinimumLengthValidator,
    get_default_password_validators,
)
from django.core import mail
from django.core.cache import cache
from django.test import Client

from duels.commands import sign_ups, sweeping
from duels.models import Wizard, WizardWish
from tests.cast import make_user

pytestmark = pytest.mark.django_db

ADA_ADDRESS = "ada@duels.example"
PASSWORD = "seven-white-owls"

Answer = Any  # the test client's responses, which have more attributes than an HttpResponse


def sign_up(client: Client, **changed: str) -> Answer:
    form = {"email": ADA_ADDRESS, "password1": PASSWORD, "name": "Ada", "pronouns": "she"}
    return client.post("/accounts/signup/", form | changed)


def sign_in(
    client: Client, email: str = ADA_ADDRESS, password: str = PASSWORD, **extra: Any
) -> Answer:
    return client.post("/accounts/login/", {"login": email, "password": password}, **extra)


def link_in(text: str) -> str:
    found = re.search(r"https?://[^/\s]+(/\S*)", text)
    assert found, text
    return found[1]


@pytest.fixture
def ada() -> Any:
    user = get_user_model().objects.create_user(ADA_ADDRESS, PASSWORD)
    EmailAddress.objects.create(user=user, email=ADA_ADDRESS, verified=True, primary=True)
    return user


def is_signed_in(client: Client) -> bool:
    return get_user(client).is_authenticated


# Signing up


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("signup/", {"email": "bram@duels.example", "password1": PASSWORD, "name": "Bram"}),
        ("signup/", {"email": ADA_ADDRESS, "password1": PASSWORD, "name": "Ada"}),
        ("password/reset/", {"email": ADA_ADDRESS}),
        ("password/reset/", {"email": "nobody@duels.example"}),
        ("login/code/", {"email": ADA_ADDRESS}),
        ("email/", {"email": "new@duels.example", "action_add": ""}),
        ("email/", {"email": "second@duels.example", "action_send": ""}),
    ],
)
def test_email_that_cannot_be_sent_is_reported(
    client: Client,
    ada: Any,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    fields: dict[str, str],
) -> None:
    EmailAddress.objects.create(user=ada, email="second@duels.example")
    if path == "email/":
        sign_in(client)

    def fail(*_: object) -> int:
        raise ConnectionRefusedError

    with monkeypatch.context() as patch:
        patch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
        answer = client.post(f"/accounts/{path}", fields | {"pronouns": "she"})
    assert answer.status_code == 503
    assert "The email could not be sent just now." in answer.content.decode()
    cache.clear()
    assert client.post(f"/accounts/{path}", fields | {"pronouns": "she"}).status_code in (200, 302)


def test_new_user_must_verify_the_address_before_signing_in(client: Client) -> None:
    sign_up(client)
    assert not is_signed_in(client)
    sign_in(client)
    assert not is_signed_in(client)

    (letter,) = mail.outbox
    assert letter.to == [ADA_ADDRESS]
    assert "Spellcaster" in letter.body
    address = link_in(str(letter.body))
    page = client.get(address)
    assert page.status_code == 200
    assert not EmailAddress.objects.get(email=ADA_ADDRESS).verified, "a link only opens a page"

    client.post(address)
    assert EmailAddress.objects.get(email=ADA_ADDRESS).verified
    client.logout()
    sign_in(client)
    assert is_signed_in(client)


def confirm_address(client: Client) -> None:
    """Open the link in the last email and press its button."""
    client.post(link_in(str(mail.outbox[-1].body)))


def test_wizard_is_created_when_the_address_is_verified(client: Client) -> None:
    sign_up(client, name="Ada the Grey", pronouns="they")
    assert not Wizard.objects.exists()
    assert client.get("/wizards/ada-the-grey/").status_code == 404
    confirm_address(client)
    wizard = get_user_model().objects.get(email=ADA_ADDRESS).wizard
    assert (wizard.name, wizard.pronouns) == ("Ada the Grey", "they")
    assert not WizardWish.objects.exists()


def test_name_requested_at_sign_up_is_not_reserved_until_the_address_is_verified(
    client: Client,
) -> None:
    """Reserving names only for new addresses would reveal which addresses are known."""
    sign_up(client)
    sign_up(Client(), email="bram@duels.example")
    assert WizardWish.objects.filter(name="Ada").count() == 2
    confirm_address(client)
    client.post(link_in(str(mail.outbox[0].body)))
    assert Wizard.objects.get(name="Ada", user__email="bram@duels.example")
    sign_in(client)
    assert client.get("/")["Location"] == "/settings/"


def test_unverified_sign_ups_are_deleted_after_three_days(client: Client, ada: Any) -> None:
    sign_up(client, email="bram@duels.example", name="Bram")
    users = get_user_model().objects
    bram = users.get(email="bram@duels.example")
    users.create_user("shell@duels.example", PASSWORD)
    assert sign_ups.delete_expired_sign_ups(now=bram.date_joined + timedelta(days=2, hours=23)) == 0
    sweeping.sweep(now=bram.date_joined + timedelta(days=3))
    assert sorted(user.email for user in users.all()) == [ADA_ADDRESS, "shell@duels.example"]
    assert not WizardWish.objects.exists()
    cache.clear()  # at most one email is sent every three minutes
    assert sign_up(client, email="bram@duels.example", name="Bram").status_code == 302
    confirm_address(client)
    assert Wizard.objects.get(name="Bram", user__email="bram@duels.example")


def test_account_pages_use_the_name_of_the_wizard(client: Client) -> None:
    sign_up(client)
    user = get_user_model().objects.get(email=ADA_ADDRESS)
    assert user_display(user) == "a wizard without a name"
    confirm_address(client)
    assert user_display(get_user_model().objects.get(email=ADA_ADDRESS)) == "Ada"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("email", "ada"),
        ("email", ""),
        ("password1", "short"),
        ("password1", "password123"),
        ("name", ""),
        ("name", "A"),
        ("name", "no_one"),
        ("name", "x" * 1000),
        ("pronouns", "we"),
    ],
)
def test_invalid_sign_up_form_is_shown_again(client: Client, field: str, value: str) -> None:
    response = sign_up(client, **{field: value})
    assert response.status_code == 200
    assert field in response.context["form"].errors
    assert not get_user_model().objects.exists()
    assert not mail.outbox


def test_sign_up_form_with_a_rejected_name_asks_for_the_password_again(client: Client) -> None:
    """The browser never gets the password back."""
    told = "Enter the password again: the site never sends it back."
    page = sign_up(client, name="Rolf_51").content.decode()
    assert told in page
    assert PASSWORD not in page
    page = sign_up(client, name="Rolf_51", password1="short").content.decode()
    assert told not in page
    assert "At least 10 characters." in page
    assert told not in client.get("/accounts/signup/").content.decode()


def test_sign_up_form_states_the_limits_of_passwords_and_names(client: Client) -> None:
    page = client.get("/accounts/signup/").content.decode()
    (shortest,) = (
        each.min_length
        for each in get_default_password_validators()
        if isinstance(each, MinimumLengthValidator)
    )
    assert f"At least {shortest} characters." in page
    assert "You cannot change it later." in page


def test_signing_up_does_not_reveal_a_known_address(client: Client, ada: Any) -> None:
    known = sign_up(client, email="Ada@Duels.Example", name="Another Ada")
    unknown = sign_up(Client(), email="bram@duels.example", name="Bram")
    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )
    assert [letter.to for letter in mail.outbox] == [[ADA_ADDRESS], ["bram@duels.example"]]
    assert get_user_model().objects.filter(email__iexact=ADA_ADDRESS).count() == 1


# Signing in


@pytest.mark.sqlite
@pytest.mark.parametrize("typed", [ADA_ADDRESS, "ADA@Duels.Example"])
def test_user_can_sign_in_with_a_password(client: Client, ada: Any, typed: str) -> None:
    response = sign_in(client, typed)
    assert response.status_code == 302
    assert response.headers["Location"] == "/"
    assert is_signed_in(client)


@pytest.mark.parametrize(
    ("email", "password"),
    [(ADA_ADDRESS, "wrong"), ("nobody@duels.example", PASSWORD), ("", ""), (ADA_ADDRESS, "")],
)
def test_sign_in_fails_with_a_wrong_address_or_password(
    client: Client, ada: Any, email: str, password: str
) -> None:
    assert sign_in(client, email, password).status_code == 200
    assert not is_signed_in(client)


def request_code(client: Client, email: str) -> Answer:
    return client.post("/accounts/login/code/", {"email": email})


@pytest.mark.parametrize("typed", ["ada@xn--bcher-kva.example", "Ada@\uff42Ücher.example"])
@pytest.mark.parametrize("stored", ["ada@bücher.example", "ada@xn--bcher-kva.example"])
def test_every_spelling_of_an_address_is_the_same_account(
    client: Client, ada: Any, stored: str, typed: str
) -> None:
    """Emails are sent to the spelling that the owner has confirmed."""
    EmailAddress.objects.filter(user=ada).update(email=stored)
    get_user_model().objects.filter(pk=ada.pk).update(email=stored)
    sign_in(client, typed)
    assert is_signed_in(client)
    for number, path in enumerate(("password/reset/", "login/code/", "signup/"), 1):
        sent = {"email": typed, "password1": PASSWORD, "name": "Ada", "pronouns": "she"}
        Client().post(f"/accounts/{path}", sent)
        assert [message.to for message in mail.outbox] == [[stored]] * number
    assert get_user_model().objects.count() == 1
    assert get_user_model().objects.get_by_natural_key(typed) == ada


def test_user_can_sign_in_with_an_emailed_code(client: Client, ada: Any) -> None:
    request_code(client, ADA_ADDRESS)
    (letter,) = mail.outbox
    assert letter.to == [ADA_ADDRESS]
    assert not is_signed_in(client)
    code = re.search(r"^\s*([A-Z0-9-]{6,})\s*$", str(letter.body), re.MULTILINE)
    assert code, letter.body
    client.post("/accounts/login/code/confirm/", {"code": "WRONG1"})
    assert not is_signed_in(client)
    client.post("/accounts/login/code/confirm/", {"code": code[1]})
    assert is_signed_in(client)


def test_emailed_code_does_not_open_an_account_with_an_unverified_address(client: Client) -> None:
    """The account may belong to a stranger who signed up with this address."""
    sign_up(Client(), name="Mallory")
    cache.clear()  # at most one email is sent every three minutes
    mail.outbox.clear()
    request_code(client, ADA_ADDRESS)
    (letter,) = mail.outbox
    assert "If it was you" in str(letter.body)
    assert not re.search(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", str(letter.body), re.MULTILINE)
    page = client.get(link_in(str(letter.body))).content.decode()
    assert "the wizard <strong>Mallory</strong>" in page
    assert not EmailAddress.objects.get(email=ADA_ADDRESS).verified
    # the mailbox's owner takes over the account, and the stranger is locked out
    client.post("/accounts/password/reset/", {"email": ADA_ADDRESS})
    location = client.get(link_in(str(mail.outbox[-1].body)))["Location"]
    anew = "eight-black-cats"
    client.post(location, {"password1": anew, "password2": anew})
    request_code(Client(), ADA_ADDRESS)
    confirm_address(client)
    stranger = Client()
    sign_in(stranger)
    assert not is_signed_in(stranger)
    owner = Client()
    sign_in(owner, password=anew)
    assert is_signed_in(owner)
    assert not Wizard.objects.exists(), "they are asked for a name of their own"


def test_emailed_code_does_not_open_an_account_with_an_added_unverified_address(
    client: Client,
) -> None:
    mallory = Client()
    mallory.force_login(make_user("mallory@duels.example"))
    mallory.post("/accounts/email/", {"action_add": "", "email": ADA_ADDRESS})
    cache.clear()  # at most one email is sent every three minutes
    mail.outbox.clear()
    request_code(client, ADA_ADDRESS)
    (letter,) = mail.outbox
    assert "/accounts/confirm-email/" in str(letter.body)


def test_request_for_a_code_resends_the_link_if_the_address_is_unconfirmed(
    client: Client,
) -> None:
    sign_up(client)
    answer = sign_in(client)
    assert "not confirmed yet" in answer.content.decode()
    request_code(Client(), ADA_ADDRESS)
    assert len(mail.outbox) == 2
    confirm_address(client)
    sign_in(client)
    assert is_signed_in(client)


def test_requesting_a_code_does_not_reveal_an_unknown_address(client: Client, ada: Any) -> None:
    known, unknown = request_code(client, ADA_ADDRESS), request_code(Client(), "no@duels.example")
    assert known.status_code == unknown.status_code == 302
    assert known.headers["Location"] == unknown.headers["Location"]


# Rate limits


def test_number_of_guesses_of_a_password_is_limited(client: Client, ada: Any) -> None:
    for _ in range(10):
        sign_in(client, password="a wrong guess")
    sign_in(client)
    assert not is_signed_in(client), "even the right password is rejected now"


def test_guesses_from_other_networks_do_not_lock_out_the_owner(
    client: Client, ada: Any, settings: Any
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(20):
        sign_in(Client(), password="a wrong guess", **ip_headers(f"203.0.113.{number // 6}"))
    elsewhere = Client()
    sign_in(elsewhere, **ip_headers("203.0.113.0"))
    assert not is_signed_in(elsewhere), "even the right password is rejected from there"
    sign_in(client, **ip_headers("198.51.100.7"))
    assert is_signed_in(client)


def test_known_browser_is_not_locked_out_by_guesses_from_its_network(client: Client, ada: Any):
    """The pupils of a school, for example, share one network address."""
    sign_in(client)
    client.post("/accounts/logout/")
    for _ in range(10):
        sign_in(Client(), password="a wrong guess")
    sign_in(client)
    assert is_signed_in(client)


def test_number_of_guesses_from_a_known_browser_is_limited_for_every_address(
    client: Client, ada: Any
):
    sign_in(client)
    cookie = client.cookies["known_device"]
    assert cookie["httponly"]
    assert ADA_ADDRESS not in cookie.value
    client.post("/accounts/logout/")
    for _ in range(11):
        assert not is_signed_in(client)
        sign_in(client, password="a wrong guess")
    sign_in(client)
    assert not is_signed_in(client)
    make_user("bram@duels.example")
    for _ in range(6):
        sign_in(client, "bram@duels.example", "a wrong guess")
    answer = sign_in(client, "bram@duels.example", "a wrong guess")
    assert "Too many failed login attempts" in answer.content.decode()


def test_emailed_code_still_works_after_guesses_from_many_networks(
    client: Client, ada: Any, settings: Any
):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "login_failed_anywhere": "3/d/key"
    }
    for number in range(3):
        sign_in(Client(), password="a wrong guess", **ip_headers(f"203.0.113.{number}"))
    answer = sign_in(client, **ip_headers("198.51.100.7"))
    assert "Sign in with a code" in answer.content.decode()
    client.post("/accounts/login/code/", {"email": ADA_ADDRESS}, **ip_headers("198.51.100.7"))
    code = re.search(r"^\s*([A-Z0-9-]{6,})\s*$", str(mail.outbox[-1].body), re.MULTILINE)
    assert code
    confirm = "/accounts/login/code/confirm/"
    client.post(confirm, {"code": code[1]}, **ip_headers("198.51.100.7"))
    assert is_signed_in(client)


@pytest.mark.parametrize("path", ["/accounts/login/code/", "/accounts/password/reset/"])
def test_requested_emails_are_limited_per_network_and_in_total(
    client: Client, ada: Any, settings: Any, path: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "mail": "3/d/key",
        "mail_anywhere": "6/d/key",
    }
    sign_in(client)
    client.post("/accounts/logout/")

    def request_email(by: Client, address: str, network: str) -> str:
        answer = by.post(path, {"email": address}, **ip_headers(network))
        return str(answer.content.decode())

    for address in (ADA_ADDRESS.upper(), "nobody@duels.example"):
        mail.outbox.clear()
        for _ in range(4):
            one = request_email(Client(), address, "203.0.113.1")
        assert "Too many emails" in one
        assert len(mail.outbox) == 3
        for number in range(2, 9):
            many = request_email(Client(), address, f"203.0.113.{number}")
        assert "Too many emails" in many
        assert len(mail.outbox) == 6, "the limit applies to any number of networks"
    assert request_email(client, ADA_ADDRESS, "203.0.113.1") == "", (
        "a browser that is known is counted by itself"
    )
    assert len(mail.outbox) == 7


def ip_headers(address: str) -> dict[str, Any]:
    return {"headers": {"X-Forwarded-For": address}}


@pytest.fixture
def sign_up_from_ip(client: Client, settings: Any) -> Callable[[str], int]:
    """Return a function that signs up from an IP address behind a proxy and returns the status."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def sign_up_and_get_status(address: str) -> int:
        response = client.post("/accounts/signup/", {"email": "?"}, **ip_headers(address))
        return response.status_code

    return sign_up_and_get_status


def test_rate_limits_count_each_visitor_behind_a_proxy(
    sign_up_from_ip: Callable[[str], int],
) -> None:
    statuses = [sign_up_from_ip("198.51.100.1") for _ in range(25)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert sign_up_from_ip("198.51.100.2") == 200


def test_forged_forwarded_address_does_not_evade_rate_limits(
    sign_up_from_ip: Callable[[str], int],
) -> None:
    statuses = [sign_up_from_ip(f"203.0.113.{n}, 198.51.100.1") for n in range(25)]
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/accounts/email/", "Email addresses"),
        ("/accounts/password/change/", "Change your password"),
        ("/accounts/logout/", "Sign out?"),
    ],
)
def test_account_pages_use_our_own_texts(client: Client, path: str, heading: str):
    client.force_login(make_user("quill@example.org"))
    html = client.get(path).content.decode()
    assert f"<h1>{heading}</h1>" in html
    assert "Email Address" not in html


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/accounts/login/code/", "Sign in with a code"),
        ("/accounts/password/reset/", "Forgotten password"),
        ("/accounts/password/reset/done/", "An email is on its way"),
        ("/accounts/password/reset/key/done/", "Your password has been changed"),
        ("/accounts/password/reset/key/1-set-password/", "This link no longer works"),
        ("/accounts/confirm-email/", "An email is on its way"),
        ("/accounts/confirm-email/nonsense/", "This link no longer works"),
        ("/accounts/inactive/", "This account is disabled"),
    ],
)
def test_sign_in_and_sign_up_pages_use_our_own_texts(client: Client, path: str, heading: str):
    html = client.get(path, follow=True).content.decode()
    assert f"<h1>{heading}</h1>" in html
    assert "Email Address" not in html


def test_second_address_can_be_added_and_removed(client: Client):
    client.force_login(make_user("quill@example.org"))
    client.post("/accounts/email/", {"action_add": "", "email": "ink@example.org"})
    html = client.get("/accounts/email/").content.decode()
    assert 'value="ink@example.org"' in html
    assert "not confirmed" in html
    client.post("/accounts/email/", {"action_remove": "", "email": "ink@example.org"})
    html = client.get("/accounts/email/").content.decode()
    assert 'value="ink@example.org"' not in html
