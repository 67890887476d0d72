"""List known vulnerabilities of the pinned requirements, from the Python Package Index.

    python -m tests.audit

The command prints known vulnerabilities, and packages that could not be checked. Without network
access, or with an index that does not list vulnerabilities, no package can be checked; this is not
an error. The exit code is 1 if there are known vulnerabilities.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
PINNED_REQUIREMENTS: Final = ROOT / "tests" / "requirements.txt"  # includes requirements.txt
TIMEOUT_SECONDS: Final = 120


def main() -> int:
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pip_audit",
                "--requirement",
                str(PINNED_REQUIREMENTS),
                "--no-deps",
                "--disable-pip",
                "--progress-spinner",
                "off",
                "--format",
                "json",
                "--timeout",
                "5",
            ],
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        packages = json.loads(done.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        print("Known vulnerabilities could not be asked for: no index answers.")
        return 0
    known = vulnerabilities(packages)
    print(*known, *unchecked_line(packages), sep="\n")
    return 1 if known else 0


def vulnerabilities(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each known vulnerability."""
    return [
        f"{package['name']} {package['version']}: {found['id']}, mended in "
        f"{', '.join(found['fix_versions']) or 'no release yet'}"
        for package in packages
        for found in package.get("vulns", ())
    ]


def unchecked_line(packages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line about the packages that the index did not check."""
    names = sorted(package["name"] for package in packages if "skip_reason" in package)
    if not names:
        return [f"No vulnerability is known of {len(packages)} packages."]
    if len(names) == len(packages):
        return ["Known vulnerabilities could not be asked for: the index knows none of these."]
    return [f"Not asked for, as the index does not know them: {', '.join(names)}."]


if __name__ == "__main__":
    sys.exit(main())
