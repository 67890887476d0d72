"""Identity of the code that plays turns: the engine's release, and a fingerprint of its source.

A developer may forget to rename a release, but the fingerprint changes with every character.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import engine

HERE = Path(__file__).parent
# Modules outside the engine that convert rows to its values.
PLAYING = (HERE / "adjudication.py", HERE / "open_turn.py")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return SHA-256, in hexadecimal, over the names and texts of the modules that play a turn."""
    root = Path(engine.__file__).parent
    return digest((*sorted(root.rglob("*.py")), *PLAYING), HERE.parent)


def digest(paths: Iterable[Path], base: Path) -> str:
    """Return SHA-256, in hexadecimal, over these files: names below a folder, and texts."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(f"{path.relative_to(base).as_posix()}\n".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
