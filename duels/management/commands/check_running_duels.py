"""Replay the last turns of running duels and compare them with the stored results.

If this release plays turns differently, list them and exit with code 1. All duels under the
rulesets concerned are then paused. Run this before deploying a release, or to repeat the check.
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from duels.commands import release_check
from duels.loaded.database_clock import database_now
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="check all running duels instead of a sample"
        )

    def handle(self, *, all: bool, **options: Any) -> None:
        sample = None if all else release_check.CHECKED_DUELS_PER_RULESET
        check = release_check.check_running_duels(now=database_now(), sample=sample)
        if check.held:
            held = ", ".join(check.held)
            raise CommandError(f"{check} plays turns differently. On hold: {held}\n{check.words}")
        self.stdout.write(f"{check}: {check.turns} turns replayed, all with the stored results")
