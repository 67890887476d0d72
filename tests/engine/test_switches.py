"""Tests of single fields of rulesets and of spells' rows, each with every value.

Each ruleset here differs from a published one, mostly Bartle's, in that one field, so nothing
else can explain a different result. `test_rulesets.py` and the casebook test the values of the
published rulesets.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

import engine.orders
import engine.play
import engine.words
from engine.ids import future_being_id
from engine.positions.position import EXTRA, Monster, Position, Wizard
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.archmage import ARCHMAGE_1
from engine.rulesets.choices import (
    CaptureRule,
    DefaultVictim,
    FullBank,
    HandNamingTime,
    MissRule,
    OpponentRule,
    Preference,
    StoppedSightMode,
    TimeStopMode,
    TwoStabs,
)
from engine.rulesets.ruleset import Ruleset, make_ruleset
from engine.rulesets.spellcast import SPELLCAST_1
from engine.rulesets.unsupported_values import REQUIRED_VALUES
from engine.rulesets.warlocks import WARLOCKS_1
from engine.rulesets.wizards import WIZARDS_1
from engine.spellbook import (
    BARTLE_SPELLBOOK,
    AffectedBeings,
    DefaultSubject,
    Duration,
    LegalSubjects,
    VictimEffect,
    revised_spellbook,
)
from tests.engine.board import (
    ADA,
    BRAM,
    CLEO,
    Row,
    begun,
    duel,
    event_codes,
    made,
    play_turn,
    under_effects,
)

Rows = Mapping[str, Mapping[str, Any]]
TEST_RULESET = "trial-1"


@pytest.fixture
def publish_ruleset(monkeypatch: pytest.MonkeyPatch) -> object:
    """Return a function that publishes Bartle's rules, with changes, as `TEST_RULESET`."""

    def publish(rows: Rows | None = None, **switches: object) -> str:
        book = revised_spellbook(BARTLE_SPELLBOOK, rows or {})
        ruleset = make_ruleset(
            TEST_RULESET, name="Trial", description="For a test.", spells=book, **switches
        )
        monkeypatch.setitem(RULESETS, TEST_RULESET, ruleset)
        return TEST_RULESET

    return publish


def wizard(position: Position, id: str) -> Wizard:
    return position.wizard(id)


def monster(position: Position, id: str) -> Monster | None:
    being = position.being(id)
    return being if isinstance(being, Monster) else None


def causes(events: Sequence[engine.play.Event], code: str) -> list[str]:
    return [event.cause for event in events if event.code == code]  # type: ignore[union-attr]


# Elementals


@pytest.mark.parametrize(("subject_picks", "decider"), [(True, BRAM), (False, ADA)])
def test_ruleset_decides_who_chooses_the_element(
    publish_ruleset: Any, subject_picks: bool, decider: str
) -> None:
    """rules: R63"""
    ruleset = publish_ruleset(subject_picks_element=subject_picks)
    before = duel(begun("CSWW", "C---"), ruleset=ruleset)
    orders = {
        ADA: engine.orders.from_fields(
            made("S -", left_subject=BRAM, left_spell="summon_elemental")
        )
    }
    (question,) = engine.play.questions(before, orders, {}, engine.play.NoDice())
    assert question.wizard == decider


@pytest.mark.parametrize(("subject_picks", "offered"), [(True, {ADA, BRAM}), (False, {ADA})])
def test_ruleset_decides_who_can_name_the_element_in_advance(
    publish_ruleset: Any, subject_picks: bool, offered: set[str]
) -> None:
    """rules: R63, R9"""
    before = duel(
        begun("CSWW", "C---"), ruleset=publish_ruleset(subject_picks_element=subject_picks)
    )
    kinds = {id: {row.kind for row in engine.play.sheet(before, id).advance} for id in (ADA, BRAM)}
    assert {id for id, found in kinds.items() if "elemental" in found} == offered


def test_order_sheet_does_not_ask_for_an_element_fixed_by_the_spell() -> None:
    before = duel(begun("CSWW", "C---"), ruleset="wizards-1")
    for id in (ADA, BRAM):
        assert "elemental" not in {row.kind for row in engine.play.sheet(before, id).advance}


@pytest.mark.parametrize(
    ("merge", "damage", "told"), [(True, 0, ["merged"]), (False, 2, ["destroyed"])]
)
def test_ruleset_decides_whether_equal_elementals_merge(
    publish_ruleset: Any, merge: bool, damage: int, told: Sequence[str]
) -> None:
    """rules: R65"""
    hurt = {"kind": "fire", "controller": ADA, "damage": 2}
    before = duel(
        begun("CSWW", "C---"), monsters=[hurt], ruleset=publish_ruleset(elementals_merge=merge)
    )
    orders = made("S -", left_spell="summon_elemental", **{"answer:elemental": "fire"})
    after, events = play_turn(before, ada=orders)
    (kept,) = after.monsters
    assert (kept.id, kept.damage) == ("m0", damage)
    assert event_codes(events, "merged", "destroyed") == told
    assert wizard(after, ADA).damage == wizard(after, BRAM).damage == 3


@pytest.mark.parametrize("spell", ["remove_enchantment", "blindness", "invisibility"])
@pytest.mark.parametrize(
    ("works", "stays"), [(AffectedBeings.ALL, False), (AffectedBeings.EARTHLY, True)]
)
def test_ruleset_decides_whether_spells_for_monsters_affect_elementals(
    publish_ruleset: Any, spell: str, works: AffectedBeings, stays: bool
) -> None:
    """rules: R70"""
    ruleset = publish_ruleset({spell: {"works": works}})
    row = {"bank": spell}
    before = duel(row, monsters=[{"kind": "ice", "controller": BRAM}], ruleset=ruleset)
    after, events = play_turn(before, ada={"release": "yes", "release_subject": "m0"})
    assert (monster(after, "m0") is not None) == stays
    assert ("unsuitable" in causes(events, "failed")) == stays


def test_remove_enchantment_without_effect_on_elementals_leaves_haste_alone(
    publish_ruleset: Any,
) -> None:
    """An elemental keeps Haste cast in the same turn. rules: R70"""
    ruleset = publish_ruleset({"remove_enchantment": {"works": AffectedBeings.EARTHLY}})
    haste = begun("PWPWW", "----W")
    before = duel(
        {"bank": "remove_enchantment", **haste}, monsters=[{"kind": "ice"}], ruleset=ruleset
    )
    flat = made("C C", both_subject="m0", release="yes", release_subject="m0")
    after, _ = play_turn(before, ada=flat)
    kept = monster(after, "m0")
    assert kept is not None
    assert "haste" in kept.effects


# Removal and summons


