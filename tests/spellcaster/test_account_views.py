"""Forms of the account pages that browsers send twice, at once or after a lost response."""

import re
from collections.abc import Callable
from functools import partial
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.test import Client

from duels.models import User, Wizard
from tests.cast import PASSWORD, make_wizard
from tests.duels.test_races import run_simultaneously
from tests.spellcaster.test_second_factor import SECRET, code_of
from tests.walks.forms import forms_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

EMAIL = "ada@example.org"
OTHER_EMAIL = "second@example.org"
NEW_PASSWORD = "nine-black-cats"


class AccountForm(NamedTuple):
    """A form on an account page: the page, the path to send it to, and the fields typed."""

    page: str
    action: str
    typed: dict[str, str]


class Browser:
    """A browser that sends the forms on pages, with their tokens and hidden fields."""

    def __init__(self) -> None:
        self.client: Any = Client(enforce_csrf_checks=True)

    def fill(self, form: AccountForm) -> AccountForm:
        """Return the form with the hidden fields of its page. Fill in the code of a new app."""
        page = self.client.get(form.page)
        found = next(
            each
            for each in forms_in(page.content.decode())
            if any(target.startswith(form.action) for target in each.targets)
        )
        actions = [target for target in found.targets if target.startswith(form.action)]
        names = ("csrfmiddlewaretoken", "form_key", "next", "from")
        typed = {name: values[0] for name, values in found.fields if name in names} | form.typed
        if form.typed.get("code") == "":
            typed["code"] = code_of(page.context["form"].secret)
        return AccountForm(form.page, min(actions, key=len), typed)

    def send(self, page: str, **typed: str) -> Any:
        form = self.fill(AccountForm(page, page, typed))
        return self.client.post(form.action, form.typed)

    def is_signed_in(self) -> bool:
        return "_auth_user_id" in self.client.session

    def copy(self, cookies: SimpleCookie) -> "Browser":
        made = Browser()
        made.client.cookies = SimpleCookie(cookies.output(header="", sep=";"))
        return made


def account_form(page: str, **typed: str) -> AccountForm:
    return AccountForm(f"/accounts/{page}", f"/accounts/{page}", typed)


def sign_in(browser: Browser) -> None:
    browser.send("/accounts/login/", login=EMAIL, password=PASSWORD)
    assert browser.is_signed_in()


def prove_identity(browser: Browser) -> None:
    sign_in(browser)
    browser.send("/accounts/reauthenticate/", password=PASSWORD)


def add_address(user: User, **kinds: bool) -> None:
    EmailAddress.objects.create(user=user, email=OTHER_EMAIL, **kinds)


