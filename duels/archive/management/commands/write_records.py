"""Write the records of all finished public duels into the file that the archive offers.

Celery beat does this every night. Use the command if the site runs without it.
"""

from typing import Any

from duels.archive.download import write_download
from spellcaster.starting import ActingCommand


class Command(ActingCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        number = write_download()
        if verbosity:
            self.stdout.write(f"{number} records")
