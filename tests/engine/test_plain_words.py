"""Tests that orders as text mention every field of the orders, defaults and forced hands.

Names of beings: w0 Ada, w1 Bram, w2 Cleo, m0 the first monster.
"""

import random

import pytest
from hypothesis import given, settings

import engine.orders
import engine.play
from engine.positions.position import EXTRA, HASTE, Position
from engine.rulesets.choices import HandNamingTime
from tests import daily
from tests.engine.board import (
    ADA,
    ALL_RULESETS,
    BRAM,
    SEALED_RULESETS,
    STEPWISE_RULESETS,
    begun,
    duel,
    made,
    under_effects,
)
from tests.engine.test_advice import SEEDS
from tests.engine.test_properties import random_turns

RULESETS_NAMING_HANDS_LATER = [
    id for id in ALL_RULESETS if engine.play.RULESETS[id].hand_named is HandNamingTime.WHEN_IT_ACTS
]
RULESETS_NAMING_HANDS_AT_ONCE = [id for id in ALL_RULESETS if id not in RULESETS_NAMING_HANDS_LATER]
ONE_TURN: dict[str, object] = {"turns": 1}
THREE_TURNS: dict[str, object] = {"turns": 3}
GOBLIN = {"kind": "goblin", "controller": ADA}
OGRE = {"kind": "ogre", "controller": BRAM}


def orders_as_text(position: Position, wizard: str = ADA, **flat: str) -> list[str]:
    orders = engine.orders.from_fields(
        {name.replace("__", ":"): text for name, text in flat.items()}
    )
    assert engine.play.check(position, wizard, orders) == ()
    return list(engine.play.orders_text(position, wizard, orders))


# Hands


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_show_gesture_and_spell_of_each_hand(ruleset: str) -> None:
    position = duel(begun("-", "S"), ruleset=ruleset)
    missile = engine.play.RULESETS[ruleset].spells["missile"].name
    assert orders_as_text(position, **made("P D")) == [
        "Your left hand makes P and casts Shield on yourself; "
        f"your right hand makes D and casts {missile} at Bram."
    ]
    assert orders_as_text(position, **made("> -")) == [
        "Your left hand stabs Bram; your right hand does nothing."
    ]
    assert orders_as_text(position) == [
        "Your left hand does nothing; your right hand does nothing."
    ]
    assert orders_as_text(position, **made("C W")) == [
        "Your left hand claps alone; your right hand makes W."
    ]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_describe_a_two_handed_gesture_once(ruleset: str) -> None:
    assert orders_as_text(duel(begun("C", "C"), ruleset=ruleset), **made("W W")) == [
        "Both hands make W and cast Magic Mirror on yourself."
    ]
    assert orders_as_text(duel(begun("SWW"), ruleset=ruleset), **made("C C")) == [
        "Both hands clap and cast Fire Storm on everyone."
    ]
    assert orders_as_text(duel(ruleset=ruleset), **made("C C")) == ["Both hands clap."]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_say_that_two_palms_surrender(ruleset: str) -> None:
    """Two palms also cast two Shields, or other spells that end with P. rules: gesture:surrender"""
    first, *more = orders_as_text(duel(ruleset=ruleset), **made("P P"))
    assert first.startswith("Both hands make P: you surrender, and you will be out of the duel")
    assert more == ["Each hand casts Shield on yourself."]
    _, left, right = orders_as_text(duel(begun("WF", "-"), ruleset=ruleset), **made("P P"))
    spell = engine.play.RULESETS[ruleset].spells["cause_light_wounds"].name
    assert left.startswith(f"Your left hand casts {spell} at Bram")
    assert right == "Your right hand casts Shield on yourself."