def link_in_email() -> str:
    found = re.search(r"https?://[^/\s]+(/accounts/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def confirm_email_form(browser: Browser, user: User) -> AccountForm:
    typed = {"email": "nia@example.org", "password1": PASSWORD, "name": "Nia", "pronouns": "she"}
    browser.send("/accounts/signup/", **typed)
    return AccountForm(link_in_email(), "/accounts/confirm-email/", {})


def reset_password_form(browser: Browser, user: User) -> AccountForm:
    browser.send("/accounts/password/reset/", email=EMAIL)
    page = browser.client.get(link_in_email()).url
    return AccountForm(page, page, {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD})


def login_code_form(browser: Browser, user: User) -> AccountForm:
    browser.send("/accounts/login/code/", email=EMAIL)
    found = re.search(r"^\s*([A-Z0-9]{3,}-?[A-Z0-9]{3,})\s*$", str(mail.outbox[-1].body), re.M)
    assert found is not None, mail.outbox[-1].body
    return account_form("login/code/confirm/", code=found[1])


def second_factor_form(browser: Browser, user: User) -> AccountForm:
    TOTP.activate(user, SECRET)
    browser.send("/accounts/login/", login=EMAIL, password=PASSWORD)
    return account_form("2fa/authenticate/", code=code_of(SECRET))


def activate_app_form(browser: Browser, user: User) -> AccountForm:
    prove_identity(browser)
    return account_form("2fa/totp/activate/", code="")


def active_app_form(browser: Browser, user: User, form: AccountForm) -> AccountForm:
    prove_identity(browser)
    TOTP.activate(user, SECRET)
    return form


def passkey_form(browser: Browser, user: User, page: str, **typed: str) -> AccountForm:
    prove_identity(browser)
    data = {"name": "Phone", "credential": {}}
    kind = Authenticator.Type.WEBAUTHN
    made = Authenticator.objects.create(user=user, type=kind, data=data)
    return account_form(f"2fa/webauthn/keys/{made.pk}/{page}/", **typed)


def addresses_form(browser: Browser, user: User, **typed: str) -> AccountForm:
    sign_in(browser)
    add_address(user, verified="action_primary" in typed)
    return account_form("email/", **typed)


def sessions_form(browser: Browser, user: User) -> AccountForm:
    sign_in(Browser())
    sign_in(browser)
    return account_form("sessions/")


def form_when_signed_in(browser: Browser, user: User, page: str, **typed: str) -> AccountForm:
    sign_in(browser)
    return account_form(page, **typed)


def form_of_visitor(browser: Browser, user: User, page: str, **typed: str) -> AccountForm:
    return account_form(page, **typed)


def change_password_form(browser: Browser, user: User) -> AccountForm:
    sign_in(browser)
    new = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return account_form("password/change/", oldpassword=PASSWORD, **new)


ACCOUNT_FORMS: dict[str, Callable[[Browser, User], AccountForm]] = {
    "sign-up": partial(
        form_of_visitor,
        page="signup/",
        email="nia@example.org",
        password1=PASSWORD,
        name="Nia",
        pronouns="she",
    ),
    "sign-in": partial(form_of_visitor, page="login/", login=EMAIL, password=PASSWORD),
    "password reset": partial(form_of_visitor, page="password/reset/", email=EMAIL),
    "new password": reset_password_form,
    "code by email": partial(form_of_visitor, page="login/code/", email=EMAIL),
    "emailed code": login_code_form,
    "second factor": second_factor_form,
    "confirmed address": confirm_email_form,
    "new address": partial(form_when_signed_in, page="email/", email=OTHER_EMAIL, action_add=""),
    "link again": partial(addresses_form, email=OTHER_EMAIL, action_send=""),
    "main address": partial(addresses_form, email=OTHER_EMAIL, action_primary=""),
    "removed address": partial(addresses_form, email=OTHER_EMAIL, action_remove=""),
    "changed password": change_password_form,
    "identity": partial(form_when_signed_in, page="reauthenticate/", password=PASSWORD),
    "app": activate_app_form,
    "no app": partial(active_app_form, form=account_form("2fa/totp/deactivate/")),
    "recovery codes": partial(active_app_form, form=account_form("2fa/recovery-codes/generate/")),
    "renamed passkey": partial(passkey_form, page="edit", name="Key"),
    "removed passkey": partial(passkey_form, page="remove"),
    "signed out elsewhere": sessions_form,
    "sign-out": partial(form_when_signed_in, page="logout/"),
}


def visible_state(browser: Browser) -> tuple[object, ...]:
    """Return what the form may have changed, and whether the browser is signed in."""
    authenticators = [
        [each.type, each.data | {"viewed_at": None}]
        for each in Authenticator.objects.order_by("pk")
    ]
    counted = (User.objects.count(), Wizard.objects.count(), list(EmailAddress.objects.values()))
    return (*counted, authenticators, sent_emails(), browser.is_signed_in())


def sent_emails() -> list[tuple[str, str]]:
    return [(str(message.subject), message.to[0]) for message in mail.outbox]


@pytest.fixture
def user() -> User:
    ada = make_wizard("Ada")
    assert ada.user is not None
    assert ada.user.email == EMAIL
    return ada.user


@pytest.mark.parametrize("name", ACCOUNT_FORMS)
def test_account_form_sent_again_has_no_second_effect(user: User, name: str) -> None:
    browser = Browser()
    form = browser.fill(ACCOUNT_FORMS[name](browser, user))
    before = browser.copy(browser.client.cookies)
    first = browser.client.post(form.action, form.typed)
    assert first.status_code == 302, first.content.decode()
    made = visible_state(browser)
    again = before.client.post(form.action, form.typed)
    assert (again.status_code, again.url) == (302, first.url), "the first response was lost"
    assert visible_state(before) == made
    assert before.client.get(again.url).status_code == browser.client.get(first.url).status_code
    late = browser.client.post(form.action, form.typed)
    assert (late.status_code, late.url) == (302, first.url), "the first response has arrived"
    assert visible_state(browser) == made


@pytest.mark.parametrize("name", ACCOUNT_FORMS)
def test_copies_of_an_account_form_sent_at_once_have_one_effect(user: User, name: str) -> None:
    browser = Browser()
    form = browser.fill(ACCOUNT_FORMS[name](browser, user))
    number = len(mail.outbox)
    one, other = (browser.copy(browser.client.cookies) for _ in range(2))
    posts = (partial(each.client.post, form.action, form.typed) for each in (one, other))
    answers = run_simultaneously(*posts)
    assert {each.status_code for each in answers} == {302}
    assert len({each.url for each in answers}) == 1
    assert visible_state(one) == visible_state(other)
    sent = sent_emails()[number:]
    assert len(sent) == len(set(sent))
