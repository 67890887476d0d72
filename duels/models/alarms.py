"""Alarms about problems that only the operator of the site can fix."""

from django.db import models
from django.db.models import Q

from duels.models.constraints import one_of

ABOUT_LENGTH = 80


class AlarmKind(models.TextChoices):
    """The thing that has stopped. Everything else continues."""

    TURN = "turn", "a turn does not resolve"
    DEADLINE = "deadline", "deadlines of a duel fail"
    RELEASE = "release", "this release plays a ruleset differently"


class Alarm(models.Model):
    """A problem for the operator: raised once, emailed once, and ended when it is fixed.

    `words` name duels and turns, never the contents of sealed orders.
    """

    kind = models.CharField(max_length=10, choices=AlarmKind)
    about = models.CharField(max_length=ABOUT_LENGTH)  # its subject: "turn 12 of duel 3"
    words = models.TextField()
    raised_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)  # when operators were emailed
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-raised_at", "-pk")
        constraints = [
            one_of("kind", AlarmKind, name="alarm_kind"),
            models.UniqueConstraint(
                "kind", "about", name="alarm_open_once", condition=Q(ended_at__isnull=True)
            ),
        ]
        indexes = [
            models.Index(
                "raised_at",
                name="alarm_untold",
                condition=Q(told_at__isnull=True, ended_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.about}"