def test_orders_as_text_name_the_target_of_a_summons() -> None:
    """In Warlocks, elementals have a target but no controller. rules: R62, W43"""
    goblin = {"right_subject": "nowhere"}
    first, *_ = orders_as_text(duel(begun("--", "SF")), **made("- W", **goblin))
    assert first == (
        "Your left hand does nothing; your right hand makes W and casts Summon Goblin at nobody."
    )
    elemental = duel(begun("CWSS", "C---"), ruleset="warlocks-1")
    assert orders_as_text(elemental, **made("W -")) == [
        "Your left hand makes W and casts Summon Fire Elemental for nobody; "
        "your right hand does nothing."
    ]
    for subject, whom in ((ADA, "yourself"), (BRAM, "Bram"), ("nowhere", "nobody")):
        told, *_ = orders_as_text(elemental, **made("W -", left_subject=subject))
        assert f"casts Summon Fire Elemental at {whom};" in told
        summons = orders_as_text(duel(begun("SF")), **made("W -", left_subject=subject))[0]
        assert f"casts Summon Goblin {'at' if whom == 'nobody' else 'for'} {whom};" in summons


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_say_that_the_second_stab_is_dropped(ruleset: str) -> None:
    """In rulesets that accept two stabs, only one of them is made. rules: R16"""
    if ruleset in STEPWISE_RULESETS:
        assert orders_as_text(duel(ruleset=ruleset), **made("> >")) == [
            "Your left hand stabs Bram; your right hand does nothing."
        ]
        assert (
            "stabs nobody"
            in orders_as_text(duel(ruleset=ruleset), **made("> -"), left_subject="nowhere")[0]
        )
    elif ruleset in RULESETS_NAMING_HANDS_LATER:
        assert orders_as_text(duel(ruleset=ruleset), **made("> >")) == [
            "Your left hand, meant to stab, does nothing; your right hand stabs Bram."
        ]
    else:
        both = engine.orders.Orders((engine.orders.HandSet(">", ">"),))
        assert engine.play.orders_text(duel(ruleset=ruleset), ADA, both) == (
            "Your left hand does nothing; your right hand does nothing.",
        )


def test_orders_as_text_name_the_spell_cast_and_those_not_chosen() -> None:
    position = duel(begun("PPW", "-WW"))
    assert orders_as_text(position, **made("S S")) == [
        "Both hands make S and cast Invisibility on yourself instead of Counter-spell."
    ]
    chosen = orders_as_text(
        position, **made("S S"), right_spell="counter_spell", right_subject=BRAM
    )
    assert chosen == [
        "Your left hand makes S; your right hand makes S and casts Counter-spell at Bram."
    ]
    goblin = orders_as_text(duel(begun("SF")), left="W", left_spell="summon_goblin")
    assert goblin[0].startswith("Your left hand makes W and casts Summon Goblin for yourself;")
    ogre = orders_as_text(duel(begun("PSF")), left="W", left_spell="summon_goblin")
    assert "casts Summon Goblin for yourself instead of Summon Ogre" in ogre[0]
    troll = orders_as_text(duel(begun("FPSF")), left="W")
    assert "casts Summon Troll for yourself instead of Summon Ogre or Summon Goblin;" in troll[0]
    longest = orders_as_text(duel(begun("WFPSF")), left="W")
    assert "instead of Summon Troll, Summon Ogre or Summon Goblin;" in longest[0]


