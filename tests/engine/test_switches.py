"""What one field of a ruleset or of a spell's row decides, under both of its values.

A ruleset of this file is Bartle's with that one field changed, so nothing else can make the
difference. What published rulesets set stands in `test_rulesets.py` and the case book.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

import engine
from engine.position import Monster, Position, Wizard
from engine.rulesets import ARCHMAGE_1, BARTLE_1, RULESETS, SPELLCAST_1, WIZARDS_1, Ruleset, make
from engine.rulesets.choices import FullBank, Opponent, StoppedSight, TimeStop, TwoStabs, Unordered
from engine.rulesets.limits import LIMITS
from engine.spellbook import BARTLE, Default, Lasts, Legal, Works, revised
from tests.engine.board import ADA, BRAM, CLEO, Row, begun, codes, duel, made, played, under

Rows = Mapping[str, Mapping[str, Any]]
TRIAL = "trial-1"


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> object:
    """A function that publishes Bartle's rules with these changes as `TRIAL`, for one test."""

    def publish(rows: Rows | None = None, **switches: object) -> str:
        book = revised(BARTLE, rows or {})
        ruleset = make(TRIAL, name="Trial", description="For a test.", spells=book, **switches)
        monkeypatch.setitem(RULESETS, TRIAL, ruleset)
        return TRIAL

    return publish


def wizard(position: Position, id: str) -> Wizard:
    return position.wizard(id)


def monster(position: Position, id: str) -> Monster | None:
    being = position.being(id)
    return being if isinstance(being, Monster) else None


def causes(events: Sequence[engine.Event], code: str) -> list[str]:
    return [event.cause for event in events if event.code == code]  # type: ignore[union-attr]


# Elementals


@pytest.mark.parametrize(("subject_picks", "decider"), [(True, BRAM), (False, ADA)])
def test_chooser_of_the_element_by_ruleset(trial: Any, subject_picks: bool, decider: str) -> None:
    """rules: R63"""
    ruleset = trial(subject_picks_element=subject_picks)
    before = duel(begun("CSWW", "C---"), ruleset=ruleset)
    orders = {
        ADA: engine.from_fields(made("S -", left_subject=BRAM, left_spell="summon_elemental"))
    }
    (question,) = engine.questions(before, orders, {}, engine.NoDice())
    assert question.wizard == decider


@pytest.mark.parametrize(("subject_picks", "offered"), [(True, {ADA, BRAM}), (False, {ADA})])
def test_advance_answers_by_ruleset(trial: Any, subject_picks: bool, offered: set[str]) -> None:
    """rules: R63, R9"""
    before = duel(begun("CSWW", "C---"), ruleset=trial(subject_picks_element=subject_picks))
    kinds = {id: {row.kind for row in engine.sheet(before, id).advance} for id in (ADA, BRAM)}
    assert {id for id, found in kinds.items() if "elemental" in found} == offered


def test_no_element_question_for_fixed_elementals() -> None:
    before = duel(begun("CSWW", "C---"), ruleset="wizards-1")
    for id in (ADA, BRAM):
        assert "elemental" not in {row.kind for row in engine.sheet(before, id).advance}


@pytest.mark.parametrize(
    ("merge", "damage", "told"), [(True, 0, ["merged"]), (False, 2, ["destroyed"])]
)
def test_two_elementals_of_one_kind_by_ruleset(
    trial: Any, merge: bool, damage: int, told: Sequence[str]
) -> None:
    """rules: R65"""
    hurt = {"kind": "fire", "controller": ADA, "damage": 2}
    before = duel(begun("CSWW", "C---"), monsters=[hurt], ruleset=trial(elementals_merge=merge))
    orders = made("S -", left_spell="summon_elemental", **{"answer:elemental": "fire"})
    after, events = played(before, ada=orders)
    (kept,) = after.monsters
    assert (kept.id, kept.damage) == ("m0", damage)
    assert codes(events, "merged", "destroyed") == told
    assert wizard(after, ADA).damage == wizard(after, BRAM).damage == 3


@pytest.mark.parametrize("spell", ["remove_enchantment", "blindness", "invisibility"])
@pytest.mark.parametrize(("works", "stays"), [(Works.ALL, False), (Works.EARTHLY, True)])
def test_spells_for_monsters_at_an_elemental_by_ruleset(
    trial: Any, spell: str, works: Works, stays: bool
) -> None:
    """rules: R70"""
    ruleset = trial({spell: {"works": works}})
    row = {"bank": spell}
    before = duel(row, monsters=[{"kind": "ice", "controller": BRAM}], ruleset=ruleset)
    after, events = played(before, ada={"release": "yes", "release_subject": "m0"})
    assert (monster(after, "m0") is not None) == stays
    assert ("unsuitable" in causes(events, "failed")) == stays


def test_a_removal_that_cannot_work_removes_nothing(trial: Any) -> None:
    """What is cast at the elemental beside it takes hold. rules: R70"""
    ruleset = trial({"remove_enchantment": {"works": Works.EARTHLY}})
    haste = begun("PWPWW", "----W")
    before = duel(
        {"bank": "remove_enchantment", **haste}, monsters=[{"kind": "ice"}], ruleset=ruleset
    )
    flat = made("C C", both_subject="m0", release="yes", release_subject="m0")
    after, _ = played(before, ada=flat)
    kept = monster(after, "m0")
    assert kept is not None
    assert "haste" in kept.effects


# Removal and summons


