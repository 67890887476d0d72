"""Write the archive's download, a file with the records of all finished public duels.

Celery beat does this every night. Use this command on a site without Celery.
"""

from typing import Any

from duels.archive.download import write_download
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        number = write_download()
        if verbosity:
            self.stdout.write(f"{number} records")
