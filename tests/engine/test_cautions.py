"""Tests that each caution appears for orders that deserve it, but not for similar orders.

Each row tests one code under every ruleset in which it can occur. A row has a position and orders
that deserve the caution, and a similar case that does not. All orders are legal, so they have no
faults. Names of beings: w0 Ada, w1 Bram, m0 the first monster.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import engine
import engine.orders
import engine.play
from engine.positions.position import EXTRA, HASTE, SURRENDERED, Position
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
from tests.engine.rulebook import RULES

UNNUMBERED_RULESETS = tuple(id for id in ALL_RULESETS if id not in NUMBERED_RULESETS)
RULESETS_REQUIRING_TARGETS = ("wizards-1",)  # rulesets in which every spell must have a target
ONE_TURN: dict[str, object] = {"turns": 1}
THREE_TURNS: dict[str, object] = {"turns": 3}

Setup = Callable[[str], Position]
Case = tuple[Setup, dict[str, str]]


def at(*wizards: object, **more: object) -> Setup:
    """Return a setup of this position under any given ruleset."""
    return lambda ruleset: duel(*wizards, ruleset=ruleset, **more)  # type: ignore[arg-type]


def adas(kind: str = "goblin", **more: object) -> dict[str, object]:
    return {"kind": kind, "controller": ADA, **more}


def brams(kind: str = "goblin", **more: object) -> dict[str, object]:
    return {"kind": kind, "controller": BRAM, **more}


def orders(pair: str, **more: str) -> dict[str, str]:
    return made(pair, **{name.replace("__", ":"): value for name, value in more.items()})


CORPSE = {"kind": "ogre", "state": "corpse"}
MISSILE = begun("S")
COUNTER_AND_MISSILE = at(begun("WP", "-S"))
DISPEL_AND_MISSILE = at(begun("CDP", "C-S"))
REMOVE_AND_PARALYSIS = at(begun("PDW", "-FF"))
FEAR_AND_CONFUSION = at(begun("SW", "DS"))
STORM = at(begun("SWW"))
RELEASE_AT_BRAM = {"release": "yes", "release_subject": BRAM}
RELEASE = {"release": "yes"}  # with the subject of the banked spell
WARLOCKS = ("warlocks-1",)


def banked(spell: str, subject: str) -> dict[str, str]:
    return {"bank": spell, "bank_subject": subject}


def hasted_turn(position: Position) -> Position:
    position.kind = HASTE
    return position


def with_damage(position: Position, damage: int) -> Position:
    """Set Ada's damage, which is negative if she is above the starting health."""
    position.wizard(ADA).damage = damage
    return position


@dataclass(frozen=True)
class Row:
    """A caution's code and field, a case in which it must appear, and one in which it must not."""

    code: str
    field: str
    deserving: Case
    neighbour: Case
    rulesets: tuple[str, ...] = ALL_RULESETS


PARALYSIS: dict[str, object] = {**ONE_TURN, "hand": "L", "letter": "-"}

