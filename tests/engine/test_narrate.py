"""Tests of reports: the sentence and the rule of every event, as each observer reads them.

Ada (w0, she) is addressed as "you". The other beings are Bram (w1, he) and the Red Goblin (m0).
"""

import ast
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine
import engine.orders
import engine.play
import engine.words
from engine import events as e
from engine.events import (
    EVENT_CLASS_BY_CODE,
    FAILURE_CAUSES,
    HARMLESS_BLOW_CAUSES,
    NO_ATTACK_CAUSES,
)
from engine.questions import Question
from engine.rulesets import RULESETS
from engine.spellbook import Duration
from engine.words import prose
from tests import daily
from tests.engine.board import ADA, BRAM, begun, duel, made, play_turn
from tests.engine.random_duels import random_duel
from tests.engine.rulebook import RULES

ENGINE = Path(engine.__file__).parent
BOOKS = [book for rules in RULESETS.values() for book in (rules, *rules.variants.values())]
MIND_SPELLS = {kind for book in BOOKS for kind in book.mind_spells}
EFFECTS = {
    row.id for book in BOOKS for row in book.spells.values() if row.lasts is not Duration.INSTANT
}
POSITION = duel(monsters=[{"kind": "goblin", "controller": "w0"}, {"kind": "ogre"}])
WARLOCKS = duel(ruleset="warlocks-1")


