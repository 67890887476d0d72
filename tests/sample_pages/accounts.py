"""Account pages that need an earlier step: a code, the key in an email or a second factor.

The forms before each page are sent, as a user would do, so that the session contains the necessary
data.
"""

from collections.abc import Iterator
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.test import Client
from django.urls import reverse

from duels.models import User, Wizard
from tests.cast import PASSWORD, make_user, sign_in_with_second_factor

Cookie = tuple[str, str]
TIME_KEYS = ("at", "initiated_at")  # session keys of times to which a lifetime is added
A_DAY = 86_400  # seconds
SIGN_IN_ATTEMPTS = 31  # more sign-ins than the site allows per network and minute


def pages(passkeys_of: Wizard) -> Iterator[tuple[str, str, Cookie | None]]:
    """Yield the name and address of each page, with its viewer's cookie."""
    yield from _second_factors()
    yield from _passkey_pages(passkeys_of)
    yield from _email_link_pages()


def rate_limited_form() -> str:
    """Return the HTML of the sign-in form that is shown after too many attempts."""
    client = Client(SERVER_NAME="127.0.0.1")
    typed = {"login": "hasty@example.org", "password": "open sesame"}
    for _ in range(SIGN_IN_ATTEMPTS):
        answer = client.post(reverse("account_login"), typed)
    assert answer.status_code == 429, answer.status_code
    return answer.content.decode()


def _second_factors() -> Iterator[tuple[str, str, Cookie | None]]:
    user = make_user("twofold@example.org")
    known = Client()
    sign_in_with_second_factor(known, user)
    RecoveryCodes.activate(user)
    for name, address in (
        ("two factors on", "mfa_index"),
        ("authenticator app off", "mfa_deactivate_totp"),
        ("recovery codes", "mfa_view_recovery_codes"),
        ("recovery codes anew", "mfa_generate_recovery_codes"),
        ("is it you by code", "mfa_reauthenticate"),
    ):
        yield name, reverse(address), _cookie(known)
    yield "second step", reverse("mfa_authenticate"), _cookie(_half_signed_in_client(user))


def _passkey_pages(wizard: Wizard) -> Iterator[tuple[str, str, Cookie | None]]:
    assert wizard.user is not None
    passkey = Authenticator.objects.get(user=wizard.user, type=Authenticator.Type.WEBAUTHN)
    by_password = Client()
    by_password.force_login(wizard.user)
    by_password.get(reverse("mfa_edit_webauthn", args=[passkey.pk]))
    by_password.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name, address in (
        ("passkey to rename", "mfa_edit_webauthn"),
        ("passkey to remove", "mfa_remove_webauthn"),
    ):
        yield name, reverse(address, args=[passkey.pk]), _cookie(by_password)


def _email_link_pages() -> Iterator[tuple[str, str, Cookie | None]]:
    fresh = make_user("unconfirmed@example.org", verified=False)
    address = EmailAddress.objects.get(user=fresh)
    key = EmailConfirmationHMAC(address).key
    yield "address to confirm", reverse("account_confirm_email", args=[key]), None
    yield "address confirmed too late", reverse("account_confirm_email", args=["no-key"]), None
    known = make_user("coded@example.org")
    waiting = Client()
    _post(waiting, "account_request_login_code", {"email": known.email})
    yield "code", reverse("account_confirm_login_code"), _cookie(waiting)
    resetting = Client()
    names = {"uidb36": user_pk_to_url_str(known), "key": default_token_generator.make_token(known)}
    answer = resetting.get(reverse("account_reset_password_from_key", kwargs=names))
    yield "new password", str(answer["Location"]), _cookie(resetting)
    yield "new password set", reverse("account_reset_password_from_key_done"), None
    old = {**names, "key": "too-old"}
    yield "new password too late", reverse("account_reset_password_from_key", kwargs=old), None


def _half_signed_in_client(user: User) -> Client:
    """Return the client of a user who has entered the password, but not the second factor."""
    client = Client()
    _post(client, "account_login", {"login": user.email, "password": PASSWORD})
    return client


def _post(client: Client, address: str, typed: dict[str, Any]) -> None:
    answer = client.post(reverse(address), typed)
    assert answer.status_code == 302, (address, answer.status_code)


def postpone_expiry(held: Any) -> None:
    """Postpone all expiry times in this session by a day, so that all pages can be viewed."""
    for key, value in held.items() if isinstance(held, dict) else enumerate(held):
        if key in TIME_KEYS:
            held[key] = value + A_DAY
        elif isinstance(value, dict | list):
            postpone_expiry(value)


def _cookie(client: Client) -> Cookie:
    session = client.session
    for key, held in list(session.items()):
        if isinstance(held, dict | list):
            postpone_expiry(held)
            session[key] = held
    session.save()
    name = settings.SESSION_COOKIE_NAME
    return name, client.cookies[name].value
