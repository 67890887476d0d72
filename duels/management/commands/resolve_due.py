"""Resolve every turn that is complete, send every mail that is due: what nudges have missed."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from duels import commands


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--every",
            type=float,
            metavar="SECONDS",
            help="go on for ever, with this pause; without it, sweep once",
        )

    def handle(self, *, every: float | None, **options: Any) -> None:
        while True:
            swept = commands.sweep(now=timezone.now())
            if every is None or swept != commands.Swept(0, 0, 0, 0, 0):
                self.stdout.write(str(swept))
            if every is None:
                return
            time.sleep(every)