def sentence_and_rule(
    event: engine.play.Event, observer: str, position: engine.play.Position = POSITION
) -> tuple[str, str]:
    """Return the event's sentence for this observer and its rule, or "" without a sentence."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, position, ()),), position), observer
    )
    shown = replace(view, turns=(replace(view.turns[0], events=(event,)),))
    (report,) = engine.words.narrate(shown)
    (line,) = report.lines or (engine.words.Line(event.code, "", "", ""),)
    assert line.code == event.code
    return line.text, line.rule


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
def test_actor_and_others_read_their_own_version_of_each_sentence(
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
    assert {row[0].code for row in SENTENCES} == set(EVENT_CLASS_BY_CODE) - {"gestured"}
    assert sentence_and_rule(e.Gestured("w0", 1, "W", "P"), ADA) == ("", "")


# Causes


def events_by_cause() -> list[engine.play.Event]:
    """Return one event for each text that depends on an effect or a cause."""
    found: list[engine.play.Event] = [
        e.Failed("missile", "w1", "w0", cause) for cause in FAILURE_CAUSES
    ]
    found += [e.Stopped("w0", "stab", "w1", cause) for cause in prose.STOPPED_TEXT]
    found += [e.Idle("m0", cause) for cause in prose.IDLE_TEXT]
    found += [e.Died("w0", cause) for cause in prose.DEATH_TEXT]
    found += [e.Enchanted("w0", kind, "w1", False, "L") for kind in sorted(EFFECTS)]
    found += [e.Lapsed("w0", kind) for kind in prose.LAPSED_TEXT]
    found += [e.Overridden("w0", 1, "L", "W", kind, "w1") for kind in prose.OVERRIDE_TEXT]
    found += [
        e.Destroyed("m0", cause)
        for cause in (
            "fire", "ice", "fire_storm", "ice_storm", "fireball", "resist_heat", "resist_cold",
            "blindness", "invisibility", "remove_enchantment", "dispel_magic",
        )
    ]  # fmt: skip
    return found


@pytest.mark.parametrize("event", events_by_cause(), ids=repr)
@pytest.mark.parametrize("observer", [ADA, BRAM, "all"])
def test_sentence_for_every_cause_is_complete_and_cites_a_rule(
    event: engine.play.Event, observer: str
) -> None:
    text, rule = sentence_and_rule(event, observer)
    assert re.fullmatch(r"[A-Z][^{}<>|]*\.", text)
    assert rule in RULES
    assert ("Ada" not in text) if observer == ADA else ("Bram" not in text or observer == "all")


def test_every_cause_of_failure_has_a_text() -> None:
    assert set(prose.FAILURE_TEXT) == set(FAILURE_CAUSES)
    assert len(FAILURE_CAUSES) == len(set(FAILURE_CAUSES))
    assert set(prose.STOPPED_TEXT) == set(HARMLESS_BLOW_CAUSES)
    assert set(NO_ATTACK_CAUSES) <= set(prose.IDLE_TEXT)


def nodes_of_resolve() -> Iterator[ast.AST]:
    for path in (ENGINE / "resolve").rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def strings_in_resolve() -> set[str]:
    """Return every string in the code that resolves turns."""
    return {
        node.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def idle_causes() -> set[str]:
    """Return every cause that keeps a monster from attacking."""
    return {
        keyword.value.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "idle_cause"
        and isinstance(keyword.value, ast.Constant)
        and isinstance(keyword.value.value, str)
    }


def test_every_text_belongs_to_a_cause_that_resolving_a_turn_can_give() -> None:
    written = strings_in_resolve() | MIND_SPELLS
    stilling = {kind for rules in BOOKS for kind in rules.victims_under}
    assert set(FAILURE_CAUSES) <= written
    assert set(prose.STOPPED_TEXT) <= written
    assert set(prose.IDLE_TEXT) - idle_causes() - stilling == {"no_victim"}
    illnesses = {illness for rules in RULESETS.values() for illness in rules.illnesses}
    assert set(prose.DEATH_TEXT) <= written | {"finger_of_death"} | illnesses


def test_every_cause_that_resolving_a_turn_can_produce_has_a_text() -> None:
    """Causes passed to `table.fail` are in FAILURES, those of idle monsters in IDLE_TEXT."""
    failed = {
        part.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "fail"
        for part in ast.walk(node.args[1])
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value != ":"
    }
    assert len(failed) > 10
    assert failed <= set(FAILURE_CAUSES)
    assert idle_causes() <= set(prose.IDLE_TEXT)


def test_every_effect_has_texts_for_its_start_and_end() -> None:
    """Resistances never expire, disease and poison end in death, and mind spells end silently."""
    endless = {"resist_heat", "resist_cold", "disease", "poison"}
    minds = MIND_SPELLS - {"charm_monster"}
    # Only if time-stopped wizards act before turns. rules: R99
    of_actions = {
        "time_stop",
        "anti_spell",
    }
    assert set(prose.ENCHANTED_TEXT) == EFFECTS | of_actions
    assert set(prose.LAPSED_TEXT) == EFFECTS - endless - minds | {"time_stop"}
    assert set(prose.OVERRIDE_TEXT) == minds
    assert sentence_and_rule(e.Lapsed("w0", "fear"), ADA) == ("", "")


# Whole turns


@pytest.mark.parametrize(
    ("pronouns", "word"),
    [("he", "himself"), ("she", "herself"), ("they", "themselves"), ("it", "itself")],
)
def test_reports_use_chosen_pronouns(pronouns: str, word: str) -> None:
    wizards = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram", pronouns)]
    before = engine.play.begin("bartle-1", wizards)
    after, events = play_turn(before, bram=made("P -"))
    view = engine.play.view(engine.play.History((engine.play.Turn(1, before, events),), after), ADA)
    assert engine.words.narrate(view)[0].lines[0].text == f"Bram casts Shield on {word}."


def test_lines_of_a_report_follow_the_order_of_play() -> None:
    before = duel(begun("S"), begun("WFP"), turn=7)
    after, events = play_turn(before, ada=made("D >", say="Ha!"), bram=made("- P"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(9, before, events),), after), BRAM
    )
    (report,) = engine.words.narrate(view)
    assert (report.ordinal, report.number, report.kind) == (9, 7, "normal")
    assert [line.text for line in report.lines] == [
        "Ada says: \u201cHa!\u201d",
        "Ada casts Missile at you.",
        "You cast Shield on yourself.",
        "A shield covers you.",
        "Ada’s Missile shatters on a shield before you.",
        "Ada’s stab at you is stopped by a shield.",
    ]
    assert [line.wizard for line in report.lines] == [ADA, ADA, BRAM, BRAM, ADA, ADA]


# Questions


@pytest.mark.parametrize(
    ("left", "gesture", "text", "options"),
    [
        (
            "FF",
            "F -",
            "Which of Bram’s hands do you paralyse?",
            ["the left hand", "the right hand"],
        ),
        ("PSD", "F -", "Which of Bram’s hands do you charm?", ["the left hand", "the right hand"]),
        ("CSWW", "S -", "An elemental takes shape: fire or ice?", ["fire", "ice"]),
    ],
)
def test_question_texts(left: str, gesture: str, text: str, options: list[str]) -> None:
    position = duel(begun(left, "C---" if left == "CSWW" else ""))
    orders = {ADA: engine.orders.from_fields(made(gesture))}
    (question,) = engine.play.questions(position, orders, {}, engine.play.NoDice())
    view = engine.play.view(engine.play.History((), position), ADA)
    assert engine.words.question_text(view, question) == text
    assert [
        engine.words.option_text(view, question, option) for option in question.options
    ] == options


# kind, other parts of the question, options, text for Ada, and option texts for Ada
QUESTION_SENTENCES: tuple[tuple[str, dict[str, Any], tuple[str, ...], str, list[str]], ...] = (
    ("target", {"spell": "missile", "hand": "L"}, ("nowhere", "w0", "w1", "m0"),
     "Who do you cast Missile at with your left hand?",
     ["nobody", "yourself", "Bram", "the Red Goblin"]),
    ("target", {"spell": "dispel_magic", "hand": "BH"}, ("w0",),
     "Who do you cast Dispel Magic at with both hands?", ["yourself"]),
    ("target", {"spell": "lightning_bolt/WDDc", "hand": "BH"}, ("w1",),
     "Who do you cast Lightning Bolt (W-D-D-c) at with both hands?", ["Bram"]),
    ("target", {"spell": "fireball", "hand": "BANK"}, ("w1",),
     "Who do you aim the banked Fireball at?", ["Bram"]),
    ("target", {"spell": "summon_goblin", "hand": "L"}, ("w0", "w1"),
     "Who do you cast Summon Goblin for with your left hand?", ["yourself", "Bram"]),
    ("target", {"spell": "summon_goblin", "hand": "BANK"}, ("w1",),
     "Who is the banked Summon Goblin for?", ["Bram"]),
    ("target", {"spell": "stab", "hand": "R"}, ("nowhere", "w1"),
     "Who do you stab with your right hand?", ["nobody", "Bram"]),
    ("attack", {"about": "m0"}, ("nowhere", "w0", "m1"),
     "Who does the Red Goblin attack?", ["nobody", "yourself", "the Green Ogre"]),
    ("attack", {"about": "m0", "number": 1}, ("w1",),
     "Who does the Red Goblin attack first?", ["Bram"]),
    ("attack", {"about": "m0", "number": 2}, ("w1",),
     "Who does the Red Goblin attack next?", ["Bram"]),
    ("left_spell", {"hand": "L"}, ("shield", "lightning_bolt/WDDc"),
     "Which spell does your left hand cast?", ["Shield", "Lightning Bolt (W-D-D-c)"]),
    ("right_spell", {"hand": "R"}, ("shield", "missile"),
     "Which spell does your right hand cast?", ["Shield", "Missile"]),
    ("release", {"spell": "fireball"}, ("no", "yes"),
     "Do you release the banked Fireball?", ["no", "yes"]),
    ("which_delay", {"labels": ("missile", "shield")}, ("L", "R"),
     "Which of your spells should be banked?", ["Missile (left hand)", "Shield (right hand)"]),
    ("which_extend", {"labels": ("haste", "fear")}, ("R", "L"),
     "Which of your spells should be permanent?", ["Haste (right hand)", "Fear (left hand)"]),
    ("charm_gesture", {"about": "w1", "hand": "L"}, ("F", ">", "-"),
     "Which gesture does Bram’s charmed left hand make?", ["fingers (F)", "stab", "nothing"]),
    ("paralysis_hand", {"about": "w0"}, ("L", "R"),
     "Which of your hands do you paralyse?", ["the left hand", "the right hand"]),
    ("charm_hand", {"about": "w1"}, ("L", "R"),
     "Which of Bram’s hands do you charm?", ["the left hand", "the right hand"]),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "more", "options", "text", "words"), QUESTION_SENTENCES)
def test_stepwise_question_texts(
    kind: str, more: dict[str, Any], options: tuple[str, ...], text: str, words: list[str]
) -> None:
    """F32"""
    details = {"about": "", **more}
    question = Question(
        id="q", kind=kind, wizard=ADA, options=options, default=options[0], **details
    )
    view = engine.play.view(engine.play.History((), POSITION), ADA)
    assert engine.words.question_text(view, question) == text
    assert [engine.words.option_text(view, question, option) for option in options] == words


def test_text_of_every_question_kind_is_tested() -> None:
    asked = {
        argument.value
        for node in nodes_of_resolve()
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("Question", "cast_to_take")
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    told_of = {row[0] for row in QUESTION_SENTENCES} | {"elemental", "paralysis", "charm_person"}
    assert asked & set(prose.QUESTION_TEXT) <= told_of
    assert {"target", "attack", "release", "which_delay", "elemental"} <= asked
    told_of |= {"target for", "released", "released for", "stab", "attack 1", "attack 2"}
    assert told_of == set(prose.QUESTION_TEXT)


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


def test_report_of_two_stabs_says_which_hand_has_no_knife() -> None:
    """rules: R16, W6"""
    event = e.KnifeKept("w0", 1, "L")
    assert sentence_and_rule(event, BRAM, WARLOCKS) == (
        "Ada has only one knife: her left hand stabs without it.",
        "W6",
    )


def test_report_says_that_a_monster_obeys_only_if_ordered_to_hold_back() -> None:
    """In Warlocks a monster also attacks nobody after its victim's death. rules: R170, W39"""
    event = e.Idle("m0", "ordered")
    assert sentence_and_rule(event, ADA) == ("The Red Goblin holds back as ordered.", "R170")
    there = duel(monsters=[{"kind": "goblin"}], ruleset="warlocks-1")
    assert sentence_and_rule(event, ADA, there) == ("The Red Goblin holds back.", "W39")


