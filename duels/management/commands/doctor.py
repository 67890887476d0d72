"""Look for problems with the running site, and explain how to fix each of them.

The exit code is 1 if any problems are found. Run this with the environment of the site's processes.
"""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from spellcaster.doctor.examination import CHECKS, examine


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = []  # run as one of the checks

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--only",
            nargs="+",
            metavar="CHECK",
            choices=[check.name for check in CHECKS],
            help="names of the checks to run, instead of all of them",
        )
        parser.add_argument(
            "--json", dest="is_json", action="store_true", help="print the problems as JSON"
        )

    def handle(self, *, only: list[str] | None, is_json: bool, **options: Any) -> None:
        chosen = [check for check in CHECKS if only is None or check.name in only]
        findings = list(examine(chosen))
        if is_json:
            self.stdout.write(json.dumps([finding.as_json() for finding in findings], indent=2))
        elif not findings:
            self.stdout.write(f"No problems found by {len(chosen)} checks.")
        else:
            for check, problem in findings:
                self.stdout.write(f"{check}: {problem.text}\n    {problem.remedy}")
        if findings:
            sys.exit(1)
