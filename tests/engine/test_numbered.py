"""Tests of rulesets that number every extra turn: acting wizards, reports and order sheets.

The cases in `cases/warlocks_turns.case` test the results of such turns. rules: W8-W13
"""

import random
from typing import Final

import pytest

import engine.orders
import engine.play
import engine.words
from engine.events import Gestured, Overridden, StormSpent
from engine.json_values import InvalidData
from engine.positions.position import (
    EXTRA,
    HASTE,
    NORMAL,
    Position,
    hand_states,
    interleaved_letters,
)
from engine.rulesets.warlocks import WARLOCKS_1
from engine.spellbook import Spell
from tests.engine.board import ADA, BRAM, CLEO, begun, duel, made, play_turn
from tests.engine.invariants import replay_and_display_failures, violations
from tests.engine.random_duels import random_duel
from tests.engine.test_secrecy import PROBE_ORDERS, all_output

WARLOCKS = "warlocks-1"
HASTE_EFFECT = {"effects": {"haste": {"turns": 2}}}
BRAMS_OGRE = {"kind": "ogre", "controller": BRAM, "victim": ADA}


def hasted_turn(*, ada: dict[str, object] | None = None, monsters: bool = False) -> Position:
    """Return a position in Ada's hasted turn, number 2, in which Bram and Cleo do not act."""
    position = duel(
        {**HASTE_EFFECT, **(ada or {})},
        {},
        {},
        monsters=[BRAMS_OGRE] if monsters else [],
        ruleset=WARLOCKS,
    )
    after, _ = play_turn(position)
    assert (after.kind, after.turn) == (HASTE, 2)
    return after


def test_only_hasted_wizards_must_decide_in_a_hasted_turn() -> None:
    """Monsters need no orders in a hasted turn. rules: W8, W10"""
    position = hasted_turn(monsters=True)
    assert engine.play.acting_wizards(position) == engine.play.deciding_wizards(position) == (ADA,)
    assert engine.play.sheet(position, BRAM).monsters == ()
    assert engine.play.sheet(position, BRAM).rule == "W9"
    after, _ = play_turn(position, ada=made("W -"))
    assert engine.play.deciding_wizards(after) == (ADA, BRAM, CLEO)


def test_wizards_acting_in_an_extra_turn_can_order_monsters() -> None:
    """rules: W10"""
    position = duel(HASTE_EFFECT, monsters=[{**BRAMS_OGRE, "controller": ADA}], ruleset=WARLOCKS)
    position, _ = play_turn(position)
    (ogre,) = engine.play.sheet(position, ADA).monsters
    assert (ogre.key, ogre.attacks, ogre.note) == ("m0", 1, "in the next normal turn")
    told = engine.play.orders_text(position, ADA, engine.orders.from_fields(made("W -")))
    assert "In the next normal turn, the Red Ogre attacks you." in told


@pytest.mark.parametrize(
    ("row", "orders", "shown"),
    [
        ({}, made("P -"), ["shield"]),
        ({"left": "WP", "right": "--"}, made("P -"), ["counter_spell"]),
        ({"left": "C", "right": "C"}, made("W W"), ["magic_mirror"]),
        ({"left": "WW", "right": "--"}, made("P -"), ["protection_from_evil"]),
    ],
)
def test_status_in_a_hasted_turn_shows_guards_from_the_turn_before(
    row: dict[str, object], orders: dict[str, str], shown: list[str]
) -> None:
    """Everyone knows of the guards. rules: W11"""
    hasted, events = play_turn(duel(HASTE_EFFECT, row, ruleset=WARLOCKS), bram=orders)
    assert hasted.kind == HASTE
    history = engine.play.History((engine.play.Turn(1, hasted, events),), hasted)
    (bram,) = [being for being in engine.play.view(history, ADA).status if being.id == BRAM]
    assert [effect.code for effect in bram.effects] == shown
    later, _ = play_turn(hasted, ada=made("W -"))
    (bram,) = [
        b for b in engine.play.view(engine.play.History((), later), ADA).status if b.id == BRAM
    ]
    assert {effect.code for effect in bram.effects} <= {"protection_from_evil"}


AIMED_SPELLS: Final = [
    WARLOCKS_1.stab,
    *(row for row in WARLOCKS_1.spells.values() if not row.monster and not row.mind),
]
GUARDS: Final = ("shield", "counter_spell", "magic_mirror", "protection_from_evil", "resist_heat")


