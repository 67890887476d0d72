"""Pytest hooks that print the seed of the daily samples and make garbage collection rare."""

import pytest

from tests import daily, garbage


def pytest_configure() -> None:
    garbage.pause()


def pytest_collection_finish() -> None:
    garbage.resume_rarely()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"{daily.SEED_VARIABLE}={daily.SEED}")
