"""The practice opponent survives the coming turn whenever some legal orders let it survive.

`legal_orders` lists orders without using the practice opponent's code: all pairs of gestures that
the sheet allows, with all spells and subjects.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest

import engine.orders
import engine.play
from duels.practice import play, replies
from engine.gestures import STAB, SURRENDER_PAIR
from engine.positions.position import STANDING, STRICT, Position
from engine.rulesets.choices import CaptureRule, HandNamingTime
from engine.rulesets.ruleset import CompletablePattern
from engine.spellbook import Guard, RemovalEffect, SpellClass
from tests import daily
from tests.engine.board import SEALED_RULESETS

pytestmark = pytest.mark.long

ADA, BRAM = "w0", "w1"
RULESETS = tuple(engine.play.RULESETS)
# One ruleset per day of those in which all orders are sealed, and all other rulesets.
DAILY_RULESETS = [
    id
    for id in RULESETS
    if id not in SEALED_RULESETS or id in daily.sample(SEALED_RULESETS, len(SEALED_RULESETS))
]
# Rulesets in which a Delayed Effect banks a spell even against the wizard's will.
COMPULSORY_BANK_RULESETS = [
    id for id in SEALED_RULESETS if engine.play.RULESETS[id].capture is CaptureRule.WHATEVER_COMES
]
TWO_SETS_RULESETS = [
    id for id in RULESETS if engine.play.RULESETS[id].haste is engine.play.HasteMode.TWO_SETS
]
DICE = engine.play.Dice(b"defence")
DUELS_PER_RULESET = 14  # duels per ruleset
MAX_ORDERS_TRIED = 400  # maximum number of orders tried for a wizard
POSSIBLE_EFFECTS = ("protection_from_evil", "resist_heat", "resist_cold", "haste", "delayed_effect")


def history_after(
    setup: dict[str, object],
    rows: Sequence[tuple[str, str]],
    ruleset: str,
    options: Sequence[str] = (),
) -> engine.play.History:
    """Return a duel in which Ada and Bram have made these gestures and aimed at nothing."""
    position = engine.play.begin(
        ruleset, [engine.play.Duellist()] * 2, setup=setup, options=options
    )
    past: list[engine.play.Turn] = []
    for pairs in rows:
        if position.outcome:
            break
        orders: dict[str, engine.orders.Orders] = {}
        for wizard, pair in zip((ADA, BRAM), pairs, strict=True):
            if wizard in engine.play.acting_wizards(position):
                made = engine.orders.HandSet(pair[0], pair[1])
                own = engine.orders.Orders(
                    sets=(made,) * len(engine.play.sheet(position, wizard).sets)
                )
                is_legal = not engine.play.check(position, wizard, own)
                orders[wizard] = own if is_legal else engine.play.default_orders(position, wizard)
        after, events = engine.play.resolve(position, orders, {}, DICE)
        past.append(engine.play.Turn(len(past) + 1, position, events))
        position = after
    return engine.play.History(tuple(past), position)


def is_dead(position: Position, orders: dict[str, engine.orders.Orders]) -> bool:
    after, _ = engine.play.resolve(position, orders, {}, DICE, sink=engine.play.drop_events)
    return after.wizard(ADA).standing != STANDING


def assert_ada_survives(history: engine.play.History, rival_orders: engine.orders.Orders) -> None:
    """Check that the practice opponent, as Ada, survives these orders of Bram."""
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: rival_orders}), orders


def assert_ada_survives_with_any_dice(
    history: engine.play.History, rival_orders: engine.orders.Orders
) -> None:
    """Check that Ada survives whichever of her hands changes to any letter of the dice."""
    for seed in range(4):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        for number in range(80):
            everybody, dice = {ADA: orders, BRAM: rival_orders}, engine.play.Dice(bytes([number]))
            after, _ = engine.play.resolve(history.position, everybody, {}, dice)
            assert after.wizard(ADA).standing == STANDING, (number, orders)


# -- all orders of a wizard


def legal_orders(position: Position, wizard: str, rival: str) -> list[engine.orders.Orders]:
    """Return the wizard's legal orders, or a sample if there are too many."""
    sheet = engine.play.sheet(position, wizard)
    found = [engine.orders.Orders()] if not sheet.acts else []
    for made in hand_sets(sheet, 0, rival) if sheet.acts else ():
        first = engine.orders.Orders(sets=(made,))
        if len(sheet.sets) == 1:
            found.append(first)
        else:
            both = engine.play.sheet(position, wizard, first)
            found += [
                engine.orders.Orders(sets=(made, second)) for second in hand_sets(both, 1, rival)
            ]
    if len(found) > MAX_ORDERS_TRIED:
        found = random.Random(MAX_ORDERS_TRIED).sample(found, MAX_ORDERS_TRIED)
    every = [more for orders in found for more in order_variants(position, wizard, rival, orders)]
    return [orders for orders in every if not engine.play.check(position, wizard, orders)]


