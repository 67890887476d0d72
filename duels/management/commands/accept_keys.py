"""Register SEAL_KEYS and SECRET_KEY of this environment as the site's keys.

Processes whose keys differ from the site's do not start. Run this command if one of the site's keys
is lost, or after replacing SECRET_KEY. Data that only a lost key can decrypt stays unreadable
(`seal_keys` lists it).
"""

from typing import Any

from django.core.management.base import BaseCommand

from duels.commands import process_check
from duels.loaded.database_clock import database_now


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        process_check.accept_keys(now=database_now())
        self.stdout.write("Now restart every process with these keys.")
