"""A chart of every wizard's damage, turn by turn.

Each line has its wizard's colour, set by a CSS class, and its own dash pattern. Lines that would
overlap are drawn next to each other. A label describes the chart for screen readers, and a table
has all the numbers.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import engine.words
from duels.standing.beings import seat_number

# Keep these sizes the same as in the template.
WIDTH, HEIGHT = 320, 158
LEFT, RIGHT, TOP, BOTTOM = 22, 8, 10, 24
AXIS_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MAX_TURN_MARKS: Final = 8  # turn numbers along the axis
DASH_PATTERNS: Final = ("", "7 3", "2 2.5", "9 3 2 3", "4 2", "1.5 3.5", "12 3", "6 2 1.5 2 1.5 2")
LINE_OFFSET: Final = 1.6  # distance between lines that would overlap


def damage_chart(
    story: engine.words.Story, names: Mapping[str, str], deadly: int
) -> dict[str, Any]:
    """Return the chart, with positions as text. `deadly` is the damage at which a wizard dies."""
    last = len(story.turns)
    most = max(deadly, *(max(wizard.damage) for wizard in story.wizards))

    def x_of_turn(number: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * number / max(last, 1):.1f}"

    def y_of_damage(damage: int, aside: float = 0) -> str:
        return f"{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * damage / most + aside:.1f}"

    def line_path(damage: Sequence[int], aside: float) -> str:
        places = [(x_of_turn(n), y_of_damage(each, aside)) for n, each in enumerate(damage)]
        return f"M{LEFT} {places[0][1]}" + "".join(f"H{x}V{y}" for x, y in places[1:])

    middle = (len(story.wizards) - 1) / 2
    return {
        "label": _chart_label(story, names, "Damage"),
        "label_with_left": _chart_label(story, names, "Hit points left", deadly),
        "levels": [
            (damage, deadly - damage, y_of_damage(damage))
            for damage in sorted({*range(0, most + 1, 5), deadly})
        ],
        "turns": [
            (story.turns[number - 1].ordinal, x_of_turn(number))
            for number in axis_turn_numbers(last)
        ],
        "lines": [
            {
                "seat": seat,
                "path": line_path(wizard.damage, (place - middle) * LINE_OFFSET),
                "dashes": DASH_PATTERNS[seat],
            }
            for place, wizard in enumerate(story.wizards)
            for seat in [seat_number(wizard.wizard)]
        ],
    }


def axis_turn_numbers(last_turn: int) -> Sequence[int]:
    """Return the turn numbers printed below the chart, evenly spaced."""
    step = next((step for step in AXIS_STEPS if last_turn <= step * MAX_TURN_MARKS), AXIS_STEPS[-1])
    return range(step, last_turn + 1, step)


def points_left(damage: int, deadly: int) -> int:
    return max(deadly - damage, 0)


def _chart_label(
    story: engine.words.Story, names: Mapping[str, str], title: str, deadly: int | None = None
) -> str:
    """Describe the chart, with hit points left if `deadly` is given, otherwise with damage."""
    ends = engine.words.and_list(
        f"{names[each.wizard]} "
        f"{each.damage[-1] if deadly is None else points_left(each.damage[-1], deadly)}"
        for each in story.wizards
    )
    turns = f"{len(story.turns)} turn{'' if len(story.turns) == 1 else 's'}"
    return f"{title} of the wizards over {turns}; at the end: {ends}. The table lists every change."


def damage_changes(story: engine.words.Story) -> Iterable[tuple[int, tuple[int, ...]]]:
    """Return the turns that changed any wizard's damage, each with every wizard's damage after it.

    Turn 0 stands for the start of the duel. It is included if a wizard started with damage, or if
    damage never changes.
    """
    columns = list(zip(*(wizard.damage for wizard in story.wizards), strict=True))
    found = [
        (number, damage)
        for number, damage in enumerate(columns)
        if number and damage != columns[number - 1]
    ]
    return [(0, columns[0]), *found] if any(columns[0]) or not found else found
