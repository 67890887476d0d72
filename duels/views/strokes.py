"""Lines along the gestures of each spell that was cast, laid out beside one another.

`engine.view` says which squares made a spell; here each gets its place: a line runs in a lane of
its hand's column from the spell's first gesture to its last, past whatever stands between them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine import Run

LANES: Final = 4  # more than can be told apart: whatever comes after shares the last
SIDES: Final = {"L": "left", "R": "right"}
FIRST, MIDDLE, LAST, ONLY, THROUGH = "first", "middle", "last", "only", "through"

Track = tuple[str, str]
"""A hand's column of the grid: wizard and side."""

Place = tuple[Track, int]
"""A square: its track, and the number of its line."""


@dataclass(frozen=True)
class Stroke:
    """The piece of a spell's line in one square. `place` is which part of the line it is."""

    lane: int
    place: str
    spell: str
    is_named: bool = False  # the spell's name stands here


@dataclass(frozen=True)
class Piece:
    """One spell's line on one track, by numbers of the grid's lines."""

    track: Track
    spell: str
    stops: tuple[int, ...]
    is_named: bool


def strokes(
    runs: Iterable[Run], line_of: Mapping[tuple[int, int], int]
) -> dict[Place, tuple[Stroke, ...]]:
    """The strokes of every square that has some. `line_of`: line by ordinal and set."""
    drawn: dict[Place, list[Stroke]] = {}
    taken: dict[Track, list[int]] = {}  # by lane, the last line that is taken
    pieces = [piece for run in runs for piece in _pieces(run, line_of)]
    for piece in sorted(pieces, key=lambda piece: (piece.stops[0], -piece.stops[-1])):
        lane = _lane(taken.setdefault(piece.track, []), piece)
        for line in range(piece.stops[0], piece.stops[-1] + 1):
            named = piece.is_named and line == piece.stops[-1]
            stroke = Stroke(lane, _place(piece.stops, line), piece.spell, named)
            drawn.setdefault((piece.track, line), []).append(stroke)
    return {square: tuple(found) for square, found in drawn.items()}


def _pieces(run: Run, line_of: Mapping[tuple[int, int], int]) -> Iterator[Piece]:
    """A line on the hand that made the spell, or on both; where the other one only lent itself to
    a gesture of both hands, that gesture alone."""
    hands: dict[str, list[int]] = {}
    for square in run.squares:
        hands.setdefault(square.hand, []).append(line_of[square.ordinal, square.set])
    most = max(map(len, hands.values()), default=0)
    makers = [run.hand] if run.hand in hands else [h for h in hands if len(hands[h]) == most]
    for hand, lines in hands.items():
        track = (run.wizard, SIDES[hand])
        if hand in makers:
            yield Piece(track, run.spell, tuple(lines), hand == makers[0])
        else:
            yield from (Piece(track, run.spell, (line,), is_named=False) for line in lines)


def _lane(taken: list[int], piece: Piece) -> int:
    """The first lane that is free where the piece begins; it is taken to where the piece ends."""
    first, last = piece.stops[0], piece.stops[-1]
    for lane, until in enumerate(taken):
        if until < first:
            taken[lane] = last
            return lane
    if len(taken) < LANES:
        taken.append(last)
        return len(taken) - 1
    taken[-1] = max(taken[-1], last)
    return LANES - 1


def _place(stops: tuple[int, ...], line: int) -> str:
    if len(stops) == 1:
        return ONLY
    if line == stops[0]:
        return FIRST
    if line == stops[-1]:
        return LAST
    return MIDDLE if line in stops else THROUGH
