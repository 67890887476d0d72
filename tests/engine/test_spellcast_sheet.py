"""Tests that a stepwise order sheet offers in advance what the program asks after the reveal.

rules: turn:stepwise, turn:answers, F30-F32
"""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings

import engine.orders
import engine.play
from engine.legality.hand_constraints import hand_limits
from engine.positions.position import DEAD, STANDING, STRICT, Position
from engine.questions import Question
from tests import daily
from tests.engine.random_duels import random_duel
from tests.engine.test_secrecy import ADA, BRAM, SEEDS

NO_DICE = engine.play.NoDice()
GOBLIN = {"kind": "goblin", "controller": ADA}


def position_of_duel(setup: dict[str, object], *options: str, wizards: int = 2) -> Position:
    names = ("Ada", "Bram", "Cleo")[:wizards]
    duellists = [engine.play.Duellist(name) for name in names]
    return engine.play.begin("spellcast-1", duellists, setup=setup, options=options)


def orders_from_keywords(**fields: str) -> engine.orders.Orders:
    return engine.orders.from_fields(
        {name.replace("__", ":"): value for name, value in fields.items()}
    )


def questions_in_strict_duel(
    position: Position, sealed: dict[str, engine.orders.Orders], dice: engine.play.AnyDice = NO_DICE
) -> Iterator[Question]:
    """Yield all questions that a strict duel would ask, given default answers."""
    strict = position.copy()
    strict.options = (STRICT,)
    answers: dict[str, str] = {}
    while batch := engine.play.questions(strict, sealed, answers, dice):
        yield from batch
        answers |= {question.id: question.default for question in batch}


def beings_of(position: Position) -> set[str]:
    """Return "nowhere" and all beings, dead or alive."""
    wizards = (wizard.id for wizard in position.wizards if wizard.standing in (STANDING, DEAD))
    return {"nowhere", *wizards, *(monster.id for monster in position.monsters)}


def is_legal(
    position: Position, question: Question, row: engine.orders.Orders, subject: str
) -> bool:
    """Return whether orders may name this subject for the spell in the question."""
    (hands,) = row.sets
    hands = replace(hands, subjects={question.hand: subject})
    return engine.play.check(position, question.wizard, replace(row, sets=(hands,))) == ()


@given(SEEDS)
@settings(max_examples=daily.examples(60))
def test_sheet_offers_the_same_subjects_as_the_recorded_program(seed: int) -> None:
    """The sheet offers the same subjects as the program, with the same default. rules: F30"""
    chance = random.Random(seed)
    count = chance.randint(2, 4)
    for step in random_duel(chance, wizards=count, turns=25, ruleset="spellcast-1"):
        position = step.position
        rows = {
            wizard: orders_from_keywords(left=own.sets[0].left, right=own.sets[0].right)
            for wizard, own in step.orders.items()
            if own.sets
        }
        for question in questions_in_strict_duel(position, rows, step.dice):
            if question.kind != "target" or question.hand == "BANK":
                continue
            sheet = engine.play.sheet(position, question.wizard, rows[question.wizard])
            offered = sheet.subjects[question.spell.partition("/")[0]]
            beings = {option for option in offered.options if ":" not in option}
            assert beings == {*question.options}
            assert offered.default == question.default
            # if someone else can change a hand, it may cast another spell. rules: R146
            own = position.wizard(question.wizard)
            assert hand_limits(position, own).changeable or not any(
                is_legal(position, question, rows[question.wizard], being)
                for being in beings_of(position) - beings
            )


def test_banked_spell_is_offered_with_the_programs_default() -> None:
    position = position_of_duel(
        {"wizards": [{"bank": "cure_light_wounds"}, {}], "monsters": [GOBLIN]}
    )
    sheet = engine.play.sheet(position, ADA, orders_from_keywords(release="yes"))
    assert sheet.bank is not None
    assert (sheet.bank.default, {*sheet.bank.options}) == (ADA, {ADA, BRAM, "m0", "nowhere"})


