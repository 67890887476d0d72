"""The faults, for a minute. `make faults` takes ten."""

import re
import subprocess
import sys

import pytest

from tests.conftest import need
from tests.services import ROOT, clean_environment

pytestmark = [pytest.mark.services, pytest.mark.nightly, pytest.mark.timeout(1800)]


def test_nothing_is_lost_while_processes_die() -> None:
    need("PostgreSQL", "Redis")
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults", "--seconds", "60"],
        cwd=ROOT,
        env=clean_environment(),
        check=False,
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stdout + done.stderr
    seals = re.search(r"^acknowledged_seals ([1-9])", done.stdout, re.MULTILINE)
    assert seals, done.stdout
