"""Tests of the order sheet: hands, completed spells, subjects, monsters, banks and questions.

Names of beings: w0 Ada, w1 Bram, w2 Cleo, m0 the first monster.
"""

import pytest

import engine.orders
import engine.play
from engine.positions.position import Position
from engine.rulesets import BARTLE_1
from tests.engine.board import ADA, BRAM, begun, duel, event_codes, made, play_turn, under_effects
from tests.engine.rulebook import RULES

ONE_TURN: dict[str, object] = {"turns": 1}
NEW_DUEL = duel()
GOBLINS = ({"kind": "goblin", "controller": "w0"}, {"kind": "goblin", "controller": "w1"})


def sheet(position: Position, wizard: str = ADA, **draft: str) -> engine.play.Sheet:
    return engine.play.sheet(position, wizard, engine.orders.from_fields(draft))


def sheet_hand(
    position: Position, hand: str, *, wizard: str = ADA, number: int = 1
) -> engine.play.HandSheet:
    found = sheet(position, wizard).sets[number - 1]
    return found.left if hand == "L" else found.right


def allowed_letters(hand: engine.play.HandSheet) -> str:
    return "".join(option.letter for option in hand.gestures if option.allowed)


def completed_spells(position: Position, pair: str) -> list[tuple[str, str, bool]]:
    rows = sheet(position).sets[0].completions.get(pair, ())
    return [(row.hand, row.spell, row.default) for row in rows]


# Hands


def test_free_hand_can_make_all_eight_gestures() -> None:
    left = sheet_hand(NEW_DUEL, "L")
    assert allowed_letters(left) == "FPSWDC>-"
    assert (left.hand, left.forced, left.rule, left.reason, left.changeable) == (
        "L",
        "",
        "",
        "",
        "",
    )


def test_paralysed_hand_is_forced() -> None:
    position = duel(under_effects(paralysis={**ONE_TURN, "hand": "L", "letter": "F"}))
    left, right = sheet_hand(position, "L"), sheet_hand(position, "R")
    assert (left.forced, left.rule, allowed_letters(left)) == ("F", "spell:paralysis", "F")
    assert left.reason == "Paralysis makes this hand do F."
    assert {option.reason for option in left.gestures if not option.allowed} == {left.reason}
    assert (right.forced, allowed_letters(right)) == ("", "FPSWDC>-")


def test_amnesia_forces_both_hands_in_both_sets() -> None:
    """With only one known set, Amnesia repeats it in the second one too. rules: R82"""
    position = duel(under_effects(amnesia={**ONE_TURN, "sets": ["W>"]}, haste=ONE_TURN))
    for number in (1, 2):
        assert sheet_hand(position, "L", number=number).forced == "W"
        assert sheet_hand(position, "R", number=number).forced == ">"


def test_fear_forbids_gestures_and_states_the_reason() -> None:
    left = sheet_hand(duel(under_effects(fear=ONE_TURN)), "L")
    assert allowed_letters(left) == "PW>-"
    barred = [option for option in left.gestures if not option.allowed]
    assert {(option.rule, option.reason) for option in barred} == {
        ("R87", "You are afraid: only P, W, a stab or nothing.")
    }


def test_sheet_names_the_charmer_of_a_charmed_hand() -> None:
    position = duel(under_effects(charm_person={**ONE_TURN, "caster": "w1", "hand": "R"}))
    right = sheet_hand(position, "R")
    assert (right.changeable, right.rule) == ("charmed by Bram", "spell:charm_person")
    assert allowed_letters(right) == "FPSWDC>-"  # if Bram does not choose a gesture, Ada's counts
    assert sheet_hand(position, "L").changeable == ""


def test_sheet_marks_both_hands_of_a_confused_wizard_as_changeable() -> None:
    position = duel(under_effects(confusion=ONE_TURN))
    assert {sheet_hand(position, side).changeable for side in "LR"} == {"confused"}


def test_two_mind_spells_in_force_cancel_and_leave_hands_free() -> None:
    """rules: R79"""
    position = duel(
        under_effects(fear=ONE_TURN, paralysis={**ONE_TURN, "hand": "L", "letter": "F"})
    )
    assert (sheet_hand(position, "L").forced, allowed_letters(sheet_hand(position, "L"))) == (
        "",
        "FPSWDC>-",
    )


def test_permanent_confusion_repeats_its_first_gesture() -> None:
    """rules: R173"""
    held = {"permanent": True, "hand": "R", "letter": "C"}
    right = sheet_hand(duel(under_effects(confusion=held)), "R")
    assert (right.forced, right.changeable) == ("C", "")


