"""Tests that the practice opponent plays legally and sensibly, and uses only what it can see."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
from bench.practice import play_contest
from duels import practice
from duels.practice import guards, spell_values
from engine.events import Cast
from engine.gestures import GESTURES, SURRENDER_PAIR
from engine.positions.position import STRICT, Position, hand_states, interleaved_letters
from engine.spellbook import DefaultSubject, Spell, SpellClass
from tests import daily
from tests.engine.random_duels import random_duel
from tests.opponents import NearestSpellPlayer, RandomPlayer, play_duel

pytestmark = pytest.mark.long

ADA, BRAM, CLEO = "w0", "w1", "w2"
RULESETS = tuple(engine.play.RULESETS)
SEEDS = st.integers(0, 2**32 - 1)
DICE_SEEDS = range(10)
DICE = engine.play.Dice(b"practice")
AMBIVALENT_SPELLS = {"remove_enchantment", "resist_heat", "resist_cold", "raise_dead"}
"""Spells that help some beings and harm others."""

FOOLISH_MOVES = {
    "surrender", "harms_you", "helps_rival", "harms_own_monster", "attacks_master",
    "attacks_own_monster", "stabs_yourself", "stabs_own_monster", "stab_at_nobody",
    "loses_bank", "nowhere",
}  # fmt: skip

Setup = dict[str, object]


def history_after(
    setup: Setup, *rows: tuple[str, str], ruleset: str = "bartle-1"
) -> engine.play.History:
    """Return a duel of Ada and Bram after turns with these gestures of both wizards."""
    position = engine.play.begin(
        ruleset, [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")], setup=setup
    )
    past: list[engine.play.Turn] = []
    for ordinal, pairs in enumerate(rows, 1):
        orders = {
            wizard: engine.orders.Orders(sets=(engine.orders.HandSet(pair[0], pair[1]),))
            for wizard, pair in zip((ADA, BRAM), pairs, strict=True)
        }
        after, events = engine.play.resolve(position, orders, {}, DICE)
        past.append(engine.play.Turn(ordinal, position, events))
        position = after
    return engine.play.History(tuple(past), position)


def orders_for_ada(history: engine.play.History) -> Iterator[engine.orders.Orders]:
    """Yield the practice opponent's orders in Ada's seat, for several random seeds."""
    for seed in DICE_SEEDS:
        yield practice.choose_orders(history, ADA, random.Random(seed))


def play_turn_as_ada(
    history: engine.play.History, luck: random.Random, brams: str
) -> engine.play.History:
    """Play one turn, with the practice opponent as Ada, and return the new history."""
    ada = practice.choose_orders(history, ADA, luck)
    bram = engine.orders.Orders(sets=(engine.orders.HandSet(brams[0], brams[1]),))
    after, events = engine.play.resolve(history.position, {ADA: ada, BRAM: bram}, {}, DICE)
    turn = engine.play.Turn(len(history.turns) + 1, history.position, events)
    return engine.play.History((*history.turns, turn), after)


def positions_after_turn(history: engine.play.History, brams: str) -> Iterator[Position]:
    """Yield positions after turns of the practice opponent as Ada and these gestures of Bram's."""
    bram = engine.orders.Orders(sets=(engine.orders.HandSet(brams[0], brams[1]),))
    for orders in orders_for_ada(history):
        yield engine.play.resolve(history.position, {ADA: orders, BRAM: bram}, {}, DICE)[0]


def random_turns(
    seed: int, *, options: Sequence[str] = (), least: int = 2, most: int = 5
) -> Iterator[tuple[engine.play.History, dict[str, engine.orders.Orders]]]:
    """Yield unresolved turns of random duels. Together they cover everything that can occur.

    Each turn is yielded with the orders played in it.
    """
    chance = random.Random(seed)
    past: list[engine.play.Turn] = []
    for step in random_duel(
        chance,
        wizards=chance.randint(least, most),
        turns=30,
        ruleset=chance.choice(RULESETS),
        options=tuple(options),
    ):
        if chance.random() < 0.1:
            yield engine.play.History(tuple(past[-20:]), step.position), step.orders
        past.append(engine.play.Turn(len(past) + 1, step.position, step.events))


# -- legality


@pytest.mark.parametrize(
    ("ruleset", "options"), daily.sample(product(RULESETS, [(), (STRICT,)]), 3, "whole duels")
)
def test_practice_opponent_can_play_a_whole_duel(ruleset: str, options: tuple[str, ...]) -> None:
    """`resolve` rejects illegal orders, and answers to questions that were not asked."""
    assert play_duel(ruleset, [practice, practice], 1, turns=12, options=options).turns


