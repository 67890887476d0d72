"""Tests of the texts of cautions and of the rules they cite."""

import pytest

import engine
import engine.orders
import engine.play
from engine.positions.position import SURRENDERED
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    STEPWISE_RULESETS,
    begun,
    duel,
    made,
    play_turn,
    under_effects,
)
from tests.engine.caution_rows.cases import (
    MISSILE,
    ONE_TURN,
    RELEASE_AT_BRAM,
    THREE_TURNS,
    UNNUMBERED_RULESETS,
    Setup,
    adas,
    at,
    brams,
    cautions_of_case,
    orders,
)


@pytest.mark.parametrize("ruleset", UNNUMBERED_RULESETS)
def test_caution_names_a_spell_banked_and_lost_in_one_turn(ruleset: str) -> None:
    """Delayed Effect banks the Shield, and Dispel Magic empties the bank. rules: R53"""
    position = duel(begun("CDP", "C--", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset)
    written = engine.orders.from_fields(orders("W P", bank="R"))
    (lost,) = (c for c in engine.play.cautions(position, ADA, written) if c.code == "loses_bank")
    assert lost.text == "Your left hand’s Dispel Magic empties your bank: Shield is lost."


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


def test_caution_about_a_hand_that_may_be_paralysed_is_a_sentence() -> None:
    """rules: W18"""
    position = duel(
        begun("S", "P", effects={"paralysis": {**ONE_TURN, "caster": BRAM}}), ruleset="warlocks-1"
    )
    cautioned = engine.play.cautions(position, ADA, engine.orders.from_fields(orders("P W")))
    assert [caution.text for caution in cautioned if caution.code == "may_surrender"] == [
        "If Bram holds your right hand, it does P, and both palms are a surrender: you will be out"
        " of the duel when this turn ends, unless you are the only one left."
    ]


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


@pytest.mark.parametrize(
    ("setup", "flat", "rule"),
    [
        (at(begun("SPP", bank="time_stop")), orders("C C", release="yes"), "R175"),
        (at(begun("FF", "FF")), orders("F F"), "R76"),
        (at(begun("WP", "WW")), orders("P S"), "turn:shield"),
        (at(begun("WW", bank="protection_from_evil")), orders("P -", release="yes"), "R92"),
    ],
)
def test_caution_about_a_repeated_spell_cites_its_rule(
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