def test_strict_stepwise_sheet_offers_gestures_only() -> None:
    """Everything except gestures is asked later and cannot be ordered. rules: F32"""
    charm = {"charm_person": {"turns": 1, "caster": ADA, "hand": "L"}}
    setup = {
        "wizards": [{"left": "WF", "right": "--", "bank": "fireball"}, {"effects": charm}],
        "monsters": [GOBLIN],
    }
    position = position_of_duel(setup, STRICT)
    sheet = engine.play.sheet(position, ADA, orders_from_keywords(left="P"))
    assert sheet.is_gestures_only
    assert (sheet.subjects, sheet.monsters, sheet.charmed, sheet.bank) == ({}, (), (), None)
    assert [row.spell for row in sheet.sets[0].completions["P-"]] == [
        "cause_light_wounds", "shield",
    ]  # fmt: skip
    for field, value in {
        "left_spell": "shield", "left_subject": BRAM, "release": "yes", "victim__m0": BRAM,
        "charmed__w1.L": "P", "answer__paralysis": "L",
    }.items():  # fmt: skip
        (fault,) = engine.play.check(
            position, ADA, orders_from_keywords(left="P", **{field: value})
        )
        assert (fault.code, fault.field, fault.rule) == (
            "strict", field.replace("__", ":"), "turn:answers",
        )  # fmt: skip


@pytest.mark.parametrize("options", [(), (STRICT,)])
def test_second_of_two_stabs_is_dropped(options: tuple[str, ...]) -> None:
    """Both stabs are legal, but only the left one has a subject and is made. rules: R16"""
    position = position_of_duel({}, *options)
    both = orders_from_keywords(left=">", right=">")
    assert engine.play.check(position, ADA, both) == ()
    _, events = engine.play.resolve(position, {ADA: both}, {}, NO_DICE)
    assert [event.code for event in events if event.code == "knife_kept"] == ["knife_kept"]
    kinds = [question.id for question in questions_in_strict_duel(position, {ADA: both})]
    assert kinds == ["target:w0.L"]


def test_only_hasted_wizards_have_a_sheet_in_a_haste_phase() -> None:
    """The sheet has one set, and no monsters because they do not attack then. rules: R97"""
    haste = {"haste": {"turns": 2}}
    position = position_of_duel(
        {"wizards": [{"effects": haste}, {}], "monsters": [GOBLIN | {"controller": BRAM}, GOBLIN]}
    )
    assert engine.play.acting_wizards(position) == engine.play.deciding_wizards(position) == (ADA,)
    sheet = engine.play.sheet(position, ADA)
    assert [each.number for each in sheet.sets] == [1]
    assert (sheet.monsters, engine.play.sheet(position, BRAM).sets) == ((), ())
    (fault,) = engine.play.check(position, ADA, orders_from_keywords(left="P", left2="P"))
    assert (fault.field, fault.rule) == ("left2", "R97")
    after, _ = engine.play.resolve(position, {ADA: orders_from_keywords(left="P")}, {}, NO_DICE)
    assert (after.kind, after.turn) == ("normal", 1)
    assert engine.play.deciding_wizards(after) == (ADA, BRAM)
    assert [monster.attacks for monster in engine.play.sheet(after, ADA).monsters] == [1]


def test_hasted_monster_has_two_victims_to_choose_in_the_turn() -> None:
    """Nobody acts in the haste phase of a monster. rules: R97, R122"""
    hasted = GOBLIN | {"effects": {"haste": {"turns": 1}}}
    position = position_of_duel({"monsters": [hasted]})
    assert (position.kind, engine.play.acting_wizards(position)) == ("haste", ())
    after, _ = engine.play.resolve(position, {}, {}, NO_DICE)
    (monster,) = engine.play.sheet(after, ADA).monsters
    assert (monster.attacks, monster.default) == (2, BRAM)


