"""Commands for the archive: add and remove duels, rebuild it, and choose the duel of the day."""

from datetime import UTC, datetime

from django.db import transaction
from django.db.models import F, QuerySet

import engine.play
from duels.archive.contents import archived_duel
from duels.archive.daily import best_duel, recent_candidates
from duels.archive.lookups import HasIndexedCodes
from duels.archive.models import ArchivedDuel, DailyDuel
from duels.caching.poll_cache import largest_audience
from duels.clocks.budget import Budget
from duels.commands.duel_end import DuelEnd
from duels.commands.error_isolation import run_for_each
from duels.models import Duel, DuelEnding, DuelStatus, Seat, Visibility, Wizard


def archive_duel(end: DuelEnd) -> None:
    """Add a duel that has ended to the archive if it is public."""
    if end.duel.status == DuelStatus.OVER and end.duel.visibility == Visibility.PUBLIC:
        row = archived_duel(end)
        before = ArchivedDuel.objects.filter(duel=end.duel).values_list("watched", flat=True)
        row.watched = max([largest_audience(end.duel.pk), *before])
        row.save()


def remove_archived_duel(end: DuelEnd) -> None:
    """Remove a duel from the archive because its end has been undone."""
    ArchivedDuel.objects.filter(duel=end.duel).delete()


def archive_claimed_duels(*, guest: Wizard, wizard: Wizard) -> None:
    """Recompute the rows of the duels that this player has just taken over from a guest."""
    found = ArchivedDuel.objects.filter(HasIndexedCodes(F("codes"), [f"wizard.{guest.pk}"]))
    claimed = found.exclude(duel__seats__wizard=guest)
    for number in list(claimed.values_list("pk", flat=True)):
        _recompute_archived_duel(number)


def rebuild_archive() -> int:
    """Recompute the rows of all finished public duels, one by one. Return their number."""
    ArchivedDuel.objects.exclude(duel__in=_finished_duels()).delete()
    numbers = _finished_duels().order_by("pk").values_list("pk", flat=True)
    whole = Budget(float("inf"))
    done, _ = run_for_each(
        numbers.iterator(), _recompute_archived_duel, whole, "Failed to archive duel"
    )
    return done


def choose_daily_duel(now: datetime) -> DailyDuel | None:
    """Choose the duel of the day if there is none yet and a recent duel is good enough."""
    day = now.astimezone(UTC).date()
    chosen = DailyDuel.objects.filter(day=day).first()
    best = None if chosen else best_duel(recent_candidates(now))
    if best is None:
        return chosen
    values = {"archived_id": best.duel, "reason": best.reason}
    chosen, _ = DailyDuel.objects.get_or_create(day=day, defaults=values)
    return chosen


def _finished_duels() -> QuerySet[Duel]:
    return Duel.objects.filter(status=DuelStatus.OVER, visibility=Visibility.PUBLIC)


@transaction.atomic
def _recompute_archived_duel(number: int) -> bool:
    """Recompute the duel's row. Return False if the duel is no longer over and public."""
    locked = _finished_duels().select_for_update(of=("self",), no_key=True)
    duel = locked.filter(pk=number).first()
    if duel is None:
        return False
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    position = engine.play.load_position(duel.final_position)
    assert duel.ended_at is not None
    end = DuelEnd(duel, seats, position, DuelEnding(duel.ended), duel.result, duel.ended_at)
    archive_duel(end)
    return True
