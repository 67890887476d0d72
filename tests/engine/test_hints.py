"""Tests of hints: completed spells, spells in progress, lost sequences, and turns until completion.

Names of beings: w0 Ada, w1 Bram.
"""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
from engine.gestures import PAIRS, SYMBOL_COUNT, SYMBOLS
from engine.legality.hand_constraints import hand_limits
from engine.legality.progress import Progress, turns_needed
from engine.legality.upcoming_sets import upcoming_sets_by_turn
from engine.positions.position import EXTRA, HASTE, NORMAL, Position
from engine.rulesets.choices import HandNamingTime
from engine.rulesets.ruleset import Ruleset
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    NUMBERED_RULESETS,
    SEALED_RULESETS,
    STEPWISE_RULESETS,
    begun,
    duel,
    made,
    play_turn,
    under_effects,
)
from tests.engine.test_advice import SEEDS
from tests.engine.test_properties import a_duel, history_of

ONE_TURN: dict[str, object] = {"turns": 1}
THREE_TURNS: dict[str, object] = {"turns": 3}
GESTURES = "FPSWDC>-"


def hint(position: Position, field: str, letter: str, **draft: str) -> engine.play.GestureHint:
    (hand,) = (h for h in engine.play.hints(position, ADA, orders(draft)) if h.field == field)
    return next(each for each in hand.gestures if each.letter == letter)


def orders(draft: dict[str, str]) -> engine.orders.Orders:
    return engine.orders.from_fields(draft)


def named(progress: tuple[Progress, ...]) -> dict[str, int]:
    """Return the number of turns that each pattern still takes, by pattern."""
    return {each.pattern: each.turns for each in progress}


# Effects of a gesture


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_list_spells_that_each_gesture_completes(ruleset: str) -> None:
    position = duel(begun("WFPSF"), ruleset=ruleset)
    assert hint(position, "left", "W").completes == (
        "summon_giant", "summon_troll", "summon_ogre", "summon_goblin",
    )  # fmt: skip
    assert hint(position, "left", "P").completes == ("shield",)
    assert hint(position, "left", "D").completes == ()
    assert [each.letter for each in engine.play.hints(position, ADA)[0].gestures] == list(GESTURES)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_for_two_handed_steps_depend_on_the_other_hands_draft(ruleset: str) -> None:
    position = duel(begun("C", "C"), ruleset=ruleset)
    assert hint(position, "left", "W").completes == ()
    assert hint(position, "left", "W", right="W").completes == ("magic_mirror",)
    assert hint(position, "right", "W", left="W").completes == ("magic_mirror",)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_of_both_hands_list_a_spell_that_both_would_complete(ruleset: str) -> None:
    """Only the left hand has begun Fire Storm, and neither hand has chosen the clap."""
    position = duel(begun("SWW", "---"), ruleset=ruleset)
    for field in ("left", "right"):
        assert hint(position, field, "C").both_complete == ("fire_storm",)
        assert hint(position, field, "C", right="C").both_complete == ("fire_storm",)
        assert hint(position, field, "W").both_complete == ()
    assert hint(position, "left", "C").completes == ()
    assert hint(position, "left", "C", right="C").completes == ("fire_storm",)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