def hand_sets(sheet: engine.play.Sheet, number: int, rival: str) -> Iterator[engine.orders.HandSet]:
    hands = sheet.sets[number]
    lefts, rights = (
        hand.forced or "".join(option.letter for option in hand.gestures if option.allowed)
        for hand in (hands.left, hands.right)
    )
    for left, right in product(lefts, rights):
        if left + right in (SURRENDER_PAIR, STAB * 2):
            continue
        casts: dict[str, list[tuple[str, str, str]]] = {}
        for row in hands.completions.get(left + right, ()):
            choice = sheet.subjects.get(row.spell)
            subjects = (
                [id for id in choice.options if id in beings_at_start(sheet)] if choice else []
            )
            casts.setdefault(row.hand, []).extend(
                (row.hand, row.spell, subject) for subject in subjects or [""]
            )
        both = casts.pop("BH", [])
        for chosen in [*product(*casts.values()), *((cast,) for cast in both)]:
            stabs = {hand: rival for hand, x in zip("LR", (left, right), strict=True) if x == STAB}
            aims = stabs | {hand: subject for hand, _, subject in chosen if subject}
            yield engine.orders.HandSet(
                left, right, {hand: spell for hand, spell, _ in chosen}, aims
            )


def beings_at_start(sheet: engine.play.Sheet) -> set[str]:
    """Return the beings that exist at the beginning of the turn."""
    return {id for id in sheet.beings if id[0] in "wm" and id[1:].isdigit()}


def order_variants(
    position: Position, wizard: str, rival: str, orders: engine.orders.Orders
) -> Iterator[engine.orders.Orders]:
    """Yield the orders with each choice of element and release. Monsters attack the rival."""
    sheet = engine.play.sheet(position, wizard, orders)
    victims = {m.key: (rival,) * m.attacks for m in sheet.monsters if rival in m.options}
    orders = replace(orders, victims=victims)
    elements = [q.options for q in sheet.advance if q.kind == "elemental" and q.is_raised]
    for element in elements[0] if elements else ("",):
        chosen = replace(orders, answers={"elemental": element}) if element else orders
        yield chosen
        if sheet.bank is not None:
            for subject in [id for id in sheet.bank.options if id in beings_at_start(sheet)] or [
                ""
            ]:
                yield replace(chosen, release=True, release_subject=subject)


# -- positions in which the coming turn may be deadly


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


def add_monsters(position: Position, monsters: Sequence[Mapping[str, object]]) -> None:
    """Add monsters to a position that has none."""
    arena = engine.play.begin(
        position.ruleset, [engine.play.Duellist()] * 2, setup={"monsters": monsters}
    )
    position.monsters, position.created = arena.monsters, arena.created


