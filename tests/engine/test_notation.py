"""Tests of orders as text: reading them, errors for unreadable lines, and round trips."""

import contextlib
import random
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, SupportsIndex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
import engine.words
from engine.orders import MAX_MESSAGE_LENGTH, Orders
from engine.positions.position import Position
from engine.rulesets import RULESETS
from engine.text_orders import naming
from engine.text_orders.naming import normalised_name
from engine.text_orders.notation import UnreadableOrders, parse_orders, stated_fields, write_orders
from engine.text_orders.order_parser import MAX_LINE_LENGTH, MAX_TEXT_LENGTH, _split_words
from tests import daily
from tests.engine.board import ADA, Row, begun, under_effects
from tests.engine.random_duels import Player, random_duel, random_orders
from tests.engine.test_orders import FULL_ORDERS

MAGES = ("Merlyn", "Ugly Mage", "Jean-Luc")
BEASTS = ("goblin", "ogre", "goblin")
ONE_TURN: dict[str, object] = {"turns": 1}


def table(
    *wizards: Row,
    ruleset: str = "bartle-1",
    names: tuple[str, ...] = MAGES,
    beasts: tuple[str, ...] = BEASTS,
) -> Position:
    """Return a position with Merlyn as w0, a Red Goblin, a Green Ogre and a Blue Goblin."""
    monsters = [{"kind": kind, "controller": "w0"} for kind in beasts]
    setup = {"wizards": list(wizards), "monsters": monsters}
    return engine.play.begin(ruleset, [engine.play.Duellist(name) for name in names], setup=setup)


def read(text: str, position: Position | None = None) -> Orders:
    return parse_orders(text, position or table(), ADA)


# The meaning of each line

