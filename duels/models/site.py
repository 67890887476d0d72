"""Models about the site itself: alarms, keys, releases, sweeps and submitted forms."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from duels.models.constraints import one_of, partial_index
from duels.models.outbox import OutboxRow, OutboxStatus
from duels.models.turns import MAX_RELEASE_LENGTH

MAX_ABOUT_LENGTH = 80
MAX_ADDRESS_LENGTH = 500
MAX_RESULT_MESSAGE_LENGTH = 200
# Sweeps run every minute. A longer gap counts as an outage.
MAX_SWEEP_GAP = timedelta(minutes=10)


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
    about = models.CharField(max_length=MAX_ABOUT_LENGTH)  # such as "turn 12"
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
            partial_index(
                "alarm_to_send", "due_at", rows=Q(status="queued", ended_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.about}"


class KeyPurpose(models.TextChoices):
    SEALS = "seals", "sealed orders"
    LINKS = "links", "sessions and links"


class SiteKey(models.Model):
    """The fingerprint of the site's key for one purpose.

    The first process records it, and processes without this key do not start. The key itself is not
    stored.
    """

    purpose = models.CharField(max_length=5, choices=KeyPurpose, primary_key=True)
    fingerprint = models.CharField(max_length=64)
    earlier = models.JSONField(default=list, blank=True)  # fingerprints of earlier keys
    noted_at = models.DateTimeField()

    class Meta:
        constraints = [one_of("purpose", KeyPurpose, name="site_key_purpose")]

    def __str__(self) -> str:
        return f"the key for {self.get_purpose_display()}"


class ReleaseCheck(models.Model):
    """The result of a check in which a release replayed the last turns of running duels. Promise 13

    The latest check belongs to the active release. Only that release resumes duels on hold.
    """

    fingerprint = models.CharField(max_length=64)  # `duels.proof.release`
    release = models.CharField(max_length=MAX_RELEASE_LENGTH)
    checked_at = models.DateTimeField()
    turns = models.PositiveIntegerField(default=0)  # replayed
    held = models.JSONField(default=list, blank=True)  # rulesets played differently
    words = models.TextField(blank=True)  # one line for each turn that differs

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"release {self.release} ({self.fingerprint[:8]})"


class Submission(models.Model):
    """A form that has created or changed something, and the page that was shown next.

    The row is written in the same transaction. It contains hashes of the form's key and fields,
    never their values.
    """

    digest = models.CharField(max_length=64, unique=True)  # hash of the form's key and address
    content = models.CharField(max_length=64)  # hash of the form's fields
    address = models.CharField(max_length=MAX_ADDRESS_LENGTH, blank=True)  # page to show next
    # shown on that page; for an account form, the key of the browser's session
    message = models.CharField(max_length=MAX_RESULT_MESSAGE_LENGTH, blank=True)
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"submission {self.pk}"


class Outage(NamedTuple):
    """A period without sweeps, during which players may have been unable to reach the site."""

    since: datetime
    until: datetime


class LastSweep(models.Model):
    """The last sweep and the last outage. The first sweep creates the only row."""

    began_at = models.DateTimeField()
    outage_since = models.DateTimeField(null=True)
    outage_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"the sweep of {self.began_at}"

    @property
    def outage(self) -> Outage | None:
        """The last outage, however long ago, or None if there was none."""
        if self.outage_since is None or self.outage_until is None:
            return None
        return Outage(self.outage_since, self.outage_until)