@pytest.mark.parametrize(("unmakes", "left"), [(True, 0), (False, 1)])
def test_remove_enchantment_on_the_subject_of_a_summons_by_ruleset(
    trial: Any, unmakes: bool, left: int
) -> None:
    """It attacks first in any case. rules: R51"""
    ruleset = trial(removal_unmakes_summons=unmakes)
    before = duel(begun("SF"), begun("PDW"), ruleset=ruleset)
    after, _ = played(before, ada=made("W -"), bram=made("P -", left_subject=ADA))
    assert len(after.monsters) == left
    assert wizard(after, BRAM).damage == 1


# Minds


@pytest.mark.parametrize(("cancel", "bound"), [(False, True), (True, False)])
def test_another_mind_spell_while_one_is_in_force_by_ruleset(
    trial: Any, cancel: bool, bound: bool
) -> None:
    """rules: R78"""
    ruleset = trial(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under(fear={"turns": 1}), ruleset=ruleset)
    after, events = played(before, ada=made("F -"))
    assert ("confusion" in wizard(after, BRAM).effects) == bound
    assert ("mind_in_force" in causes(events, "failed")) != bound


@pytest.mark.parametrize("cancel", [False, True])
def test_the_same_mind_spell_can_be_cast_while_in_force(trial: Any, cancel: bool) -> None:
    """rules: R78"""
    ruleset = trial(minds_in_force_cancel=cancel)
    before = duel(begun("SW"), under(fear={"turns": 1}), ruleset=ruleset)
    after, _ = played(before, ada=made("D -"))
    assert wizard(after, BRAM).effects["fear"].acts(after.turn)


@pytest.mark.parametrize("cancel", [False, True])
def test_a_permanent_mind_spell_does_not_block_others(trial: Any, cancel: bool) -> None:
    """rules: R78, R79"""
    ruleset = trial(minds_in_force_cancel=cancel)
    before = duel(begun("DS"), under(fear={"permanent": True}), ruleset=ruleset)
    after, _ = played(before, ada=made("F -"))
    assert "confusion" in wizard(after, BRAM).effects


# Released spells


@pytest.mark.parametrize(
    ("spell", "ignores", "damage"),
    [
        ("fireball", False, 0),
        ("fireball", True, 5),
        ("missile", True, 0),  # the counter-spell is a shield as well
        ("ice_storm", True, 0),  # nothing of it is stopped, its subject is spared. rules: R180
    ],
)
def test_counter_spell_against_a_released_spell_by_ruleset(
    trial: Any, spell: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = trial(release_ignores_counter=ignores)
    before = duel({"bank": spell}, begun("WP"), ruleset=ruleset)
    after, _ = played(before, ada={"release": "yes"}, bram=made("P -", left_spell="counter_spell"))
    assert wizard(after, BRAM).damage == damage


@pytest.mark.parametrize(("ignores", "hurt"), [(False, BRAM), (True, ADA)])
def test_releasing_a_mirror_onto_a_countered_being(trial: Any, ignores: bool, hurt: str) -> None:
    """Only where it holds does the finger, which nothing counters, point back. rules: R37, R105"""
    ruleset = trial(release_ignores_counter=ignores)
    before = duel(begun("PWPFSSS"), {"bank": "magic_mirror", **begun("WP")}, ruleset=ruleset)
    guards = made("P -", left_spell="counter_spell", release="yes")
    after, _ = played(before, ada=made("D -", left_spell="finger_of_death"), bram=guards)
    assert [w.id for w in after.wizards if w.standing == "dead"] == [hurt]


@pytest.mark.parametrize(("ignores", "banked"), [(False, ""), (True, "cause_heavy_wounds")])
def test_releasing_a_delay_beside_another_spell(trial: Any, ignores: bool, banked: str) -> None:
    """It opens its window at once if it works. rules: R102, R105"""
    ruleset = trial(release_ignores_counter=ignores)
    before = duel(begun("WPF"), {"bank": "delayed_effect"}, begun("WP"), ruleset=ruleset)
    after, _ = played(
        before,
        ada=made("D -"),
        bram={"release": "yes", "release_subject": ADA},
        cleo=made("P -", left_spell="counter_spell", left_subject=ADA),
    )
    assert wizard(after, ADA).bank == banked


# Time stop


def time_stopped(ruleset: str) -> Position:
    after, _ = played(duel(begun("SPP", "---"), ruleset=ruleset), ada=made("C C"))
    return after


@pytest.mark.parametrize(
    ("lasts", "turns"),
    [
        (Lasts.INSTANT, [(1, "extra"), (2, "normal"), (3, "normal"), (4, "normal")]),
        (
            Lasts.THREE_TURNS,
            [
                *[(2, "extra"), (2, "normal"), (3, "extra"), (3, "normal")],
                *[(4, "extra"), (4, "normal"), (5, "normal")],
            ],
        ),
    ],
)
def test_time_stop_actions_by_ruleset(
    trial: Any, lasts: Lasts, turns: Sequence[tuple[int, str]]
) -> None:
    """rules: R98, R99"""
    position = time_stopped(trial({"time_stop": {"lasts": lasts}}))
    found = [(position.turn, position.kind)]
    while len(found) < len(turns):
        assert engine.acting(position) == ((ADA,) if position.kind == "extra" else (ADA, BRAM))
        position, _ = played(position)
        found.append((position.turn, position.kind))
    assert found == turns


ACTING: Rows = {"time_stop": {"lasts": Lasts.THREE_TURNS}}
AFTER: Rows = {}


@pytest.mark.parametrize("cause", ["remove_enchantment", "dispel_magic"])
def test_a_time_stop_in_force_is_ended_like_any_enchantment(trial: Any, cause: str) -> None:
    """rules: R99"""
    ruleset = trial(ACTING)
    before = duel(under(time_stop={"turns": 2}), {"bank": cause}, ruleset=ruleset)
    assert before.kind == "extra"
    between, _ = played(before)
    assert (between.turn, between.kind) == (1, "normal")
    release = {"release": "yes", "release_subject": ADA}
    after, events = played(between, bram=release)
    assert (after.turn, after.kind) == (2, "normal")
    assert cause in [e.cause for e in events if isinstance(e, engine.events.Removed)]


def test_a_setup_has_a_time_stop_only_where_it_lasts(trial: Any) -> None:
    with pytest.raises(engine.InvalidData, match="unknown effect 'time_stop'"):
        duel(under(time_stop={"turns": 1}))
    assert duel(under(time_stop={"turns": 1}), ruleset=trial(ACTING)).stopped == (ADA,)


@pytest.mark.parametrize(("rows", "hurt"), [(AFTER, 0), (ACTING, 1)])
def test_anti_spell_in_an_action_breaks_after_its_turn(trial: Any, rows: Rows, hurt: int) -> None:
    """The extra turn after t breaks at once; the action before t with t. rules: R93, R169"""
    ruleset = trial(rows)
    if rows:
        before = duel(begun("SP", effects={"time_stop": {"turns": 1}}), begun("S"), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("S")}, begun(""), ruleset=ruleset)
        before, _ = played(stopping, ada=made("P -", release="yes"), bram=made("S -"))
    assert before.kind == "extra"
    between, events = played(before, ada=made("F -", left_spell="anti_spell"))
    assert ("broke" in codes(events)) == (not rows)
    after, events = played(between, bram=made("D -"))
    assert wizard(after, ADA).damage == hurt
    assert ("broke" in codes(events)) == bool(rows)
    assert (wizard(after, BRAM).left == "") == bool(rows)


