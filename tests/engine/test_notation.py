"""Tests of the meaning of orders as text."""

import random

import pytest

import engine.orders
import engine.play
import engine.words
from engine.orders import Orders
from engine.rulesets import RULESETS
from engine.text_orders.notation import UnreadableOrders, parse_orders, stated_fields, write_orders
from tests.engine.board import ADA, begun, under_effects
from tests.engine.random_duels import Player, random_orders
from tests.engine.text_orders import ONE_TURN, named_position, read

FIELDS_BY_TEXT = {
    "LH F": {"left": "F"},
    "rh >": {"right": ">"},
    "RH stab": {"right": ">"},
    "LH \N{EN DASH}": {"left": "-"},
    "lh Palm": {"left": "P"},
    "BH c": {"left": "C", "right": "C"},
    "LH2 w": {"left2": "W"},
    "left P": {"left": "P"},
    "L: P": {"left": "P"},
    "right: W": {"right": "W"},
    "R wave": {"right": "W"},
    "RH:F": {"right": "F"},
    "LH : F": {"left": "F"},
    "both clap": {"left": "C", "right": "C"},
    "B: C": {"left": "C", "right": "C"},
    "Left2: d  # of the second set": {"left2": "D"},
    "left: D Fireball": {"left": "D", "left_spell": "fireball"},
    "left: S\nR: P\nleft: Counter-spell": {
        "left": "S",
        "right": "P",
        "left_spell": "counter_spell",
    },
    "LH D Fireball": {"left": "D", "left_spell": "fireball"},
    "RH W\nRH counterspell": {"right": "W", "right_spell": "counter_spell"},
    "BH C\nBH Fire storm": {"left": "C", "right": "C", "both_spell": "fire_storm"},
    "LH S\nLH counter_spell": {"left": "S", "left_spell": "counter_spell"},
    "LH S finger": {"left": "S", "left_spell": "finger_of_death"},
    "TARGET LH Ugly Mage": {"left_subject": "w1"},
    "target rh uglymage": {"right_subject": "w1"},
    'TARGET BH "Ugly Mage"': {"both_subject": "w1"},
    "TARGET BH “Ugly Mage”": {"both_subject": "w1"},
    "TARGET LH2 jean luc": {"left_subject2": "w2"},
    "TARGET LH GreenOgre": {"left_subject": "m1"},
    "TARGET LH #m1": {"left_subject": "m1"},
    "TARGET LH nowhere": {"left_subject": "nowhere"},
    "TARGET LH nobody": {"left_subject": "nowhere"},
    "TARGET RH:Merlyn UglyMage": {"victim:R:w0": "w1"},
    "TARGET RH Bh: Ugly Mage": {"right_subject": "BH:w1"},
    "TARGET LH RH2:uglymage": {"left_subject": "R2:w1"},
    "TARGET LH BANK:Merlyn": {"left_subject": "BANK:w0"},
    "TARGET RedGoblin no_one": {"victim:m0": "no_one"},
    "TARGET red goblin no one": {"victim:m0": "no_one"},
    "TARGET Red Goblin Ugly Mage": {"victim:m0": "w1"},
    "TARGET Red Goblin Blue Goblin": {"victim:m0": "m2"},
    'TARGET "Red Goblin" LH:"Ugly Mage"': {"victim:m0": "L:w1"},
    "TARGET LH:UglyMage GreenOgre": {"victim:L:w1": "m1"},
    "TARGET BANK:Merlyn Jean-Luc": {"victim:BANK:w0": "w2"},
    "TARGET2 Red Goblin Merlyn": {"victim2:m0": "w0"},
    "TARGET Red Goblin my attacker": {"victim:m0": "attacker"},
    "LH:Ugly Mage F": {"charmed:w1.L": "F"},
    "left: Ugly Mage F": {"charmed:w1.L": "F"},
    'L:"Ugly Mage" F': {"charmed:w1.L": "F"},
    "TARGET left Ugly Mage": {"left_subject": "w1"},
    "TARGET both2 right:merlyn": {"both_subject2": "R:w0"},
    "TARGET R:Merlyn Ugly Mage": {"victim:R:w0": "w1"},
    "BANK right2": {"bank": "R2"},
    "ANSWER paralysis left": {"answer:paralysis": "L"},
    "ANSWER charm person R": {"answer:charm_person": "R"},
    "rh2 : jeanluc stab": {"charmed2:w2.R": ">"},
    "BH:Jean-Luc P": {"charmed:w2.L": "P", "charmed:w2.R": "P"},
    "RELEASE": {"release": "yes"},
    "TARGET BANK Ugly Mage": {"release_subject": "w1"},
    "BANK LH2": {"bank": "L2"},
    "PERMANENT bh": {"permanency": "BH"},
    "SACRIFICE blue goblin": {"sacrifice": "m2"},
    "SACRIFICE RH:Merlyn": {"sacrifice": "R:w0"},
    "HOLD RH:Ugly Mage": {"held:w1": "R"},
    "hold left: ugly mage": {"held:w1": "L"},
    "HEART": {"heart": "yes"},
    "LH S RH W": {"left": "S", "right": "W"},
    "lh > rh -  # a remark": {"left": ">", "right": "-"},
    "TARGET Red Goblin me": {"victim:m0": "w0"},
    "TARGET LH yourself": {"left_subject": "w0"},
    "ANSWER elemental ICE": {"answer:elemental": "ice"},
    "ANSWER charm person rh": {"answer:charm_person": "R"},
    "ANSWER paralysis LH": {"answer:paralysis": "L"},
    "SAY Well met.  Draw! # not a remark": {"say": "Well met.  Draw! # not a remark"},
    "say: one\nSAY two": {"say": "one\ntwo"},
    'SAY "Halt!"': {"say": "Halt!"},
    'SAY "Halt!" he cried': {"say": '"Halt!" he cried'},
    r'SAY " a\r\n\"b\\"': {"say": ' a\r\n"b\\'},
    "": {},
    "\n  \r\n# a remark\n#another\r# and\rLH F  # one behind\n": {"left": "F"},
    "LH F\nLH F": {"left": "F"},
}