@pytest.mark.parametrize(("unmakes", "left"), [(True, 0), (False, 1)])
def test_ruleset_decides_if_remove_enchantment_destroys_a_monster_being_summoned(
    publish_ruleset: Any, unmakes: bool, left: int
) -> None:
    """The summoned monster attacks first in any case. rules: R51"""
    ruleset = publish_ruleset(removal_unmakes_summons=unmakes)
    before = duel(begun("SF"), begun("PDW"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("W -"), bram=made("P -", left_subject=ADA))
    assert len(after.monsters) == left
    assert wizard(after, BRAM).damage == 1


# Minds


@pytest.mark.parametrize(("cancel", "bound"), [(False, True), (True, False)])
def test_ruleset_decides_if_a_mind_spell_in_force_blocks_another(
    publish_ruleset: Any, cancel: bool, bound: bool
) -> None:
    """rules: R78"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under_effects(fear={"turns": 1}), ruleset=ruleset)
    after, events = play_turn(before, ada=made("F -"))
    assert ("confusion" in wizard(after, BRAM).effects) == bound
    assert ("mind_in_force" in causes(events, "failed")) != bound


@pytest.mark.parametrize("cancel", [False, True])
def test_the_same_mind_spell_can_be_cast_while_in_force(publish_ruleset: Any, cancel: bool) -> None:
    """rules: R78"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("SW"), under_effects(fear={"turns": 1}), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("D -"))
    assert wizard(after, BRAM).effects["fear"].is_active(after.turn)


@pytest.mark.parametrize("cancel", [False, True])
def test_a_permanent_mind_spell_does_not_block_others(publish_ruleset: Any, cancel: bool) -> None:
    """rules: R78, R79"""
    ruleset = publish_ruleset(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under_effects(fear={"permanent": True}), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("F -"))
    assert "confusion" in wizard(after, BRAM).effects


# Released spells


@pytest.mark.parametrize(
    ("spell", "ignores", "damage"),
    [
        ("fireball", False, 0),
        ("fireball", True, 5),
        ("missile", True, 0),  # Counter-spell is a shield as well
        # Counter-spell does not stop the storm, but spares its subject. rules: R180
        ("ice_storm", True, 0),
    ],
)
def test_ruleset_decides_if_counter_spell_stops_a_released_spell(
    publish_ruleset: Any, spell: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel({"bank": spell}, begun("WP"), ruleset=ruleset)
    after, _ = play_turn(
        before, ada={"release": "yes"}, bram=made("P -", left_spell="counter_spell")
    )
    assert wizard(after, BRAM).damage == damage


@pytest.mark.parametrize(("ignores", "hurt"), [(False, BRAM), (True, ADA)])
def test_ruleset_decides_if_counter_spell_stops_a_released_mirror(
    publish_ruleset: Any, ignores: bool, hurt: str
) -> None:
    """If Counter-spell cannot stop releases, the mirror reflects the Finger of Death at its caster.

    rules: R37, R105
    """
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel(begun("PWPFSSS"), {"bank": "magic_mirror", **begun("WP")}, ruleset=ruleset)
    guards = made("P -", left_spell="counter_spell", release="yes")
    after, _ = play_turn(before, ada=made("D -", left_spell="finger_of_death"), bram=guards)
    assert [w.id for w in after.wizards if w.standing == "dead"] == [hurt]


@pytest.mark.parametrize(("ignores", "banked"), [(False, ""), (True, "cause_heavy_wounds")])
def test_released_delay_captures_a_spell_unless_counter_spell_stops_it(
    publish_ruleset: Any, ignores: bool, banked: str
) -> None:
    """Delayed Effect can capture a spell on the turn of its release. rules: R102, R105"""
    ruleset = publish_ruleset(release_ignores_counter=ignores)
    before = duel(begun("WPF"), {"bank": "delayed_effect"}, begun("WP"), ruleset=ruleset)
    after, _ = play_turn(
        before,
        ada=made("D -"),
        bram={"release": "yes", "release_subject": ADA},
        cleo=made("P -", left_spell="counter_spell", left_subject=ADA),
    )
    assert wizard(after, ADA).bank == banked


# Time stop


def time_stopped(ruleset: str) -> Position:
    after, _ = play_turn(duel(begun("SPP", "---"), ruleset=ruleset), ada=made("C C"))
    return after


@pytest.mark.parametrize(
    ("lasts", "turns"),
    [
        (Duration.INSTANT, [(1, "extra"), (2, "normal"), (3, "normal"), (4, "normal")]),
        (
            Duration.THREE_TURNS,
            [
                (2, "extra"),
                (2, "normal"),
                (3, "extra"),
                (3, "normal"),
                (4, "extra"),
                (4, "normal"),
                (5, "normal"),
            ],
        ),
    ],
)
def test_ruleset_decides_if_time_stop_gives_an_extra_turn_or_three_actions(
    publish_ruleset: Any, lasts: Duration, turns: Sequence[tuple[int, str]]
) -> None:
    """rules: R98, R99"""
    position = time_stopped(publish_ruleset({"time_stop": {"lasts": lasts}}))
    found = [(position.turn, position.kind)]
    while len(found) < len(turns):
        assert engine.play.acting_wizards(position) == (
            (ADA,) if position.kind == "extra" else (ADA, BRAM)
        )
        position, _ = play_turn(position)
        found.append((position.turn, position.kind))
    assert found == turns


LONG_TIME_STOP: Rows = {"time_stop": {"lasts": Duration.THREE_TURNS}}
USUAL_TIME_STOP: Rows = {}


@pytest.mark.parametrize("cause", ["remove_enchantment", "dispel_magic"])
def test_lasting_time_stop_can_be_removed_or_dispelled(publish_ruleset: Any, cause: str) -> None:
    """rules: R99"""
    ruleset = publish_ruleset(LONG_TIME_STOP)
    before = duel(under_effects(time_stop={"turns": 2}), {"bank": cause}, ruleset=ruleset)
    assert before.kind == "extra"
    between, _ = play_turn(before)
    assert (between.turn, between.kind) == (1, "normal")
    release = {"release": "yes", "release_subject": ADA}
    after, events = play_turn(between, bram=release)
    assert (after.turn, after.kind) == (2, "normal")
    assert cause in [e.cause for e in events if isinstance(e, engine.events.Removed)]


def test_setup_rejects_a_time_stop_in_force_if_the_ruleset_has_none(publish_ruleset: Any) -> None:
    with pytest.raises(engine.play.InvalidData, match="unknown effect 'time_stop'"):
        duel(under_effects(time_stop={"turns": 1}))
    assert duel(
        under_effects(time_stop={"turns": 1}), ruleset=publish_ruleset(LONG_TIME_STOP)
    ).stopped == (ADA,)


@pytest.mark.parametrize(("rows", "hurt"), [(USUAL_TIME_STOP, 0), (LONG_TIME_STOP, 1)])
def test_anti_spell_in_an_action_breaks_sequences_only_after_the_turn(
    publish_ruleset: Any, rows: Rows, hurt: int
) -> None:
    """An Anti-spell cast in an extra turn breaks sequences at once.

    In an action, which comes before its turn, it breaks them at the end of that turn.

    rules: R93, R169
    """
    ruleset = publish_ruleset(rows)
    if rows:
        before = duel(begun("SP", effects={"time_stop": {"turns": 1}}), begun("S"), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("S")}, begun(""), ruleset=ruleset)
        before, _ = play_turn(stopping, ada=made("P -", release="yes"), bram=made("S -"))
    assert before.kind == "extra"
    between, events = play_turn(before, ada=made("F -", left_spell="anti_spell"))
    assert ("broke" in event_codes(events)) == (not rows)
    after, events = play_turn(between, bram=made("D -"))
    assert wizard(after, ADA).damage == hurt
    assert ("broke" in event_codes(events)) == bool(rows)
    assert (wizard(after, BRAM).left == "") == bool(rows)


@pytest.mark.parametrize(("rows", "letter"), [(USUAL_TIME_STOP, "D"), (LONG_TIME_STOP, "P")])
def test_paralysis_in_an_action_holds_the_gesture_of_the_turn_after_it(
    publish_ruleset: Any, rows: Rows, letter: str
) -> None:
    """A paralysis cast in an extra turn repeats the gesture of the turn before it.

    R168, R169
    """
    ruleset = publish_ruleset(rows)
    if rows:
        before = duel(begun("FF", effects={"time_stop": {"turns": 1}}), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("F")}, ruleset=ruleset)
        before, _ = play_turn(stopping, ada=made("F -", release="yes"), bram=made("S -"))
    between, _ = play_turn(before, ada=made("F -", **{"answer:paralysis": "L"}))
    if rows:
        assert wizard(between, BRAM).effects["paralysis"].letter == ""
        between, _ = play_turn(between, bram=made("W -"))
    assert wizard(between, BRAM).effects["paralysis"].letter == letter
    assert wizard(between, BRAM).effects["paralysis"].is_active(between.turn)


def test_only_its_subject_sees_that_an_action_broke_sequences() -> None:
    """In an ordinary turn, everyone sees which sequences an Anti-spell breaks. rules: R121, R169"""
    stopped = begun("SP", effects={"time_stop": {"turns": 1}})
    before = duel(stopped, {}, {}, ruleset="archmage-1")
    between, secret = play_turn(before, ada=made("F -"))
    after, broken = play_turn(between)
    assert "broke" in event_codes(broken)
    turns = (engine.play.Turn(1, before, secret), engine.play.Turn(2, between, broken))
    views = {id: engine.play.view(engine.play.History(turns, after), id) for id in (BRAM, CLEO)}
    assert {id: view.turns[1].breaks for id, view in views.items()} == {BRAM: (BRAM,), CLEO: ()}
    open_before = duel(begun("SP"), {}, {}, ruleset="archmage-1")
    later, events = play_turn(open_before, ada=made("F -"))
    history = engine.play.History((engine.play.Turn(1, open_before, events),), later)
    assert engine.play.view(history, CLEO).turns[0].breaks == (BRAM,)


def test_amnesia_cast_in_an_extra_action_works_in_the_next_turn() -> None:
    """A wizard repeats the gestures of that turn, and a monster attacks its victim again.

    rules: R169, R155
    """
    stopped = {**begun("DP", "DP"), "effects": {"time_stop": {"turns": 1}}}
    goblin = {"kind": "goblin", "controller": BRAM}
    before = duel(stopped, {}, {}, monsters=[goblin], ruleset="archmage-1")
    flat = made("P P", left_spell="amnesia", left_subject=BRAM, right_spell="amnesia")
    between, _ = play_turn(before, ada={**flat, "right_subject": "m0"})
    # With two palms the wizard surrenders, but the spells still take effect.
    assert wizard(between, ADA).standing == "surrendered"
    after, _ = play_turn(between, bram={**made("W S"), "victim:m0": CLEO})
    assert wizard(after, BRAM).effects["amnesia"].sets == ("WS",)
    kept = monster(after, "m0")
    assert kept is not None
    assert kept.effects["amnesia"].sets == (CLEO,)


def test_charms_cast_in_an_action_and_in_the_turn_after_it_cancel() -> None:
    """An action counts as part of the turn after it, so the two charms conflict.

    rules: R76, R169
    """
    stopped = {**begun("PSD"), "effects": {"time_stop": {"turns": 1}}}
    before = duel(stopped, {}, begun("PSD"), ruleset="archmage-1")
    between, _ = play_turn(before, ada=made("F -", **{"answer:charm_person": "L"}))
    assert "charm_person" in wizard(between, BRAM).effects
    flat = made("F -", left_subject=BRAM, **{"answer:charm_person": "R"})
    after, events = play_turn(between, cleo=flat)
    assert "charm_person" not in wizard(after, BRAM).effects
    assert "minds_clashed" in event_codes(events)


def test_blind_wizard_names_the_gesture_of_a_hand_charmed_in_an_action() -> None:
    """The order sheet offers the hand one turn after the action's turn. rules: R81, R85, R169"""
    effects = {"time_stop": {"turns": 1}, "blindness": {"turns": 3}}
    before = duel({**begun("PSD"), "effects": effects}, ruleset="archmage-1")
    between, _ = play_turn(before, ada=made("F -", **{"answer:charm_person": "R"}))
    assert engine.play.sheet(between, ADA).charmed == ()
    after, _ = play_turn(between)
    assert [row.key for row in engine.play.sheet(after, ADA).charmed] == ["w1.R"]
    later, _ = play_turn(after)
    assert engine.play.sheet(later, ADA).charmed == ()


def test_actions_before_a_turn_do_not_shorten_effects() -> None:
    """rules: R98, R99"""
    effects = {"time_stop": {"turns": 1}, "disease": {"turns": 1}, "blindness": {"turns": 1}}
    before = duel({"effects": effects}, ruleset="archmage-1")
    between, _ = play_turn(before)
    assert (between.kind, set(wizard(between, ADA).effects)) == ("normal", set(effects))
    after, _ = play_turn(between)
    assert after.outcome == BRAM


def test_time_stopped_monster_attacks_both_before_the_turn_and_during_it() -> None:
    """rules: R99"""
    row = {"kind": "goblin", "controller": ADA, "effects": {"time_stop": {"turns": 1}}}
    before = duel(monsters=[row], ruleset="archmage-1")
    assert (before.kind, before.stopped, engine.play.acting_wizards(before)) == (
        "extra",
        ("m0",),
        (ADA,),
    )
    between, _ = play_turn(before)
    assert wizard(between, BRAM).damage == 1
    after, _ = play_turn(between)
    assert (wizard(after, BRAM).damage, after.turn, after.kind) == (2, 2, "normal")