@pytest.mark.parametrize(("wizards", "turns"), [(3, 4), (8, 2)])
def test_practice_opponent_can_play_with_many_wizards(wizards: int, turns: int) -> None:
    assert play_duel("bartle-1", [practice] * wizards, 1, turns=turns).turns


@dataclass(frozen=True)
class PracticeMove:
    """The practice opponent's orders in a turn of a random duel."""

    position: Position
    wizard: str
    orders: engine.orders.Orders


def random_moves() -> list[PracticeMove]:
    """Return the practice opponent's orders for every wizard, in sample turns of every ruleset."""
    return [
        PracticeMove(
            history.position,
            wizard,
            practice.choose_orders(history, wizard, random.Random(seed)),
        )
        for seed in daily.sample(range(30), 3, "moves")
        for history, _ in random_turns(seed, options=[(), (), (STRICT,)][seed % 3])
        for wizard in engine.play.acting_wizards(history.position)
    ]


def test_practice_orders_are_always_legal_and_sensible(subtests: pytest.Subtests) -> None:
    """Together, the turns cover every ruleset, haste, charms, blindness and time stops.

    One test checks all of this, because finding the orders takes longer than checking them.
    """
    moves = random_moves()
    assert moves
    if daily.IS_WHOLE:
        assert {move.position.ruleset for move in moves} == {*RULESETS}
    for check in (
        check_orders_are_legal,
        check_sets_are_filled_without_surrender,
        check_only_enemies_are_harmed,
        check_orders_cause_no_warnings,
    ):
        with subtests.test(check.__name__):
            for move in moves:
                check(move)


def check_orders_are_legal(move: PracticeMove) -> None:
    assert engine.play.check(move.position, move.wizard, move.orders) == ()


def check_sets_are_filled_without_surrender(move: PracticeMove) -> None:
    sheet = engine.play.sheet(move.position, move.wizard, move.orders)
    assert len(move.orders.sets) == len(sheet.sets)
    for made, hands in zip(move.orders.sets, sheet.sets, strict=True):
        pair = (hands.left.forced or made.left) + (hands.right.forced or made.right)
        if hands.left.changeable or hands.right.changeable:
            assert "P" not in pair or "P" in (hands.left.forced, hands.right.forced)
        assert pair != SURRENDER_PAIR or hands.left.forced == hands.right.forced == "P"


def check_only_enemies_are_harmed(move: PracticeMove) -> None:
    position, wizard = move.position, move.wizard
    own = {wizard} | {m.id for m in position.monsters if m.controller == wizard}
    for spell, subject in probable_spells(move):
        if spell.id not in AMBIVALENT_SPELLS and subject:
            assert (subject in own) is helps_its_subject(spell), spell.id
    for victims in move.orders.victims.values():
        assert not own & {*victims}


def check_orders_cause_no_warnings(move: PracticeMove) -> None:
    """Check that players would get none of these warnings before sealing the orders."""
    cautions = engine.play.cautions(move.position, move.wizard, move.orders)
    assert not {each.code for each in cautions} & FOOLISH_MOVES


def helps_its_subject(spell: Spell) -> bool:
    """Return whether the spell helps its subject, regardless of its default subject in a
    ruleset."""
    if spell.id == "charm_monster":
        return False
    return spell.default is DefaultSubject.SELF or spell.class_ is SpellClass.PROTECTION


def probable_spells(move: PracticeMove) -> Iterator[tuple[Spell, str]]:
    """Yield the spells that these orders will probably cast, with the chosen subjects."""
    sheet = engine.play.sheet(move.position, move.wizard, move.orders)
    for made, hands in zip(move.orders.sets, sheet.sets, strict=True):
        for row in hands.completions.get(made.pair, ()):
            if row.spell == made.spells.get(row.hand, row.spell if row.default else ""):
                yield move.position.rules.spells[row.spell], made.subjects.get(row.hand, "")


@pytest.mark.parametrize("kind", ["which_delay", "which_extend"])
def test_practice_opponent_keeps_the_better_of_two_spells(kind: str) -> None:
    hands, spells = ("L", "R"), ("resist_cold", "haste")
    question = engine.play.Question("q", kind, ADA, ADA, hands, "L", labels=spells)
    given_ = practice.choose_answers(history_after({}), ADA, [question], random.Random(1))
    assert given_ == {"q": "R"}


