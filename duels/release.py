"""Which code plays the turns: the engine's release, and a fingerprint of what it is made of.

A release's name may be forgotten when code changes; its fingerprint changes with every letter.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import engine

HERE = Path(__file__).parent
# Beside the engine: where rows become its values.
PLAYING = (HERE / "adjudication.py", HERE / "open_turn.py")


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """SHA-256, in hexadecimal, over the names and texts of the modules that play a turn."""
    root = Path(engine.__file__).parent
    return digest((*sorted(root.rglob("*.py")), *PLAYING), HERE.parent)


def digest(paths: Iterable[Path], base: Path) -> str:
    """SHA-256, in hexadecimal, over the names of these files below a folder, and their texts."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(f"{path.relative_to(base).as_posix()}\n".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()
