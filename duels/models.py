"""The rows of the application. The database refuses what it can refuse.

Rows are fields, constraints and cheap properties: `commands` writes them, `queries` reads them.
Positions and events are the engine's own JSON (`engine.dump`); only `adjudication` looks inside.
"""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower

SMALLEST_DUEL = 2
LARGEST_DUEL = 8
WORDS_LENGTH = 200
SPEECH_LENGTH = 500


class UserManager(BaseUserManager["User"]):
    """Makes users who are known by their e-mail address alone."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractUser):
    """Somebody who can sign in. The e-mail address is the login and is shown to nobody."""

    username = None  # type: ignore[assignment]  # removing a field is how Django spells it
    first_name = None  # type: ignore[assignment]  # likewise
    last_name = None  # type: ignore[assignment]  # likewise
    email = models.EmailField("e-mail address")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]  # makes them by e-mail

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_unique",
                violation_error_message="A user with this e-mail address exists already.",
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.pk}"


def one_of(field: str, choices: type[models.TextChoices], *, name: str) -> models.CheckConstraint:
    """A constraint: the field holds one of the choices, whoever writes it."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": choices.values}), name=name)


def either(one: Q, other: Q) -> Q:
    """One of the two and not both."""
    return (one & ~other) | (~one & other)


class Pronouns(models.TextChoices):
    """How the reports speak of a wizard (the game's `:m`, `:f`, `:n`, `:x`)."""

    HE = "he", "he / him"
    SHE = "she", "she / her"
    THEY = "they", "they / them"
    IT = "it", "it / its"


class WizardKind(models.TextChoices):
    PLAYER = "player", "a player"
    GUEST = "guest", "a guest"  # whoever tries the game without an account: belongs to a browser
    PRACTICE = "practice", "the practice opponent"


