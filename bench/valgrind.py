"""Counts of executed instructions by valgrind's cachegrind, which other processes cannot affect."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
CACHEGRIND_COMMAND = (
    "valgrind",
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
    "--vex-guest-max-insns=100",  # larger blocks: the same counts, in less time
)


def is_valgrind_installed() -> bool:
    return shutil.which("valgrind") is not None


def instruction_counts(*script: str, env: Mapping[str, str], root: Path = ROOT) -> dict[str, int]:
    """Return the instruction count of each piece of work that this script passes to `bench.forks`.

    The hash seed is fixed, so that the counts are the same in every run.
    """
    command = [*CACHEGRIND_COMMAND, sys.executable, "-P", *script]
    done = subprocess.run(
        command,
        env={**env, "PYTHONPATH": os.pathsep.join([str(root), str(ROOT)]), "PYTHONHASHSEED": "0"},
        cwd=root,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    totals = {
        process: int(total.replace(",", ""))
        for process, total in re.findall(r"^==(\d+)== I\s+refs:\s+([\d,]+)", done.stderr, re.M)
    }
    pieces = (line.rsplit(" ", 2) for line in done.stdout.splitlines())
    return {name: totals[worked] - totals[prepared] for name, prepared, worked in pieces}
