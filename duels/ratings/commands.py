"""Commands that rate a duel at its end, undo its rating, and recompute all ratings.

Duels under a ruleset are rated in the order of their end times, and then of their ids. When a duel
is removed, or added before other duels, all later ratings that depend on it are recomputed. So
ratings depend only on which duels count, not on the order of transactions. Each command locks the
ruleset's ladder first, so that no change is lost when two duels end at the same time.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations, groupby
from typing import Final

from django.db import transaction
from django.db.models import Avg, Count, Q, QuerySet

from duels.commands.duel_end import DuelEnd
from duels.models import Duel, Turn, Visibility
from duels.ratings.glicko import Rating, days_until_unranked
from duels.ratings.models import COMPUTED_COLUMNS, Ladder, RatingChange, RunningRating, WizardRating
from duels.ratings.results import results_to_rate
from duels.ratings.scoring import REPEAT_PERIOD, KnownRating, Pair, rate_rows

RELIABILITY_TURNS: Final = 100
BATCH_SIZE: Final = 500  # duels that are read together when all ratings are recomputed


def rate_duel(end: DuelEnd) -> None:
    """Rate a duel that has ended, if its result counts for ratings."""
    rows = results_to_rate(end)
    if not rows:
        return
    _lock_ladder(rows[0].ruleset)
    RatingChange.objects.bulk_create(rows)
    _rate_from(rows[0])
    for row in RatingChange.objects.filter(duel=end.duel).order_by("wizard"):
        _record_change(end, row, row.before, row.after)


def restore_ratings(end: DuelEnd) -> None:
    """Undo the rating changes that this duel caused, and recompute later ones."""
    if not end.duel.rated:
        return
    _lock_ladder(end.duel.ruleset)
    rows = list(RatingChange.objects.filter(duel=end.duel).order_by("wizard"))
    RatingChange.objects.filter(duel=end.duel).delete()
    if rows:
        _rate_from(rows[0], {row.wizard_id for row in rows})
    for row in rows:
        _record_change(end, row, row.after, row.before)


def store_running_rating(duel: Duel, turn: Turn, now: datetime) -> None:
    """Store the mean rating of the wizards in a public duel that has begun."""
    if duel.visibility != Visibility.PUBLIC:
        return
    ratings = WizardRating.objects.filter(ruleset=duel.ruleset, wizard__seats__duel=duel)
    found = ratings.aggregate(mean=Avg("value"), number=Count("pk"))
    if found["number"] == duel.size:
        value = max(0, round(found["mean"]))
        RunningRating.objects.create(duel=duel, ruleset=duel.ruleset, value=value)


def delete_running_rating(end: DuelEnd) -> None:
    """Delete the rating that sorts the duel among running duels."""
    RunningRating.objects.filter(duel=end.duel).delete()


def restore_running_rating(end: DuelEnd) -> None:
    """Store the rating of a duel again, because its end has been undone."""
    store_running_rating(end.duel, end.duel.turns.latest("ordinal"), end.now)


@transaction.atomic
def recompute_ratings(ruleset: str) -> int:
    """Recompute all ratings under this ruleset. Return the number of rated duels."""
    _lock_ladder(ruleset)
    WizardRating.objects.filter(ruleset=ruleset).delete()
    changes = RatingChange.objects.filter(ruleset=ruleset)
    ordered = changes.order_by("at", "duel").values_list("duel", flat=True)
    duels = list(dict.fromkeys(ordered))
    ratings: dict[int, KnownRating] = {}
    for start in range(0, len(duels), BATCH_SIZE):
        rows = changes.filter(duel__in=duels[start : start + BATCH_SIZE]).order_by(
            "at", "duel", "wizard"
        )
        for _, of_duel in groupby(rows, key=lambda row: row.duel_id):
            _rate_rows(list(of_duel), ratings)
    _store_ratings(ruleset, ratings)
    return len(duels)


def _lock_ladder(ruleset: str) -> None:
    Ladder.objects.get_or_create(ruleset=ruleset)
    Ladder.objects.select_for_update().get(ruleset=ruleset)


def _rate_from(first: RatingChange, wizards: Collection[int] = ()) -> None:
    """Rate this duel, and recompute the ratings of all later duels that depend on it.

    If the duel no longer counts, `wizards` are those who took part in it.
    """
    ratings = {wizard: _rating_before(wizard, first) for wizard in wizards}
    if not wizards:
        _rate_rows(_rows_of_duel(first), ratings)
    last = first
    while True:
        later = _changes_after(last).filter(wizard__in=ratings).order_by("at", "duel").first()
        if later is None:
            break
        _rate_rows(_rows_of_duel(later), ratings)
        last = later
    _store_ratings(first.ruleset, ratings)


def _rows_of_duel(row: RatingChange) -> list[RatingChange]:
    return list(RatingChange.objects.filter(duel=row.duel_id).order_by("wizard"))


def _rate_rows(rows: Sequence[RatingChange], ratings: dict[int, KnownRating]) -> None:
    """Rate one duel. Look up the earlier rating of wizards who are not in `ratings` yet."""
    for row in rows:
        if row.wizard_id not in ratings:
            ratings[row.wizard_id] = _rating_before(row.wizard_id, row)
    rate_rows(rows, ratings, _earlier_duel_counts(rows))
    RatingChange.objects.bulk_update(rows, COMPUTED_COLUMNS)


def _changes_before(row: RatingChange) -> QuerySet[RatingChange]:
    """Return the rating changes under the ruleset before this duel."""
    changes = RatingChange.objects.filter(ruleset=row.ruleset, at__lte=row.at)  # uses an index
    return changes.filter(Q(at__lt=row.at) | Q(duel__lt=row.duel_id))


def _changes_after(row: RatingChange) -> QuerySet[RatingChange]:
    """Return the rating changes under the ruleset after this duel."""
    changes = RatingChange.objects.filter(ruleset=row.ruleset, at__gte=row.at)  # uses an index
    return changes.filter(Q(at__gt=row.at) | Q(duel__gt=row.duel_id))


def _rating_before(wizard: int, row: RatingChange) -> KnownRating:
    last = _changes_before(row).filter(wizard=wizard).order_by("-at", "-duel").first()
    return KnownRating(last.after, last.at) if last else KnownRating()


def _earlier_duel_counts(rows: Sequence[RatingChange]) -> Counter[Pair]:
    """Count how often each pair of these wizards met in recent duels before this one."""
    wizards = [row.wizard_id for row in rows]
    recent = _changes_before(rows[0]).filter(wizard__in=wizards, at__gte=rows[0].at - REPEAT_PERIOD)
    met: dict[int, list[int]] = {}
    for duel, wizard in recent.values_list("duel", "wizard"):
        met.setdefault(duel, []).append(wizard)
    return Counter(frozenset(pair) for duel in met.values() for pair in combinations(duel, 2))


def _store_ratings(ruleset: str, ratings: dict[int, KnownRating]) -> None:
    """Store each wizard's latest rating, or delete it if none of their duels counts any longer."""
    WizardRating.objects.filter(
        ruleset=ruleset, wizard__in=[pk for pk, known in ratings.items() if known.at is None]
    ).delete()
    for wizard, known in sorted(ratings.items()):
        if known.at is not None:
            WizardRating.objects.update_or_create(
                wizard_id=wizard,
                ruleset=ruleset,
                defaults=_stored_values(wizard, ruleset, known.rating, known.at),
            )


def _stored_values(wizard: int, ruleset: str, rating: Rating, at: datetime) -> dict[str, object]:
    changes = RatingChange.objects.filter(wizard=wizard, ruleset=ruleset)
    month = at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    first = changes.filter(at__gte=month).order_by("at", "duel")[0]
    days = days_until_unranked(rating)
    return {
        "value": rating.value,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "at": at,
        "ranked_until": at + timedelta(days=days) if days > 0 else None,
        "month": month.date(),
        "month_gain": rating.value - first.value_before,
        "reliability": _reliability(changes.order_by("-at", "-duel")[:RELIABILITY_TURNS]),
    }


def _reliability(newest: Iterable[RatingChange]) -> float:
    """Return the share of orders that were in time in the newest duels, for about 100 turns."""
    turns = missed = 0
    for change in newest:
        turns += change.turns
        missed += change.missed_turns
        if turns >= RELIABILITY_TURNS:
            break
    return 1 - missed / turns if turns else 1.0


def _record_change(end: DuelEnd, row: RatingChange, before: Rating, after: Rating) -> None:
    seats = [seat for seat in end.seats if seat.wizard_id == row.wizard_id]
    end.record_change("The rating of {}", seats, f"{before.value:.0f}", f"{after.value:.0f}")