class Wizard(models.Model):
    """A player's persona. It outlives its user: duels remain, under a neutral name."""

    kind = models.CharField(max_length=8, choices=WizardKind, default=WizardKind.PLAYER)
    user = models.OneToOneField(User, models.SET_NULL, null=True, related_name="wizard")
    name = models.CharField(max_length=24)
    slug = models.SlugField(max_length=48, unique=True, allow_unicode=True)
    # What the name looks like (`duels.names.skeleton`): two names that look alike share it.
    skeleton = models.CharField(max_length=96, unique=True)
    pronouns = models.CharField(max_length=4, choices=Pronouns, default=Pronouns.THEY)
    created_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    # How he likes to read (`duels.preferences`): only what differs from the defaults.
    preferences = models.JSONField(default=dict, blank=True)
    # SHA-256 of what a guest's browser holds, and until when his duels are kept.
    guest_key = models.CharField(max_length=64, unique=True, null=True, blank=True, editable=False)
    kept_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("name",)
        constraints = [
            one_of("kind", WizardKind, name="wizard_kind"),
            models.CheckConstraint(
                condition=either(Q(kind="guest"), Q(guest_key__isnull=True)),
                name="wizard_guest_has_key",
            ),
            models.CheckConstraint(
                condition=either(Q(kind="guest"), Q(kept_until__isnull=True)),
                name="wizard_guest_is_kept_until",
            ),
            models.CheckConstraint(
                condition=Q(kind="player") | Q(user__isnull=True), name="wizard_user_is_player"
            ),
            models.UniqueConstraint(
                "kind", name="wizard_one_practice", condition=Q(kind="practice")
            ),
            models.UniqueConstraint(Lower("name"), name="wizard_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="wizard_name_given"),
            one_of("pronouns", Pronouns, name="wizard_pronouns"),
            models.CheckConstraint(
                condition=Q(closed_at__isnull=True) | Q(user__isnull=True),
                name="wizard_closed_has_no_user",
            ),
        ]
        indexes = [
            # Guests whose time has come.
            models.Index("kept_until", name="wizard_guest", condition=Q(kind="guest")),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None


class Block(models.Model):
    """A wizard wants neither challenges nor words from another one."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(Wizard, models.CASCADE, related_name="blocked_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "blocked", name="block_unique"),
            models.CheckConstraint(condition=~Q(wizard=F("blocked")), name="block_another"),
        ]

    def __str__(self) -> str:
        return f"{self.wizard} blocks {self.blocked}"


class Mute(models.Model):
    """A wizard does not want to read what another one says. Nobody else notices."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="mutes")
    muted = models.ForeignKey(Wizard, models.CASCADE, related_name="muted_by")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint("wizard", "muted", name="mute_unique"),
            models.CheckConstraint(condition=~Q(wizard=F("muted")), name="mute_another"),
        ]

    def __str__(self) -> str:
        return f"{self.wizard} mutes {self.muted}"


class Pace(models.TextChoices):
    """How soon orders are expected. Stored and shown; nothing acts on it yet."""

    LIVE = "live", "at one sitting"
    DAY = "day", "a day for each turn"
    THREE_DAYS = "three_days", "three days for each turn"
    WEEK = "week", "a week for each turn"
    UNHURRIED = "unhurried", "no hurry"


class Visibility(models.TextChoices):
    """Who may watch a duel while it runs, and read it afterwards."""

    PUBLIC = "public", "everybody may watch"
    PRIVATE = "private", "only its wizards"


class DuelStatus(models.TextChoices):
    GATHERING = "gathering", "gathering"
    LAPSED = "lapsed", "came to nothing"  # a challenge that never became a duel
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    OVER = "over", "over"
    ANNULLED = "annulled", "annulled"


class Ended(models.TextChoices):
    """How it came to its end; of a challenge, how it came to nothing."""

    NOT = "", "not ended"
    RULES = "rules", "by the rules"
    RESIGNED = "resigned", "by resigning"
    AGREED = "agreed", "by agreement"
    ANNULLED = "annulled", "annulled"
    WITHDRAWN = "withdrawn", "withdrawn"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"


PRACTICE = "practice"  # a duel's `lesson`: against the practice opponent, and nothing is taught


class Duel(models.Model):
    """A duel from its challenge to its end. A challenge is a duel that is still gathering."""

    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=list, blank=True)  # names of options: ["strict"]
    size = models.PositiveSmallIntegerField(default=SMALLEST_DUEL)
    pace = models.CharField(max_length=12, choices=Pace, default=Pace.UNHURRIED)
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    words = models.CharField(max_length=WORDS_LENGTH, blank=True)
    challenger = models.ForeignKey(Wizard, models.PROTECT, related_name="challenges")
    # Free places: taken by anybody when open, by whoever has the link when there is a token.
    open = models.BooleanField(default=False)
    token = models.CharField(max_length=43, unique=True, null=True, blank=True)  # NULLs may repeat
    rematch_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematches"
    )
    # What the practice opponent plays in it: a guided duel (`duels.lessons`), or `PRACTICE`; empty
    # between players. And the engine's setup that it began from, if it did.
    lesson = models.CharField(max_length=20, blank=True)
    setup = models.JSONField(null=True, blank=True, editable=False)

    status = models.CharField(max_length=10, choices=DuelStatus, default=DuelStatus.GATHERING)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=10, choices=Ended, default=Ended.NOT, blank=True)
    result = models.CharField(max_length=4, blank=True)  # "w0"… the winner's place, "draw", ""

    # The dice: a seed (encrypted until the duel is over) or draws by label. Only code sets draws.
    seed = models.TextField(blank=True, editable=False)
    seed_commitment = models.CharField(max_length=64, blank=True)
    recorded_draws = models.JSONField(null=True, blank=True, editable=False)
    final_position = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            one_of("status", DuelStatus, name="duel_status"),
            one_of("pace", Pace, name="duel_pace"),
            one_of("visibility", Visibility, name="duel_visibility"),
            one_of("ended", Ended, name="duel_ended"),
            models.CheckConstraint(
                condition=Q(size__gte=SMALLEST_DUEL, size__lte=LARGEST_DUEL), name="duel_size"
            ),
            models.CheckConstraint(condition=~Q(ruleset=""), name="duel_ruleset_given"),
            models.CheckConstraint(
                condition=either(
                    Q(status__in=["gathering", "lapsed"]), Q(started_at__isnull=False)
                ),
                name="duel_started_or_gathering",
            ),
            models.CheckConstraint(
                condition=either(
                    Q(status__in=["lapsed", "over", "annulled"]), Q(ended_at__isnull=True)
                ),
                name="duel_ended_at_its_end",
            ),
            models.CheckConstraint(
                condition=either(Q(ended_at__isnull=True), ~Q(ended="")), name="duel_ended_somehow"
            ),
            models.CheckConstraint(
                condition=~Q(status="over") | ~Q(result=""), name="duel_over_has_result"
            ),
        ]
        indexes = [
            models.Index("expires_at", name="duel_gathering", condition=Q(status="gathering")),
            models.Index(
                "visibility",
                F("started_at").desc(),
                name="duel_running",
                condition=Q(status="running"),
            ),
            models.Index(
                "visibility", F("ended_at").desc(), name="duel_over", condition=Q(status="over")
            ),
        ]

    def __str__(self) -> str:
        return f"duel {self.pk}"

    @property
    def is_over(self) -> bool:
        """Whether everything about it is open now."""
        return self.status in (DuelStatus.OVER, DuelStatus.ANNULLED)

    def was_over_at(self, moment: datetime) -> bool:
        """Whether it had ended by then."""
        return self.ended_at is not None and moment >= self.ended_at

    @property
    def is_practice(self) -> bool:
        """Whether it is against the practice opponent: private, without mails, draws, markers."""
        return self.lesson != ""


