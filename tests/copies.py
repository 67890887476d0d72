"""Copies of a duel, for tests and figures with many duels."""

from typing import Any

from duels.models import OPEN_STAGES, Duel


def make_copies(duel: Duel, number: int) -> None:
    """Make `number` copies of the duel, its seats and its open turn."""
    made = Duel.objects.bulk_create(_copy(duel) for _ in range(number))
    for rows in (duel.seats.all(), duel.turns.filter(stage__in=OPEN_STAGES)):
        rows.model.objects.bulk_create(_copy(row, duel=new) for row in rows for new in made)


def _copy(row: Any, **changes: Any) -> Any:
    fields = {field.name: getattr(row, field.name) for field in row._meta.concrete_fields}
    return type(row)(**(fields | {"id": None} | changes))
