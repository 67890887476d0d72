"""Comparison of a turn resolved by the engine with its record, field by field."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from engine.battles.document import Attack, Battle, Effect, FinalWizard, LivingMonster, Turn
from engine.battles.outcome import HELD, IDLE, NONE, Outcome
from engine.battles.words import ELEMENTAL_HITS, HIDDEN, KINDS, NO_SET, means
from engine.ids import SEATS
from engine.json_values import NOTHING
from engine.position import NORMAL

AMOK: Final = "amok"
NORMAL_TURN: Final = KINDS[NORMAL]


class Compared(NamedTuple):
    """One comparison: the recorded value and the engine's result."""

    field: str
    told: object
    got: object
    agrees: bool


One = TypeVar("One")


def same(field: str, told: object, got: object) -> Compared:
    return Compared(field, told, got, told == got)


def compare_turn(battle: Battle, turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Yield every comparison of one turn, in the order of events."""
    yield from gestures(battle, turn, outcome)
    yield from _forced(turn, outcome)
    seen = [n for n, row in enumerate(turn.rows) if HIDDEN not in row]
    casts = [cast for cast in outcome.casts if cast.by in seen]
    yield from in_order("casts", turn.casts, casts)
    banks = [seat for seat in outcome.banks if seat in seen or seat in turn.banks]
    yield from as_sets("banks", turn.banks, banks)
    yield from effects(turn, outcome)
    yield from attacks(turn, outcome)
    yield from _sick(turn, outcome)
    deaths = [one for one in outcome.perhaps_deaths if one in turn.deaths]
    yield from as_sets("deaths", turn.deaths, [*outcome.deaths, *deaths])
    yield from as_sets("out", turn.leavings, outcome.leavings)
    for seat, (told, got) in enumerate(zip(turn.hit_points, outcome.hit_points, strict=True)):
        yield same(f"hp[{seat}]", told, got)
    yield from monsters("monsters", turn.monsters, outcome)
    yield same("result", turn.result, outcome.result)


def gestures(battle: Battle, turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Compare the gestures of each seat, except hidden ones, and the final grid."""
    for seat, (told, got) in enumerate(zip(turn.rows, outcome.rows, strict=True)):
        if told or seat not in turn.wills:
            yield same(f"gestures[{seat}]", _known(told, got) or NOTHING, got or NOTHING)
        for hand, letters, letter in zip(
            "LR", battle.final.grid[seat], outcome.grid[seat], strict=True
        ):
            shown = letters[turn.number - 1]
            is_open = HIDDEN in (shown, *told) or (shown == NO_SET and not told)
            if not is_open:
                yield same(f"grid[{seat}].{hand}", shown, letter)


def _known(told: str, got: str) -> str:
    """Return the recorded row, with hidden letters replaced by those made."""
    if HIDDEN not in told or not got:
        return told
    return "".join(two if one == HIDDEN else one for one, two in zip(told, got, strict=True))


def _forced(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Compare the hands that mind spells decided."""
    got = {forced.wizard: forced for forced in outcome.forced}
    for forced in turn.forced:
        mine = got.pop(forced.wizard, None)
        hand = mine.hand if mine is not None and not forced.hand else forced.hand
        told = (forced.by, hand)
        yield same(f"forced.w{forced.wizard}", told, NOTHING if mine is None else mine[1:3])
    for seat, mine in got.items():
        if not turn.rows[seat] and seat in turn.wills:
            continue  # a set that a stopping heart hides is not recorded
        yield Compared(f"forced.w{seat}", NOTHING, mine[1:3], agrees=False)


# Lists


def in_order(field: str, told: Sequence[One], got: Sequence[One]) -> Iterator[Compared]:
    """Compare two lists entry by entry."""
    for number, (one, other) in enumerate(zip_longest(told, got, fillvalue=NOTHING)):
        yield same(f"{field}[{number}]", one, other)


def as_sets(field: str, told: Iterable[One], got: Iterable[One]) -> Iterator[Compared]:
    """Compare two lists regardless of order, and report entries that only one of them has."""
    rest = list(got)
    for number, one in enumerate(told):
        if one in rest:
            rest.remove(one)
            yield same(f"{field}[{number}]", one, one)
        else:
            yield same(f"{field}[{number}]", one, NOTHING)
    for one in rest:
        yield same(field, NOTHING, one)


def effects(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Compare the recorded effects with the engine's, each once, regardless of order."""
    rest, perhaps = list(outcome.effects), list(outcome.perhaps_effects)
    room = room_for_each_cure(outcome)
    for number, told in enumerate(turn.effects):
        found = next((one for one in rest if matches(told, one, room)), None)
        if found is not None:
            rest.remove(found)
        else:
            found = next((one for one in perhaps if matches(told, one, room)), None)
        field = f"effects[{number}]"
        yield Compared(field, told, found or NOTHING, agrees=found is not None)
    for one in rest:
        if not may_go_untold(one):
            yield Compared("effects", NOTHING, one, agrees=False)


def room_for_each_cure(outcome: Outcome) -> Mapping[str, int]:
    """Return the least that a cure can heal, by being.

    If there are several cures, any of them may come last, with nothing left to heal.
    """
    cured = [effect.on for effect in outcome.effects if effect.code == "heal"]
    return {being: room if cured.count(being) < 2 else 0 for being, room in outcome.room.items()}


def may_go_untold(effect: Effect) -> bool:
    """Return whether the effect may be missing from the record.

    This applies to effects of an elemental that hurt no one: a blow stopped by a shield or a
    resistance, or the elemental's end by another.
    """
    if effect.code in ("blocked", "resists"):
        return effect.what in ELEMENTAL_HITS.values()
    return effect.code == "destroyed" and not effect.what


def matches(told: Effect, got: Effect, room: Mapping[str, int]) -> bool:
    """Return whether the effect matches the recorded one.

    A recorded word for several spells matches each of them.
    """
    if told.code == got.code == AMOK:
        return True
    if _code(told) != _code(got) or (told.on and told.on != got.on):
        return False
    if told.what and got.what and not means(told.what, got.what):
        return False
    if told.by and got.by and told.by != got.by:
        return False
    if (told.monster, told.kind, told.owner) != (got.monster, got.kind, got.owner):
        return False
    if told.amount is None or got.amount is None:
        return True
    least = min(got.amount, room.get(got.on, 0)) if got.code == "heal" else got.amount
    return least <= told.amount <= got.amount


def _code(effect: Effect) -> str:
    """Return the effect's code, the same one for codes that are interchangeable in records."""
    if effect.what == "missile" and effect.code == "countered":
        return "blocked"
    return "destroyed" if effect.code == "absorbed_by_storm" else effect.code


def attacks(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Compare blows in their order, and idle attackers in any order.

    Idle attackers are compared only in normal turns. Their reasons may differ, because records do
    not follow one rule for a missing victim and none. The missing second attack of a hasted monster
    is ignored.
    """
    told = [
        attack._replace(is_uncounted=False)
        for attack in turn.attacks
        if not attack.is_second or attack.out not in (*IDLE, HELD)
    ]
    blows = [attack for attack in told if attack.out not in IDLE]
    struck = [attack for attack in outcome.attacks if attack.out not in IDLE]
    yield from in_order("attacks", by_seat(blows), by_seat(struck))
    if turn.kind == NORMAL_TURN:
        idle = [Attack(attack.by, NONE) for attack in told if attack.out in IDLE]
        rest = [Attack(attack.by, NONE) for attack in outcome.attacks if attack.out in IDLE]
        yield from as_sets("attacks", idle, rest)


def by_seat(blows: Sequence[Attack]) -> list[Attack]:
    """Return the blows in their order, but with stabs, recorded in any order, sorted by seat."""
    stabs = iter(sorted((b for b in blows if b.by in SEATS), key=lambda stab: stab.by))
    return [next(stabs) if blow.by in SEATS else blow for blow in blows]


def _sick(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Compare the turns left to the sick, recorded in normal turns after the turn of the spell."""
    if turn.kind == NORMAL_TURN:
        leaving = {leaving.wizard for leaving in turn.leavings}
        sure = [one for one in outcome.sick if one.wizard not in leaving]
        perhaps = {*outcome.perhaps_sick, *outcome.sick} - {*sure}
        yield from as_sets("sick", turn.sick, [*sure, *(s for s in turn.sick if s in perhaps)])


def monsters(field: str, told: Sequence[LivingMonster], outcome: Outcome) -> Iterator[Compared]:
    """Compare living monsters with owners and hit points; elementals only if they are recorded."""
    got = {monster.id: monster for monster in outcome.monsters}
    elementals = {monster.id: monster for monster in outcome.elementals}
    for monster in told:
        mine = got.pop(monster.id, None) or elementals.get(monster.id)
        yield Compared(
            f"{field}.{monster.id}",
            monster,
            NOTHING if mine is None else mine,
            agrees=mine is not None and _is_told(monster, mine),
        )
    for mine in got.values():
        yield Compared(f"{field}.{mine.id}", NOTHING, mine, agrees=False)


def _is_told(told: LivingMonster, got: LivingMonster) -> bool:
    """Return whether everything recorded of the monster matches."""
    kind, victim = told.kind or got.kind, told.victim or got.victim
    return told._replace(kind=kind, victim=victim) == got


def compare_wizard(seat: int, told: FinalWizard, got: FinalWizard) -> Iterator[Compared]:
    """Compare one wizard at the end: how they ended, hit points, effects, and the bank."""
    place = f"final.wizards[{seat}]"
    yield same(f"{place}.how", told.how, got.how)
    if told.hit_points is not None:
        yield same(f"{place}.hp", told.hit_points, got.hit_points)
    for word in {**told.status, **got.status}:
        left, mine = told.status.get(word, 0), got.status.get(word, 0)
        yield same(f"{place}.effects.{word}", left, mine)
    yield same(f"{place}.bank", told.bank, got.bank)
