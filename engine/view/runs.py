"""Cast spells and the gestures that made them, as far as an observer has seen both. rules: F34, F53

The gestures of a spell are its wizard's last rows, one for each step of its pattern. Rows that are
hidden, or that come before the turns of the view, are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.events import Cast
from engine.gestures import BANK, BOTH, LEFT, RIGHT, step_accepts_symbol, symbols
from engine.positions.position import HASTE
from engine.view.view_types import FOG_ROW, GesturePlace, Row, SpellRun, TurnView

BOTH_HANDS: Final = LEFT + RIGHT


@dataclass(frozen=True, slots=True)
class MadeSet:
    """One set of a wizard's gestures, with its place in the grid."""

    ordinal: int
    number: int
    row: Row


def runs(turns: Sequence[TurnView]) -> Iterator[SpellRun]:
    """Yield every spell that the observer saw being completed, in the order of casting."""
    made: dict[str, list[MadeSet]] = {}
    haste: TurnView | None = None
    for turn in turns:
        for wizard, rows in turn.rows.items():
            before = made.setdefault(wizard, [])
            before += [MadeSet(turn.ordinal, number, row) for number, row in enumerate(rows, 1)]
        for event in turn.events:
            if isinstance(event, Cast) and event.wizard and event.hand not in ("", BANK):
                yield _spell_run(
                    event, _sets_made_until(event, made.get(event.wizard, ()), turn, haste)
                )
        haste = turn if turn.kind == HASTE else None


def _sets_made_until(
    event: Cast, made: Sequence[MadeSet], turn: TurnView, haste: TurnView | None
) -> list[MadeSet]:
    """Return the sets that the caster had made by the time this spell was complete.

    In stepwise play, a hasted wizard's second set is a phase of its own, before the normal phase.
    rules: R97
    """
    ordinal, number = turn.ordinal, event.set
    if number > len(turn.rows.get(event.wizard, ())) and haste is not None:
        ordinal, number = haste.ordinal, 1
    return [each for each in made if (each.ordinal, each.number) <= (ordinal, number)]


def _spell_run(event: Cast, made: Sequence[MadeSet]) -> SpellRun:
    steps = event.pattern or " "  # only the last gesture, if the pattern is unknown
    last = made[-len(steps) :]
    seen = [
        (step, each)
        for step, each in zip(steps[len(steps) - len(last) :], last, strict=True)
        if each.row is not FOG_ROW
    ]
    own = _hands_that_made(seen) if event.hand == BOTH else event.hand
    squares = tuple(
        GesturePlace(each.ordinal, each.number, hand)
        for step, each in seen
        for hand in (BOTH_HANDS if step.islower() else own)
    )
    return SpellRun(event.wizard, event.spell, event.hand, squares)


def _hands_that_made(seen: Sequence[tuple[str, MadeSet]]) -> str:
    """Return the hands that made a two-handed spell, since often only one hand began it.

    rules: R4
    """
    pairs = [(step, symbols(each.row.left.letter + each.row.right.letter)) for step, each in seen]
    makers = [
        hand
        for number, hand in enumerate(BOTH_HANDS)
        if all(step_accepts_symbol(step, pair[number]) for step, pair in pairs if step != " ")
    ]
    return "".join(makers) or BOTH_HANDS