# Completions


def test_sheet_lists_only_pairs_of_gestures_that_complete_a_spell() -> None:
    completions = sheet(duel(begun("S"))).sets[0].completions
    assert set(completions) == {
        *("D" + right for right in "FPSWDC>-"),
        *(left + "P" for left in "FPSWDC>-"),
        *("P" + right for right in "FPSWDC>-"),
    }
    assert completed_spells(duel(begun("S")), "D-") == [("L", "missile", True)]
    assert completed_spells(duel(begun("S")), "DP") == [
        ("L", "missile", True),
        ("R", "shield", True),
    ]
    assert completed_spells(duel(begun("S")), "W-") == []


def test_the_longest_spell_is_the_default_completion() -> None:
    position = duel(begun("WFPSF"))
    assert completed_spells(position, "W-") == [
        ("L", "summon_giant", True),
        ("L", "summon_troll", False),
        ("L", "summon_ogre", False),
        ("L", "summon_goblin", False),
    ]


def test_two_handed_spell_is_listed_once() -> None:
    assert completed_spells(duel(begun("C", "C")), "WW") == [("BH", "magic_mirror", True)]


def test_two_handed_spell_is_the_default_if_it_is_the_longest() -> None:
    """rules: R7"""
    position = duel(begun("DWWFWPPW", "------SW"))
    assert completed_spells(position, "SS") == [("BH", "invisibility", True)]
    position = duel(begun("PPW", "WW"))
    assert completed_spells(position, "SS") == [
        ("BH", "invisibility", True),
        ("R", "counter_spell", False),
    ]


def test_sheet_omits_a_used_short_bolt() -> None:
    assert completed_spells(duel(begun("WDD")), "CC") == [("BH", "lightning_bolt", True)]
    assert completed_spells(duel(begun("WDD", used_bolt=True)), "CC") == []
    assert completed_spells(duel(begun("DFFD", used_bolt=True)), "D-") == [
        ("L", "lightning_bolt", True)
    ]


def test_sheet_offers_only_spells_that_a_forced_hand_can_complete() -> None:
    position = duel(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}))
    assert {pair[0] for pair in sheet(position).sets[0].completions} == {"D"}


def test_spells_of_the_second_set_depend_on_the_drafted_first_set() -> None:
    position = duel(under_effects(haste=ONE_TURN))
    assert "D-" not in sheet(position).sets[1].completions
    second = sheet(position, left="S").sets[1]
    assert [row.spell for row in second.completions["D-"]] == ["missile"]
    assert [each.number for each in sheet(position).sets] == [1, 2]
    assert [each.number for each in sheet(NEW_DUEL).sets] == [1]


def test_completed_spells_have_the_spellbooks_names_and_rules() -> None:
    for rows in sheet(duel(begun("PWPFSSS"))).sets[0].completions.values():
        for row in rows:
            assert row.name == BARTLE_1.spells[row.spell].name
            assert row.rule in RULES


# Subjects


def test_subjects_and_defaults() -> None:
    subjects = sheet(duel(begun("S"), monsters=GOBLINS)).subjects
    assert subjects["missile"] == engine.play.SubjectChoice(
        ("w0", "w1", "m0", "m1", "L:w1", "R:w1", "nowhere"), "w1"
    )
    assert subjects["shield"].default == "w0"
    assert subjects["stab"] == engine.play.SubjectChoice(("w1", "m0", "m1", "L:w1", "R:w1"), "w1")
    assert set(subjects) == {"missile", "shield", "stab"}
    assert not any(known.is_for for known in subjects.values())
    assert sheet(duel(begun("SF"))).subjects["summon_goblin"].is_for


def test_storm_has_no_subject() -> None:
    assert sheet(duel(begun("SWW"))).subjects["fire_storm"] == engine.play.SubjectChoice((), "")


def test_summoned_elemental_must_have_a_target() -> None:
    position = duel(begun("CSWW", "C---"))
    assert "nowhere" not in sheet(position).subjects["summon_elemental"].options


def test_sheet_offers_corpses_only_for_spells_that_can_target_them() -> None:
    """rules: R39, R62"""
    position = duel(begun("WP"), monsters=[{"kind": "ogre", "state": "corpse"}])
    subjects = sheet(position).subjects
    assert "m0" in subjects["shield"].options
    assert "m0" not in subjects["counter_spell"].options
    assert "m0" not in subjects["stab"].options


