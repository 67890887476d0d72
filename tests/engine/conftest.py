"""Prints the seed of the daily samples after each run."""

import pytest

from tests import daily


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"{daily.VARIABLE}={daily.SEED}")
