"""Play the last turns of running duels again, and compare with what is stored: does this release
play them as they were played? Ends with code 1, and lists the turns, where it does not; their
rulesets' duels stand then. To be called before a release is put to work, and to look again."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from duels import commands


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--all", action="store_true", help="every running duel, no sample")

    def handle(self, *, all: bool, **options: Any) -> None:
        sample = None if all else commands.SAMPLE
        check = commands.check_running_duels(now=timezone.now(), sample=sample)
        if check.held:
            held = ", ".join(check.held)
            raise CommandError(
                f"{check} plays otherwise, and resolves nothing under {held}:\n{check.words}"
            )
        self.stdout.write(f"{check}: {check.turns} turns played again, all as they are stored")