@pytest.mark.parametrize("stops_time", [False, True])
@pytest.mark.parametrize("subject", [BRAM, "m0"])
def test_guards_have_the_same_effect_in_the_hasted_turn_after_casting(
    subject: str, stops_time: bool
) -> None:
    """Each spell, or a stab, does the same harm in both turns. rules: W11, W37"""
    different = []
    for guard in GUARDS:
        before = guarded_duel(guard)
        guarding = orders_completing(guard, subject)
        cleo = orders_completing("time_stop", CLEO) if stops_time else None
        hasted, _ = play_turn(before, bram=guarding, cleo=cleo)
        if stops_time:
            hasted, _ = play_turn(hasted)
        assert hasted.kind == HASTE
        for row in AIMED_SPELLS:
            at_once, _ = play_turn(
                with_gestures_of_spell(before, row),
                ada=orders_completing(row.id, subject),
                bram=guarding,
            )
            later, _ = play_turn(
                with_gestures_of_spell(hasted, row), ada=orders_completing(row.id, subject)
            )
            if damage_by_being(at_once) != damage_by_being(later):
                different.append((guard, row.id, damage_by_being(at_once), damage_by_being(later)))
    assert different == []


def guarded_duel(guard: str) -> Position:
    """Return a position in which Bram can complete the guard, and Cleo Time Stop."""
    idle_ogre = {"kind": "ogre", "controller": BRAM, "victim": "no_one"}
    patterns = [WARLOCKS_1.spells[id].patterns[0][:-1] for id in (guard, "time_stop")]
    rows = [begun(left_letters_of(pattern), pattern.upper()) for pattern in patterns]
    hasted = {"effects": {"haste": {"turns": 2}}}
    return duel(hasted, *rows, monsters=[idle_ogre], ruleset=WARLOCKS)


def left_letters_of(pattern: str) -> str:
    """Return the left hand's gestures for a pattern made by the right hand."""
    return "".join(letter.upper() if letter.islower() else "-" for letter in pattern)


def with_gestures_of_spell(position: Position, row: Spell) -> Position:
    """Return the position after replacing Ada's history with the spell's gestures but the last."""
    pattern = row.patterns[0][:-1]
    after = position.copy()
    ada = after.wizard(ADA)
    left, right = left_letters_of(pattern), pattern.upper()
    ada.letters = interleaved_letters(left, right)
    ada.left_state, ada.right_state = hand_states(after.rules, left, right)
    return after


def orders_completing(id: str, subject: str) -> dict[str, str]:
    """Return orders that complete the spell, or stab, with the right hand or both hands."""
    if id == "stab":
        return made("- >", right_subject=subject)
    spell = WARLOCKS_1.spells[id]
    last = spell.patterns[0][-1]
    aim = "" if spell.is_area else subject
    if last.islower():
        return made(f"{last.upper()} {last.upper()}", both_spell=id, both_subject=aim)
    return made(f"- {last}", right_spell=id, right_subject=aim)


def damage_by_being(position: Position) -> dict[str, object]:
    """Return the damage of each wizard still in the duel and of each monster."""
    return {
        **{wizard.id: wizard.damage for wizard in position.wizards_in_duel()},
        **{monster.id: monster.damage for monster in position.monsters},
    }


def test_hands_of_wizards_who_do_not_act_are_not_offered_as_subjects() -> None:
    """A hand can summon a subject only if its owner acts in that turn. rules: R14, W8, W12"""
    alone = duel(begun("S", effects=HASTE_EFFECT["effects"]), {}, ruleset=WARLOCKS).copy()
    alone.kind = HASTE
    both = duel(begun("S", effects=HASTE_EFFECT["effects"]), HASTE_EFFECT, ruleset=WARLOCKS).copy()
    both.kind = HASTE
    stopped = duel(begun("S"), {}, ruleset=WARLOCKS).copy()
    stopped.kind, stopped.stopped = EXTRA, (ADA, BRAM)
    coming = {"L:w1", "R:w1"}
    for position, offered in ((alone, set()), (both, coming), (stopped, coming)):
        sheet = engine.play.sheet(position, ADA, engine.orders.from_fields(made("D -")))
        assert set(sheet.subjects["missile"].options) & coming == offered


def test_only_hasted_wizards_make_gestures_in_a_hasted_turn() -> None:
    """rules: W9"""
    faults = engine.play.check(hasted_turn(), BRAM, engine.orders.from_fields(made("W -")))
    assert [(fault.code, fault.field, fault.rule) for fault in faults] == [
        ("not_your_turn", "left", "W9")
    ]