@given(SEEDS)
@settings(max_examples=8)
def test_practice_opponent_answers_each_of_its_questions(seed: int) -> None:
    """The opponent answers exactly its own questions, each with one of the options."""
    for history, orders in random_turns(seed, options=(STRICT,)):
        answers: dict[str, str] = {}
        while asked := engine.play.questions(history.position, orders, answers, DICE):
            for wizard in {question.wizard for question in asked}:
                own = {q.id: q.options for q in asked if q.wizard == wizard}
                given_ = practice.choose_answers(history, wizard, asked, random.Random(seed))
                assert given_.keys() == own.keys()
                assert all(answer in own[id] for id, answer in given_.items())
                answers |= given_


# -- hidden facts


def test_orders_of_the_practice_opponent_depend_on_the_random_seed() -> None:
    opening = history_after({})
    first = [practice.choose_orders(opening, ADA, random.Random(seed)) for seed in range(20)]
    assert first == [
        practice.choose_orders(opening, ADA, random.Random(seed)) for seed in range(20)
    ]
    assert len({orders.sets[0].pair for orders in first}) > 3


@given(SEEDS)
@settings(max_examples=8)
def test_orders_of_the_practice_opponent_do_not_depend_on_hidden_facts(seed: int) -> None:
    """Hidden facts are opponents' unseen gestures, their banks, and their orders to monsters."""
    chance = random.Random(seed)
    for history, _ in random_turns(seed, most=3):
        position = history.position
        for wizard in engine.play.acting_wizards(position):
            other = engine.play.History(
                history.turns, change_hidden_facts(position, wizard, chance)
            )
            assert engine.play.view(other, wizard) == engine.play.view(history, wizard)
            one, two = (
                practice.choose_orders(each, wizard, random.Random(seed))
                for each in (history, other)
            )
            assert one == two


def change_hidden_facts(position: Position, wizard: str, chance: random.Random) -> Position:
    """Return the position with changes to everything that this wizard cannot see."""
    other = position.copy()
    for rival in other.wizards_in_duel():
        if rival.id == wizard:
            continue
        # Wizards who saw a gesture that a mind spell repeats know it, so their view shows it.
        count = max(len(rival.left) - bool(rival.effects), 0)
        left, right = (
            "".join(chance.choice(GESTURES) for _ in range(count)) + made[count:]
            for made in (rival.left, rival.right)
        )
        rival.letters = interleaved_letters(left, right)
        rival.left_state, rival.right_state = hand_states(other.rules, rival.left, rival.right)
        if not rival.effects:
            if not other.rules.bank_is_public:
                rival.bank = chance.choice(["", "fireball", "cure_light_wounds"])
            rival.used_bolt = chance.random() < 0.5
    for monster in other.monsters:
        if monster.controller not in ("", wizard):
            monster.victim = chance.choice([w.id for w in other.wizards])
    return other


def test_blind_practice_opponent_does_not_see_gestures() -> None:
    """rules: R94. Ada does not see whether Bram prepares a Fireball."""
    blind: Setup = {"wizards": [{"effects": {"blindness": {"turns": 5}}}, {}]}
    rows = [
        history_after(blind, *(("W-", pair) for pair in pairs))
        for pairs in (["F-", "S-"], ["W-", "D-"])
    ]
    one, two = ([*orders_for_ada(history)] for history in rows)
    assert one == two


def test_practice_opponent_does_not_see_invisible_gestures() -> None:
    """rules: R95."""
    setup: Setup = {"wizards": [{}, {"effects": {"invisibility": {"turns": 5}}}]}
    rows = [
        history_after(setup, *(("W-", pair) for pair in pairs))
        for pairs in (["F-", "S-"], ["W-", "D-"])
    ]
    one, two = ([*orders_for_ada(history)] for history in rows)
    assert one == two


# -- tactics


def test_practice_opponent_kills_a_rival_who_has_one_point_left() -> None:
    """A Missile needs one more gesture, and Bram does not defend himself."""
    history = history_after({"wizards": [{}, {"damage": 14}]}, ("S-", "W-"))
    assert all(after.outcome == ADA for after in positions_after_turn(history, "FF"))


def test_practice_opponent_kills_with_the_stronger_of_two_spells() -> None:
    history = history_after({"wizards": [{"left": "WF", "right": "-S"}, {"damage": 13}]})
    assert all(after.outcome == ADA for after in positions_after_turn(history, "FF"))


