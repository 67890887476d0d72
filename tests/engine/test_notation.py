"""Orders as text: what a line means, what is answered to one that means nothing, and both ways."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.notation import UnreadableOrders, parse, stated, write
from engine.orders import MAX_WORDS, Orders
from engine.position import Position
from engine.reading import MAX_LINE, MAX_TEXT
from engine.rulesets import RULESETS
from tests.engine.board import ADA, Row, begun, under
from tests.engine.random_duels import Player, random_duel, random_orders
from tests.engine.test_orders import FULL

MAGES = ("Merlyn", "Ugly Mage", "Jean-Luc")
BEASTS = ("goblin", "ogre", "goblin")
NOW: dict[str, object] = {"turns": 1}


def table(
    *wizards: Row,
    ruleset: str = "bartle-1",
    names: tuple[str, ...] = MAGES,
    beasts: tuple[str, ...] = BEASTS,
) -> Position:
    """A position: Merlyn is w0; the monsters are a Red Goblin, a Green Ogre and a Blue Goblin."""
    monsters = [{"kind": kind, "controller": "w0"} for kind in beasts]
    setup = {"wizards": list(wizards), "monsters": monsters}
    return engine.begin(ruleset, [engine.Duellist(name) for name in names], setup=setup)


def read(text: str, position: Position | None = None) -> Orders:
    return parse(text, position or table(), ADA)


# What a line means

LINES = {
    "LH F": {"left": "F"},
    "rh >": {"right": ">"},
    "RH stab": {"right": ">"},
    "LH \N{EN DASH}": {"left": "-"},
    "lh Palm": {"left": "P"},
    "BH c": {"left": "C", "right": "C"},
    "LH2 w": {"left2": "W"},
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
    "rh2 : jeanluc stab": {"charmed2:w2.R": ">"},
    "BH:Jean-Luc P": {"charmed:w2.L": "P", "charmed:w2.R": "P"},
    "RELEASE": {"release": "yes"},
    "TARGET BANK Ugly Mage": {"release_subject": "w1"},
    "BANK LH2": {"bank": "L2"},
    "PERMANENT bh": {"permanency": "BH"},
    "SACRIFICE blue goblin": {"sacrifice": "m2"},
    "SACRIFICE RH:Merlyn": {"sacrifice": "R:w0"},
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
def test_what_a_text_means(text: str, flat: dict[str, str]) -> None:
    """rules: turn:orders, F15-F22, F27"""
    assert read(text) == engine.from_fields(flat)


def test_an_empty_text_orders_nothing_at_all() -> None:
    assert parse("\n# nothing\n", table(), ADA) == Orders()


def test_what_a_text_does_not_speak_of_is_not_stated() -> None:
    assert stated("LH F\nTARGET RH nowhere", table(), ADA) == {
        "left": "F",
        "right_subject": "nowhere",
    }


# A spell's name brings its gesture

PASTS: dict[str, dict[str, object]] = {
    "charming": {"left": "PSD", "right": "---"},
    "one way to counter": {"left": "---", "right": "-WP"},
    "the other way": {"left": "---", "right": "-WW"},
    "clapped": {"left": "C", "right": "C"},
    "before a storm": {"left": "SWW", "right": "---"},
    "before a bolt": {"left": "WDD", "right": "---"},
    "fingers": {"left": "FF", "right": "S-"},
    "hasted": {"left": "S", "right": "-", "effects": {"haste": NOW}},
}
BROUGHT = (
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


@pytest.mark.parametrize(("past", "text", "fields"), BROUGHT, ids=[row[1] for row in BROUGHT])
def test_a_spell_brings_the_gesture_that_completes_it(past: str, text: str, fields: str) -> None:
    """rules: F15"""
    position = table(PASTS[past])
    orders = read(text, position)
    assert orders == engine.from_fields(dict(field.split("=") for field in fields.split()))
    assert engine.check(position, ADA, orders) == ()


def test_a_bolt_that_is_used_brings_no_clap() -> None:
    """rules: R18"""
    with pytest.raises(UnreadableOrders) as refused:
        read("BH Lightning Bolt", table({"left": "WDD", "right": "---", "used_bolt": True}))
    assert refused.value.misreadings[0].code == "not_completed"


def test_each_ruleset_reads_its_own_names_the_ids_and_bartles() -> None:
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


def test_a_banked_spell_may_be_named() -> None:
    """rules: F88"""
    position = table({"bank": "missile"})
    orders = read("RELEASE Missile\nTARGET BANK Jean-Luc", position)
    assert orders == engine.from_fields({"release": "yes", "release_subject": "w2"})
    with pytest.raises(UnreadableOrders) as refused:
        read("RELEASE Fireball", position)
    assert refused.value.misreadings[0].text == "Your banked spell is Missile."


# What cannot be read

WRONG = {
    "foo": ("unknown_order", 1),
    "  X LH F": ("unknown_order", 3),
    "LH": ("nothing_ordered", 3),
    "LH  Q": ("unknown_spell", 5),
    "LH > Ugly Mage": ("unknown_spell", 6),
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
    "TARGET Goblin Ugly Mage": ("unknown_monster", 8),
    "TARGET Ugly Mage Merlyn": ("unknown_monster", 8),
    "TARGET2 LH Merlyn": ("unknown_monster", 9),
    "TARGET Red Goblin": ("unknown_name", 18),
    "TARGET Red Goblin Frodal": ("unknown_name", 19),
    "LH:F": ("no_gesture", 1),
    "LH: F": ("no_gesture", 5),
    "LH:Frodal F": ("unknown_name", 1),
    "LH:Red Goblin F": ("unknown_name", 1),
    "LH:Ugly Mage": ("no_gesture", 9),
    "RELEASE Missile": ("not_banked", 9),
    "BANK": ("no_hand", 5),
    "BANK left": ("no_hand", 6),
    "PERMANENT BANK": ("no_hand", 11),
    "SACRIFICE": ("no_name", 10),
    "SACRIFICE Ugly Mage": ("unknown_name", 11),
    "ANSWER": ("no_question", 7),
    "ANSWER LH": ("no_question", 8),
    "ANSWER fear LH": ("no_question", 8),
    "ANSWER paralysis left": ("no_answer", 18),
    "SAY": ("no_words", 4),
    'SAY ""': ("no_words", 5),
    "SAY a\0b": ("no_letter", 5),
    "SAY " + "x" * (MAX_WORDS + 1): ("too_long", 5),
    "LH" + " " * MAX_LINE + "F": ("too_long", 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "place"), WRONG.items(), ids=[repr(text)[:30] for text in WRONG])
def test_what_cannot_be_read_is_answered_in_its_place(text: str, place: tuple[str, int]) -> None:
    source = text.split("\n")[-1]
    with pytest.raises(UnreadableOrders) as refused:
        read(text + "\nTARGET RH Merlyn")
    (misreading,) = refused.value.misreadings
    assert (misreading.code, misreading.column) == place
    assert (misreading.line, misreading.source) == (text.count("\n") + 1, source)
    assert misreading.text.endswith(".")
    assert misreading.rule == "turn:orders"


def test_every_fault_is_told_at_once() -> None:
    text = "LH Q\nRH F\nRH W\n\nTARGET LH Frodal\nSAY fine\nBH2 Haste\nfoo"
    with pytest.raises(UnreadableOrders) as refused:
        read(text)
    found = [(each.line, each.code) for each in refused.value.misreadings]
    assert found == [
        (1, "unknown_spell"), (3, "contradiction"), (5, "unknown_name"), (7, "not_completed"),
        (8, "unknown_order"),
    ]  # fmt: skip
    assert "line 3: Line 2 has ordered something else here." in str(refused.value)


def test_a_text_too_long_to_read_is_refused_whole() -> None:
    with pytest.raises(UnreadableOrders) as refused:
        read("#\n" * MAX_TEXT)
    assert [each.code for each in refused.value.misreadings] == ["too_long"]


@pytest.mark.parametrize("line", ["“" * 1100, "TARGET " + "a " * 500, "TARGET LH " + "é" * 1100])
def test_a_malicious_line_is_answered_at_once(line: str) -> None:
    """A thousand characters take a fraction of a second, whatever they are."""
    with pytest.raises(UnreadableOrders) as refused:
        read(line)
    assert len(refused.value.misreadings[0].text) < 400


def test_words_of_several_lines_count_together() -> None:
    with pytest.raises(UnreadableOrders) as refused:
        read(f"SAY {'x' * 300}\nSAY {'y' * 300}\nSAY z")
    assert [each.line for each in refused.value.misreadings] == [2]


def test_a_line_that_can_be_read_in_two_ways_asks_for_quotation_marks() -> None:
    position = table(names=("Merlyn", "Ogre Ada", "Ada"), beasts=("goblin", "ogre"))
    position.monsters[1].name = "Red Goblin Ogre"
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET Red Goblin Ogre Ada", position)
    assert refused.value.misreadings[0].code == "ambiguous_name"
    assert read('TARGET "Red Goblin" Ogre Ada', position) == engine.from_fields({"victim:m0": "w1"})
    assert read('TARGET "Red Goblin" "Ogre Ada"', position) == engine.from_fields(
        {"victim:m0": "w1"}
    )
    assert read('TARGET "Red Goblin Ogre" Ada', position) == engine.from_fields({"victim:m1": "w2"})


def test_names_alike_are_told_apart_by_their_exact_spelling() -> None:
    position = table(names=("Ada", "ADA", "A-da"))
    assert read("TARGET LH ADA", position) == engine.from_fields({"left_subject": "w1"})
    with pytest.raises(UnreadableOrders) as refused:
        read("TARGET LH aDa", position)
    assert refused.value.misreadings[0].code == "ambiguous_name"


# Both ways

ODD_NAMES = ("LH", "nowhere", 'The "Great"', "# 7", "#w0", "a\nb", "  ", "***")
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters=list(map(chr, range(32))))
    | st.sampled_from('\n\r\t\\" #'),
    min_size=1,
    max_size=40,
)


def flat_orders(position: Position) -> st.SearchStrategy[dict[str, str]]:
    """Any flat form at all that names beings of this position, legal or not."""
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
def test_whatever_is_written_reads_as_the_same_orders(ruleset: str, names: tuple[str, ...]) -> None:
    position = table(ruleset=ruleset, names=names)

    @given(flat_orders(position))
    @settings(max_examples=60, deadline=None)
    def both_ways(flat: dict[str, str]) -> None:
        orders = engine.from_fields(flat)
        assert parse(write(orders, position, ADA), position, ADA) == orders

    both_ways()


def random_positions(chance: random.Random, ruleset: str) -> Iterator[tuple[Position, str, Orders]]:
    """Positions of a random duel with legal orders of each wizard who acts, as full as they get."""
    for step in random_duel(chance, wizards=chance.randint(2, 4), turns=25, ruleset=ruleset):
        for wizard, orders in step.orders.items():
            yield step.position, wizard, orders
            yield step.position, wizard, chosen(step.position, wizard, orders, chance)


def chosen(position: Position, wizard: str, orders: Orders, chance: random.Random) -> Orders:
    """The same orders with everything chosen that the sheet leaves open, as far as it is legal."""
    sheet = engine.sheet(position, wizard, orders)
    flat = engine.fields(orders) | {"say": chance.choice(["Ha!", "One\nTwo", " \r\n"])}
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
        flat[capture.kind] = chance.choice(capture.candidates)[0]
    for question in sheet.advance:
        flat[question.field] = chance.choice(question.options)
    full = engine.from_fields(flat)
    for fault in engine.check(position, wizard, full):
        flat.pop(fault.field, None)
    return engine.from_fields(flat)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_legal_orders_of_any_duel_go_both_ways(ruleset: str) -> None:
    """rules: turn:orders. Of the seeing and of the blind."""
    blind = charmed = future = 0
    for seed in range(30):
        for position, wizard, orders in random_positions(random.Random(seed), ruleset):
            text = write(orders, position, wizard)
            assert parse(text, position, wizard) == orders, text
            blind += "blindness" in position.wizard(wizard).effects
            charmed += bool(orders.charmed)
            future += any(":" in key for key in orders.victims)
    assert min(blind, charmed, future) > 0


def test_every_field_of_orders_has_its_line() -> None:
    """`FULL` holds every field that there is; one without a line would not come back."""
    beasts = [{"kind": "goblin", "controller": "w0"}] * 4
    seated = [engine.Duellist(name) for name in MAGES]
    position = engine.begin("bartle-1", seated, setup={"monsters": beasts})
    assert stated(write(engine.from_fields(FULL), position, ADA), position, ADA) == FULL


def test_the_text_is_as_plain_as_it_can_be() -> None:
    flat = {
        "left": "D", "right": "-", "left_spell": "charm_monster", "left_subject": "R:w1",
        "victim:R:w1": "w2", "victim:m0": "no_one", "victim2:m0": "m2", "charmed2:w1.R": ">",
        "release": "yes", "release_subject": "w1", "bank": "L2", "permanency": "BH",
        "answer:charm_person": "R", "say": "Ha!\n# So be it",
    }  # fmt: skip
    assert write(engine.from_fields(flat), table(), ADA) == (
        "LH D\nRH -\nLH Charm Monster\nTARGET LH RH:Ugly Mage\n"
        "TARGET RH:Ugly Mage Jean-Luc\nTARGET Red Goblin no_one\nTARGET2 Red Goblin Blue Goblin\n"
        "RH2:Ugly Mage >\nRELEASE\nTARGET BANK Ugly Mage\nBANK LH2\nPERMANENT BH\n"
        "ANSWER charm person RH\nSAY Ha!\nSAY # So be it\n"
    )


def test_a_draft_that_names_nobody_is_written_too() -> None:
    """A draft need not be legal; what it names in vain is refused when it is read."""
    orders = engine.from_fields({"left_subject": "m 99\n", "left_spell": "no\nspell", "left": "F"})
    text = write(orders, table(), ADA)
    assert text == "LH F\nRH -\nLH no spell\nTARGET LH #m99\n"
    with pytest.raises(UnreadableOrders):
        parse(text, table(), ADA)


# Secrecy


def test_the_blind_name_and_are_told_of_what_they_know_only() -> None:
    """rules: R94, F56. The same texts, whether what he does not know of exists or not."""
    alone = table(under(blindness=NOW), beasts=("goblin",))
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
    orders = engine.from_fields({"left_subject": "m1"})
    assert "Green Ogre" not in write(orders, other, ADA)


def test_the_blind_still_name_what_they_knew() -> None:
    """rules: R94. A monster that has gone unseen is named as before."""
    position = table(under(blindness=NOW))
    gone = position.copy()
    del gone.monsters[1]
    for each in (position, gone):
        assert read("TARGET LH Green Ogre", each) == engine.from_fields({"left_subject": "m1"})


def test_case_and_spacing_make_no_difference() -> None:
    """A mail with upper case gone and spaces doubled still reads as the same orders."""
    chance = random.Random(3)
    position = table(begun("PSD"), {}, {})
    player = Player(chance, [c.pattern for c in position.rules.completables])
    for _ in range(200):
        orders = random_orders(position, ADA, player)
        text = write(orders, position, ADA).lower().replace(" ", "  ")
        assert parse(text, position, ADA) == orders, text


TOKENS = (
    "LH", "RH", "BH", "LH2", "BANK", "LH:", ":", "TARGET", "TARGET2", "RELEASE", "PERMANENT", "SAY",
    "ANSWER", "SACRIFICE", "Red Goblin", "goblin", "Merlyn", "Ugly", "Mage", "#m1", "#", '"', "“",
    "nowhere", "no_one", "attacker", "F", ">", "-", "Paralysis", "Fire", "charm", "ice", "\n", "\\",
    "\r\n", "\t", "\u2028", "é", "\0",
)  # fmt: skip
TEXTS = st.text(max_size=60) | st.lists(
    st.sampled_from(TOKENS) | st.just(" "), max_size=14
).map(" ".join) | st.lists(st.sampled_from(TOKENS), max_size=14).map("".join)  # fmt: skip


@given(TEXTS)
@settings(max_examples=600, deadline=None)
def test_any_text_is_read_or_answered_in_its_place(text: str) -> None:
    """Nothing that anybody can type is an accident: it states orders, or each fault has a place."""
    position = table({"left": "FF", "right": "S-", "bank": "missile"})
    try:
        orders = read(text, position)
    except UnreadableOrders as refused:
        for each in refused.misreadings:
            assert 1 <= each.column <= len(each.source) + 1
            assert each.source in text
            assert each.text
    else:
        assert parse(write(orders, position, ADA), position, ADA) == orders
