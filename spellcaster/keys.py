"""Keys that a fresh checkout makes for itself, so that it runs with nothing set.

They lie beside the SQLite database: who can read the one can read the other. In production the
environment brings SECRET_KEY and SEAL_KEYS, and checks duels.E001 and duels.E002 insist on it.
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
    """The keys stored at `path`, made on the first call; every process reads the same ones."""
    if not path.exists():
        _store_once(path, Keys(get_random_secret_key(), (Fernet.generate_key().decode(),)))
    try:
        stored = json.loads(path.read_text())
        return Keys(str(stored["secret_key"]), tuple(stored["seal_keys"]))
    except (ValueError, KeyError, TypeError) as error:
        raise ImproperlyConfigured(f"{path} does not hold keys: {error!r}") from error


def _store_once(path: Path, keys: Keys) -> None:
    """Write the file whole and readable by its owner only; of two writers the first one wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False) as draft:
        json.dump(asdict(keys), draft)
    try:
        os.link(draft.name, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft.name)