def add_mind_spell(position: Position, mind: str, effect: Mapping[str, object]) -> None:
    """Put Ada under this mind spell in the coming turn, and end her other enchantments."""
    setup = {"turn": position.turn, "wizards": [{"effects": {mind: effect}}, {}]}
    arena = engine.play.begin(position.ruleset, [engine.play.Duellist()] * 2, setup=setup)
    position.wizard(ADA).effects = arena.wizard(ADA).effects


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


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mind", ["charm_person", "confusion"])
def test_practice_opponent_does_not_rely_on_a_hand_that_an_enemy_may_change(
    ruleset: str, mind: str
) -> None:
    """A stab would kill Ada unless she makes a Shield with the hand that cannot be changed."""
    rules = engine.play.RULESETS[ruleset]
    effect: dict[str, object] = {"turns": 1, "caster": BRAM}
    if mind == "charm_person" and rules.hand_named is not HandNamingTime.WHEN_IT_ACTS:
        effect["hand"] = "R"
    setup = {"wizards": [{"damage": rules.wizard_hit_points - 1, "effects": {mind: effect}}, {}]}
    history = history_after(dict(setup), [], ruleset)
    stab = {"left": ">", "charmed:w0.R": "-"} if mind == "charm_person" else {"left": ">"}
    bram = engine.orders.from_fields(stab)
    assert not engine.play.check(history.position, BRAM, bram)
    hands = engine.play.sheet(history.position, ADA).sets[0]
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        if hands.left.changeable:
            assert "P" in orders.first_set.pair, "either hand may change"
        else:
            assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("mind", ["charm_person", "confusion"])
def test_practice_opponent_expects_a_changed_hand_to_cast_a_reflected_spell(
    ruleset: str, mind: str
) -> None:
    """If Ada's right hand changes to D, its Cause Heavy Wounds must not reach Bram's mirror."""
    rules = engine.play.RULESETS[ruleset]
    effect: dict[str, object] = {"turns": 1, "caster": BRAM}
    if mind == "charm_person" and rules.hand_named is not HandNamingTime.WHEN_IT_ACTS:
        effect["hand"] = "R"
    rows = [("-W", "--"), ("-P", "--"), ("-F", "CC")]
    ada: dict[str, object] = {"damage": rules.wizard_hit_points - 2}
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "goblin", "controller": ADA}])
    add_mind_spell(history.position, mind, effect)
    charm = {"charmed:w0.R": "D"} if mind == "charm_person" else {}
    mirror = engine.orders.from_fields({"left": "W", "right": "W", **charm})
    assert not engine.play.check(history.position, BRAM, mirror)
    assert_ada_survives_with_any_dice(history, mirror)


