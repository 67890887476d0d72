"""Prints the seed of the daily samples after each run, and lets garbage be collected rarely."""

import pytest

from tests import daily, garbage


def pytest_configure() -> None:
    garbage.pause()


def pytest_collection_finish() -> None:
    garbage.resume_rarely()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"{daily.VARIABLE}={daily.SEED}")
