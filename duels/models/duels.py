"""The model of duels, from the challenge to the end."""

from datetime import datetime

from django.db import models
from django.db.models import Q

from duels.clocks.clock import THREE_DAYS, Pace
from duels.models.constraints import check, exactly_one_of, one_of, partial_index
from duels.models.wizards import Wizard

MIN_WIZARDS = 2
MAX_WIZARDS = 8
MAX_WORDS_LENGTH = 200
MAX_DUEL_NAME_LENGTH = 40
MAX_PACE_LENGTH = 60
PACE_PATTERN = r"^(none|[1-9][0-9]{2,6}|daily [0-9]{2}:[0-9]{2} .+)$"
MAX_EXCUSES = 5
DEFAULT_EXCUSES = 2


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


class DuelEnding(models.TextChoices):
    """The way in which a duel ended, or the reason why a challenge ended without a duel."""

    NOT = "", "not ended"
    RULES = "rules", "by the rules"
    RESIGNED = "resigned", "by resigning"
    AGREED = "agreed", "by agreement"
    TIME = "time", "by timeout"  # all wizards but one ran out of time
    CLAIMED = "claimed", "by a claim"  # a wizard claimed the duel against an absent opponent
    ABANDONED = "abandoned", "abandoned"  # all wizards were absent
    REMOVED = "removed", "by a referee, who removed a player"
    DECLARED = "declared", "by a referee, who declared the result"
    ANNULLED = "annulled", "annulled"
    WITHDRAWN = "withdrawn", "withdrawn"
    DECLINED = "declined", "declined"
    EXPIRED = "expired", "expired"
    COUNTERED = "countered", "answered with other terms"


# Values of `link_format`. Since the first of these, links have covered everything in a turn. Since
# the second, the first link has also stated that all salts are derived from the seed. Since the
# third, the first link has also covered the dice.
VERSION_COVERING_TURNS = 2
VERSION_WITH_SALTS_BY_SEED = 3
VERSION_COVERING_DICE = 4
PRACTICE_LESSON = "practice"  # value of `lesson` for practice without a lesson


