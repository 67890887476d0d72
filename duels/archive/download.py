"""The file with the records of all archived duels, which is replaced every day."""

import json
import logging
import shutil
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings

from duels.errors import MissingKey, error_summary
from duels.models import Duel
from duels.proof.records import duel_record
from spellcaster.outages import is_outage

logger = logging.getLogger(__name__)

FOLDER_PREFIX: Final = "writing-records-"
MAX_WRITING_SECONDS: Final = 24 * 3600  # writing a download takes far less time
DAILY_WRITING_HOUR: Final = 3  # UTC

README_TEXT: Final = """\
The records of all finished public duels. To check a record:

    python -m engine verify spellcaster-NUMBER.json

docs/RECORDS.md in the source code of Spellcaster describes the format.
"""


def download_path() -> Path:
    """Return the path of the download. The file may not exist yet."""
    return Path(settings.VAR_DIR) / "records.zip"


def is_download_due(now: datetime) -> bool:
    """Return whether the download does not exist or has not been written since last night."""
    night = now.astimezone(UTC).replace(hour=DAILY_WRITING_HOUR, minute=0, second=0, microsecond=0)
    if night > now:
        night -= timedelta(days=1)
    path = download_path()
    return not path.exists() or path.stat().st_mtime < night.timestamp()


def write_download() -> int:
    """Write the download, one record at a time. Return the number of records."""
    path, number = download_path(), 0
    _delete_interrupted_downloads(path.parent)
    with TemporaryDirectory(dir=path.parent, prefix=FOLDER_PREFIX) as folder:
        new = Path(folder) / path.name
        with ZipFile(new, "w", ZIP_DEFLATED) as packed:
            packed.writestr("README.txt", README_TEXT)
            for duel in Duel.objects.filter(archived__isnull=False).order_by("pk").iterator():
                number += _add_record(packed, duel)
        new.replace(path)
    return number


def _delete_interrupted_downloads(parent: Path) -> None:
    """Delete the files of processes that were killed while they wrote a download."""
    oldest = time.time() - MAX_WRITING_SECONDS
    for folder in parent.glob(f"{FOLDER_PREFIX}*"):
        with suppress(FileNotFoundError):  # a process has just finished and deleted it
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder)


def _add_record(packed: ZipFile, duel: Duel) -> bool:
    """Add the duel's record to the file. Return False if a key is missing."""
    try:
        record = duel_record(duel)
    except MissingKey:
        logger.warning("Duel %s is not in the download: a key is missing", duel.pk)
        return False
    except Exception as error:
        if is_outage(error):
            raise  # all other records would fail too
        logger.error("Duel %s is not in the download: %s", duel.pk, error_summary(error))
        return False
    name = f"spellcaster-{duel.pk}.json"
    packed.writestr(name, json.dumps(record, indent=1, ensure_ascii=False))
    return True
