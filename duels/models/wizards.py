"""Models for wizards, which are players' personas, from the sign-up to the closing of accounts."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

from duels.clocks.vacation import MAX_SAVED_VACATION, Savings, Vacation, initial_savings
from duels.models.accounts import User
from duels.models.constraints import check, exactly_one_of, one_of, partial_index

MAX_SUSPENSION_REASON_LENGTH = 1000
MAX_ABOUT_LENGTH = 200


class Pronouns(models.TextChoices):
    """A wizard's pronouns in reports (the game's `:m`, `:f`, `:n`, `:x`)."""

    HE = "he", "he / him"
    SHE = "she", "she / her"
    THEY = "they", "they / them"
    IT = "it", "it / its"


class WizardKind(models.TextChoices):
    PLAYER = "player", "a player"
    GUEST = "guest", "a guest"  # plays without an account, tied to a browser
    PRACTICE = "practice", "the practice opponent"


HUMAN_KINDS = (WizardKind.PLAYER, WizardKind.GUEST)


class Wizard(models.Model):
    """A player's persona. If the user is deleted, the duels remain, under a neutral name."""

    kind = models.CharField(max_length=8, choices=WizardKind, default=WizardKind.PLAYER)
    user = models.OneToOneField(User, models.SET_NULL, null=True, related_name="wizard")
    name = models.CharField(max_length=24)
    slug = models.SlugField(max_length=48, unique=True, allow_unicode=True)
    # Identical for names that look alike (`duels.accounts.names.confusable_skeleton`).
    skeleton = models.CharField(max_length=96, unique=True)
    pronouns = models.CharField(max_length=4, choices=Pronouns, default=Pronouns.THEY)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    # The wizard's line about themselves, and the last day (UTC) on which they used the site, which
    # is stored only if they let others see it.
    about = models.CharField(max_length=MAX_ABOUT_LENGTH, blank=True, default="", db_default="")
    shows_last_seen = models.BooleanField(default=False, db_default=False)
    seen_on = models.DateField(null=True, blank=True)
    # Preferences (`duels.accounts.preferences`) that differ from the defaults.
    preferences = models.JSONField(default=dict, blank=True)
    # SHA-256 of the guest's browser token, and the time when the guest expires.
    guest_key = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    kept_until = models.DateTimeField(null=True, blank=True)
    # The vacation time saved when a vacation last started or ended
    # (`duels.clocks.vacation.Savings`), or None before the first one. The last two columns contain
    # the current vacation.
    vacation_saved = models.DurationField(null=True, blank=True)
    vacation_counted_at = models.DateTimeField(null=True, blank=True)
    vacation_began_at = models.DateTimeField(null=True, blank=True)
    vacation_ends_at = models.DateTimeField(null=True, blank=True)

    # Restrictions imposed by a referee: chat locked in all duels, and a suspension with its end
    # (None if it is permanent) and reason.
    speech_locked_at = models.DateTimeField(null=True, blank=True)
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_until = models.DateTimeField(null=True, blank=True)
    suspended_for = models.CharField(max_length=MAX_SUSPENSION_REASON_LENGTH, blank=True)

    class Meta:
        ordering = ("name",)
        constraints = [
            one_of("kind", WizardKind, name="wizard_kind"),
            check(
                "wizard_guest_has_key", exactly_one_of(Q(kind="guest"), Q(guest_key__isnull=True))
            ),
            check(
                "wizard_guest_is_kept_until",
                exactly_one_of(Q(kind="guest"), Q(kept_until__isnull=True)),
            ),
            check("wizard_user_is_player", Q(kind="player") | Q(user__isnull=True)),
            models.UniqueConstraint(
                "kind", name="wizard_one_practice", condition=Q(kind="practice")
            ),
            models.UniqueConstraint(Lower("name"), name="wizard_name_unique"),
            check("wizard_name_given", ~Q(name="")),
            one_of("pronouns", Pronouns, name="wizard_pronouns"),
            check("wizard_closed_has_no_user", Q(closed_at__isnull=True) | Q(user__isnull=True)),
            check(
                "wizard_vacation_saved",
                Q(vacation_saved__isnull=True, vacation_counted_at__isnull=True)
                | Q(
                    vacation_saved__isnull=False,
                    vacation_saved__gte=timedelta(0),
                    vacation_saved__lte=MAX_SAVED_VACATION,
                    vacation_counted_at__isnull=False,
                ),
            ),
            check(
                "wizard_vacation",
                Q(vacation_began_at__isnull=True, vacation_ends_at__isnull=True)
                | Q(
                    vacation_began_at__isnull=False,
                    vacation_ends_at__isnull=False,
                    vacation_ends_at__gt=F("vacation_began_at"),
                    vacation_counted_at__isnull=False,
                    kind="player",
                    closed_at__isnull=True,
                ),
            ),
            check(
                "wizard_suspended_for_a_reason",
                Q(suspended_at__isnull=False) & ~Q(suspended_for="")
                | Q(suspended_at__isnull=True, suspended_until__isnull=True, suspended_for=""),
            ),
        ]
        indexes = [
            # Expired guests.
            partial_index("wizard_guest", "kept_until", rows=Q(kind="guest")),
            # Lists of wizards by name.
            partial_index(
                "wizard_listed",
                "slug",
                rows=Q(kind__in=["player", "practice"], closed_at__isnull=True),
            ),
            # Current vacations, including those that are due to end.
            partial_index(
                "wizard_on_vacation", "vacation_ends_at", rows=Q(vacation_ends_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_guest(self) -> bool:
        """Whether this is a guest, who has no profile page."""
        return self.kind == WizardKind.GUEST

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None

    def is_suspended_at(self, now: datetime) -> bool:
        if self.suspended_at is None:
            return False
        return self.suspended_until is None or now < self.suspended_until

    @property
    def savings(self) -> Savings:
        """The vacation days that this wizard has saved."""
        if self.vacation_saved is None or self.vacation_counted_at is None:
            return initial_savings(self.created_at)
        return Savings(self.vacation_saved, self.vacation_counted_at)

    @property
    def vacation(self) -> Vacation | None:
        """This wizard's current vacation, or None."""
        if self.vacation_began_at is None or self.vacation_ends_at is None:
            return None
        return Vacation(self.vacation_began_at, self.vacation_ends_at)


class Block(models.Model):
    """A block: the wizard does not receive challenges or messages from another wizard."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Wizard, models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "blocked", name="block_unique"),
            check("block_another", ~Q(wizard=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"{self.wizard} blocks {self.blocked}"


class Mute(models.Model):
    """A mute: another wizard's messages are hidden from the wizard. Nobody else can see this."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(Wizard, models.CASCADE, related_name="muted_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "muted", name="mute_unique"),
            check("mute_another", ~Q(wizard=F("muted"))),
        ]

    def __str__(self) -> str:
        return f"{self.wizard} mutes {self.muted}"


class AccountClosing(models.Model):
    """A request to close an account, stored until the account is completely closed.

    Once the wizard has left all duels, the user is deleted. The wizard's name is then replaced in
    their duels, in order of the duels' ids.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, related_name="closing")
    wizard = models.OneToOneField(Wizard, models.CASCADE, related_name="closing")
    begun_at = models.DateTimeField()
    renamed_up_to = models.BigIntegerField(default=0)  # last duel with the new name

    def __str__(self) -> str:
        return f"the closing of wizard {self.wizard_id}"


class WizardWish(models.Model):
    """The wizard to create once the user's address is verified. The name is not reserved."""

    user = models.OneToOneField(User, models.CASCADE, related_name="wizard_wish")
    name = models.CharField(max_length=24)
    pronouns = models.CharField(max_length=4, choices=Pronouns, default=Pronouns.THEY)

    class Meta:
        constraints = [one_of("pronouns", Pronouns, name="wizard_wish_pronouns")]

    def __str__(self) -> str:
        return f"the wish of user {self.user_id}"
