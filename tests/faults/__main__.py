"""Play duels while the site's processes are killed, and check that nothing is lost.

    python -m tests.faults [--seconds 600] [--seed 7] [--pairs 6]

For a quarter of the time (at most a minute), the crowd plays without faults. Then the faults begin.
The command prints figures as lines `name value unit`, and ends with exit code 1 if a promise is
broken.
"""

import argparse
import secrets
import sys

from bench.output import print_figure
from tests.faults.run import broken_promises, run
from tests.run import stop_on_signals


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--pairs", type=int, default=6)
    arguments = parser.parse_args()
    print_figure("seed", arguments.seed, "number")
    figures = run(arguments.seconds, arguments.seed, arguments.pairs)
    for figure in figures:
        print_figure(*figure)
    if broken := broken_promises(figures):
        sys.exit(f"Broken promises: {', '.join(broken)}")


if __name__ == "__main__":
    stop_on_signals()
    main()
