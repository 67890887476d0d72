"""What the engine made of a turn beside what was told of it, field by field."""

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
    """One comparison: what was told, and what the engine came to."""

    field: str
    told: object
    got: object
    agrees: bool


One = TypeVar("One")


def same(field: str, told: object, got: object) -> Compared:
    return Compared(field, told, got, told == got)


def compare_turn(battle: Battle, turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Every comparison of one turn, in the order in which things happen."""
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
    """Who made a set, and which, but for what is hidden; and how the record keeps it."""
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
    """The row as it was told, what is hidden of it as it was made."""
    if HIDDEN not in told or not got:
        return told
    return "".join(two if one == HIDDEN else one for one, two in zip(told, got, strict=True))


def _forced(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Which hands a spell upon the mind decided."""
    got = {forced.wizard: forced for forced in outcome.forced}
    for forced in turn.forced:
        mine = got.pop(forced.wizard, None)
        hand = mine.hand if mine is not None and not forced.hand else forced.hand
        told = (forced.by, hand)
        yield same(f"forced.w{forced.wizard}", told, NOTHING if mine is None else mine[1:3])
    for seat, mine in got.items():
        if not turn.rows[seat] and seat in turn.wills:
            continue  # of the set that a heart's stopping leaves untold nothing is told
        yield Compared(f"forced.w{seat}", NOTHING, mine[1:3], agrees=False)


# Lists


def in_order(field: str, told: Sequence[One], got: Sequence[One]) -> Iterator[Compared]:
    """Entry by entry."""
    for number, (one, other) in enumerate(zip_longest(told, got, fillvalue=NOTHING)):
        yield same(f"{field}[{number}]", one, other)


def as_sets(field: str, told: Iterable[One], got: Iterable[One]) -> Iterator[Compared]:
    """What is in both, and what is in one of them alone, in whatever order."""
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
    """What was told to happen, each once, and nothing beside it, in whatever order."""
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
    """What a cure heals at least, by being: of several each may be the last, with nothing left."""
    cured = [effect.on for effect in outcome.effects if effect.code == "heal"]
    return {being: room if cured.count(being) < 2 else 0 for being, room in outcome.room.items()}


def may_go_untold(effect: Effect) -> bool:
    """Whether it is what comes of an elemental that hurts nobody: its blow against a shield or a
    resistance, or its end by another elemental."""
    if effect.code in ("blocked", "resists"):
        return effect.what in ELEMENTAL_HITS.values()
    return effect.code == "destroyed" and not effect.what


def matches(told: Effect, got: Effect, room: Mapping[str, int]) -> bool:
    """Whether this is what was told; words that stand for several spells fit each of them."""
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
    """The code, one for what can be told by either of two."""
    if effect.what == "missile" and effect.code == "countered":
        return "blocked"
    return "destroyed" if effect.code == "absorbed_by_storm" else effect.code


def attacks(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """Blows in their order; who made none, in any order, and in a normal turn only: whether the
    victim was missing or there was none is told, and no rule.

    That a hasted monster does not attack a second time may be told or not.
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
    """The blows in their order, but stabs, which may be told in any, by seat among themselves."""
    stabs = iter(sorted((b for b in blows if b.by in SEATS), key=lambda stab: stab.by))
    return [next(stabs) if blow.by in SEATS else blow for blow in blows]


def _sick(turn: Turn, outcome: Outcome) -> Iterator[Compared]:
    """The turns left to the sick: told in normal turns, from the one after the spell."""
    if turn.kind == NORMAL_TURN:
        leaving = {leaving.wizard for leaving in turn.leavings}
        sure = [one for one in outcome.sick if one.wizard not in leaving]
        perhaps = {*outcome.perhaps_sick, *outcome.sick} - {*sure}
        yield from as_sets("sick", turn.sick, [*sure, *(s for s in turn.sick if s in perhaps)])


def monsters(field: str, told: Sequence[LivingMonster], outcome: Outcome) -> Iterator[Compared]:
    """The living, each with owner and hit points; elementals only where they are listed."""
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
    """Whether nothing that is told of the monster is otherwise."""
    kind, victim = told.kind or got.kind, told.victim or got.victim
    return told._replace(kind=kind, victim=victim) == got


def compare_wizard(seat: int, told: FinalWizard, got: FinalWizard) -> Iterator[Compared]:
    """One wizard at the end: standing, hit points, what is in force, and the bank."""
    place = f"final.wizards[{seat}]"
    yield same(f"{place}.how", told.how, got.how)
    if told.hit_points is not None:
        yield same(f"{place}.hp", told.hit_points, got.hit_points)
    for word in {**told.status, **got.status}:
        left, mine = told.status.get(word, 0), got.status.get(word, 0)
        yield same(f"{place}.effects.{word}", left, mine)
    yield same(f"{place}.bank", told.bank, got.bank)
