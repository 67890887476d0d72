"""Model for markers, which winners take from losers. rules: R114"""

from django.db import models
from django.db.models import F, Q

from duels.models.constraints import check, partial_index
from duels.models.duels import Duel
from duels.models.wizards import Wizard


class Marker(models.Model):
    """A marker that the winner of a duel took from another wizard. The number of markers a wizard
    holds is their rank. R114"""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="markers")
    bears = models.ForeignKey(Wizard, models.PROTECT, related_name="markers_lost")  # the loser
    holder = models.ForeignKey(Wizard, models.PROTECT, related_name="markers")  # the winner
    won_at = models.DateTimeField()
    # The time when the holder had to return the marker, and the duel in which they died.
    returned_at = models.DateTimeField(null=True, blank=True)
    returned_in = models.ForeignKey(
        Duel, models.SET_NULL, null=True, blank=True, related_name="markers_returned"
    )

    class Meta:
        ordering = ("won_at", "pk")
        constraints = [
            models.UniqueConstraint("duel", "bears", name="marker_once"),
            check("marker_of_another", ~Q(bears=F("holder"))),
            check("marker_returned_at", Q(returned_in__isnull=True) | Q(returned_at__isnull=False)),
        ]
        indexes = [
            partial_index("marker_held", "holder", rows=Q(returned_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"marker {self.pk} of duel {self.duel_id}"