def test_orders_as_text_distinguish_short_and_long_lightning_bolt() -> None:
    """rules: R18"""
    (short,) = orders_as_text(duel(begun("WDD")), **made("C C"))
    assert (
        short == "Both hands clap and cast Lightning Bolt at Bram (the short way, once in a duel)."
    )
    (long,) = orders_as_text(duel(begun("DFFD")), **made("D -"))
    assert "short" not in long


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_orders_as_text_name_the_spell_that_forces_a_hand(ruleset: str) -> None:
    paralysis = {**ONE_TURN, "hand": "L", "letter": "D"}
    position = duel(begun("S", effects={"paralysis": paralysis}), ruleset=ruleset)
    missile = engine.play.RULESETS[ruleset].spells["missile"].name
    assert orders_as_text(position, right="F") == [
        f"Held by Paralysis, your left hand makes D and casts {missile} at Bram; "
        "your right hand makes F."
    ]
    forgetful = duel(
        begun("C", "C", effects={"amnesia": {**ONE_TURN, "sets": ["CC"]}}), ruleset=ruleset
    )
    assert orders_as_text(forgetful) == ["Held by Amnesia, both hands clap."]


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_orders_as_text_mention_hands_that_may_change(ruleset: str) -> None:
    confused = duel(under_effects(confusion=ONE_TURN), ruleset=ruleset)
    assert orders_as_text(confused, left="F")[1:] == [
        "You are confused: the dice may change the gesture of one of your hands."
    ]
    charmed = duel(
        under_effects(charm_person={**ONE_TURN, "hand": "R", "caster": BRAM}), ruleset=ruleset
    )
    assert orders_as_text(charmed, left="F")[1:] == [
        "Your right hand is charmed: Bram may choose its gesture."
    ]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_orders_as_text_list_two_sets_in_order(ruleset: str) -> None:
    missile = engine.play.RULESETS[ruleset].spells["missile"].name
    position = duel(under_effects(haste=THREE_TURNS), ruleset=ruleset)
    assert orders_as_text(position, left="S", right="F", left2="D", right2=">") == [
        "First: your left hand makes S; your right hand makes F.",
        f"Then: your left hand makes D and casts {missile} at Bram; your right hand stabs Bram.",
    ]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_say_that_a_wizard_does_not_act(ruleset: str) -> None:
    stopped = duel(monsters=[GOBLIN], ruleset=ruleset).copy()
    stopped.kind, stopped.stopped = EXTRA, (BRAM,)
    assert orders_as_text(stopped)[0] == "You make no gestures while time is stopped for you."
    if ruleset in (*STEPWISE_RULESETS, "warlocks-1"):
        hasting = duel({}, under_effects(haste=THREE_TURNS), ruleset=ruleset).copy()
        hasting.kind = HASTE
        phase = "phase" if ruleset in STEPWISE_RULESETS else "turn"
        assert orders_as_text(hasting) == [
            f"You make no gestures in this {phase}, which is only for the hasted."
        ]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_orders_as_text_list_completed_spells_in_strict_stepwise_duels(ruleset: str) -> None:
    position = duel(begun("SF", "S"), ruleset=ruleset, options=["strict"])
    assert orders_as_text(position, **made("W P"), say="Hm") == [
        "Your left hand makes W and completes Summon Goblin; "
        "your right hand makes P and completes Shield.",
        "You say: “Hm”",
        "You make all other choices after the reveal.",
    ]


@pytest.mark.parametrize("ruleset", STEPWISE_RULESETS)
def test_orders_as_text_replace_gestures_that_fear_forbids(ruleset: str) -> None:
    """In a strict duel the program accepts the gesture, but the hand does nothing. rules: R87"""
    position = duel(under_effects(fear=ONE_TURN), ruleset=ruleset, options=["strict"])
    assert orders_as_text(position, **made("F W"))[0] == (
        "Your left hand does nothing; your right hand makes W."
    )


