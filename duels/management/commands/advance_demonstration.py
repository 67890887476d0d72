"""Let this many hours pass in the demonstration's running duel, and process everything that is then
due.

Print the numbers of reminders, extensions, default orders and ended duels that result. Vacations
and pauses end, and queued emails become due. This command is only for trying out the site. It does
not change the clock, but moves all stored times of the duel and its two wizards into the past.
"""

from argparse import ArgumentParser
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import F, Model, Q

from duels import models
from duels.clocks.budget import Budget
from duels.commands import deadlines, resolution, time_keeping, vacations
from duels.commands.deadlines import DeadlineCounts
from duels.commands.locking import lock_duel
from duels.commands.time_keeping import MAX_PAUSE
from duels.demonstration import BLACK, WHITE
from duels.loaded.database_clock import site_now
from duels.post.public import Notice
from duels.push.public import Push
from duels.replies.public import Reply

MAX_HOURS = 24 * 365
SECONDS_BETWEEN_STEPS = 60  # time limit for ending pauses
# Columns with times for each model, and the lookup from each model to its duel.
SHIFTED_COLUMNS: dict[type[Model], tuple[str, ...]] = {
    models.Duel: ("started_at", "paused_at"),
    models.Seat: ("invited_at", "accepted_at", "awaited_since", "due_at", "remind_at"),
    models.Turn: ("opened_at", "closed_at", "failed_at"),
    models.QuestionRound: ("asked_at",),
    models.Orders: ("sealed_at", "taken_back_at"),
    models.RejectedSeal: ("rejected_at",),
    models.Draft: ("saved_at",),
    models.Speech: ("said_at",),
    Reply: ("received_at",),
    Notice: ("due_at",),
    Push: ("created_at", "due_at"),
    # Vacations, and the date of joining, from which vacation days are earned. The clocks of other
    # duels do not change.
    models.Wizard: ("created_at", "vacation_counted_at", "vacation_began_at", "vacation_ends_at"),
}
LOOKUP_OF_DUEL = {
    models.Duel: "pk",
    models.Seat: "duel",
    models.Turn: "duel",
    models.QuestionRound: "turn__duel",
    models.Orders: "turn__duel",
    models.RejectedSeal: "turn__duel",
    models.Draft: "turn__duel",
    models.Speech: "duel",
    Reply: "turn__duel",
    Notice: "duel",
    Push: "duel",
    models.Wizard: "seats__duel",
}


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("hours", type=float, help="number of hours (more than 0)")

    def handle(self, *, hours: float, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("DEBUG is off: this command is only for trying out the site.")
        if not 0 < hours <= MAX_HOURS:
            raise CommandError(f"hours must be more than 0 and at most {MAX_HOURS}.")
        duel = _waiting_duel()
        if duel is None:
            raise CommandError(
                "The demonstration's running duel is over or does not exist. "
                "`manage.py demonstration` creates it in a new database."
            )
        with transaction.atomic():
            _move_times_back(duel, timedelta(hours=hours))
        counts = _process_everything_due(duel)
        for name in ("reminders", "excuses", "defaults", "ended"):
            self.stdout.write(f"{name} {getattr(counts, name)}")


def _waiting_duel() -> models.Duel | None:
    running = models.Duel.objects.filter(
        status=models.DuelStatus.RUNNING, challenger__name=WHITE, lesson=""
    )
    return running.filter(seats__wizard__name=BLACK).order_by("pk").first()


def _move_times_back(duel: models.Duel, time: timedelta) -> None:
    """Move all times of the duel into the past by this much."""
    lock_duel(duel.pk)
    for model, moments in SHIFTED_COLUMNS.items():
        rows = model._default_manager.filter(**{LOOKUP_OF_DUEL[model]: duel.pk})
        found = list(rows.order_by().values_list("pk", flat=True))  # updates cannot use joins
        model._default_manager.filter(pk__in=found).update(
            **{moment: F(moment) - time for moment in moments}
        )


def _process_everything_due(duel: models.Duel) -> DeadlineCounts:
    """Process everything that has become due, in order, as of the time when it was due."""
    counts = DeadlineCounts()
    while moment := _next_due_moment(duel):
        for wizard in models.Wizard.objects.filter(seats__duel=duel, vacation_ends_at__lte=moment):
            vacations.end_vacation(wizard=wizard, now=moment)
        _, failed = time_keeping.end_pauses(now=moment, budget=Budget(SECONDS_BETWEEN_STEPS))
        if failed:
            raise CommandError("A pause could not be ended. The log contains the reason.")
        counts += deadlines.process_deadlines(duel_id=duel.pk, now=moment)
        turn = models.Turn.objects.filter(duel=duel, stage__in=models.OPEN_STAGES).first()
        if turn is not None:
            resolution.resolve_turn(turn_id=turn.pk, now=moment)
    return counts


def _next_due_moment(duel: models.Duel) -> datetime | None:
    """Return the earliest past time at which something became due in this duel."""
    now = site_now()
    running = models.Duel.objects.filter(pk=duel.pk, status=models.DuelStatus.RUNNING)
    paused = running.filter(paused_at__lte=now - MAX_PAUSE)
    away = models.Wizard.objects.filter(seats__duel__in=running, vacation_ends_at__lte=now)
    awaited = models.Seat.objects.filter(duel__in=running, awaited=True)
    due = awaited.filter(Q(due_at__lte=now) | Q(remind_at__lte=now))
    moments = [each for pair in due.values_list("due_at", "remind_at") for each in pair if each]
    moments += [each + MAX_PAUSE for each in paused.values_list("paused_at", flat=True) if each]
    moments += [each for each in away.values_list("vacation_ends_at", flat=True) if each]
    return min(moments, default=None)
