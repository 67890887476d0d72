"""Rate limits on players' actions, which django-allauth counts as it does sign-ins.

Its limits (`ACCOUNT_RATE_LIMITS`) count IPv6 addresses by /64 network, and use the database while
Redis is down. A second library would count separately, and by different rules.
"""

from typing import Final

from allauth.core import ratelimit
from django.http import HttpRequest

from duels.errors import Refused
from duels.models import Wizard

TOO_OFTEN: Final = "Too many attempts. Wait a minute, then try again. What you wrote is still here."


def check_rate(
    request: HttpRequest, action: str, wizard: Wizard | None = None, *, key: str | None = None
) -> None:
    """Count an action. Raise `Refused` if this wizard, key or network has done it too often.

    Call this only in views that show the form again as it was typed.
    """
    key = str(wizard.pk) if wizard is not None else key
    if not ratelimit.consume(request, action=action, key=key):
        raise Refused("too_often", TOO_OFTEN)