def test_practice_opponent_survives_a_deadly_missile() -> None:
    history = history_after({"wizards": [{"damage": 14}, {}]}, ("F-", "S-"))
    assert all(after.wizard(ADA).damage == 14 for after in positions_after_turn(history, "D-"))


def test_practice_opponent_survives_a_deadly_giant() -> None:
    giant = {"kind": "giant", "controller": BRAM}
    history = history_after({"wizards": [{"damage": 11}, {}], "monsters": [giant]})
    assert all(not after.outcome for after in positions_after_turn(history, "W-"))


@pytest.mark.parametrize("adas", [["W-", "W-"], ["-W", "-P"], ["--", "CC"]])
def test_practice_opponent_stops_a_deadly_fireball(adas: list[str]) -> None:
    """Ada needs one more gesture for a Counter-spell (by either pattern) or for a Magic Mirror."""
    rows = zip(["--", "--", *adas], ["F-", "S-", "S-", "D-"], strict=True)
    history = history_after({"wizards": [{"damage": 11}, {}]}, *rows)
    assert all(
        not after.outcome or after.outcome == ADA for after in positions_after_turn(history, "D-")
    )


def test_practice_opponent_prepares_for_a_fireball_two_turns_away() -> None:
    """Bram has made F-S-S, and Ada nothing.

    If she claps now, she can complete a Magic Mirror in time.
    """
    for seed in DICE_SEEDS:
        luck = random.Random(seed)
        history = history_after(
            {"wizards": [{"damage": 11}, {}]}, ("--", "F-"), ("--", "S-"), ("--", "S-")
        )
        for pair in ("D-", "D-"):
            history = play_turn_as_ada(history, luck, pair)
        assert history.position.outcome in ("", ADA)


