"""A duel from its challenge to its end."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from duels.clock import THREE_DAYS, Pace
from duels.models.constraints import either, one_of
from duels.models.wizards import Wizard

SMALLEST_DUEL = 2
LARGEST_DUEL = 8
WORDS_LENGTH = 200
NAME_LENGTH = 40
PACE_LENGTH = 60
PACE_TEXT = r"^(none|[1-9][0-9]{2,6}|daily [0-9]{2}:[0-9]{2} .+)$"
MOST_EXCUSES = 5
USUAL_EXCUSES = 2


class Visibility(models.TextChoices):
    """Who may watch a duel while it runs, and read it afterwards."""

    PUBLIC = "public", "everybody may watch"
    PRIVATE = "private", "only its wizards"


class DuelStatus(models.TextChoices):
    GATHERING = "gathering", "gathering"
    LAPSED = "lapsed", "ended without a duel"  # a challenge
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    OVER = "over", "over"
    ANNULLED = "annulled", "annulled"


class Ended(models.TextChoices):
    """How it came to its end; of a challenge, why no duel came of it."""

    NOT = "", "not ended"
    RULES = "rules", "by the rules"
    RESIGNED = "resigned", "by resigning"
    AGREED = "agreed", "by agreement"
    TIME = "time", "by time"  # the time of all others but one ran out
    CLAIMED = "claimed", "by a claim"  # somebody did not wait any longer for the absent
    ABANDONED = "abandoned", "abandoned"  # nobody was there any more
    REMOVED = "removed", "by a referee, who removed somebody"
    DECLARED = "declared", "by a referee, who declared the result"
    ANNULLED = "annulled", "annulled"
    WITHDRAWN = "withdrawn", "withdrawn"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"


# The `link_format` of duels whose links cover all of a turn, and of those whose first link says
# besides that all salts follow from the seed.
WHOLE_TURNS = 2
SALTS_BY_SEED = 3
PRACTICE = "practice"  # a duel's `lesson`: against the practice opponent, and nothing is taught


class Duel(models.Model):
    """A duel from its challenge to its end. A challenge is a duel that is still gathering."""

    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=list, blank=True)  # names of options: ["strict"]
    size = models.PositiveSmallIntegerField(default=SMALLEST_DUEL)
    # How long each wizard has for a turn (`duels.clock.Pace` as text), and how often each may be
    # late before default orders are played.
    pace = models.CharField(max_length=PACE_LENGTH, default=str(THREE_DAYS))
    excuses = models.PositiveSmallIntegerField(default=USUAL_EXCUSES)
    # Since when all its clocks stand, as its wizards have agreed. Orders can be sealed meanwhile.
    paused_at = models.DateTimeField(null=True, blank=True)
    # Since when it stands because of a dispute, and by a referee: its clocks stand, and no turn is
    # played, though orders can be sealed.
    halted_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    # Likewise: since when it waits for the operator, whose release plays its ruleset otherwise.
    held_at = models.DateTimeField(null=True, blank=True)
    # Since when nobody speaks in it between turns, or with one, by a referee.
    speech_locked_at = models.DateTimeField(null=True, blank=True)
    last_act = models.PositiveIntegerField(default=0)  # the ordinal of a referee's last act on it
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    words = models.CharField(max_length=WORDS_LENGTH, blank=True)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)  # what its challenger calls it
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
    # After which of its roll backs that seed came: 0 from the beginning. And the seeds before it,
    # which lie open since an end that was taken back, as `duels.seeds` states them.
    seed_roll_backs = models.PositiveIntegerField(default=0)
    past_seeds = models.JSONField(default=list, blank=True, editable=False)
    recorded_draws = models.JSONField(null=True, blank=True, editable=False)
    # What its links cover. Of format 1, the first, a record makes those of its turns anew.
    link_format = models.PositiveSmallIntegerField(default=SALTS_BY_SEED)
    final_position = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            one_of("status", DuelStatus, name="duel_status"),
            models.CheckConstraint(condition=Q(pace__regex=PACE_TEXT), name="duel_pace"),
            models.CheckConstraint(condition=Q(excuses__lte=MOST_EXCUSES), name="duel_excuses"),
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
            models.Index(
                "paused_at",
                name="duel_paused",
                condition=Q(status="running", paused_at__isnull=False),
            ),
            models.Index("expires_at", name="duel_gathering", condition=Q(status="gathering")),
            models.Index(
                F("created_at").desc(),
                F("id").desc(),
                name="duel_open",
                condition=Q(status="gathering", open=True),
            ),
            # Duels that everybody may watch, and those that everybody may read.
            models.Index(
                F("started_at").desc(),
                F("id").desc(),
                name="duel_to_watch",
                condition=Q(status="running", visibility="public"),
            ),
            models.Index(
                F("ended_at").desc(),
                F("id").desc(),
                name="duel_to_read",
                condition=Q(status="over", visibility="public"),
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
    def is_halted(self) -> bool:
        """Whether no turn of it is played for now: because of a dispute, by a referee, or because
        it waits for the operator."""
        return any((self.halted_at, self.stopped_at, self.held_at))

    @property
    def pace_words(self) -> str:
        """The pace as people say it: "three days for each turn"."""
        return Pace.parse(self.pace).words

    @property
    def is_practice(self) -> bool:
        """Whether it is against the practice opponent: private, without mails, draws, markers."""
        return self.lesson != ""