LINES = {
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


@pytest.mark.parametrize(("text", "flat"), LINES.items(), ids=[repr(text) for text in LINES])
def test_text_is_read_as_these_fields(text: str, flat: dict[str, str]) -> None:
    """rules: turn:orders, F15-F22, F27"""
    assert read(text) == engine.orders.from_fields(flat)


def test_empty_text_gives_no_orders() -> None:
    assert parse_orders("\n# nothing\n", table(), ADA) == Orders()


def test_stated_fields_contain_only_what_the_text_mentions() -> None:
    assert stated_fields("LH F\nTARGET RH nowhere", table(), ADA) == {
        "left": "F",
        "right_subject": "nowhere",
    }


# Spell names that imply the gesture

HISTORIES: dict[str, dict[str, object]] = {
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
    position = table(HISTORIES[past])
    orders = read(text, position)
    assert orders == engine.orders.from_fields(dict(field.split("=") for field in fields.split()))
    assert engine.play.check(position, ADA, orders) == ()


def test_name_of_a_used_short_bolt_does_not_imply_a_clap() -> None:
    """rules: R18"""
    with pytest.raises(UnreadableOrders) as refused:
        read("BH Lightning Bolt", table({"left": "WDD", "right": "---", "used_bolt": True}))
    assert refused.value.misreadings[0].code == "not_completed"


def test_every_ruleset_reads_spell_names_and_ids_and_bartles_names() -> None:
    for ruleset in RULESETS.values():
        position = table(ruleset=ruleset.id)
        for spell in ruleset.spells.values():
            for name in (spell.name, spell.id, spell.name.upper().replace(" ", "")):
                assert read(f"LH F\nRH F\nLH {name}", position).sets[0].spells["L"] == spell.id
    wizards = table(ruleset="wizards-1")
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
    position = table(beasts=("goblin", "fire"))
    position.monsters[1].controller = ""
    assert read("TARGET elemental Merlyn", position).victims == {"m1": ("w0",)}
    enemy = table(beasts=("goblin", "goblin"))
    enemy.monsters[1].controller = "w1"
    assert read("TARGET goblin Ugly Mage", enemy).victims == {"m0": ("w1",)}
    enemy.monsters[0].state = "corpse"
    with pytest.raises(
        engine.words.UnreadableOrders
    ):  # the corpse, or a monster that may be charmed
        read("TARGET goblin Ugly Mage", enemy)


def test_release_can_name_the_banked_spell() -> None:
    """rules: F88"""
    position = table({"bank": "missile"})
    orders = read("RELEASE Missile\nTARGET BANK Jean-Luc", position)
    assert orders == engine.orders.from_fields({"release": "yes", "release_subject": "w2"})
    with pytest.raises(UnreadableOrders) as refused:
        read("RELEASE Fireball", position)
    assert refused.value.misreadings[0].text == "Your banked spell is Missile."


# Unreadable lines


def test_error_names_a_monster_that_does_not_exist() -> None:
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET Green Giant no one")
    text = refused.value.misreadings[0].text
    assert text.startswith("There is no monster “Green Giant”. Expected a hand")
    assert "as in RH:Merlyn." in text


LINE_FAULTS = {
    "foo": ("unknown_order", 1),
    "  X LH F": ("unknown_order", 3),
    "LH": ("nothing_ordered", 3),
    "LH  Q": ("unknown_spell", 5),
    "LH > Ugly Mage": ("unknown_spell", 6),
    "LH S RH Q": ("unknown_spell", 9),
    "LH S LH W": ("contradiction", 9),
    "LH ***": ("unknown_spell", 4),
    "LH D Cause": ("ambiguous_spell", 6),
    "BH Magic Mirror": ("not_completed", 4),
    "LH F\nRH Missile": ("not_completed", 4),
    "BH2 Magic Mirror": ("not_completed", 5),
    "TARGET": ("unknown_monster", 7),
    "TARGET LH": ("no_name", 10),
    "TARGET LH Frodal": ("unknown_name", 11),
    "TARGET LH ***": ("unknown_name", 11),
    "TARGET LH #m7": ("unknown_name", 11),
    "TARGET LH #goblin": ("unknown_name", 11),
    "TARGET LH RH:Frodal": ("unknown_name", 11),
    "TARGET LH RH:Red Goblin": ("unknown_name", 11),
    "TARGET LH BANK2:Merlyn": ("unknown_name", 11),
    "TARGET LH attacker": ("unknown_name", 11),
    'TARGET LH "nowhere"': ("unknown_name", 11),
    "TARGET Goblin Ugly Mage": ("ambiguous_name", 8),
    "TARGET LH goblin": ("ambiguous_name", 11),
    "TARGET Troll Ugly Mage": ("unknown_monster", 8),
    "TARGET Ugly Mage Merlyn": ("unknown_monster", 8),
    "TARGET2 LH Merlyn": ("unknown_monster", 9),
    "TARGET Red Goblin": ("unknown_name", 18),
    "TARGET Red Goblin Frodal": ("unknown_name", 19),
    "LH:": ("nothing_ordered", 4),
    "left:": ("nothing_ordered", 6),
    "L : Ugly Mage": ("no_gesture", 10),
    "left Q": ("unknown_spell", 6),
    "leftish F": ("unknown_order", 1),
    "L:Frodal F": ("unknown_name", 1),
    "LH:Frodal F": ("unknown_name", 1),
    "LH:Red Goblin F": ("unknown_name", 1),
    "LH:Ugly Mage": ("no_gesture", 9),
    "RELEASE Missile": ("not_banked", 9),
    "BANK": ("no_hand", 5),
    "BANK leftish": ("no_hand", 6),
    "PERMANENT BANK": ("no_hand", 11),
    "SACRIFICE": ("no_name", 10),
    "HOLD": ("no_hand", 5),
    "HOLD Ugly Mage": ("no_hand", 6),
    "HOLD BH:Ugly Mage": ("no_hand", 6),
    "HOLD RH:Red Goblin": ("unknown_name", 6),
    "HEART of stone": ("unknown_order", 7),
    "SACRIFICE Ugly Mage": ("unknown_name", 11),
    "ANSWER": ("no_question", 7),
    "ANSWER LH": ("no_question", 8),
    "ANSWER fear LH": ("no_question", 8),
    "ANSWER paralysis both": ("no_answer", 18),
    "SAY": ("no_words", 4),
    'SAY ""': ("no_words", 5),
    "SAY a\0b": ("no_letter", 5),
    "SAY a\ud800b": ("no_letter", 5),
    "SAY " + "x" * (MAX_MESSAGE_LENGTH + 1): ("too_long", 5),
    "LH" + " " * MAX_LINE_LENGTH + "F": ("too_long", 1),
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "place"), LINE_FAULTS.items(), ids=[repr(text)[:30] for text in LINE_FAULTS]
)
def test_unreadable_text_is_reported_with_line_and_column(
    text: str, place: tuple[str, int]
) -> None:
    source = text.split("\n")[-1]
    with pytest.raises(UnreadableOrders) as refused:
        read(text + "\nTARGET RH Merlyn")
    (misreading,) = refused.value.misreadings
    assert (misreading.code, misreading.column) == place
    assert (misreading.line, misreading.source) == (text.count("\n") + 1, source)
    assert misreading.text.endswith(".")
    assert misreading.rule == "turn:orders"


def test_all_unreadable_lines_are_reported_together() -> None:
    text = "LH Q\nRH F\nRH W\n\nTARGET LH Frodal\nSAY fine\nBH2 Haste\nfoo"
    with pytest.raises(UnreadableOrders) as refused:
        read(text)
    found = [(each.line, each.code) for each in refused.value.misreadings]
    assert found == [
        (1, "unknown_spell"), (3, "contradiction"), (5, "unknown_name"), (7, "not_completed"),
        (8, "unknown_order"),
    ]  # fmt: skip
    assert "line 3: Line 2 already gives another order for this." in str(refused.value)


def test_text_that_is_too_long_is_rejected() -> None:
    with pytest.raises(UnreadableOrders) as refused:
        read("#\n" * MAX_TEXT_LENGTH)
    assert [each.code for each in refused.value.misreadings] == ["too_long"]


HOSTILE_LINES = (
    ("“", ""), ('a"', ""), ("TARGET ", "a "), ("TARGET ", "* "), ("TARGET LH ", "é"), ("LH ", ": "),
    ("TARGET ", "RH:"), ("LH:", "a "), ("BH ", " "), ("SAY \0", " #"), ("SACRIFICE ", "# "),
    ("RELEASE ", "magic "), ("TARGET Red Goblin ", "Red Goblin "),
)  # fmt: skip


@pytest.mark.parametrize("line", HOSTILE_LINES, ids=[repr(line) for line in HOSTILE_LINES])
def test_steps_to_read_a_line_grow_no_faster_than_its_length(
    line: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a line that is twice as long takes at most twice the steps plus a fixed number."""
    steps = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal steps
        steps += event in ("call", "c_call")

    def counted_skeleton(words: str) -> str:
        nonlocal steps
        steps += len(words)
        return normalised_name(words)

    def steps_for(length: int) -> int:
        nonlocal steps
        start, again = line
        text = (start + (again or start) * length)[:length]
        steps = 0
        sys.setprofile(counted)
        try:
            with contextlib.suppress(UnreadableOrders):
                read(text, position)
        finally:
            sys.setprofile(None)
        return steps

    monkeypatch.setattr(naming, "normalised_name", counted_skeleton)
    position = table()
    steps_for(MAX_LINE_LENGTH)  # fills caches
    some, more, most = (
        steps_for(length)
        for length in (MAX_LINE_LENGTH // 4, MAX_LINE_LENGTH // 2, MAX_LINE_LENGTH)
    )
    assert most - more <= 2.5 * max(more - some, 200)
    with pytest.raises(UnreadableOrders) as refused:
        read((line[0] + line[1] * MAX_LINE_LENGTH)[:MAX_LINE_LENGTH] + "x")
    assert len(refused.value.misreadings[0].text) < 400


class CountedText(str):
    """A string that counts how often its characters are read."""

    looked_at = 0

    def __getitem__(self, place: SupportsIndex | slice) -> str:
        found = super().__getitem__(place)
        self.looked_at += len(found)
        return found

    def index(self, *arguments: Any) -> int:
        place = super().index(*arguments)
        self.looked_at += place - arguments[1] + 1
        return place

    def rfind(self, *arguments: Any) -> int:
        self.looked_at += len(self)
        return super().rfind(*arguments)


@pytest.mark.parametrize("letters", ["“", '"', "a“", "“a” ", '"a" ', "a ", " "])
def test_splitting_a_line_reads_each_character_only_a_few_times(letters: str) -> None:
    """Lines with unclosed quotation marks are split as quickly as other lines."""
    text = CountedText(letters * 8_000)
    words = [word.text for word in _split_words(text, 0)]
    assert len("".join(words)) <= len(text) <= text.looked_at <= 8 * len(text)


def test_limit_on_the_length_of_a_message_counts_all_its_lines() -> None:
    with pytest.raises(UnreadableOrders) as refused:
        read(f"SAY {'x' * 300}\nSAY {'y' * 300}\nSAY z")
    assert [each.line for each in refused.value.misreadings] == [2]


def test_ambiguous_line_is_rejected_with_a_hint_to_use_quotation_marks() -> None:
    position = table(names=("Merlyn", "Ogre Ada", "Ada"), beasts=("goblin", "ogre"))
    position.monsters[1].name = "Red Goblin Ogre"
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET Red Goblin Ogre Ada", position)
    assert refused.value.misreadings[0].code == "ambiguous_name"
    assert read('TARGET "Red Goblin" Ogre Ada', position) == engine.orders.from_fields(
        {"victim:m0": "w1"}
    )
    assert read('TARGET "Red Goblin" "Ogre Ada"', position) == engine.orders.from_fields(
        {"victim:m0": "w1"}
    )
    assert read('TARGET "Red Goblin Ogre" Ada', position) == engine.orders.from_fields(
        {"victim:m1": "w2"}
    )


def test_similar_names_are_distinguished_by_exact_spelling() -> None:
    position = table(names=("Ada", "ADA", "A-da"))
    assert read("TARGET LH ADA", position) == engine.orders.from_fields({"left_subject": "w1"})
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET LH aDa", position)
    assert refused.value.misreadings[0].code == "ambiguous_name"


# Round trips

ODD_NAMES = ("LH", "nowhere", 'The "Great"', "# 7", "#w0", "a\nb", "  ", "***")
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=list(map(chr, range(32))))
    | st.sampled_from('\n\r\t\\" #'),
    min_size=1,
    max_size=40,
)


def flat_orders(position: Position) -> st.SearchStrategy[dict[str, str]]:
    """Return a strategy for legal and illegal orders, as fields, with beings of this position."""
    wizards = [wizard.id for wizard in position.wizards]
    monsters = [monster.id for monster in position.monsters]
    hands = ["L", "R", "BH", "L2", "R2", "BH2", "BANK"]
    future = [f"{hand}:{wizard}" for hand in hands for wizard in wizards[:2]]
    beings = st.sampled_from([*wizards, *monsters, *future])
    letters = st.sampled_from("FPSWDC>-")
    captured = st.sampled_from(hands[:-1])
    values: dict[str, st.SearchStrategy[str]] = {
        "release": st.just("yes"), "release_subject": beings | st.just("nowhere"),
        "bank": captured, "permanency": captured, "say": WORDS,
        "sacrifice": st.sampled_from([*monsters, *future]),
        "answer:elemental": st.sampled_from(["fire", "ice"]),
        "answer:paralysis": st.sampled_from("LR"), "answer:charm_person": st.sampled_from("LR"),
    }  # fmt: skip
    spells = st.sampled_from(sorted(position.rules.spells))
    for suffix in ("", "2"):
        values |= {f"{side}{suffix}": letters for side in ("left", "right")}
        for side in ("left", "right", "both"):
            values[f"{side}_spell{suffix}"] = spells
            values[f"{side}_subject{suffix}"] = beings | st.just("nowhere")
        for key in (*monsters, *future):
            values[f"victim{suffix}:{key}"] = beings | st.sampled_from(["no_one", "attacker"])
        for wizard in wizards:
            values[f"charmed{suffix}:{wizard}.L"] = letters
            values[f"charmed{suffix}:{wizard}.R"] = letters
    return st.lists(st.sampled_from(sorted(values)), unique=True, max_size=12).flatmap(
        lambda names: st.fixed_dictionaries({name: values[name] for name in names})
    )


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("names", [MAGES, ODD_NAMES], ids=["usual names", "odd names"])
def test_written_orders_are_read_back_unchanged(ruleset: str, names: tuple[str, ...]) -> None:
    position = table(ruleset=ruleset, names=names)

    @given(flat_orders(position))
    @settings(max_examples=daily.examples(60))
    def both_ways(flat: dict[str, str]) -> None:
        orders = engine.orders.from_fields(flat)
        assert parse_orders(write_orders(orders, position, ADA), position, ADA) == orders

    both_ways()


def random_positions(chance: random.Random, ruleset: str) -> Iterator[tuple[Position, str, Orders]]:
    """Yield positions of a random duel with each wizard's orders, as played and with more
    choices."""
    for step in random_duel(chance, wizards=chance.randint(2, 4), turns=25, ruleset=ruleset):
        for wizard, orders in step.orders.items():
            yield step.position, wizard, orders
            yield step.position, wizard, with_other_choices(step.position, wizard, orders, chance)


def with_other_choices(
    position: Position, wizard: str, orders: Orders, chance: random.Random
) -> Orders:
    """Return these orders with every other choice that the sheet offers, if it is legal."""
    sheet = engine.play.sheet(position, wizard, orders)
    flat = engine.orders.fields(orders) | {"say": chance.choice(["Ha!", "One\nTwo", " \r\n"])}
    for hands in sheet.sets:
        suffix = "" if hands.number == 1 else "2"
        pair = flat.get("left" + suffix, "-") + flat.get("right" + suffix, "-")
        for completion in hands.completions.get(pair, ()):
            side = {"L": "left", "R": "right", "BH": "both"}[completion.hand]
            flat[f"{side}_spell{suffix}"] = completion.spell
    for monster in sheet.monsters:
        for number in range(1, monster.attacks + 1):
            name = f"victim{'' if number == 1 else number}:{monster.key}"
            flat[name] = chance.choice(monster.options)
    for charmed in sheet.charmed:
        flat |= {f"charmed{'' if n == 0 else 2}:{charmed.key}": "P" for n in range(charmed.sets)}
    for capture in sheet.captures:
        markable = capture.hands or [hand for hand, _ in capture.candidates]
        flat[capture.kind] = chance.choice(markable)
    for question in sheet.advance:
        flat[question.field] = chance.choice(question.options)
    full = engine.orders.from_fields(flat)
    for fault in engine.play.check(position, wizard, full):
        flat.pop(fault.field, None)
    return engine.orders.from_fields(flat)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_legal_orders_of_random_duels_round_trip_as_text(ruleset: str) -> None:
    """At least one wizard in these duels is blind. rules: turn:orders"""
    blind = charmed = future = 0
    for seed in daily.sample(range(30), 3, ruleset):
        for position, wizard, orders in random_positions(random.Random(seed), ruleset):
            text = write_orders(orders, position, wizard)
            assert parse_orders(text, position, wizard) == orders, text
            blind += "blindness" in position.wizard(wizard).effects
            charmed += bool(orders.charmed)
            future += any(":" in key for key in orders.victims)
    if daily.IS_WHOLE:
        assert min(blind, charmed, future) > 0


def test_orders_text_covers_every_field_of_orders() -> None:
    """`FULL_ORDERS` has every existing field. A field without a line in the text would be lost."""
    beasts = [{"kind": "goblin", "controller": "w0"}] * 4
    seated = [engine.play.Duellist(name) for name in MAGES]
    position = engine.play.begin("bartle-1", seated, setup={"monsters": beasts})
    assert (
        stated_fields(
            write_orders(engine.orders.from_fields(FULL_ORDERS), position, ADA), position, ADA
        )
        == FULL_ORDERS
    )


def test_orders_text_quotes_names_only_if_needed() -> None:
    flat = {
        "left": "D", "right": "-", "left_spell": "charm_monster", "left_subject": "R:w1",
        "victim:R:w1": "w2", "victim:m0": "no_one", "victim2:m0": "m2", "charmed2:w1.R": ">",
        "release": "yes", "release_subject": "w1", "bank": "L2", "permanency": "BH",
        "answer:charm_person": "R", "say": "Ha!\n# So be it",
    }  # fmt: skip
    assert write_orders(engine.orders.from_fields(flat), table(), ADA) == (
        "LH D\nRH -\nLH Charm Monster\nTARGET LH RH:Ugly Mage\n"
        "TARGET RH:Ugly Mage Jean-Luc\nTARGET Red Goblin no_one\nTARGET2 Red Goblin Blue Goblin\n"
        "RH2:Ugly Mage >\nRELEASE\nTARGET BANK Ugly Mage\nBANK LH2\nPERMANENT BH\n"
        "ANSWER charm person RH\nSAY Ha!\nSAY # So be it\n"
    )


def test_orders_text_can_be_written_for_a_draft_with_unknown_names() -> None:
    """A draft may be illegal. Its text contains unknown names, so it cannot be read back."""
    orders = engine.orders.from_fields(
        {"left_subject": "m 99\n", "left_spell": "no\nspell", "left": "F"}
    )
    text = write_orders(orders, table(), ADA)
    assert text == "LH F\nRH -\nLH no spell\nTARGET LH #m99\n"
    with pytest.raises(UnreadableOrders):
        parse_orders(text, table(), ADA)


# Secrecy


def test_text_of_blind_wizards_reveals_no_unknown_monsters() -> None:
    """The texts for blind wizards are the same whether or not an unknown monster exists.

    rules: R94, F56
    """
    alone = table(under_effects(blindness=ONE_TURN), beasts=("goblin",))
    other = alone.copy()
    other.monsters.append(table().monsters[1].copy())
    other.monsters[1].controller = "w1"
    texts = (
        "TARGET LH Green Ogre", "TARGET Green Ogre Merlyn", "TARGET LH #m1", "TARGET #m1 Merlyn",
        "TARGET Red Goblin Green Ogre", "TARGET Green",
    )  # fmt: skip
    for text in texts:
        answers = []
        for position in (alone, other):
            with pytest.raises(UnreadableOrders) as refused:
                read(text, position)
            answers.append(refused.value.misreadings)
        assert answers[0] == answers[1]
        assert "Green Ogre" not in answers[0][0].text.replace("“Green Ogre”", "")
    orders = engine.orders.from_fields({"left_subject": "m1"})
    assert "Green Ogre" not in write_orders(orders, other, ADA)


def test_blind_wizards_can_name_remembered_monsters() -> None:
    """A monster that has become invisible is still known by its name. rules: R94"""
    position = table(under_effects(blindness=ONE_TURN))
    gone = position.copy()
    del gone.monsters[1]
    for each in (position, gone):
        assert read("TARGET LH Green Ogre", each) == engine.orders.from_fields(
            {"left_subject": "m1"}
        )


def test_case_and_spacing_of_orders_as_text_do_not_matter() -> None:
    """An email in lower case with double spaces still gives the same orders."""
    chance = random.Random(3)
    position = table(begun("PSD"), {}, {})
    player = Player(chance, [c.pattern for c in position.rules.completables])
    for _ in range(200):
        orders = random_orders(position, ADA, player)
        text = write_orders(orders, position, ADA).lower().replace(" ", "  ")
        assert parse_orders(text, position, ADA) == orders, text


TOKENS = (
    "LH", "RH", "BH", "LH2", "BANK", "LH:", "left", "right:", "L", "L:", "both2", ":",
    "TARGET", "TARGET2", "RELEASE", "PERMANENT", "SAY",
    "ANSWER", "SACRIFICE", "Red Goblin", "goblin", "Merlyn", "Ugly", "Mage", "#m1", "#", '"', "“",
    "nowhere", "no_one", "attacker", "F", ">", "-", "Paralysis", "Fire", "charm", "ice", "\n", "\\",
    "\r\n", "\t", "\u2028", "é", "\0",
)  # fmt: skip
TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(TOKENS) | st.just(" "), max_size=14
).map(" ".join) | st.lists(st.sampled_from(TOKENS), max_size=14).map("".join)  # fmt: skip


@given(TEXTS)
@settings(max_examples=daily.examples(600))
def test_any_text_is_read_or_rejected_with_the_place_of_the_error(text: str) -> None:
    """Any text that players can type gives orders or errors, each with a place."""
    position = table({"left": "FF", "right": "S-", "bank": "missile"})
    try:
        orders = read(text, position)
    except UnreadableOrders as refused:
        for each in refused.misreadings:
            assert 1 <= each.column <= len(each.source) + 1
            assert each.source in text
            assert each.text
    else:
        assert parse_orders(write_orders(orders, position, ADA), position, ADA) == orders
