"""A wizard's rating after each rated duel, drawn as SVG. A table on the page has the figures."""

from collections.abc import Iterator, Sequence
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.ratings.public import RatingChange

WIDTH, HEIGHT = 320, 120
LEFT, RIGHT, TOP, BOTTOM = 34, 6, 8, 8
MARGIN = 60  # points above and below all ratings
STEPS = (50, 100, 200, 500, 1000)
MOST_LEVELS = 5


def rating_chart(changes: Sequence[RatingChange]) -> SafeString:
    """Return the chart of these changes, oldest first, with the interval as a band."""
    return mark_safe("".join(_chart_svg(changes)))


def _chart_svg(changes: Sequence[RatingChange]) -> Iterator[str]:
    ratings = [changes[0].before, *(change.after for change in changes)]
    values = [rating.value for rating in ratings]
    least, most = min(values) - MARGIN, max(values) + MARGIN

    def x_of(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / len(changes)

    def y_of(value: float) -> float:
        inside = min(max(value, least), most)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (inside - least) / (most - least)

    def points(values: Sequence[float]) -> list[str]:
        return [f"{x_of(number):.1f} {y_of(value):.1f}" for number, value in enumerate(values)]

    label = (
        f"Rating after each of {len(changes)} rated duels, from {values[0]:.0f} to "
        f"{values[-1]:.0f}. The table has every figure."
    )
    yield (
        f'<svg class="rating-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(label)}">'
    )
    step = next((step for step in STEPS if (most - least) / step <= MOST_LEVELS), STEPS[-1])
    for level in range(int(least // step + 1) * step, int(most) + 1, step):
        yield f'<path class="level" d="M{LEFT} {y_of(level):.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 5}" y="{y_of(level) + 3.5:.1f}">{level}</text>'
    lows, highs = zip(*(rating.interval for rating in ratings), strict=True)
    yield f'<path class="band" d="M{"L".join(points(highs) + points(lows)[::-1])}Z"/>'
    yield f'<path class="course" d="M{"L".join(points(values))}"/></svg>'
