"""A chart of a wizard's rating after each rated duel, as in the page's table."""

from collections.abc import Sequence
from typing import Any, Final

from duels.ratings.public import RatingChange

# Keep these sizes the same as in the template.
WIDTH, HEIGHT = 320, 150
LEFT, RIGHT, TOP, BOTTOM = 46, 6, 10, 30
MARGIN: Final = 60  # rating points above and below the values and the newest interval
LEVEL_STEPS: Final = (50, 100, 200, 500, 1000)
MAX_LEVELS: Final = 5
MAX_DOTS: Final = 40  # more dots would hide the line


def rating_chart(changes: Sequence[RatingChange]) -> dict[str, Any]:
    """Return the chart of these changes, oldest first.

    `levels` are ratings with their positions on the axis. `course`, `band` (the intervals) and
    `dots` (the ratings) are the data of SVG paths.
    """
    ratings = [changes[0].before, *(change.after for change in changes)]
    values = [rating.value for rating in ratings]
    lows, highs = zip(*(rating.interval for rating in ratings), strict=True)
    least, most = min(*values, lows[-1]) - MARGIN, max(*values, highs[-1]) + MARGIN

    def y_of(value: float) -> str:
        inside = min(max(value, least), most)
        share = (inside - least) / (most - least)
        return f"{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share:.1f}"

    def points(values: Sequence[float]) -> list[str]:
        width = (WIDTH - LEFT - RIGHT) / len(changes)
        return [f"{LEFT + width * n:.1f} {y_of(value)}" for n, value in enumerate(values)]

    step = next(
        (step for step in LEVEL_STEPS if (most - least) / step <= MAX_LEVELS), LEVEL_STEPS[-1]
    )
    first = int(least // step + 1) * step
    return {
        "label": (
            f"Rating after each of {len(changes)} rated duels, from {values[0]:.0f} to "
            f"{values[-1]:.0f}. The table lists every figure."
        ),
        "duels": len(changes),
        "levels": [(level, y_of(level)) for level in range(first, int(most) + 1, step)],
        "band": f"M{'L'.join(points(highs) + points(lows)[::-1])}Z",
        "course": f"M{'L'.join(points(values))}",
        "dots": "".join(f"M{point}h0" for point in points(values) if len(values) <= MAX_DOTS),
    }