# Monsters, charmed hands, banks, answers


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_name_the_victim_of_every_monster(ruleset: str) -> None:
    position = duel(monsters=[GOBLIN, OGRE], ruleset=ruleset)
    assert orders_as_text(position)[1:] == ["The Red Goblin attacks Bram."]
    assert orders_as_text(position, victim__m0="m1")[1:] == [
        "The Red Goblin attacks the Green Ogre."
    ]
    assert orders_as_text(position, victim__m0=ADA)[1:] == ["The Red Goblin attacks you."]
    assert orders_as_text(position, victim__m0="no_one")[1:] == ["The Red Goblin holds back."]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_orders_as_text_name_monsters_with_the_same_victims_together(ruleset: str) -> None:
    monsters = [{"kind": kind, "controller": ADA} for kind in ("goblin", "ogre", "troll")]
    position = duel(monsters=monsters, ruleset=ruleset)
    together = "The Red Goblin, the Green Ogre and the Blue Troll attack Bram."
    assert orders_as_text(position)[1:] == [together]
    apart = orders_as_text(position, victim__m1="no_one", victim__m2="no_one")[1:]
    assert apart == ["The Red Goblin attacks Bram.", "The Green Ogre and the Blue Troll hold back."]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_orders_as_text_list_two_attacks_in_order(ruleset: str) -> None:
    position = duel(monsters=[{**GOBLIN, "effects": {"haste": THREE_TURNS}}, OGRE], ruleset=ruleset)
    assert orders_as_text(position, victim__m0=BRAM, victim2__m0="m1")[1:] == [
        "The Red Goblin attacks Bram, then the Green Ogre."
    ]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_orders_as_text_describe_monsters_being_summoned(ruleset: str) -> None:
    """rules: R15, R123"""
    summoning = orders_as_text(duel(begun("SF"), ruleset=ruleset), left="W")
    assert summoning[1:] == [
        "If the summons succeeds, the monster your left hand summons attacks Bram."
    ]
    charming = orders_as_text(
        duel(begun("PSD"), monsters=[OGRE], ruleset=ruleset),
        left="D", left_spell="charm_monster", left_subject="m0", victim__m0=BRAM,
    )  # fmt: skip
    assert charming[1:] == ["If Charm Monster succeeds, the Red Ogre attacks Bram."]
    foretold = orders_as_text(duel(ruleset=ruleset), **{"victim:L:w1": BRAM})
    summoned = "The monster that Bram’s left hand may summon"
    assert foretold[1:] == [f"{summoned}, if it obeys you, attacks Bram."]


@pytest.mark.parametrize("ruleset", [each for each in SEALED_RULESETS if each != "wizards-1"])
def test_orders_as_text_omit_a_monster_summoned_without_a_target(ruleset: str) -> None:
    """rules: R8"""
    position = duel(begun("SF"), ruleset=ruleset)
    lost = made("W -", left_subject="nowhere")
    assert engine.play.sheet(position, ADA, engine.orders.from_fields(lost)).monsters == ()
    assert orders_as_text(position, **lost)[1:] == []
    assert orders_as_text(position, **lost, **{"victim:L:w0": BRAM})[1:] == []


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_say_that_a_monster_cannot_obey(ruleset: str) -> None:
    held = {**GOBLIN, "effects": {"paralysis": ONE_TURN}}
    position = duel(monsters=[held], ruleset=ruleset)
    assert orders_as_text(position)[1:] == ["The Red Goblin is under Paralysis and does not obey."]
    assert orders_as_text(position, victim__m0=BRAM)[1:] == [
        "The Red Goblin is under Paralysis and does not obey; later it attacks Bram."
    ]


@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_give_no_victim_to_an_elemental_being_summoned(ruleset: str) -> None:
    found = orders_as_text(duel(begun("CSWW", "C---"), ruleset=ruleset), left="S")
    assert not [text for text in found if "attacks" in text]


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_LATER)
def test_orders_as_text_show_hands_that_the_orders_name(ruleset: str) -> None:
    """rules: W18"""
    paralysed = under_effects(paralysis={**ONE_TURN, "caster": ADA})
    position = duel({}, paralysed, ruleset=ruleset)
    assert orders_as_text(position)[1:] == ["Your Paralysis holds Bram’s left hand."]
    assert orders_as_text(position, **{"held:w1": "R"})[1:] == [
        "Your Paralysis holds Bram’s right hand."
    ]
    assert default_orders_text(position, BRAM)[1:] == (
        "You are paralysed: Ada chooses which of your hands is held.",
    )
    charmed = duel({}, under_effects(charm_person={**ONE_TURN, "caster": ADA}), ruleset=ruleset)
    assert orders_as_text(charmed)[1:] == [
        "Bram’s charmed hands make the gestures in their owner’s orders."
    ]
    assert orders_as_text(charmed, **{"charmed:w1.R": "P"})[1:] == [
        "Bram’s charmed right hand makes P."
    ]
    assert default_orders_text(charmed, BRAM)[1:] == (
        "You are charmed: Ada may choose the gesture of one of your hands.",
    )