@given(st.lists(st.sampled_from(PAIRS), max_size=8))
def test_two_handed_hints_are_the_sheets_two_handed_completions(
    ruleset: str, rows: list[str]
) -> None:
    """Hints for a letter name exactly the spells that the sheet offers if both hands make it."""
    left, right = ("".join(row[side] for row in rows) for side in (0, 1))
    position = duel(begun(left, right), ruleset=ruleset)
    (offered,) = engine.play.sheet(position, ADA).sets
    for hand in engine.play.hints(position, ADA):
        for each in hand.gestures:
            completions = offered.completions.get(each.letter * 2, ())
            two_handed = {row.spell for row in completions if row.hand == "BH"}
            assert set(each.both_complete) == two_handed


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_list_spells_that_need_one_or_two_more_gestures(ruleset: str) -> None:
    """After S, one more gesture completes Missile, and two complete Fear or Summon Goblin."""
    near = named(hint(duel(ruleset=ruleset), "left", "S").leads_to)
    assert near["SD"] == 1
    assert near["SWD"] == near["SFW"] == 2
    short = "SPF" in engine.play.RULESETS[ruleset].spells["anti_spell"].patterns
    assert set(near) == {"SD", "SWD", "SFW"} | ({"SPF"} if short else set())
    (mirror,) = (
        each for each in hint(duel(ruleset=ruleset), "left", "C", right="C").leads_to
        if each.pattern == "cw"
    )  # fmt: skip
    assert mirror.steps == (engine.play.PatternStep("W", both=True),)


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_hints_for_a_first_set_count_the_second_set_of_the_same_turn(ruleset: str) -> None:
    """rules: R97"""
    position = duel(under_effects(haste=THREE_TURNS), ruleset=ruleset)
    near = named(hint(position, "left", "S").leads_to)
    assert (near["SD"], near["SWD"]) == (0, 1)
    near = named(hint(position, "left2", "S").leads_to)
    assert (near["SD"], near["SWD"]) == (1, 1)
    first, _, second, _ = engine.play.hints(position, ADA, orders({"left": "S"}))
    assert first.begun == ()
    assert {p.pattern: p.turns for p in second.begun if p.spell in ("missile", "fear")} == {
        "SD": 1, "SWD": 2,
    }  # fmt: skip
    assert hint(position, "left2", "D", left="S").completes == ("missile",)
    assert hint(position, "left2", "D", left="F").completes == ()


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_use_the_other_hands_forced_gesture_instead_of_its_draft(ruleset: str) -> None:
    named_later = engine.play.RULESETS[ruleset].hand_named is HandNamingTime.WHEN_IT_ACTS
    paralysis = {**ONE_TURN, "hand": "R", **({"caster": BRAM} if named_later else {"letter": "P"})}
    position = duel(begun("W", "P", effects={"paralysis": paralysis}), ruleset=ruleset)
    hands = engine.play.hints(position, ADA, orders({"left": "P", "right": "F"}))
    assert [hand.drafted for hand in hands] == ["P", "P"]
    assert hands[0].drafted_hint.completes == ("shield",)


def test_hints_ignore_a_used_short_lightning_bolt() -> None:
    fresh, spent = duel(begun("WD")), duel(begun("WD", used_bolt=True))
    assert "WDDc" in named(hint(fresh, "left", "D").leads_to)
    assert "WDDc" not in named(hint(spent, "left", "D").leads_to)


def test_no_hints_for_a_wizard_who_does_not_act() -> None:
    position = duel().copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    assert engine.play.hints(position, ADA) == ()
    assert len(engine.play.hints(position, BRAM)) == 2


def states_after(rules: Ruleset, position: Position, pair: str) -> tuple[int, int]:
    own, (left, right) = position.wizard(ADA), SYMBOLS[pair]
    step = rules.automaton.step
    return step[own.left_state * SYMBOL_COUNT + left], step[own.right_state * SYMBOL_COUNT + right]


def completable(rules: Ruleset, state: int, gestures: int) -> set[str]:
    """Return the patterns that a hand in this state can complete in exactly this many gestures."""
    found: set[str] = set()
    frontier = {state}
    for _ in range(gestures):
        frontier = {
            rules.automaton.step[one * SYMBOL_COUNT + symbol]
            for one in frontier
            for symbol in range(SYMBOL_COUNT)
        }
    for one in frontier:
        found |= {end.pattern for end in rules.ends[one]}
    return {pattern for pattern in found if len(pattern) > gestures}


def is_made(row: engine.play.Completion, hand: str, pair: str, position: Position) -> bool:
    """Return whether this hand alone completes a spell that the sheet offers for both hands."""
    if row.hand != "BH":
        return True
    state = states_after(position.rules, position, pair)["LR".index(hand)]
    return row.spell in {end.spell.id for end in position.rules.ends[state]}


@given(SEEDS)
@settings(max_examples=12)
def test_hints_agree_with_automaton_and_sheet(seed: int) -> None:
    """Hints, automaton and sheet agree on what one or two more gestures complete."""
    for step in a_duel(seed, turns=12):
        position = step.position
        own = position.wizard(ADA)
        sheet = engine.play.sheet(position, ADA)
        if not sheet.sets or own.used_bolt:
            continue
        for side, hand in enumerate(engine.play.hints(position, ADA)[:2]):
            for each in hand.gestures:
                other = engine.play.hints(position, ADA)[1 - side].drafted
                pair = each.letter + other if side == 0 else other + each.letter
                # Fear or Maladroitness may change the pair.
                pair = hand_limits(position, own).pair_after_changes(pair)
                state = states_after(position.rules, position, pair)[side]
                soon, later = (completable(position.rules, state, n) for n in (1, 2))
                for missing, wanted in (1, soon), (2, later - soon):
                    leads_to = {p.pattern for p in each.leads_to if len(p.remaining) == missing}
                    assert leads_to == wanted
                mine = [
                    row
                    for row in sheet.sets[0].completions.get(pair, ())
                    if row.hand in ("BH", hand.hand)
                ]
                offered = {row.spell for row in mine if is_made(row, hand.hand, pair, position)}
                barred = [
                    option.letter
                    for option in (sheet.sets[0].left, sheet.sets[0].right)[side].gestures
                    if not option.allowed
                ]
                if each.letter not in barred:
                    assert set(each.completes) == offered
                if all(
                    option.allowed
                    for made_by in (sheet.sets[0].left, sheet.sets[0].right)
                    for option in made_by.gestures
                    if option.letter == each.letter
                ):
                    both = sheet.sets[0].completions.get(each.letter * 2, ())
                    assert set(each.both_complete) == {r.spell for r in both if r.hand == "BH"}


