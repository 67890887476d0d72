"""How often one wizard may do something: django-allauth counts, as it does for signing in.

Its limits (`ACCOUNT_RATE_LIMITS`) take IPv6 by networks of /64, and live on in the database while
Redis is away; another library would count beside it, in the same cache, by other rules.
"""

from typing import Final

from allauth.core import ratelimit
from django.http import HttpRequest

from duels.errors import Refused
from duels.models import Wizard

TOO_OFTEN: Final = "Too many attempts. Wait a minute, then try again. What you wrote is still here."


def check_rate(request: HttpRequest, action: str, wizard: Wizard | None = None) -> None:
    """Counts this. Raises `Refused` where it was too often: of this wizard, or of this network.

    To be asked where what was typed can be given back.
    """
    _consume(request, action, str(wizard.pk) if wizard is not None else None)


def check_rate_of(request: HttpRequest, action: str, key: str) -> None:
    """The same of whatever this key names, whoever asks."""
    _consume(request, action, key)


def _consume(request: HttpRequest, action: str, key: str | None) -> None:
    if not ratelimit.consume(request, action=action, key=key):
        raise Refused("too_often", TOO_OFTEN)
