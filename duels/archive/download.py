"""The file with the records of all archived duels, which is replaced every day."""

import json
import logging
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

README: Final = """\
The records of all finished public duels. To check a record:

    python -m engine verify spellcaster-NUMBER.json

docs/RECORDS.md in the source code of Spellcaster describes the format.
"""


def download_path() -> Path:
    """Return the path of the download. The file may not exist yet."""
    return Path(settings.VAR_DIR) / "records.zip"


def write_download() -> int:
    """Write the download, one record at a time. Return the number of records."""
    path, number = download_path(), 0
    with TemporaryDirectory(dir=path.parent) as folder:
        new = Path(folder) / path.name
        with ZipFile(new, "w", ZIP_DEFLATED) as packed:
            packed.writestr("README.txt", README)
            for duel in Duel.objects.filter(archived__isnull=False).order_by("pk").iterator():
                number += _add_record(packed, duel)
        new.replace(path)
    return number


def _add_record(packed: ZipFile, duel: Duel) -> bool:
    """Add the duel's record to the file. Return False if a key is missing."""
    try:
        record = duel_record(duel)
    except MissingKey:
        logger.warning("Duel %s is not in the download: a key is missing", duel.pk)
        return False
    except Exception as error:
        if is_outage(error):
            raise  # all others would fail too
        logger.error("Duel %s is not in the download: %s", duel.pk, error_summary(error))
        return False
    name = f"spellcaster-{duel.pk}.json"
    packed.writestr(name, json.dumps(record, indent=1, ensure_ascii=False))
    return True
