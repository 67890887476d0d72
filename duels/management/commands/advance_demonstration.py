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

from duels.clocks.budget import Budget
from duels.commands import deadlines, resolution, time_keeping, vacations
from duels.commands.deadlines import DeadlineCounts
from duels.commands.locking import lock_duel
from duels.commands.time_keeping import MAX_PAUSE
from duels.demonstration import BLACK, WHITE
from duels.loaded.database_clock import site_now
from duels.models import (
    OPEN_STAGES,
    Draft,
    Duel,
    DuelStatus,
    Orders,
    QuestionRound,
    RejectedSeal,
    Seat,
    Speech,
    Turn,
    Wizard,
)
from duels.post.public import Notice
from duels.push.public import Push
from duels.replies.public import Reply

MAX_HOURS = 24 * 365
SECONDS_BETWEEN_STEPS = 60  # time limit for ending pauses
# Columns with times for each model, and the lookup from each model to its duel.
SHIFTED_COLUMNS: dict[type[Model], tuple[str, ...]] = {
    Duel: ("started_at", "paused_at"),
    Seat: ("invited_at", "accepted_at", "awaited_since", "due_at", "remind_at"),
    Turn: ("opened_at", "closed_at", "failed_at"),
    QuestionRound: ("asked_at",),
    Orders: ("sealed_at", "taken_back_at"),
    RejectedSeal: ("rejected_at",),
    Draft: ("saved_at",),
    Speech: ("said_at",),
    Reply: ("received_at",),
    Notice: ("due_at",),
    Push: ("created_at", "due_at"),
    # Vacations, and the date of joining, from which vacation days are earned. The clocks of other
    # duels do not change.
    Wizard: ("created_at", "vacation_counted_at", "vacation_began_at", "vacation_ends_at"),
}
LOOKUP_OF_DUEL = {
    Duel: "pk",
    Seat: "duel",
    Turn: "duel",
    QuestionRound: "turn__duel",
    Orders: "turn__duel",
    RejectedSeal: "turn__duel",
    Draft: "turn__duel",
    Speech: "duel",
    Reply: "turn__duel",
    Notice: "duel",
    Push: "duel",
    Wizard: "seats__duel",
}
# Columns that are not changed, with the reasons.
UNSHIFTED_COLUMNS: dict[type[Model], dict[str, str]] = {
    Duel: {
        "created_at": "identifies the thread of the duel's emails",
        "expires_at": "only used for challenges",
        "ended_at": "the duel is still running",
        "halted_at": "no time passes in a duel paused by a dispute",
        "stopped_at": "no time passes in a duel paused by a referee",
        "held_at": "no time passes in a duel paused by a release",
        "speech_locked_at": "locked by a referee until unlocked",
    },
    Speech: {"removed_at": "must match the log of referees' acts"},
    Seat: {"duel_ended_at": "the duel is still running"},
    Notice: {
        "created_at": "part of the Message-ID",
        "claimed_at": "a worker is sending it now",
        "sent_at": "the email is already in a mailbox",
        "daily_at": "depends on the real time",
    },
    Push: {
        "claimed_at": "a worker is sending it now",
        "sent_at": "the device has already shown it",
    },
    Wizard: {
        "closed_at": "closed accounts have no running duels",
        "kept_until": "only used for guests",
        "speech_locked_at": "locked by a referee until unlocked",
        "suspended_at": "must match the log of referees' acts",
        "suspended_until": "the wizard has been told this date",
    },
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


def _waiting_duel() -> Duel | None:
    running = Duel.objects.filter(status=DuelStatus.RUNNING, challenger__name=WHITE, lesson="")
    return running.filter(seats__wizard__name=BLACK).order_by("pk").first()


def _move_times_back(duel: Duel, time: timedelta) -> None:
    """Move all times of the duel into the past by this much."""
    lock_duel(duel.pk)
    for model, moments in SHIFTED_COLUMNS.items():
        rows = model._default_manager.filter(**{LOOKUP_OF_DUEL[model]: duel.pk})
        found = list(rows.order_by().values_list("pk", flat=True))  # updates cannot use joins
        model._default_manager.filter(pk__in=found).update(
            **{moment: F(moment) - time for moment in moments}
        )


def _process_everything_due(duel: Duel) -> DeadlineCounts:
    """Process everything that has become due, in order, as of the time when it was due."""
    counts = DeadlineCounts()
    while moment := _next_due_moment(duel):
        for wizard in Wizard.objects.filter(seats__duel=duel, vacation_ends_at__lte=moment):
            vacations.end_vacation(wizard=wizard, now=moment)
        _, failed = time_keeping.end_pauses(now=moment, budget=Budget(SECONDS_BETWEEN_STEPS))
        if failed:
            raise CommandError("A pause could not be ended. The log contains the reason.")
        counts += deadlines.process_deadlines(duel_id=duel.pk, now=moment)
        turn = Turn.objects.filter(duel=duel, stage__in=OPEN_STAGES).first()
        if turn is not None:
            resolution.resolve_turn(turn_id=turn.pk, now=moment)
    return counts


def _next_due_moment(duel: Duel) -> datetime | None:
    """Return the earliest past time at which something became due in this duel."""
    now = site_now()
    running = Duel.objects.filter(pk=duel.pk, status=DuelStatus.RUNNING)
    paused = running.filter(paused_at__lte=now - MAX_PAUSE)
    away = Wizard.objects.filter(seats__duel__in=running, vacation_ends_at__lte=now)
    awaited = Seat.objects.filter(duel__in=running, awaited=True)
    due = awaited.filter(Q(due_at__lte=now) | Q(remind_at__lte=now))
    moments = [each for pair in due.values_list("due_at", "remind_at") for each in pair if each]
    moments += [each + MAX_PAUSE for each in paused.values_list("paused_at", flat=True) if each]
    moments += [each for each in away.values_list("vacation_ends_at", flat=True) if each]
    return min(moments, default=None)
