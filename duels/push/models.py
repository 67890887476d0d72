"""Models for devices, push notifications, and wizards' preferences for them."""

from dataclasses import dataclass

from django.db import models
from django.db.models import F, Q

from duels.models.constraints import check, one_of, partial_index
from duels.models.duels import Duel
from duels.models.outbox import FINISHED_STATUSES, OutboxRow, OutboxStatus
from duels.models.turns import Turn
from duels.models.wizards import Wizard
from duels.push.endpoints import MAX_ENDPOINT_LENGTH

MAX_DEVICE_LENGTH = 60


class PushKind(models.TextChoices):
    TURN = "turn", "your turn"
    REMINDER = "reminder", "your time is running out"
    MESSAGE = "message", "a message to you"
    TEST = "test", "a test"


@dataclass(frozen=True)
class PushText:
    """The title of a notification, and its kind, which the reader can turn off.

    `{others}` in the title is replaced with the opponents' names.
    """

    kind: PushKind
    title: str


KINDS_WITHOUT_DUEL = (PushKind.MESSAGE, PushKind.TEST)
YOUR_TURN = PushText(PushKind.TURN, "Your turn against {others}")


class PushDroppedFor(models.TextChoices):
    """The reason why a notification was not sent."""

    NOTHING = "", "not dropped"
    GONE = "gone", "notifications are off on the device"
    OUTDATED = "outdated", "out of date"
    READ = "read", "read on the site"
    UNWANTED = "unwanted", "not chosen"
    LIMITED = "limited", "too many notifications"
    REFUSED = "refused", "its push service is not supported"


class PushSubscription(models.Model):
    """A device on which a wizard has turned on notifications, with the push address of its browser.

    Anyone who knows the endpoint can send to it, so it is shown only to that browser.
    """

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=MAX_ENDPOINT_LENGTH, unique=True, editable=False)
    p256dh = models.CharField(max_length=100, editable=False)  # the browser's public key
    auth = models.CharField(max_length=30, editable=False)  # secret that browser and site share
    device = models.CharField(max_length=MAX_DEVICE_LENGTH)  # such as "Firefox on Android"
    created_at = models.DateTimeField()
    last_success_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)  # rejections since the last success

    class Meta:
        indexes = [models.Index("wizard", "created_at", name="push_devices")]

    def __str__(self) -> str:
        return f"push subscription {self.pk}"


class PushChoice(models.Model):
    """The kinds of notifications that a wizard's devices get. Without a row, they get all kinds."""

    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="push_choice")
    turns = models.BooleanField(default=True)
    reminders = models.BooleanField(default=True)
    messages = models.BooleanField(default=True, db_default=True)

    def __str__(self) -> str:
        return f"notifications to {self.wizard_id}"


class Push(OutboxRow):
    """A notification for one device, stored with the change that it reports, and sent once."""

    kind = models.CharField(max_length=8, choices=PushKind)
    title = models.CharField(max_length=100, db_default=YOUR_TURN.title)
    key = models.CharField(max_length=150, unique=True)  # prevents duplicates
    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="pushes")
    subscription = models.ForeignKey(
        PushSubscription, models.SET_NULL, null=True, blank=True, related_name="pushes"
    )
    device = models.CharField(max_length=MAX_DEVICE_LENGTH)  # kept when the subscription is deleted
    duel = models.ForeignKey(Duel, models.CASCADE, null=True, blank=True, related_name="pushes")
    turn = models.ForeignKey(Turn, models.CASCADE, null=True, blank=True, related_name="pushes")
    dropped_for = models.CharField(
        max_length=10, choices=PushDroppedFor, default=PushDroppedFor.NOTHING, blank=True
    )

    class Meta:
        verbose_name_plural = "pushes"
        constraints = [
            one_of("kind", PushKind, name="push_kind"),
            one_of("status", OutboxStatus, name="push_status"),
            one_of("dropped_for", PushDroppedFor, name="push_dropped_for"),
            check(
                "push_of_a_turn_or_without_duel",
                Q(kind__in=KINDS_WITHOUT_DUEL, duel__isnull=True, turn__isnull=True)
                | (~Q(kind__in=KINDS_WITHOUT_DUEL) & Q(duel__isnull=False, turn__isnull=False)),
            ),
            check("push_sent_at", ~Q(status="sent") | Q(sent_at__isnull=False)),
        ]
        indexes = [
            partial_index("push_to_send", "due_at", rows=Q(status="queued")),
            partial_index("push_stuck", "claimed_at", rows=Q(status="sending")),
            # A wizard's latest notifications.
            models.Index("wizard", F("created_at").desc(), name="push_told"),
            # Notifications that can be pruned, oldest first.
            partial_index("push_finished", "created_at", rows=Q(status__in=FINISHED_STATUSES)),
        ]

    def __str__(self) -> str:
        return f"push {self.pk}"
