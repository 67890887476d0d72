"""Tests of reports: the sentence and the rule of every event, as each observer reads them.

Ada (w0, she) is addressed as "you". The other beings are Bram (w1, he) and the Red Goblin (m0).
"""

from dataclasses import replace

import pytest

import engine
import engine.play
import engine.words
from engine import events as e
from engine.events import BY_CODE
from tests.engine.board import ADA, BRAM, duel
from tests.engine.reports import POSITION, WARLOCKS, sentence_and_rule
from tests.engine.rulebook import RULES

# event, sentence for Ada, sentence for others, rule
SENTENCES: tuple[tuple[engine.play.Event, str, str, str], ...] = (
    (e.Overridden("w0", 1, "L", "F", "paralysis", "w1"),
     "Your left hand, paralysed, makes fingers (F).",
     "Ada’s left hand, paralysed, makes fingers (F).", "spell:paralysis"),
    (e.Overridden("w0", 1, "R", ">", "charm_person", "w1"),
     "Your right hand, charmed, stabs.",
     "Ada’s right hand, charmed, stabs.", "spell:charm_person"),
    (e.Overridden("w0", 1, "R", "-", "fear", "w1"),
     "Your right hand, afraid, does nothing.",
     "Ada’s right hand, afraid, does nothing.", "spell:fear"),
    (e.Stopped("w0", "stab", "w0", "shield"),
     "Your stab at yourself is stopped by a shield.",
     "Ada’s stab at herself is stopped by a shield.", "turn:shield"),
    (e.Failed("raise_dead", "w0", "w0", "opposed"),
     "Your Raise Dead on yourself is cancelled: death and life meet.",
     "Ada’s Raise Dead on herself is cancelled: death and life meet.", "R59"),
    (e.Drew("m0", "victim", 5, 4, "m0", ""),
     "The Red Goblin, confused, turns on itself (roll: 5 of 5).",
     "The Red Goblin, confused, turns on itself (roll: 5 of 5).", "R83"),
    (e.Enchanted("m0", "amnesia", "w0"),
     "The Red Goblin will have to do the same again.",
     "The Red Goblin will have to do the same again.", "spell:amnesia"),
    (e.Cast("w0", "summon_troll", "L", 1, "w0", ("summon_ogre", "summon_goblin", "shield")),
     "You cast Summon Troll for yourself instead of Summon Ogre, Summon "
     "Goblin and Shield.",
     "Ada casts Summon Troll for herself instead of Summon Ogre, Summon "
     "Goblin and Shield.", "spell:summon_troll"),
    (e.KnifeKept("w0", 1, "R"),
     "You have only one knife: your right hand does nothing.",
     "Ada has only one knife: her right hand does nothing.", "R16"),
    (e.MindsClashed("w0", ("fear", "amnesia")),
     "Fear and Amnesia cancel each other, and your mind is free.",
     "Fear and Amnesia cancel each other, and Ada’s mind is free.", "R79"),
    (
        e.MindsClashed("w0", ("charm_person", "charm_person")),
        "Charm Person and Charm Person cancel each other, and your mind is free.",
        "Charm Person and Charm Person cancel each other, and Ada’s mind is free.", "R79",
    ),
    (e.Drew("w0", "hand", 6, 3, "R", "label"),
     "Confusion seizes your right hand (roll: 4).",
     "Confusion seizes Ada’s right hand (roll: 4).", "spell:confusion"),
    (e.Drew("w0", "gesture", 6, 0, "C", "label"),
     "Confusion picks its gesture (roll: 1): clap (C).",
     "Confusion picks its gesture (roll: 1): clap (C).", "spell:confusion"),
    (e.Drew("m0", "victim", 4, 2, "w0", "label"),
     "The Red Goblin, confused, turns on you (roll: 3 of 4).",
     "The Red Goblin, confused, turns on Ada (roll: 3 of 4).", "R83"),
    (e.Drew("m0", "opponent", 2, 0, "w0", "label"),
     "The Red Goblin chooses you (roll: 1 of 2).",
     "The Red Goblin chooses Ada (roll: 1 of 2).", "R13"),
    (e.Spoke("w0", "En garde, {who} <a|b who>!"),
     "You say: \u201cEn garde, {who} <a|b who>!\u201d",
     "Ada says: \u201cEn garde, {who} <a|b who>!\u201d", "turn:reveal"),
    (e.Cast("w0", "missile", "L", 1, "w2"),
     "You cast Missile at w2.", "Ada casts Missile at w2.", "spell:missile"),
    (e.Cast("w0", "shield", "L", 1, "w0"),
     "You cast Shield on yourself.", "Ada casts Shield on herself.", "spell:shield"),
    (e.Cast("w0", "fire_storm", "BH", 1, ""),
     "You cast Fire Storm.", "Ada casts Fire Storm.", "spell:fire_storm"),
    (e.Cast("w0", "fireball", "BANK", 1, "m0"),
     "You release the banked Fireball at the Red Goblin.",
     "Ada releases the banked Fireball at the Red Goblin.", "spell:fireball"),
    (e.Cast("w0", "missile", "L", 1, "R2:w0"),
     "You cast Missile at the monster that your right hand may summon in the second set.",
     "Ada casts Missile at the monster that Ada’s right hand may summon in the second set.",
     "spell:missile"),
    (e.Cast("", "missile", "", 0, "w0"),
     "Somebody casts Missile at you.", "Somebody casts Missile at Ada.", "spell:missile"),
    (e.Cast("w0", "summon_ogre", "L", 1, "w0", ("summon_goblin",)),
     "You cast Summon Ogre for yourself instead of Summon Goblin.",
     "Ada casts Summon Ogre for herself instead of Summon Goblin.",
     "spell:summon_ogre"),
    (e.Cast("w0", "summon_goblin", "L", 1, "w2"),
     "You cast Summon Goblin for w2.", "Ada casts Summon Goblin for w2.",
     "spell:summon_goblin"),
    (e.Cast("w0", "summon_goblin", "L", 1, "R:w0"),
     "You cast Summon Goblin for the monster that your right hand may summon.",
     "Ada casts Summon Goblin for the monster that Ada’s right hand may summon.",
     "spell:summon_goblin"),
    (e.Cast("w0", "summon_goblin", "L", 1, "nowhere"),
     "You cast Summon Goblin at nobody.", "Ada casts Summon Goblin at nobody.",
     "spell:summon_goblin"),
    (e.Cast("w0", "summon_goblin", "BANK", 1, "w0"),
     "You release the banked Summon Goblin for yourself.",
     "Ada releases the banked Summon Goblin for herself.", "spell:summon_goblin"),
    (e.Failed("summon_goblin", "w0", "w2", "blind"),
     "Your Summon Goblin for w2 goes astray: the blind find nobody.",
     "Ada’s Summon Goblin for w2 goes astray: the blind find nobody.", "R94"),
    (e.Banked("w0", "missile"), "You bank Missile.", "Ada banks Missile.", "R103"),
    (e.Extended("w0", "fear"),
     "Your Permanency makes Fear permanent.", "Ada’s Permanency makes Fear permanent.",
     "spell:permanency"),
    (e.Failed("missile", "m0", "w0", "countered"),
     "The Red Goblin’s Missile fails: you are under a Counter-spell.",
     "The Red Goblin’s Missile fails: Ada is under a Counter-spell.", "spell:counter_spell"),
    (e.Reflected("missile", "m0", "w0"),
     "Your mirror sends the Red Goblin’s Missile back.",
     "Ada’s mirror sends the Red Goblin’s Missile back.", "spell:magic_mirror"),
    (e.Guarded("w0", "counter_spell", "w0"),
     "A Counter-spell surrounds you.", "A Counter-spell surrounds Ada.", "spell:counter_spell"),
    (e.Guarded("w0", "magic_mirror", "w0"),
     "A mirror shimmers before you.", "A mirror shimmers before Ada.", "spell:magic_mirror"),
    (e.Guarded("w0", "shield", "w0"),
     "A shield covers you.", "A shield covers Ada.", "spell:shield"),
    (e.Summoned("m0", "goblin", "Red Goblin", "w0", "w0"),
     "The Red Goblin appears and obeys you.", "The Red Goblin appears and obeys Ada.",
     "turn:summons"),
    (e.Summoned("m0", "goblin", "Red Goblin", "", "w0"),
     "The Red Goblin appears and obeys nobody.", "The Red Goblin appears and obeys nobody.",
     "turn:summons"),
    (e.Merged("m0", "m1"),
     "The Red Goblin and the Green Ogre become one.",
     "The Red Goblin and the Green Ogre become one.", "R65"),
    (e.StormSpent("fire_storm", "ice_storm"),
     "The Fire Storm and the Ice Storm cancel each other.",
     "The Fire Storm and the Ice Storm cancel each other.",
     "R66"),
    (e.StormSpent("fire_storm", "ice"),
     "The Fire Storm and the ice elemental cancel each other.",
     "The Fire Storm and the ice elemental cancel each other.", "R66"),
    (e.Enchanted("w0", "paralysis", "w1", False, "L"),
     "Your left hand is paralysed.", "Ada’s left hand is paralysed.", "spell:paralysis"),
    (e.Enchanted("w0", "charm_person", "w1"),
     "You are charmed.", "Ada is charmed.", "spell:charm_person"),
    (e.Enchanted("w0", "fear", "w1", True),
     "You are struck with fear, for good.", "Ada is struck with fear, for good.", "spell:fear"),
    (e.Removed("w0", "haste", "dispel_magic"),
     "Your Haste is swept away.", "Ada’s Haste is swept away.", "spell:dispel_magic"),
    (e.Removed("w0", "bank", "dispel_magic"),
     "Your banked spell is lost.", "Ada’s banked spell is lost.", "R53"),
    (e.Lapsed("w0", "haste"), "You slow down again.", "Ada slows down again.", "turn:clock"),
    (e.Controlled("m0", "w0", "charm_monster"),
     "The Red Goblin now obeys you.", "The Red Goblin now obeys Ada.", "spell:charm_monster"),
    (e.Controlled("m0", "", "left"),
     "The Red Goblin obeys nobody now.", "The Red Goblin obeys nobody now.", "R73"),
    (e.Hit("m0", 1, "stab", "w0"),
     "You stab the Red Goblin for 1 point.", "Ada stabs the Red Goblin for 1 point.", "turn:stab"),
    (e.Hit("w0", 1, "stab", "w0"),
     "You stab yourself for 1 point.", "Ada stabs herself for 1 point.", "turn:stab"),
    (e.Hit("", 1, "stab", ""),
     "Somebody stabs somebody for 1 point.", "Somebody stabs somebody for 1 point.", "turn:stab"),
    (e.Hit("m0", 1, "attack", "m0"),
     "The Red Goblin attacks itself for 1 point.", "The Red Goblin attacks itself for 1 point.",
     "turn:victims"),
    (e.Hit("w0", 1, "stab", ""),
     "Somebody stabs you for 1 point.", "Somebody stabs Ada for 1 point.", "turn:stab"),
    (e.Hit("w0", 2, "attack", "m0"),
     "The Red Goblin attacks you for 2 points.", "The Red Goblin attacks Ada for 2 points.",
     "turn:victims"),
    (e.Hit("m0", 5, "fireball", "w0"),
     "Your Fireball hits the Red Goblin for 5 points.",
     "Ada’s Fireball hits the Red Goblin for 5 points.", "spell:fireball"),
    (e.Hit("m0", 0, "finger_of_death", "w0"),
     "Your Finger of Death points at the Red Goblin.",
     "Ada’s Finger of Death points at the Red Goblin.", "spell:finger_of_death"),
    (e.Stopped("w0", "fire_storm", "m0", "resists"),
     "The Red Goblin’s Fire Storm does not harm you: your resistance holds.",
     "The Red Goblin’s Fire Storm does not harm Ada: her resistance holds.",
     "turn:heat_and_cold"),
    (e.Idle("m0", "ordered"),
     "The Red Goblin holds back as ordered.", "The Red Goblin holds back as ordered.", "R170"),
    (e.Cured("w0", 2, "cure_heavy_wounds", "w1"),
     "Cure Heavy Wounds cures you of up to 2 points of damage.",
     "Cure Heavy Wounds cures Ada of up to 2 points of damage.", "spell:cure_heavy_wounds"),
    (e.Wounded("w0", 0, 1),
     "You have 1 point of damage now.", "Ada has 1 point of damage now.", "turn:damage"),
    (e.Wounded("w0", 5, 3),
     "You are down to 3 points of damage.", "Ada is down to 3 points of damage.", "turn:damage"),
    (e.Wounded("w0", 0, -1),
     "You have 1 point more than at the start.",
     "Ada has 1 point more than at the start.", "turn:damage"),
    (e.Doomed("m0", "dispel_magic"),
     "The Red Goblin will not survive this turn: Dispel Magic.",
     "The Red Goblin will not survive this turn: Dispel Magic.", "spell:dispel_magic"),
    (e.Raised("w0", "w1"),
     "You rise from the dead.", "Ada rises from the dead.", "spell:raise_dead"),
    (e.Died("w0", "wounds"), "You die of your wounds.", "Ada dies of her wounds.", "turn:deaths"),
    (e.Destroyed("m0", "fire"),
     "The Red Goblin is destroyed by its opposite.",
     "The Red Goblin is destroyed by its opposite.", "turn:heat_and_cold"),
    (e.Destroyed("m0", "newer"),
     "The Red Goblin gives way to a newer one of its kind.",
     "The Red Goblin gives way to a newer one of its kind.", "W43"),
    (e.Destroyed("m0", "dispel_magic"),
     "The Red Goblin is destroyed: Dispel Magic.", "The Red Goblin is destroyed: Dispel Magic.",
     "spell:dispel_magic"),
    (e.Broke("w0"),
     "Your gestures so far can no longer be part of a spell.",
     "Ada’s gestures so far can no longer be part of a spell.", "spell:anti_spell"),
    (e.TimeStopped("w0"),
     "Time stops for all but you.", "Time stops for all but Ada.", "spell:time_stop"),
    (e.Surrendered("w0"),
     "You surrender: both hands make P.", "Ada surrenders: both hands make P.",
     "gesture:surrender"),
    (e.Resigned("w0"), "You resign.", "Ada resigns.", "turn:resign"),
    (e.Forfeited("w0"), "You run out of time.", "Ada runs out of time.", "turn:forfeit"),
    (
        e.WizardRemoved("w0"), "A referee has removed you from the duel.",
        "A referee has removed Ada from the duel.", "turn:removal",
    ),
    (e.Won("w0"), "You win the duel.", "Ada wins the duel.", "turn:winner"),
    (e.Drawn(("w0", "w1")), "The duel is a draw.", "The duel is a draw.", "turn:winner"),
    (e.MarkerTaken("w0", "w2"),
     "You take a marker that bears w2’s name.", "Ada takes a marker that bears w2’s name.",
     "R114"),
    (e.MarkersReturned("w0"),
     "You give back every marker that you have won.",
     "Ada gives back every marker that she has won.", "R114"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("event", "mine", "theirs", "rule"),
    SENTENCES,
    ids=[f"{number}-{row[0].code}" for number, row in enumerate(SENTENCES)],
)
def test_each_sentence_addresses_its_actor_as_you(
    event: engine.play.Event, mine: str, theirs: str, rule: str
) -> None:
    assert sentence_and_rule(event, ADA) == (mine, rule)
    assert sentence_and_rule(event, BRAM) == (theirs, rule)
    assert sentence_and_rule(event, "all") == (theirs, rule)
    assert sentence_and_rule(event, "spectator") == (theirs, rule)
    assert rule in RULES


@pytest.mark.parametrize(("hand", "words"), [("R", "right hand"), ("BANK", "banked spell")])
def test_opponent_chosen_by_dice_is_reported_with_the_hand(hand: str, words: str) -> None:
    """rules: R13, W3"""
    event = e.Drew("w0", "opponent", 3, 1, "w1", "label", hand)
    text = f"No subject is named for {{}} {words}: the dice pick {{}} (roll: 2 of 3)."
    assert sentence_and_rule(event, ADA) == (text.format("your", "Bram"), "R13")
    assert sentence_and_rule(event, BRAM) == (text.format("Ada’s", "you"), "R13")
    assert sentence_and_rule(event, "all") == (text.format("Ada’s", "Bram"), "R13")


def test_every_event_class_has_a_tested_sentence() -> None:
    """A new event class needs sentences in the list. Gestures appear only in the grid."""
    assert {row[0].code for row in SENTENCES} == set(BY_CODE) - {"gestured"}
    assert sentence_and_rule(e.Gestured("w0", 1, "W", "P"), ADA) == ("", "")


@pytest.mark.parametrize(
    ("spell", "permanent", "text"),
    [
        ("delayed_effect", False, "You may bank a spell in the next three turns."),
        ("delayed_effect", True, "You may bank a spell at any time."),
        ("permanency", False, "You may make an enchantment permanent in the next three turns."),
        ("permanency", True, "You may make an enchantment permanent at any time."),
    ],
)
def test_warlocks_report_of_a_window_says_that_a_mark_is_needed(
    spell: str, permanent: bool, text: str
) -> None:
    """rules: W34, W35"""
    event = e.Enchanted("w0", spell, "w0", permanent)
    assert sentence_and_rule(event, ADA, WARLOCKS) == (text, f"spell:{spell}")
    assert sentence_and_rule(event, BRAM, WARLOCKS)[0] == text.replace("You", "Ada")


def test_report_of_an_amnesiac_monster_follows_the_ruleset() -> None:
    """In Warlocks an amnesiac monster attacks nobody. rules: R155, W15"""
    position = duel(monsters=[{"kind": "goblin", "controller": BRAM}], ruleset="warlocks-1")
    event = e.Enchanted("m0", "amnesia", "w0")
    assert sentence_and_rule(event, ADA, position)[0] == "The Red Goblin forgets everything."


def test_report_of_clashing_mind_spells_cites_the_rulesets_rule() -> None:
    """In Warlocks two equal mind spells clash too, which R77 does not cover. rules: R77, W14"""
    event = e.Failed("fear", "w0", "w1", "mind_conflict")
    assert sentence_and_rule(event, ADA)[1] == "R77"
    assert sentence_and_rule(event, ADA, WARLOCKS)[1] == "W14"


def test_uncontrolled_elemental_is_reported_as_cast_at_its_target() -> None:
    """rules: W3, W43"""
    event = e.Cast("w0", "summon_fire_elemental", "L", 1, "w1")
    assert sentence_and_rule(event, ADA, WARLOCKS)[0] == "You cast Summon Fire Elemental at Bram."
    own = replace(event, subject="w0")
    assert (
        sentence_and_rule(own, BRAM, WARLOCKS)[0] == "Ada casts Summon Fire Elemental at herself."
    )


def test_report_of_two_stabs_names_the_hand_without_a_knife() -> None:
    """rules: R16, W6"""
    event = e.KnifeKept("w0", 1, "L")
    assert sentence_and_rule(event, BRAM, WARLOCKS) == (
        "Ada has only one knife: her left hand stabs without it.",
        "W6",
    )


def test_report_of_an_idle_monster_mentions_orders_only_if_they_are_the_cause() -> None:
    """In Warlocks a monster also attacks nobody after its victim's death. rules: R170, W39"""
    event = e.Idle("m0", "ordered")
    assert sentence_and_rule(event, ADA) == ("The Red Goblin holds back as ordered.", "R170")
    there = duel(monsters=[{"kind": "goblin"}], ruleset="warlocks-1")
    assert sentence_and_rule(event, ADA, there) == ("The Red Goblin holds back.", "W39")


def test_report_of_a_premature_summons_cites_the_rule_of_summonses() -> None:
    """rules: W36, W38"""
    guard = e.Failed("magic_mirror", "w0", "L:w1", "too_early")
    assert sentence_and_rule(guard, ADA, WARLOCKS)[1] == "W36"
    assert sentence_and_rule(replace(guard, spell="summon_goblin"), ADA, WARLOCKS)[1] == "W38"


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Wounded("w0", 0, 1), "You have 14 of 15 hit points left."),
        (e.Wounded("w1", 12, 15), "Bram has no hit points left."),
        (e.Wounded("m0", 0, 1), "The Red Goblin has no hit points left."),
        (e.Wounded("m9", 0, 1), "The m9 has 1 point of damage now."),
    ],
)
def test_wounds_can_be_shown_as_hit_points_left(event: engine.play.Event, text: str) -> None:
    """The damage of a being that the view does not mention is shown instead."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, POSITION, ()),), POSITION), "w0"
    )
    (line,) = engine.words.narrate_events(view, (event,))
    assert line.text_for(shows_left=True) == text
    assert "of damage" in line.text_for(shows_left=False)