# Lost sequences


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_hints_list_sequences_that_a_gesture_would_lose(ruleset: str) -> None:
    """After F P S F, a D loses the gestures of Summon Troll; a W completes the spell."""
    position = duel(begun("FPSF"), ruleset=ruleset)
    assert [each.spell for each in hint(position, "left", "D").sets_back] == [
        "summon_troll", "summon_ogre", "summon_goblin",
    ]  # fmt: skip
    assert hint(position, "left", "W").sets_back == ()
    left, right = engine.play.hints(position, ADA, orders({"left": "D"}))
    assert (left.field, left.drafted_hint.letter) == ("left", "D")
    assert [each.done for each in left.drafted_hint.sets_back] == [4, 3, 2]
    assert right.drafted_hint.sets_back == ()


def test_setbacks_omit_lost_single_gestures_and_continued_sequences() -> None:
    position = duel(begun("S"))
    # The loss of a single gesture is not worth a warning.
    assert hint(position, "left", "-").sets_back == ()
    position = duel(begun("WW"))
    assert {each.pattern for each in hint(position, "left", "F").sets_back} == {"WWP", "WWS"}
    assert {each.pattern for each in hint(position, "left", "-").sets_back} == {
        "WWFP", "WWP", "WWS",
    }  # fmt: skip


def test_one_hand_can_lose_a_two_handed_sequence() -> None:
    position = duel(begun("PPW", "--W"))
    assert "PPws" in {each.pattern for each in hint(position, "left", "S").sets_back}
    kept = hint(position, "left", "S", right="S")
    assert "invisibility" in kept.completes
    assert "PPws" not in {each.pattern for each in kept.sets_back}


def test_setbacks_omit_a_spell_completed_by_its_other_pattern() -> None:
    """W P P completes Counter-spell, so losing W W S, which is the same spell, does not matter."""
    position = duel(begun("WWP"))
    lost = hint(position, "left", "P").sets_back
    assert "counter_spell" not in {each.spell for each in lost}


def test_setbacks_of_an_empty_draft_list_sequences_of_both_hands() -> None:
    position = duel(begun("SW", "DF"))
    assert all(hand.drafted_hint.sets_back for hand in engine.play.hints(position, ADA))


# Turns


def test_missing_gestures_are_converted_into_turns() -> None:
    assert [turns_needed(n, ()) for n in (0, 1, 3)] == [0, 1, 3]
    assert [turns_needed(n, (2, 2)) for n in (1, 2, 3, 4, 5, 6)] == [1, 1, 2, 2, 3, 4]
    assert [turns_needed(n, (1, 2)) for n in (1, 2, 3, 4)] == [1, 2, 2, 3]
    assert turns_needed(-1, ()) == 0


def sets_really_made(position: Position, turns: int) -> Iterator[int]:
    """Yield the number of sets that Ada makes in each turn, including extra turns."""
    counted: list[tuple[object, int]] = []
    while len(counted) <= turns:
        key: object = position.turn
        if position.kind == EXTRA:
            key = (position.turn, "extra", len(counted))
        after, events = play_turn(position)
        count = sum(e.code == "gestured" and getattr(e, "wizard", "") == ADA for e in events)
        if counted and counted[-1][0] == key:
            counted[-1] = (key, counted[-1][1] + count)
        elif count or position.kind != EXTRA:
            counted.append((key, count))
        position = after
    yield from (count for _, count in counted[:turns])


def foreseen(position: Position, turns: int) -> list[int]:
    known = upcoming_sets_by_turn(position, position.wizard(ADA), position.wizard(ADA).effects)
    return [*known, *[1] * turns][:turns]


HASTED = [(ruleset, turns, NORMAL) for ruleset in ALL_RULESETS for turns in (0, 1, 2, 3)]
HASTED += [
    (ruleset, turns, HASTE)
    for ruleset in (*STEPWISE_RULESETS, *NUMBERED_RULESETS)
    for turns in (1, 2, 3)
]


