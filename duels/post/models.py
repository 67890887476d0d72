"""Models for emails and for wizards' email preferences."""

from dataclasses import dataclass

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from duels.models.constraints import check, exactly_one_of, one_of, partial_index
from duels.models.duels import Duel
from duels.models.outbox import FINISHED_STATUSES, OutboxRow, OutboxStatus
from duels.models.seats import Seat
from duels.models.speech import Speech
from duels.models.turns import Turn
from duels.models.wizards import Wizard
from duels.post.kind_choices import kind_choices


class DroppedFor(models.TextChoices):
    """The reason why a notice was not sent."""

    NOTHING = "", "not dropped"
    NO_ADDRESS = "no_address", "no address to send it to"
    OUTDATED = "outdated", "out of date"
    READ = "read", "read on the site"
    UNWANTED = "unwanted", "emails are off"
    ALREADY_NOTIFIED = "told", "already notified since the last visit"
    RATE_LIMITED = "limited", "too many emails"
    NOT_ACCEPTED = "request", "you have not accepted messages from this wizard"


class EmailTiming(models.TextChoices):
    """The time when a wizard wants to receive emails."""

    EVERY = "every", "at once, for every turn and other news"
    VISIT = "visit", "once, then not again until I open the duel"
    DAILY = "daily", "once a day, with all news in one email"
    OFF = "off", "never, not even when my time is running out"


class Notice(OutboxRow):
    """An email to a wizard, stored with the change that it reports, and delivered once."""

    kind = models.CharField(max_length=40, choices=kind_choices)
    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="notices")
    # None for notices about reports, private messages, or referees' acts on a wizard.
    duel = models.ForeignKey(Duel, models.CASCADE, null=True, blank=True, related_name="notices")
    turn = models.ForeignKey(Turn, models.CASCADE, null=True, blank=True, related_name="notices")
    about = models.ForeignKey(
        Wizard, models.SET_NULL, null=True, blank=True, related_name="notices_about"
    )
    # The first chat message in the email, which will contain all messages written until it is sent.
    speech = models.ForeignKey(
        Speech, models.CASCADE, null=True, blank=True, related_name="notices"
    )
    key = models.CharField(max_length=100, unique=True)  # prevents duplicates
    # Encrypted JSON with data for the email that is not stored elsewhere.
    details = models.TextField(blank=True, editable=False)
    dropped_for = models.CharField(
        max_length=10, choices=DroppedFor, default=DroppedFor.NOTHING, blank=True
    )
    # The time of the daily email that the notice belongs to. Notices with the same time form one
    # email.
    daily_at = models.DateTimeField(null=True, blank=True)
    # Whether the email is sent in any case, because the reader or an operator has requested it
    # again.
    is_insisted_on = models.BooleanField(default=False)
    # The path of the page with the news, and whether the reader has not yet looked at that page.
    # The bell counts unread notices, even those that are not emailed. Notices by earlier releases
    # count as read.
    path = models.CharField(max_length=400, blank=True, db_default="")
    is_unread = models.BooleanField(default=True, db_default=False)

    class Meta:
        constraints = [
            one_of("status", OutboxStatus, name="notice_status"),
            one_of("dropped_for", DroppedFor, name="notice_dropped_for"),
            check("notice_said_what", exactly_one_of(Q(kind="said"), Q(speech__isnull=True))),
            check("notice_sent_at", ~Q(status="sent") | Q(sent_at__isnull=False)),
            check("notice_turn_of_a_duel", Q(duel__isnull=False) | Q(turn__isnull=True)),
        ]
        indexes = [
            partial_index("notice_to_send", "due_at", rows=Q(status="queued")),
            # Notices about chat messages, to find where the next notice starts.
            partial_index("notice_said", "wizard", "duel", "speech", rows=Q(kind="said")),
            partial_index("notice_stuck", "claimed_at", rows=Q(status="sending")),
            # A wizard's latest notices.
            models.Index("wizard", F("created_at").desc(), name="notice_told"),
            models.Index(fields=["wizard"], name="notice_unread", condition=Q(is_unread=True)),
            # Notices that can be pruned, oldest first.
            partial_index("notice_finished", "created_at", rows=Q(status__in=FINISHED_STATUSES)),
        ]

    # Set by `loading.reader_of`.
    reader: "Reader | None" = None

    def __str__(self) -> str:
        return f"notice {self.pk}"

    @property
    def the_duel(self) -> Duel:
        """The duel, for notices that always have one."""
        assert self.duel is not None, f"a notice {self.kind} belongs to a duel"
        return self.duel


