"""Sentences about ratings and their changes."""

from collections.abc import Iterable

from duels.ratings.public import Rating, RatingChange, WayToLose
from duels.wording.moments import SPACE

MIN_UNCERTAIN_DEVIATION = 150  # ratings with a larger deviation change quickly
WAY_WORDS = {
    (WayToLose.KILL, True): "by killing the opponent",
    (WayToLose.KILL, False): "by dying",
    (WayToLose.SURRENDER, True): "because the opponent surrendered",
    (WayToLose.SURRENDER, False): "by surrendering",
    (WayToLose.TIME, True): "because the opponent ran out of time",
    (WayToLose.TIME, False): "by running out of time",
    (WayToLose.REFEREE, True): "by a referee’s decision",
    (WayToLose.REFEREE, False): "by a referee’s decision",
}


def rating_words(rating: Rating) -> str:
    """Return the rating with half the width of its 95 % interval: "1500 ± 98"."""
    return SPACE.join((f"{rating.value:.0f}", "±", f"{rating.value - rating.interval[0]:.0f}"))


def change_rows(changes: Iterable[RatingChange]) -> list[tuple[RatingChange, str, str]]:
    """Return a table row for each change: the change, its points such as "+13", and the new
    rating."""
    return [
        (change, _signed(change.value - change.value_before), rating_words(change.after))
        for change in changes
    ]


def change_words(change: RatingChange) -> str:
    """Explain the change in one sentence."""
    points = change.value - change.value_before
    moved = f"{'rises' if points > 0 else 'falls'} by {abs(points):.0f}"
    if abs(points) < 0.5:
        moved = "stays the same"
    words = (
        f"{change.wizard.name} scored {_score_text(change.actual)}{_way_words(change)}, where "
        f"{_score_text(change.expected)} was expected, so the rating {moved}"
    )
    if change.weight < 1:
        words += "; it counts less because these wizards have met three times within thirty days"
    elif change.deviation_before > MIN_UNCERTAIN_DEVIATION:
        words += "; it moves quickly because it is still uncertain"
    return f"{words}."


def _way_words(change: RatingChange) -> str:
    if change.way == WayToLose.DRAW:
        return " with a draw"
    return f" {WAY_WORDS[WayToLose(change.way), change.place == 1]}"


def _signed(points: float) -> str:
    return f"{points:+.0f}".replace("-", "−")


def _score_text(score: float) -> str:
    return f"{score:.2f}".rstrip("0").rstrip(".")
