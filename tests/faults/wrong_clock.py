"""Run a Python module in a process whose clock is wrong.

python -m tests.faults.wrong_clock SECONDS FILE_OR_MODULE [ARGUMENT ...]
"""

import runpy
import sys
import time

import time_machine


def main() -> None:
    seconds, module, *arguments = sys.argv[1:]
    time_machine.travel(time.time() + float(seconds), tick=True).start()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
