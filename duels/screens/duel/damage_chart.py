"""The damage of every wizard over a duel's turns, drawn as SVG.

Each line has its wizard's colour, set by a CSS class, and its own dash pattern. Lines that would
overlap are drawn next to each other. A label describes the chart for screen readers, and a table
has all the numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from django.utils.safestring import SafeString, mark_safe

import engine.words
from duels.standing.beings import seat_number

WIDTH, HEIGHT = 320, 158
LEFT, RIGHT, TOP, BOTTOM = 22, 8, 10, 24
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_MARKS = 8  # turn numbers along the axis
DASHES = ("", "7 3", "2 2.5", "9 3 2 3", "4 2", "1.5 3.5", "12 3", "6 2 1.5 2 1.5 2")
APART = 1.6  # distance between lines that would overlap


def damage_chart(story: engine.words.Story, names: dict[str, str], deadly: int) -> SafeString:
    """Return the chart with its label. `deadly` is the damage at which a wizard dies."""
    return mark_safe("".join(_chart_svg(story, names, deadly)))


def legend_line(seat: int) -> SafeString:
    """Return a sample of the wizard's line, to show next to their name."""
    return mark_safe(
        f'<svg class="key-line seat-{seat}" viewBox="0 0 26 6" aria-hidden="true">'
        f'<path d="M0 3H26"{_dash_attribute(seat)}/></svg>'
    )


def _chart_svg(story: engine.words.Story, names: dict[str, str], deadly: int) -> Iterator[str]:
    last = len(story.turns)
    most = max(deadly, *(max(wizard.damage) for wizard in story.wizards))

    def x_of_turn(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1)

    def y_of_damage(damage: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * damage / most

    yield (
        f'<svg class="damage-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{escape(_chart_description(story, names))}">'
    )
    for damage in sorted({*range(0, most + 1, 5), deadly}):
        limit = ' class="limit"' if damage == deadly else ' class="level"'
        y = y_of_damage(damage)
        yield f'<path{limit} d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="figure" x="{LEFT - 5}" y="{y + 3.5:.1f}">{damage}</text>'
    for number in axis_turn_numbers(last):
        label = escape(str(story.turns[number - 1].ordinal))
        yield f'<text class="turn" x="{x_of_turn(number):.1f}" y="{HEIGHT - 10}">{label}</text>'
    for place, wizard in enumerate(story.wizards):
        seat = seat_number(wizard.wizard)
        aside = (place - (len(story.wizards) - 1) / 2) * APART
        course = "".join(
            f"H{x_of_turn(number):.1f}V{y_of_damage(damage) + aside:.1f}"
            for number, damage in enumerate(wizard.damage)
            if number
        )
        start = f"M{LEFT} {y_of_damage(wizard.damage[0]) + aside:.1f}"
        yield f'<path class="course seat-{seat}" d="{start}{course}"{_dash_attribute(seat)}/>'
    yield "</svg>"


def axis_turn_numbers(last_turn: int) -> Sequence[int]:
    """Return the turn numbers printed below the chart, evenly spaced."""
    step = next((step for step in STEPS if last_turn <= step * MOST_MARKS), STEPS[-1])
    return range(step, last_turn + 1, step)


def _dash_attribute(seat: int) -> str:
    return f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""


def _chart_description(story: engine.words.Story, names: dict[str, str]) -> str:
    ends = engine.words.and_list(
        f"{names[each.wizard]} {each.damage[-1]}" for each in story.wizards
    )
    turns = f"{len(story.turns)} turn{'' if len(story.turns) == 1 else 's'}"
    return f"Damage of the wizards over {turns}; at the end: {ends}. The table has every change."


def damage_changes(story: engine.words.Story) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Return each turn that changed any wizard's damage, with every wizard's damage after it.

    Turn 0, which is the start, is included if a wizard started with damage or if damage never
    changes.
    """
    columns = list(zip(*(wizard.damage for wizard in story.wizards), strict=True))
    found = [
        (number, damage)
        for number, damage in enumerate(columns)
        if number and damage != columns[number - 1]
    ]
    return [(0, columns[0]), *found] if any(columns[0]) or not found else found