def test_raise_dead_can_target_dead_wizards_but_not_surrendered_ones() -> None:
    position = duel(begun("DWWFW"), {"state": "dead"}, {"state": "surrendered"}, {})
    assert "w1" in sheet(position).subjects["raise_dead"].options
    assert "w2" not in sheet(position).subjects["raise_dead"].options


def test_default_opponent_of_three_wizards_is_the_next_seat() -> None:
    """rules: R13"""
    assert sheet(duel(seats=3), BRAM).subjects["stab"].default == "w2"
    assert sheet(duel(seats=3), "w2").subjects["stab"].default == "w0"
    assert sheet(duel({}, {"state": "dead"}, seats=3)).subjects["stab"].default == "w2"


def test_every_name_on_the_sheet_is_different() -> None:
    names = sheet(duel(begun("SF"), monsters=GOBLINS), left="W").beings
    assert names["w1"] == "Bram"
    assert names["L:w0"] == "the monster that your left hand may summon"
    assert names["R:w1"] == "the monster that Bram’s right hand may summon"
    assert names["nowhere"] == "nobody"
    assert names["no_one"] == "nobody (hold back)"
    assert "attacker" not in names
    assert len(set(names.values())) == len(names)


# Monsters


def test_sheet_lists_own_monsters() -> None:
    position = duel(monsters=[{**GOBLINS[0], "victim": "m1"}, GOBLINS[1]])
    (mine,) = sheet(position).monsters
    assert (mine.key, mine.attacks, mine.default, mine.note) == ("m0", 1, "m1", "")
    assert mine.options == ("w0", "w1", "m1", "L:w1", "R:w1", "no_one")
    assert mine.name == sheet(position).beings["m0"]


def test_monster_whose_victim_is_gone_attacks_the_opponent_by_default() -> None:
    position = duel(monsters=[{**GOBLINS[0], "victim": "m9"}])
    assert sheet(position).monsters[0].default == "w1"


def test_a_hasted_monster_has_two_attacks() -> None:
    position = duel(monsters=[{**GOBLINS[0], "effects": {"haste": ONE_TURN}}])
    assert sheet(position).monsters[0].attacks == 2


@pytest.mark.parametrize(
    "monster",
    [
        {"kind": "fire", "controller": "w0"},
        {"kind": "ogre", "state": "corpse"},
        {"kind": "ogre", "controller": "w1"},
        {"kind": "ogre"},
    ],
    ids=["elemental", "corpse", "another’s", "nobody’s"],
)
def test_sheet_omits_monsters_that_take_no_orders(monster: dict[str, object]) -> None:
    assert sheet(duel(monsters=[monster])).monsters == ()


def test_sheet_offers_orders_for_a_monster_being_summoned() -> None:
    """rules: R15"""
    position = duel(begun("SF"))
    assert sheet(position).monsters == ()
    (coming,) = sheet(position, left="W").monsters
    assert (coming.key, coming.default, coming.note) == ("L:w0", "w1", "if the summons succeeds")
    assert "L:w0" not in coming.options
    assert "L:w0" in sheet(position, left="W").subjects["summon_goblin"].options


def test_sheet_offers_orders_for_a_monster_summoned_by_a_released_spell() -> None:
    position = duel({"bank": "summon_ogre"})
    assert sheet(position).monsters == ()
    assert [monster.key for monster in sheet(position, release="yes").monsters] == ["BANK:w0"]


@pytest.mark.parametrize(
    ("ruleset", "bank", "is_offered"),
    [
        ("warlocks-1", "summon_ogre", True),
        ("warlocks-1", "fireball", False),
        ("bartle-1", "summon_ogre", False),  # the bank is secret
    ],
)
def test_sheet_offers_the_monster_of_an_opponents_public_bank_as_a_subject(
    ruleset: str, bank: str, is_offered: bool
) -> None:
    """rules: R14, R147, W34"""
    position = duel(begun("S"), {"bank": bank}, ruleset=ruleset)
    options = sheet(position, left="D").subjects["missile"].options
    assert ("BANK:w1" in options) is is_offered


def test_sheet_offers_orders_for_a_monster_being_charmed_or_raised() -> None:
    """rules: R15, R55, R123"""
    position = duel(begun("PSD"), monsters=GOBLINS)
    conditional = sheet(position, left="D", left_spell="charm_monster", left_subject="m1").monsters
    assert [(monster.key, monster.note) for monster in conditional] == [
        ("m0", ""), ("m1", "if Charm Monster succeeds"),
    ]  # fmt: skip
    position = duel(begun("DWWFW"), monsters=[{"kind": "ogre", "state": "corpse"}])
    (raised,) = sheet(position, left="C", right="C", both_subject="m0").monsters
    assert (raised.key, raised.note) == ("m0", "if Raise Dead succeeds")