class Duel(models.Model):
    """A duel, from challenge to end. A challenge is a duel that is still waiting for players."""

    ruleset = models.CharField(max_length=40)
    options = models.JSONField(default=list, blank=True)  # their names
    size = models.PositiveSmallIntegerField(default=MIN_WIZARDS)
    # The time for each turn (`duels.clocks.clock.Pace` as text), and each wizard's number of
    # extensions before default orders are played for them.
    pace = models.CharField(max_length=MAX_PACE_LENGTH, default=str(THREE_DAYS))
    excuses = models.PositiveSmallIntegerField(default=DEFAULT_EXCUSES)
    # The time when the players paused the duel: all clocks are stopped, but orders can be sealed.
    paused_at = models.DateTimeField(null=True, blank=True)
    # The times when a dispute and a referee paused the duel: all clocks are stopped and no turn is
    # played, but orders can be sealed.
    halted_at = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    # The time when the duel was paused because this release plays its ruleset differently.
    held_at = models.DateTimeField(null=True, blank=True)
    # The time when a referee locked chat in the duel, including messages with orders.
    speech_locked_at = models.DateTimeField(null=True, blank=True)
    last_act = models.PositiveIntegerField(default=0)  # the ordinal of the last act on the duel
    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    words = models.CharField(max_length=MAX_WORDS_LENGTH, blank=True)
    name = models.CharField(max_length=MAX_DUEL_NAME_LENGTH, blank=True)  # chosen by the challenger
    challenger = models.ForeignKey(Wizard, models.PROTECT, related_name="challenges")
    # If the challenge is `open`, anyone can take a free place. If it has a `token`, anyone with the
    # link can.
    open = models.BooleanField(default=False)
    open_to_guests = models.BooleanField(default=False, db_default=False)  # for `open` ones
    # Whether the players agreed on a rated duel. If a guest takes part, ratings do not change.
    rated = models.BooleanField(default=False, db_default=False)
    # Whether the site paired the opponents, who were both open to duels.
    paired = models.BooleanField(default=False, db_default=False)
    token = models.CharField(max_length=43, unique=True, null=True, blank=True)  # or NULL
    rematch_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematches"
    )
    # The earlier challenge that this one answers with other terms.
    counter_to = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="counters"
    )
    # The slug of a lesson (`duels.lessons`), `PRACTICE` for other practice duels, or "" for duels
    # between players. `setup` is the engine's setup of the first turn, if the duel started from a
    # given position.
    lesson = models.CharField(max_length=20, blank=True)
    setup = models.JSONField(null=True, blank=True, editable=False)

    status = models.CharField(max_length=10, choices=DuelStatus, default=DuelStatus.GATHERING)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=10, choices=DuelEnding, default=DuelEnding.NOT, blank=True)
    result = models.CharField(max_length=4, blank=True)  # such as "w0" or "draw"

    # The dice: a seed, which is encrypted until the duel is over, and sometimes fixed draws by
    # label. No form can set fixed draws, and they are used only if the duel began with them
    # (`duels.sealing.links.draws_fixed_at_start`).
    seed = models.TextField(blank=True, editable=False)
    seed_commitment = models.CharField(max_length=64, blank=True)
    # The number of rollbacks before this seed, and earlier seeds, which became public when the duel
    # ended for the first time (`duels.sealing.seeds`).
    seed_roll_backs = models.PositiveIntegerField(default=0)
    past_seeds = models.JSONField(default=list, blank=True, editable=False)
    recorded_draws = models.JSONField(null=True, blank=True, editable=False)
    # Version of the links that chain the duel's turns. In version 1, records recompute the links.
    link_format = models.PositiveSmallIntegerField(default=VERSION_COVERING_DICE)
    # The first link, computed when the duel starts. It is "" before the start, and in duels with an
    # older format.
    chain = models.CharField(max_length=64, default="", db_default="", blank=True)
    final_position = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            one_of("status", DuelStatus, name="duel_status"),
            check("duel_pace", Q(pace__regex=PACE_PATTERN)),
            check("duel_excuses", Q(excuses__lte=MAX_EXCUSES)),
            one_of("visibility", Visibility, name="duel_visibility"),
            one_of("ended", DuelEnding, name="duel_ended"),
            check("duel_size", Q(size__gte=MIN_WIZARDS, size__lte=MAX_WIZARDS)),
            check("duel_ruleset_given", ~Q(ruleset="")),
            check(
                "duel_started_or_gathering",
                exactly_one_of(Q(status__in=["gathering", "lapsed"]), Q(started_at__isnull=False)),
            ),
            check(
                "duel_ended_at_its_end",
                exactly_one_of(
                    Q(status__in=["lapsed", "over", "annulled"]), Q(ended_at__isnull=True)
                ),
            ),
            check("duel_ended_somehow", exactly_one_of(Q(ended_at__isnull=True), ~Q(ended=""))),
            check("duel_over_has_result", ~Q(status="over") | ~Q(result="")),
            # Rating changes are public, so they would reveal the result of a private duel.
            check("duel_rated_is_public", Q(rated=False) | Q(visibility="public", lesson="")),
        ]
        indexes = [
            partial_index(
                "duel_paused", "paused_at", rows=Q(status="running", paused_at__isnull=False)
            ),
            partial_index("duel_gathering", "expires_at", rows=Q(status="gathering")),
            partial_index("duel_open", "-created_at", "-id", rows=Q(status="gathering", open=True)),
            # Public duels: this index has the running ones, the next one the finished ones.
            partial_index(
                "duel_to_watch", "-started_at", "-id", rows=Q(status="running", visibility="public")
            ),
            partial_index(
                "duel_to_read", "-ended_at", "-id", rows=Q(status="over", visibility="public")
            ),
        ]

    def __str__(self) -> str:
        return f"duel {self.pk}"

    @property
    def is_over(self) -> bool:
        """Whether the duel has ended. Then all of it can be shown."""
        return self.status in (DuelStatus.OVER, DuelStatus.ANNULLED)

    def was_over_at(self, moment: datetime) -> bool:
        """Return whether the duel had ended by that time."""
        return self.ended_at is not None and moment >= self.ended_at

    @property
    def is_halted(self) -> bool:
        """Whether a dispute, a referee or a release pauses the duel. Then no turn is played."""
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
        return self.lesson not in ("", PRACTICE_LESSON)

    @property
    def is_practice(self) -> bool:
        """Whether this is a duel against the practice opponent, without emails or markers."""
        return self.lesson != ""