@pytest.mark.parametrize(
    ("text", "flat"), FIELDS_BY_TEXT.items(), ids=[repr(text) for text in FIELDS_BY_TEXT]
)
def test_text_is_read_as_these_fields(text: str, flat: dict[str, str]) -> None:
    """rules: turn:orders, F15-F22, F27"""
    assert read(text) == engine.orders.from_fields(flat)


def test_empty_text_gives_no_orders() -> None:
    assert parse_orders("\n# nothing\n", named_position(), ADA) == Orders()


def test_stated_fields_contain_only_what_the_text_mentions() -> None:
    assert stated_fields("LH F\nTARGET RH nowhere", named_position(), ADA) == {
        "left": "F",
        "right_subject": "nowhere",
    }


GESTURES_SO_FAR: dict[str, dict[str, object]] = {
    "charming": {"left": "PSD", "right": "---"},
    "one way to counter": {"left": "---", "right": "-WP"},
    "the other way": {"left": "---", "right": "-WW"},
    "clapped": {"left": "C", "right": "C"},
    "before a storm": {"left": "SWW", "right": "---"},
    "before a bolt": {"left": "WDD", "right": "---"},
    "fingers": {"left": "FF", "right": "S-"},
    "hasted": {"left": "S", "right": "-", "effects": {"haste": ONE_TURN}},
}
IMPLIED_GESTURES = (
    ("charming", "LH Charm Monster", "left=D left_spell=charm_monster"),
    ("one way to counter", "RH Counter-spell", "right=P right_spell=counter_spell"),
    ("the other way", "RH Counter-spell", "right=S right_spell=counter_spell"),
    ("clapped", "BH Magic Mirror", "left=W right=W both_spell=magic_mirror"),
    ("clapped", "LH W\nBH Magic Mirror", "left=W right=W both_spell=magic_mirror"),
    ("before a storm", "LH Fire Storm", "left=C right=C left_spell=fire_storm"),
    ("before a storm", "LH C\nLH Fire Storm", "left=C right=C left_spell=fire_storm"),
    ("before a bolt", "BH Lightning Bolt", "left=C right=C both_spell=lightning_bolt"),
    (
        "fingers", "RH Shield\nLH Paralysis",
        "left=F right=P left_spell=paralysis right_spell=shield",
    ),
    ("hasted", "LH Missile\nRH2 P\nLH2 W", "left=D left_spell=missile left2=W right2=P"),
    ("hasted", "LH S\nLH2 Missile", "left=S left2=D left_spell2=missile"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("past", "text", "fields"), IMPLIED_GESTURES, ids=[row[1] for row in IMPLIED_GESTURES]
)
def test_name_of_a_spell_implies_its_last_gesture(past: str, text: str, fields: str) -> None:
    """rules: F15"""
    position = named_position(GESTURES_SO_FAR[past])
    orders = read(text, position)
    assert orders == engine.orders.from_fields(dict(field.split("=") for field in fields.split()))
    assert engine.play.check(position, ADA, orders) == ()


def test_name_of_a_used_short_bolt_does_not_imply_a_clap() -> None:
    """rules: R18"""
    with pytest.raises(UnreadableOrders) as refused:
        read(
            "BH Lightning Bolt", named_position({"left": "WDD", "right": "---", "used_bolt": True})
        )
    assert refused.value.misreadings[0].code == "not_completed"


def test_every_ruleset_reads_spell_names_and_ids_and_bartles_names() -> None:
    for ruleset in RULESETS.values():
        position = named_position(ruleset=ruleset.id)
        for spell in ruleset.spells.values():
            for name in (spell.name, spell.id, spell.name.upper().replace(" ", "")):
                assert read(f"LH F\nRH F\nLH {name}", position).sets[0].spells["L"] == spell.id
    wizards = named_position(ruleset="wizards-1")
    assert read("LH D Magic Missile", wizards).sets[0].spells["L"] == "missile"
    assert read("LH D Missile", wizards).sets[0].spells["L"] == "missile"
    assert read("LH P Protection", wizards).sets[0].spells["L"] == "protection_from_evil"
    assert read("LH P Delayed Effect", wizards).sets[0].spells["L"] == "delayed_effect"


def test_kind_names_the_wizards_only_monster_of_that_kind() -> None:
    """Merlyn has a Red Goblin, a Green Ogre and a Blue Goblin; a White Goblin is Ugly Mage's."""
    assert read("TARGET ogre Ugly Mage").victims == {"m1": ("w1",)}
    assert read("TARGET LH ogre\nTARGET red goblin OGRE") == engine.orders.from_fields(
        {"left_subject": "m1", "victim:m0": "m1"}
    )
    with pytest.raises(engine.words.UnreadableOrders) as error:
        read("TARGET goblin Ugly Mage")
    assert "“goblin” could mean Red Goblin or Blue Goblin" in str(error.value)
    position = named_position(monster_kinds=("goblin", "fire"))
    position.monsters[1].controller = ""
    assert read("TARGET elemental Merlyn", position).victims == {"m1": ("w0",)}
    enemy = named_position(monster_kinds=("goblin", "goblin"))
    enemy.monsters[1].controller = "w1"
    assert read("TARGET goblin Ugly Mage", enemy).victims == {"m0": ("w1",)}
    enemy.monsters[0].state = "corpse"
    with pytest.raises(
        engine.words.UnreadableOrders
    ):  # the corpse, or a monster that may be charmed
        read("TARGET goblin Ugly Mage", enemy)


def test_release_can_name_the_banked_spell() -> None:
    """rules: F88"""
    position = named_position({"bank": "missile"})
    orders = read("RELEASE Missile\nTARGET BANK Jean-Luc", position)
    assert orders == engine.orders.from_fields({"release": "yes", "release_subject": "w2"})
    with pytest.raises(UnreadableOrders) as refused:
        read("RELEASE Fireball", position)
    assert refused.value.misreadings[0].text == "Your banked spell is Missile."


def test_blind_wizards_can_name_remembered_monsters() -> None:
    """A monster that has become invisible is still known by its name. rules: R94"""
    position = named_position(under_effects(blindness=ONE_TURN))
    gone = position.copy()
    del gone.monsters[1]
    for each in (position, gone):
        assert read("TARGET LH Green Ogre", each) == engine.orders.from_fields(
            {"left_subject": "m1"}
        )


def test_case_and_spacing_of_orders_as_text_do_not_matter() -> None:
    """An email in lower case with double spaces still gives the same orders."""
    chance = random.Random(3)
    position = named_position(begun("PSD"), {}, {})
    player = Player(chance, [c.pattern for c in position.rules.completables])
    for _ in range(200):
        orders = random_orders(position, ADA, player)
        text = write_orders(orders, position, ADA).lower().replace(" ", "  ")
        assert parse_orders(text, position, ADA) == orders, text
