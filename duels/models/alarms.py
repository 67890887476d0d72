"""Alarms about problems that only the operator of the site can fix."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from duels.models.constraints import one_of
from duels.models.outbox import OutboxRow, OutboxStatus

ABOUT_LENGTH = 80


class AlarmKind(models.TextChoices):
    """The kind of problem. All of these leave the rest of the site working."""

    TURN = "turn", "a turn does not resolve"
    DEADLINE = "deadline", "deadlines of a duel fail"
    RELEASE = "release", "this release plays a ruleset differently"
    KEYS = "keys", "a process has other keys"
    CLOCK = "clock", "a process has a wrong clock"


class Alarm(OutboxRow):
    """An alarm about a problem: raised once, emailed once, and ended when the problem is fixed.

    `words` mentions duels and turns, but never the contents of sealed orders.
    """

    # The status of the alarm's email. Workers of release 0.1.0 write only the first two columns, by
    # their old names, so the others have database defaults.
    created_at = models.DateTimeField(db_column="raised_at")
    sent_at = models.DateTimeField(null=True, blank=True, db_column="told_at")
    status = models.CharField(
        max_length=8,
        choices=OutboxStatus,
        default=OutboxStatus.QUEUED,
        db_default=OutboxStatus.QUEUED,
    )
    due_at = models.DateTimeField(db_default=Now())
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    last_error = models.TextField(blank=True, db_default="")

    kind = models.CharField(max_length=10, choices=AlarmKind)
    about = models.CharField(max_length=ABOUT_LENGTH)  # such as "turn 12"
    words = models.TextField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = [
            one_of("kind", AlarmKind, name="alarm_kind"),
            one_of("status", OutboxStatus, name="alarm_status"),
            models.UniqueConstraint(
                "kind", "about", name="alarm_open_once", condition=Q(ended_at__isnull=True)
            ),
        ]
        indexes = [
            models.Index(
                "due_at",
                name="alarm_to_send",
                condition=Q(status="queued", ended_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.about}"