def test_practice_opponent_does_not_aim_a_hand_at_itself_that_may_stab() -> None:
    """In warlocks, a confused hand may stab the subject of its spell. Bram also stabs Ada."""
    damage = engine.play.RULESETS["warlocks-1"].wizard_hit_points - 2
    history = history_after(
        {"wizards": [{"damage": damage}, {}]}, [("-S", "--"), ("-F", "--")], "warlocks-1"
    )
    add_mind_spell(history.position, "confusion", {"turns": 1, "caster": BRAM})
    assert_ada_survives_with_any_dice(history, engine.orders.from_fields({"left": ">"}))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_confused_practice_opponent_releases_its_shield_without_a_palm(ruleset: str) -> None:
    """Bram stabs Ada, who has one hit point. A palm might become a surrender."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    history = history_after({"wizards": [{"damage": damage, "bank": "shield"}, {}]}, [], ruleset)
    add_mind_spell(history.position, "confusion", {"turns": 1, "caster": BRAM})
    assert_ada_survives_with_any_dice(history, engine.orders.from_fields({"left": ">"}))


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_rival_to_bank_the_harmless_spell(ruleset: str) -> None:
    """Bram completes Cause Light Wounds and a goblin, and must bank one of them. rules: R103"""
    bram = {"effects": {"delayed_effect": {"turns": 4}}}
    history = history_after(
        {"wizards": [{"damage": 13}, bram]}, [("W-", "WS"), ("W-", "FF")], ruleset
    )
    deadly = engine.orders.from_fields({"left": "P", "right": "W", "bank": "R"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_rival_to_bank_a_shield(ruleset: str) -> None:
    """Bram can bank a Shield to kill Ada with a Lightning Bolt. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    bram = {"effects": {"delayed_effect": {"turns": 5}}}
    ada = {"damage": damage, "effects": {"resist_heat": {"turns": 9}}}
    rows = [("--", "D-"), ("S-", "F-"), ("W-", "F-"), ("W-", "D-")]
    history = history_after({"wizards": [ada, bram]}, rows, ruleset)
    deadly = engine.orders.from_fields({"left": "D", "right": "P", "bank": "R"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_expects_a_delayed_effect_on_itself(ruleset: str) -> None:
    """A stab kills Ada unless she completes a spell to bank with her Shield. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 1
    rows = [("--", "D-"), ("--", "W-"), ("--", "S-"), ("F-", "S-"), ("F-", "S-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    deadly = engine.orders.from_fields(
        {
            "left": "P", "left_spell": "delayed_effect", "left_subject": ADA,
            "right": ">", "right_subject": ADA,
        }
    )  # fmt: skip
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_delays_a_rivals_deadly_spell(ruleset: str) -> None:
    """Ada survives Bram's Ice Storm only if her Delayed Effect banks it. rules: R103"""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    rows = [("D-", "--"), ("W-", "--"), ("S-", "W-"), ("S-", "S-"), ("S-", "S-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    storm = engine.orders.from_fields({"left": "C", "right": "C"})
    assert_ada_survives(history, storm)


@pytest.mark.parametrize("ruleset", TWO_SETS_RULESETS)
def test_practice_opponent_expects_a_hasted_rival_to_reflect_its_spell(ruleset: str) -> None:
    """Ada's own Fireball kills her if hasted Bram completes a Magic Mirror in one turn."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    bram = {"damage": damage, "effects": {"haste": {"turns": 9}}}
    rows = [("F-", "--"), ("S-", "--"), ("S-", "--"), ("D-", "--")]
    history = history_after({"wizards": [{"damage": damage}, bram]}, rows, ruleset)
    mirror = engine.orders.from_fields({"left": "C", "right": "C", "left2": "W", "right2": "W"})
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: mirror}), orders


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_expects_a_rival_to_guard_its_monster(ruleset: str) -> None:
    """Bram's Giant kills Ada if she relies on a Charm Monster, which Bram can counter."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 5
    rows = [("D-", "C-"), ("FP", "S-"), ("FS", "W-"), ("DD", "W-")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, ruleset)
    add_monsters(history.position, [{"kind": "giant", "controller": BRAM}])
    deadly = engine.orders.from_fields(
        {
            "left": "S", "left_spell": "counter_spell", "left_subject": "m0",
            "right": ">", "right_subject": ADA, "victim:m0": ADA,
        }
    )  # fmt: skip
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_practice_opponent_expects_a_rival_to_guard_an_elemental(ruleset: str) -> None:
    """Ada's banked Fireball kills her if Bram's mirror guards the ice elemental."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 2
    cold = {"resist_cold": {"turns": 2}}
    ada = {"damage": damage, "bank": "fireball", "effects": cold}
    history = history_after({"wizards": [ada, {"effects": cold}]}, [("--", "CC")], ruleset)
    history.position.wizard(ADA).bank_subject = "m0"
    ice = {"kind": "ice"}
    others = [{"kind": "giant", "controller": BRAM}, {"kind": "ogre", "controller": ADA}]
    add_monsters(history.position, [ice, *others])
    mirror = {"left": "W", "right": "W", "both_subject": "m0", "victim:m1": ADA}
    assert_ada_survives(history, engine.orders.from_fields(mirror))


@pytest.mark.parametrize("ruleset", COMPULSORY_BANK_RULESETS)
def test_practice_opponent_banks_the_spell_that_it_can_spare(ruleset: str) -> None:
    """Ada survives only if she completes Counter-spell and banks another spell. rules: R103"""
    ada = {"damage": 10, "effects": {"delayed_effect": {"turns": 5}}}
    rows = [("--", "W-"), ("W-", "D-"), ("W-", "D-")]
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    deadly = engine.orders.from_fields({"left": "C", "right": "C"})
    assert_ada_survives(history, deadly)


@pytest.mark.parametrize("ruleset", TWO_SETS_RULESETS)
def test_practice_opponent_expects_a_hasted_monster_to_attack_twice(ruleset: str) -> None:
    """Both attacks of an Ogre kill Ada if she completes a Fire Storm instead of a Shield."""
    damage = engine.play.RULESETS[ruleset].wizard_hit_points - 4
    ada = {"damage": damage, "effects": {"resist_heat": {"turns": 9}}}
    ogre = {"kind": "ogre", "controller": BRAM, "effects": {"haste": {"turns": 9}}}
    rows = [("S-", "--"), ("W-", "--"), ("W-", "--")]
    history = history_after({"wizards": [ada, {}]}, rows, ruleset)
    add_monsters(history.position, [ogre])
    bram = engine.orders.Orders(victims={"m0": (ADA, ADA)})
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


@pytest.mark.parametrize("held", ["L", "R"])
def test_practice_opponent_does_not_surrender_because_of_a_held_hand(held: str) -> None:
    """If Bram holds the hand that last made W, it makes P. A stab would kill Ada. rules: W18"""
    own = {
        "damage": engine.play.RULESETS["warlocks-1"].wizard_hit_points - 1,
        "left": "F",
        "right": "W",
        "effects": {"paralysis": {"turns": 1, "caster": BRAM}},
    }
    history = history_after({"wizards": [own, {}]}, [], "warlocks-1")
    bram = engine.orders.from_fields({"left": ">", "held:w0": held})
    assert not engine.play.check(history.position, BRAM, bram)
    for seed in range(6):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        assert not is_dead(history.position, {ADA: orders, BRAM: bram}), orders


@pytest.mark.parametrize("mind", ["paralysis", "charm_person"])
def test_practice_opponent_stops_the_hand_that_would_kill_it(mind: str) -> None:
    """Bram's left hand is closer to Finger of Death, but his right hand kills now. rules: W18"""
    damage = engine.play.RULESETS["warlocks-1"].wizard_hit_points - 3
    rows = [("--", pair) for pair in ("P-", "W-", "P-", "FW", "SP", "SF")]
    history = history_after({"wizards": [{"damage": damage}, {}]}, rows, "warlocks-1")
    effect = {mind: {"turns": 1, "caster": ADA}}
    setup = {"turn": history.position.turn, "wizards": [{}, {"effects": effect}]}
    arena = engine.play.begin("warlocks-1", [engine.play.Duellist()] * 2, setup=setup)
    history.position.wizard(BRAM).effects = arena.wizard(BRAM).effects
    assert_ada_survives(history, engine.orders.from_fields({"left": "S", "right": "D"}))


def test_practice_opponent_does_not_release_a_banked_spell_that_would_kill_it() -> None:
    """In warlocks, a banked spell keeps the subject that it was banked with. rules: W34"""
    own = {"bank": "finger_of_death", "bank_subject": ADA}
    history = history_after({"wizards": [own, {"damage": 11}]}, [], "warlocks-1")
    for seed in range(6):
        assert not play.choose_orders(history, ADA, random.Random(seed)).release


def test_practice_opponent_may_have_a_banked_attack_against_several_rivals() -> None:
    """In warlocks, a spell that may have one of several enemies as its subject has no default."""
    ada = {"bank": "missile", "bank_subject": "w2"}
    setup = {"wizards": [ada, {}, {"damage": 14}]}
    position = engine.play.begin("warlocks-1", [engine.play.Duellist()] * 3, setup=setup)
    for seed in range(4):
        orders = play.choose_orders(engine.play.History((), position), ADA, random.Random(seed))
        after, _ = engine.play.resolve(position, {ADA: orders}, {}, DICE)
        assert after.wizard("w2").standing != STANDING, "Ada releases the Missile that kills"


def test_practice_opponent_combines_new_gestures_with_a_banked_spell_to_survive() -> None:
    """A mirror turns back the Lightning Bolt, and the banked Shield stops the monsters."""
    ada = {"damage": 14, "bank": "shield", "effects": {"resist_heat": {"turns": 5}}}
    monsters = [{"kind": kind, "controller": BRAM} for kind in ("ice", "ogre")]
    rows = [("--", "D-"), ("--", "F-"), ("--", "F-"), ("CC", "D-")]
    history = history_after({"wizards": [ada, {}]}, rows, "archmage-1")
    add_monsters(history.position, monsters)
    for seed in range(4):
        orders = play.choose_orders(history, ADA, random.Random(seed))
        for move in legal_orders(history.position, BRAM, ADA):
            assert not is_dead(history.position, {ADA: orders, BRAM: move}), (orders, move)


def test_practice_opponent_defends_against_all_enemies_at_once() -> None:
    """The attacks of two goblins, one point of damage each, kill only together."""
    goblins = [{"kind": "goblin", "controller": wizard} for wizard in ("w1", "w2")]
    position = engine.play.begin(
        "bartle-1",
        [engine.play.Duellist()] * 3,
        setup={"wizards": [{"damage": 13}], "monsters": goblins},
    )
    attacks = {
        f"w{n + 1}": engine.orders.Orders(victims={f"m{n}": (ADA,)}) for n in range(len(goblins))
    }
    for seed in range(6):
        orders = play.choose_orders(engine.play.History((), position), ADA, random.Random(seed))
        assert not is_dead(position, {ADA: orders, **attacks})


@pytest.mark.parametrize("ruleset", DAILY_RULESETS)
def test_practice_opponent_simulates_hasted_and_time_stopped_turns_correctly(ruleset: str) -> None:
    """Both wizards are hasted, and later also time-stopped. rules: R97, R98, W9, W12"""
    hasted = {"wizards": [{"damage": 14, "effects": {"haste": {"permanent": True}}}] * 2}
    stopping = [("S-", "S-"), ("P-", "P-"), ("P-", "P-"), ("CC", "CC")]
    kinds: set[str] = set()
    for setup, rows in ((hasted, []), (hasted, stopping[:1]), ({}, stopping)):
        history = history_after(dict(setup), rows, ruleset)
        for seed in range(3):
            position = history.position
            kinds.add(position.kind)
            orders = {
                wizard: play.choose_orders(history, wizard, random.Random(seed))
                for wizard in engine.play.acting_wizards(position)
            }
            after, events = engine.play.resolve(position, orders, {}, DICE)
            turn = engine.play.Turn(len(history.turns) + 1, position, events)
            history = engine.play.History((*history.turns, turn), after)
            if after.outcome:
                break
    assert len(kinds) > 1


def test_practice_opponent_chooses_the_spell_that_saves_it_when_asked() -> None:
    """rules: turn:stepwise.

    Bram may stab, and Ada's gesture completes either Shield or Remove Enchantment.
    """
    setup: dict[str, object] = {"wizards": [{"damage": 14}, {}]}
    history = history_after(
        setup, [("P-", "--"), ("D-", "--"), ("W-", "--")], "spellcast-1", [STRICT]
    )
    orders = {ADA: engine.orders.Orders(sets=(engine.orders.HandSet("P", "F"),))}
    (question,) = engine.play.questions(history.position, orders, {}, DICE)
    assert {name.partition("/")[0] for name in question.options} == {"remove_enchantment", "shield"}
    given = replies.choose_answers(history, ADA, [question], random.Random(1))
    assert given[question.id].startswith("shield")


def test_practice_opponent_simulates_a_limited_number_of_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The opponent decides during a web request, even with many wizards and hasted rivals."""
    counted = 0
    resolve = engine.play.resolve

    def counting_resolve(*arguments: object, **options: object) -> object:
        nonlocal counted
        counted += 1
        return resolve(*arguments, **options)  # type: ignore[arg-type]

    hasted = {"haste": {"turns": 3}}
    confused = {**hasted, "confusion": {"turns": 1, "caster": BRAM}}
    monkeypatch.setattr(engine.play, "resolve", counting_resolve)
    for wizards, damage, monsters, own_effects in (
        (8, 14, 20, hasted),
        (2, 14, 0, hasted),
        (2, 14, 8, hasted),
        (4, 5, 4, hasted),
        (2, 14, 0, confused),
        (4, 5, 4, confused),
    ):
        giants = [
            {"kind": "giant", "controller": f"w{1 + n % (wizards - 1)}"} for n in range(monsters)
        ]
        rows = [{"damage": damage, "effects": hasted}] * (wizards - 1)
        ada = {"damage": damage, "effects": own_effects}
        setup = {"wizards": [ada, *rows], "monsters": giants}
        position = engine.play.begin("bartle-1", [engine.play.Duellist()] * wizards, setup=setup)
        counted = 0
        play.choose_orders(engine.play.History((), position), ADA, random.Random(1))
        assert counted < 6000
