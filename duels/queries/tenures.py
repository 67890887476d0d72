"""Who sat in a place of a duel when: a referee may let somebody else play on in it.

What was sealed in a place belongs to who sat there then, and to nobody who came later.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from duels.models import Act, ActKind, Duel, Orders, Seat, Wizard


@dataclass(frozen=True)
class Tenure:
    """For how long somebody sat in a place: from one referee's act that replaces, to another."""

    seat: Seat
    since: datetime | None = None
    until: datetime | None = None

    def own(self, rows: QuerySet[Orders]) -> QuerySet[Orders]:
        """Those of these seals that are theirs: others have sat there before them, or do now."""
        rows = rows.filter(seat=self.seat)
        if self.since is not None:
            rows = rows.filter(sealed_at__gt=self.since)
        return rows if self.until is None else rows.filter(sealed_at__lte=self.until)

    def holds(self, row: Orders) -> bool:
        """Whether this seal is theirs."""
        if row.seat_id != self.seat.pk or (self.since and row.sealed_at <= self.since):
            return False
        return self.until is None or row.sealed_at <= self.until


def tenures(duel: Duel, wizard: Wizard, seats: Sequence[Seat]) -> list[Tenure]:
    """When and where they sat in this duel, of whose seats these are, in order."""
    replaced = list(Act.objects.filter(duel=duel, kind=ActKind.REPLACE).order_by("ordinal"))
    found = []
    for seat in seats:
        since: datetime | None = None
        for act in (each for each in replaced if each.seat == seat.code):
            if act.facts["from"] == wizard.pk:
                found.append(Tenure(seat, since, act.at))
            since = act.at
        if seat.wizard_id == wizard.pk:
            found.append(Tenure(seat, since))
    return found