# Charmed hands, banks and open windows


def test_charmers_sheet_shows_the_charmed_hand() -> None:
    charmed = under_effects(
        charm_person={**ONE_TURN, "caster": "w0", "hand": "R"}, haste={"turns": 2}
    )
    assert sheet(duel({}, charmed)).charmed == (engine.play.CharmedHand("w1", "R", 2, "w1.R"),)
    assert sheet(duel({}, charmed), BRAM).charmed == ()


def test_banked_spell_can_be_released() -> None:
    bank = sheet(duel({"bank": "missile"})).bank
    assert bank == engine.play.BankSheet(
        "missile", "Missile", ("w0", "w1", "L:w1", "R:w1", "nowhere"), "w1"
    )
    assert sheet(NEW_DUEL).bank is None


def test_open_delay_offers_the_spells_that_it_can_capture() -> None:
    """rules: R103, R172"""
    position = duel(begun("S", effects={"delayed_effect": {"turns": 3}}))
    assert sheet(position).captures == ()
    (capture,) = sheet(position, left="D", right="P").captures
    assert (capture.kind, capture.default) == ("bank", "L")
    assert capture.candidates == (("L", "missile"), ("R", "shield"))


def test_full_bank_offers_no_spells_to_capture() -> None:
    """rules: R104"""
    position = duel(begun("S", bank="shield", effects={"delayed_effect": {"turns": 3}}))
    assert sheet(position, left="D").captures == ()


def test_permanency_offers_only_enchantments_that_can_become_permanent() -> None:
    """rules: R107"""
    position = duel(begun("SW", "S", effects={"permanency": {"turns": 3}}))
    (capture,) = sheet(position, left="D", right="D").captures
    assert (capture.kind, capture.candidates) == ("permanency", (("L", "fear"),))
    assert sheet(position, right="D").captures == ()


# Questions answered in advance


def question_kinds(position: Position) -> list[str]:
    return [question.kind for question in sheet(position).advance]


def test_sheet_offers_the_questions_that_can_arise_this_turn() -> None:
    """Any wizard could summon an elemental for another, so its kind is always offered. rules: R9"""
    assert question_kinds(NEW_DUEL) == ["elemental"]
    assert question_kinds(duel(begun("FF"))) == ["elemental", "paralysis"]
    assert question_kinds(duel(begun("PSD"))) == ["elemental", "charm_person"]
    (first, *_) = sheet(NEW_DUEL).advance
    assert (first.field, first.options, first.default) == (
        "answer:elemental", ("fire", "ice"), "fire",
    )  # fmt: skip


def test_question_raised_by_the_draft_is_marked() -> None:
    """The page shows the marked question before the others. rules: R9"""

    def raised(position: Position, **draft: str) -> list[str]:
        return [each.kind for each in sheet(position, **draft).advance if each.is_raised]

    paralysing = duel(begun("FF"))
    assert raised(paralysing) == []
    assert raised(paralysing, left="F") == ["paralysis"]
    assert raised(paralysing, left="F", left_subject="nowhere") == []
    assert raised(paralysing, left="D") == []
    summoning = duel(begun("CSWW", "C---"))
    assert raised(summoning, left="S") == ["elemental"]
    assert raised(summoning, left="S", left_spell="counter_spell") == []
    banked = duel({"bank": "charm_person"})
    assert (raised(banked), raised(banked, release="yes")) == ([], ["charm_person"])


def test_sheet_offers_hasted_wizards_every_question_in_advance() -> None:
    assert question_kinds(duel(under_effects(haste=ONE_TURN))) == [
        "elemental",
        "paralysis",
        "charm_person",
    ]


def test_sheet_of_a_strict_duel_offers_no_questions_in_advance() -> None:
    assert question_kinds(duel(begun("FF"), options=["strict"])) == []


# Wizards who act, and wizards who must decide something


def test_all_wizards_still_in_the_duel_act_and_must_decide() -> None:
    position = duel({}, {"state": "dead"}, seats=3)
    assert (
        engine.play.acting_wizards(position)
        == engine.play.deciding_wizards(position)
        == ("w0", "w2")
    )
    assert (sheet(position, BRAM).acts, sheet(position, BRAM).decides) == (False, False)