@pytest.mark.parametrize(("rows", "letter"), [(AFTER, "D"), (ACTING, "P")])
def test_paralysis_in_an_action_holds_the_turns_gesture(
    trial: Any, rows: Rows, letter: str
) -> None:
    """In the extra turn after t the gesture of t; before t the gesture of t as well. R168, R169"""
    ruleset = trial(rows)
    if rows:
        before = duel(begun("FF", effects={"time_stop": {"turns": 1}}), ruleset=ruleset)
    else:
        stopping = duel({"bank": "time_stop", **begun("F")}, ruleset=ruleset)
        before, _ = played(stopping, ada=made("F -", release="yes"), bram=made("S -"))
    between, _ = played(before, ada=made("F -", **{"answer:paralysis": "L"}))
    if rows:
        assert wizard(between, BRAM).effects["paralysis"].letter == ""
        between, _ = played(between, bram=made("W -"))
    assert wizard(between, BRAM).effects["paralysis"].letter == letter
    assert wizard(between, BRAM).effects["paralysis"].acts(between.turn)


def test_breaks_by_an_action_are_seen_by_ruleset() -> None:
    """Only whose gestures break; a break by an open Anti-spell all see. rules: R121, R169"""
    stopped = begun("SP", effects={"time_stop": {"turns": 1}})
    before = duel(stopped, {}, {}, ruleset="archmage-1")
    between, secret = played(before, ada=made("F -"))
    after, broken = played(between)
    assert "broke" in codes(broken)
    turns = (engine.Turn(1, before, secret), engine.Turn(2, between, broken))
    views = {id: engine.view(engine.History(turns, after), id) for id in (BRAM, CLEO)}
    assert {id: view.turns[1].breaks for id, view in views.items()} == {BRAM: (BRAM,), CLEO: ()}
    open_before = duel(begun("SP"), {}, {}, ruleset="archmage-1")
    later, events = played(open_before, ada=made("F -"))
    history = engine.History((engine.Turn(1, open_before, events),), later)
    assert engine.view(history, CLEO).turns[0].breaks == (BRAM,)


def test_amnesia_in_an_action_repeats_the_turns_set() -> None:
    """The sets and the victims of the turn that the action belongs to. rules: R169, R155"""
    stopped = {**begun("DP", "DP"), "effects": {"time_stop": {"turns": 1}}}
    goblin = {"kind": "goblin", "controller": BRAM}
    before = duel(stopped, {}, {}, monsters=[goblin], ruleset="archmage-1")
    flat = made("P P", left_spell="amnesia", left_subject=BRAM, right_spell="amnesia")
    between, _ = played(before, ada={**flat, "right_subject": "m0"})
    assert wizard(between, ADA).standing == "surrendered"  # two palms, but the spells work
    after, _ = played(between, bram={**made("W S"), "victim:m0": CLEO})
    assert wizard(after, BRAM).effects["amnesia"].sets == ("WS",)
    kept = monster(after, "m0")
    assert kept is not None
    assert kept.effects["amnesia"].sets == (CLEO,)


def test_charms_by_two_casters_in_an_action_and_its_turn_cancel() -> None:
    """The action belongs to the turn: both charms are of one turn. rules: R76, R169"""
    stopped = {**begun("PSD"), "effects": {"time_stop": {"turns": 1}}}
    before = duel(stopped, {}, begun("PSD"), ruleset="archmage-1")
    between, _ = played(before, ada=made("F -", **{"answer:charm_person": "L"}))
    assert "charm_person" in wizard(between, BRAM).effects
    flat = made("F -", left_subject=BRAM, **{"answer:charm_person": "R"})
    after, events = played(between, cleo=flat)
    assert "charm_person" not in wizard(after, BRAM).effects
    assert "minds_clashed" in codes(events)


def test_the_blind_are_offered_the_hand_they_charmed_in_an_action() -> None:
    """On the turn after the one that the action belongs to. rules: R81, R85, R169"""
    effects = {"time_stop": {"turns": 1}, "blindness": {"turns": 3}}
    before = duel({**begun("PSD"), "effects": effects}, ruleset="archmage-1")
    between, _ = played(before, ada=made("F -", **{"answer:charm_person": "R"}))
    assert engine.sheet(between, ADA).charmed == ()
    after, _ = played(between)
    assert [row.key for row in engine.sheet(after, ADA).charmed] == ["w1.R"]
    later, _ = played(after)
    assert engine.sheet(later, ADA).charmed == ()


