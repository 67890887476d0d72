"""A fingerprint of the source code that plays turns.

Developers may forget to change the name of a release, but the fingerprint changes with every
character.

An upgrade can replace the files of a running process. Therefore the fingerprint is computed when
`duels` is imported, before the modules are loaded, and `check_files_unchanged` computes it again
when all modules are loaded. Processes that are forked later inherit the fingerprint along with the
code.
"""

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

DUELS_FOLDER = Path(__file__).parent.parent
# Modules outside the engine that convert rows to the engine's values or back.
PLAY_FILES = (
    *(DUELS_FOLDER / "loaded" / f"{name}.py" for name in ("adjudication", "loading", "open_turn")),
    *(DUELS_FOLDER / "sealing" / f"{name}.py" for name in ("seals", "seeds")),
)


class ReplacedFiles(Exception):
    """Error for a process that may have loaded modules from two releases."""


def rules_code_fingerprint() -> str:
    """Return the SHA-256 hash, in hexadecimal, of the code that plays turns."""
    return _FINGERPRINT


def check_files_unchanged() -> None:
    """Raise `ReplacedFiles` if the files were replaced while this process loaded them."""
    if _digest_of_files() != _FINGERPRINT:
        raise ReplacedFiles(
            "The files of the engine changed while this process started. Restart it."
        )


def digest(paths: Iterable[Path], base: Path) -> str:
    """Return the SHA-256 hash, in hexadecimal, of these files' contents and relative paths."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(f"{path.relative_to(base).as_posix()}\n".encode())
        whole.update(hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()


def _digest_of_files() -> str:
    engine = find_spec("engine")  # finds the engine without loading it
    assert engine is not None
    assert engine.origin is not None
    return digest(
        (*sorted(Path(engine.origin).parent.rglob("*.py")), *PLAY_FILES), DUELS_FOLDER.parent
    )


_FINGERPRINT: Final = _digest_of_files()