def test_summons_cast_too_early_cites_the_rule_of_summonses() -> None:
    """rules: W36, W38"""
    guard = e.Failed("magic_mirror", "w0", "L:w1", "too_early")
    assert sentence_and_rule(guard, ADA, WARLOCKS)[1] == "W36"
    assert sentence_and_rule(replace(guard, spell="summon_goblin"), ADA, WARLOCKS)[1] == "W38"


@pytest.mark.parametrize(
    ("ruleset", "kind", "words"),
    [
        ("bartle-1", "normal", "turn 4"),
        ("bartle-1", "extra", "extra turn 4"),
        ("wizards-1", "extra", "extra turn 4"),
        ("archmage-1", "extra", "action before turn 4"),
        ("spellcast-1", "extra", "extra turn before turn 4"),
        ("spellcast-1", "haste", "haste phase before turn 4"),
        ("warlocks-1", "normal", "turn 4"),
        ("warlocks-1", "extra", "time-stopped turn 4"),
        ("warlocks-1", "haste", "hasted turn 4"),
    ],
)
def test_name_of_a_turn_depends_on_its_kind_and_the_ruleset(
    ruleset: str, kind: str, words: str
) -> None:
    assert engine.words.turn_name(ruleset, kind, 4) == words


# Names


def test_report_texts_contain_no_fixed_spell_names() -> None:
    """The texts contain spell ids in brackets, because spells have other names in some rulesets."""
    tables = [getattr(prose, name) for name in dir(prose) if name.endswith("_TEXT")]
    assert len(tables) > 7
    texts = [
        text if isinstance(text, str) else text[0] for table in tables for text in table.values()
    ]
    texts += [
        node.value
        for path in (ENGINE / "words").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    names = {spell.name for ruleset in RULESETS.values() for spell in ruleset.spells.values()}
    assert {(name, text) for name in names for text in texts if name in text} == set()
    known = {id for ruleset in RULESETS.values() for id in ruleset.spells}
    assert {id for text in texts for id in re.findall(r"\[([a-z_]{3,})\]", text)} <= known


def test_reports_name_spells_as_the_ruleset_does() -> None:
    """The same events are reported under two rulesets. rules: R26"""
    for ruleset, missile, delay in (
        ("bartle-1", "Missile", "Delayed Effect"),
        ("wizards-1", "Magic Missile", "Delay Effect"),
    ):
        view = engine.play.view(
            engine.play.History((), engine.play.begin(ruleset, [engine.play.Duellist()] * 2)), "w0"
        )
        lines = engine.words.narrate_events(
            view, [e.Hit("w1", 1, "missile", "w0"), e.Lapsed("w0", "delayed_effect")]
        )
        assert [line.text for line in lines] == [
            f"Your {missile} hits Black for 1 point.",
            f"Your {delay} passes unused.",
        ]


# Openings


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("observer", ["w0", "w1", "spectator"])
def test_opening_of_every_ruleset_consists_of_whole_sentences(ruleset: str, observer: str) -> None:
    """F6, F7, R115"""
    wizards = [
        engine.play.Duellist("Ada"),
        engine.play.Duellist("Bram"),
        engine.play.Duellist("Cleo"),
    ]
    view = engine.play.view(engine.play.History((), engine.play.begin(ruleset, wizards)), observer)
    report = engine.words.opening_report(view)
    assert (report.ordinal, report.number, report.title) == (0, 0, "before turn 1")
    assert len(report.lines) >= 2
    for line in report.lines:
        assert re.fullmatch(SENTENCE, line.text), line
        assert line.rule in RULES


def test_opening_of_the_wizards_ruleset_has_the_wizards_bow() -> None:
    """F7"""
    duellists = [engine.play.Duellist(), engine.play.Duellist(), engine.play.Duellist()]
    view = engine.play.view(
        engine.play.History((), engine.play.begin("wizards-1", duellists)), "w1"
    )
    assert (
        engine.words.opening_report(view).lines[-1].text == "White, you and Red bow to each other."
    )


def test_open_record_addresses_its_reader_as_you() -> None:
    """The open record is the same for everyone, except that its reader is addressed as "you"."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, POSITION, (e.Won("w0"),)),), POSITION), "all"
    )
    lines = {
        reader: engine.words.narrate(view, reader)[0].lines[0].text for reader in ("", "w0", "w1")
    }
    assert lines == {
        "": "Ada wins the duel.",
        "w0": "You win the duel.",
        "w1": "Ada wins the duel.",
    }
    (line,) = engine.words.narrate_events(view, [e.Died("w1", "wounds")], "w1")
    assert line.text == "You die of your wounds."
    assert "you" in engine.words.opening_report(view, "w1").lines[0].text


# Whole duels


SENTENCE = r"[A-Z\u201c][^{}<>|\[\]]*[.!?\u201d]"
PRONOUNS = {"w0": "she", "w1": "he", "w2": "they", "w3": "it"}
PRONOUN_FORMS = {
    "she": {"she", "her", "hers", "herself"},
    "he": {"he", "him", "his", "himself"},
    "they": {"they", "them", "their", "themselves"},
}


def reports_of(
    ruleset: str, seed: int
) -> Iterator[tuple[engine.play.View, engine.words.TurnReport]]:
    """Yield every observer's report of each turn of a random duel."""
    for step in random_duel(random.Random(seed), wizards=2 + seed % 3, turns=30, ruleset=ruleset):
        after = step.after.copy()
        for wizard in after.wizards:
            wizard.pronouns = PRONOUNS[wizard.id]
        history = engine.play.History((engine.play.Turn(1, step.position, step.events),), after)
        for observer in (*(wizard.id for wizard in after.wizards), "spectator", "all"):
            view = engine.play.view(history, observer)
            yield view, engine.words.narrate(view)[0]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_line_of_a_report_cites_its_rule(ruleset: str) -> None:
    """Every line is a whole sentence whose pronouns agree with the names. Promise 7. F5"""
    rules, told_of = set(RULES), set[str]()
    for seed in daily.sample(range(16), 2, ruleset):
        for view, report in reports_of(ruleset, seed):
            for line in report.lines:
                assert line.rule in rules, line
                assert re.fullmatch(SENTENCE, line.text), line
                assert disagreements(view, line.text) == [], line
                told_of.add(line.code)
    assert len(told_of) > 15


def disagreements(view: engine.play.View, text: str) -> list[str]:
    """Return pronouns that fit nobody named in the text, and verbs that disagree with a pronoun."""
    words = re.findall(r"\w+", text)
    named = {wizard.pronouns for wizard in view.wizards if wizard.name in words}
    wrong = [
        word
        for pronoun, forms in PRONOUN_FORMS.items()
        for word in words
        if word.lower() in forms and pronoun not in named
    ]
    wrong += re.findall(r"(?:\bthey|^You) (?:is|has|was)\b|\b(?:she|he|it) (?:are|have)\b", text)
    return wrong


def test_grammar_check_finds_wrong_pronouns() -> None:
    view = engine.play.view(engine.play.History((), POSITION), "all")
    assert disagreements(view, "Bram casts Shield on himself.") == []
    assert disagreements(view, "Bram casts Shield on herself.") == ["herself"]
    assert disagreements(view, "Ada says that they is well.") == ["they", "they is"]


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Wounded("w0", 0, 1), "You have 14 of 15 hit points left."),
        (e.Wounded("w1", 12, 15), "Bram has no hit points left."),
        (e.Wounded("m0", 0, 1), "The Red Goblin has no hit points left."),
        (e.Wounded("m9", 0, 1), "The m9 has 1 point of damage now."),
    ],
)
def test_wounds_are_also_given_as_hit_points_left(event: engine.play.Event, text: str) -> None:
    """A being that the view does not mention has unknown hit points, so it keeps its damage."""
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, POSITION, ()),), POSITION), "w0"
    )
    (line,) = engine.words.narrate_events(view, (event,))
    assert line.text_for(shows_left=True) == text
    assert "of damage" in line.text_for(shows_left=False)


@pytest.mark.parametrize(
    ("set_of_confusion", "text"),
    [
        (1, "You surrender: both hands make P because of Confusion."),
        (2, "You surrender: both hands make P."),
    ],
)
def test_report_and_turning_point_name_the_spell_that_made_a_wizard_surrender(
    set_of_confusion: int, text: str
) -> None:
    """rules: R111"""
    happened = (
        e.Overridden("w0", set_of_confusion, "R", "P", "confusion"),
        e.Gestured("w0", 1, "P", "P"),
        e.Surrendered("w0"),
    )
    history = engine.play.History((engine.play.Turn(1, POSITION, happened),), POSITION)
    view = engine.play.view(history, "all")
    (report,) = engine.words.narrate(view, "w0")
    (point,) = engine.words.highlights(view, engine.words.story_of(history), "w0")
    assert report.lines[-1].text == point.text == text
