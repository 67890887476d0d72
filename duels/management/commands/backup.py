"""Write a consistent backup of the database, with a manifest, into a new folder.

Write the keys into a file of its own (`--keys`), encrypted with a passphrase, which is read from
BACKUP_PASSPHRASE or from the terminal. Store that file somewhere else.
"""

import os
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from spellcaster import backups


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a new folder")
        keys = parser.add_mutually_exclusive_group(required=True)
        keys.add_argument("--keys", type=Path, metavar="FILE", help="a new file for the keys")
        keys.add_argument("--without-keys", action="store_true", help="you keep them elsewhere")

    def handle(self, *, folder: Path, keys: Path | None, **options: Any) -> None:
        try:
            manifest = backups.write_backup(folder)
            if keys is not None:
                backups.write_keys(keys, passphrase())
        except (backups.BackupError, FileExistsError) as error:
            raise CommandError(str(error)) from None
        rows = manifest["rows"]
        self.stdout.write(f"{sum(rows.values())} rows in {len(rows)} tables, in {folder}")


def passphrase() -> str:
    return os.environ.get("BACKUP_PASSPHRASE", "") or getpass("Passphrase of the keys: ")