ROWS = (
    # gestures
    Row("no_gesture", "left", (at(), orders("- -")), (at(), orders("- W"))),
    Row(
        "no_gesture", "left",
        (at(begun("S", "S", effects={"haste": THREE_TURNS})), orders("- -")),
        (at(begun("S", "S", effects={"haste": THREE_TURNS})), {**orders("- -"), "left2": "W"}),
        SEALED_RULESETS,
    ),
    Row(
        "no_gesture", "left",
        (at(begun("-", "S", effects={"paralysis": PARALYSIS})), orders("- -")),
        (at(begun("-", "-", effects={"amnesia": {**ONE_TURN, "sets": ["--"]}})), orders("- -")),
        UNNUMBERED_RULESETS,
    ),
    Row("surrender", "left", (at(), orders("P P")), (at(), orders("P W"))),
    Row(
        "forced_surrender", "left",
        (at(begun("P", "P", effects={"amnesia": {**ONE_TURN, "sets": ["PP"]}})), orders("- -")),
        (at(begun("P", "W", effects={"amnesia": {**ONE_TURN, "sets": ["PW"]}})), orders("- -")),
    ),
    Row(
        "surrender", "left",
        (at(begun("P", "W", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "P"}})),
            orders("- P")),
        (at(begun("P", "P", effects={"amnesia": {**ONE_TURN, "sets": ["PP"]}})), orders("- -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "may_surrender", "right",
        (at(under_effects(confusion=ONE_TURN)), orders("P >")),
        (at(under_effects(confusion=ONE_TURN)), orders("W >")),
    ),
    Row(
        "may_surrender", "left",
        (at(under_effects(charm_person={**ONE_TURN, "hand": "L", "caster": BRAM})), orders("W P")),
        (at(under_effects(charm_person={**ONE_TURN, "hand": "L", "caster": BRAM})), orders("P W")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "may_surrender", "left",
        (at(under_effects(charm_person={**ONE_TURN, "caster": BRAM})), orders("W P")),
        (at(under_effects(charm_person={**ONE_TURN, "caster": BRAM})), orders("W S")),
        WARLOCKS,
    ),
    Row(
        "may_surrender", "right",
        (at(begun("S", "P", effects={"paralysis": {**ONE_TURN, "caster": BRAM}})), orders("P W")),
        (at(begun("S", "D", effects={"paralysis": {**ONE_TURN, "caster": BRAM}})), orders("P W")),
        WARLOCKS,
    ),
    Row("half_a_clap", "right", (at(), orders("F C")), (at(), orders("C C"))),
    Row("two_knives", "right", (at(), orders("> >")), (at(), orders("> -")), STEPWISE_RULESETS),
    Row(
        "forced_hand", "left",
        (at(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}),
            options=["strict"]), orders("F -")),
        (at(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}),
            options=["strict"]), orders("D -")),
        STEPWISE_RULESETS,
    ),
    Row(
        "feared_letter", "left",
        (at(under_effects(fear=ONE_TURN), options=["strict"]), orders("F -")),
        (at(under_effects(fear=ONE_TURN), options=["strict"]), orders("W -")),
        STEPWISE_RULESETS,
    ),
    # spells that have no effect
    Row(
        "nowhere", "left_subject",
        (at(MISSILE), orders("D -", left_subject="nowhere")),
        (at(MISSILE), orders("D -", left_subject=BRAM)),
        tuple(id for id in ALL_RULESETS if id not in RULESETS_REQUIRING_TARGETS),
    ),
    Row(
        "dispels_own", "right_subject",
        (DISPEL_AND_MISSILE, orders("W D")),
        (at(begun("SDP", "--S")), orders("W D")),
    ),
    Row(
        "counters_own", "right_subject",
        (COUNTER_AND_MISSILE, orders("P D", left_subject=BRAM)),
        (COUNTER_AND_MISSILE, orders("P D", left_subject=ADA)),
    ),
    Row(
        "counters_own", "left_subject",
        (at(begun("DF", "WP", damage=3)), orders("W P", right_subject=ADA)),
        (at(begun("DF", "WP", damage=3)), orders("W P", right_subject=BRAM)),
    ),
    Row(
        "removes_own", "right_subject",
        (REMOVE_AND_PARALYSIS, orders("P F", left_subject=BRAM)),
        (REMOVE_AND_PARALYSIS, orders("P F", left_subject=ADA)),
    ),
    Row(
        "cures_own", "release_subject",
        (at(begun("DFP", bank="disease")), orders("W -", left_subject=BRAM, **RELEASE_AT_BRAM)),
        (at(begun("DFP", bank="poison")), orders("W -", left_subject=BRAM, **RELEASE_AT_BRAM)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "cures_own", "release_subject",
        (at(begun("DFP", **banked("disease", BRAM))),
            orders("W -", left_subject=BRAM, **RELEASE)),
        (at(begun("DFP", **banked("poison", BRAM))),
            orders("W -", left_subject=BRAM, **RELEASE)),
        WARLOCKS,
    ),
    Row(
        "rises_clean", "release_subject",
        (at(begun("DWWFW", bank="paralysis"), monsters=[CORPSE]),
            orders("C C", both_subject="m0", release="yes", release_subject="m0")),
        (at(begun("DWWFW", bank="paralysis"), monsters=[CORPSE]),
            orders("C C", both_subject="m0", **RELEASE_AT_BRAM)),
        SEALED_RULESETS,
    ),
    Row(
        "minds_clash", "left_subject",
        (FEAR_AND_CONFUSION, orders("D F", left_subject=BRAM, right_subject=BRAM)),
        (FEAR_AND_CONFUSION, orders("D F", left_subject=BRAM, right_subject=ADA)),
    ),
    Row(
        "mind_in_force", "left_subject",
        (at(begun("SW"), under_effects(confusion=ONE_TURN)), orders("D -")),
        (at(begun("SW"), under_effects(poison=ONE_TURN)), orders("D -")),
        ("archmage-1",),
    ),
    Row(
        "same_mind_twice", "left_subject",
        (at(begun("FF", "FF")), orders("F F")),
        (at(begun("FF", "FF")), orders("F W")),
        STEPWISE_RULESETS,
    ),
    Row(
        "opposed", "left_subject",
        (at(begun("PWPFSSS", bank="raise_dead")), orders("D -", **RELEASE_AT_BRAM)),
        (at(begun("PWPFSSS", bank="raise_dead")),
            orders("D -", release="yes", release_subject=ADA)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "raised_twice", "release_subject",
        (at(begun("DWWFW", bank="raise_dead"), monsters=[CORPSE, CORPSE]),
            orders("C C", both_subject="m0", release="yes", release_subject="m0")),
        (at(begun("DWWFW", bank="raise_dead"), monsters=[CORPSE, CORPSE]),
            orders("C C", both_subject="m0", release="yes", release_subject="m1")),
        SEALED_RULESETS,
    ),
    Row(
        "bolt_spent", "both_subject",
        (at(begun("WDD", used_bolt=True)), orders("C C")),
        (at(begun("WDD")), orders("C C")),
        STEPWISE_RULESETS,
    ),
    Row(
        "corpse", "left_subject",
        (at(MISSILE, monsters=[CORPSE]), orders("D -", left_subject="m0")),
        (at(MISSILE, monsters=[brams()]), orders("D -", left_subject="m0")),
        SEALED_RULESETS,
    ),
    Row(
        "lost_subject", "left_subject",
        (at(begun("S", "-F")), orders("D W", left_subject="R:w0")),
        (at(begun("-S", "SF")), orders("D W", left_subject="R:w0")),
        SEALED_RULESETS,
    ),
    Row(
        "blind", "left_subject",
        (at(begun("WF", effects={"blindness": THREE_TURNS})), orders("P -", left_subject=BRAM)),
        (at(begun("WF")), orders("P -", left_subject=BRAM)),
        STEPWISE_RULESETS,
    ),
    Row(
        "unseen", "left_subject",
        (at(MISSILE, under_effects(invisibility=THREE_TURNS)), orders("D -")),
        (at(MISSILE, under_effects(blindness=THREE_TURNS)), orders("D -")),
    ),
    Row(
        "shield_lost", "left_subject",
        (at(begun("CDP", "C--", effects={"blindness": THREE_TURNS})),
            orders("W -", left_subject=BRAM)),
        (at(begun("CDP", "C--", effects={"blindness": THREE_TURNS})),
            orders("W -", left_subject=ADA)),
        WARLOCKS,
    ),
    Row(
        "shield_lost", "left_subject",
        (at(begun("CDP", "C--"), under_effects(invisibility=THREE_TURNS)),
            orders("W -", left_subject=BRAM)),
        (at(begun("CDP", "C--"), under_effects(blindness=THREE_TURNS)),
            orders("W -", left_subject=BRAM)),
        WARLOCKS,
    ),
    Row(
        "shielded", "left_subject",
        (at(MISSILE, under_effects(protection_from_evil=THREE_TURNS)), orders("D -")),
        (at(begun("WF"), under_effects(protection_from_evil=THREE_TURNS)), orders("P -")),
    ),
    Row(
        "resisted", "left_subject",
        (at(begun("FSSD"), under_effects(resist_heat=THREE_TURNS)), orders("D -")),
        (at(begun("FSSD"), under_effects(resist_cold=THREE_TURNS)), orders("D -")),
    ),
    Row(
        "fireball_under_ice", "release_subject",
        (at(begun("WSS", bank="fireball")), orders("C C", **RELEASE_AT_BRAM)),
        (at(begun("SWW", bank="fireball")), orders("C C", **RELEASE_AT_BRAM)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "mirrors_own", "release_subject",
        (at(begun("C", "C", bank="missile")), orders("W W", both_subject=BRAM, **RELEASE_AT_BRAM)),
        (at(begun("C", "C", bank="missile")), orders("W W", both_subject=ADA, **RELEASE_AT_BRAM)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "mirrors_own", "release_subject",
        (at(begun("C", "C", **banked("missile", BRAM))),
            orders("W W", both_subject=BRAM, **RELEASE)),
        (at(begun("C", "C", **banked("missile", BRAM))),
            orders("W W", both_subject=ADA, **RELEASE)),
        WARLOCKS,
    ),
    Row(
        "powerless", "both_subject",
        (at(begun("DWFF"), monsters=[adas()]), orders("D D")),
        (at(begun("DWFF"), monsters=[adas()], options=["sacrifice"]),
            orders("D D", sacrifice="m0")),
        ("wizards-1",),
    ),
    Row(
        "nothing_given", "sacrifice",
        (at(begun("DWFF"), monsters=[adas()], options=["sacrifice"]), orders("D D")),
        (at(begun("DWFF"), monsters=[adas()], options=["sacrifice"]),
            orders("D D", sacrifice="m0")),
        ("wizards-1",),
    ),
    Row(
        "no_effect", "left_subject",
        (at(begun("PSD"), monsters=[brams()]), orders("D -", left_subject=BRAM)),
        (at(begun("PSD"), monsters=[brams()]), orders("D -", left_subject="m0")),
    ),
    Row(
        "no_effect", "left_subject",
        (at(begun("DWSSS"), monsters=[brams()]),
            orders("P -", left_subject="m0", left_spell="delayed_effect")),
        (at(begun("DWSSS"), monsters=[brams()]),
            orders("P -", left_subject=ADA, left_spell="delayed_effect")),
        SEALED_RULESETS,
    ),
    Row(
        "no_effect", "left_subject",
        (at(begun("WWF"), monsters=[brams("ice")]), orders("P -", left_subject="m0")),
        (at(begun("WWF"), monsters=[brams("fire")]), orders("P -", left_subject="m0")),
        SEALED_RULESETS,
    ),
    Row(
        "no_effect", "left_subject",
        (at(begun("FF"), monsters=[brams("fire")]), orders("F -", left_subject="m0")),
        (at(begun("FF"), monsters=[brams("giant")]), orders("F -", left_subject="m0")),
        SEALED_RULESETS,
    ),
    Row(
        "storms_cancel", "both_spell",
        (at(begun("SWW", bank="ice_storm")), orders("C C", release="yes")),
        (at(begun("SWW", bank="ice_storm")), orders("C C")),
    ),
    # harm to the wizard's own side, and help for rivals
    Row(
        "helps_rival", "left_subject",
        (at(), orders("P -", left_subject=BRAM)),
        (at(), orders("P -", left_subject=ADA)),
    ),
    Row(
        "helps_rival", "left_subject",
        (at(begun("SF")), orders("W -", left_subject=BRAM)),
        (at(begun("SF")), orders("W -")),
    ),
    Row(
        "helps_rival", "left_subject",
        (at(begun("WW"), monsters=[brams()]), orders("P -", left_subject="m0")),
        (at(begun("WP"), monsters=[brams()]), orders("P -", left_subject="m0")),
    ),
    Row(
        "helps_rival", "both_subject",
        (at(begun("PPW", "--W"), monsters=[brams()]), orders("S S", both_subject=BRAM)),
        (at(begun("PPW", "--W"), monsters=[brams()]), orders("S S", both_subject="m0")),
    ),
    Row(
        "harms_you", "left_subject",
        (at(MISSILE), orders("D -", left_subject=ADA)),
        (at(MISSILE), orders("D -", left_subject=BRAM)),
    ),
    Row(
        "harms_you", "right_subject",
        (at(begun("SP", "SW")), orders("- D", right_subject=ADA)),
        (at(begun("SP", "SW")), orders("- D")),
    ),
    Row(
        "harms_own_monster", "left_subject",
        (at(MISSILE, monsters=[adas(), brams()]), orders("D -", left_subject="m0")),
        (at(MISSILE, monsters=[adas(), brams()]), orders("D -", left_subject="m1")),
    ),
    Row(
        "storm_strikes_you", "both_spell",
        (STORM, orders("C C")),
        (at(begun("SWW", effects={"resist_heat": THREE_TURNS})), orders("C C")),
    ),
    Row(
        "storm_strikes_you", "both_spell",
        (at(begun("WSS", effects={"resist_heat": THREE_TURNS})), orders("C C")),
        (at(begun("WSS", bank="counter_spell")),
            orders("C C", release="yes", release_subject=ADA)),
        tuple(id for id in UNNUMBERED_RULESETS if id != "archmage-1"),
    ),
    Row(
        "storm_strikes_own_monster", "both_spell",
        (at(begun("SWW"), monsters=[adas()]), orders("C C")),
        (at(begun("SWW"), monsters=[brams()]), orders("C C")),
    ),
    Row(
        "storm_spares_rivals", "both_spell",
        (at(begun("SWW"), under_effects(resist_heat=THREE_TURNS)), orders("C C")),
        (
            at(begun("SWW"), under_effects(resist_heat=THREE_TURNS), monsters=[brams()]),
            orders("C C"),
        ),
    ),
    Row(
        "elemental_strikes_you", "left_spell",
        (at(begun("CSWW", "C---")), orders("S -")),
        (at(begun("CSWW", "C---",
            effects={"resist_heat": THREE_TURNS, "resist_cold": THREE_TURNS})), orders("S -")),
    ),
    Row(
        "unmakes_own_monster", "left_subject",
        (at(begun("CDP", "C--"), monsters=[adas()]), orders("W -")),
        (at(begun("CDP", "C--"), monsters=[brams()]), orders("W -")),
    ),
    Row(
        "unmakes_own_monster", "left_subject",
        (at(begun("CDP", "C--"), monsters=[adas("giant")]), orders("W -")),
        (at(begun("CDP", "C--"), monsters=[adas("fire")]), orders("W -")),
    ),
    Row(
        "unmakes_own_monster", "left_subject",
        (at(begun("PDW"), monsters=[adas(), brams()]), orders("P -", left_subject="m0")),
        (at(begun("PDW"), monsters=[adas(), brams()]), orders("P -", left_subject="m1")),
    ),
    Row(
        "unmakes_own_monster", "both_subject",
        (at(begun("PPW", "--W"), monsters=[adas(), brams()]), orders("S S", both_subject="m0")),
        (at(begun("PPW", "--W"), monsters=[adas(), brams()]), orders("S S", both_subject="m1")),
    ),
    Row(
        "unmakes_own_monster", "left_subject",
        (at(begun("PDW", "-SF")), orders("P W", left_subject=ADA)),
        (at(begun("PDW", "-SF")), orders("P W", left_subject=BRAM)),
        ("bartle-1", "wizards-1"),
    ),
    Row(
        "loses_bank", "left_subject",
        (at(begun("PDW", bank="missile")), orders("P -", left_subject=ADA)),
        (at(begun("PDW", bank="missile")), orders("P -", left_subject=BRAM)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "ends_own_spell", "left_subject",
        (at(begun("PDW", effects={"haste": THREE_TURNS})), orders("P -", left_subject=ADA)),
        (at(begun("PDW", effects={"disease": THREE_TURNS})), orders("P -", left_subject=ADA)),
        SEALED_RULESETS,
    ),
    Row(
        "ends_own_spell", "left_subject",
        (at(begun("CDP", "C--", effects={"resist_cold": THREE_TURNS})), orders("W -")),
        (at(begun("CDP", "C--", effects={"blindness": THREE_TURNS})), orders("W -")),
    ),
    # spells that change nothing
    Row(
        "nothing_to_cure", "left_subject",
        (at(begun("DF")), orders("W -")),
        (at(begun("DF", damage=2)), orders("W -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "nothing_to_cure", "left_subject",
        (lambda ruleset: with_damage(duel(begun("DF"), ruleset=ruleset), -1), orders("W -")),
        (at(begun("DF")), orders("W -")),
        WARLOCKS,
    ),
    Row(
        "nothing_to_cure", "left_subject",
        (at(begun("DFP")), orders("W -")),
        (at(begun("DFP", effects={"disease": THREE_TURNS})), orders("W -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "nothing_to_cure", "left_subject",
        (at(begun("DF", effects={"resist_heat": THREE_TURNS}), monsters=[brams("fire")]),
            orders("W -")),
        (at(begun("DF"), monsters=[brams("fire")]), orders("W -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "raises_nobody", "both_subject",
        (at(begun("DWWFW"), monsters=[CORPSE]), orders("C C", both_subject=ADA)),
        (at(begun("DWWFW"), monsters=[CORPSE]), orders("C C", both_subject="m0")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "raises_nobody", "both_subject",
        (at(begun("DWWFW")), orders("C C")),
        (at(begun("DWWFW", damage=4)), orders("C C")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "nothing_to_remove", "left_subject",
        (at(begun("PDW")), orders("P -", left_subject=BRAM)),
        (at(begun("PDW"), under_effects(poison=THREE_TURNS)), orders("P -", left_subject=BRAM)),
    ),
    Row(
        "already_yours", "left_subject",
        (at(begun("PSD"), monsters=[adas(), brams()]), orders("D -", left_subject="m0")),
        (at(begun("PSD"), monsters=[adas(), brams()]), orders("D -", left_subject="m1")),
    ),
    Row(
        "haste_for_nothing", "both_subject",
        (at(begun("PWPWW"), monsters=[{"kind": "fire"}]), orders("C C", both_subject="m0")),
        (at(begun("PWPWW"), monsters=[adas()]), orders("C C", both_subject="m0")),
        WARLOCKS,
    ),
    Row(
        "adds_nothing", "left_subject",
        (at(begun("WWF", effects={"resist_heat": THREE_TURNS})), orders("P -")),
        (at(begun("WWF", effects={"resist_cold": THREE_TURNS})), orders("P -")),
    ),
    Row(
        "adds_nothing", "left_subject",
        (at(begun("DWWFW"), under_effects(poison=THREE_TURNS)), orders("D -")),
        (at(begun("DWWFW"), under_effects(disease=THREE_TURNS)), orders("D -")),
    ),
    Row(
        "shielded_already", "left_subject",
        (at(under_effects(protection_from_evil=THREE_TURNS)), orders("P -")),
        (at(under_effects(resist_cold=THREE_TURNS)), orders("P -")),
    ),
    Row(
        "bank_full", "left_subject",
        (at(begun("DWSSS", bank="missile")), orders("P -")),
        (at(begun("DWSSS")), orders("P -")),
        SEALED_RULESETS,
    ),
    Row(
        "twice_the_same", "right_subject",
        (at(begun("WP", "WW")), orders("P S", left_subject=ADA, right_subject=ADA)),
        (at(begun("WP", "WW")), orders("P S", left_subject=ADA, right_subject=BRAM)),
    ),
    Row(
        "twice_the_same", "right_subject",
        (at(begun("FF", "FF")), orders("F F")),
        (at(begun("FF", "FF"), seats=3), orders("F F", right_subject="w2")),
        SEALED_RULESETS,
    ),
    Row(
        "twice_the_same", "release_subject",
        (at(begun("SPP", bank="time_stop")), orders("C C", release="yes")),
        (at(begun("SPP", bank="time_stop")), orders("C C", **RELEASE_AT_BRAM)),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "twice_the_same", "release_subject",
        (at(begun("SPP", **banked("time_stop", ADA))), orders("C C", **RELEASE)),
        (at(begun("SPP", **banked("time_stop", BRAM))), orders("C C", **RELEASE)),
        WARLOCKS,
    ),
    # delays and permanencies
    Row(
        "spell_is_banked", "bank",
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D P")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D P", bank="L")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "bank_overwritten", "bank",
        (at(begun("S", bank="fireball", effects={"delayed_effect": THREE_TURNS})),
            orders("D -", bank="L")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="L")),
        (*STEPWISE_RULESETS, *WARLOCKS),
    ),
    Row(
        "permanency_wasted", "permanency",
        (at(begun("WWF", effects={"permanency": THREE_TURNS})), orders("P -")),
        (at(begun("WW", effects={"permanency": THREE_TURNS})), orders("P -")),
        UNNUMBERED_RULESETS,
    ),
    Row(
        "permanency_wasted", "permanency",
        (at(begun("WWF", effects={"permanency": THREE_TURNS})), orders("P -", permanency="L")),
        (at(begun("WW", effects={"permanency": THREE_TURNS})), orders("P -", permanency="L")),
        WARLOCKS,
    ),
    # marks, hands named with the orders, hearts
    Row(
        "marked_for_nothing", "bank",
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="R")),
        (at(begun("S", effects={"delayed_effect": THREE_TURNS})), orders("D -", bank="L")),
        WARLOCKS,
    ),
    Row(
        "marked_for_nothing", "permanency",
        (at(begun("WW", effects={"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS})),
            orders("P -", bank="L", permanency="L")),
        (at(begun("WW", effects={"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS})),
            orders("P -", permanency="L")),
        WARLOCKS,
    ),
    # spells that affect each other, or that come too early for a new monster
    Row(
        "mind_lasts", "left_subject",
        (at(begun("SW"), under_effects(amnesia={"permanent": True})), orders("D -")),
        (at(begun("SW"), under_effects(amnesia=ONE_TURN)), orders("D -")),
        WARLOCKS,
    ),
    Row(
        "mind_waits", "left_subject",
        (lambda ruleset: hasted_turn(duel(begun("SW", effects={"haste": THREE_TURNS}),
            under_effects(amnesia={"turns": 2}), ruleset=ruleset)), orders("D -")),
        (lambda ruleset: hasted_turn(duel(begun("SW", effects={"haste": THREE_TURNS}),
            under_effects(poison={"turns": 2}), ruleset=ruleset)), orders("D -")),
        WARLOCKS,
    ),
    Row(
        "too_early", "right_subject",
        (at(begun("SF", "WP")), orders("W P", right_subject="L:w0")),
        (at(begun("SF", "WP")), orders("W P", right_subject=ADA)),
        WARLOCKS,
    ),
    Row(
        "too_early", "both_subject",
        (at(begun("C", "C"), begun("SF")), orders("W W", both_subject="L:w1")),
        (at(begun("C", "C"), begun("SF")), orders("W W", both_subject=BRAM)),
        WARLOCKS,
    ),
    Row(
        "no_hand_named", "held:w1",
        (at({}, under_effects(paralysis={**ONE_TURN, "caster": ADA})), orders("W -")),
        (at({}, under_effects(paralysis={**ONE_TURN, "caster": ADA})), orders("W -", held__w1="L")),
        WARLOCKS,
    ),
    Row(
        "no_hand_named", "held:w1",
        (at({}, under_effects(paralysis={**ONE_TURN, "caster": ADA})), orders("W -")),
        (at({}, under_effects(paralysis={**ONE_TURN, "caster": ADA, "hand": "R"})), orders("W -")),
        WARLOCKS,
    ),
    Row(
        "charm_unused", "charmed:w1.L",
        (at({}, under_effects(charm_person={**ONE_TURN, "caster": ADA})), orders("W -")),
        (at({}, under_effects(charm_person={**ONE_TURN, "caster": ADA})),
            {**orders("W -"), "charmed:w1.R": "-"}),
        WARLOCKS,
    ),
    Row(
        "stops_own_heart", "heart",
        (at(under_effects(fear={"permanent": True})), orders("W -", heart="yes")),
        (at(under_effects(fear={"permanent": True})), orders("W -")),
        WARLOCKS,
    ),
    Row(
        "feared_letter", "right",
        (at(under_effects(fear=ONE_TURN)), orders("W F")),
        (at(under_effects(fear=ONE_TURN)), orders("W P")),
        WARLOCKS,
    ),
    # stabs
    Row(
        "stabs_yourself", "left_subject",
        (at(), orders("> -", left_subject=ADA)),
        (at(), orders("> -", left_subject=BRAM)),
        STEPWISE_RULESETS,
    ),
    Row(
        "stabs_own_monster", "right_subject",
        (at(monsters=[adas(), brams()]), orders("- >", right_subject="m0")),
        (at(monsters=[adas(), brams()]), orders("- >", right_subject="m1")),
    ),
    Row(
        "stab_shielded", "left_subject",
        (at({}, under_effects(protection_from_evil=THREE_TURNS)), orders("> -")),
        (at({}, under_effects(resist_heat=THREE_TURNS)), orders("> -")),
    ),
    Row(
        "stab_shielded", "right_subject",
        (at(), orders("P >", left_subject=BRAM)),
        (at(), orders("P >", left_subject=ADA)),
    ),
    Row(
        "stab_unseen", "left_subject",
        (at({}, under_effects(invisibility=THREE_TURNS)), orders("> -")),
        (at({}, under_effects(blindness=THREE_TURNS)), orders("> -")),
    ),
    Row(
        "stab_blind", "left_subject",
        (at(under_effects(blindness=THREE_TURNS)), orders("> -")),
        (at(under_effects(poison=THREE_TURNS)), orders("> -")),
        STEPWISE_RULESETS,
    ),
    Row(
        "stab_at_nobody", "left_subject",
        (at(), orders("> -", left_subject="R:w0")),
        (at(), orders("> -", left_subject="R:w1")),
        SEALED_RULESETS,
    ),
    Row(
        "stab_at_nobody", "left_subject",
        (at(), orders("> -", left_subject="nowhere")),
        (at(), orders("> -")),
        STEPWISE_RULESETS,
    ),
    # monsters
    Row(
        "attacks_master", "victim:m0",
        (at(monsters=[adas()]), orders("- -", victim__m0=ADA)),
        (at(monsters=[adas()]), orders("- -", victim__m0=BRAM)),
    ),
    Row(
        "attacks_master", "victim2:m0",
        (at(monsters=[adas(effects={"haste": THREE_TURNS})]),
            orders("- -", victim__m0=BRAM, victim2__m0=ADA)),
        (at(monsters=[adas(effects={"haste": THREE_TURNS})]),
            orders("- -", victim__m0=BRAM, victim2__m0=BRAM)),
        SEALED_RULESETS,
    ),
    Row(
        "attacks_own_monster", "victim:m0",
        (at(monsters=[adas(), adas("troll"), brams()]), orders("- -", victim__m0="m1")),
        (at(monsters=[adas(), adas("troll"), brams()]), orders("- -", victim__m0="m2")),
    ),
    Row(
        "attacks_own_monster", "victim:m0",
        (at(begun("PSD"), monsters=[adas(), brams()]),
            orders("D -", left_subject="m1", left_spell="charm_monster", victim__m0="m1")),
        (at(begun("PSD"), monsters=[adas(), brams()]),
            orders("D -", left_subject=BRAM, left_spell="charm_monster", victim__m0="m1")),
    ),
    Row(
        "attacks_nobody", "victim:m0",
        (at(monsters=[adas()]), orders("- -", victim__m0="R:w0")),
        (at(monsters=[adas()]), orders("- -", victim__m0="R:w1")),
        SEALED_RULESETS,
    ),
    Row(
        "attack_shielded", "victim:m0",
        (at({}, under_effects(protection_from_evil=THREE_TURNS), monsters=[adas()]), orders("- -")),
        (at({}, under_effects(protection_from_evil=THREE_TURNS), monsters=[adas()]),
            orders("- -", victim__m0="no_one")),
    ),
    Row(
        "attack_unseen", "victim:m0",
        (at({}, under_effects(invisibility=THREE_TURNS), monsters=[adas()]), orders("- -")),
        (at({}, under_effects(invisibility=THREE_TURNS), monsters=[adas("fire")]), orders("- -")),
    ),
)  # fmt: skip


def cautions_of_case(case: Case, ruleset: str) -> list[engine.play.Caution]:
    """Return the cautions for these orders, which must be legal."""
    setup, flat = case
    position, written = setup(ruleset), engine.orders.from_fields(case[1])
    assert engine.play.check(position, ADA, written) == (), flat
    return list(engine.play.cautions(position, ADA, written))


CASES = [(row, ruleset) for row in ROWS for ruleset in row.rulesets]


@pytest.mark.parametrize(
    ("row", "ruleset"), CASES, ids=[f"{row.code}-{ruleset}" for row, ruleset in CASES]
)
def test_each_caution_appears_only_for_orders_that_deserve_it(row: Row, ruleset: str) -> None:
    found = [
        caution for caution in cautions_of_case(row.deserving, ruleset) if caution.code == row.code
    ]
    assert row.field in [caution.field for caution in found]
    assert all(caution.rule in RULES and caution.text.endswith(".") for caution in found)
    assert row.code not in {caution.code for caution in cautions_of_case(row.neighbour, ruleset)}


def test_every_caution_code_is_tested() -> None:
    """Each code has a row above."""
    advice = Path(engine.__file__).parent / "advice"
    source = "".join(path.read_text(encoding="utf-8") for path in advice.glob("*.py"))
    written = set(re.findall(r'[Cc]aution\(\s*"(\w+)"', source))
    written |= set(re.findall(r'return "(\w+)", [\w".:]+(?:\.rule)?, f?["t]', source))
    from engine.advice.failures import FAILURE_CAUTIONS

    written |= {code for code, _, _ in FAILURE_CAUTIONS.values()}
    assert {row.code for row in ROWS} == written


def codes(position: Position, pair: str, **more: str) -> list[str]:
    written = engine.orders.from_fields(orders(pair, **more))
    assert engine.play.check(position, ADA, written) == ()
    return [caution.code for caution in engine.play.cautions(position, ADA, written)]


@pytest.mark.parametrize("ruleset", UNNUMBERED_RULESETS)
def test_caution_names_a_spell_banked_and_lost_in_one_turn(ruleset: str) -> None:
    """Delayed Effect banks the Shield, and Dispel Magic empties the bank. rules: R53"""
    position = duel(begun("CDP", "C--", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset)
    written = engine.orders.from_fields(orders("W P", bank="R"))
    (lost,) = (c for c in engine.play.cautions(position, ADA, written) if c.code == "loses_bank")
    assert lost.text == "Your left hand’s Dispel Magic empties your bank: Shield is lost."


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_full_bank_gives_no_banking_caution(ruleset: str) -> None:
    """If the ruleset keeps a full bank, the new spell is cast. rules: R104"""
    position = duel(
        begun("S", bank="fireball", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset
    )
    assert codes(position, "D -") == []
    assert codes(position, "D -", release="yes") == []


# Second sets, haste phases and extra turns


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_cautions_cover_both_sets_of_a_hasted_wizard(ruleset: str) -> None:
    """The spell is completed in the second set, and one shield is enough for the turn.

    rules: R97
    """
    position = duel(under_effects(haste=THREE_TURNS), ruleset=ruleset)
    written = engine.orders.from_fields(
        {"left": "S", "right": "P", "left2": "D", "right2": "P", "left_subject2": ADA}
    )
    found = engine.play.cautions(position, ADA, written)
    assert [(caution.code, caution.field) for caution in found] == [
        ("shielded", "left_subject2"),
        ("twice_the_same", "right_subject2"),
    ]
    palms = engine.orders.from_fields({"left": "S", "right": "P", "left2": "P", "right2": "P"})
    assert ("surrender", "left2") in [
        (caution.code, caution.field) for caution in engine.play.cautions(position, ADA, palms)
    ]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_gestures_of_any_length_cause_no_error(ruleset: str) -> None:
    position = duel(under_effects(confusion=ONE_TURN), ruleset=ruleset)
    illegal = engine.orders.Orders((engine.orders.HandSet("missile", "P", {}, {}),))
    assert engine.play.check(position, ADA, illegal)
    engine.play.cautions(position, ADA, illegal)


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_confused_palm_leads_to_the_surrender_that_the_caution_names(ruleset: str) -> None:
    """The caution names a gesture that the dice can actually produce. rules: R84"""
    position = duel(under_effects(confusion=ONE_TURN), ruleset=ruleset)
    cautioned = engine.play.cautions(position, ADA, engine.orders.from_fields(orders("P -")))
    exception = ""
    if position.rules.death_before_surrender:
        exception = ", unless you are the only one left"
    assert [caution.text for caution in cautioned if caution.code == "may_surrender"] == [
        "You are confused: if the dice make your right hand do P, both palms are a surrender: you"
        f" will be out of the duel when this turn ends{exception}."
    ]
    draws = (1 if ruleset in STEPWISE_RULESETS else 5, position.rules.confused.index("P"))
    dice = engine.play.RecordedDice(sequence=draws)
    after, _ = play_turn(position, ada=made("P -"), dice=dice)
    assert after.wizard(ADA).standing == SURRENDERED


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        ("warlocks-1", ("W6", "your right hand stabs, and your left hand stabs without it.")),
        ("spellcast-1", ("R16", "your left hand stabs, and your right hand does nothing.")),
    ],
)
def test_two_stabs_caution_names_the_stab_that_takes_effect(
    ruleset: str, told: tuple[str, str]
) -> None:
    """rules: R16, W6"""
    position = duel(ruleset=ruleset)
    cautioned = engine.play.cautions(position, ADA, engine.orders.from_fields(orders("> >")))
    found = [(each.rule, each.text) for each in cautioned if each.code == "two_knives"]
    assert found == [(told[0], f"You have one knife: {told[1]}")]


def test_caution_about_a_possibly_paralysed_hand_is_a_whole_sentence() -> None:
    """rules: W18"""
    position = duel(
        begun("S", "P", effects={"paralysis": {**ONE_TURN, "caster": BRAM}}), ruleset="warlocks-1"
    )
    cautioned = engine.play.cautions(position, ADA, engine.orders.from_fields(orders("P W")))
    assert [caution.text for caution in cautioned if caution.code == "may_surrender"] == [
        "If Bram holds your right hand, it does P, and both palms are a surrender: you will be out"
        " of the duel when this turn ends, unless you are the only one left."
    ]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_cautions_in_a_haste_phase_consider_the_turn_after_it(ruleset: str) -> None:
    """Spells of the haste phase take effect together with those of the turn. rules: R97"""
    position = duel(begun("S", effects={"haste": THREE_TURNS}), ruleset=ruleset).copy()
    position.kind = HASTE
    assert codes(position, "D -", left_subject=ADA) == ["harms_you"]
    assert codes(position, "D -") == []
    assert codes(position, "D P", left_subject=ADA) == ["shielded"]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_turn_orders_that_undo_a_haste_row_spell_give_a_caution(ruleset: str) -> None:
    """A Counter-spell on Bram would stop the Missile that Ada cast in the haste phase.

    rules: R97
    """
    ready = duel(begun("W", "S", effects={"haste": THREE_TURNS}), ruleset=ruleset).copy()
    ready.kind = HASTE
    after, _ = play_turn(ready, ada=made("P D"))
    assert [(cast.spell, cast.subject) for cast in after.pending] == [
        ("missile", BRAM), ("shield", ADA),
    ]  # fmt: skip
    at_him = engine.play.cautions(
        after, ADA, engine.orders.from_fields(orders("P -", left_subject=BRAM))
    )
    assert [(caution.code, caution.field) for caution in at_him] == [("counters_own", "")]
    assert at_him[0].text == (
        "The Missile of your haste row does nothing: your own Counter-spell covers Bram."
    )
    assert "counters_own" not in {
        caution.code
        for caution in engine.play.cautions(after, ADA, engine.orders.from_fields(orders("F -")))
    }


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_no_shield_caution_for_beings_outside_an_extra_turn(ruleset: str) -> None:
    """rules: R98"""
    position = duel(
        begun("S"), under_effects(protection_from_evil={"turns": 3}), ruleset=ruleset
    ).copy()
    assert codes(position, "D -") == ["shielded"]
    position.kind, position.stopped = EXTRA, (ADA,)
    position.turn += ruleset in NUMBERED_RULESETS
    assert codes(position, "D -") == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_shield_caution_in_an_extra_turn_ignores_protection_of_others(ruleset: str) -> None:
    """Bram's protection does not apply in Ada's extra turn.

    Ada's own protection does, except in rulesets that number extra turns. rules: R98, W12"""
    protected = {"protection_from_evil": {"turns": 3}}
    position = duel(
        begun("", effects=protected), under_effects(**protected), ruleset=ruleset
    ).copy()
    position.kind, position.stopped = EXTRA, (ADA,)
    position.turn += ruleset in NUMBERED_RULESETS
    assert codes(position, "P -", left_subject=BRAM) == ["helps_rival"]
    already = [] if ruleset in NUMBERED_RULESETS else ["shielded_already"]
    assert codes(position, "P -", left_subject=ADA) == already


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_wizard_who_does_not_act_gets_no_gesture_cautions(ruleset: str) -> None:
    position = duel(monsters=[adas()], ruleset=ruleset).copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    assert codes(position, "- -") == []
    palms = engine.orders.from_fields(orders("P P"))
    assert engine.play.cautions(position, ADA, palms) == ()


# Orders without cautions


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_half_a_clap_that_amnesia_forces_gives_no_caution(ruleset: str) -> None:
    kept = {"sets": ["CF"]}
    position = duel(begun("C", "F", effects={"amnesia": {**ONE_TURN, **kept}}), ruleset=ruleset)
    assert codes(position, "- -") == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_ordinary_first_turns_give_no_caution(ruleset: str) -> None:
    for pair in ("F S", "W D", "P W", "> F", "C C", "- F"):
        assert codes(duel(ruleset=ruleset), pair) == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_one_lost_spell_gives_one_caution(ruleset: str) -> None:
    """Counter-spell stops the Missile before the shield does, so only one caution is given."""
    position = duel(
        begun("WP", "-S"), under_effects(protection_from_evil=THREE_TURNS), ruleset=ruleset
    )
    assert codes(position, "P D", left_subject=BRAM) == ["counters_own"]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_strict_stepwise_duels_give_gesture_cautions_only(ruleset: str) -> None:
    position = duel(begun("S"), ruleset=ruleset, options=["strict"])
    late = ruleset in STEPWISE_RULESETS
    assert codes(position, "D C") == ["half_a_clap"]
    if not late:
        assert codes(position, "D P", left_subject=ADA) == ["shielded"]


# Orders with faults


def test_cautions_ignore_faulty_fields() -> None:
    position = duel(begun("S", "S"))
    flat = {"left": "D", "right": "D", "left_subject": "m9", "right_subject": ADA, "victim:m3": ADA}
    written = engine.orders.from_fields(flat)
    assert {fault.field for fault in engine.play.check(position, ADA, written)} == {
        "left_subject", "victim:m3",
    }  # fmt: skip
    assert [caution.code for caution in engine.play.cautions(position, ADA, written)] == [
        "harms_you"
    ]


def test_invalid_gestures_give_no_caution() -> None:
    written = engine.orders.Orders(
        (engine.orders.HandSet("?", "CC"), engine.orders.HandSet("P", "P"))
    )
    assert engine.play.cautions(duel(), ADA, written) == ()


def test_wizard_out_of_the_duel_gets_no_cautions() -> None:
    over, _ = engine.play.resign(duel(), BRAM)
    assert engine.play.cautions(over, ADA, engine.orders.from_fields(orders("P P"))) == ()
    after, _ = engine.play.resign(duel(seats=3), BRAM)
    assert engine.play.cautions(after, BRAM, engine.orders.from_fields(orders("P P"))) == ()


@pytest.mark.parametrize("wizard", ["w2", "m0", ""])
def test_advice_for_an_unknown_wizard_raises_key_error(wizard: str) -> None:
    for call in (engine.play.cautions, engine.play.orders_text, engine.play.hints):
        with pytest.raises(KeyError):
            call(duel(), wizard, engine.orders.Orders())


# Text


@pytest.mark.parametrize(
    ("made_so_far", "last", "subject", "rule", "why"),
    [
        ("PSD", "D -", BRAM, "R12", "to Bram: it works on monsters only."),
        ("SW", "D -", "m0", "spell:fear", "to the Red Goblin: it works on wizards only."),
        ("FF", "F -", "m1", "R70", "to the Green Fire Elemental: elementals are immune to it."),
        ("SSF", "P -", "m1", "R69", "it has no effect on that kind of elemental."),
        ("SF", "W -", "m1", "R62", "monsters cannot be summoned for an elemental."),
    ],
)
def test_no_effect_cautions_state_the_reason(
    made_so_far: str, last: str, subject: str, rule: str, why: str
) -> None:
    position = duel(begun(made_so_far), monsters=[brams(), brams("fire")])
    book = {"PSD": "charm_monster", "SSF": "resist_cold"}
    chosen = {"left_spell": book[made_so_far]} if made_so_far in book else {}
    written = engine.orders.from_fields(orders(last, left_subject=subject, **chosen))
    (told,) = (c for c in engine.play.cautions(position, ADA, written) if c.code == "no_effect")
    assert told.rule == rule
    assert told.text.endswith(why)


@pytest.mark.parametrize(
    ("own", "pair", "field", "rule", "spell"),
    [
        (begun("C", "C"), "W W", "both_subject", "W36", "Your Magic Mirror"),
        (begun("WP"), "P -", "left_subject", "W36", "Your left hand’s Counter Spell"),
        (begun("SF"), "W -", "left_subject", "W38", "Your left hand’s Summon Goblin"),
    ],
)
def test_spells_too_early_for_a_rivals_new_monster_give_a_caution(
    own: dict[str, object], pair: str, field: str, rule: str, spell: str
) -> None:
    """These spells take effect before the rival's monster is created."""
    case = at(own, begun("SF")), orders(pair, **{field: "L:w1"})
    (early,) = (
        caution for caution in cautions_of_case(case, "warlocks-1") if caution.code == "too_early"
    )
    why = "the monster that Bram’s left hand may summon does not exist yet when it works"
    assert (early.rule, early.text) == (rule, f"{spell} does nothing: {why}.")
    assert "too_early" not in [caution.code for caution in cautions_of_case(case, "bartle-1")]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_storms_of_haste_row_and_turn_that_cancel_give_a_caution(ruleset: str) -> None:
    """rules: R66, R97"""
    hasted = begun("SWW", effects={"haste": THREE_TURNS}, bank="ice_storm")
    position = duel(hasted, ruleset=ruleset).copy()
    position.kind = HASTE
    after, _ = play_turn(position, ada=made("C C"))
    written = engine.orders.from_fields(orders("F -", release="yes"))
    assert [(c.code, c.field, c.text) for c in engine.play.cautions(after, ADA, written)] == [
        ("storms_cancel", "release", "Your own Fire Storm and Ice Storm cancel each other.")
    ]


@pytest.mark.parametrize(
    ("setup", "flat", "rule"),
    [
        (at(begun("SPP", bank="time_stop")), orders("C C", release="yes"), "R175"),
        (at(begun("FF", "FF")), orders("F F"), "R76"),
        (at(begun("WP", "WW")), orders("P S"), "turn:shield"),
        (at(begun("WW", bank="protection_from_evil")), orders("P -", release="yes"), "R92"),
    ],
)
def test_caution_about_a_repeated_spell_cites_the_rule_of_that_spell(
    setup: Setup, flat: dict[str, str], rule: str
) -> None:
    found = [c for c in cautions_of_case((setup, flat), "bartle-1") if c.code == "twice_the_same"]
    assert [caution.rule for caution in found] == [rule]


def test_blind_wizard_can_target_a_remembered_monster() -> None:
    """The goblin is gone, but Ada is blind and does not know that. rules: R94"""
    position = duel(begun("S", effects={"blindness": THREE_TURNS}), turn=5)
    position.wizard(ADA).knows = {"m0": "Red Goblin"}
    written = engine.orders.from_fields(orders("D -", left_subject="m0"))
    assert engine.play.check(position, ADA, written) == ()
    assert engine.play.orders_text(position, ADA, written) == (
        "Your left hand makes D and casts Missile at the Red Goblin; your right hand does nothing.",
    )


def test_cautions_name_the_hand_and_the_subject_of_a_spell() -> None:
    """The cautions use the same names as the page."""
    rows = {
        "Your left hand’s Missile does nothing: Bram is shielded this turn.": (
            at(MISSILE, under_effects(protection_from_evil=THREE_TURNS)), orders("D -"),
        ),
        "Your left hand’s Missile is aimed at the Red Goblin, which obeys you.": (
            at(MISSILE, monsters=[adas()]), orders("D -", left_subject="m0"),
        ),
        "Your left hand’s Charm Monster does nothing to Bram: it works on monsters only.": (
            at(begun("PSD")), orders("D -", left_spell="charm_monster"),
        ),
        "Your banked Missile comes back to you: your own Magic Mirror guards Bram.": (
            at(begun("C", "C", bank="missile")),
            orders("W W", both_subject=BRAM, **RELEASE_AT_BRAM),
        ),
        "The Red Goblin attacks the Green Goblin, which is to obey you.": (
            at(begun("PSD"), monsters=[adas(), brams()]),
            orders("D -", left_subject="m1", left_spell="charm_monster", victim__m0="m1"),
        ),
        "Your left hand’s Missile does nothing: your right hand does not make a monster.": (
            at(MISSILE), orders("D -", left_subject="R:w0"),
        ),
        "The Red Goblin attacks you, its master.": (
            at(monsters=[adas()]), orders("- -", victim__m0=ADA),
        ),
        "You are unhurt: Cure Light Wounds only heals damage from this turn.": (
            at(begun("DF")), orders("W -"),
        ),
    }  # fmt: skip
    for text, case in rows.items():
        assert text in [caution.text for caution in cautions_of_case(case, "bartle-1")]
