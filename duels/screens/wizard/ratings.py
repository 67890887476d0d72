"""Ratings on a wizard's page: the chart, and results by ruleset, way and opponent."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import engine.play
from duels.models import Wizard
from duels.ratings.public import (
    RatingChange,
    Result,
    WayToLose,
    WizardRating,
    most_frequent_opponents,
    newest_changes,
    ratings_of,
    result_counts,
)
from duels.screens.parts.rating_words import change_rows, rating_words
from duels.screens.wizard.rating_chart import rating_chart

MAX_FAVOURITES = 5  # maximum number of openings and of spells listed
# The columns of the table of results, after the first one for all duels.
RESULT_TABLE_COLUMNS = (WayToLose.KILL, WayToLose.SURRENDER, WayToLose.TIME, WayToLose.REFEREE)


def shown_ratings(wizard: Wizard, now: datetime) -> dict[str, Any] | None:
    """Return the ratings of a wizard and the most frequent opponents, or None if the wizard has
    left or has no rating."""
    ratings = [] if wizard.is_closed else ratings_of(wizard)
    if not ratings:
        return None
    counts = result_counts(wizard)
    return {
        "ratings": [_shown_rating(wizard, rating, counts, now) for rating in ratings],
        "opponents": most_frequent_opponents(wizard),
    }


def _shown_rating(
    wizard: Wizard,
    row: WizardRating,
    counts: Counter[tuple[str, str, str]],
    now: datetime,
) -> dict[str, Any]:
    changes = newest_changes(wizard, row.ruleset)
    ruleset = engine.play.RULESETS.get(row.ruleset)
    return {
        "ruleset": row.ruleset if ruleset else "",
        "ruleset_name": ruleset.name if ruleset else row.ruleset,
        "words": rating_words(row.rating_at(now)),
        "is_ranked": row.is_ranked_at(now),
        "reliable_percent": row.reliable_percent,
        "chart": rating_chart(changes),
        "changes": change_rows(reversed(changes)),
        "results": [
            (title, [sum(by_way), *by_way])
            for title, result in (("Won", Result.WON), ("Lost", Result.LOST))
            for by_way in [[counts[row.ruleset, result, way] for way in RESULT_TABLE_COLUMNS]]
        ],
        "drawn": counts[row.ruleset, Result.DREW, WayToLose.DRAW],
        "openings": _favourite_openings(changes),
        "spells": _favourite_spells(changes, ruleset),
    }


def _favourite_openings(
    changes: Sequence[RatingChange],
) -> list[tuple[list[str], Counter[str]]]:
    """Return the first gestures of both hands, with the results of duels that began with them."""
    results: dict[str, Counter[str]] = {}
    for change in changes:
        if change.opening:
            results.setdefault(change.opening, Counter())[change.result] += 1
    frequent = sorted(results, key=lambda opening: -results[opening].total())[:MAX_FAVOURITES]
    return [(opening.split("/"), results[opening]) for opening in frequent]


def _favourite_spells(
    changes: Sequence[RatingChange], ruleset: engine.play.Ruleset | None
) -> list[tuple[str, int]]:
    casts = Counter[str]()
    for change in changes:
        casts.update(change.spells)
    names = ruleset.spell_names if ruleset else {}
    return [(names.get(spell, spell), n) for spell, n in casts.most_common(MAX_FAVOURITES)]