class Outcome(models.TextChoices):
    NONE = "", "still in it"
    WON = "won", "won"
    DREW = "drew", "drew"
    LOST = "lost", "lost"
    RESIGNED = "resigned", "resigned"


class Seat(models.Model):
    """A wizard in a duel. Its place is drawn by lot when the duel starts: `w0`, `w1` …"""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="seats")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="seats")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    invited_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.NONE, blank=True)
    # Whether the open turn waits for this wizard's seal.
    awaited = models.BooleanField(default=False)
    awaited_since = models.DateTimeField(null=True, blank=True)
    # The turn in which this wizard offered a draw; the offer stands until the next turn is over.
    draw_offered_in = models.PositiveIntegerField(null=True, blank=True)
    # How far this wizard has read: the last turn whose report, and the last speech, he has seen.
    read_turn = models.PositiveIntegerField(default=0)  # its ordinal
    read_speech = models.BigIntegerField(default=0)  # its primary key

    class Meta:
        ordering = ("place", "pk")
        constraints = [
            models.UniqueConstraint("duel", "wizard", name="seat_wizard_once"),
            models.UniqueConstraint("duel", "place", name="seat_place_once"),
            one_of("outcome", Outcome, name="seat_outcome"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(place__lt=LARGEST_DUEL), name="seat_place"
            ),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(accepted_at__isnull=False),
                name="seat_placed_has_accepted",
            ),
            models.CheckConstraint(
                condition=Q(awaited=False)
                | Q(place__isnull=False, outcome="", awaited_since__isnull=False),
                name="seat_awaited_is_playing",
            ),
        ]
        indexes = [
            # Duels waiting for me.
            models.Index("wizard", "awaited_since", name="seat_awaited", condition=Q(awaited=True)),
            # Duels and challenges that I am still in.
            models.Index("wizard", name="seat_playing", condition=Q(outcome="")),
        ]

    def __str__(self) -> str:
        return f"seat {self.pk} of duel {self.duel_id}"

    @property
    def code(self) -> str:
        """The engine's id of the wizard who sits here; empty before the start."""
        return "" if self.place is None else f"w{self.place}"

    def offers_draw_in(self, ordinal: int) -> bool:
        """Whether this wizard's offer of a draw stands in that turn."""
        return self.draw_offered_in is not None and ordinal - self.draw_offered_in <= OFFER_STANDS


