"""Comparison of a turn resolved by the engine with its record, field by field."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple, TypeVar

from engine.battles import words
from engine.battles.document import Attack, Battle, Effect, FinalWizard, LivingMonster, Turn
from engine.battles.outcome import IDLE_OUTCOMES, NO_ATTACK, PARALYSED, Outcome
from engine.ids import SEATS
from engine.json_values import MISSING
from engine.positions.position import NORMAL

AMOK_CODE: Final = "amok"
CODES_OF_STOPPED_BLOWS: Final = ("blocked", "countered", "spared")
"""Codes of blows that a shield or a counter-spell stopped."""
NORMAL_TURN: Final = words.TURN_KIND_WORDS[NORMAL]


class Comparison(NamedTuple):
    """One comparison: the recorded value and the engine's result. At the end, `turn` is 0."""

    field: str
    recorded: object
    got: object
    agrees: bool
    battle: str = ""
    turn: int = 0


Item = TypeVar("Item")


def compare_values(field: str, recorded: object, got: object) -> Comparison:
    return Comparison(field, recorded, got, recorded == got)


def compare_turn(battle: Battle, turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Yield every comparison of one turn, in the order of events."""
    yield from compare_gestures(battle, turn, outcome)
    yield from _compare_forced_hands(turn, outcome)
    seen = [n for n, row in enumerate(turn.rows) if words.HIDDEN_LETTER not in row]
    casts = [cast for cast in outcome.casts if cast.by in seen]
    yield from compare_in_order("casts", turn.casts, casts)
    banks = [seat for seat in outcome.banks if seat in seen or seat in turn.banks]
    yield from compare_as_sets("banks", turn.banks, banks)
    yield from compare_effects(turn, outcome)
    yield from compare_attacks(turn, outcome)
    yield from _compare_sickness(turn, outcome)
    deaths = [one for one in outcome.perhaps_deaths if one in turn.deaths]
    yield from compare_as_sets("deaths", turn.deaths, [*outcome.deaths, *deaths])
    yield from compare_as_sets("out", turn.leavings, outcome.leavings)
    for seat, (recorded, got) in enumerate(zip(turn.hit_points, outcome.hit_points, strict=True)):
        yield compare_values(f"hp[{seat}]", recorded, got)
    yield from compare_monsters("monsters", turn.monsters, outcome)
    yield compare_values("result", turn.result, outcome.result)


def compare_gestures(battle: Battle, turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Compare the gestures of each seat, except hidden ones, and the final grid."""
    for seat, (recorded, got) in enumerate(zip(turn.rows, outcome.rows, strict=True)):
        if recorded or seat not in turn.wills:
            yield compare_values(
                f"gestures[{seat}]",
                _with_hidden_letters_filled(recorded, got) or MISSING,
                got or MISSING,
            )
        for hand, letters, letter in zip(
            "LR", battle.final.grid[seat], outcome.grid[seat], strict=True
        ):
            shown = letters[turn.number - 1]
            is_open = words.HIDDEN_LETTER in (shown, *recorded) or (
                shown == words.BLANK_LETTER and not recorded
            )
            if not is_open:
                yield compare_values(f"grid[{seat}].{hand}", shown, letter)


def _with_hidden_letters_filled(recorded: str, got: str) -> str:
    """Return the recorded row, with the engine's letters in place of hidden ones."""
    if words.HIDDEN_LETTER not in recorded or not got:
        return recorded
    return "".join(
        two if one == words.HIDDEN_LETTER else one for one, two in zip(recorded, got, strict=True)
    )


def _compare_forced_hands(turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Compare the hands whose gestures mind spells decided."""
    got = {forced.wizard: forced for forced in outcome.forced}
    for forced in turn.forced:
        mine = got.pop(forced.wizard, None)
        hand = mine.hand if mine is not None and not forced.hand else forced.hand
        recorded = (forced.by, hand)
        yield compare_values(
            f"forced.w{forced.wizard}", recorded, MISSING if mine is None else mine[1:3]
        )
    for seat, mine in got.items():
        if not turn.rows[seat] and seat in turn.wills:
            continue  # no gestures are recorded for a wizard who stops their heart
        yield Comparison(f"forced.w{seat}", MISSING, mine[1:3], agrees=False)


# Lists


def compare_in_order(
    field: str, recorded: Sequence[Item], got: Sequence[Item]
) -> Iterator[Comparison]:
    """Compare two lists entry by entry."""
    for number, (one, other) in enumerate(zip_longest(recorded, got, fillvalue=MISSING)):
        yield compare_values(f"{field}[{number}]", one, other)


def compare_as_sets(
    field: str, recorded: Iterable[Item], got: Iterable[Item]
) -> Iterator[Comparison]:
    """Compare two lists regardless of order, and report entries that are in only one of them."""
    rest = list(got)
    for number, one in enumerate(recorded):
        if one in rest:
            rest.remove(one)
            yield compare_values(f"{field}[{number}]", one, one)
        else:
            yield compare_values(f"{field}[{number}]", one, MISSING)
    for one in rest:
        yield compare_values(field, MISSING, one)


def compare_effects(turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Match each recorded effect with one of the engine's, regardless of order."""
    rest, perhaps = list(outcome.effects), list(outcome.perhaps_effects)
    minimum_cures = minimum_points_of_cures(outcome)

    def matches(recorded: Effect, got: Effect) -> bool:
        return any(
            matches_effect(recorded, form, minimum_cures)
            for form in recordable_effects(got, outcome)
        )

    for number, recorded in enumerate(turn.effects):
        found = next((one for one in rest if matches(recorded, one)), None)
        if found is not None:
            rest.remove(found)
        else:
            found = next((one for one in perhaps if matches(recorded, one)), None)
        field = f"effects[{number}]"
        yield Comparison(field, recorded, found or MISSING, agrees=found is not None)
    for one in rest:
        if not may_be_omitted(one):
            yield Comparison("effects", MISSING, one, agrees=False)


def minimum_points_of_cures(outcome: Outcome) -> Mapping[str, int]:
    """Return the minimum number of points that each cure heals, by being.

    The minimum is 0 if there are several cures: any of them may come last, with nothing left to
    heal.
    """
    cured = [effect.on for effect in outcome.effects if effect.code == "heal"]
    return {being: room if cured.count(being) < 2 else 0 for being, room in outcome.room.items()}


def recordable_effects(effect: Effect, outcome: Outcome) -> list[Effect]:
    """Return all effects that a record may contain for this one.

    If both a guard and a resistance stopped a blow, records may name either.
    """
    found = [effect]
    if effect.code in CODES_OF_STOPPED_BLOWS and (effect.on, effect.what) in outcome.resisted:
        found.append(effect._replace(code="resists"))
    return found


def may_be_omitted(effect: Effect) -> bool:
    """Return whether the effect may be missing from the record.

    Records may leave out what an elemental does without hurting anyone: a blow that a shield or a
    resistance stops, or the elemental's destruction by another one.
    """
    if effect.code in ("blocked", "resists"):
        return effect.what in words.WORD_FOR_ELEMENTAL_STRIKE.values()
    return effect.code == "destroyed" and not effect.what


def matches_effect(recorded: Effect, got: Effect, minimum_cures: Mapping[str, int]) -> bool:
    """Return whether the effect matches the recorded one.

    A recorded word for several spells matches each of them.
    """
    if recorded.code == got.code == AMOK_CODE:
        return True
    if _recordable_code(recorded) != _recordable_code(got) or (
        recorded.on and recorded.on != got.on
    ):
        return False
    if recorded.what and got.what and not words.matches_spell(recorded.what, got.what):
        return False
    if recorded.by and got.by and recorded.by != got.by:
        return False
    if (recorded.monster, recorded.kind, recorded.owner) != (got.monster, got.kind, got.owner):
        return False
    if recorded.amount is None or got.amount is None:
        return True
    least = min(got.amount, minimum_cures.get(got.on, 0)) if got.code == "heal" else got.amount
    return least <= recorded.amount <= got.amount


def _recordable_code(effect: Effect) -> str:
    """Return the effect's code, or the code that records may use instead of it."""
    if effect.what == "missile" and effect.code == "countered":
        return "blocked"
    return "destroyed" if effect.code == "absorbed_by_storm" else effect.code


def compare_attacks(turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Compare blows in order, and idle attackers in any order.

    Idle attackers are compared only in normal turns. Their reasons may differ, because records do
    not consistently distinguish a missing victim from none. A second attack that a hasted monster
    does not make is ignored.
    """
    recorded = [
        attack._replace(is_uncounted=False)
        for attack in turn.attacks
        if not attack.is_second or attack.out not in (*IDLE_OUTCOMES, PARALYSED)
    ]
    blows = [attack for attack in recorded if attack.out not in IDLE_OUTCOMES]
    struck = [attack for attack in outcome.attacks if attack.out not in IDLE_OUTCOMES]
    yield from compare_in_order("attacks", sort_stabs_by_seat(blows), sort_stabs_by_seat(struck))
    if turn.kind == NORMAL_TURN:
        idle = [Attack(attack.by, NO_ATTACK) for attack in recorded if attack.out in IDLE_OUTCOMES]
        rest = [
            Attack(attack.by, NO_ATTACK)
            for attack in outcome.attacks
            if attack.out in IDLE_OUTCOMES
        ]
        yield from compare_as_sets("attacks", idle, rest)


def sort_stabs_by_seat(blows: Sequence[Attack]) -> list[Attack]:
    """Return the blows in order, but stabs by seat, because records list them in any order."""
    stabs = iter(sorted((b for b in blows if b.by in SEATS), key=lambda stab: stab.by))
    return [next(stabs) if blow.by in SEATS else blow for blow in blows]


def _compare_sickness(turn: Turn, outcome: Outcome) -> Iterator[Comparison]:
    """Compare how many turns sick wizards have left, which is recorded only in normal turns."""
    if turn.kind == NORMAL_TURN:
        leaving = {leaving.wizard for leaving in turn.leavings}
        sure = [one for one in outcome.sick if one.wizard not in leaving]
        perhaps = {*outcome.perhaps_sick, *outcome.sick} - {*sure}
        yield from compare_as_sets(
            "sick", turn.sick, [*sure, *(s for s in turn.sick if s in perhaps)]
        )


def compare_monsters(
    field: str, recorded: Sequence[LivingMonster], outcome: Outcome
) -> Iterator[Comparison]:
    """Compare living monsters, their owners and hit points; elementals only if recorded."""
    got = {monster.id: monster for monster in outcome.monsters}
    elementals = {monster.id: monster for monster in outcome.elementals}
    for monster in recorded:
        mine = got.pop(monster.id, None) or elementals.get(monster.id)
        yield Comparison(
            f"{field}.{monster.id}",
            monster,
            MISSING if mine is None else mine,
            agrees=mine is not None and _matches_record(monster, mine),
        )
    for mine in got.values():
        yield Comparison(f"{field}.{mine.id}", MISSING, mine, agrees=False)


def _matches_record(recorded: LivingMonster, got: LivingMonster) -> bool:
    """Return whether every recorded fact about the monster matches."""
    kind, victim = recorded.kind or got.kind, recorded.victim or got.victim
    return recorded._replace(kind=kind, victim=victim) == got


def compare_wizard(seat: int, recorded: FinalWizard, got: FinalWizard) -> Iterator[Comparison]:
    """Compare one wizard's final state, including hit points, effects and bank."""
    place = f"final.wizards[{seat}]"
    yield compare_values(f"{place}.how", recorded.how, got.how)
    if recorded.hit_points is not None:
        yield compare_values(f"{place}.hp", recorded.hit_points, got.hit_points)
    for word in {**recorded.status, **got.status}:
        left, mine = recorded.status.get(word, 0), got.status.get(word, 0)
        agrees = left == mine or (word, left) in got.perhaps
        yield Comparison(f"{place}.effects.{word}", left, mine, agrees)
    yield compare_values(f"{place}.bank", recorded.bank, got.bank)