def test_normal_turn_follows_a_hasted_turn_in_which_nobody_acts() -> None:
    """rules: W9, turn:resign"""
    position, _ = engine.play.resign(hasted_turn(), ADA)
    assert engine.play.deciding_wizards(position) == ()
    after, events = play_turn(position)
    assert (after.kind, after.turn) == (NORMAL, 3)
    assert not any(isinstance(event, Gestured) for event in events)


def test_grid_has_no_row_for_wizards_who_do_not_act() -> None:
    """A spell can continue across a turn in which its caster does not act. rules: W8"""
    first = duel(HASTE_EFFECT, begun("F"), ruleset=WARLOCKS)
    second, one = play_turn(first, bram=made("F -"))
    third, two = play_turn(second, ada=made("W -"))
    after, three = play_turn(third, bram=made("F -"))
    turns = (
        engine.play.Turn(1, first, one),
        engine.play.Turn(2, second, two),
        engine.play.Turn(3, third, three),
    )
    view = engine.play.view(engine.play.History(turns, after), ADA)
    assert [(turn.number, turn.kind) for turn in view.turns] == [
        (1, NORMAL), (2, HASTE), (3, NORMAL)
    ]  # fmt: skip
    assert [len(turn.rows[BRAM]) for turn in view.turns] == [1, 0, 1]
    (run,) = view.runs
    assert (run.spell, [square.ordinal for square in run.squares]) == ("paralysis", [1, 3])
    titles = [report.title for report in engine.words.narrate(view)]
    assert titles == ["turn 1", "hasted turn 2", "turn 3"]


def test_extra_turns_do_not_count_towards_an_effects_duration() -> None:
    """Blindness that has not begun has three turns left, before and after the extra turn.

    rules: W11
    """
    ada = {**begun("DWFF", "---F"), **HASTE_EFFECT}
    position, _ = play_turn(duel(ada, ruleset=WARLOCKS), ada=made("D D", both_subject=BRAM))
    for kind in (HASTE, NORMAL):
        assert position.kind == kind
        view = engine.play.view(engine.play.History((), position), ADA)
        (bram,) = [being for being in view.status if being.id == BRAM]
        assert [(effect.code, effect.turns_left) for effect in bram.effects] == [("blindness", 3)]
        position, _ = play_turn(position)


def test_stored_position_keeps_guards_that_last_into_a_hasted_turn() -> None:
    """rules: W11"""
    position, _ = play_turn(
        duel(HASTE_EFFECT, monsters=[BRAMS_OGRE], ruleset=WARLOCKS), bram=made("P -")
    )
    data = engine.play.dump(position)
    assert data["wizards"][1]["guards"] == ["shield"]
    assert engine.play.load(data) == position
    data["wizards"][1]["guards"] = ["umbrella"]
    with pytest.raises(InvalidData, match="guards"):
        engine.play.load(data)


def test_cautions_consider_a_shield_from_the_turn_before() -> None:
    """rules: W11"""
    position, _ = play_turn(duel(HASTE_EFFECT, ruleset=WARLOCKS), ada=made("S -"), bram=made("P -"))
    missile = engine.orders.from_fields(made("D -", left_subject=BRAM))
    assert "shielded" in {caution.code for caution in engine.play.cautions(position, ADA, missile)}


def test_stored_position_keeps_a_time_stop_after_a_hasted_turn() -> None:
    """No second hasted turn follows before the next normal one. rules: W12"""
    ada = {**begun("SP"), "effects": {"haste": {"turns": 3}}}
    position, _ = play_turn(duel(ada, ruleset=WARLOCKS), ada=made("P -"))
    assert position.kind == HASTE
    position, _ = play_turn(position, ada=made("C C"))
    assert (position.kind, position.stopped, position.was_hasted) == (EXTRA, (ADA,), True)
    assert engine.play.load(engine.play.dump(position)) == position
    position, _ = play_turn(position)
    assert (position.kind, position.was_hasted) == (NORMAL, False)


def test_dice_for_permanent_confusion_are_rolled_every_turn() -> None:
    """rules: W26"""
    confused = {"effects": {"confusion": {"permanent": True}}}
    position = duel({}, confused, ruleset=WARLOCKS)
    dice = engine.play.RecordedDice(sequence=[0, 1, 5, 2])
    drawn: list[tuple[str, str]] = []
    for _ in range(2):
        position, events = play_turn(position, dice=dice)
        drawn += [(e.hand, e.letter) for e in events if isinstance(e, Overridden)]
    assert drawn == [("L", "D"), ("R", "F")]


# Many consecutive extra turns