def test_only_time_stopped_wizards_act_in_an_extra_turn() -> None:
    position, _ = play_turn(duel(begun("SPP"), under_effects(haste={"turns": 4})), ada=made("C C"))
    assert (position.kind, position.stopped) == ("extra", ("w0",))
    assert engine.play.acting_wizards(position) == engine.play.deciding_wizards(position) == ("w0",)
    assert len(sheet(position).sets) == 1
    assert sheet(position, BRAM).sets == ()
    after, _ = play_turn(position, ada=made("W W"))
    assert (after.kind, engine.play.acting_wizards(after)) == ("normal", ("w0", "w1"))


def test_sheet_lets_the_controller_command_a_time_stopped_monster() -> None:
    """rules: R98, R162"""
    position, _ = play_turn(
        duel(begun("SPP"), monsters=[GOBLINS[1]]), ada=made("C C", both_subject="m0")
    )
    assert (position.kind, position.stopped) == ("extra", ("m0",))
    assert engine.play.acting_wizards(position) == engine.play.deciding_wizards(position) == ("w1",)
    assert sheet(position, BRAM).sets == ()
    assert [monster.key for monster in sheet(position, BRAM).monsters] == ["m0"]


def test_wizard_with_nothing_to_decide_acts_but_need_not_seal_orders() -> None:
    position = duel(under_effects(amnesia={**ONE_TURN, "sets": ["WW"]}))
    assert engine.play.acting_wizards(position) == ("w0", "w1")
    assert engine.play.deciding_wizards(position) == ("w1",)
    stabber = duel(under_effects(amnesia={**ONE_TURN, "sets": ["W>"]}))
    assert ADA in engine.play.deciding_wizards(stabber)  # Ada chooses the victim of her stab
    caster = duel(begun("S", effects={"amnesia": {**ONE_TURN, "sets": ["DW"]}}))
    assert ADA in engine.play.deciding_wizards(caster)  # Ada chooses the subject of her spell
    commander = duel(under_effects(amnesia={**ONE_TURN, "sets": ["WW"]}), monsters=GOBLINS)
    assert ADA in engine.play.deciding_wizards(commander)


def test_turn_in_which_nobody_decides_anything_can_be_played_at_once() -> None:
    forgetful = under_effects(amnesia={**ONE_TURN, "sets": ["WW"]})
    position = duel(forgetful, forgetful)
    assert engine.play.deciding_wizards(position) == ()
    after, events = play_turn(position)
    assert after.turn == 2
    assert event_codes(events, "overridden") == ["overridden"] * 4


def test_nobody_acts_in_a_finished_duel() -> None:
    over, _ = engine.play.resign(duel({"bank": "missile"}), BRAM)
    assert engine.play.acting_wizards(over) == engine.play.deciding_wizards(over) == ()
    assert sheet(over).acts is False
    assert (sheet(over).sets, sheet(over).bank) == ((), None)


# Default orders at a deadline


def test_default_orders_make_no_gesture() -> None:
    orders = engine.play.default_orders(NEW_DUEL, ADA)
    assert engine.orders.fields(orders) == {"left": "-", "right": "-"}


def test_default_orders_give_forced_spells_no_target() -> None:
    """rules: R8, promise 9"""
    position = duel(begun("S", effects={"paralysis": {**ONE_TURN, "hand": "L", "letter": "D"}}))
    assert (
        engine.orders.fields(engine.play.default_orders(position, ADA))["left_subject"] == "nowhere"
    )
    after, _ = engine.play.resolve(
        position, {ADA: engine.play.default_orders(position, ADA)}, {}, engine.play.NoDice()
    )
    assert after.wizard(BRAM).damage == 0


def test_default_orders_cast_a_forced_storm_at_everyone() -> None:
    position = duel(begun("SWW", effects={"amnesia": {**ONE_TURN, "sets": ["CC"]}}))
    orders = engine.play.default_orders(position, ADA)
    after, _ = engine.play.resolve(position, {ADA: orders}, {}, engine.play.NoDice())
    assert [wizard.damage for wizard in after.wizards] == [5, 5]


@pytest.mark.parametrize("wizard", ["w2", "m0", ""])
def test_sheet_raises_key_error_for_an_unknown_wizard(wizard: str) -> None:
    with pytest.raises(KeyError):
        engine.play.sheet(NEW_DUEL, wizard)


def test_invalid_gesture_in_a_draft_is_ignored() -> None:
    """A draft can contain any text while the player fills in the form."""
    draft = engine.orders.Orders((engine.orders.HandSet("?", "D"),))
    assert engine.play.sheet(duel(begun("", "S")), ADA, draft).monsters == ()
