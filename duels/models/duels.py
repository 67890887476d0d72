"""Duels, from challenge to end."""

from datetime import datetime

from django.db import models
from django.db.models import F, Q

from duels.clocks.clock import THREE_DAYS, Pace
from duels.models.constraints import exactly_one_of, one_of
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
    """The people who can see a duel while it runs and when it is over."""

    PUBLIC = "public", "everyone can watch"
    PRIVATE = "private", "only its players"


class DuelStatus(models.TextChoices):
    GATHERING = "gathering", "gathering"
    LAPSED = "lapsed", "ended without a duel"  # a challenge
    RUNNING = "running", "running"
    PAUSED = "paused", "paused"
    OVER = "over", "over"
    ANNULLED = "annulled", "annulled"


class Ended(models.TextChoices):
    """The way in which a duel ended, or the reason why a challenge ended without a duel."""

    NOT = "", "not ended"
    RULES = "rules", "by the rules"
    RESIGNED = "resigned", "by resigning"
    AGREED = "agreed", "by agreement"
    TIME = "time", "by timeout"  # all wizards but one ran out of time
    CLAIMED = "claimed", "by a claim"  # a wizard claimed it because another was absent
    ABANDONED = "abandoned", "abandoned"  # nobody was left
    REMOVED = "removed", "by a referee, who removed a player"
    DECLARED = "declared", "by a referee, who declared the result"
    ANNULLED = "annulled", "annulled"
    WITHDRAWN = "withdrawn", "withdrawn"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"
    COUNTERED = "countered", "answered with other terms"


# Values of `link_format`. From `WHOLE_TURNS` on, links cover everything in a turn. From
# `SALTS_BY_SEED` on, the first link also states that all salts are derived from the seed. From
# `DICE_COVERED` on, the first link also covers the dice.
WHOLE_TURNS = 2
SALTS_BY_SEED = 3
DICE_COVERED = 4
PRACTICE = "practice"  # value of `lesson` for practice without a lesson


class Duel(models.Model):
    """A duel from its challenge to its end. A challenge is a duel that is still waiting for
    players."""

    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=list, blank=True)  # their names
    size = models.PositiveSmallIntegerField(default=SMALLEST_DUEL)
    # Each wizard's time for a turn (`duels.clocks.clock.Pace` as text), and how many extensions
    # they have before default orders are played.
    pace = models.CharField(max_length=PACE_LENGTH, default=str(THREE_DAYS))
    excuses = models.PositiveSmallIntegerField(default=USUAL_EXCUSES)
    # Start of a pause by agreement: all clocks are stopped, but orders can be sealed.
    paused_at = models.DateTimeField(null=True, blank=True)
    # Start of a pause because of a dispute, or by a referee: all clocks are stopped and no turn is
    # played, but orders can be sealed.
    halted_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    # Start of such a pause by a release that plays the duel's ruleset differently.
    held_at = models.DateTimeField(null=True, blank=True)
    # When a referee locked all messages in the duel, including messages with orders.
    speech_locked_at = models.DateTimeField(null=True, blank=True)
    last_act = models.PositiveIntegerField(default=0)  # the ordinal of the last act on the duel
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    words = models.CharField(max_length=WORDS_LENGTH, blank=True)
    name = models.CharField(max_length=NAME_LENGTH, blank=True)  # chosen by the challenger
    challenger = models.ForeignKey(Wizard, models.PROTECT, related_name="challenges")
    # If the duel is `open`, anyone can take a free place. If it has a `token`, anyone with the link
    # can.
    open = models.BooleanField(default=False)
    open_to_guests = models.BooleanField(default=False, db_default=False)  # if it is `open`
    # Whether the players agreed on a rated duel. It stays friendly if a guest takes part.
    rated = models.BooleanField(default=False, db_default=False)
    # Whether the site found the opponents, who were both open to duels.
    paired = models.BooleanField(default=False, db_default=False)
    token = models.CharField(max_length=43, unique=True, null=True, blank=True)  # or NULL
    rematch_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematches"
    )
    # The challenge that this one answers with other terms.
    counter_to = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="counters"
    )
    # The slug of a guided duel (`duels.lessons`), or `PRACTICE` for other practice duels. It is
    # empty in duels between players. `setup` is the engine's setup at the start, if any.
    lesson = models.CharField(max_length=20, blank=True)
    setup = models.JSONField(null=True, blank=True, editable=False)

    status = models.CharField(max_length=10, choices=DuelStatus, default=DuelStatus.GATHERING)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=10, choices=Ended, default=Ended.NOT, blank=True)
    result = models.CharField(max_length=4, blank=True)  # such as "w0", or "draw", or ""

    # The dice: a seed, which is encrypted until the duel is over, and sometimes draws by label. No
    # form can set draws, and they are used only if the duel began with them
    # (`duels.sealing.links.fixed_draws`).
    seed = models.TextField(blank=True, editable=False)
    seed_commitment = models.CharField(max_length=64, blank=True)
    # The number of rollbacks before this seed, and earlier seeds (see `duels.sealing.seeds`), which
    # became public when the duel ended the first time.
    seed_roll_backs = models.PositiveIntegerField(default=0)
    past_seeds = models.JSONField(default=list, blank=True, editable=False)
    recorded_draws = models.JSONField(null=True, blank=True, editable=False)
    # Version of the duel's links. For version 1, records recompute the links of turns.
    link_format = models.PositiveSmallIntegerField(default=DICE_COVERED)
    # The first link, computed when the duel starts. It is "" before, and in duels with an older
    # format.
    chain = models.CharField(max_length=64, default="", db_default="", blank=True)
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
                condition=exactly_one_of(
                    Q(status__in=["gathering", "lapsed"]), Q(started_at__isnull=False)
                ),
                name="duel_started_or_gathering",
            ),
            models.CheckConstraint(
                condition=exactly_one_of(
                    Q(status__in=["lapsed", "over", "annulled"]), Q(ended_at__isnull=True)
                ),
                name="duel_ended_at_its_end",
            ),
            models.CheckConstraint(
                condition=exactly_one_of(Q(ended_at__isnull=True), ~Q(ended="")),
                name="duel_ended_somehow",
            ),
            models.CheckConstraint(
                condition=~Q(status="over") | ~Q(result=""), name="duel_over_has_result"
            ),
            # Changes of ratings are public, and would reveal the result of a private duel.
            models.CheckConstraint(
                condition=Q(rated=False) | Q(visibility="public", lesson=""),
                name="duel_rated_is_public",
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
            # Public duels: first running duels, then finished ones.
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
        """Whether the duel has ended, so that everything in it can be shown."""
        return self.status in (DuelStatus.OVER, DuelStatus.ANNULLED)

    def was_over_at(self, moment: datetime) -> bool:
        """Return whether the duel had ended by that time."""
        return self.ended_at is not None and moment >= self.ended_at

    @property
    def is_halted(self) -> bool:
        """Whether a dispute, a referee or a release has paused the duel, so that no turn is
        played."""
        return any((self.halted_at, self.stopped_at, self.held_at))

    @property
    def pace_words(self) -> str:
        """The pace as text: "three days for each turn"."""
        return Pace.parse(self.pace).words

    @property
    def rated_words(self) -> str:
        return "rated" if self.rated else "friendly"

    @property
    def is_lesson(self) -> bool:
        return self.lesson not in ("", PRACTICE)

    @property
    def is_practice(self) -> bool:
        """Whether this is a private duel against the practice opponent, without emails or
        markers."""
        return self.lesson != ""