@pytest.mark.parametrize(("ruleset", "turns", "phase"), HASTED)
def test_predicted_sets_per_turn_match_the_sets_made_under_haste(
    ruleset: str, turns: int, phase: str
) -> None:
    """rules: R97"""
    effects = {"haste": {"turns": turns}} if turns else {}
    position = duel(begun("", effects=effects), ruleset=ruleset).copy()
    position.kind = phase
    assert foreseen(position, 6) == list(sets_really_made(position, 6))


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
@pytest.mark.parametrize("caster", ["ada", "bram"])
@pytest.mark.parametrize("hasted", [0, 2, 4])
def test_predicted_sets_per_turn_match_the_sets_made_after_a_time_stop(
    ruleset: str, caster: str, hasted: int
) -> None:
    """Ada or Bram casts Time Stop, and Ada may be hasted. rules: R98, R99"""
    effects = {"haste": {"turns": hasted}} if hasted else {}
    fresh = begun("SPP", effects=effects) if caster == "ada" else begun("", effects=effects)
    other = begun("SPP") if caster == "bram" else {}
    position = duel(fresh, other, ruleset=ruleset)
    kinds = []
    if position.kind == HASTE and caster == "bram":
        position, _ = play_turn(position)  # a row that only Ada makes
    clap = made("C C")
    ada, bram = (clap, None) if caster == "ada" else (None, clap)
    position, _ = play_turn(position, ada=ada, bram=bram)
    for _ in range(5):
        if not position.pending and (position.kind != EXTRA or caster == "ada"):
            assert foreseen(position, 6) == list(sets_really_made(position, 6)), position.kind
        kinds.append(position.kind)
        position, _ = play_turn(position)
    assert EXTRA in kinds


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_spells_in_progress_state_how_many_turns_they_need(ruleset: str) -> None:
    """Two gestures take two turns, or one if Ada is hasted and her extra sets have no turn number.

    rules: R97, W9"""
    for effects, turns in (
        ({}, 2),
        ({"haste": THREE_TURNS}, 2 if ruleset in NUMBERED_RULESETS else 1),
    ):
        position = duel(begun("S", effects=effects), ruleset=ruleset).copy()
        if effects and ruleset in STEPWISE_RULESETS:
            position.kind = HASTE
        for observer in (ADA, "all"):
            view = engine.play.view(engine.play.History((), position), observer)
            (hand,) = (h for h in view.hands if (h.wizard, h.hand) == (ADA, "L"))
            (goblin,) = (p for p in hand.progress if p.spell == "summon_goblin")
            assert (goblin.turns, goblin.remaining) == (turns, "FW")
            assert goblin.steps == (
                engine.play.PatternStep("F", both=False),
                engine.play.PatternStep("W", both=False),
            )


def test_turns_for_a_spell_ignore_a_haste_that_the_observer_does_not_know_of() -> None:
    """Bram did not see that Ada cast Haste on herself in an extra turn. rules: R121"""
    position = duel(begun("SF", effects={"haste": THREE_TURNS})).copy()
    ada = position.wizard(ADA)
    rows = [
        engine.play.resolve(duel(), {ADA: orders(made(f"{x} -"))}, {}, engine.play.NoDice())
        for x in "SF"
    ]
    turns = tuple(engine.play.Turn(n, duel(), events) for n, (_, events) in enumerate(rows, 1))
    for unseen_by, wanted in ((), 1), ((BRAM,), 1):
        ada.effects["haste"] = ada.effects["haste"]._replace(unseen_by=unseen_by)
        view = engine.play.view(engine.play.History(turns, position), BRAM)
        (hand,) = (h for h in view.hands if (h.wizard, h.hand) == (ADA, "L"))
        (goblin,) = (p for p in hand.progress if p.spell == "summon_goblin")
        assert goblin.turns == wanted
        (anti,) = (p for p in hand.progress if p.pattern == "FSSDD")
        assert anti.turns == (2 if not unseen_by else 4)


@given(SEEDS)
@settings(max_examples=10)
def test_spells_in_progress_never_need_more_turns_than_gestures(seed: int) -> None:
    for observer in (ADA, BRAM, "spectator", "all"):
        view = engine.play.view(history_of(list(a_duel(seed, wizards=3, turns=20))), observer)
        for hand in view.hands:
            for each in hand.progress:
                assert 1 <= each.turns <= len(each.remaining)
                assert "".join(s.letter for s in each.steps) == each.remaining.upper()


def test_setbacks_of_a_gesture_name_each_spell_once() -> None:
    """Time Stop has two sequences in Warlocks, and a hand can have begun both."""
    position = duel(begun("SPP"), ruleset="warlocks-1")
    for side in ("left", "right"):
        for letter in "FPSWD-":
            spells = [each.spell for each in hint(position, side, letter).sets_back]
            assert len(spells) == len(set(spells))
