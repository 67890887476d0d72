"""Cases (disputes and reports), their notes and assignments, and the rulings on them."""

from django.db import models
from django.db.models import F, Q

from duels.models.accounts import User
from duels.models.constraints import check, exactly_one_of, one_of, partial_index
from duels.models.duels import Duel
from duels.models.speech import Speech
from duels.models.wizards import Wizard

MAX_CASE_WORDS_LENGTH = 2000
MAX_RULING_WORDS_LENGTH = 4000
MAX_RULE_LENGTH = 60
MAX_REFEREE_NAME_LENGTH = 40  # a referee's name is a wizard's name or "Referee 12"


class CaseKind(models.TextChoices):
    DISPUTE = "dispute", "dispute"  # the duel is paused while it is open
    REPORT = "report", "report"  # about a message or a name; clocks continue


class CaseCategory(models.TextChoices):
    RULE = "rule", "A rule was misplayed"
    DEADLINE = "deadline", "A deadline or a clock"
    CONDUCT = "conduct", "Conduct or messages"
    CHEATING = "cheating", "Cheating"
    NAME = "name", "A name"  # only for reports
    OTHER = "other", "Something else"


class CaseStatus(models.TextChoices):
    OPEN = "open", "waiting for a referee"
    CLAIMED = "claimed", "with a referee"
    RULED = "ruled", "ruled"
    APPEALED = "appealed", "waiting for another referee"
    CLOSED = "closed", "closed without a ruling"
    WITHDRAWN = "withdrawn", "withdrawn"


# Statuses of open cases. The duel of an open dispute is paused.
OPEN_STATUSES = (CaseStatus.OPEN, CaseStatus.CLAIMED, CaseStatus.APPEALED)
# Statuses in which the case waits for a referee to claim it.
UNCLAIMED_STATUSES = (CaseStatus.OPEN, CaseStatus.APPEALED)


class Case(models.Model):
    """A dispute about a duel, or a report about a message or a name.

    The id of a case is its public number. `round` is 2 during and after an appeal, otherwise 1.
    `referee` is the referee who holds the case.
    """

    kind = models.CharField(max_length=7, choices=CaseKind)
    duel = models.ForeignKey(Duel, models.PROTECT, null=True, blank=True, related_name="cases")
    ordinal = models.PositiveIntegerField(null=True, blank=True)  # ordinal of the disputed turn
    opened_by = models.ForeignKey(Wizard, models.PROTECT, related_name="cases")
    # The wizard that a report is about, and the text of the message or name at that time.
    about = models.ForeignKey(
        Wizard, models.PROTECT, null=True, blank=True, related_name="cases_about"
    )
    speech = models.ForeignKey(Speech, models.SET_NULL, null=True, blank=True, related_name="cases")
    quoted = models.TextField(blank=True)
    category = models.CharField(max_length=8, choices=CaseCategory)
    rule = models.CharField(max_length=MAX_RULE_LENGTH, blank=True)  # "R12", "spell:shield"
    words = models.TextField(max_length=MAX_CASE_WORDS_LENGTH)
    status = models.CharField(max_length=9, choices=CaseStatus, default=CaseStatus.OPEN)
    round = models.PositiveSmallIntegerField(default=1)
    referee = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="cases_held"
    )
    opened_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # time of the last ruling, or of closing

    class Meta:
        ordering = ("pk",)
        constraints = [
            one_of("kind", CaseKind, name="case_kind"),
            one_of("category", CaseCategory, name="case_category"),
            one_of("status", CaseStatus, name="case_status"),
            check(
                "case_dispute_of_a_turn",
                Q(kind="report") | Q(duel__isnull=False, ordinal__isnull=False),
            ),
            check(
                "case_report_about_somebody",
                exactly_one_of(Q(kind="dispute"), Q(about__isnull=False)),
            ),
            check("case_says_something", ~Q(words="")),
            check("case_round", Q(round__in=[1, 2])),
            check(
                "case_ended_or_going_on",
                exactly_one_of(
                    Q(status__in=["open", "claimed", "appealed"]), Q(ended_at__isnull=False)
                ),
            ),
            check(
                "case_unclaimed_has_no_referee",
                ~Q(status__in=["open", "appealed"]) | Q(referee__isnull=True),
            ),
            models.UniqueConstraint(
                "duel",
                "opened_by",
                name="case_one_dispute_at_once",
                condition=Q(kind="dispute", status__in=["open", "claimed", "appealed"]),
            ),
        ]
        indexes = [
            # The referees' queue, oldest first.
            partial_index(
                "case_queue", "opened_at", rows=Q(status__in=["open", "claimed", "appealed"])
            ),
            models.Index("opened_by", F("opened_at").desc(), name="case_opened_by"),
            partial_index("case_ended", "-ended_at", rows=Q(status="ruled")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def title(self) -> str:
        """The title of the case, such as "Dispute 12"."""
        return f"{CaseKind(self.kind).label.capitalize()} {self.pk}"

    @property
    def is_dispute(self) -> bool:
        return self.kind == CaseKind.DISPUTE

    @property
    def is_open(self) -> bool:
        """Whether the case still needs a ruling."""
        return self.status in OPEN_STATUSES

    @property
    def is_unclaimed(self) -> bool:
        return self.status in UNCLAIMED_STATUSES


class Appeal(models.Model):
    """A player's appeal against the first ruling, with reasons.

    A case can have several withdrawn appeals and one other appeal, which leads to a second ruling.
    Each player can appeal once in a case.
    """

    case = models.ForeignKey(Case, models.PROTECT, related_name="appeals")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="appeals")
    words = models.TextField(max_length=MAX_CASE_WORDS_LENGTH)
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        constraints = [
            check("appeal_has_words", ~Q(words="")),
            models.UniqueConstraint("case", "wizard", name="appeal_once_of_each_wizard"),
            models.UniqueConstraint(
                "case", name="appeal_stands_alone", condition=Q(withdrawn_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"appeal in case {self.case_id}"


class Objection(models.Model):
    """A player's objection to the case's referee, with reasons.

    After an objection the case needs another referee. Each player can object once in a case.
    """

    case = models.ForeignKey(Case, models.PROTECT, related_name="objections")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="objections")
    referee = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="case_objections"
    )
    referee_name = models.CharField(max_length=MAX_REFEREE_NAME_LENGTH)
    words = models.TextField(max_length=MAX_CASE_WORDS_LENGTH)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = [
            check("objection_has_words", ~Q(words="")),
            models.UniqueConstraint("case", "wizard", name="objection_once_of_each_wizard"),
        ]

    def __str__(self) -> str:
        return f"objection in case {self.case_id}"


class Verdict(models.TextChoices):
    """The decision of a ruling."""

    ENGINE_RIGHT = "engine_right", "The engine was right"
    ENGINE_WRONG = "engine_wrong", "The engine was wrong"
    DEADLINE_STANDS = "deadline_stands", "The deadline applies"
    DEADLINE_UNFAIR = "deadline_unfair", "The deadline should not count against the wizard"
    CONDUCT = "conduct", "Unacceptable conduct"
    NO_CONDUCT = "no_conduct", "Nothing wrong was done or said"
    CHEATED = "cheated", "It was cheating"
    NOT_CHEATED = "not_cheated", "There was no cheating"
    ABUSE = "abuse", "The dispute itself was abusive"
    OTHER = "other", "Something else"


class Ruling(models.Model):
    """A referee's published decision in a round of a case. The id of a ruling is its public number.

    `words` is the public text, which does not name anyone but says "the first wizard".
    `private_words` is text for the players.
    """

    case = models.ForeignKey(Case, models.PROTECT, related_name="rulings")
    round = models.PositiveSmallIntegerField(default=1)
    referee = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="rulings"
    )
    referee_name = models.CharField(max_length=MAX_REFEREE_NAME_LENGTH)
    verdict = models.CharField(max_length=15, choices=Verdict)
    words = models.TextField(max_length=MAX_RULING_WORDS_LENGTH)
    private_words = models.TextField(max_length=MAX_RULING_WORDS_LENGTH, blank=True)
    published_at = models.DateTimeField()

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint("case", "round", name="ruling_once_in_a_round"),
            one_of("verdict", Verdict, name="ruling_verdict"),
            check("ruling_says_something", ~Q(words="")),
            check("ruling_round", Q(round__in=[1, 2])),
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk}"

    @property
    def title(self) -> str:
        """The title that citations use, such as "Ruling 12"."""
        return f"Ruling {self.pk}"


