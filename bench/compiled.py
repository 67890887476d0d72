"""A compiled copy of the engine, for searches and long replays: `python -m bench.compiled`.

mypyc compiles the modules that play a turn. The copy is in `build/compiled`, which git ignores. To
use the copy, put that folder first on the import path; to remove it, delete the folder. The site
does not use the copy.
"""

import os
import shutil
from pathlib import Path
from typing import Final

from mypyc.build import mypycify
from setuptools import setup

ROOT: Final = Path(__file__).parent.parent
BUILD_FOLDER: Final = ROOT / "build"
COMPILED_FOLDER: Final = BUILD_FOLDER / "compiled"
# A turn spends most of its time in these modules. `resolve/__init__.py` is left out, because mypyc
# cannot compile its generic dataclass, and it takes little time.
MODULES: Final = (
    "gestures.py", "ids.py", "legality/casting.py", "legality/check.py",
    "legality/hand_constraints.py", "legality/moves.py", "legality/scope.py", "orders.py",
    "positions/position.py", "questions.py", "rulesets/ruleset.py", "spellbook.py",
    "resolve/*.py", "resolve/numbered/*.py", "resolve/stepwise/*.py",
)  # fmt: skip
UNCOMPILED_FILE: Final = "engine/resolve/__init__.py"


def main() -> None:
    """Copy the engine and compile the copy. Compiling takes 90 seconds on an idle machine."""
    shutil.rmtree(BUILD_FOLDER, ignore_errors=True)
    shutil.copytree(
        ROOT / "engine", COMPILED_FOLDER / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )
    os.chdir(COMPILED_FOLDER)
    found = [str(path) for module in MODULES for path in sorted(Path("engine").glob(module))]
    found.remove(UNCOMPILED_FILE)
    # Use an empty configuration, because the project's own loads a Django plugin.
    checks = ["--config-file=", "--strict", "--explicit-package-bases", "--namespace-packages"]
    extensions = mypycify([*checks, *found], opt_level="1", debug_level="0", multi_file=True)
    setup(
        name="engine",
        packages=[],
        ext_modules=extensions,
        script_args=["--quiet", "build_ext", "--inplace"],
    )


if __name__ == "__main__":
    main()
