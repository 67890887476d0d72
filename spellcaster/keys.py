"""Keys that a fresh checkout generates, so that it runs without settings.

The keys are stored next to the SQLite database, so anyone who can read the database can read the
keys. In production, SECRET_KEY and SEAL_KEYS come from the environment, as checks duels.E001 and
duels.E002 require.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key


@dataclass(frozen=True)
class Keys:
    """`secret_key` signs sessions and links; `seal_keys` encrypt sealed orders, newest first."""

    secret_key: str
    seal_keys: tuple[str, ...]


def generated_keys(path: Path) -> Keys:
    """Return the keys stored at `path`, which all processes share. The first call creates them."""
    if not path.exists():
        _store_once(path, Keys(get_random_secret_key(), (Fernet.generate_key().decode(),)))
    try:
        stored = json.loads(path.read_text())
        return Keys(str(stored["secret_key"]), tuple(stored["seal_keys"]))
    except (ValueError, KeyError, TypeError) as error:
        raise ImproperlyConfigured(f"{path} does not contain keys: {error!r}") from error


def _store_once(path: Path, keys: Keys) -> None:
    """Create a complete file that only its owner can read, unless the file exists already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False) as draft:
        json.dump(asdict(keys), draft)
    try:
        os.link(draft.name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft.name)
