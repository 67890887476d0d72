"""Rebuild the archive of finished public duels from their turns.

The site can keep running, because each duel has its own transaction.
"""

from typing import Any

from duels.archive.commands import rebuild_archive
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        number = rebuild_archive()
        if verbosity:
            self.stdout.write(f"{number} duels")