def test_actions_do_not_run_clocks() -> None:
    """rules: R98, R99"""
    effects = {"time_stop": {"turns": 1}, "disease": {"turns": 1}, "blindness": {"turns": 1}}
    before = duel({"effects": effects}, ruleset="archmage-1")
    between, _ = played(before)
    assert (between.kind, set(wizard(between, ADA).effects)) == ("normal", set(effects))
    after, _ = played(between)
    assert after.outcome == BRAM


def test_a_time_stopped_monster_strikes_before_the_turn() -> None:
    """rules: R99"""
    row = {"kind": "goblin", "controller": ADA, "effects": {"time_stop": {"turns": 1}}}
    before = duel(monsters=[row], ruleset="archmage-1")
    assert (before.kind, before.stopped, engine.acting(before)) == ("extra", ("m0",), (ADA,))
    between, _ = played(before)
    assert wizard(between, BRAM).damage == 1
    after, _ = played(between)
    assert (wizard(after, BRAM).damage, after.turn, after.kind) == (2, 2, "normal")


# Windows


@pytest.mark.parametrize(
    ("lasts", "banked"), [(Lasts.FOUR_TURNS, "missile"), (Lasts.THREE_TURNS, "")]
)
def test_delayed_effect_on_spells_of_its_own_turn_by_ruleset(
    trial: Any, lasts: Lasts, banked: str
) -> None:
    """rules: R102"""
    ruleset = trial({"delayed_effect": {"lasts": lasts}})
    before = duel(begun("DWSSS", "----S"), ruleset=ruleset)
    after, _ = played(before, ada=made("P D", left_spell="delayed_effect"))
    assert wizard(after, ADA).bank == banked
    assert ("delayed_effect" in wizard(after, ADA).effects) == (not banked)


@pytest.mark.parametrize(
    ("lasts", "permanent"), [(Lasts.FOUR_TURNS, True), (Lasts.THREE_TURNS, False)]
)
def test_permanency_on_spells_of_its_own_turn_by_ruleset(
    trial: Any, lasts: Lasts, permanent: bool
) -> None:
    """rules: R102"""
    ruleset = trial({"permanency": {"lasts": lasts}})
    before = duel(begun("SPFPSD", "---WW-"), ruleset=ruleset)
    before, _ = played(duel(begun("SPFPSD", "----WW"), ruleset=ruleset), ada=made("W P"))
    assert wizard(before, ADA).effects["protection_from_evil"].permanent == permanent


# Subjects