@pytest.mark.parametrize("victims", [VictimEffect.LAST, VictimEffect.NOBODY])
def test_rule_for_victims_of_amnesiac_monsters_does_not_change_hands(
    publish_ruleset: Any, victims: VictimEffect
) -> None:
    """rules: R82, R83"""
    ruleset = publish_ruleset({"amnesia": {"victims": victims}})
    forgetting, _ = play_turn(duel(begun("DP"), ruleset=ruleset), ada=made("P -"), bram=made("W S"))
    after, _ = play_turn(forgetting, bram=made("- -"))
    assert wizard(after, BRAM).letters.endswith("WSWS")


# Windows


@pytest.mark.parametrize(
    ("lasts", "banked"), [(Duration.FOUR_TURNS, "missile"), (Duration.THREE_TURNS, "")]
)
def test_ruleset_decides_if_delayed_effect_banks_a_spell_of_its_own_turn(
    publish_ruleset: Any, lasts: Duration, banked: str
) -> None:
    """rules: R102"""
    ruleset = publish_ruleset({"delayed_effect": {"lasts": lasts}})
    before = duel(begun("DWSSS", "----S"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("P D", left_spell="delayed_effect"))
    assert wizard(after, ADA).bank == banked
    assert ("delayed_effect" in wizard(after, ADA).effects) == (not banked)


@pytest.mark.parametrize(
    ("lasts", "permanent"), [(Duration.FOUR_TURNS, True), (Duration.THREE_TURNS, False)]
)
def test_ruleset_decides_if_permanency_extends_a_spell_of_its_own_turn(
    publish_ruleset: Any, lasts: Duration, permanent: bool
) -> None:
    """rules: R102"""
    ruleset = publish_ruleset({"permanency": {"lasts": lasts}})
    before = duel(begun("SPFPSD", "---WW-"), ruleset=ruleset)
    before, _ = play_turn(duel(begun("SPFPSD", "----WW"), ruleset=ruleset), ada=made("W P"))
    assert wizard(before, ADA).effects["protection_from_evil"].permanent == permanent


@pytest.mark.parametrize(("keeps", "subject"), [(False, ""), (True, "m0")])
def test_ruleset_decides_if_a_bank_keeps_a_monster_being_made_as_subject(
    publish_ruleset: Any, keeps: bool, subject: str
) -> None:
    """rules: W34, R14"""
    ruleset = publish_ruleset(bank_keeps_subject=keeps)
    before = duel(
        begun("S", effects={"delayed_effect": {"turns": 2}}), begun("SF"), ruleset=ruleset
    )
    banking = made("D -", left_subject=future_being_id(BRAM, "L", 1))
    after, _ = play_turn(before, ada=banking, bram=made("W -"))
    assert (wizard(after, ADA).bank, wizard(after, ADA).bank_subject) == ("missile", subject)


# Subjects


@pytest.mark.parametrize(
    ("legal", "options"),
    [
        (LegalSubjects.ANY, [ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere"]),
        (LegalSubjects.WIZARDS, [ADA, BRAM, "nowhere"]),
        (LegalSubjects.OPPONENTS, [BRAM, "nowhere"]),
    ],
)
def test_ruleset_sets_the_legal_subjects_of_a_spell(
    publish_ruleset: Any, legal: LegalSubjects, options: list[str]
) -> None:
    """The order sheet offers exactly the subjects that `check` accepts. rules: R93"""
    ruleset = publish_ruleset({"anti_spell": {"legal": legal}})
    before = duel(begun("SP"), monsters=[{"kind": "ogre", "controller": BRAM}], ruleset=ruleset)
    flat = made("F -")
    offered = engine.play.sheet(before, ADA, engine.orders.from_fields(flat)).subjects["anti_spell"]
    assert [*offered.options] == options
    everybody = (ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere")
    assert options == [
        id
        for id in everybody
        if not engine.play.check(
            before, ADA, engine.orders.from_fields({**flat, "left_subject": id})
        )
    ]


@pytest.mark.parametrize(
    ("legal", "broken"), [(LegalSubjects.ANY, ADA), (LegalSubjects.OPPONENTS, BRAM)]
)
def test_forced_hand_keeps_its_written_subject_only_if_legal(
    publish_ruleset: Any, legal: LegalSubjects, broken: str
) -> None:
    """rules: R93, R146"""
    ruleset = publish_ruleset({"anti_spell": {"legal": legal}})
    charm = {"charm_person": {"turns": 1, "caster": BRAM, "hand": "L"}}
    before = duel(begun("SP", effects=charm), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -", left_subject=ADA), bram={"charmed:w0.L": "F"})
    assert [e.wizard for e in events if isinstance(e, engine.events.Broke)] == [broken]
    assert after.turn == 2


@pytest.mark.parametrize(("raises", "standing"), [(True, "standing"), (False, "dead")])
def test_ruleset_decides_if_raise_dead_can_target_dead_wizards(
    publish_ruleset: Any, raises: bool, standing: str
) -> None:
    """rules: R54"""
    ruleset = publish_ruleset({"raise_dead": {"on_dead_wizards": raises}})
    before = duel(begun("DWWFW"), {}, {"state": "dead"}, ruleset=ruleset)
    flat = made("C C", both_subject=CLEO)
    sheet = engine.play.sheet(before, ADA, engine.orders.from_fields(flat))
    assert (CLEO in sheet.subjects["raise_dead"].options) == raises
    if raises:
        before, _ = play_turn(before, ada=flat)
    assert wizard(before, CLEO).standing == standing


@pytest.mark.parametrize(("nowhere", "subject"), [(True, "nowhere"), (False, BRAM)])
def test_default_orders_give_forced_spells_no_target_if_legal(
    publish_ruleset: Any, nowhere: bool, subject: str
) -> None:
    """rules: R8"""
    ruleset = publish_ruleset({"missile": {"nowhere": nowhere}})
    held = {"paralysis": {"turns": 1, "hand": "L", "letter": "D"}}
    before = duel(begun("S", effects=held), ruleset=ruleset)
    after, events = engine.play.resolve(
        before, {ADA: engine.play.default_orders(before, ADA)}, {}, engine.play.NoDice()
    )
    assert [e.subject for e in events if isinstance(e, engine.events.Cast)] == [subject]
    assert wizard(after, BRAM).damage == (0 if nowhere else 1)


@pytest.mark.parametrize(
    ("default", "stripped"), [(DefaultSubject.SELF, ADA), (DefaultSubject.OPPONENT, BRAM)]
)
def test_ruleset_sets_the_default_subject_of_remove_enchantment(
    publish_ruleset: Any, default: DefaultSubject, stripped: str
) -> None:
    """rules: R11"""
    ruleset = publish_ruleset({"remove_enchantment": {"default": default}})
    before = duel(
        begun("PDW", effects={"resist_heat": {}}), under_effects(resist_heat={}), ruleset=ruleset
    )
    after, _ = play_turn(before, ada=made("P -"))
    assert [w.id for w in after.wizards if not w.effects] == [stripped]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_order_sheet_warns_about_charm_monster_without_a_monster(ruleset: str) -> None:
    """The default subject of Charm Monster is a wizard in every ruleset. rules: R12"""
    before = duel(begun("PSD"), ruleset=ruleset)
    subjects = engine.play.sheet(before, ADA, engine.orders.from_fields(made("D -"))).subjects
    note = "Charm Monster does nothing to a wizard: choose a monster."
    assert subjects["charm_monster"].note == note
    assert subjects["stab"].note == ""


# The order of cast events


def test_cast_events_follow_the_rulesets_log_order(publish_ruleset: Any) -> None:
    """The order of the events does not change what the spells do. rules: R26"""
    order = ("missile", "cause_light_wounds", *sorted(BARTLE_1.spells))
    told = []
    for switches in ({}, {"order_of_log": order}):
        before = duel(begun("WF"), begun("S"), ruleset=publish_ruleset(**switches))
        after, events = play_turn(
            before, ada=made("P -", left_spell="cause_light_wounds"), bram=made("D -")
        )
        told.append([e.spell for e in events if isinstance(e, engine.events.Cast)])
        assert [w.damage for w in after.wizards] == [1, 2]
    assert told == [["cause_light_wounds", "missile"], ["missile", "cause_light_wounds"]]


def test_log_order_of_each_ruleset_lists_every_spell_once() -> None:
    for ruleset in RULESETS.values():
        order = ruleset.order_of_log
        assert not order or sorted(order) == sorted(ruleset.spells)


# Sacrifice


OWN_TROLL = {"kind": "troll", "controller": ADA, "victim": BRAM}


def giving(options: Sequence[str], **more: object) -> Position:
    hands = begun("DWFF", "-WFF")
    return duel(hands, more, monsters=[OWN_TROLL], options=options, ruleset="wizards-1")


@pytest.mark.parametrize(
    ("options", "named", "damage", "left", "cause"),
    [
        ((), "", 3, 1, ["powerless"]),
        (("sacrifice",), "", 3, 1, ["nothing_given"]),
        (("sacrifice",), "m0", 6, 0, []),
    ],
)
def test_sacrifice_works_only_with_the_house_rule_and_a_named_monster(
    options: Sequence[str], named: str, damage: int, left: int, cause: list[str]
) -> None:
    """The sacrificed monster dies at the end of the turn, so it still attacks.

    rules: R24, R71
    """
    after, events = play_turn(giving(options), ada=made("D D", sacrifice=named))
    assert wizard(after, BRAM).damage == damage
    assert len(after.monsters) == left
    assert causes(events, "failed") == cause


def test_order_sheet_offers_monsters_for_sacrifice_under_the_house_rule() -> None:
    """rules: R24"""
    orders = engine.orders.from_fields(made("D D"))
    offered = engine.play.sheet(giving(("sacrifice",)), ADA, orders).sacrifice
    assert offered is not None
    assert (offered.options, offered.default) == (("m0",), "")
    assert engine.play.sheet(giving(()), ADA, orders).sacrifice is None
    assert engine.play.sheet(giving(("sacrifice",)), ADA).sacrifice is None
    notes = [
        engine.play.sheet(giving(options), ADA, orders).subjects["sacrifice"].note
        for options in ((), ("sacrifice",))
    ]
    assert notes == ["Sacrifice has no effect in this duel.", ""]
    assert engine.play.sheet(giving(("sacrifice",)), BRAM, orders).sacrifice is None


def test_reflected_sacrifice_costs_the_caster_a_monster_and_harms_the_caster() -> None:
    """rules: R24, R40"""
    before = giving(("sacrifice",), **begun("C", "C"))
    flat = {**made("D D", sacrifice="m0"), "victim:m0": "no_one"}
    after, _ = play_turn(before, ada=flat, bram=made("W W"))
    assert [w.damage for w in after.wizards] == [3, 0]
    assert after.monsters == []


def test_countered_sacrifice_does_not_destroy_a_monster() -> None:
    """rules: R24"""
    before = giving(("sacrifice",), **begun("WP"))
    after, _ = play_turn(
        before, ada=made("D D", sacrifice="m0"), bram=made("P -", left_spell="counter_spell")
    )
    assert (wizard(after, BRAM).damage, len(after.monsters)) == (0, 1)


def test_a_monster_can_be_sacrificed_only_once() -> None:
    """rules: R24"""
    hands = begun("DWFF", "-WFF", bank="sacrifice")
    before = duel(hands, monsters=[OWN_TROLL], options=["sacrifice"], ruleset="wizards-1")
    flat = {**made("D D", sacrifice="m0", release="yes"), "victim:m0": "no_one"}
    after, events = play_turn(before, ada=flat)
    assert wizard(after, BRAM).damage == 3
    assert causes(events, "failed") == ["nothing_given"]


def test_sacrifice_has_no_effect_if_the_monster_is_charmed_away() -> None:
    """Charm Monster takes effect before Sacrifice. rules: R24, R123"""
    before = giving(("sacrifice",), **begun("PSD"))
    after, events = play_turn(
        before, ada=made("D D", sacrifice="m0"),
        bram=made("D -", left_spell="charm_monster", left_subject="m0"),
    )  # fmt: skip
    assert "nothing_given" in causes(events, "failed")
    assert [w.damage for w in after.wizards] == [3, 0]


@pytest.mark.parametrize(
    ("options", "ruleset", "match"),
    [
        (["sacrifice"], "bartle-1", "bartle-1 has no sacrifice"),
        (["sacrifice"], "archmage-1", "archmage-1 has no sacrifice"),
        (["tea"], "wizards-1", "unknown option 'tea'"),
        (["parafc"], "bartle-1", "bartle-1 has no 'parafc'"),
        (["sacrifice"], "warlocks-1", "warlocks-1 has no sacrifice"),
    ],
)
def test_duel_accepts_only_options_of_its_ruleset(
    options: Sequence[str], ruleset: str, match: str
) -> None:
    with pytest.raises(engine.play.InvalidData, match=match):
        duel(options=options, ruleset=ruleset)


# Fields used by every order of play: one ruleset of each order, with one field changed

PLAYED_RULESETS: dict[str, Ruleset] = {
    "sealed": BARTLE_1,
    "stepwise": SPELLCAST_1,
    "numbered": WARLOCKS_1,
}
EVERY_PLAY = pytest.mark.parametrize("play", PLAYED_RULESETS)
SEALED_AND_STEPWISE_PLAYS = pytest.mark.parametrize("play", ["sealed", "stepwise"])


@pytest.fixture
def variant(monkeypatch: pytest.MonkeyPatch) -> object:
    """Return a function that publishes a ruleset with this order of play and changed fields."""

    def publish(play: str, **changes: Any) -> str:
        monkeypatch.setitem(
            RULESETS, TEST_RULESET, replace(PLAYED_RULESETS[play], id=TEST_RULESET, **changes)
        )
        return TEST_RULESET

    return publish


def stabbed_by_ada(position: Position, **more: str) -> list[int]:
    after, _ = play_turn(position, ada=made("> -", **more))
    return [wizard.damage for wizard in after.wizards]


@EVERY_PLAY
@pytest.mark.parametrize(
    ("opponent", "hit"),
    [(OpponentRule.NEXT_SEAT, [0, 0, 1]), (OpponentRule.LOWEST_SEAT, [1, 0, 0])],
)
def test_ruleset_sets_the_default_opponent(
    variant: Any, play: str, opponent: OpponentRule, hit: list[int]
) -> None:
    """Stabs, spells and monsters without a given target choose the default opponent. rules: R13"""
    ruleset = variant(play, opponent=opponent)
    after, _ = play_turn(duel({}, {}, {}, ruleset=ruleset), bram=made("> -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    after, _ = play_turn(duel({}, begun("S"), {}, ruleset=ruleset), bram=made("D -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    goblin = {"kind": "goblin", "controller": BRAM}
    after, _ = play_turn(duel({}, {}, {}, monsters=[goblin], ruleset=ruleset))
    assert [wizard.damage for wizard in after.wizards] == hit


@EVERY_PLAY
def test_stab_row_sets_the_damage_and_targets_of_stabs(variant: Any, play: str) -> None:
    """rules: R17"""
    row = PLAYED_RULESETS[play].stab
    deep = variant(play, stab=replace(row, amount=4))
    assert stabbed_by_ada(duel(ruleset=deep)) == [0, 4]
    free = variant(play, stab=replace(row, legal=LegalSubjects.ANY, nowhere=True))
    assert stabbed_by_ada(duel(ruleset=free), left_subject=ADA) == [1, 0]
    assert stabbed_by_ada(duel(ruleset=free), left_subject="nowhere") == [0, 0]
    inward = variant(play, stab=replace(row, legal=LegalSubjects.ANY, default=DefaultSubject.SELF))
    assert stabbed_by_ada(duel(ruleset=inward)) == [1, 0]


@EVERY_PLAY
@pytest.mark.parametrize(
    ("change", "subject", "code"),
    [
        ({"legal": LegalSubjects.OTHERS}, ADA, "stab_self"),
        ({"nowhere": False}, "nowhere", "stab_nowhere"),
        ({"legal": LegalSubjects.WIZARDS}, "m0", "subject"),
        ({"on_corpses": False}, "m1", "subject"),
        ({"on_dead_wizards": False}, CLEO, "subject"),
    ],
)
def test_stab_row_excludes_targets(
    variant: Any, play: str, change: Mapping[str, Any], subject: str, code: str
) -> None:
    """The order sheet does not offer an excluded target. rules: R17"""
    open_to_all = {
        "legal": LegalSubjects.ANY,
        "nowhere": True,
        "on_corpses": True,
        "on_dead_wizards": True,
    }
    monsters = [{"kind": "ogre", "controller": BRAM}, {"kind": "ogre", "state": "corpse"}]
    found = []
    for changes in (open_to_all, {**open_to_all, **change}):
        ruleset = variant(play, stab=replace(PLAYED_RULESETS[play].stab, **changes))
        before = duel({}, {}, {"state": "dead"}, monsters=monsters, ruleset=ruleset)
        orders = engine.orders.from_fields(made("> -", left_subject=subject))
        found.append([fault.code for fault in engine.play.check(before, ADA, orders)])
        if found[-1]:
            assert subject not in engine.play.sheet(before, ADA, orders).subjects["stab"].options
    assert found == [[], [code]]


@EVERY_PLAY
@pytest.mark.parametrize(
    ("two_stabs", "subject"),
    [(TwoStabs.LEFT, BRAM), (TwoStabs.RIGHT, CLEO), (TwoStabs.REFUSED, "")],
)
def test_ruleset_decides_which_of_two_stabs_takes_effect(
    variant: Any, play: str, two_stabs: TwoStabs, subject: str
) -> None:
    """Both stabs are recorded, except in stepwise play. rules: R16, W6"""
    before = duel({}, {}, {}, ruleset=variant(play, two_stabs=two_stabs))
    flat = made("> >", left_subject=BRAM)
    if two_stabs is TwoStabs.RIGHT:
        flat = made("> >", right_subject=CLEO)
    faults = engine.play.check(before, ADA, engine.orders.from_fields(flat))
    assert {fault.code for fault in faults} == (set() if subject else {"two_stabs"})
    if subject:
        after, events = play_turn(before, ada=flat)
        assert [w.id for w in after.wizards if w.damage] == [subject]
        assert "knife_kept" in event_codes(events)
        kept = ">-" if two_stabs is TwoStabs.LEFT else "->"
        shown = kept if play == "stepwise" else ">>"
        assert wizard(after, ADA).left + wizard(after, ADA).right == shown


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(
    ("unordered", "victim"),
    [
        (DefaultVictim.LAST_VICTIM, CLEO),
        (DefaultVictim.OPPONENT, BRAM),
        (DefaultVictim.LAST_OR_NOBODY, CLEO),
    ],
)
def test_victim_of_a_monster_without_orders_depends_on_the_ruleset(
    variant: Any, play: str, unordered: DefaultVictim, victim: str
) -> None:
    """The order sheet shows the victim that the monster then attacks. rules: R161, R170"""
    goblin = {"kind": "goblin", "controller": ADA, "victim": CLEO}
    before = duel({}, {}, {}, monsters=[goblin], ruleset=variant(play, unordered=unordered))
    (sheet,) = engine.play.sheet(before, ADA).monsters
    assert sheet.default == victim
    after, _ = play_turn(before)
    assert [w.id for w in after.wizards if w.damage] == [victim]
    fresh = duel({}, {}, {}, monsters=[{**goblin, "victim": ""}], ruleset=TEST_RULESET)
    (sheet,) = engine.play.sheet(fresh, ADA).monsters
    after, _ = play_turn(fresh)
    nobody = unordered is DefaultVictim.LAST_OR_NOBODY
    assert sheet.default == ("no_one" if nobody else BRAM)
    assert [w.id for w in after.wizards if w.damage] == ([] if nobody else [BRAM])


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(
    ("full_bank", "banked", "damage"),
    [(FullBank.KEEPS, "fireball", 1), (FullBank.REPLACES, "missile", 0)],
)
def test_ruleset_decides_if_a_full_bank_keeps_its_spell(
    variant: Any, play: str, full_bank: FullBank, banked: str, damage: int
) -> None:
    """rules: R104"""
    ruleset = variant(play, full_bank=full_bank)
    ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=ruleset)
    flat = made("D -")
    captures = engine.play.sheet(before, ADA, engine.orders.from_fields(flat)).captures
    assert bool(captures) == (full_bank is FullBank.REPLACES)
    after, events = play_turn(before, ada=flat)
    assert wizard(after, ADA).bank == banked
    assert wizard(after, BRAM).damage == damage
    assert ("removed" in event_codes(events)) == (full_bank is FullBank.REPLACES)


@SEALED_AND_STEPWISE_PLAYS
def test_spell_goes_into_an_empty_bank_even_if_a_full_bank_keeps_its_spell(
    variant: Any, play: str
) -> None:
    """rules: R103, R104"""
    ada = begun("S", effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=variant(play, full_bank=FullBank.KEEPS))
    after, _ = play_turn(before, ada=made("D -"))
    assert wizard(after, ADA).bank == "missile"


def test_ruleset_decides_if_a_spell_can_be_banked_on_a_turn_of_release(variant: Any) -> None:
    """rules: R104"""
    for full_bank, banked in ((FullBank.KEEPS, ""), (FullBank.REPLACES, "missile")):
        ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
        before = duel(ada, ruleset=variant("sealed", full_bank=full_bank))
        after, _ = play_turn(before, ada=made("D -", release="yes"))
        assert wizard(after, ADA).bank == banked
        assert wizard(after, BRAM).damage == (5 if banked else 6)


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(("fizzles", "spells"), [(True, ["lightning_bolt"]), (False, [])])
def test_ruleset_decides_if_a_second_short_bolt_is_a_cast(
    variant: Any, play: str, fizzles: bool, spells: list[str]
) -> None:
    """rules: R18"""
    ada = begun("WDD", "---", used_bolt=True)
    before = duel(ada, ruleset=variant(play, spent_fizzles=fizzles))
    after, events = play_turn(before, ada=made("C C"))
    assert [e.spell for e in events if isinstance(e, engine.events.Cast)] == spells
    assert causes(events, "failed") == (["spent"] if fizzles else [])
    assert wizard(after, BRAM).damage == 0


def test_second_short_bolt_is_not_banked_if_it_fizzles(variant: Any) -> None:
    """rules: R18, R103"""
    ada = begun("WDD", "---", used_bolt=True, effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=variant("sealed", spent_fizzles=True))
    after, _ = play_turn(before, ada=made("C C"))
    assert wizard(after, ADA).bank == ""
    assert "delayed_effect" in wizard(after, ADA).effects


@pytest.mark.parametrize(("to_come", "faults"), [(True, []), (False, ["subject"])])
def test_ruleset_decides_if_a_spell_can_target_a_monster_being_made(
    variant: Any, to_come: bool, faults: list[str]
) -> None:
    """rules: R14"""
    before = duel(begun("SF", "S"), ruleset=variant("sealed", subjects_to_come=to_come))
    orders = engine.orders.from_fields(made("W D", right_subject="L:w0"))
    assert [fault.code for fault in engine.play.check(before, ADA, orders)] == faults
    options = engine.play.sheet(before, ADA, orders).subjects["missile"].options
    assert ("L:w0" in options) == to_come
    stab = engine.orders.from_fields(made("W >", right_subject="L:w0"))
    assert [fault.code for fault in engine.play.check(before, ADA, stab)] == faults


@EVERY_PLAY
@pytest.mark.parametrize("sight", StoppedSightMode)
def test_ruleset_decides_if_time_stopped_wizards_see_each_other(
    variant: Any, play: str, sight: StoppedSightMode
) -> None:
    """rules: R121"""
    ruleset = variant(play, stopped_sight=sight)
    before = duel(begun("SPP", "---"), begun("SPP", "---"), ruleset=ruleset)
    between, first = play_turn(before, ada=made("C C"), bram=made("C C"))
    assert between.stopped == (ADA, BRAM)
    after, events = play_turn(between, ada=made("F -"), bram=made("W -"))
    turns = (engine.play.Turn(1, before, first), engine.play.Turn(2, between, events))
    seen = engine.play.view(engine.play.History(turns, after), ADA)
    (hand,) = [hand for hand in seen.hands if (hand.wizard, hand.hand) == (BRAM, "L")]
    assert hand.letters.endswith("W") == (sight is StoppedSightMode.EACH_OTHER)


def unplayable() -> Iterator[tuple[str, str, object]]:
    """Yield each unsupported value of each order of play, as order of play, field and value."""
    for play, limits in REQUIRED_VALUES.items():
        for field, limit in limits.items():
            if isinstance(limit.value, bool):
                yield play, field, not limit.value
            elif isinstance(limit.value, int):
                yield play, field, limit.value + 1
            elif field != "time_stop":
                kind: type[Any] = type(limit.value)
                played = (limit.value, *limit.also)
                yield from ((play, field, value) for value in kind if value not in played)


@pytest.mark.parametrize(("play", "field", "value"), list(unplayable()))
def test_ruleset_rejects_a_value_that_its_order_of_play_does_not_support(
    play: str, field: str, value: Any
) -> None:
    with pytest.raises(ValueError, match=f"{field} cannot be .* in {play} play: [a-z]"):
        replace(PLAYED_RULESETS[play], **{field: value})


def test_stepwise_play_rejects_a_time_stop_that_lasts() -> None:
    """rules: R99"""
    book = revised_spellbook(BARTLE_SPELLBOOK, LONG_TIME_STOP)
    with pytest.raises(ValueError, match=r"time_stop cannot be .* in stepwise play"):
        make_ruleset(
            TEST_RULESET, name="Trial", description="", spells=book, order_of_play="stepwise"
        )


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(
    ("merges", "damage", "code"), [(True, 0, "merged"), (False, 2, "destroyed")]
)
def test_ruleset_decides_if_equal_elementals_merge_in_each_order_of_play(
    variant: Any, play: str, merges: bool, damage: int, code: str
) -> None:
    """rules: R65"""
    fires: list[Row] = [{"kind": "fire", "damage": 2}, {"kind": "fire"}]
    before = duel(monsters=fires, ruleset=variant(play, elementals_merge=merges))
    after, events = play_turn(before, ada=made("P -"))
    (kept,) = after.monsters
    told = event_codes(events, "merged", "destroyed")
    assert (kept.id, kept.damage) == ("m0", damage)
    assert told == [code]


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(("ignores", "damage"), [(True, 5), (False, 0)])
def test_ruleset_decides_if_counter_spell_stops_released_spells_in_each_order(
    variant: Any, play: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = variant(play, release_ignores_counter=ignores)
    before = duel({"bank": "fireball"}, begun("WP"), ruleset=ruleset)
    guard = made("P -", left_spell="counter_spell", left_subject=BRAM)
    after, _ = play_turn(before, ada={"release": "yes", "release_subject": BRAM}, bram=guard)
    assert wizard(after, BRAM).damage == damage


@SEALED_AND_STEPWISE_PLAYS
def test_counter_spell_stops_gestured_spells_even_if_it_ignores_releases(
    variant: Any, play: str
) -> None:
    """rules: R37, R105"""
    ruleset = variant(play, release_ignores_counter=True)
    before = duel(begun("FSSD"), begun("WP"), ruleset=ruleset)
    guard = made("P -", left_spell="counter_spell", left_subject=BRAM)
    after, _ = play_turn(before, ada=made("D -", left_subject=BRAM), bram=guard)
    assert wizard(after, BRAM).damage == 0


# Lasting mind spells and illnesses

SEALED_PLAYS = pytest.mark.parametrize("play", ["sealed", "numbered"])


@SEALED_PLAYS
@pytest.mark.parametrize(
    ("repeats", "drawn"), [(True, [("L", "D"), ("L", "D")]), (False, [("L", "D"), ("R", "F")])]
)
def test_ruleset_decides_if_permanent_confusion_repeats_its_first_dice(
    variant: Any, play: str, repeats: bool, drawn: list[tuple[str, str]]
) -> None:
    """rules: R173, W26"""
    confused = under_effects(confusion={"permanent": True})
    position = duel({}, confused, ruleset=variant(play, lasting_minds_repeat=repeats))
    dice = engine.play.RecordedDice(sequence=[0, 1, 5, 2])
    found: list[tuple[str, str]] = []
    for _ in range(2):
        position, events = play_turn(position, dice=dice)
        found += [(e.hand, e.letter) for e in events if isinstance(e, engine.events.Overridden)]
    assert found == drawn


@SEALED_PLAYS
@pytest.mark.parametrize("waits", [True, False])
def test_ruleset_decides_if_illness_kills_a_monster_at_once(
    variant: Any, play: str, waits: bool
) -> None:
    """A monster killed by illness attacks first. rules: W31"""
    ogre = {"kind": "ogre", "controller": BRAM, "victim": ADA}
    ruleset = variant(play, illness_waits_in_monsters=waits)
    before = duel(begun("DWWFW"), monsters=[ogre], ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -", left_subject="m0"))
    assert wizard(after, ADA).damage == 2
    assert ("died" in [event.code for event in events]) == (not waits)


@SEALED_PLAYS
@pytest.mark.parametrize(("spares", "standing"), [(True, "surrendered"), (False, "dead")])
def test_ruleset_decides_if_illness_kills_a_surrendering_wizard(
    variant: Any, play: str, spares: bool, standing: str
) -> None:
    """rules: R112, W31"""
    ruleset = variant(play, illness_spares_the_surrendering=spares)
    before = duel({}, under_effects(poison={"turns": 1}), {}, ruleset=ruleset)
    after, _ = play_turn(before, bram=made("P P"))
    assert wizard(after, BRAM).standing == standing


# Tables of gestures


@EVERY_PLAY
@pytest.mark.parametrize(
    ("table", "letter"), [({"C": "F"}, "C"), ({"F": "C"}, "F"), ({"C": "F", "W": "D"}, "W")]
)
def test_paralysed_hand_changes_gestures_by_the_rulesets_table(
    variant: Any, play: str, table: Mapping[str, str], letter: str
) -> None:
    """Gestures that the table lacks stay the same. rules: R80"""
    before = duel(begun("FF"), begun(letter), ruleset=variant(play, paralysed=table))
    answer = {} if play == "numbered" else {"answer:paralysis": "L"}
    flat = made("F -", **answer)
    between, _ = play_turn(before, ada=flat, bram=made(f"{letter} -"))
    after, _ = play_turn(between)
    assert wizard(after, BRAM).left[-2:] == letter + table[letter]
    again, _ = play_turn(duel(begun("FF"), ruleset=TEST_RULESET), ada=flat, bram=made("P -"))
    after, _ = play_turn(again)
    assert wizard(after, BRAM).left[-2:] == "PP"


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize(("letters", "allowed"), [("PW>-", False), ("PWF>-", True)])
def test_fear_forbids_gestures_missing_from_the_rulesets_table(
    variant: Any, play: str, letters: str, allowed: bool
) -> None:
    """The order sheet, its explanation and `check` all agree. rules: R87"""
    before = duel({}, under_effects(fear={"turns": 1}), ruleset=variant(play, under_fear=letters))
    orders = engine.orders.from_fields(made("F -"))
    assert [fault.code for fault in engine.play.check(before, BRAM, orders)] == (
        [] if allowed else ["feared_letter"]
    )
    hand = engine.play.sheet(before, BRAM).sets[0].left
    assert ("F" in [option.letter for option in hand.gestures if option.allowed]) == allowed
    assert hand.reason.startswith(
        "You are afraid: only P, W, F" if allowed else "You are afraid: only P, W, a"
    )


@EVERY_PLAY
@pytest.mark.parametrize("letters", ["CDFPSW", "FFD", "PW"])
def test_confusion_die_has_one_side_for_each_gesture_in_the_table(
    variant: Any, play: str, letters: str
) -> None:
    """rules: spell:confusion"""
    before = duel(
        {}, under_effects(confusion={"turns": 1}), ruleset=variant(play, confused=letters)
    )
    last = len(letters) - 1
    dice = engine.play.RecordedDice(sequence=[0, last])
    after, events = play_turn(before, bram=made("- -"), dice=dice)
    (drew,) = [e for e in events if isinstance(e, engine.events.Drew) and e.purpose == "gesture"]
    assert (drew.sides, wizard(after, BRAM).left) == (len(letters), letters[last])


# Fields with different values in Warlocks, each tested with Bartle's other rules

GOBLIN: Row = {"kind": "goblin", "controller": BRAM, "victim": ADA}
MIRROR: Row = begun("C", "C")


def in_force(position: Position, id: str, effect: str) -> bool:
    return effect in wizard(position, id).effects


@pytest.mark.parametrize(
    ("preference", "cast"),
    [(Preference.LONGEST, "finger_of_death"), (Preference.BOTH_HANDS, "blindness")],
)
def test_ruleset_prefers_the_longer_or_the_two_handed_spell(
    publish_ruleset: Any, preference: Preference, cast: str
) -> None:
    """The order sheet preselects the preferred spell. rules: R7, W2"""
    before = duel(begun("---DWFF", "PWPFSSS"), ruleset=publish_ruleset(preference=preference))
    _, events = play_turn(before, ada=made("D D"))
    assert [e.spell for e in events if isinstance(e, engine.events.Cast)] == [cast]
    rows = engine.play.sheet(before, ADA).sets[0].completions["DD"]
    assert [row.spell for row in rows if row.default] == [cast]


def test_ruleset_can_let_dice_choose_the_default_opponent(publish_ruleset: Any) -> None:
    """Dice choose among several opponents, but not if the orders name one. rules: R13, W3"""
    before = duel(begun("S"), {}, {}, ruleset=publish_ruleset(opponent=OpponentRule.DRAWN))
    dice = engine.play.RecordedDice(sequence=[1])
    after, events = play_turn(before, ada=made("D -"), dice=dice)
    (drew,) = [event for event in events if isinstance(event, engine.events.Drew)]
    assert (drew.label, drew.sides, drew.result) == ("turn 1 opponent w0 L", 2, CLEO)
    assert [each.damage for each in after.wizards] == [0, 0, 1]
    after, events = play_turn(before, ada=made("D -", left_subject=BRAM))
    assert [each.damage for each in after.wizards] == [0, 1, 0]


@pytest.mark.parametrize("unspent", [True, False])
def test_ruleset_decides_if_a_dispelled_short_bolt_is_used_up(
    publish_ruleset: Any, unspent: bool
) -> None:
    """rules: R18, W5"""
    ruleset = publish_ruleset(dispelled_is_unspent=unspent)
    before = duel(begun("WDD", "---"), begun("CDP", "C--"), ruleset=ruleset)
    after, _ = play_turn(before, ada=made("C C"), bram=made("W -"))
    assert wizard(after, ADA).used_bolt == (not unspent)


def test_dispelled_long_bolt_does_not_restore_the_used_short_bolt(publish_ruleset: Any) -> None:
    """rules: R18, W5"""
    ruleset = publish_ruleset(dispelled_is_unspent=True)
    ada = begun("DFFD", "----", used_bolt=True)
    before = duel(ada, begun("-CDP", "-C--"), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -"), bram=made("W -"))
    assert ("lightning_bolt", "dispelled") in [
        (each.spell, each.cause) for each in events if isinstance(each, engine.events.Failed)
    ]
    assert wizard(after, ADA).used_bolt


@pytest.mark.parametrize(("corpses", "states"), [(True, ["corpse"]), (False, [])])
def test_ruleset_decides_if_a_killed_monster_leaves_a_corpse(
    publish_ruleset: Any, corpses: bool, states: list[str]
) -> None:
    """rules: R56, W1"""
    before = duel(monsters=[GOBLIN], ruleset=publish_ruleset(corpses=corpses))
    after, _ = play_turn(before, ada=made("> -", left_subject="m0"))
    assert [each.state for each in after.monsters] == states


@pytest.mark.parametrize("waits", [True, False])
def test_ruleset_decides_if_spells_at_a_monster_being_made_fail(
    publish_ruleset: Any, waits: bool
) -> None:
    """The two spells are a Counter-spell and another summons. rules: R134, W36, W38"""
    before = duel(
        begun("SF", "WP"), begun("--", "SF"), ruleset=publish_ruleset(early_spells_wait=waits)
    )
    guard = made("W P", right_subject="L:w0", right_spell="counter_spell")
    after, events = play_turn(before, ada=guard, bram=made("- W", right_subject="L:w0"))
    assert causes(events, "failed") == (["countered"] if waits else ["too_early", "too_early"])
    assert len(after.monsters) == 1


@pytest.mark.parametrize("by_kind", [True, False])
def test_ruleset_creates_monsters_by_kind_or_by_hand(publish_ruleset: Any, by_kind: bool) -> None:
    """rules: W38"""
    before = duel(begun("PSF", "SF"), ruleset=publish_ruleset(summons_by_kind=by_kind))
    after, _ = play_turn(before, ada=made("W W", left_spell="summon_ogre"))
    kinds = [each.kind for each in after.monsters]
    assert kinds == (["goblin", "ogre"] if by_kind else ["ogre", "goblin"])


@pytest.mark.parametrize("meet", [True, False])
def test_ruleset_decides_if_a_spell_between_two_mirrors_is_lost(
    publish_ruleset: Any, meet: bool
) -> None:
    """rules: R41, W37"""
    before = duel({**MIRROR, "bank": "missile"}, MIRROR, ruleset=publish_ruleset(mirrors_meet=meet))
    release = made("W W", release="yes", release_subject=BRAM)
    after, events = play_turn(before, ada=release, bram=made("W W"))
    assert [each.damage for each in after.wizards] == ([0, 0] if meet else [1, 0])
    assert causes(events, "failed") == (["mirrors"] if meet else [])


@pytest.mark.parametrize("direct", [True, False])
def test_ruleset_decides_if_paralysis_reflected_by_a_monster_works(
    publish_ruleset: Any, direct: bool
) -> None:
    """rules: R43, W37"""
    ruleset = publish_ruleset(monsters_direct=direct)
    before = duel(begun("FF"), MIRROR, monsters=[GOBLIN], ruleset=ruleset)
    mirror = made("W W", both_subject="m0", both_spell="magic_mirror")
    after, events = play_turn(before, ada=made("F -", left_subject="m0"), bram=mirror)
    assert in_force(after, ADA, "paralysis") == direct
    assert causes(events, "failed") == ([] if direct else ["no_master"])


@pytest.mark.parametrize(("newer", "kept"), [(True, "m1"), (False, "m0")])
def test_ruleset_decides_if_the_older_or_newer_elemental_stays(
    publish_ruleset: Any, newer: bool, kept: str
) -> None:
    """rules: R65, W43"""
    fires: list[Row] = [{"kind": "fire", "damage": 2}, {"kind": "fire"}]
    ruleset = publish_ruleset(elementals_merge=False, newer_elemental_stays=newer)
    after, _ = play_turn(duel(monsters=fires, ruleset=ruleset), ada=made("P -"))
    assert [each.id for each in after.monsters] == [kept]


@pytest.mark.parametrize("immune", [True, False])
def test_ruleset_decides_if_a_fireball_destroys_a_fire_elemental(
    publish_ruleset: Any, immune: bool
) -> None:
    """rules: R68, W43"""
    before = duel(
        begun("FSSD"),
        monsters=[{"kind": "fire"}],
        ruleset=publish_ruleset(elementals_immune=immune),
    )
    after, _ = play_turn(before, ada=made("D -", left_subject="m0"))
    assert (monster(after, "m0") is not None) == immune


@pytest.mark.parametrize(("storms_first", "damage"), [(True, 3), (False, 0)])
def test_ruleset_decides_if_two_storms_cancel_before_they_meet_an_elemental(
    publish_ruleset: Any, storms_first: bool, damage: int
) -> None:
    """rules: R66, W44"""
    ruleset = publish_ruleset(storms_meet_first=storms_first)
    storms = begun("SWW", "---"), begun("WSS", "---")
    before = duel(*storms, monsters=[{"kind": "fire"}], ruleset=ruleset)
    after, _ = play_turn(before, ada=made("C C"), bram=made("C C"))
    assert [each.damage for each in after.wizards] == [damage, damage]


@pytest.mark.parametrize("can", [True, False])
def test_ruleset_decides_if_a_monster_can_attack_itself(publish_ruleset: Any, can: bool) -> None:
    """Both `check` and the order sheet depend on this field of the ruleset. rules: R74, W39"""
    before = duel(monsters=[GOBLIN], ruleset=publish_ruleset(can_attack_itself=can))
    orders = engine.orders.from_fields({"victim:m0": "m0"})
    faults = [fault.code for fault in engine.play.check(before, BRAM, orders)]
    assert faults == ([] if can else ["attacks_itself"])
    (row,) = engine.play.sheet(before, BRAM).monsters
    assert ("m0" in row.options) == can


@pytest.mark.parametrize("outlast", [True, False])
def test_ruleset_decides_if_monsters_outlast_their_master(
    publish_ruleset: Any, outlast: bool
) -> None:
    """rules: R73, W39"""
    ruleset = publish_ruleset(monsters_outlast_masters=outlast)
    before = duel({}, {}, {}, monsters=[GOBLIN], ruleset=ruleset)
    between, _ = play_turn(before, bram=made("P P"))
    after, _ = play_turn(between)
    assert after.monsters[0].controller == (BRAM if outlast else "")
    assert wizard(after, ADA).damage == 1 + outlast


@pytest.mark.parametrize("youngest_first", [True, False])
def test_ruleset_reports_monster_deaths_from_the_youngest_or_oldest(
    publish_ruleset: Any, youngest_first: bool
) -> None:
    """The corpses are still listed from oldest to youngest. rules: W40"""
    before = duel(
        monsters=[GOBLIN, GOBLIN], ruleset=publish_ruleset(youngest_die_first=youngest_first)
    )
    stabs = [made("> -", left_subject=id) for id in ("m0", "m1")]
    after, events = play_turn(before, ada=stabs[0], bram=stabs[1])
    died = [event.subject for event in events if isinstance(event, engine.events.Died)]
    assert died == (["m1", "m0"] if youngest_first else ["m0", "m1"])
    assert [each.id for each in after.monsters] == ["m0", "m1"]


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize(("begun_with", "last"), [("PDW", "P -"), ("CDP", "W -")])
def test_ruleset_decides_if_removal_spells_empty_a_bank(
    publish_ruleset: Any, keeps: bool, begun_with: str, last: str
) -> None:
    """The same field applies to Remove Enchantment and Dispel Magic. rules: R53, W30, W32"""
    ada = begun(begun_with, "C--" if last[0] == "W" else "---")
    before = duel(ada, {"bank": "fireball"}, ruleset=publish_ruleset(keeps_bank=keeps))
    after, _ = play_turn(before, ada=made(last, left_subject=BRAM))
    assert wizard(after, BRAM).bank == ("fireball" if keeps else "")


@pytest.mark.parametrize(("surplus", "damage"), [(0, 0), (1, -1), (5, -2)])
def test_ruleset_sets_how_far_cures_heal_above_full_health(
    publish_ruleset: Any, surplus: int, damage: int
) -> None:
    """The hit points include the surplus, and a stored position keeps it. rules: R30, W4"""
    before = duel(begun("DFP"), ruleset=publish_ruleset(surplus=surplus))
    after, events = play_turn(before, ada=made("W -", left_spell="cure_heavy_wounds"))
    assert wizard(after, ADA).damage == damage
    view = engine.play.view(engine.play.History((engine.play.Turn(1, before, events),), after), ADA)
    assert view.status[0].hit_points == 15 - damage
    assert engine.play.load(engine.play.dump(after)) == after


def test_position_rejects_more_surplus_than_a_cure_gives(publish_ruleset: Any) -> None:
    """rules: W4"""
    rows = [engine.play.dump(duel({"damage": -1}, ruleset=publish_ruleset(surplus=1)))]
    rows.append(engine.play.dump(duel(monsters=[{**GOBLIN, "damage": -1}], ruleset=TEST_RULESET)))
    for row in rows:
        assert engine.play.load(row) == engine.play.load(row)
        with pytest.raises(engine.play.InvalidData, match="damage: must be a whole number from 0"):
            engine.play.load({**row, "ruleset": "bartle-1"})
    with pytest.raises(engine.play.InvalidData, match=r"wizards\[0\].damage: .* from -1"):
        duel({"damage": -2}, ruleset=TEST_RULESET)


@pytest.mark.parametrize(("first", "damage"), [(True, 1), (False, 0)])
def test_ruleset_decides_if_cures_come_before_damage(
    publish_ruleset: Any, first: bool, damage: int
) -> None:
    """rules: R30, W4"""
    before = duel(begun("DF"), begun("S"), ruleset=publish_ruleset(cures_first=first))
    after, _ = play_turn(before, ada=made("W -"), bram=made("D -"))
    assert wizard(after, ADA).damage == damage


@pytest.mark.parametrize("cancel", [True, False])
def test_ruleset_decides_if_two_equal_mind_spells_cancel(
    publish_ruleset: Any, cancel: bool
) -> None:
    """rules: R76, W14"""
    before = duel(begun("FF", "FF"), ruleset=publish_ruleset(same_minds_cancel=cancel))
    after, _ = play_turn(before, ada=made("F F"))
    assert in_force(after, BRAM, "paralysis") == (not cancel)


@pytest.mark.parametrize(("at_once", "damages"), [(True, [0, 1]), (False, [1, 1])])
def test_ruleset_decides_if_paralysis_stops_a_monster_at_once_or_a_turn_later(
    publish_ruleset: Any, at_once: bool, damages: list[int]
) -> None:
    """rules: R79, W15"""
    ruleset = publish_ruleset(minds_strike_monsters_at_once=at_once)
    position = duel(begun("FF"), monsters=[GOBLIN], ruleset=ruleset)
    found: list[int] = []
    for orders in (made("F -", left_subject="m0"), made("- -")):
        position, _ = play_turn(position, ada=orders)
        found.append(wizard(position, ADA).damage)
    assert found == damages


@pytest.mark.parametrize(
    ("time_stop", "stopped", "damages"),
    [
        (Duration.INSTANT, (ADA, "m0"), [0, 1, 2]),  # it attacks in the extra turn
        (Duration.INSTANT, (ADA,), [0, 0, 1]),
        (Duration.THREE_TURNS, (ADA,), [0, 0, 1]),  # the extra action is part of the turn after it
    ],
)
def test_paralysis_at_once_in_an_extra_turn_stops_the_next_attack(
    publish_ruleset: Any, time_stop: Duration, stopped: tuple[str, ...], damages: list[int]
) -> None:
    """rules: R169, W15"""
    rows = {"time_stop": {"lasts": time_stop}}
    ruleset = publish_ruleset(rows, minds_strike_monsters_at_once=True)
    position = duel(begun("FF"), monsters=[GOBLIN], ruleset=ruleset).copy()
    position.kind, position.stopped = EXTRA, stopped
    found: list[int] = []
    for orders in (made("F -", left_subject="m0"), made("- -"), made("- -")):
        position, _ = play_turn(position, ada=orders)
        found.append(wizard(position, ADA).damage)
    assert found == damages


@pytest.mark.parametrize(
    ("refuses", "faults", "row"), [(True, ["feared_letter"], ""), (False, [], "-W")]
)
def test_ruleset_rejects_or_blanks_a_gesture_forbidden_by_fear(
    publish_ruleset: Any, refuses: bool, faults: list[str], row: str
) -> None:
    """rules: R87, W24"""
    before = duel(
        {}, under_effects(fear={"turns": 1}), ruleset=publish_ruleset(fear_refuses=refuses)
    )
    orders = made("F W")
    found = engine.play.check(before, BRAM, engine.orders.from_fields(orders))
    assert [fault.code for fault in found] == faults
    if not faults:
        after, _ = play_turn(before, bram=orders)
        assert wizard(after, BRAM).left + wizard(after, BRAM).right == row


@pytest.mark.parametrize(("blanks", "forced"), [(True, "--"), (False, "WD")])
def test_ruleset_decides_if_amnesia_repeats_an_anti_spelled_turn(
    publish_ruleset: Any, blanks: bool, forced: str
) -> None:
    """rules: R93, W25"""
    before = duel(begun("DP", "SP"), ruleset=publish_ruleset(anti_spell_blanks=blanks))
    after, _ = play_turn(before, ada=made("P F"), bram=made("W D"))
    hands = engine.play.sheet(after, BRAM).sets[0]
    assert hands.left.forced + hands.right.forced == forced


@pytest.mark.parametrize(("death_first", "outcome"), [(True, ADA), (False, "draw")])
def test_ruleset_decides_if_surrender_counts_as_the_last_opponent_dies(
    publish_ruleset: Any, death_first: bool, outcome: str
) -> None:
    """rules: R111, W48"""
    ours: Row = {"kind": "goblin", "controller": ADA, "victim": BRAM}
    ruleset = publish_ruleset(death_before_surrender=death_first)
    before = duel({}, {"damage": 14}, monsters=[ours], ruleset=ruleset)
    after, _ = play_turn(before, ada=made("P P"))
    assert after.outcome == outcome


@pytest.mark.parametrize(
    ("unordered", "damage"), [(DefaultVictim.KEPT, 0), (DefaultVictim.LAST_VICTIM, 1)]
)
def test_ruleset_decides_if_an_order_to_attack_no_one_lasts(
    publish_ruleset: Any, unordered: DefaultVictim, damage: int
) -> None:
    """The order sheet shows the victim of the next turn. rules: R170, W39"""
    before = duel(monsters=[GOBLIN], ruleset=publish_ruleset(unordered=unordered))
    between, _ = play_turn(before, bram={"victim:m0": "no_one"})
    (row,) = engine.play.sheet(between, BRAM).monsters
    assert (row.default == "no_one") == (damage == 0)
    after, _ = play_turn(between)
    assert wizard(after, ADA).damage == damage


# Options that change the rules


@pytest.mark.parametrize(
    ("options", "table", "spell"),
    [
        ((), "C", "confusion"),
        (("strict",), "C", "confusion"),
        (("parafc",), "F", "confusion"),
        (("maladroit",), "C", "maladroitness"),
        (("strict", "maladroit", "parafc"), "F", "maladroitness"),
    ],
)
def test_warlocks_options_change_paralysed_gestures_and_the_confusion_spell(
    options: Sequence[str], table: str, spell: str
) -> None:
    """The position, a stored copy of it, the view and the casts all depend on the options.

    rules: W21, W23
    """
    before = duel(begun("DS"), ruleset="warlocks-1", options=options)
    assert engine.play.load(engine.play.dump(before)) == before
    after, events = play_turn(engine.play.load_position(engine.play.dump(before)), ada=made("F -"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, before, events),), after), BRAM
    )
    for rules in (before.rules, after.rules, view.rules):
        assert rules.id == "warlocks-1"
        assert (table in rules.paralysed, spell in rules.spells) == (True, True)
        assert set(rules.paralysed) == {table, "S", "W"}
        assert ({"confusion", "maladroitness"} & rules.spells.keys()) == {spell}
    assert [event.spell for event in events if isinstance(event, engine.events.Cast)] == [spell]
    assert spell in wizard(after, BRAM).effects
    lines = [line.text for report in engine.words.narrate(view) for line in report.lines]
    assert any(before.rules.spells[spell].name in line for line in lines)


def test_options_do_not_change_rulesets_that_lack_them() -> None:
    assert BARTLE_1.under(["parafc", "maladroit", "strict"]) is BARTLE_1
    assert engine.play.available_options("warlocks-1") == ("strict", "maladroit", "parafc")
    assert {id for id, each in RULESETS.items() if each.options} == {"warlocks-1"}


def test_duel_keeps_its_options_when_its_rules_change() -> None:
    """rules: R63, W23"""
    position = duel(ruleset="warlocks-1", options=["maladroit"]).copy()
    position.switch_ruleset("warlocks-1, elementals_merge")
    assert position.rules.elementals_merge
    assert "maladroitness" in position.rules.spells


def test_setup_rejects_effects_of_spells_that_the_options_exclude() -> None:
    """rules: W23"""
    for options, spell in (([], "maladroitness"), (["maladroit"], "confusion")):
        with pytest.raises(engine.play.InvalidData, match=f"unknown effect '{spell}'"):
            duel(under_effects(**{spell: {"turns": 1}}), ruleset="warlocks-1", options=options)


# The published values


def changed(ruleset: Ruleset) -> dict[str, object]:
    """Return this ruleset's switches whose values differ from Bartle's."""
    told = ("id", "name", "description", "spells", "automaton", "completables", "ends", "asks")
    by_rows = (
        "cures", "destroyers", "ends_that_ask", "illnesses", "resistances",
        "sacrificing", "spells_that_ask", "storms", "strikers", "summons",
    )  # fmt: skip
    texts = ("gesture_names", "opening", "order_of_log", "markers")
    return {
        field.name: getattr(ruleset, field.name)
        for field in fields(Ruleset)
        if field.compare
        and field.name not in (*told, *by_rows, *texts)
        and getattr(ruleset, field.name) != getattr(BARTLE_1, field.name)
    }


def test_wizards_and_archmage_differ_from_bartle_in_these_switches_only() -> None:
    assert changed(WIZARDS_1) == {}
    assert changed(ARCHMAGE_1) == {
        "subject_picks_element": False,
        "removal_unmakes_summons": False,
        "elementals_merge": False,
        "minds_in_force_cancel": True,
        "release_ignores_counter": True,
        "time_stop": TimeStopMode.BEFORE_TURNS,
        "acts_before_turns": True,
    }


def test_copied_ruleset_keeps_its_time_stop_mode() -> None:
    assert replace(ARCHMAGE_1, id=TEST_RULESET).acts_before_turns
    assert not replace(BARTLE_1, id=TEST_RULESET).acts_before_turns


# Fields for orders, banks and sight in Warlocks, each tested with Bartle's other rules

THREE_TURNS: Row = {"turns": 3}


@pytest.mark.parametrize("named", HandNamingTime)
def test_ruleset_decides_when_the_paralysed_hand_is_named(
    publish_ruleset: Any, named: HandNamingTime
) -> None:
    """The caster names the hand in the turn of casting, or in the orders for the next turn.

    R81, W18
    """
    ruleset = publish_ruleset(hand_named=named)
    later = named is HandNamingTime.WHEN_IT_ACTS
    before = duel(begun("FF"), begun("S", "S"), ruleset=ruleset)
    between, _ = play_turn(before, ada=made("F -"), bram=made("C C"), answers={})
    assert between.wizard(BRAM).effects["paralysis"].hand == ("" if later else "L")
    held = engine.orders.from_fields({"held:w1": "R"})
    assert [fault.code for fault in engine.play.check(between, ADA, held)] == (
        [] if later else ["named_later"]
    )
    after, _ = play_turn(between, ada={"held:w1": "R"} if later else {}, bram=made("- W"))
    made_last = after.wizard(BRAM).left[-1] + after.wizard(BRAM).right[-1]
    assert made_last == ("-F" if later else "FW")


@pytest.mark.parametrize("capture", CaptureRule)
def test_ruleset_decides_if_a_window_captures_only_marked_spells(
    publish_ruleset: Any, capture: CaptureRule
) -> None:
    """rules: R103, R107, W34, W35"""
    marked = capture is CaptureRule.MARKED
    ruleset = publish_ruleset(capture=capture)
    delayed = begun("S", effects={"delayed_effect": THREE_TURNS})
    after, _ = play_turn(duel(delayed, ruleset=ruleset), ada=made("D -"))
    assert after.wizard(ADA).bank == ("" if marked else "missile")
    after, _ = play_turn(duel(delayed, ruleset=ruleset), ada=made("D -", bank="L"))
    assert after.wizard(ADA).bank == "missile"
    lasting = begun("WW", effects={"permanency": THREE_TURNS})
    after, _ = play_turn(duel(lasting, ruleset=ruleset), ada=made("P -"))
    assert after.wizard(ADA).effects["protection_from_evil"].permanent == (not marked)
    after, _ = play_turn(duel(lasting, ruleset=ruleset), ada=made("P -", permanency="L"))
    assert after.wizard(ADA).effects["protection_from_evil"].permanent


@pytest.mark.parametrize("keeps", [True, False])
def test_ruleset_decides_if_a_banked_spell_keeps_its_subject(
    publish_ruleset: Any, keeps: bool
) -> None:
    """rules: spell:delayed_effect, W34"""
    ruleset = publish_ruleset(bank_keeps_subject=keeps)
    before = duel(begun("S", effects={"delayed_effect": THREE_TURNS}), ruleset=ruleset)
    between, _ = play_turn(before, ada=made("D -", left_subject=ADA))
    assert between.wizard(ADA).bank_subject == (ADA if keeps else "")
    after, _ = play_turn(between, ada={"release": "yes"})
    assert (after.wizard(ADA).damage, after.wizard(BRAM).damage) == ((1, 0) if keeps else (0, 1))


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize("public", [True, False])
def test_ruleset_decides_if_opponents_see_banked_spells(
    variant: Any, play: str, public: bool
) -> None:
    """rules: R147, W34"""
    before = duel({"bank": "fireball"}, ruleset=variant(play, bank_is_public=public))
    view = engine.play.view(engine.play.History((), before), BRAM)
    (shown,) = [being.bank for being in view.status if being.id == ADA]
    assert shown == ("fireball" if public else "")


@pytest.mark.parametrize("stops", [True, False])
def test_ruleset_decides_if_a_wizard_can_stop_their_own_heart(
    publish_ruleset: Any, stops: bool
) -> None:
    """rules: W27"""
    before = duel(
        under_effects(fear={"permanent": True}), ruleset=publish_ruleset(hearts_stop=stops)
    )
    orders = engine.orders.from_fields({"heart": "yes"})
    assert bool(engine.play.check(before, ADA, orders)) == (not stops)
    assert engine.play.sheet(before, ADA).may_stop_heart == stops
    if stops:
        after, events = play_turn(before, ada={"heart": "yes"})
        assert after.outcome == BRAM
        assert [e.cause for e in events if isinstance(e, engine.events.Died)] == ["heart"]


@pytest.mark.parametrize("misses", MissRule)
def test_ruleset_decides_which_spells_miss_invisible_wizards(
    publish_ruleset: Any, misses: MissRule
) -> None:
    """If every aimed spell misses, not only damage, then blind wizards also miss.

    rules: R94, R95, W33
    """
    aimed = misses is MissRule.ALL_AIMED
    ruleset = publish_ruleset(misses=misses)
    unseen = under_effects(invisibility=THREE_TURNS)
    after, _ = play_turn(duel(begun("DS", "S"), unseen, ruleset=ruleset), ada=made("F D"))
    assert in_force(after, BRAM, "confusion") == (not aimed)
    assert after.wizard(BRAM).damage == 0
    blind = begun("S", effects={"blindness": THREE_TURNS})
    after, _ = play_turn(duel(blind, ruleset=ruleset), ada=made("D >"))
    assert after.wizard(BRAM).damage == (0 if aimed else 2)


@SEALED_AND_STEPWISE_PLAYS
@pytest.mark.parametrize("told", [True, False])
def test_ruleset_decides_if_opponents_see_casts_by_invisible_wizards(
    variant: Any, play: str, told: bool
) -> None:
    """rules: R95, W33"""
    ruleset = variant(play, unseen_casts_told=told)
    before = duel(begun("S", effects={"invisibility": THREE_TURNS}), ruleset=ruleset)
    after, events = play_turn(before, ada=made("D -"))
    view = engine.play.view(
        engine.play.History((engine.play.Turn(1, before, events),), after), BRAM
    )
    seen = [event.code for event in view.turns[0].events]
    assert ("cast" in seen) == told
    assert "hit" in seen
