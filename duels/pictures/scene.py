"""Data structures for the contents of a picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from duels.wording.turns import turn_label
from engine.play import BeingView, Cell, Row, TurnView, View

ROWS = 8  # the newest sets of gestures; the page has the older ones
STATES = {
    "dead": "dead",
    "corpse": "dead",
    "surrendered": "surrendered",
    "resigned": "resigned",
    "forfeited": "out of time",
    "removed": "removed",
}


@dataclass(frozen=True)
class Mark:
    """One hand's gesture. `letter` is "?" for fog."""

    letter: str
    is_half: bool = False
    spell: str = ""  # id of the spell cast with this gesture
    spell_name: str = ""


@dataclass(frozen=True)
class SceneRow:
    """One row of the grid, with each wizard's marks, if any, and whether a break follows."""

    label: str
    hands: tuple[tuple[Mark, Mark] | None, ...]
    broken: tuple[bool, ...]


@dataclass(frozen=True)
class Duellist:
    """A wizard in the heading of their two columns."""

    name: str
    seat: int
    damage: int | None  # None if the wizard cannot be seen
    limit: int
    state: str = ""  # "dead", "resigned" …; empty for those still in the duel
    monsters: tuple[str, ...] = ()  # the kinds of their monsters


@dataclass(frozen=True)
class Scene:
    """The contents of a picture."""

    title: str
    place: str  # text with the turn and the ruleset
    headline: str  # summary of the last events
    duellists: tuple[Duellist, ...]
    rows: tuple[SceneRow, ...]


def scene_of(
    view: View, spells: Mapping[str, str], *, title: str, place: str, headline: str
) -> Scene:
    """Return the scene for a view. `spells` has the names of spells by id."""
    wizards = [wizard.id for wizard in view.wizards]
    rows = [row for turn in view.turns for row in _rows(view.ruleset, turn, wizards, spells)]
    beings = {being.id: being for being in view.status}
    return Scene(
        title=title,
        place=place,
        headline=headline,
        duellists=tuple(
            _duellist(place, wizard.name, beings[wizard.id], view.status)
            for place, wizard in enumerate(view.wizards)
        ),
        rows=tuple(rows[-ROWS:]),
    )


def _rows(
    ruleset: str, turn: TurnView, wizards: Sequence[str], spells: Mapping[str, str]
) -> Iterator[SceneRow]:
    """Yield a row for each set of gestures in a turn. The last one has the turn's breaks."""
    sets = [turn.rows.get(wizard, ()) for wizard in wizards]
    count = max(map(len, sets), default=0)
    for number in range(count):
        is_last = number == count - 1
        yield SceneRow(
            turn_label(ruleset, turn.number, turn.kind) + ("″" if number else ""),
            tuple(_pair(each[number], spells) if number < len(each) else None for each in sets),
            tuple(is_last and wizard in turn.breaks for wizard in wizards),
        )


def _pair(row: Row, spells: Mapping[str, str]) -> tuple[Mark, Mark]:
    return _mark(row.left, spells), _mark(row.right, spells)


def _mark(cell: Cell, spells: Mapping[str, str]) -> Mark:
    name = spells.get(cell.spell, "")
    return Mark(cell.letter, cell.mark == "half_clap", cell.spell, name)


def _duellist(seat: int, name: str, being: BeingView, status: Sequence[BeingView]) -> Duellist:
    return Duellist(
        name=name,
        seat=seat,
        damage=being.damage,
        limit=being.limit,
        state=STATES.get(being.state, ""),
        monsters=tuple(each.kind for each in status if _obeys(each, being)),
    )


def _obeys(being: BeingView, wizard: BeingView) -> bool:
    return (
        being.kind != "wizard"
        and being.group == wizard.id
        and being.state not in STATES
        and being.state != "unseen"
    )
