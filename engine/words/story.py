"""The story of a finished duel: its damage, its casts and its turning points.

The story contains only facts, from the events of all turns in the open record. `highlights` turns
them into sentences. Turning points are:

- a wizard falls or leaves the duel;
- first blood: the first turn in which wizards suffer damage;
- the heaviest blow: the turn in which one wizard suffers more than anyone in any other turn, at
  least `HEAVY_BLOW_DAMAGE` points;
- a monster is won over;
- a mirror sends back a spell;
- a change in the lead: after this turn, a different wizard has suffered the least damage, without a
  tie, and the previous leader is still in the duel.

If there are more than `MAX_TURNING_POINTS`, kinds at the end of this list are left out first. A
wizard's fall is never left out.
rules: turn:damage, turn:deaths, F53
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine import events
from engine.ids import SEATS
from engine.positions.history import History, Turn
from engine.positions.position import Position
from engine.words.narrate import surrender_cause

MAX_TURNING_POINTS: Final = 8
HEAVY_BLOW_DAMAGE: Final = 3

WIZARD_FELL, FIRST_BLOOD, HEAVY_BLOW = "fell", "first_blood", "blow"
MONSTER_WON_OVER, SPELL_SENT_BACK, LEAD_CHANGED = "won_over", "sent_back", "lead"
TURNING_POINTS_BY_RANK: Final = (
    WIZARD_FELL,
    FIRST_BLOOD,
    HEAVY_BLOW,
    MONSTER_WON_OVER,
    SPELL_SENT_BACK,
    LEAD_CHANGED,
)
"""The kinds of turning points, the most important first."""


@dataclass(frozen=True, slots=True)
class WizardDamage:
    """The damage of one wizard, in one turn or in total."""

    wizard: str
    damage: int


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turning point of the duel, with the damage or the event that caused it.

    For a change in the lead, `damage` has every wizard still in the duel, the leader first. `cause`
    is the spell that forced a surrender, if any.
    """

    kind: str
    ordinal: int
    damage: tuple[WizardDamage, ...] = ()
    event: events.Event | None = None
    cause: str = ""


@dataclass(frozen=True, slots=True)
class SpellCount:
    """The number of times that a wizard cast a spell."""

    spell: str
    times: int


@dataclass(frozen=True, slots=True)
class ForgoneSpells:
    """Spells that a row completed, although its wizard cast another one. rules: F53"""

    ordinal: int
    cast: str
    spells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WizardStory:
    """One wizard's casts, and the wizard's damage before the first turn and after each turn."""

    wizard: str
    damage: tuple[int, ...]
    cast: tuple[SpellCount, ...]  # most frequent first
    forgone: tuple[ForgoneSpells, ...]