def test_practice_opponent_takes_account_of_the_duels_options(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With Maladroit, these gestures begin Maladroitness instead of Confusion. rules: W23"""
    values = {**spell_values.SPELL_VALUES, "confusion": 0.0, "maladroitness": 9.0}
    for module in (spell_values, guards):
        monkeypatch.setattr(module, "SPELL_VALUES", values)
    begun = hand_states(engine.play.RULESETS["warlocks-1"], "DS", "--")[0]
    plain, maladroit = (
        spell_values.expected_values.__wrapped__("warlocks-1", options, spell_values.Needs())[begun]
        for options in ((), ("maladroit",))
    )
    assert maladroit > plain + 5
    feared = [
        guards.threats_ahead.__wrapped__("warlocks-1", options)[0].spell_value[begun]
        for options in ((), ("maladroit",))
    ]
    assert feared == [0.0, 9.0]


def test_practice_opponent_completes_spells_of_several_turns() -> None:
    """Against a passive opponent, it casts a spell of three or more gestures within six turns."""
    for seed in DICE_SEEDS:
        luck = random.Random(seed)
        history = history_after({})
        for _ in range(6):
            history = play_turn_as_ada(history, luck, "--")
        patterns = [
            event.pattern for turn in history.turns for event in turn.events
            if isinstance(event, Cast)
        ]  # fmt: skip
        assert max(map(len, patterns)) >= 3


def test_practice_opponents_goblin_attacks_the_enemy() -> None:
    history = history_after({"monsters": [{"kind": "goblin", "controller": ADA}]})
    assert all(orders.victims == {"m0": (BRAM,)} for orders in orders_for_ada(history))


def test_practice_opponents_goblin_attacks_a_goblin_when_the_enemy_is_protected() -> None:
    protected = {"effects": {"protection_from_evil": {"turns": 3}}}
    goblins = [{"kind": "goblin", "controller": wizard} for wizard in (ADA, BRAM)]
    history = history_after({"wizards": [{}, protected], "monsters": goblins})
    assert all(orders.victims == {"m0": ("m1",)} for orders in orders_for_ada(history))


def test_practice_opponent_attacks_the_weaker_of_two_enemies() -> None:
    three = [engine.play.Duellist(name) for name in ("Ada", "Bram", "Cleo")]
    setup: Setup = {"wizards": [{"left": "S", "right": "-"}, {}, {"damage": 14}]}
    history = engine.play.History((), engine.play.begin("bartle-1", three, setup=setup))
    for orders in orders_for_ada(history):
        after, _ = engine.play.resolve(history.position, {ADA: orders}, {}, DICE)
        assert after.wizard(CLEO).standing == "dead"


@pytest.mark.parametrize("hand", ["L", "R"])
def test_practice_opponent_does_not_add_a_palm_to_a_forced_one(hand: str) -> None:
    """Paralysis turns this hand's wave into a palm, and a second palm would be a surrender."""
    held = {"paralysis": {"turns": 1, "hand": hand, "letter": "P"}}
    setup: Setup = {"wizards": [{"damage": 14, "left": "W", "right": "W", "effects": held}, {}]}
    for orders in orders_for_ada(history_after(setup)):
        free = orders.sets[0].right if hand == "L" else orders.sets[0].left
        assert free != "P"


def test_practice_opponent_does_not_make_a_palm_while_confused() -> None:
    """The other hand could become a second palm by chance, which would be a surrender.

    It takes this risk for a Shield only if a stab could kill it: see `test_practice_changed_hands`.
    """
    setup: Setup = {"wizards": [{"damage": 5, "effects": {"confusion": {"turns": 1}}}, {}]}
    for orders in orders_for_ada(
        history_after(
            setup,
        )
    ):
        assert "P" not in orders.sets[0].pair


def test_practice_opponent_survives_a_deadly_disease() -> None:
    setup: Setup = {
        "wizards": [{"left": "DFP", "right": "---", "effects": {"disease": {"turns": 1}}}, {}]
    }
    assert all(after.outcome != BRAM for after in positions_after_turn(history_after(setup), "W-"))


def test_practice_opponent_releases_a_banked_fireball_that_wins() -> None:
    history = history_after({"wizards": [{"bank": "fireball"}, {"damage": 10}]})
    assert all(after.outcome == ADA for after in positions_after_turn(history, "W-"))


def test_practice_opponent_makes_an_enemys_charmed_hand_do_nothing() -> None:
    charm = {"charm_person": {"turns": 1, "caster": ADA, "hand": "L"}}
    history = history_after(
        {"wizards": [{}, {"left": "SFWFSS", "right": "------", "effects": charm}]}
    )
    assert all(orders.charmed == {"w1.L": ("-",)} for orders in orders_for_ada(history))


def test_practice_opponent_aims_counter_spell_at_itself_under_spellcast() -> None:
    """rules: R12. In spellcast, the default target of Counter-spell would be Bram."""
    history = history_after(
        {"wizards": [{"damage": 11}, {}]},
        *zip(["--", "--", "W-", "W-"], ["F-", "S-", "S-", "D-"], strict=True),
        ruleset="spellcast-1",
    )
    for orders in orders_for_ada(history):
        assert orders.sets[0].subjects.get("L") == ADA


def test_practice_opponent_plans_both_sets_of_a_hasted_turn_together() -> None:
    """The first set makes S, and the second D, which completes a Missile that kills Bram."""
    hasted = {"effects": {"haste": {"turns": 2}}}
    history = history_after({"wizards": [hasted, {"damage": 14}]})
    for orders in orders_for_ada(history):
        assert len(orders.sets) == 2
    history = history_after({"wizards": [{**hasted, "left": "S", "right": "S"}, {"damage": 14}]})
    assert all(after.outcome == ADA for after in positions_after_turn(history, "W-"))


# -- strength


def test_practice_opponent_beats_random_orders() -> None:
    """This match is short; `make practice` plays longer ones."""
    assert play_contest("bartle-1", RandomPlayer(), 24, seed=5).ended["won"] >= 21


def test_practice_opponent_beats_a_rival_who_casts_the_shortest_damaging_spells() -> None:
    assert play_contest("bartle-1", NearestSpellPlayer(), 10, seed=5).ended["won"] >= 8


@pytest.mark.parametrize("rival", [RandomPlayer, NearestSpellPlayer])
def test_rivals_of_the_practice_opponent_play_by_the_rules(
    rival: type[RandomPlayer] | type[NearestSpellPlayer],
) -> None:
    """Wins against rivals who break rules or surrender would prove nothing."""
    for seed in range(3):
        for turn in play_duel("bartle-1", [rival(), rival()], seed).turns:
            assert not any(event.code == "surrendered" for event in turn.events)


def test_rival_who_casts_the_shortest_spells_casts_two_missiles_every_other_turn() -> None:
    turns = play_duel("bartle-1", [NearestSpellPlayer(), RandomPlayer()], 1, turns=4).turns
    casts = [
        [e.spell for e in turn.events if isinstance(e, Cast) and e.wizard == ADA] for turn in turns
    ]
    assert casts == [[], ["missile"] * 2, [], ["missile"] * 2]
