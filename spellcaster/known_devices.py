"""Known browsers of an account, so that password guesses made elsewhere do not lock it out.

A signed cookie contains an HMAC of each address that was used to sign in with this browser, and a
random number. It does not sign anyone in. It only gives the browser its own count of wrong
passwords.
"""

import secrets
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address
from duels.sign_in.cookies import read_cookie, set_cookie

COOKIE_NAME: Final = "known_device"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # browsers do not keep cookies longer
MAX_ADDRESSES: Final = 5  # enough for a browser that a family shares


def device_number(request: HttpRequest, address: str) -> str:
    """Return this browser's number for an address, or "" if nobody has signed in with it here."""
    wanted = _address_digest(address)
    for mark, number in _cookie_entries(request):
        if constant_time_compare(mark, wanted):
            return number
    return ""


def remember_sign_in(request: HttpRequest, response: HttpResponseBase, address: str) -> None:
    """Record in the cookie that this address was used to sign in with this browser."""
    mark = _address_digest(address)
    others = [entry for entry in _cookie_entries(request) if entry[0] != mark]
    number = device_number(request, address) or secrets.token_hex(8)
    entries = [(mark, number), *others][:MAX_ADDRESSES]
    set_cookie(
        response, COOKIE_NAME, "|".join(".".join(entry) for entry in entries), COOKIE_SECONDS
    )


def _cookie_entries(request: HttpRequest) -> list[tuple[str, str]]:
    text = read_cookie(request, COOKIE_NAME, COOKIE_SECONDS)
    parts = [part.partition(".") for part in text.split("|") if part]
    return [(mark, number) for mark, _, number in parts]


def _address_digest(address: str) -> str:
    return salted_hmac(COOKIE_NAME, canonical_address(address), algorithm="sha256").hexdigest()[:32]
