"""Models for sealed orders, rejected seals and drafts."""

from django.db import models
from django.db.models import Q

from duels.models.constraints import check, one_of
from duels.models.seats import Seat
from duels.models.turns import Stage, Turn


class SealSource(models.TextChoices):
    PLAYER = "player", "the player"
    DEFAULT = "default", "the defaults"


class Orders(models.Model):
    """A wizard's sealed orders or answers for one stage of a turn.

    The body (fields and salts, see `duels.sealing.seals`) is encrypted. A replaced seal is kept and
    marked as superseded. A seal that was taken back is also kept, and is played if the deadline
    passes.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="orders")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="orders")
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)
    body = models.TextField(editable=False)
    commitment = models.CharField(max_length=64)
    source = models.CharField(max_length=8, choices=SealSource, default=SealSource.PLAYER)
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
            check("orders_stage", Q(stage="orders", batch=0) | Q(stage="answers", batch__gte=1)),
            one_of("source", SealSource, name="orders_source"),
            check("orders_commitment", Q(commitment__regex=r"^[0-9a-f]{64}$")),
        ]

    def __str__(self) -> str:
        return f"orders {self.pk} for turn {self.turn_id}"

    @property
    def is_sealed(self) -> bool:
        """Whether this seal counts. Otherwise the turn waits for its wizard."""
        return not self.superseded and self.taken_back_at is None


class RejectedSeal(models.Model):
    """Orders or answers that the site rejected while their turn was open, kept for the record.

    The body is encrypted like that of a seal, with the salts that the seal would have had. If the
    same orders are rejected again for the same reason, no second row is stored.
    """

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="rejected_seals")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="rejected_seals")
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.ORDERS)
    batch = models.PositiveSmallIntegerField(default=0)
    before = models.PositiveSmallIntegerField()  # number of earlier seals in the same stage
    body = models.TextField(editable=False)
    commitment = models.CharField(max_length=64)
    code = models.CharField(max_length=40)  # code of the `Refused` error
    rejected_at = models.DateTimeField()

    class Meta:
        ordering = ("turn", "pk")
        constraints = [
            models.UniqueConstraint("turn", "commitment", "code", name="rejected_seal_once"),
            check(
                "rejected_seal_stage", Q(stage="orders", batch=0) | Q(stage="answers", batch__gte=1)
            ),
            check("rejected_seal_commitment", Q(commitment__regex=r"^[0-9a-f]{64}$")),
        ]

    def __str__(self) -> str:
        return f"rejected seal {self.pk} for turn {self.turn_id}"


class Draft(models.Model):
    """A wizard's unfinished orders, encrypted like sealed orders. Turns do not wait for drafts."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="drafts")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="drafts")
    body = models.TextField(editable=False)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint("turn", "seat", name="draft_once")]

    def __str__(self) -> str:
        return f"draft for turn {self.turn_id}"
