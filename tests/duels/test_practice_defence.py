"""The practice opponent survives the coming turn whenever some legal orders let it survive."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

import engine.orders
import engine.play
from duels.practice import play
from engine.positions.position import STANDING
from engine.rulesets.ruleset import CompletablePattern
from engine.spellbook import Guard, RemovalEffect, SpellClass
from tests import daily
from tests.duels.practice_orders import legal_orders
from tests.duels.practice_positions import (
    ADA,
    BRAM,
    DAILY_RULESETS,
    DICE,
    RULESETS,
    add_monsters,
    history_after,
    is_dead,
)

pytestmark = pytest.mark.long

DUELS_PER_RULESET = 14  # duels per ruleset
POSSIBLE_EFFECTS = ("protection_from_evil", "resist_heat", "resist_cold", "haste", "delayed_effect")


@dataclass(frozen=True)
class BegunPatterns:
    """Patterns that a wizard may have begun, and the range of damage that the wizard may have."""

    patterns: list[str]
    points: Sequence[int]


def is_defence(row: CompletablePattern) -> bool:
    spell = row.spell
    is_guard = spell.guard is not Guard.NONE or spell.unmakes is not RemovalEffect.NOTHING
    return is_guard or spell.takes_over or bool(spell.resists) or "cure" in spell.id


def is_attack(row: CompletablePattern) -> bool:
    return row.spell.class_ is SpellClass.DAMAGING or bool(row.spell.monster) or row.spell.is_area


def dangerous_duel(chance: random.Random, ruleset: str) -> engine.play.History:
    """Return a duel in which Ada has few hit points left and both wizards have begun spells."""
    rules = engine.play.RULESETS[ruleset]
    limit = rules.wizard_hit_points
    defences, attacks = (
        [row.pattern for row in rules.completables if wanted(row)]
        for wanted in (is_defence, is_attack)
    )
    wishes = (
        BegunPatterns(defences, range(limit - 6, limit)),
        BegunPatterns(attacks, range(limit)),
    )
    letters = [almost_complete_gestures(chance, wish.patterns) for wish in wishes]
    turns = max(len(left) for left, _ in letters)
    rows = [
        tuple(left.rjust(turns, "-")[n] + right.rjust(turns, "-")[n] for left, right in letters)
        for n in range(turns)
    ]
    wizards = [
        {
            "damage": chance.choice(wish.points),
            "effects": {
                code: {"turns": turns + 2}
                for code in POSSIBLE_EFFECTS
                if code in rules.spells and chance.random() < 0.1
            },
        }
        for wish in wishes
    ]
    kinds = [kind for kind in rules.monsters if kind != "elemental"]
    monsters = [
        {"kind": chance.choice(kinds), "controller": chance.choice([ADA, BRAM, BRAM])}
        for _ in range(chance.choice([0, 0, 1, 2]))
    ]
    history = history_after({"wizards": wizards}, [(row[0], row[1]) for row in rows], ruleset)
    if not history.position.monsters:
        add_monsters(history.position, monsters)
    return history


def almost_complete_gestures(chance: random.Random, patterns: list[str]) -> tuple[str, str]:
    """Return gestures of both hands that are one gesture short of one or two patterns."""
    first, second = (chance.choice(patterns)[:-1] for _ in range(2))
    second = second if chance.random() < 0.6 else ""
    length = max(len(first), len(second))
    pairs = [
        (b if b.islower() else a, a if a.islower() else b)
        for a, b in zip(first.rjust(length, "-"), second.rjust(length, "-"), strict=True)
    ]
    return "".join(a for a, _ in pairs).upper(), "".join(b for _, b in pairs).upper()


@pytest.mark.parametrize("ruleset", DAILY_RULESETS)
def test_practice_opponent_survives_if_any_legal_orders_let_it_survive(ruleset: str) -> None:
    """If some orders survive all visible moves of the rival, the chosen orders must too."""
    killed = 0
    for seed in daily.sample(range(DUELS_PER_RULESET), 2, ruleset):
        chance = random.Random(f"{ruleset} {seed}")
        history = dangerous_duel(chance, ruleset)
        position = history.position
        if position.outcome or ADA not in engine.play.acting_wizards(position):
            continue
        orders = play.choose_orders(history, ADA, random.Random(seed))
        rivals = legal_orders(position, BRAM, ADA)
        fatal = [move for move in rivals if is_dead(position, {ADA: orders, BRAM: move})]
        if not fatal:
            continue
        killed += 1
        worst_first = fatal + [move for move in rivals if move not in fatal]
        for other in legal_orders(position, ADA, BRAM):
            deadly = (move for move in worst_first if is_dead(position, {ADA: other, BRAM: move}))
            move = next(deadly, None)
            assert move is not None, (
                seed,
                engine.orders.fields(orders),
                engine.orders.fields(other),
                fatal[0],
            )
            worst_first.remove(move)
            worst_first.insert(0, move)
    if daily.IS_WHOLE:
        assert killed < DUELS_PER_RULESET / 2, "most positions can be defended"


ROWS_BEFORE_STAB = [("--", "--")]

ROWS_BEFORE_CLAP = [("--", "W-"), ("-F", "D-"), ("CC", "D-")]

ROWS_BEFORE_FIREBALL = [("--", "F-"), ("-F", "S-"), ("W-", "S-"), ("P-", "D-")]


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize(
    ("points", "rows", "brams"),
    [
        (1, ROWS_BEFORE_STAB, (">-", "->", "F>")),
        (1, [("--", "S-")], ("D-", "D>", ">-")),
        (5, ROWS_BEFORE_CLAP, ("CC",)),
        (5, ROWS_BEFORE_FIREBALL, ("D-", "D>", "DF")),
    ],
)
def test_practice_opponent_defends_against_visible_deadly_threats(
    ruleset: str, points: int, rows: list[tuple[str, str]], brams: Sequence[str]
) -> None:
    """The threats are a stab, a Missile, a spell that ends with a clap, and a Fireball."""
    limit = engine.play.RULESETS[ruleset].wizard_hit_points
    history = history_after({"wizards": [{"damage": limit - points}, {}]}, rows, ruleset)
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        for pair in brams:
            bram = engine.orders.Orders(sets=(engine.orders.HandSet(pair[0], pair[1]),))
            assert not is_dead(history.position, {ADA: orders, BRAM: bram}), (pair, orders)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("shown", [1, 2])
def test_practice_opponent_prepares_for_a_spell_that_ends_with_a_clap(
    ruleset: str, shown: int
) -> None:
    """Bram makes W-D-D-clap against Ada, who has five hit points and has seen one or two gestures.

    Ada has made no gestures. If she claps now, she can complete a Magic Mirror in time.
    """
    pairs = ("W-", "D-", "D-", "CC")
    limit = engine.play.RULESETS[ruleset].wizard_hit_points
    setup: dict[str, object] = {"wizards": [{"damage": limit - 5}, {}]}
    begun = history_after(setup, [("--", pair) for pair in pairs[:shown]], ruleset)
    for seed in range(4):
        luck, history = random.Random(seed), begun
        for pair in pairs[shown:]:
            position = history.position
            orders = {
                ADA: play.choose_orders(history, ADA, luck),
                BRAM: engine.orders.Orders(sets=(engine.orders.HandSet(pair[0], pair[1]),)),
            }
            after, events = engine.play.resolve(position, orders, {}, DICE)
            turn = engine.play.Turn(len(history.turns) + 1, position, events)
            history = engine.play.History((*history.turns, turn), after)
        assert history.position.wizard(ADA).standing == STANDING