class Marker(models.Model):
    """A marker that the winner of a duel took of another wizard. Those held are a rank. R114"""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="markers")
    bears = models.ForeignKey(Wizard, models.PROTECT, related_name="markers_lost")  # whose name
    holder = models.ForeignKey(Wizard, models.PROTECT, related_name="markers")  # who won it
    won_at = models.DateTimeField()
    # When, and dying in which duel, the holder gave it back.
    returned_at = models.DateTimeField(null=True, blank=True)
    returned_in = models.ForeignKey(
        Duel, models.SET_NULL, null=True, blank=True, related_name="markers_returned"
    )

    class Meta:
        ordering = ("won_at", "pk")
        constraints = [
            models.UniqueConstraint("duel", "bears", name="marker_once"),
            models.CheckConstraint(condition=~Q(bears=F("holder")), name="marker_of_another"),
            models.CheckConstraint(
                condition=Q(returned_in__isnull=True) | Q(returned_at__isnull=False),
                name="marker_returned_at",
            ),
        ]
        indexes = [
            models.Index("holder", name="marker_held", condition=Q(returned_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"marker {self.pk} of duel {self.duel_id}"


class Stage(models.TextChoices):
    """Where a turn stands, and which part of it some orders belong to."""

    ORDERS = "orders", "orders"
    ANSWERS = "answers", "answers"
    RESOLVED = "resolved", "resolved"
    VOID = "void", "not played"  # the duel ended before it, by agreement


# Stages in which a turn waits for somebody.
OPEN_STAGES = (Stage.ORDERS, Stage.ANSWERS)
# An offer of a draw stands for the turn in which it was made and the next one.
OFFER_STANDS = 1


class TurnKind(models.TextChoices):
    NORMAL = "normal", "normal"
    HASTE = "haste", "haste"
    EXTRA = "extra", "extra"


class Turn(models.Model):
    """One turn of a duel. `position` is what it starts from; `events` what has happened in it."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField()  # counts every turn
    number = models.PositiveIntegerField()  # as the players count: extra turns share one
    kind = models.CharField(max_length=6, choices=TurnKind, default=TurnKind.NORMAL)
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)  # rounds of questions asked so far
    position = models.JSONField(editable=False)
    events = models.JSONField(null=True, blank=True, editable=False)
    resigned = models.JSONField(default=list, blank=True)  # places that resigned in it, in order
    questions = models.JSONField(default=list, blank=True, editable=False)  # the open batch
    # How many seals are missing. A hint for the sweep: `resolve_turn` counts again.
    missing = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    chain = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)  # failed ones
    last_error = models.TextField(blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("duel", "ordinal")
        constraints = [
            models.UniqueConstraint("duel", "ordinal", name="turn_ordinal_once"),
            models.UniqueConstraint(
                "duel", name="turn_open_once", condition=Q(stage__in=["orders", "answers"])
            ),
            one_of("stage", Stage, name="turn_stage"),
            one_of("kind", TurnKind, name="turn_kind"),
            models.CheckConstraint(
                condition=Q(ordinal__gte=1, number__gte=1), name="turn_counts_from_one"
            ),
            models.CheckConstraint(
                condition=either(Q(stage__in=["orders", "answers"]), Q(closed_at__isnull=False)),
                name="turn_closed_at_its_end",
            ),
            models.CheckConstraint(
                condition=~Q(stage="resolved") | (Q(events__isnull=False) & ~Q(chain="")),
                name="turn_resolved_has_events",
            ),
        ]
        indexes = [
            # Turns that a lost message has left behind.
            models.Index(
                "opened_at",
                name="turn_complete",
                condition=Q(stage__in=["orders", "answers"], missing=0),
            ),
            models.Index("failed_at", name="turn_failed", condition=Q(failed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"turn {self.ordinal} of duel {self.duel_id}"

    @property
    def is_open(self) -> bool:
        return self.stage in OPEN_STAGES


class Source(models.TextChoices):
    PLAYER = "player", "the player"
    DEFAULT = "default", "the defaults"


class Orders(models.Model):
    """One seal: what a wizard has handed in for a stage of a turn.

    The body (fields and salts, `duels.seals`) is encrypted. A seal that is replaced stays, marked
    superseded; one that is taken back stays too, and is what a deadline would play.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="orders")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="orders")
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(editable=False)
    commitment = models.CharField(max_length=64)
    source = models.CharField(max_length=8, choices=Source, default=Source.PLAYER)
    sealed_at = models.DateTimeField()
    superseded = models.BooleanField(default=False)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "orders"
        ordering = ("turn", "seat", "stage", "batch", "pk")
        constraints = [
            models.UniqueConstraint(
                "turn",
                "seat",
                "stage",
                "batch",
                name="orders_live_once",
                condition=Q(superseded=False),
            ),
            models.CheckConstraint(
                condition=Q(stage="orders", batch=0) | Q(stage="answers", batch__gte=1),
                name="orders_stage",
            ),
            one_of("source", Source, name="orders_source"),
            models.CheckConstraint(
                condition=Q(commitment__regex=r"^[0-9a-f]{64}$"), name="orders_commitment"
            ),
        ]

    def __str__(self) -> str:
        return f"orders {self.pk} for turn {self.turn_id}"

    @property
    def is_sealed(self) -> bool:
        """Whether the turn need not wait for this wizard."""
        return not self.superseded and self.taken_back_at is None


class Draft(models.Model):
    """Orders that somebody has begun to write. Encrypted like orders; nobody waits for it."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="drafts")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="drafts")
    body = models.TextField(editable=False)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("turn", "seat", name="draft_once")]

    def __str__(self) -> str:
        return f"draft for turn {self.turn_id}"


class Speech(models.Model):
    """Words said in a duel between its turns, or after its end. Nobody edits them.

    What is said with a turn lies in its orders and is told by its report.
    """

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="speeches")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="speeches")
    ordinal = models.PositiveIntegerField()  # of the turn that was open, or of the last one
    words = models.CharField(max_length=SPEECH_LENGTH)
    said_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "speeches"
        ordering = ("duel", "pk")
        constraints = [
            models.CheckConstraint(condition=~Q(words=""), name="speech_says_something"),
        ]
        indexes = [
            models.Index("duel", F("id").desc(), name="speech_newest"),
            models.Index("wizard", "said_at", name="speech_rate"),
        ]

    def __str__(self) -> str:
        return f"speech {self.pk} in duel {self.duel_id}"


class NoticeKind(models.TextChoices):
    CHALLENGED = "challenged", "you were challenged"
    ACCEPTED = "accepted", "your challenge was accepted"
    DECLINED = "declined", "your challenge was declined"
    STARTED = "started", "the duel has begun"
    YOUR_TURN = "your_turn", "your turn"
    QUESTION = "question", "a question for you"
    DRAW_OFFERED = "draw_offered", "a draw was offered"
    OVER = "over", "the duel is over"


class NoticeStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    SENDING = "sending", "being sent"
    SENT = "sent", "sent"
    FAILED = "failed", "given up"
    DROPPED = "dropped", "nobody to send it to"


class Notice(models.Model):
    """A mail to be sent. Written with the change it tells of, delivered afterwards, once."""

    kind = models.CharField(max_length=12, choices=NoticeKind)
    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="notices")
    duel = models.ForeignKey(Duel, models.CASCADE, related_name="notices")
    turn = models.ForeignKey(Turn, models.CASCADE, null=True, blank=True, related_name="notices")
    about = models.ForeignKey(
        Wizard, models.SET_NULL, null=True, blank=True, related_name="notices_about"
    )
    key = models.CharField(max_length=100, unique=True)  # says it once, whoever says it
    status = models.CharField(max_length=8, choices=NoticeStatus, default=NoticeStatus.QUEUED)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()  # later after a failure
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True)

    class Meta:
        constraints = [
            one_of("kind", NoticeKind, name="notice_kind"),
            one_of("status", NoticeStatus, name="notice_status"),
            models.CheckConstraint(
                condition=~Q(status="sent") | Q(sent_at__isnull=False), name="notice_sent_at"
            ),
        ]
        indexes = [
            models.Index("due_at", name="notice_to_send", condition=Q(status="queued")),
            models.Index("claimed_at", name="notice_stuck", condition=Q(status="sending")),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk}"
