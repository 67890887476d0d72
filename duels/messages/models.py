"""Threads of messages between two wizards."""

from django.db import models
from django.db.models import F, Q

from duels.models.acts import MAX_REASON_LENGTH
from duels.models.constraints import check, one_of
from duels.models.wizards import Wizard

MAX_MESSAGE_LENGTH = 2000


class Thread(models.Model):
    """A thread with all messages between two wizards. The first wizard has the lower id."""

    first = models.ForeignKey(Wizard, models.CASCADE, related_name="threads_as_first")
    second = models.ForeignKey(Wizard, models.CASCADE, related_name="threads_as_second")
    newest = models.BigIntegerField(default=0)  # id of the newest message

    class Meta:
        constraints = [
            models.UniqueConstraint("first", "second", name="thread_once"),
            check("thread_in_order", Q(first__lt=F("second"))),
        ]

    def __str__(self) -> str:
        return f"thread {self.pk}"


class Consent(models.TextChoices):
    """A wizard's answer to the first message in a thread, which unlocks further messages."""

    PENDING = "pending", "pending"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"


class Participant(models.Model):
    """One of the two wizards of a thread."""

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="participants")
    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="message_participants")
    consent = models.CharField(max_length=8, choices=Consent, default=Consent.PENDING)
    is_muted = models.BooleanField(default=False)  # no notices of new messages
    read_up_to = models.BigIntegerField(default=0)  # id of the last message that they have read

    class Meta:
        constraints = [
            models.UniqueConstraint("thread", "wizard", name="participant_once"),
            one_of("consent", Consent, name="participant_consent"),
        ]

    def __str__(self) -> str:
        return f"wizard {self.wizard_id} in thread {self.thread_id}"


class Message(models.Model):
    """A message in a thread. It cannot be edited. `case` is the report about it, if any.

    If a referee has removed the message, nobody sees its text, and its author sees the reason.
    """

    thread = models.ForeignKey(Thread, models.CASCADE, related_name="messages")
    author = models.ForeignKey(Wizard, models.CASCADE, related_name="messages_written")
    words = models.TextField(max_length=MAX_MESSAGE_LENGTH)
    sent_at = models.DateTimeField()
    case = models.OneToOneField(
        "referee.Case", models.SET_NULL, null=True, blank=True, related_name="reported_message"
    )
    removed_at = models.DateTimeField(null=True, blank=True)
    removed_for = models.CharField(
        max_length=MAX_REASON_LENGTH, blank=True, default="", db_default=""
    )

    class Meta:
        constraints = [
            check("message_says_something", ~Q(words="")),
        ]
        indexes = [
            models.Index("thread", F("id").desc(), name="message_newest"),
            models.Index("author", "sent_at", name="message_rate"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}"
