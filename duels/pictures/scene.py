"""Data structures for the contents of a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from duels.standing.beings import Being, seat_number
from duels.standing.history import HistoryRow, history_rows
from duels.standing.state import state_of
from engine.play import View

HISTORY_ROWS = 8  # number of sets of gestures shown; the page also shows older sets
STATE_OF_STANDING = {
    "dead": "dead",
    "corpse": "dead",
    "surrendered": "surrendered",
    "resigned": "resigned",
    "forfeited": "out of time",
    "removed": "removed",
}


@dataclass(frozen=True)
class Duellist:
    """A wizard as shown in the heading of their two columns."""

    name: str
    seat: int
    damage: int | None  # None if the wizard cannot be seen
    limit: int
    state: str = ""  # such as "dead", or "" if the wizard is still in the duel
    monsters: tuple[str, ...] = ()  # the kinds of the wizard's monsters


@dataclass(frozen=True)
class Scene:
    title: str
    place: str  # text with the turn and the ruleset
    headline: str  # summary of the last events
    duellists: tuple[Duellist, ...]
    rows: tuple[HistoryRow, ...]  # rows with sets of gestures, without breaks
    spells: Mapping[str, str] = field(default_factory=dict)  # names by id


def scene_of(view: View, *, title: str, place: str, headline: str) -> Scene:
    shown = state_of(view).beings
    by_id = {being.id: being for being in shown}
    sets = [row for row in history_rows(view) if row.set]
    return Scene(
        title=title,
        place=place,
        headline=headline,
        duellists=tuple(_make_duellist(by_id[wizard.id], shown) for wizard in view.wizards),
        rows=tuple(sets[-HISTORY_ROWS:]),
        spells=view.rules.spell_names,
    )


def _make_duellist(wizard: Being, shown: Sequence[Being]) -> Duellist:
    monsters = (being for being in shown if being.obeys and being.seat == wizard.seat)
    return Duellist(
        name=wizard.name,
        seat=seat_number(wizard.id),
        damage=wizard.damage,
        limit=wizard.limit,
        state=STATE_OF_STANDING.get(wizard.state, ""),
        monsters=tuple(being.kind for being in monsters if being.is_alive),
    )
