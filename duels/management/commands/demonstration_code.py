"""Print the current code of the demonstration referee's authenticator app.

This command is only for trying out the site: it replaces the second factor that the referees' desk
requires.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from duels.email_addresses import address_condition
from duels.management.commands.demonstration import REFEREE


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("DEBUG is off: this command is only for trying out the site.")
        kind = Authenticator.Type.TOTP
        app = Authenticator.objects.filter(
            address_condition("user__email", REFEREE), type=kind
        ).first()
        if app is None:
            raise CommandError(
                "There is no demonstration data. Run `manage.py demonstration` first."
            )
        counters = list(yield_hotp_counters_from_time())  # around now
        counter = counters[len(counters) // 2]
        self.stdout.write(format_hotp_value(hotp_value(decrypt(app.data["secret"]), counter)))
