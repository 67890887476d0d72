"""Tests of errors for orders as text that cannot be read."""

import contextlib
import sys
from types import FrameType
from typing import Any, SupportsIndex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.orders
from engine.orders import MAX_MESSAGE_LENGTH
from engine.text_orders import naming
from engine.text_orders.naming import normalised_name
from engine.text_orders.notation import UnreadableOrders, parse_orders, write_orders
from engine.text_orders.order_parser import MAX_LINE_LENGTH, MAX_TEXT_LENGTH, _split_words
from tests import daily
from tests.engine.board import ADA, under_effects
from tests.engine.text_orders import ONE_TURN, named_position, read


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

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        nonlocal steps
        steps += event in ("call", "c_call")

    def normalise_and_count(words: str) -> str:
        nonlocal steps
        steps += len(words)
        return normalised_name(words)

    def steps_for(length: int) -> int:
        nonlocal steps
        start, again = line
        text = (start + (again or start) * length)[:length]
        steps = 0
        sys.setprofile(count_call)
        try:
            with contextlib.suppress(UnreadableOrders):
                read(text, position)
        finally:
            sys.setprofile(None)
        return steps

    monkeypatch.setattr(naming, "normalised_name", normalise_and_count)
    position = named_position()
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
    position = named_position(names=("Merlyn", "Ogre Ada", "Ada"), monster_kinds=("goblin", "ogre"))
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
    position = named_position(names=("Ada", "ADA", "A-da"))
    assert read("TARGET LH ADA", position) == engine.orders.from_fields({"left_subject": "w1"})
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET LH aDa", position)
    assert refused.value.misreadings[0].code == "ambiguous_name"


def test_text_of_blind_wizards_reveals_no_unknown_monsters() -> None:
    """The texts for blind wizards are the same whether or not an unknown monster exists.

    rules: R94, F56
    """
    alone = named_position(under_effects(blindness=ONE_TURN), monster_kinds=("goblin",))
    other = alone.copy()
    other.monsters.append(named_position().monsters[1].copy())
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
    position = named_position({"left": "FF", "right": "S-", "bank": "missile"})
    try:
        orders = read(text, position)
    except UnreadableOrders as refused:
        for each in refused.misreadings:
            assert 1 <= each.column <= len(each.source) + 1
            assert each.source in text
            assert each.text
    else:
        assert parse_orders(write_orders(orders, position, ADA), position, ADA) == orders
