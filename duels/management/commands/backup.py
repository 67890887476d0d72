"""Write a consistent backup of the database, with a manifest, into a new folder.

With `--keys`, also write the keys into a separate file, encrypted with a passphrase from
BACKUP_PASSPHRASE or the terminal. Store that file in a different place.
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
        parser.add_argument("folder", type=Path, help="folder to create")
        keys = parser.add_mutually_exclusive_group(required=True)
        keys.add_argument("--keys", type=Path, metavar="FILE", help="file to create for the keys")
        keys.add_argument("--without-keys", action="store_true", help="do not back up the keys")

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
    return os.environ.get("BACKUP_PASSPHRASE", "") or getpass("Passphrase for the keys: ")
