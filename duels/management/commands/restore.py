"""Restore a backup into an empty database, or print its keys (`--keys`).

To restore a site: print the keys, put them into the new site's environment, restore the database,
and run `verify_all`.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from duels.management.commands.backup import passphrase
from spellcaster import backups


class Command(BaseCommand):
    help = __doc__
    requires_migrations_checks = False
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("folder", type=Path, nargs="?", help="folder of the backup")
        what.add_argument("--keys", type=Path, metavar="FILE", help="print the keys in this file")

    def handle(self, *, folder: Path | None, keys: Path | None, **options: Any) -> None:
        try:
            if keys is not None:
                for name, value in backups.read_keys(keys, passphrase()).items():
                    self.stdout.write(f"{name}='{value}'")
            if folder is not None:
                manifest = backups.restore_backup(folder)
                self.stdout.write(
                    f"Restored {sum(manifest['rows'].values())} rows of {manifest['created_at']}. "
                    "Now run `manage.py migrate` and `manage.py verify_all`."
                )
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
