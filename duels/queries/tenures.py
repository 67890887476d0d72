"""Queries for the times during which wizards had a seat in a duel.

A referee may give a seat to another wizard. A seal belongs to the wizard who had the seat when the
seal was made, not to a later wizard.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import QuerySet

from duels.models import Act, ActKind, Duel, Orders, RejectedSeal, Seat, Wizard

SealLike = TypeVar("SealLike", Orders, RejectedSeal)


@dataclass(frozen=True)
class SeatTenure:
    """The time during which a wizard had a seat. It starts and ends with the duel or with a
    replacement by a referee."""

    seat: Seat
    since: datetime | None = None
    until: datetime | None = None

    def seals_in(
        self, rows: QuerySet[SealLike], time_column: str = "sealed_at"
    ) -> QuerySet[SealLike]:
        """Return the seals that were made in this seat during the tenure."""
        rows = rows.filter(seat=self.seat)
        if self.since is not None:
            rows = rows.filter(**{f"{time_column}__gt": self.since})
        return rows if self.until is None else rows.filter(**{f"{time_column}__lte": self.until})

    def includes_seal(self, row: Orders) -> bool:
        """Return whether this seal was made in this seat during the tenure."""
        if row.seat_id != self.seat.pk or (self.since and row.sealed_at <= self.since):
            return False
        return self.until is None or row.sealed_at <= self.until


def tenures(duel: Duel, wizard: Wizard, seats: Sequence[Seat]) -> list[SeatTenure]:
    """Return the tenures of this wizard in the duel with these seats, in order."""
    replaced = list(Act.objects.filter(duel=duel, kind=ActKind.REPLACE).order_by("ordinal"))
    found = []
    for seat in seats:
        since: datetime | None = None
        for act in (each for each in replaced if each.seat == seat.code):
            if act.facts["from"] == wizard.pk:
                found.append(SeatTenure(seat, since, act.at))
            since = act.at
        if seat.wizard_id == wizard.pk:
            found.append(SeatTenure(seat, since))
    return found
