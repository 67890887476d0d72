"""What rivals may do next, by the gestures they were seen to make. Guesses, with weights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import engine
from duels.practice.imagined import Imagined, foes_of, has_part
from duels.practice.worth import PATIENCE, Needs, promises, worth
from engine.gestures import SURRENDER, SYMBOLS, WIDTH
from engine.minds import FEARLESS, paralysed_letter

OPEN: Final = "FPSWD"
WHIM: Final = 0.8
"""How much less than the best a row may promise and still be thought likely."""
SCENARIOS: Final = 6
"""How many things that may happen are thought about."""
STAB_WORTH: Final = 0.9


@dataclass(frozen=True, slots=True)
class Row:
    """One set that a wizard may make, and how good it looks from outside."""

    pair: str
    promise: float


@dataclass(frozen=True, slots=True)
class Scenario:
    """What every rival does, and how likely that is taken to be."""

    orders: Mapping[str, engine.Orders]
    weight: float


def rows(
    rules: engine.Ruleset, states: tuple[int, int], open_: tuple[str, str], needs: Needs
) -> list[Row]:
    """The sets that make sense for hands in these states, the most promising first."""
    found = [
        Row(pair, promise_of(rules, states, pair, needs))
        for pair in pairs(*open_)
    ]  # fmt: skip
    return sorted(found, key=lambda row: -row.promise)


def pairs(lefts: str, rights: str) -> list[str]:
    """All sets of these letters but the ones that nobody makes on purpose."""
    found = [left + right for left in lefts for right in rights]
    sound = [pair for pair in found if is_sound(pair)]
    return sound or found


def is_sound(pair: str) -> bool:
    """Whether this is neither a surrender, nor half a clap, nor two knives."""
    return pair not in (SURRENDER, ">>") and (pair == "CC" or "C" not in pair)


def promise_of(rules: engine.Ruleset, states: tuple[int, int], pair: str, needs: Needs) -> float:
    """What these letters complete and lead to, whatever the others do."""
    hopes = promises(rules.id, needs)
    total = 0.0
    both: list[float] = []
    for state, symbol in zip(states, SYMBOLS[pair], strict=True):
        after = rules.automaton.step[state * WIDTH + symbol]
        total += PATIENCE * hopes[after]
        gains = [
            (worth(end.spell.id, needs), end.both)
            for end in rules.ends[after]
            if not (end.once and needs.bolt_gone)
        ]
        total += max((gain for gain, two in gains if not two), default=0.0)
        both += [gain for gain, two in gains if two]
    if ">" in pair:
        total += STAB_WORTH
    return total + max(both, default=0.0)


def scenarios(
    view: engine.View,
    scene: Imagined,
    needs: Mapping[str, Needs],
    charmed: Mapping[str, tuple[str, ...]],
) -> tuple[Scenario, ...]:
    """Some things that may happen, likeliest first; `charmed` is what the observer makes of hands.

    Rivals are taken to think alike: the first scenario has the best row of each.
    """
    rules = scene.position.rules
    likely = {
        foe: _likely(rules, scene, foe, _open(view, foe, charmed), needs[foe])
        for foe in foes_of(view)
        if has_part(view, foe)
    }
    if not likely:
        return (Scenario({}, 1.0),)
    count = min(SCENARIOS, max(len(found) for found in likely.values()))
    found: list[Scenario] = []
    for number in range(count):
        orders: dict[str, engine.Orders] = {}
        weight = 0.0
        for foe, options in likely.items():
            row, chance = options[min(number, len(options) - 1)]
            orders[foe] = row
            weight += chance
        found.append(Scenario(orders, weight))
    whole = sum(scenario.weight for scenario in found)
    return tuple(Scenario(scenario.orders, scenario.weight / whole) for scenario in found)


def _likely(
    rules: engine.Ruleset, scene: Imagined, foe: str, open_: tuple[str, str], needs: Needs
) -> list[tuple[engine.Orders, float]]:
    wizard = scene.position.wizard(foe)
    states = (wizard.left_state, wizard.right_state)
    best = rows(rules, states, open_, needs)[:SCENARIOS]
    hasted = "haste" in wizard.effects
    found: list[tuple[engine.Orders, float]] = []
    for row in best:
        sets = [engine.HandSet(row.pair[0], row.pair[1])]
        if hasted:
            after = stepped(rules, states, row.pair)
            second = rows(rules, after, (OPEN + "C", OPEN + "C"), needs)[0].pair
            sets.append(engine.HandSet(second[0], second[1]))
        found.append(
            (engine.Orders(sets=tuple(sets)), math.exp((row.promise - best[0].promise) / WHIM))
        )
    return found


def stepped(rules: engine.Ruleset, states: Sequence[int], pair: str) -> tuple[int, int]:
    """The states of both hands after this set."""
    left, right = SYMBOLS[pair]
    step = rules.automaton.step
    return step[states[0] * WIDTH + left], step[states[1] * WIDTH + right]


def _open(view: engine.View, foe: str, charmed: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
    """The letters that each hand of a rival can make, by what is seen to bind him."""
    being = next(being for being in view.status if being.id == foe)
    last = {hand.hand: hand.letters[-1:] for hand in view.hands if hand.wizard == foe}
    minds = [
        effect for effect in being.effects
        if effect.code in ("amnesia", "charm_person", "paralysis", "fear")
    ]  # fmt: skip
    free = {"L": OPEN + "C>", "R": OPEN + "C>"}
    if len(minds) == 1:
        (mind,) = minds
        hand = {"left hand": "L", "right hand": "R"}.get(mind.detail, "")
        if mind.code == "amnesia":
            free = {side: last.get(side) or "-" for side in "LR"}
        elif mind.code == "fear":
            free = {"L": FEARLESS, "R": FEARLESS}
        elif mind.code == "paralysis" and hand:
            free[hand] = paralysed_letter(last.get(hand) or "-")
    for side in "LR":
        written = charmed.get(f"{foe}.{side}")
        free[side] = written[0] if written else free[side]
    return free["L"], free["R"]
