"""Rows of cautions about harm to your own side, help for rivals and spells that change nothing."""

from tests.engine.board import ADA, BRAM, SEALED_RULESETS, begun, duel, under_effects
from tests.engine.caution_rows.cases import (
    CORPSE,
    MISSILE,
    RELEASE,
    RELEASE_AT_BRAM,
    STORM,
    THREE_TURNS,
    UNNUMBERED_RULESETS,
    WARLOCKS,
    Row,
    adas,
    at,
    banked,
    brams,
    orders,
    with_damage,
)

ROWS = (
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
)  # fmt: skip
