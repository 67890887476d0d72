"""The turns of a duel."""

from typing import ClassVar

from django.db import models
from django.db.models import Q, QuerySet

from duels.models.constraints import either, one_of
from duels.models.duels import Duel


class Stage(models.TextChoices):
    """The state of a turn, and the part of it that orders belong to."""

    ORDERS = "orders", "orders"
    ANSWERS = "answers", "answers"
    RESOLVED = "resolved", "resolved"
    VOID = "void", "not played"  # the duel ended by agreement before it


# Stages in which a turn waits for wizards.
OPEN_STAGES = (Stage.ORDERS, Stage.ANSWERS)


RELEASE_LENGTH = 20


class TurnKind(models.TextChoices):
    NORMAL = "normal", "normal"
    HASTE = "haste", "haste"
    EXTRA = "extra", "extra"


class CountedTurns(models.Manager["Turn"]):
    """A manager that leaves out turns that a rollback made void."""

    def get_queryset(self) -> "QuerySet[Turn]":
        return super().get_queryset().filter(voided_in=0)


class Turn(models.Model):
    """One turn of a duel, with its starting `position` and its `events`.

    `Turn.objects` and `duel.turns` have the turns that count, `Turn.with_voided` all of them.
    """

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField()  # counts every turn
    # The rollback of the duel, counted from 1, that made it void; 0 while it counts.
    voided_in = models.PositiveIntegerField(default=0)
    roll_backs = models.PositiveIntegerField(default=0)  # of the duel, when this turn was opened
    number = models.PositiveIntegerField()  # as players count: extra turns may share one
    kind = models.CharField(max_length=6, choices=TurnKind, default=TurnKind.NORMAL)
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)  # rounds of questions asked so far
    position = models.JSONField(editable=False)
    events = models.JSONField(null=True, blank=True, editable=False)
    resigned = models.JSONField(default=list, blank=True)  # places that resigned in it, in order
    forfeited = models.JSONField(default=list, blank=True)  # those whose time ran out
    removed = models.JSONField(default=list, blank=True)  # those whom a referee removed
    silenced = models.JSONField(default=list, blank=True)  # places whose messages were removed
    excused = models.JSONField(default=list, blank=True)  # places that used an extension
    questions = models.JSONField(default=list, blank=True, editable=False)  # the open batch
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    chain = models.CharField(max_length=64, blank=True)
    # The engine's release that played it; "" while it is open, or if it was not recorded.
    release = models.CharField(max_length=RELEASE_LENGTH, default="", blank=True)
    rejections = models.PositiveIntegerField(default=0, db_default=0)  # of seals, all kept
    acts = models.PositiveIntegerField(default=0)  # of referees on the duel, when it was closed
    attempts = models.PositiveSmallIntegerField(default=0)  # failed attempts
    last_error = models.TextField(blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[CountedTurns] = CountedTurns()
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
            models.Index("failed_at", name="turn_failed", condition=Q(failed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"turn {self.ordinal} of duel {self.duel_id}"

    @property
    def is_open(self) -> bool:
        return self.stage in OPEN_STAGES


class QuestionRound(models.Model):
    """The time of a round of questions in a turn. Kept only as evidence."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="question_rounds")
    batch = models.PositiveSmallIntegerField()  # counted from 1, like `Turn.batch`
    asked_at = models.DateTimeField()

    class Meta:
        ordering = ("turn", "batch")
        constraints = [
            models.UniqueConstraint("turn", "batch", name="question_round_once"),
            models.CheckConstraint(
                condition=Q(batch__gte=1), name="question_round_counts_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.batch} of turn {self.turn_id}"
