"""Models for the turns of a duel."""

from typing import ClassVar

from django.db import models
from django.db.models import Q, QuerySet

from duels.models.constraints import check, exactly_one_of, one_of, partial_index
from duels.models.duels import Duel


class Stage(models.TextChoices):
    """The stage of a turn, also used for the stage that a seal belongs to."""

    ORDERS = "orders", "orders"
    ANSWERS = "answers", "answers"
    RESOLVED = "resolved", "resolved"
    VOID = "void", "not played"  # the duel ended or was rolled back before the turn was played


# Stages in which a turn waits for wizards to seal.
OPEN_STAGES = (Stage.ORDERS, Stage.ANSWERS)


MAX_RELEASE_LENGTH = 20


class TurnKind(models.TextChoices):
    NORMAL = "normal", "normal"
    HASTE = "haste", "haste"
    EXTRA = "extra", "extra"


class ValidTurnManager(models.Manager["Turn"]):
    """A manager that excludes turns made void by a rollback."""

    def get_queryset(self) -> "QuerySet[Turn]":
        return super().get_queryset().filter(voided_in=0)


class Turn(models.Model):
    """One turn of a duel, with its starting `position` and its `events`.

    `Turn.objects` and `duel.turns` exclude turns made void by a rollback; `Turn.with_voided`
    contains all turns.
    """

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField()  # counts turns of every kind
    # The number of the rollback that made the turn void, counted from 1, or 0 if the turn is valid.
    voided_in = models.PositiveIntegerField(default=0)
    roll_backs = models.PositiveIntegerField(default=0)  # rollbacks before this turn opened
    number = models.PositiveIntegerField()  # extra turns may share a number
    kind = models.CharField(max_length=6, choices=TurnKind, default=TurnKind.NORMAL)
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)  # rounds of questions so far
    position = models.JSONField(editable=False)
    events = models.JSONField(null=True, blank=True, editable=False)
    # Codes of all wizards who left in this turn, of those who ran out of time, and of those whom a
    # referee removed.
    resigned = models.JSONField(default=list, blank=True)
    forfeited = models.JSONField(default=list, blank=True)
    removed = models.JSONField(default=list, blank=True)
    silenced = models.JSONField(default=list, blank=True)  # codes of silenced wizards
    excused = models.JSONField(default=list, blank=True)  # codes of wizards who used an extension
    questions = models.JSONField(default=list, blank=True, editable=False)  # open questions
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    chain = models.CharField(max_length=64, blank=True)
    # The release of the engine that played the turn, or "" if the turn is open or the release was
    # not recorded.
    release = models.CharField(max_length=MAX_RELEASE_LENGTH, default="", blank=True)
    rejections = models.PositiveIntegerField(default=0, db_default=0)  # number of rejected seals
    acts = models.PositiveIntegerField(default=0)  # acts on the duel when the turn was closed
    attempts = models.PositiveSmallIntegerField(default=0)  # failed attempts to resolve the turn
    last_error = models.TextField(blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[ValidTurnManager] = ValidTurnManager()
    with_voided: ClassVar[models.Manager["Turn"]] = models.Manager()

    class Meta:
        ordering = ("duel", "ordinal")
        constraints = [
            models.UniqueConstraint("duel", "ordinal", "voided_in", name="turn_ordinal_once"),
            models.UniqueConstraint(
                "duel", name="turn_open_once", condition=Q(stage__in=["orders", "answers"])
            ),
            one_of("stage", Stage, name="turn_stage"),
            one_of("kind", TurnKind, name="turn_kind"),
            check("turn_counts_from_one", Q(ordinal__gte=1, number__gte=1)),
            check(
                "turn_closed_at_its_end",
                exactly_one_of(Q(stage__in=["orders", "answers"]), Q(closed_at__isnull=False)),
            ),
            check(
                "turn_resolved_has_events",
                ~Q(stage="resolved") | (Q(events__isnull=False) & ~Q(chain="")),
            ),
        ]
        indexes = [
            partial_index("turn_failed", "failed_at", rows=Q(failed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"turn {self.ordinal} of duel {self.duel_id}"

    @property
    def is_open(self) -> bool:
        return self.stage in OPEN_STAGES


class QuestionRound(models.Model):
    """The time when a turn's round of questions was asked, stored only as evidence for disputes."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="question_rounds")
    batch = models.PositiveSmallIntegerField()  # number of the round, from 1
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ("turn", "batch")
        constraints = [
            models.UniqueConstraint("turn", "batch", name="question_round_once"),
            check("question_round_counts_from_one", Q(batch__gte=1)),
        ]

    def __str__(self) -> str:
        return f"round {self.batch} of turn {self.turn_id}"