@pytest.mark.parametrize(
    ("effects", "forced"),
    [
        ({"amnesia": {"turns": 1}}, ("D", "W")),
        ({"paralysis": {"turns": 1, "hand": "L", "letter": "S"}}, ("D", "")),
        ({"confusion": {"turns": 1, "permanent": True, "hand": "R", "letter": "C"}}, ("", "C")),
        ({"fear": {"turns": 1}}, ("", "")),
    ],
)
def test_stepwise_sheet_shows_forced_hands(
    effects: dict[str, object], forced: tuple[str, str]
) -> None:
    """The forced gestures depend on the last row actually made. rules: R80, R82, R87, R173"""
    position = position_of_duel(
        {"wizards": [{"left": "SD", "right": "-W", "effects": effects}, {}]}
    )
    (hands,) = engine.play.sheet(position, ADA).sets
    assert (hands.left.forced, hands.right.forced) == forced
    barred = [option.letter for option in hands.left.gestures if not option.allowed]
    if "fear" in effects:
        assert set(barred) == set("FSDC")
    after, _ = engine.play.resolve(position, {}, {}, NO_DICE)
    made = after.wizard(ADA)
    for letter, row in zip(forced, (made.left, made.right), strict=True):
        assert not letter or row[-1] == letter


def test_full_bank_can_still_capture_a_spell() -> None:
    """By default, the longest of the new spells is captured. rules: R103"""
    setup: dict[str, object] = {
        "wizards": [
            {"left": "WF", "right": "-S", "bank": "shield",
             "effects": {"delayed_effect": {"turns": 1}}},
            {},
        ],
    }  # fmt: skip
    position = position_of_duel(setup)
    own = orders_from_keywords(left="P", right="D")
    sheet = engine.play.sheet(position, ADA, own)
    (capture,) = sheet.captures
    assert (capture.kind, capture.default) == ("bank", "L")
    (question,) = [
        q for q in questions_in_strict_duel(position, {ADA: own}) if q.kind == "which_delay"
    ]
    assert {*question.options} == {hand for hand, _ in capture.candidates}
    for written, spell in (("", "cause_light_wounds"), ("R", "missile")):
        sealed = orders_from_keywords(left="P", right="D", bank=written) if written else own
        after, _ = engine.play.resolve(position, {ADA: sealed}, {}, NO_DICE)
        assert after.wizard(ADA).bank == spell


def test_charmer_writes_the_gesture_or_is_asked_after_the_reveal() -> None:
    """If the charmer wrote no gesture, the question has no preselected answer. rules: R86"""
    charm = {"charm_person": {"turns": 1, "caster": ADA, "hand": "R"}}
    position = position_of_duel({"wizards": [{}, {"effects": charm}]})
    (hand,) = engine.play.sheet(position, ADA).charmed
    assert (hand.key, hand.is_asked) == ("w1.R", True)
    written = {ADA: orders_from_keywords(**{"charmed:w1.R": "C"})}
    assert engine.play.questions(position, written, {}, NO_DICE) == ()
    (question,) = engine.play.questions(position, {}, {}, NO_DICE)
    assert (question.kind, question.wizard, question.is_preset) == ("charm_gesture", ADA, False)


@pytest.mark.parametrize(("turns", "told"), [(5, 3), (4, 3), (3, 3), (1, 1)])
def test_status_in_an_extra_phase_shows_the_turns_of_haste_that_follow(
    turns: int, told: int
) -> None:
    """Haste does not run down while the time-stopped wizards act. rules: R97"""
    position = position_of_duel({"wizards": [{"effects": {"haste": {"turns": turns}}}, {}]}).copy()
    position.kind, position.stopped = "extra", (BRAM,)
    status = engine.play.view(engine.play.History((), position), "all").status
    (effect,) = next(being.effects for being in status if being.id == ADA)
    assert effect.turns_left == told