def default_orders_text(position: Position, wizard: str) -> tuple[str, ...]:
    return engine.play.orders_text(position, wizard, engine.orders.NO_ORDERS)


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_LATER)
def test_orders_as_text_show_marks_and_releases_and_a_stopped_heart(ruleset: str) -> None:
    """rules: W27, W34, W35"""
    windows = {"delayed_effect": THREE_TURNS, "permanency": THREE_TURNS}
    position = duel(begun("SW", "S", effects=windows), ruleset=ruleset)
    assert orders_as_text(position, **made("D D"), bank="R", permanency="L") == [
        "Your left hand makes D and casts Fear at Bram; your right hand makes D and completes"
        " Magic Missile.",
        "Your Delay Effect banks Magic Missile at Bram: it is not cast this turn.",
        "Your Permanency makes Fear permanent.",
        "You mark your right hand for Delay Effect.",
        "You mark your left hand for Permanency.",
    ]
    banked = duel({"bank": "fireball", "bank_subject": BRAM}, ruleset=ruleset)
    assert orders_as_text(banked)[1:] == ["Fireball stays in your bank."]
    assert orders_as_text(banked, release="yes")[1:] == ["You release the banked Fireball at Bram."]
    enthralled = duel(under_effects(fear={"permanent": True}), ruleset=ruleset)
    assert orders_as_text(enthralled, left="F", heart="yes") == [
        "Your left hand, meant to make F, does nothing; your right hand does nothing.",
        "You stop your own heart: you will be dead when this turn ends.",
    ]


def test_orders_as_text_say_that_a_permanency_is_wasted() -> None:
    """The two mind spells cancel each other, so neither becomes permanent. rules: W14, W35"""
    position = duel(begun("-FF", "PSD", effects={"permanency": THREE_TURNS}), ruleset="warlocks-1")
    told = orders_as_text(position, **made("F F"), permanency="L")
    assert "Your Permanency is spent on Paralysis, which does nothing." in told
    cautions = engine.play.cautions(
        position, ADA, engine.orders.from_fields({**made("F F"), "permanency": "L"})
    )
    assert {caution.rule for caution in cautions if caution.code == "minds_clash"} == {"W14"}


def test_orders_as_text_mention_the_exception_to_a_warlocks_surrender() -> None:
    """A wizard who makes two palms still wins if no other is left. rules: W48"""
    exception = ", unless you are the only one left."
    for ruleset, ends_so in (("warlocks-1", True), ("bartle-1", False)):
        orders = engine.orders.from_fields(made("P P"))
        told = engine.play.cautions(duel(ruleset=ruleset), ADA, orders)
        (caution,) = [each for each in told if each.code == "surrender"]
        assert caution.text.endswith(exception) is ends_so