@pytest.mark.parametrize(
    ("legal", "options"),
    [
        (Legal.ANY, [ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere"]),
        (Legal.WIZARDS, [ADA, BRAM, "nowhere"]),
        (Legal.OPPONENTS, [BRAM, "nowhere"]),
    ],
)
def test_legal_subjects_by_ruleset(trial: Any, legal: Legal, options: list[str]) -> None:
    """The sheet offers what `check` allows. rules: R93"""
    ruleset = trial({"anti_spell": {"legal": legal}})
    before = duel(begun("SP"), monsters=[{"kind": "ogre", "controller": BRAM}], ruleset=ruleset)
    flat = made("F -")
    offered = engine.sheet(before, ADA, engine.from_fields(flat)).subjects["anti_spell"]
    assert [*offered.options] == options
    everybody = (ADA, BRAM, "m0", "L:w1", "R:w1", "nowhere")
    assert options == [
        id
        for id in everybody
        if not engine.check(before, ADA, engine.from_fields({**flat, "left_subject": id}))
    ]


@pytest.mark.parametrize(("legal", "broken"), [(Legal.ANY, ADA), (Legal.OPPONENTS, BRAM)])
def test_a_forced_hand_keeps_a_subject_only_where_it_is_legal(
    trial: Any, legal: Legal, broken: str
) -> None:
    """rules: R93, R146"""
    ruleset = trial({"anti_spell": {"legal": legal}})
    charm = {"charm_person": {"turns": 1, "caster": BRAM, "hand": "L"}}
    before = duel(begun("SP", effects=charm), ruleset=ruleset)
    after, events = played(before, ada=made("D -", left_subject=ADA), bram={"charmed:w0.L": "F"})
    assert [e.wizard for e in events if isinstance(e, engine.events.Broke)] == [broken]
    assert after.turn == 2


@pytest.mark.parametrize(("raises", "standing"), [(True, "standing"), (False, "dead")])
def test_raise_dead_on_dead_wizards_by_ruleset(trial: Any, raises: bool, standing: str) -> None:
    """rules: R54"""
    ruleset = trial({"raise_dead": {"on_dead_wizards": raises}})
    before = duel(begun("DWWFW"), {}, {"state": "dead"}, ruleset=ruleset)
    flat = made("C C", both_subject=CLEO)
    sheet = engine.sheet(before, ADA, engine.from_fields(flat))
    assert (CLEO in sheet.subjects["raise_dead"].options) == raises
    if raises:
        before, _ = played(before, ada=flat)
    assert wizard(before, CLEO).standing == standing


@pytest.mark.parametrize(("nowhere", "subject"), [(True, "nowhere"), (False, BRAM)])
def test_default_orders_casts_of_forced_hands_by_ruleset(
    trial: Any, nowhere: bool, subject: str
) -> None:
    """It goes at nowhere where it can. rules: R8"""
    ruleset = trial({"missile": {"nowhere": nowhere}})
    held = {"paralysis": {"turns": 1, "hand": "L", "letter": "D"}}
    before = duel(begun("S", effects=held), ruleset=ruleset)
    after, events = engine.resolve(
        before, {ADA: engine.default_orders(before, ADA)}, {}, engine.NoDice()
    )
    assert [e.subject for e in events if isinstance(e, engine.events.Cast)] == [subject]
    assert wizard(after, BRAM).damage == (0 if nowhere else 1)


@pytest.mark.parametrize(("default", "stripped"), [(Default.SELF, ADA), (Default.OPPONENT, BRAM)])
def test_default_subject_of_remove_enchantment_by_ruleset(
    trial: Any, default: Default, stripped: str
) -> None:
    """rules: R11"""
    ruleset = trial({"remove_enchantment": {"default": default}})
    before = duel(begun("PDW", effects={"resist_heat": {}}), under(resist_heat={}), ruleset=ruleset)
    after, _ = played(before, ada=made("P -"))
    assert [w.id for w in after.wizards if not w.effects] == [stripped]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_charm_monster_without_a_monster_gets_a_note(ruleset: str) -> None:
    """Its usual subject is a wizard in every ruleset. rules: R12"""
    before = duel(begun("PSD"), ruleset=ruleset)
    subjects = engine.sheet(before, ADA, engine.from_fields(made("D -"))).subjects
    assert (
        subjects["charm_monster"].note == "Charm Monster does nothing to a wizard: name a monster."
    )
    assert subjects["stab"].note == ""


# The order of the log


def test_cast_events_follow_the_rulesets_log_order(trial: Any) -> None:
    """It changes nothing of what they do. rules: R26"""
    order = ("missile", "cause_light_wounds", *sorted(BARTLE_1.spells))
    told = []
    for switches in ({}, {"order_of_log": order}):
        before = duel(begun("WF"), begun("S"), ruleset=trial(**switches))
        after, events = played(
            before, ada=made("P -", left_spell="cause_light_wounds"), bram=made("D -")
        )
        told.append([e.spell for e in events if isinstance(e, engine.events.Cast)])
        assert [w.damage for w in after.wizards] == [1, 2]
    assert told == [["cause_light_wounds", "missile"], ["missile", "cause_light_wounds"]]


def test_the_order_of_the_log_names_every_spell_once() -> None:
    for ruleset in RULESETS.values():
        order = ruleset.order_of_log
        assert not order or sorted(order) == sorted(ruleset.spells)


# Sacrifice


GIVER = {"kind": "troll", "controller": ADA, "victim": BRAM}


def giving(options: Sequence[str], **more: object) -> Position:
    hands = begun("DWFF", "-WFF")
    return duel(hands, more, monsters=[GIVER], options=options, ruleset="wizards-1")


@pytest.mark.parametrize(
    ("options", "named", "damage", "left", "cause"),
    [
        ((), "", 3, 1, ["powerless"]),
        (("sacrifice",), "", 3, 1, ["nothing_given"]),
        (("sacrifice",), "m0", 6, 0, []),
    ],
)
def test_sacrifice_under_the_house_rule(
    options: Sequence[str], named: str, damage: int, left: int, cause: list[str]
) -> None:
    """What is given up attacks once more, for it dies at the end of the turn. rules: R24, R71"""
    after, events = played(giving(options), ada=made("D D", sacrifice=named))
    assert wizard(after, BRAM).damage == damage
    assert len(after.monsters) == left
    assert causes(events, "failed") == cause


def test_sheet_offers_monsters_for_sacrifice() -> None:
    """rules: R24"""
    orders = engine.from_fields(made("D D"))
    offered = engine.sheet(giving(("sacrifice",)), ADA, orders).sacrifice
    assert offered is not None
    assert (offered.options, offered.default) == (("m0",), "")
    assert engine.sheet(giving(()), ADA, orders).sacrifice is None
    assert engine.sheet(giving(("sacrifice",)), ADA).sacrifice is None
    notes = [
        engine.sheet(giving(options), ADA, orders).subjects["sacrifice"].note
        for options in ((), ("sacrifice",))
    ]
    assert notes == ["Sacrifice has no effect in this duel.", ""]
    assert engine.sheet(giving(("sacrifice",)), BRAM, orders).sacrifice is None


def test_a_sacrifice_sent_back_costs_its_caster_the_monster_and_the_wounds() -> None:
    """rules: R24, R40"""
    before = giving(("sacrifice",), **begun("C", "C"))
    flat = {**made("D D", sacrifice="m0"), "victim:m0": "no_one"}
    after, _ = played(before, ada=flat, bram=made("W W"))
    assert [w.damage for w in after.wizards] == [3, 0]
    assert after.monsters == []


def test_a_countered_sacrifice_destroys_no_monster() -> None:
    """rules: R24"""
    before = giving(("sacrifice",), **begun("WP"))
    after, _ = played(
        before, ada=made("D D", sacrifice="m0"), bram=made("P -", left_spell="counter_spell")
    )
    assert (wizard(after, BRAM).damage, len(after.monsters)) == (0, 1)


def test_a_monster_can_be_sacrificed_only_once() -> None:
    """rules: R24"""
    hands = begun("DWFF", "-WFF", bank="sacrifice")
    before = duel(hands, monsters=[GIVER], options=["sacrifice"], ruleset="wizards-1")
    flat = {**made("D D", sacrifice="m0", release="yes"), "victim:m0": "no_one"}
    after, events = played(before, ada=flat)
    assert wizard(after, BRAM).damage == 3
    assert causes(events, "failed") == ["nothing_given"]


def test_sacrifice_cannot_use_a_monster_charmed_away() -> None:
    """It is the master's no longer when the spell works. rules: R24, R123"""
    before = giving(("sacrifice",), **begun("PSD"))
    after, events = played(
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
    ],
)
def test_a_duel_has_only_options_of_its_ruleset(
    options: Sequence[str], ruleset: str, match: str
) -> None:
    with pytest.raises(engine.InvalidData, match=match):
        duel(options=options, ruleset=ruleset)


# Fields that every order of play reads: two rulesets, Bartle's and Spellcast's, one field changed

PLAYED: dict[str, Ruleset] = {"sealed": BARTLE_1, "stepwise": SPELLCAST_1}
EITHER = pytest.mark.parametrize("play", PLAYED)


@pytest.fixture
def variant(monkeypatch: pytest.MonkeyPatch) -> object:
    """A function that publishes the ruleset of an order of play with these fields changed."""

    def publish(play: str, **changes: Any) -> str:
        monkeypatch.setitem(RULESETS, TRIAL, replace(PLAYED[play], id=TRIAL, **changes))
        return TRIAL

    return publish


def stabbed_by_ada(position: Position, **more: str) -> list[int]:
    after, _ = played(position, ada=made("> -", **more))
    return [wizard.damage for wizard in after.wizards]


@EITHER
@pytest.mark.parametrize(
    ("opponent", "hit"), [(Opponent.NEXT_SEAT, [0, 0, 1]), (Opponent.LOWEST_SEAT, [1, 0, 0])]
)
def test_opponent_where_nobody_is_named(
    variant: Any, play: str, opponent: Opponent, hit: list[int]
) -> None:
    """Of stabs, spells and monsters. rules: R13"""
    ruleset = variant(play, opponent=opponent)
    after, _ = played(duel({}, {}, {}, ruleset=ruleset), bram=made("> -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    after, _ = played(duel({}, begun("S"), {}, ruleset=ruleset), bram=made("D -"))
    assert [wizard.damage for wizard in after.wizards] == hit
    goblin = {"kind": "goblin", "controller": BRAM}
    after, _ = played(duel({}, {}, {}, monsters=[goblin], ruleset=ruleset))
    assert [wizard.damage for wizard in after.wizards] == hit


@EITHER
def test_the_stabs_row_says_how_much_and_whom(variant: Any, play: str) -> None:
    """rules: R17"""
    row = PLAYED[play].stab
    deep = variant(play, stab=replace(row, amount=4))
    assert stabbed_by_ada(duel(ruleset=deep)) == [0, 4]
    free = variant(play, stab=replace(row, legal=Legal.ANY, nowhere=True))
    assert stabbed_by_ada(duel(ruleset=free), left_subject=ADA) == [1, 0]
    assert stabbed_by_ada(duel(ruleset=free), left_subject="nowhere") == [0, 0]
    inward = variant(play, stab=replace(row, legal=Legal.ANY, default=Default.SELF))
    assert stabbed_by_ada(duel(ruleset=inward)) == [1, 0]


@EITHER
@pytest.mark.parametrize(
    ("change", "subject", "code"),
    [
        ({"legal": Legal.OTHERS}, ADA, "stab_self"),
        ({"nowhere": False}, "nowhere", "stab_nowhere"),
        ({"legal": Legal.WIZARDS}, "m0", "subject"),
        ({"on_corpses": False}, "m1", "subject"),
        ({"on_dead_wizards": False}, CLEO, "subject"),
    ],
)
def test_the_stabs_row_refuses(
    variant: Any, play: str, change: Mapping[str, Any], subject: str, code: str
) -> None:
    """The sheet offers no such subject either. rules: R17"""
    open_to_all = {"legal": Legal.ANY, "nowhere": True, "on_corpses": True, "on_dead_wizards": True}
    monsters = [{"kind": "ogre", "controller": BRAM}, {"kind": "ogre", "state": "corpse"}]
    found = []
    for changes in (open_to_all, {**open_to_all, **change}):
        ruleset = variant(play, stab=replace(PLAYED[play].stab, **changes))
        before = duel({}, {}, {"state": "dead"}, monsters=monsters, ruleset=ruleset)
        orders = engine.from_fields(made("> -", left_subject=subject))
        found.append([fault.code for fault in engine.check(before, ADA, orders)])
        if found[-1]:
            assert subject not in engine.sheet(before, ADA, orders).subjects["stab"].options
    assert found == [[], [code]]


@EITHER
@pytest.mark.parametrize(
    ("two_stabs", "subject"),
    [(TwoStabs.LEFT, BRAM), (TwoStabs.RIGHT, CLEO), (TwoStabs.REFUSED, "")],
)
def test_two_stabs_in_one_set(variant: Any, play: str, two_stabs: TwoStabs, subject: str) -> None:
    """rules: R16"""
    before = duel({}, {}, {}, ruleset=variant(play, two_stabs=two_stabs))
    flat = made("> >", left_subject=BRAM)
    if two_stabs is TwoStabs.RIGHT:
        flat = made("> >", right_subject=CLEO)
    faults = engine.check(before, ADA, engine.from_fields(flat))
    assert [fault.code for fault in faults] == ([] if subject else ["two_stabs"])
    if subject:
        after, events = played(before, ada=flat)
        assert [w.id for w in after.wizards if w.damage] == [subject]
        assert "knife_kept" in codes(events)
        assert wizard(after, ADA).left + wizard(after, ADA).right == (
            ">-" if two_stabs is TwoStabs.LEFT else "->"
        )


@EITHER
@pytest.mark.parametrize(
    ("unordered", "victim"),
    [
        (Unordered.LAST_VICTIM, CLEO),
        (Unordered.OPPONENT, BRAM),
        (Unordered.LAST_OR_NOBODY, CLEO),
    ],
)
def test_victim_of_a_monster_without_orders(
    variant: Any, play: str, unordered: Unordered, victim: str
) -> None:
    """As the sheet says beforehand. rules: R161, R170"""
    goblin = {"kind": "goblin", "controller": ADA, "victim": CLEO}
    before = duel({}, {}, {}, monsters=[goblin], ruleset=variant(play, unordered=unordered))
    (sheet,) = engine.sheet(before, ADA).monsters
    assert sheet.default == victim
    after, _ = played(before)
    assert [w.id for w in after.wizards if w.damage] == [victim]
    fresh = duel({}, {}, {}, monsters=[{**goblin, "victim": ""}], ruleset=TRIAL)
    (sheet,) = engine.sheet(fresh, ADA).monsters
    after, _ = played(fresh)
    nobody = unordered is Unordered.LAST_OR_NOBODY
    assert sheet.default == ("no_one" if nobody else BRAM)
    assert [w.id for w in after.wizards if w.damage] == ([] if nobody else [BRAM])


@EITHER
@pytest.mark.parametrize(
    ("full_bank", "banked", "damage"),
    [(FullBank.KEEPS, "fireball", 1), (FullBank.REPLACES, "missile", 0)],
)
def test_a_window_while_a_spell_is_banked(
    variant: Any, play: str, full_bank: FullBank, banked: str, damage: int
) -> None:
    """rules: R104"""
    ruleset = variant(play, full_bank=full_bank)
    ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=ruleset)
    flat = made("D -")
    captures = engine.sheet(before, ADA, engine.from_fields(flat)).captures
    assert bool(captures) == (full_bank is FullBank.REPLACES)
    after, events = played(before, ada=flat)
    assert wizard(after, ADA).bank == banked
    assert wizard(after, BRAM).damage == damage
    assert ("removed" in codes(events)) == (full_bank is FullBank.REPLACES)


def test_a_released_spell_makes_room_in_a_bank_that_is_replaced(variant: Any) -> None:
    """rules: R104"""
    for full_bank, banked in ((FullBank.KEEPS, ""), (FullBank.REPLACES, "missile")):
        ada = begun("S", bank="fireball", effects={"delayed_effect": {"turns": 2}})
        before = duel(ada, ruleset=variant("sealed", full_bank=full_bank))
        after, _ = played(before, ada=made("D -", release="yes"))
        assert wizard(after, ADA).bank == banked
        assert wizard(after, BRAM).damage == (5 if banked else 6)


@EITHER
@pytest.mark.parametrize(("fizzles", "spells"), [(True, ["lightning_bolt"]), (False, [])])
def test_a_short_bolt_after_the_first(
    variant: Any, play: str, fizzles: bool, spells: list[str]
) -> None:
    """rules: R18"""
    ada = begun("WDD", "---", used_bolt=True)
    before = duel(ada, ruleset=variant(play, spent_fizzles=fizzles))
    after, events = played(before, ada=made("C C"))
    assert [e.spell for e in events if isinstance(e, engine.events.Cast)] == spells
    assert causes(events, "failed") == (["spent"] if fizzles else [])
    assert wizard(after, BRAM).damage == 0


def test_a_spell_that_fizzles_is_not_banked(variant: Any) -> None:
    """rules: R18, R103"""
    ada = begun("WDD", "---", used_bolt=True, effects={"delayed_effect": {"turns": 2}})
    before = duel(ada, ruleset=variant("sealed", spent_fizzles=True))
    after, _ = played(before, ada=made("C C"))
    assert wizard(after, ADA).bank == ""
    assert "delayed_effect" in wizard(after, ADA).effects


@pytest.mark.parametrize(("to_come", "faults"), [(True, []), (False, ["subject"])])
def test_a_subject_still_to_come(variant: Any, to_come: bool, faults: list[str]) -> None:
    """rules: R14"""
    before = duel(begun("SF", "S"), ruleset=variant("sealed", subjects_to_come=to_come))
    orders = engine.from_fields(made("W D", right_subject="L:w0"))
    assert [fault.code for fault in engine.check(before, ADA, orders)] == faults
    options = engine.sheet(before, ADA, orders).subjects["missile"].options
    assert ("L:w0" in options) == to_come
    stab = engine.from_fields(made("W >", right_subject="L:w0"))
    assert [fault.code for fault in engine.check(before, ADA, stab)] == faults


@EITHER
@pytest.mark.parametrize("sight", StoppedSight)
def test_whose_hands_the_time_stopped_see(variant: Any, play: str, sight: StoppedSight) -> None:
    """rules: R121"""
    ruleset = variant(play, stopped_sight=sight)
    before = duel(begun("SPP", "---"), begun("SPP", "---"), ruleset=ruleset)
    between, first = played(before, ada=made("C C"), bram=made("C C"))
    assert between.stopped == (ADA, BRAM)
    after, events = played(between, ada=made("F -"), bram=made("W -"))
    turns = (engine.Turn(1, before, first), engine.Turn(2, between, events))
    seen = engine.view(engine.History(turns, after), ADA)
    (hand,) = [hand for hand in seen.hands if (hand.wizard, hand.hand) == (BRAM, "L")]
    assert hand.letters.endswith("W") == (sight is StoppedSight.EACH_OTHER)


def unplayable() -> Iterator[tuple[str, str, object]]:
    """Every value that an order of play has no phases for: the order, the field, the value."""
    for play, limits in LIMITS.items():
        for field, limit in limits.items():
            if isinstance(limit.value, bool):
                yield play, field, not limit.value
            elif field != "time_stop":
                kind: type[Any] = type(limit.value)
                yield from ((play, field, value) for value in kind if value is not limit.value)


@pytest.mark.parametrize(("play", "field", "value"), list(unplayable()))
def test_what_an_order_of_play_cannot_play_is_refused(play: str, field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{field} cannot be .* in {play} play: [a-z]"):
        replace(PLAYED[play], **{field: value})


def test_a_time_stop_that_lasts_is_refused_step_by_step() -> None:
    """rules: R99"""
    book = revised(BARTLE, ACTING)
    with pytest.raises(ValueError, match=r"time_stop cannot be .* in stepwise play"):
        make(TRIAL, name="Trial", description="", spells=book, order_of_play="stepwise")


@EITHER
@pytest.mark.parametrize(
    ("merges", "damage", "code"), [(True, 0, "merged"), (False, 2, "destroyed")]
)
def test_two_elementals_of_a_kind(
    variant: Any, play: str, merges: bool, damage: int, code: str
) -> None:
    """rules: R65"""
    fires: list[Row] = [{"kind": "fire", "damage": 2}, {"kind": "fire"}]
    before = duel(monsters=fires, ruleset=variant(play, elementals_merge=merges))
    after, events = played(before, ada=made("P -"))
    (kept,) = after.monsters
    told = codes(events, "merged", "destroyed")
    assert (kept.id, kept.damage) == ("m0", damage)
    assert told == [code]


@EITHER
@pytest.mark.parametrize(("ignores", "damage"), [(True, 5), (False, 0)])
def test_a_released_spell_at_the_countered(
    variant: Any, play: str, ignores: bool, damage: int
) -> None:
    """rules: R105"""
    ruleset = variant(play, release_ignores_counter=ignores)
    before = duel({"bank": "fireball"}, begun("WP"), ruleset=ruleset)
    guard = made("P -", left_spell="counter_spell", left_subject=BRAM)
    after, _ = played(before, ada={"release": "yes", "release_subject": BRAM}, bram=guard)
    assert wizard(after, BRAM).damage == damage


# Tables of letters


@EITHER
@pytest.mark.parametrize(
    ("table", "letter"), [({"C": "F"}, "C"), ({"F": "C"}, "F"), ({"C": "F", "W": "D"}, "W")]
)
def test_a_paralysed_hand_goes_by_the_table(
    variant: Any, play: str, table: Mapping[str, str], letter: str
) -> None:
    """What the table does not have stays. rules: R80"""
    before = duel(begun("FF"), begun(letter), ruleset=variant(play, paralysed=table))
    flat = made("F -", **{"answer:paralysis": "L"})
    between, _ = played(before, ada=flat, bram=made(f"{letter} -"))
    after, _ = played(between)
    assert wizard(after, BRAM).left[-2:] == letter + table[letter]
    again, _ = played(duel(begun("FF"), ruleset=TRIAL), ada=flat, bram=made("P -"))
    after, _ = played(again)
    assert wizard(after, BRAM).left[-2:] == "PP"


@EITHER
@pytest.mark.parametrize(("letters", "allowed"), [("PW>-", False), ("PWF>-", True)])
def test_fear_bars_what_the_table_lacks(
    variant: Any, play: str, letters: str, allowed: bool
) -> None:
    """On the sheet, in its words, and in what is refused. rules: R87"""
    before = duel({}, under(fear={"turns": 1}), ruleset=variant(play, under_fear=letters))
    orders = engine.from_fields(made("F -"))
    assert [fault.code for fault in engine.check(before, BRAM, orders)] == (
        [] if allowed else ["feared_letter"]
    )
    hand = engine.sheet(before, BRAM).sets[0].left
    assert ("F" in [option.letter for option in hand.gestures if option.allowed]) == allowed
    assert hand.reason.startswith(
        "You are afraid: only P, W, F" if allowed else "You are afraid: only P, W, a"
    )


@EITHER
@pytest.mark.parametrize("letters", ["CDFPSW", "FFD", "PW"])
def test_the_die_of_a_confusion_shows_the_tables_letters(
    variant: Any, play: str, letters: str
) -> None:
    """It has as many sides as there are letters. rules: spell:confusion"""
    before = duel({}, under(confusion={"turns": 1}), ruleset=variant(play, confused=letters))
    last = len(letters) - 1
    dice = engine.RecordedDice(sequence=[0, last])
    after, events = played(before, bram=made("- -"), dice=dice)
    (drew,) = [e for e in events if isinstance(e, engine.events.Drew) and e.purpose == "gesture"]
    assert (drew.sides, wizard(after, BRAM).left) == (len(letters), letters[last])


# The published values


def changed(ruleset: Ruleset) -> dict[str, object]:
    """The switches that the ruleset sets otherwise than Bartle's."""
    told = ("id", "name", "description", "spells", "automaton", "completables", "ends", "asks")
    by_rows = (
        "destroyers", "illnesses", "resistances", "spells_of_an_element", "spells_that_ask",
        "storms",
    )  # fmt: skip
    texts = ("gesture_names", "opening", "order_of_log", "markers")
    return {
        field.name: getattr(ruleset, field.name)
        for field in fields(Ruleset)
        if field.name not in (*told, *by_rows, *texts)
        and getattr(ruleset, field.name) != getattr(BARTLE_1, field.name)
    }


def test_switch_values_of_published_rulesets() -> None:
    assert changed(WIZARDS_1) == {}
    assert changed(ARCHMAGE_1) == {
        "subject_picks_element": False,
        "removal_unmakes_summons": False,
        "elementals_merge": False,
        "minds_in_force_cancel": True,
        "release_ignores_counter": True,
        "time_stop": TimeStop.BEFORE_TURNS,
        "acts_before_turns": True,
    }


def test_a_copy_of_a_ruleset_keeps_how_its_time_stop_works() -> None:
    assert replace(ARCHMAGE_1, id=TRIAL).acts_before_turns
    assert not replace(BARTLE_1, id=TRIAL).acts_before_turns
