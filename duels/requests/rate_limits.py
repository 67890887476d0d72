"""Rate limits on players' actions, which use django-allauth's limits for sign-ins.

These limits (`ACCOUNT_RATE_LIMITS`) count IPv6 addresses by /64 network, and use the database while
Redis is down. A second library would count separately and by different rules.
"""

from typing import Final

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest

from duels.errors import Refused
from duels.models import Wizard

TOO_MANY_GUESTS_IN_NETWORK_TEXT: Final = (
    "Too many guests have started from your network in the last hour, so one of them may be a "
    "program. Nothing has been changed. Try again later, or sign up: players with an account do "
    "not count."
)
TOO_MANY_GUESTS_IN_BROWSER_TEXT: Final = (
    "Too many guests have started from this browser in the last hour. Nothing has been changed. "
    "Try again later, or sign up: players with an account do not count."
)
TOO_MANY_ATTEMPTS_TEXT: Final = (
    "Too many attempts. Wait a minute, then try again. What you wrote is still here."
)


def check_rate(
    request: HttpRequest, action: str, wizard: Wizard | None = None, *, key: str | None = None
) -> None:
    """Count an action. Raise `Refused` if this wizard, key or network repeats it too often.

    Call this only in views that then show the form again with the user's input.
    """
    key = str(wizard.pk) if wizard is not None else key
    if not ratelimit.consume(request, action=action, key=key):
        raise Refused("too_often", TOO_MANY_ATTEMPTS_TEXT)


def check_guest_rate(request: HttpRequest) -> None:
    """Count a new guest. Raise `Refused` if there are too many from this browser or network.

    The limit for a network is large, because a school class or an office shares one address.
    Browsers are identified by Django's CSRF cookie, which every form needs.
    """
    browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    if browser and not ratelimit.consume(request, action="guest_browser", key=browser):
        raise Refused("too_often", TOO_MANY_GUESTS_IN_BROWSER_TEXT)
    if not ratelimit.consume(request, action="guest"):
        raise Refused("too_often", TOO_MANY_GUESTS_IN_NETWORK_TEXT)


def network_address(request: HttpRequest) -> str:
    """Return the reader's IP address, as reported by the trusted proxies."""
    address: str = get_adapter().get_client_ip(request)
    return address
