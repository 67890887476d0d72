"""Ratings on a wizard's page: the chart, and results by ruleset, way and opponent."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import engine.play
from duels.models import Wizard
from duels.ratings.public import (
    RatingChange,
    Record,
    Result,
    Way,
    WizardRating,
    most_frequent_opponents,
    newest_changes,
    ratings_of,
    result_counts,
)
from duels.screens.parts.rating_words import change_rows, rating_words
from duels.screens.wizard.rating_chart import RatingChart, rating_chart

MOST_FAVOURITES = 5  # maximum number of openings and of spells listed
# The columns of the table of results.
WAYS = (Way.KILL, Way.SURRENDER, Way.TIME, Way.REFEREE)


@dataclass(frozen=True)
class ResultRow:
    """A row of the table of results: duels won or lost, by the way in which they ended (see
    `WAYS`)."""

    title: str
    total: int
    by_way: tuple[int, ...]


@dataclass(frozen=True)
class OpeningRow:
    """The first gestures of both hands, and the results of duels that began with these."""

    left: str
    right: str
    results: Counter[str]


@dataclass(frozen=True)
class ShownRating:
    """A rating under one ruleset, with its history."""

    ruleset: str
    ruleset_name: str
    words: str
    is_ranked: bool
    reliable_percent: int
    chart: RatingChart
    changes: Sequence[tuple[RatingChange, str, str]]  # newest first, see `change_rows`
    results: tuple[ResultRow, ...]
    drawn: int
    openings: Sequence[OpeningRow]
    spells: Sequence[tuple[str, int]]  # names and numbers, most frequent first


@dataclass(frozen=True)
class RatingsOfWizard:
    """All ratings of a wizard, and the most frequent opponents."""

    ratings: tuple[ShownRating, ...]
    opponents: Sequence[Record]


def shown_ratings(wizard: Wizard, now: datetime) -> RatingsOfWizard | None:
    """Return the ratings of a wizard, or None if they have left or have none."""
    ratings = [] if wizard.is_closed else ratings_of(wizard)
    if not ratings:
        return None
    counts = result_counts(wizard)
    shown = tuple(_shown_rating(wizard, rating, counts, now) for rating in ratings)
    return RatingsOfWizard(shown, most_frequent_opponents(wizard))


def _shown_rating(
    wizard: Wizard,
    row: WizardRating,
    counts: Counter[tuple[str, str, str]],
    now: datetime,
) -> ShownRating:
    changes = newest_changes(wizard, row.ruleset)
    ruleset = engine.play.RULESETS.get(row.ruleset)
    return ShownRating(
        ruleset=row.ruleset if ruleset else "",
        ruleset_name=ruleset.name if ruleset else row.ruleset,
        words=rating_words(row.rating_at(now)),
        is_ranked=row.is_ranked_at(now),
        reliable_percent=row.reliable_percent,
        chart=rating_chart(changes),
        changes=change_rows(reversed(changes)),
        results=tuple(
            _result_row(title, row.ruleset, result, counts)
            for title, result in (("Won", Result.WON), ("Lost", Result.LOST))
        ),
        drawn=counts[row.ruleset, Result.DREW, Way.DRAW],
        openings=_favourite_openings(changes),
        spells=_favourite_spells(changes, ruleset),
    )


def _favourite_openings(changes: Sequence[RatingChange]) -> list[OpeningRow]:
    results: dict[str, Counter[str]] = {}
    for change in changes:
        if change.opening:
            results.setdefault(change.opening, Counter())[change.result] += 1
    frequent = sorted(results, key=lambda opening: -results[opening].total())[:MOST_FAVOURITES]
    return [
        OpeningRow(left, right, results[opening])
        for opening in frequent
        for left, right in [opening.split("/")]
    ]


def _favourite_spells(
    changes: Sequence[RatingChange], ruleset: engine.play.Ruleset | None
) -> list[tuple[str, int]]:
    casts = Counter[str]()
    for change in changes:
        casts.update(change.spells)
    names = ruleset.spell_names if ruleset else {}
    return [(names.get(spell, spell), n) for spell, n in casts.most_common(MOST_FAVOURITES)]


def _result_row(
    title: str, ruleset: str, result: Result, counts: Counter[tuple[str, str, str]]
) -> ResultRow:
    by_way = tuple(counts[ruleset, result, way] for way in WAYS)
    return ResultRow(title, sum(by_way), by_way)
