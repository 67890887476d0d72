"""Layout of the lines that connect the gestures of each spell that was cast.

`engine.play.view` lists the squares of each spell's gestures. The line of a spell runs in a lane of
its hand's column, from the first gesture to the last, and passes unrelated gestures in between.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.play import HAND_FIELD_NAMES, SpellRun

MAX_LANES: Final = 4  # maximum number of lanes; further lines share the last one
FIRST, MIDDLE, LAST, ONLY, THROUGH = "first", "middle", "last", "only", "through"

Track = tuple[str, str]
"""The column of one hand, as wizard and side."""

GridSquare = tuple[Track, int]
"""A square, as the track and the row number."""


@dataclass(frozen=True)
class LineSegment:
    """The part of a spell's line in one square. `place` is its position in the line."""

    lane: int
    place: str
    spell: str
    is_named: bool = False  # whether this square shows the spell's name


@dataclass(frozen=True)
class SpellLine:
    """The line of one spell on one track. `stops` are the rows of its gestures."""

    track: Track
    spell: str
    stops: tuple[int, ...]
    is_named: bool


def grid_lines(
    runs: Iterable[SpellRun], row_of: Mapping[tuple[int, int], int]
) -> dict[GridSquare, tuple[LineSegment, ...]]:
    """Return the line segments by square, only for squares that contain any.

    `row_of` contains row numbers by the turn's ordinal and the number of the set.
    """
    drawn: dict[GridSquare, list[LineSegment]] = {}
    taken: dict[Track, list[int]] = {}  # the last occupied row of each lane
    lines = [line for run in runs for line in _spell_lines_of(run, row_of)]
    for line in sorted(lines, key=lambda line: (line.stops[0], -line.stops[-1])):
        lane = _free_lane(taken.setdefault(line.track, []), line)
        for row in range(line.stops[0], line.stops[-1] + 1):
            named = line.is_named and row == line.stops[-1]
            segment = LineSegment(lane, _segment_kind(line.stops, row), line.spell, named)
            drawn.setdefault((line.track, row), []).append(segment)
    return {square: tuple(found) for square, found in drawn.items()}


def _spell_lines_of(run: SpellRun, row_of: Mapping[tuple[int, int], int]) -> Iterator[SpellLine]:
    """Yield a line for the hand that made the spell, or for both hands.

    If a hand only helped with two-handed gestures, draw its line only in the squares of these
    gestures.
    """
    hands: dict[str, list[int]] = {}
    for square in run.squares:
        hands.setdefault(square.hand, []).append(row_of[square.ordinal, square.set])
    most = max(map(len, hands.values()), default=0)
    makers = [run.hand] if run.hand in hands else [h for h in hands if len(hands[h]) == most]
    for hand, rows in hands.items():
        track = (run.wizard, HAND_FIELD_NAMES[hand])
        if hand in makers:
            yield SpellLine(track, run.spell, tuple(rows), hand == makers[0])
        else:
            yield from (SpellLine(track, run.spell, (row,), is_named=False) for row in rows)


def _free_lane(taken: list[int], line: SpellLine) -> int:
    """Return the first lane that is free for the line, and mark it as occupied."""
    first, last = line.stops[0], line.stops[-1]
    for lane, until in enumerate(taken):
        if until < first:
            taken[lane] = last
            return lane
    if len(taken) < MAX_LANES:
        taken.append(last)
        return len(taken) - 1
    taken[-1] = max(taken[-1], last)
    return MAX_LANES - 1


def _segment_kind(stops: tuple[int, ...], row: int) -> str:
    if len(stops) == 1:
        return ONLY
    if row == stops[0]:
        return FIRST
    if row == stops[-1]:
        return LAST
    return MIDDLE if row in stops else THROUGH
