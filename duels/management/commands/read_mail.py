"""Process one email from standard input: seal its orders, or record a bounce.

Use this command in a pipe or a .forward file. The exit code is meant for mail servers, as in
sysexits.h: 0 means that the email was processed, 67 that the address does not exist, 75 that the
server must try again later.
"""

import os
import sys
from typing import Any

from django.core.management.base import CommandError, CommandParser

from duels.errors import error_summary
from duels.loaded.database_clock import database_now
from duels.replies.public import ReplyOutcome, receive_email
from spellcaster.startup import CheckedCommand

NO_USER, TRY_AGAIN = 67, 75


class Command(CheckedCommand):
    help = __doc__
    refusal_code = TRY_AGAIN  # the mail server keeps the email until the fault is corrected

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--recipient",
            default=os.environ.get("ORIGINAL_RECIPIENT") or os.environ.get("RECIPIENT", ""),
            help="recipient of the email (default: ORIGINAL_RECIPIENT, RECIPIENT or its headers)",
        )
        parser.add_argument(
            "--sender",
            default=os.environ.get("SENDER"),
            help="envelope sender, empty for a bounce (default: the variable SENDER)",
        )

    def handle(self, *, recipient: str, sender: str | None, **options: Any) -> None:
        try:
            outcome = receive_email(
                raw=sys.stdin.buffer.read(),
                now=database_now(),
                recipients=[recipient] if recipient else [],
                envelope_sender=sender,
            )
        except Exception as error:
            # Do not print the email's contents. The mail server still has it.
            raise CommandError(
                f"Try again later: {error_summary(error)}", returncode=TRY_AGAIN
            ) from None
        if outcome == ReplyOutcome.UNKNOWN:
            raise CommandError("There is no such address.", returncode=NO_USER)
        self.stdout.write(outcome.label)
