"""What a guest's browser holds: a cookie with a token, whose hash is the wizard's `guest_key`.

The token is the key to their duels and to nothing else. The site keeps its hash only.
"""

import hashlib
import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from duels import commands, queries
from duels.commands.guests import KEPT_FOR
from duels.models import Wizard, WizardKind

COOKIE = "guest"


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def key_of(token: str) -> str:
    """What the site keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def guest_of(request: HttpRequest) -> Wizard | None:
    """The guest to whom this browser belongs. Looked for once, and only where there is a cookie."""
    if not hasattr(request, "_guest"):
        token = request.get_signed_cookie(COOKIE, default="", salt=COOKIE)
        found = queries.guest_with(key_of(token)) if token else None
        request._guest = found  # type: ignore[attr-defined]  # remembered for this request
    guest: Wizard | None = request._guest  # type: ignore[attr-defined]  # as above
    return guest


def set_guest_cookie(response: HttpResponseBase, token: str) -> None:
    """The browser that gets this response holds the token from now on."""
    response.set_signed_cookie(
        COOKIE,
        token,
        salt=COOKIE,
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def renew_guest_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """The browser holds its token for as long again."""
    token = request.get_signed_cookie(COOKIE, default="", salt=COOKIE)
    if token:
        set_guest_cookie(response, token)


def keep_longer(request: HttpRequest, response: HttpResponseBase, wizard: Wizard) -> None:
    """A guest who has just acted is kept for thirty days from now on, here and in their browser."""
    if wizard.kind == WizardKind.GUEST:
        commands.extend_guest(guest=wizard, now=timezone.now())
        renew_guest_cookie(request, response)


def move_guests_duels(
    request: HttpRequest, response: HttpResponseBase, wizard: Wizard | None
) -> int:
    """Whoever has signed in as this player has the duels of the guest whose browser it was.

    Answers how many. Without a wizard the guest stays until there is one.
    """
    guest = guest_of(request)
    if wizard is None or guest is None:
        return 0
    kept = commands.keep_guest(guest=guest, wizard=wizard)
    if queries.guest_with(guest.guest_key or "") is None:
        clear_guest_cookie(request, response)
    return kept


def guest_context(request: HttpRequest) -> dict[str, object]:
    """A context processor: the guest whose browser asks, looked for where a page speaks of them."""
    return {"guest": SimpleLazyObject(lambda: _visitor(request))}


def _visitor(request: HttpRequest) -> Wizard | None:
    """None, too, for a request that is refused before anybody has looked whose it is."""
    user = getattr(request, "user", None)
    return None if user is None or user.is_authenticated else guest_of(request)


def clear_guest_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """The browser is no guest's any more."""
    request._guest = None  # type: ignore[attr-defined]  # as above
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, samesite="Lax")