@pytest.mark.parametrize("kind", ["fear", "amnesia"])
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_orders_as_text_describe_only_charmed_wizards_as_charmed(ruleset: str, kind: str) -> None:
    """The caster of Fear or Amnesia has nothing to decide about the subject's hands."""
    position = duel(under_effects(**{kind: {"caster": "w1", "turns": 1}}), {}, ruleset=ruleset)
    told = orders_as_text(position)
    assert told
    assert not [line for line in told if "charmed" in line]


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_LATER)
def test_orders_as_text_say_that_dice_choose_the_opponent(ruleset: str) -> None:
    """With two opponents, the dice choose one after the orders are sealed. rules: W3"""
    position = duel(
        begun("S"), {}, under_effects(protection_from_evil=THREE_TURNS), ruleset=ruleset
    )
    assert orders_as_text(position, **made("D >")) == [
        "Your left hand makes D and casts Magic Missile at an opponent, drawn by lot; "
        "your right hand stabs an opponent, drawn by lot."
    ]
    orders = engine.orders.from_fields(made("D >"))
    assert engine.play.cautions(position, ADA, orders) == ()


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_orders_as_text_include_charmed_hands(ruleset: str) -> None:
    charmed = under_effects(charm_person={**ONE_TURN, "caster": ADA, "hand": "R"})
    position = duel({}, charmed, ruleset=ruleset)
    assert orders_as_text(position, **{"charmed:w1.R": "P"})[1:] == [
        "Bram’s charmed right hand makes P."
    ]
    unwritten = orders_as_text(position)[1:]
    if ruleset in STEPWISE_RULESETS:
        assert unwritten == [
            "You are asked for the gesture of Bram’s charmed right hand when everyone has sealed."
        ]
    else:
        assert unwritten == ["Bram’s charmed right hand makes the gesture that its owner chooses."]


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_orders_as_text_say_if_the_bank_is_kept_or_released(ruleset: str) -> None:
    position = duel({"bank": "fireball"}, ruleset=ruleset)
    assert orders_as_text(position)[1:] == ["Fireball stays in your bank."]
    assert orders_as_text(position, release="yes")[1:] == [
        "You release the banked Fireball at Bram."
    ]
    at_self = orders_as_text(position, release="yes", release_subject=ADA)
    assert at_self[1:] == ["You release the banked Fireball on yourself."]


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_AT_ONCE)
def test_orders_as_text_name_spells_banked_or_made_permanent(ruleset: str) -> None:
    rules = engine.play.RULESETS[ruleset].spells
    delay, missile = rules["delayed_effect"].name, rules["missile"].name
    position = duel(begun("S", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset)
    assert orders_as_text(position, **made("D P"))[0].startswith(
        f"Your left hand makes D and completes {missile}; your right hand makes P and casts Shield"
    )
    assert orders_as_text(position, **made("D P"))[1:] == [
        f"Your {delay} banks {missile}: it is not cast this turn."
    ]
    assert orders_as_text(position, **made("D P"), bank="R")[1:] == [
        f"Your {delay} banks Shield: it is not cast this turn.",
        f"You choose the spell of your right hand for {delay}.",
    ]
    position = duel(begun("SW", effects={"permanency": THREE_TURNS}), ruleset=ruleset)
    assert orders_as_text(position, **made("D -"))[1:] == ["Your Permanency makes Fear permanent."]


@pytest.mark.parametrize("ruleset", SEALED_RULESETS)
def test_orders_as_text_list_open_questions(ruleset: str) -> None:
    position = duel(begun("FF"), ruleset=ruleset)
    assert orders_as_text(position, left="F")[1:] == [
        "After the reveal, you are asked which hand Paralysis affects."
    ]
    answered = orders_as_text(position, left="F", **{"answer:paralysis": "R"})
    assert answered[1:] == ["If you paralyse someone, you choose their right hand."]
    assert orders_as_text(position, left="F", left_subject=ADA)[1:] == [
        "After the reveal, you are asked which hand Paralysis affects."
    ]


def test_orders_as_text_mention_the_question_about_the_element() -> None:
    position = duel(begun("CSWW", "C---"))
    assert orders_as_text(position, left="S")[1:] == [
        "After the reveal, you are asked whether the elemental is fire or ice."
    ]
    assert orders_as_text(position, left="S", **{"answer:elemental": "ice"})[1:] == [
        "If you may choose an elemental’s kind, it is ice."
    ]
    settled = duel(begun("CSWW", "C---"), ruleset="wizards-1")
    assert orders_as_text(settled, left="S")[1:] == []


def test_orders_as_text_include_a_sacrifice_and_a_message() -> None:
    position = duel(begun("DWFF"), monsters=[GOBLIN], ruleset="wizards-1", options=["sacrifice"])
    told = orders_as_text(position, **made("D D"), sacrifice="m0", say="Farewell, little one.")
    assert "Sacrifice gives up the Red Goblin." in told
    assert told[-1] == "You say: “Farewell, little one.”"


def test_orders_as_text_include_choices_for_hands_that_may_change() -> None:
    """A confused hand may complete a spell that was not ordered. rules: R146"""
    position = duel(begun("S", effects={"confusion": ONE_TURN}))
    told = orders_as_text(position, left="F", left_spell="missile", left_subject="nowhere")
    assert "If your left hand can cast Missile, it does." in told
    assert "Any other spell that your left hand casts goes to nobody." in told


def test_orders_as_text_say_that_a_wizard_is_out_of_the_duel() -> None:
    over, _ = engine.play.resign(duel(), BRAM)
    assert engine.play.orders_text(over, BRAM, engine.orders.Orders()) == (
        "You are no longer in this duel.",
    )


# Every field is mentioned


OTHER_VALUES_BY_FIELD = {
    "victim": (ADA, BRAM, "no_one"),
    "subject": (ADA, BRAM, "nowhere"),
    "charmed": ("F", "P", "-"),
    "answer:elemental": ("fire", "ice"),
    "answer:paralysis": ("L", "R"),
    "answer:charm_person": ("L", "R"),
    "say": ("Yes.", "No."),
    "release": ("yes", ""),
    "bank": ("L", "R", "BH"),
    "permanency": ("L", "R", "BH"),
}


def other_values(position: Position, wizard: str, field: str, value: str) -> list[str]:
    """Return other possible values for this field of orders."""
    if field.rstrip("2") in ("left", "right"):
        number = 2 if field.endswith("2") else 1
        part = engine.play.sheet(position, wizard).sets[number - 1]
        hand = part.left if field.startswith("left") else part.right
        return [] if hand.forced else [o.letter for o in hand.gestures if o.letter != value]
    if "_spell" in field:
        return [id for id in position.rules.spells if id != value]
    kind = "subject" if "_subject" in field else field
    kind = kind if kind in OTHER_VALUES_BY_FIELD else kind.partition(":")[0].rstrip("2")
    return [other for other in OTHER_VALUES_BY_FIELD.get(kind, ()) if other != value]


@given(SEEDS)
@settings(max_examples=daily.examples(25))
def test_every_field_changes_the_orders_as_text(seed: int) -> None:
    chance = random.Random(seed)
    for step in random_turns(seed, turns=20):
        position = step.position
        for wizard, orders in step.orders.items():
            flat = engine.orders.fields(orders)
            before = engine.play.orders_text(position, wizard, orders)
            for field, value in flat.items():
                values = other_values(position, wizard, field, value)
                if not values:
                    continue
                changed = {**flat, field: chance.choice(values)}
                other = engine.orders.from_fields(changed)
                if engine.play.check(position, wizard, other) == ():
                    told = engine.play.orders_text(position, wizard, other)
                    assert told != before, (field, value, changed[field])


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_LATER)
def test_caution_explains_a_guard_cast_before_the_monster_exists(ruleset: str) -> None:
    """rules: W36"""
    position = duel(begun("SF", "WP"), ruleset=ruleset)
    orders = engine.orders.from_fields(made("W P", right_subject="L:w0"))
    (caution,) = engine.play.cautions(position, ADA, orders)
    assert caution.text == (
        "Your right hand’s Counter Spell does nothing: the monster that your left hand may"
        " summon does not exist yet when it works."
    )


@pytest.mark.parametrize("ruleset", RULESETS_NAMING_HANDS_LATER)
def test_caution_says_that_a_monster_attacks_itself(ruleset: str) -> None:
    """rules: W39"""
    goblin = {"kind": "goblin", "controller": ADA}
    position = duel(monsters=[goblin], ruleset=ruleset)
    orders = engine.orders.from_fields({**made("W -"), "victim:m0": "m0"})
    (caution,) = engine.play.cautions(position, ADA, orders)
    assert caution.text == "The Red Goblin attacks itself."