class CitedRule(models.Model):
    """A rule that a ruling cites. `is_settled` is true if the ruling settles the rule's meaning."""

    ruling = models.ForeignKey(Ruling, models.CASCADE, related_name="cited_rules")
    rule = models.CharField(max_length=MAX_RULE_LENGTH)
    is_settled = models.BooleanField(default=False)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint("ruling", "rule", name="cited_rule_once"),
            models.UniqueConstraint(
                "ruling", name="cited_rule_settles_one", condition=Q(is_settled=True)
            ),
        ]
        indexes = [
            models.Index("rule", F("ruling").desc(), name="cited_rule"),
            partial_index("settled_rule", "rule", rows=Q(is_settled=True)),
        ]

    def __str__(self) -> str:
        return f"{self.rule} in ruling {self.ruling_id}"


class NoteAudience(models.TextChoices):
    REFEREES = "referees", "for referees only"
    PLAYERS = "players", "for the players too"


class Note(models.Model):
    """A note in a case by a referee, or a statement by a player."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="notes")
    # The author is either a wizard or a referee. The name of a deleted referee is kept.
    wizard = models.ForeignKey(
        Wizard, models.PROTECT, null=True, blank=True, related_name="case_notes"
    )
    referee = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="case_notes"
    )
    referee_name = models.CharField(max_length=MAX_REFEREE_NAME_LENGTH, blank=True)
    audience = models.CharField(max_length=8, choices=NoteAudience)
    words = models.TextField(max_length=MAX_CASE_WORDS_LENGTH)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = [
            one_of("audience", NoteAudience, name="note_audience"),
            check("note_says_something", ~Q(words="")),
            check(
                "note_by_a_wizard_or_a_referee",
                exactly_one_of(Q(wizard__isnull=False), ~Q(referee_name="")),
            ),
            check("note_of_a_wizard_is_for_all", Q(wizard__isnull=True) | Q(audience="players")),
        ]

    def __str__(self) -> str:
        return f"note {self.pk} in case {self.case_id}"


class AssignmentKind(models.TextChoices):
    CLAIMED = "claimed", "claimed"
    HANDED_OVER = "handed_over", "handed over"
    GIVEN_BACK = "given_back", "returned"


class Assignment(models.Model):
    """A claim, handover or return of a case. `referee` claimed, received or returned it."""

    case = models.ForeignKey(Case, models.PROTECT, related_name="assignments")
    kind = models.CharField(max_length=11, choices=AssignmentKind)
    referee = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="case_assignments"
    )
    referee_name = models.CharField(max_length=MAX_REFEREE_NAME_LENGTH)
    reason = models.TextField(max_length=MAX_CASE_WORDS_LENGTH, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)
        constraints = [one_of("kind", AssignmentKind, name="assignment_kind")]

    def __str__(self) -> str:
        return f"{self.kind}: case {self.case_id}"
