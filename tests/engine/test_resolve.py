"""Tests of resolving turns: common mistakes of engines for this game, and rejected arguments.

The rules themselves are in `cases/`. Names of beings: w0 Ada, w1 Bram, w2 Cleo, m0 a monster.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

import engine.orders
import engine.play
from engine.events import Cast, Drawn, Failed, Gestured, Summoned
from engine.ids import MAX_SEATS
from engine.resolve.summon import monster_name
from engine.rulesets import BARTLE_1, RULESETS
from engine.rulesets.ruleset import make_ruleset
from engine.spellbook import BARTLE_SPELLBOOK
from tests.engine import duel_checksums
from tests.engine.board import (
    ADA,
    BRAM,
    CLEO,
    begun,
    duel,
    event_codes,
    made,
    play_turn,
    under_effects,
)

ONE_TURN: dict[str, object] = {"turns": 1}


def spells_cast(events: Sequence[engine.play.Event]) -> list[tuple[str, str]]:
    return [(event.wizard, event.spell) for event in events if isinstance(event, Cast)]


def damage_by_seat(position: engine.play.Position) -> list[int]:
    return [wizard.damage for wizard in position.wizards]


# 1 One hand or both


@pytest.mark.parametrize("right", ["W", "-", "P"])
def test_one_handed_w_counts_with_any_gesture_of_the_other_hand(right: str) -> None:
    """rules: gesture:matching"""
    _, events = play_turn(duel(begun("SW", right)), ada=made("D -"))
    assert spells_cast(events) == [(ADA, "fear")]


# 2 Overlapping sequences


def test_ffff_casts_paralysis_twice() -> None:
    position, first = play_turn(duel(begun("FF")), ada=made("F -"))
    _, second = play_turn(position, ada=made("F -"))
    assert spells_cast(first) == spells_cast(second) == [(ADA, "paralysis")]


def test_extra_w_before_w_w_s_does_not_prevent_a_counter_spell() -> None:
    _, events = play_turn(duel(begun("WWW")), ada=made("S -"))
    assert spells_cast(events) == [(ADA, "counter_spell")]


# 3 A two-handed spell uses both hands


def test_spell_that_ends_with_both_hands_leaves_no_second_spell() -> None:
    """The right hand would complete Counter-spell (W W S), but its S is already used. rules: R4"""
    _, events = play_turn(duel(begun("PPW", "WW")), ada=made("S S"))
    assert spells_cast(events) == [(ADA, "invisibility")]
    (cast,) = [event for event in events if isinstance(event, Cast)]
    assert (cast.hand, cast.instead_of) == ("BH", ("counter_spell",))


# 4 Mirrors

MAGIC_MIRROR_CASTER = begun("C", "C")


def test_mirror_reflects_an_opponents_spell() -> None:
    position, events = play_turn(
        duel(begun("S"), MAGIC_MIRROR_CASTER), ada=made("D -"), bram=made("W W")
    )
    assert damage_by_seat(position) == [1, 0]
    assert "reflected" in event_codes(events)


def test_mirror_does_not_reflect_a_spell_cast_by_its_subject() -> None:
    """rules: R40"""
    position, events = play_turn(
        duel(begun("S"), MAGIC_MIRROR_CASTER),
        ada=made("D -", left_subject="w0"),
        bram=made("W W", both_subject="w0"),
    )
    assert damage_by_seat(position) == [1, 0]
    assert "reflected" not in event_codes(events)


def test_mirror_does_not_reflect_a_storm() -> None:
    position, _ = play_turn(
        duel(begun("SWW"), MAGIC_MIRROR_CASTER), ada=made("C C"), bram=made("W W")
    )
    assert damage_by_seat(position) == [5, 5]


def test_spell_between_two_mirrors_is_lost() -> None:
    """rules: R41"""
    position, events = play_turn(
        duel(begun("S"), MAGIC_MIRROR_CASTER, MAGIC_MIRROR_CASTER),
        ada=made("D -", left_subject="w1"),
        bram=made("W W"),
        cleo=made("W W", both_subject="w0"),
    )
    assert damage_by_seat(position) == [0, 0, 0]
    assert [event.cause for event in events if isinstance(event, Failed)] == ["mirrors"]


# 5 Simultaneous effects


def test_damage_and_cures_of_a_turn_are_summed() -> None:
    """Ada survives, although the damage would kill her without the cure. rules: R30"""
    position, _ = play_turn(
        duel(begun("DFFD"), begun("DF", damage=10)), ada=made("D -"), bram=made("W -")
    )
    assert damage_by_seat(position) == [0, 14]
    assert position.outcome == ""


def test_dying_wizards_spells_still_take_effect() -> None:
    """rules: R117"""
    position, _ = play_turn(
        duel(begun("S", damage=14), begun("S", damage=14)), ada=made("D -"), bram=made("D -")
    )
    assert position.outcome == "draw"


# 6 Many deaths


def test_all_killed_monsters_die_in_one_turn() -> None:
    monsters = [{"kind": "goblin", "controller": f"w{number % 2}"} for number in range(6)]
    position, events = play_turn(duel(begun("SWW"), monsters=monsters), ada=made("C C"))
    assert [monster.state for monster in position.monsters] == ["corpse"] * 6
    assert event_codes(events, "died") == ["died"] * 6
    assert damage_by_seat(position) == [5 + 3, 5 + 3]  # each monster attacks before it dies


def test_all_destroyed_elementals_are_removed_in_one_turn() -> None:
    monsters = [{"kind": kind} for kind in ("fire", "fire", "ice", "ice")]
    position, _ = play_turn(duel(monsters=monsters))
    assert position.monsters == []
    assert damage_by_seat(position) == [0, 0]


# 7 Spells have no state


def test_playing_one_duel_does_not_affect_another() -> None:
    quiet = duel(begun("S"))
    alone = play_turn(quiet, ada=made("D -"))
    loud = duel(begun("S"), begun("WP"))
    countered, _ = play_turn(loud, ada=made("D -"), bram=made("P -"))
    assert damage_by_seat(countered) == [0, 0]
    assert play_turn(quiet, ada=made("D -")) == alone
    assert damage_by_seat(alone[0]) == [0, 1]


def test_same_spell_with_both_hands_is_cast_twice() -> None:
    position, events = play_turn(
        duel(begun("S", "S"), begun("S")),
        ada=made("D D", left_subject="w1", right_subject="nowhere"),
        bram=made("D -"),
    )
    assert damage_by_seat(position) == [1, 1]
    assert spells_cast(events) == [(ADA, "missile"), (ADA, "missile"), (BRAM, "missile")]


# 8 Resolving a turn asks no questions


def test_unanswered_or_wrongly_answered_question_gets_its_default() -> None:
    """rules: R81"""
    position, orders = duel(begun("FF")), {ADA: engine.orders.from_fields(made("F -"))}
    (question,) = engine.play.questions(position, orders, {}, engine.play.NoDice())
    assert (question.kind, question.wizard, question.about) == ("paralysis", ADA, BRAM)
    assert (question.options, question.default) == (("L", "R"), "L")
    assert engine.play.questions(position, orders, {question.id: "R"}, engine.play.NoDice()) == ()
    for answers, hand in (({}, "L"), ({question.id: "R"}, "R"), ({question.id: "X"}, "L")):
        after, _ = engine.play.resolve(position, orders, answers, engine.play.NoDice())
        assert after.wizard(BRAM).effects["paralysis"].hand == hand


def test_advance_answers_replace_questions_except_in_strict_duels() -> None:
    orders = {ADA: engine.orders.from_fields(made("F -", **{"answer:paralysis": "R"}))}
    position = duel(begun("FF"))
    assert engine.play.questions(position, orders, {}, engine.play.NoDice()) == ()
    after, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    assert after.wizard(BRAM).effects["paralysis"].hand == "R"
    strict = duel(begun("FF"), options=["strict"])
    plain = {ADA: engine.orders.from_fields(made("F -"))}
    assert len(engine.play.questions(strict, plain, {}, engine.play.NoDice())) == 1
    with pytest.raises(engine.play.IllegalOrders):
        engine.play.resolve(strict, orders, {}, engine.play.NoDice())


def test_resolve_passes_events_to_the_sink_or_returns_them() -> None:
    position, orders = duel(begun("S")), {ADA: engine.orders.from_fields(made("D -"))}
    after, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    heard: list[engine.play.Event] = []
    assert engine.play.resolve(position, orders, {}, engine.play.NoDice(), sink=heard.append) == (
        after,
        (),
    )
    assert tuple(heard) == events
    assert engine.play.resolve(
        position, orders, {}, engine.play.NoDice(), sink=engine.play.drop_events
    ) == (
        after,
        (),
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_seat_of_a_full_duel_acts_and_is_reported(ruleset: str) -> None:
    wizards = [engine.play.Duellist(name) for name in "ABCDEFGHIJ"[:MAX_SEATS]]
    position = engine.play.begin(ruleset, wizards)
    orders = {wizard.id: engine.orders.from_fields(made("W S")) for wizard in position.wizards}
    after, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    told = [
        (event.wizard, event.left, event.right) for event in events if isinstance(event, Gestured)
    ]
    assert told == [(wizard.id, "W", "S") for wizard in after.wizards]
    assert len(told) == MAX_SEATS


@pytest.mark.parametrize("ruleset", RULESETS)
def test_dropping_events_does_not_change_the_result_of_a_turn(ruleset: str) -> None:
    """The turns include messages and the ends of duels, when markers change hands."""
    ends = 0
    for number in range(40):
        for step in duel_checksums.numbered_duel(ruleset, number):
            orders = {id: replace(own, say="Well met") for id, own in step.orders.items()}
            after, events = engine.play.resolve(
                step.position, orders, step.answers, step.dice, sink=engine.play.drop_events
            )
            assert (after, events) == (step.after, ())
            ends += bool(after.outcome)
    assert ends


def test_observer_learns_of_a_resistance_when_it_is_cast_again() -> None:
    """Bram does not see the extra turn in which Ada first casts Resist Heat. rules: R121, R92"""
    position, _ = play_turn(
        duel(begun("WW"), begun("SPP", "---")), ada=made("F -"), bram=made("C C", both_subject=ADA)
    )
    resisting = made("P -", left_spell="resist_heat", left_subject=ADA)
    position, _ = play_turn(position, ada=resisting)
    assert position.wizard(ADA).effects["resist_heat"].unseen_by == (BRAM,)
    for row in ("W -", "W -", "F -"):
        position, _ = play_turn(position, ada=made(row))
    position, _ = play_turn(position, ada=resisting)
    assert position.wizard(ADA).effects["resist_heat"].unseen_by == ()


def test_elemental_without_a_chosen_kind_is_fire() -> None:
    """rules: R63"""
    after, _ = play_turn(duel(begun("CSWW", "C---")), ada=made("S -"))
    assert [monster.kind for monster in after.monsters] == ["fire"]


def test_resolve_rejects_gestures_of_wizards_outside_an_extra_turn() -> None:
    """rules: R98"""
    extra, _ = play_turn(duel(begun("SPP", "---")), ada=made("C C"))
    assert extra.kind == "extra"
    with pytest.raises(engine.play.IllegalOrders):
        play_turn(extra, bram=made("W -"))


def test_blind_charmer_names_the_left_hand_by_default() -> None:
    """rules: R81"""
    blind = begun("PSD", effects={"blindness": {"turns": 4}})
    after, _ = play_turn(
        duel(blind, begun("WP")), ada=made("F -", left_subject=BRAM), bram=made("P -")
    )
    for hand, is_offered in (("L", True), ("R", False)):
        orders = engine.orders.from_fields(made("- -", **{f"charmed:{BRAM}.{hand}": "W"}))
        assert (engine.play.check(after, ADA, orders) == ()) == is_offered


def test_each_elemental_is_reported_with_the_wizard_who_summoned_it() -> None:
    """rules: R135"""
    calling = begun("CSWW", "CSWW")
    answers = {"answer:elemental": "fire"}
    _, events = play_turn(
        duel(calling, calling), ada=made("S -", **answers), bram=made("S -", **answers)
    )
    told = [(event.wizard, event.kind) for event in events if isinstance(event, Summoned)]
    assert told == [(ADA, "fire"), (BRAM, "fire")]


def test_guard_on_a_monster_being_summoned_is_reported_once() -> None:
    """rules: R14"""
    _, events = play_turn(
        duel(begun("SF"), begun("WP")), ada=made("W -"), bram=made("P -", left_subject="L:w0")
    )
    assert event_codes(events, "guarded", "failed") == ["guarded"]


def test_failed_spell_is_reported_once() -> None:
    """A Finger of Death fails at a corpse that is raised, and a second Anti-spell after a first.

    rules: R149, R93
    """
    raiser, killer = begun("DWWFW", "-----"), begun("PWPFSSS")
    _, events = play_turn(
        duel(raiser, killer, monsters=[{"kind": "ogre", "state": "corpse"}]),
        ada=made("C C", both_subject="m0"),
        bram=made("D -", left_subject="m0"),
    )
    failures = [(event.wizard, event.spell) for event in events if isinstance(event, Failed)]
    assert failures == [(ADA, "raise_dead"), (BRAM, "finger_of_death")]
    stopped = {**begun("SP"), "effects": {"time_stop": {"turns": 1}}}
    action = duel(stopped, {}, begun("SP"), ruleset="archmage-1")
    assert action.kind == "extra"
    turn, _ = play_turn(action, ada=made("F -", left_subject=BRAM))
    _, events = play_turn(turn, cleo=made("F -", left_subject=BRAM))
    assert event_codes(events, "broke") == ["broke"]


def test_monsters_of_a_duel_have_different_names() -> None:
    """After all colours are used, the names get numbers, Roman up to ten. rules: R75"""
    names = [monster_name(BARTLE_1, "goblin", number) for number in range(300)]
    assert len(set(names)) == 300
    reds = [names[number] for number in (0, 12, 24, 96, 108, 120, 132)]
    assert reds == [
        f"Red Goblin{round_}" for round_ in ("", " II", " III", " IX", " X", " 11", " 12")
    ]


# 9 Rulesets are plain values


def test_resolve_works_with_a_ruleset_made_in_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    spells = [
        replace(spell, patterns=("SS",), amount=2) if spell.id == "missile" else spell
        for spell in BARTLE_SPELLBOOK
    ]
    swift = make_ruleset(
        "swift-1", name="Swift", description="Missiles by two snaps.", spells=spells
    )
    monkeypatch.setitem(RULESETS, swift.id, swift)
    position = engine.play.begin(
        "swift-1", [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
    )
    for _ in range(2):
        position, _ = play_turn(position, ada=made("S -"))
    assert damage_by_seat(position) == [0, 2]
    assert BARTLE_1.spells["missile"].amount == 1


# 10 Surrender


def test_surrendering_with_a_killing_spell_wins() -> None:
    """rules: R111, R112"""
    position, events = play_turn(duel(begun("WF"), {"damage": 13}), ada=made("P P"))
    assert position.outcome == ADA
    assert event_codes(events, "died", "surrendered", "won") == ["died", "surrendered", "won"]


def test_surrendering_wizard_is_still_hurt_by_spells_of_that_turn() -> None:
    position, events = play_turn(duel({}, begun("DFFD")), ada=made("P P"), bram=made("D -"))
    assert (position.outcome, damage_by_seat(position)) == (BRAM, [5, 0])
    assert event_codes(events, "guarded") == ["guarded", "guarded"]  # from the two palms


def test_simultaneous_surrenders_end_in_a_draw() -> None:
    position, _ = play_turn(duel(), ada=made("P P"), bram=made("P P"))
    assert position.outcome == "draw"


def test_wizard_raised_on_the_last_turn_shares_the_draw() -> None:
    """rules: R174, R113, R83. Cleo is raised and dies, because the dice
    make four confused giants attack her. A storm kills the others."""
    confused = {"kind": "giant", "controller": BRAM, "effects": {"confusion": ONE_TURN}}
    raiser, stormer = begun("DWWFW", "-----", damage=14), begun("SWW", "---", damage=14)
    position = duel(raiser, stormer, {"state": "dead"}, monsters=[confused] * 4)
    dice = engine.play.RecordedDice({f"turn 1 confusion m{n} victim": 2 for n in range(4)})
    after, events = play_turn(
        position, ada=made("C C", both_subject=CLEO), bram=made("C C"), dice=dice
    )
    assert after.outcome == "draw"
    assert [event.wizards for event in events if isinstance(event, Drawn)] == [(ADA, BRAM, CLEO)]


def test_fireball_that_destroys_an_elemental_is_not_reported_as_failed() -> None:
    """rules: R67, R68"""
    ice = [{"kind": "ice", "controller": BRAM}]
    burner, freezer = begun("FSSD"), begun("WSS", "---")
    _, events = play_turn(
        duel(burner, freezer, monsters=ice), ada=made("D -", left_subject="m0"), bram=made("C C")
    )
    assert [event for event in events if isinstance(event, Failed)] == []


def test_forced_surrender_counts() -> None:
    """rules: gesture:surrender"""
    amnesiac = under_effects(amnesia={**ONE_TURN, "sets": ["PP"]})
    position, _ = play_turn(duel(amnesiac), ada=made("P P"))
    assert position.outcome == BRAM


# 11 Seats


@pytest.mark.parametrize("first", [0, 1])
def test_spell_and_guard_work_the_same_from_either_seat(first: int) -> None:
    """Counter-spell stops a missile, and a mirror reflects it, from either seat."""
    for guard, gesture, hurt in ((begun("WP"), "P -", None), (MAGIC_MIRROR_CASTER, "W W", first)):
        rows = [begun("S"), guard] if first == 0 else [guard, begun("S")]
        shooting, guarding = made("D -"), made(gesture)
        pair = (shooting, guarding) if first == 0 else (guarding, shooting)
        position, _ = play_turn(duel(*rows), ada=pair[0], bram=pair[1])
        assert damage_by_seat(position) == [int(hurt == 0), int(hurt == 1)]


# 12 Claps


def test_half_a_clap_does_not_complete_a_storm() -> None:
    """rules: R1"""
    position, events = play_turn(duel(begun("SWW")), ada=made("C -"))
    assert spells_cast(events) == []
    assert damage_by_seat(position) == [0, 0]


def test_clap_completed_by_confusion_completes_a_storm() -> None:
    """The dice give the right hand (4) half of the clap (1). rules: R2"""
    dice = engine.play.RecordedDice(
        {"turn 1 confusion w0 hand": 3, "turn 1 confusion w0 gesture": 0}
    )
    confused = duel(begun("SWW", effects={"confusion": ONE_TURN}))
    _, events = play_turn(confused, ada=made("C -"), dice=dice)
    assert spells_cast(events) == [(ADA, "fire_storm")]


def test_clap_prevented_by_paralysis_completes_nothing() -> None:
    bound = begun("SWW", effects={"paralysis": {**ONE_TURN, "hand": "R", "letter": "F"}})
    _, events = play_turn(duel(bound), ada=made("C -"))
    assert spells_cast(events) == []


# Rejected arguments


def test_illegal_orders_are_rejected_with_their_faults() -> None:
    orders = {
        ADA: engine.orders.from_fields(made("W W")),
        BRAM: engine.orders.from_fields(made("> >")),
    }
    with pytest.raises(engine.play.IllegalOrders, match=r"w1: left: You have only one knife") as no:
        engine.play.resolve(duel(), orders, {}, engine.play.NoDice())
    assert {wizard: [f.code for f in faults] for wizard, faults in no.value.faults.items()} == {
        BRAM: ["two_stabs", "two_stabs"]
    }


def test_resolve_rejects_orders_of_a_wizard_out_of_the_duel() -> None:
    position = duel({}, {"state": "dead"}, seats=3)
    with pytest.raises(engine.play.IllegalOrders, match="no longer in this duel"):
        engine.play.resolve(position, {BRAM: engine.orders.Orders()}, {}, engine.play.NoDice())


def test_resolve_rejects_orders_of_an_unknown_wizard() -> None:
    with pytest.raises(KeyError):
        engine.play.resolve(duel(), {"w5": engine.orders.Orders()}, {}, engine.play.NoDice())


def test_resolve_rejects_a_finished_duel() -> None:
    over, _ = engine.play.resign(duel(), BRAM)
    with pytest.raises(ValueError, match="the duel is over"):
        engine.play.resolve(over, {}, {}, engine.play.NoDice())


def test_wizard_without_orders_makes_no_gesture() -> None:
    written = play_turn(duel(), ada=made("- -"), bram=made("- -"))
    assert play_turn(duel()) == written
    assert event_codes(written[1]) == ["gestured", "gestured"]


# Resigning


def test_last_wizard_wins_when_the_other_resigns() -> None:
    before = duel(begun("S"))
    position, events = engine.play.resign(before, BRAM)
    assert (position.outcome, position.wizard(BRAM).standing) == (ADA, "resigned")
    assert event_codes(events) == ["resigned", "won"]
    assert before.outcome == ""


def test_duel_of_three_continues_after_one_wizard_resigns() -> None:
    """Nobody controls the monsters of a wizard who has resigned. rules: turn:resign, R73"""
    position, events = engine.play.resign(
        duel(seats=3, monsters=[{"kind": "goblin", "controller": "w1", "victim": "w0"}]), BRAM
    )
    assert position.outcome == ""
    assert event_codes(events) == ["resigned", "controlled"]
    assert engine.play.acting_wizards(position) == ("w0", "w2")
    after, _ = play_turn(position)
    assert (after.turn, damage_by_seat(after)) == (2, [0, 0, 0])


def test_second_or_late_resignation_is_rejected() -> None:
    position, _ = engine.play.resign(duel(seats=3), BRAM)
    with pytest.raises(ValueError, match="w1 is not in the duel"):
        engine.play.resign(position, BRAM)
    over, _ = engine.play.resign(position, ADA)
    assert over.outcome == "w2"
    with pytest.raises(ValueError, match="w2 is not in the duel"):
        engine.play.resign(over, "w2")
    with pytest.raises(KeyError):
        engine.play.resign(duel(), "w2")


def test_a_stab_uses_the_subject_of_its_own_hand() -> None:
    """A spell of the other hand keeps its own subject. rules: turn:stab"""
    position, _ = play_turn(
        duel(begun("", "S"), seats=3), ada=made("> D", left_subject="w2", right_subject="w1")
    )
    assert damage_by_seat(position) == [0, 1, 1]
    position, _ = play_turn(duel(seats=3), ada=made("- >", right_subject="w2"))
    assert damage_by_seat(position) == [0, 0, 1]


# Enchantments that affect other enchantments


def test_recasting_a_permanent_effect_keeps_it_permanent() -> None:
    """rules: R92"""
    protected = begun("WW", effects={"protection_from_evil": {"permanent": True}})
    position, _ = play_turn(duel(protected), ada=made("P -"))
    assert position.wizard(ADA).effects["protection_from_evil"].permanent


@pytest.mark.parametrize(
    ("written", "banked"),
    [({}, "fear"), ({"bank": "L", "permanency": "L"}, "fear"), ({"permanency": "L"}, "")],
    ids=["nothing chosen", "both chosen", "permanency chosen"],
)
def test_delay_takes_precedence_over_an_unchosen_permanency(
    written: dict[str, str], banked: str
) -> None:
    """A window that captures nothing stays open. rules: R106"""
    windows: dict[str, object] = {"delayed_effect": {"turns": 3}, "permanency": {"turns": 3}}
    position, _ = play_turn(duel(begun("SW", effects=windows)), ada=made("D -", **written))
    own, fear = position.wizard(ADA), position.wizard(BRAM).effects.get("fear")
    assert own.bank == banked
    assert set(own.effects) == {"permanency" if banked else "delayed_effect"}
    assert (fear is not None and fear.permanent) == (banked == "")


def test_mind_spells_removed_this_turn_do_not_conflict() -> None:
    """The report says that both failed because of Remove Enchantment. rules: R52, R77"""
    position = duel(begun("PDW"), begun("DP", "DS"), under_effects())
    _, events = play_turn(
        position,
        ada=made("P -", left_subject="w2"),
        bram=made("P F", left_subject="w2", right_subject="w2"),
    )
    assert {event.cause for event in events if isinstance(event, Failed)} == {"removed"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_markers_are_only_won_in_the_wizards_ruleset(ruleset: str) -> None:
    """rules: R114"""
    position = duel(under_effects(), under_effects(), ruleset=ruleset)
    _, events = engine.play.resign(position, BRAM)
    assert bool(event_codes(events, "marker_taken")) == (ruleset == "wizards-1")
