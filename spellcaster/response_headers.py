"""Headers of every response: who may cache it, and the browser features that it may use.

Django and django-csp set the content security policy, HSTS, the referrer policy and the opener
policy from the settings.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from duels.sign_in import guests
from spellcaster.error_reports import SECRET_PATH_PARAMETERS

# Neither proxies nor the browser may store the response. Otherwise the next user of the browser
# could go back to it.
NO_STORE: Final = "private, no-store"

# Browser features that no page uses. Scripts are not allowed to use them.
DENIED_FEATURES: Final = (
    "accelerometer",
    "camera",
    "display-capture",
    "encrypted-media",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
PERMISSIONS_POLICY: Final = ", ".join(f"{feature}=()" for feature in DENIED_FEATURES)


class ResponseHeadersMiddleware:
    """Middleware that adds headers, but keeps a view's own Cache-Control (pictures, polls)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        if "Cache-Control" not in response.headers and _may_be_private(request, response):
            response.headers["Cache-Control"] = NO_STORE
        return response


def _may_be_private(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether the response may contain private data of the visitor.

    Only cookies and the URL are checked, because a public page must not load a session. An
    anonymous session may contain an unfinished sign-in, and a part of the URL may be a secret key.
    """
    names = {settings.SESSION_COOKIE_NAME, guests.GUEST_COOKIE}
    if names & {*request.COOKIES, *response.cookies}:
        return True
    match = request.resolver_match
    return match is not None and not SECRET_PATH_PARAMETERS.isdisjoint(match.kwargs)