@dataclass(frozen=True, slots=True)
class StoryTurn:
    """Identification of a turn: its ordinal among all turns, its number and its kind."""

    ordinal: int
    number: int
    kind: str


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a whole duel, with its turns in order. `monsters` maps ids to names."""

    turns: tuple[StoryTurn, ...]
    wizards: tuple[WizardStory, ...]
    turning_points: tuple[TurningPoint, ...]
    monsters: dict[str, str]


def story_of(history: History) -> Story:
    """Return the story of a duel from the history of all its turns."""
    turns = history.turns
    positions = [*(turn.position for turn in turns), history.position]
    damage_by_wizard: dict[str, list[int]] = {wizard.id: [] for wizard in positions[0].wizards}
    for position in positions:
        for wizard in position.wizards:
            damage_by_wizard[wizard.id].append(wizard.damage)
    return Story(
        turns=tuple(
            StoryTurn(turn.ordinal, turn.position.turn, turn.position.kind) for turn in turns
        ),
        wizards=tuple(
            WizardStory(
                wizard,
                tuple(damage),
                _count_casts(turns, wizard),
                tuple(_forgone_spells(turns, wizard)),
            )
            for wizard, damage in damage_by_wizard.items()
        ),
        turning_points=_most_important(_turning_points(positions, turns)),
        monsters=_monsters(positions[0], turns),
    )


def _count_casts(turns: Sequence[Turn], wizard: str) -> tuple[SpellCount, ...]:
    times: dict[str, int] = {}
    for turn in turns:
        for event in turn.events:
            if isinstance(event, events.Cast) and event.wizard == wizard:
                times[event.spell] = times.get(event.spell, 0) + 1
    # Sorting is stable: spells cast equally often keep the order of their first casts.
    return tuple(SpellCount(*each) for each in sorted(times.items(), key=lambda each: -each[1]))


def _forgone_spells(turns: Sequence[Turn], wizard: str) -> Iterator[ForgoneSpells]:
    for turn in turns:
        for event in turn.events:
            if isinstance(event, events.Cast) and event.wizard == wizard and event.instead_of:
                yield ForgoneSpells(turn.ordinal, event.spell, event.instead_of)


def _monsters(start: Position, turns: Sequence[Turn]) -> dict[str, str]:
    made = (event for turn in turns for event in turn.events if isinstance(event, events.Summoned))
    names = {monster.id: monster.name for monster in start.monsters}
    return names | {event.monster: event.name for event in made}


# Turning points


def _most_important(points: Iterable[TurningPoint]) -> tuple[TurningPoint, ...]:
    """Return the turning points to report, in the order in which they happened."""
    every = list(points)
    ranked = sorted(
        range(len(every)),
        key=lambda place: (TURNING_POINTS_BY_RANK.index(every[place].kind), place),
    )
    kept = [place for place in ranked if every[place].kind == WIZARD_FELL]
    kept += [place for place in ranked if every[place].kind != WIZARD_FELL][
        : max(0, MAX_TURNING_POINTS - len(kept))
    ]
    return tuple(every[place] for place in sorted(kept))


def _turning_points(positions: Sequence[Position], turns: Sequence[Turn]) -> Iterator[TurningPoint]:
    steps = list(zip(turns, positions, positions[1:], strict=False))
    suffered = [tuple(_damage_suffered(before, after)) for _, before, after in steps]
    worst = [max((each.damage for each in of_turn), default=0) for of_turn in suffered]
    first = next((number for number, most in enumerate(worst) if most), None)
    heaviest = worst.index(max(worst)) if max(worst, default=0) >= HEAVY_BLOW_DAMAGE else None
    leader = _leader(positions[0])
    for number, (turn, _, after) in enumerate(steps):
        if number == first:
            yield TurningPoint(FIRST_BLOOD, turn.ordinal, suffered[number])
        elif number == heaviest:
            hardest = (each for each in suffered[number] if each.damage == worst[number])
            yield TurningPoint(HEAVY_BLOW, turn.ordinal, tuple(hardest))
        yield from _event_turning_points(turn)
        leads, still_stands = _leader(after), leader in _damage_of_remaining_wizards(after)
        if leads and leads != leader and still_stands:
            standing = sorted(_damage_of_remaining_wizards(after).items(), key=lambda each: each[1])
            yield TurningPoint(
                LEAD_CHANGED, turn.ordinal, tuple(WizardDamage(*each) for each in standing)
            )
        leader = leads or (leader if still_stands else "")


def _event_turning_points(turn: Turn) -> Iterator[TurningPoint]:
    """Yield the turning points that are single events."""
    spells = turn.position.rules.spells
    for event in turn.events:
        match event:
            case events.Died(subject=subject) if subject in SEATS:
                yield TurningPoint(WIZARD_FELL, turn.ordinal, event=event)
            case (
                events.Surrendered()
                | events.Resigned()
                | events.Forfeited()
                | events.WizardRemoved()
            ):
                cause = surrender_cause(event, turn.events)
                yield TurningPoint(WIZARD_FELL, turn.ordinal, event=event, cause=cause)
            case events.Controlled(cause=cause) if cause in spells and spells[cause].takes_over:
                yield TurningPoint(MONSTER_WON_OVER, turn.ordinal, event=event)
            case events.Reflected():
                yield TurningPoint(SPELL_SENT_BACK, turn.ordinal, event=event)
            case _:
                pass


def _damage_suffered(before: Position, after: Position) -> Iterator[WizardDamage]:
    """Yield the damage of each wizard who was hurt between these two positions."""
    for one, other in zip(before.wizards, after.wizards, strict=True):
        if other.damage > one.damage:
            yield WizardDamage(one.id, other.damage - one.damage)


def _damage_of_remaining_wizards(position: Position) -> dict[str, int]:
    """Return the total damage of each wizard still in the duel."""
    return {wizard.id: wizard.damage for wizard in position.wizards_in_duel()}


def _leader(position: Position) -> str:
    """Return the wizard still in the duel who has suffered least; "" if there is a tie."""
    standing = _damage_of_remaining_wizards(position)
    least = min(standing.values(), default=0)
    found = [wizard for wizard, damage in standing.items() if damage == least]
    return found[0] if len(found) == 1 else ""
