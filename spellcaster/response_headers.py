"""What every answer says beside its content: who may keep it, and what a page may do in a browser.

The content security policy, HSTS, the referrer policy and the opener policy are set by Django and
django-csp, from the settings.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from duels import guests

# Kept nowhere: neither by a cache on the way nor by the browser, where whoever comes next could
# leaf back to it.
NOT_KEPT: Final = "private, no-store"

# What no page here asks of a browser, and so no script on one may.
DENIED: Final = (
    *("accelerometer", "camera", "display-capture", "encrypted-media", "geolocation", "gyroscope"),
    *("hid", "idle-detection", "magnetometer", "microphone", "midi", "payment", "serial", "usb"),
    "xr-spatial-tracking",
)
PERMISSIONS: Final = ", ".join(f"{feature}=()" for feature in DENIED)


class AddsHeaders:
    """A middleware. What a view says itself of being kept stands: pictures for everybody, polls."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if "Cache-Control" not in response.headers and _is_somebodys(request, response):
            response.headers["Cache-Control"] = NOT_KEPT
        return response


def _is_somebodys(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether the answer may hold something of whoever asks.

    Asked of cookies and the address alone: what is the same for everybody must not look for a
    session. A session of nobody holds the steps of signing in; a word in an address may be a key.
    """
    names = {settings.SESSION_COOKIE_NAME, guests.COOKIE}
    if names & {*request.COOKIES, *response.cookies}:
        return True
    match = request.resolver_match
    return match is not None and not KEYS.isdisjoint(match.kwargs)


# Of addresses: the words that open what they lead to.
KEYS: Final = frozenset({"token", "key", "uidb36"})
