"""Appoint, dismiss and list referees, who rule on disputes."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from duels import errors
from duels.accounts.second_factor import REFEREE_GROUP
from duels.models import User
from duels.referees import appointments


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--appoint", metavar="EMAIL", action="append", default=[], help="user to appoint"
        )
        parser.add_argument(
            "--dismiss", metavar="EMAIL", action="append", default=[], help="referee to dismiss"
        )

    def handle(self, *, appoint: list[str], dismiss: list[str], **options: Any) -> None:
        try:
            for email in appoint:
                appointments.appoint_referee(email=email)
            for email in dismiss:
                appointments.dismiss_referee(email=email)
        except errors.Refused as refused:
            raise CommandError(refused.text) from refused
        found = (
            User.objects.filter(groups__name=REFEREE_GROUP).select_related("wizard").order_by("pk")
        )
        for user in found:
            wizard = getattr(user, "wizard", None)
            self.stdout.write(f"{user}: {wizard.name if wizard else 'no wizard'}")
