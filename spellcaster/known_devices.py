"""Browsers from which somebody has signed in: guesses made elsewhere do not lock them out.

The cookie names, for each address that was used here, an HMAC of it and a random number, signed.
It opens nothing: it only counts this browser's wrong passwords by themselves.
"""

import secrets
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

COOKIE: Final = "known_device"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # browsers keep none for longer
MOST_ADDRESSES: Final = 5  # a family's browser


def device_of(request: HttpRequest, address: str) -> str:
    """The number of this browser, if this address was signed in with here; else ""."""
    wanted = _mark(address)
    for mark, number in _entries(request):
        if constant_time_compare(mark, wanted):
            return number
    return ""


def remember(request: HttpRequest, response: HttpResponseBase, address: str) -> None:
    """This browser is known for this address from now on."""
    mark = _mark(address)
    others = [entry for entry in _entries(request) if entry[0] != mark]
    number = device_of(request, address) or secrets.token_hex(8)
    entries = [(mark, number), *others][:MOST_ADDRESSES]
    response.set_signed_cookie(
        COOKIE,
        "|".join(".".join(entry) for entry in entries),
        salt=COOKIE,
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _entries(request: HttpRequest) -> list[tuple[str, str]]:
    text = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=COOKIE_SECONDS)
    parts = [part.partition(".") for part in (text or "").split("|") if part]
    return [(mark, number) for mark, _, number in parts]


def _mark(address: str) -> str:
    return salted_hmac(COOKIE, address.strip().lower(), algorithm="sha256").hexdigest()[:32]