DEFAULT_HOUR = 8


class MailChoice(models.Model):
    """A wizard's preferences for emails. Without a row, all emails are sent at once."""

    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="mail_choice")
    when = models.CharField(max_length=5, choices=EmailTiming, default=EmailTiming.EVERY)
    # The hour of the daily email, in local time.
    hour = models.PositiveSmallIntegerField(default=DEFAULT_HOUR)
    # Whether to send news even if the wizard is on the site or has read it there.
    though_here = models.BooleanField(default=False)
    # Whether to send chat messages written between turns.
    words = models.BooleanField(default=False)
    # Whether to send news about followed wizards and duels.
    followed = models.BooleanField(default=False, db_default=False)
    # Whether to send private messages.
    messages = models.BooleanField(default=True, db_default=True)

    class Meta:
        constraints = [
            one_of("when", EmailTiming, name="mail_choice_when"),
            check("mail_choice_hour", Q(hour__lte=23)),
        ]

    def __str__(self) -> str:
        return f"emails to {self.wizard_id}: {self.when}"


class DuelMailChoice(models.Model):
    """A wizard's preference for emails about one duel, if it differs from the one for all duels."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="duel_mail_choices")
    duel = models.ForeignKey(Duel, models.CASCADE, related_name="mail_choices")
    when = models.CharField(max_length=5, choices=EmailTiming)

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "duel", name="duel_mail_choice_once"),
            one_of("when", EmailTiming, name="duel_mail_choice_when"),
        ]

    def __str__(self) -> str:
        return f"emails to {self.wizard_id} in duel {self.duel_id}: {self.when}"


class GuestAddress(models.Model):
    """The email address that a guest has entered. Until its owner confirms it, only the request for
    confirmation is sent there."""

    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="guest_address")
    address = models.EmailField()
    asked_at = models.DateTimeField()
    confirmed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "guest addresses"

    def __str__(self) -> str:
        return f"the address of guest {self.wizard_id}"


class SilencedFor(models.TextChoices):
    """The reason why no emails are sent to an address."""

    REFUSAL = "refusal", "its server says that it does not exist"
    BOUNCE = "bounce", "an email bounced"
    COMPLAINT = "complaint", "an email was reported as unwanted"


class SilencedAddress(models.Model):
    """An address that gets no emails, because it does not work or its owner objects."""

    address = models.EmailField()
    since = models.DateTimeField()
    cause = models.CharField(max_length=9, choices=SilencedFor, default=SilencedFor.REFUSAL)
    answer = models.CharField(max_length=20, blank=True)  # the server's codes, such as "550 5.1.1"
    # The time when the address was turned on again. Earlier bounces no longer count.
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("address"), name="silenced_address_once"),
            one_of("cause", SilencedFor, name="silenced_address_cause"),
        ]
        verbose_name_plural = "silenced addresses"

    def __str__(self) -> str:
        return f"silenced address {self.pk}"


class UnclearBounce(models.Model):
    """An email that bounced without a clear reason. Several such bounces turn the address off."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="unclear_bounces")
    address = models.EmailField()
    email = models.CharField(max_length=255)  # id of the notice, or the service's id of the email
    sent_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "email", name="unclear_bounce_once"),
        ]

    def __str__(self) -> str:
        return f"unclear bounce {self.pk}"


@dataclass(frozen=True)
class Reader:
    """A notice's reader: their address and preferences, and the seats of the duel."""

    wizard_id: int
    address: str  # "" if no emails can be sent
    choice: MailChoice
    duel_choice: EmailTiming | None  # preference for this duel, or None
    seats: tuple[Seat, ...]  # the duel's seats with wizards, in order of place

    @property
    def seat(self) -> Seat | None:
        """The reader's own seat, or None."""
        return next((seat for seat in self.seats if seat.wizard_id == self.wizard_id), None)

    @property
    def own_seat(self) -> Seat:
        """The reader's own seat. It must exist."""
        assert self.seat is not None, f"wizard {self.wizard_id} sits in the duel"
        return self.seat

    @property
    def others(self) -> list[str]:
        """The names of the other wizards, in order of place."""
        return [seat.wizard.name for seat in self.seats if seat.wizard_id != self.wizard_id]
