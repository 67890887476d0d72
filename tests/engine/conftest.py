"""Pytest hooks that print the seed of the daily samples and make garbage collection rare.

The fixture `file` writes a record to a file.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import daily, garbage


def pytest_configure() -> None:
    garbage.pause()


def pytest_collection_finish() -> None:
    garbage.resume_rarely()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"{daily.SEED_VARIABLE}={daily.SEED}")


@pytest.fixture
def file(tmp_path: Path) -> Callable[[object], str]:
    """Return a function that writes a record, or bytes, to a file and returns its path."""

    def write(content: object) -> str:
        path = tmp_path / "record.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return str(path)

    return write
