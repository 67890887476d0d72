"""Make this environment's SEAL_KEYS and SECRET_KEY the site's keys.

Processes with other keys do not start. Use this if a key in use is lost, or after replacing
SECRET_KEY. Data that only a lost key decrypts stays unreadable (`seal_keys` lists it).
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