def hasted_setup(chance: random.Random, wizards: int) -> dict[str, object]:
    """Return a setup of hasted and enchanted wizards with open windows and banked spells."""

    def wizard() -> dict[str, object]:
        held = chance.choice(["fear", "amnesia", "confusion"])
        every = {
            "haste": {"turns": chance.randint(1, 9)},
            "protection_from_evil": {"turns": 3},
            "permanency": {"turns": 5},
            "delayed_effect": {"turns": 5},
            "invisibility": {"turns": 3},
            "blindness": {"turns": 3},
            held: {"permanent": True},
        }
        effects = {kind: row for kind, row in every.items() if chance.random() < 0.4}
        bank = chance.choice(["time_stop", "haste", "amnesia", "counter_spell"])
        subject = f"w{chance.randrange(wizards)}"
        return {"effects": effects, "bank": bank, "bank_subject": subject}

    return {
        "wizards": [wizard() for _ in range(wizards)],
        "monsters": [
            {"kind": kind, "controller": "w0", "effects": {"haste": {"turns": 4}}}
            for kind in ("goblin", "ogre", "fire")
        ],
    }


@pytest.mark.parametrize("wizards", range(2, 9))
def test_invariants_hold_with_many_extra_turns(wizards: int) -> None:
    kinds: set[tuple[str, bool]] = set()
    for seed in range(6):
        chance = random.Random(seed * 10 + wizards)
        steps = random_duel(
            chance,
            wizards=wizards,
            turns=25,
            ruleset=WARLOCKS,
            setup=hasted_setup(chance, wizards),
        )
        for step in steps:
            kinds.add((step.position.kind, step.position.was_hasted))
            found = list(violations(step))
            if chance.random() < 0.05:
                found += replay_and_display_failures(step)
            assert found == [], f"seed {seed}, turn {step.position.turn}"
    assert {(NORMAL, False), (HASTE, False), (EXTRA, False)} <= kinds


def test_opposite_storms_are_reported_as_cancelling_each_other() -> None:
    """rules: W44"""
    storms = (begun("SWW", "---"), begun("WSS", "---"))
    after, events = play_turn(duel(*storms, ruleset=WARLOCKS), ada=made("C C"), bram=made("C C"))
    spent = {event.spell: event.cause for event in events if isinstance(event, StormSpent)}
    assert spent == {"fire_storm": "ice_storm", "ice_storm": "fire_storm"}
    assert [wizard.damage for wizard in after.wizards] == [0, 0]


def test_second_banked_spell_replaces_the_first_with_or_without_events() -> None:
    """rules: W34"""
    ada = {**begun("S"), "bank": "shield", "effects": {"delayed_effect": {"turns": 3}}}
    position = duel(ada, ruleset=WARLOCKS)
    orders = {ADA: engine.orders.from_fields(made("D -", left_subject=BRAM, bank="L"))}
    heard, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    unheard, _ = engine.play.resolve(
        position, orders, {}, engine.play.NoDice(), sink=engine.play.drop_events
    )
    assert heard == unheard
    assert heard.wizard(ADA).bank == "missile"


def test_report_says_that_an_illness_kills_a_monster_at_once() -> None:
    """rules: W31"""
    first = duel(begun("DWWFW"), monsters=[BRAMS_OGRE], ruleset=WARLOCKS)
    after, events = play_turn(first, ada=made("D -", left_subject="m0"))
    view = engine.play.view(engine.play.History((engine.play.Turn(1, first, events),), after), ADA)
    (report,) = engine.words.narrate(view)
    told = [line.text for line in report.lines if line.rule == "spell:poison"]
    assert "The Red Ogre is poisoned: the poison kills at once." in told


@pytest.mark.parametrize("observer", [BRAM, "spectator"])
@pytest.mark.parametrize("effects", [{}, {"haste": {"turns": 3}}, {"invisibility": {"turns": 3}}])
def test_gestures_of_a_time_stopped_turn_are_hidden_from_others(
    observer: str, effects: dict[str, object]
) -> None:
    """The gestures complete no spell, whose effect others could see. rules: W12"""
    first = duel(begun("SPP", effects=effects), {}, {}, monsters=[BRAMS_OGRE], ruleset=WARLOCKS)
    second, stopping = play_turn(first, ada=made("C C"))
    assert second.stopped == (ADA,)
    seen: list[object] = []
    for pair in ("F S", "W D", "- F"):
        after, events = play_turn(second, ada=made(pair))
        turns = (engine.play.Turn(1, first, stopping), engine.play.Turn(2, second, events))
        seen.append(all_output(engine.play.History(turns, after), observer, PROBE_ORDERS))
    assert seen[0] == seen[1] == seen[2]
