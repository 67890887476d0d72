"""Rate limits on players' actions, counted by django-allauth as for sign-ins.

Its limits (`ACCOUNT_RATE_LIMITS`) count IPv6 by /64 network, and use the database while Redis is
down. A second library would count separately, in the same cache, by different rules.
"""

from typing import Final

from allauth.core import ratelimit
from django.http import HttpRequest

from duels.errors import Refused
from duels.models import Wizard

TOO_OFTEN: Final = "Too many attempts. Wait a minute, then try again. What you wrote is still here."


def check_rate(request: HttpRequest, action: str, wizard: Wizard | None = None) -> None:
    """Count an action. Raise `Refused` if this wizard or network did it too often.

    Call it only in views that can return the form as it was typed.
    """
    _consume(request, action, str(wizard.pk) if wizard is not None else None)


def check_rate_of(request: HttpRequest, action: str, key: str) -> None:
    """Count an action per key, regardless of who makes the request. Raise like `check_rate`."""
    _consume(request, action, key)


def _consume(request: HttpRequest, action: str, key: str | None) -> None:
    if not ratelimit.consume(request, action=action, key=key):
        raise Refused("too_often", TOO_OFTEN)
