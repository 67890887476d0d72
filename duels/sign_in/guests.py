"""The cookie that identifies a guest's browser. It contains a secret token.

The token gives access only to the guest's duels. The site stores only the token's hash, in the
column `guest_key` of the wizard.
"""

import base64
import hashlib
import secrets

from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac
from django.utils.functional import SimpleLazyObject

from duels.commands import guests
from duels.commands.guests import GUEST_LIFETIME
from duels.loaded.database_clock import site_now
from duels.models import User, Wizard, WizardKind
from duels.queries import lists
from duels.sign_in.cookies import read_cookie, set_cookie

GUEST_COOKIE = "guest"


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_for_form(form_key_hash: str) -> str:
    """Return a guest's token, derived from a form, so that a repeated form gives the same one."""
    mac = salted_hmac("duels.sign_in.guests.token", form_key_hash, algorithm="sha256").digest()
    return base64.urlsafe_b64encode(mac).decode().rstrip("=")


def token_hash(token: str) -> str:
    """Return the hash of a token, which the site stores in place of the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def guest_of(request: HttpRequest) -> Wizard | None:
    """Return this browser's guest, or None. Look it up once per request, if there is a cookie."""
    if not hasattr(request, "_guest"):
        token = read_cookie(request, GUEST_COOKIE)
        found = lists.guest_by_key(token_hash(token)) if token else None
        request._guest = found  # type: ignore[attr-defined]  # remembered for this request
    guest: Wizard | None = request._guest  # type: ignore[attr-defined]  # as above
    return guest


def wizard_of(request: HttpRequest) -> Wizard | None:
    """Return the wizard that can take part in duels: the user's own, or this browser's guest.

    Guests can play practice duels, and duels with people who invited or challenged them. Views that
    are only for players call `requests.access.player_of` instead.
    """
    if isinstance(request.user, User):
        return getattr(request.user, "wizard", None)
    return guest_of(request)


def set_guest_cookie(response: HttpResponseBase, token: str) -> None:
    """Store the token in the browser that gets this response."""
    set_cookie(response, GUEST_COOKIE, token, GUEST_LIFETIME)


def extend_guest_stay(request: HttpRequest, response: HttpResponseBase, wizard: Wizard) -> None:
    """Keep a guest who has just acted, and the guest's cookie, for another thirty days."""
    if wizard.kind == WizardKind.GUEST:
        guests.extend_guest(guest=wizard, now=site_now())
        token = read_cookie(request, GUEST_COOKIE)
        if token:
            set_guest_cookie(response, token)


def claim_guest_duels(
    request: HttpRequest, response: HttpResponseBase, wizard: Wizard | None
) -> int:
    """Move the duels of this browser's guest to the player who has just signed in.

    Return the number of moved duels. If the user does not have a wizard yet, keep the guest until
    they do.
    """
    guest = guest_of(request)
    if wizard is None or guest is None:
        return 0
    kept = guests.claim_guest(guest=guest, wizard=wizard)
    if lists.guest_by_key(guest.guest_key or "") is None:
        clear_guest_cookie(request, response)
    return kept


def guest_context(request: HttpRequest) -> dict[str, object]:
    """Add this browser's guest to the context of templates. Look it up only if it is used."""

    def guest_or_none() -> Wizard | None:
        user = getattr(request, "user", None)
        return None if user is None or user.is_authenticated else guest_of(request)

    return {"guest": SimpleLazyObject(guest_or_none)}


def clear_guest_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    request._guest = None  # type: ignore[attr-defined]  # as above
    if GUEST_COOKIE in request.COOKIES:
        response.delete_cookie(GUEST_COOKIE, samesite="Lax")
