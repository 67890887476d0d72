"""Tests of `spellcast-1` in situations that the recorded duels do not contain.

The recorded duels have two to four wizards, who are asked every question. These tests add more
wizards, answers in advance, haste phases that another wizard interrupts, and wizards who leave.
"""

from collections.abc import Mapping

import pytest

import engine.orders
import engine.play
from engine.events import (
    Cast,
    Destroyed,
    Died,
    Failed,
    Gestured,
    Hit,
    Idle,
    Overridden,
    StormSpent,
    Surrendered,
    Won,
)
from engine.positions.position import (
    DEAD,
    EXTRA,
    FOREVER,
    HASTE,
    NORMAL,
    RESIGNED,
    STANDING,
    Position,
)
from tests.engine.board import (
    ADA,
    BRAM,
    CLEO,
    Row,
    begun,
    event_codes,
    made,
    play_turn,
    under_effects,
)
from tests.engine.board import duel as any_duel

STRICT_OPTIONS = ("strict",)
Answers = Mapping[str, str]


def spellcast_duel(*wizards: Row, **more: object) -> Position:
    return any_duel(*wizards, ruleset="spellcast-1", **more)  # type: ignore[arg-type]


def next_questions(
    position: Position, answers: Answers | None = None, **flats: Mapping[str, str]
) -> list[engine.play.Question]:
    """Return the next batch of questions after these orders are revealed."""
    seats = {"ada": ADA, "bram": BRAM, "cleo": CLEO}
    orders = {seats[name]: engine.orders.from_fields(flat) for name, flat in flats.items()}
    dice = engine.play.RecordedDice(sequence=[0] * 9)
    return list(engine.play.questions(position, orders, answers or {}, dice))


def question_ids(questions: list[engine.play.Question]) -> list[str]:
    return [question.id for question in questions]


def casts_with_subjects(events: tuple[engine.play.Event, ...]) -> list[tuple[str, str, str]]:
    return [(e.wizard, e.spell, e.subject) for e in events if isinstance(e, Cast)]


# Questions and their batches


def test_strict_duel_asks_for_spells_then_subjects_then_victims() -> None:
    """rules: turn:answers, turn:stepwise"""
    position = spellcast_duel(
        begun("WW", "S"), monsters=[{"kind": "ogre", "controller": BRAM}], options=STRICT_OPTIONS
    )
    row = made("P D")
    first = next_questions(position, ada=row)
    assert question_ids(first) == ["left_spell:w0"]
    assert first[0].options == ("shield", "protection_from_evil")
    assert not first[0].is_preset
    answers = {"left_spell:w0": "protection_from_evil"}
    second = next_questions(position, answers, ada=row)
    assert question_ids(second) == ["target:w0.R", "target:w0.L"], (
        "the right hand comes before the left"
    )
    assert [question.default for question in second] == [BRAM, ADA]
    answers |= {"target:w0.R": "m0", "target:w0.L": BRAM}
    third = next_questions(position, answers, ada=row)
    assert [(q.kind, q.wizard, q.about, q.number) for q in third] == [("attack", BRAM, "m0", 0)]
    assert third[0].options == ("nowhere", ADA, BRAM, "m0")
    assert next_questions(position, answers | {"attack:m0.1": ADA}, ada=row) == []


def test_unanswered_question_gets_its_default() -> None:
    position = spellcast_duel(begun("WW"), options=STRICT_OPTIONS)
    _, events = play_turn(position, ada=made("P -"))
    assert casts_with_subjects(events) == [(ADA, "protection_from_evil", ADA)]


def test_orders_answer_questions_in_advance_except_in_strict_duels() -> None:
    """rules: R9"""
    position = spellcast_duel(begun("WW", "S"), monsters=[{"kind": "ogre", "controller": ADA}])
    row = made(
        "P D", left_spell="shield", left_subject=BRAM, right_subject="m0", **{"victim:m0": "no_one"}
    )
    assert next_questions(position, ada=row) == []
    _, events = play_turn(position, ada=row)
    assert casts_with_subjects(events) == [(ADA, "missile", "m0"), (ADA, "shield", BRAM)]
    assert [event.cause for event in events if isinstance(event, Idle)] == ["ordered"]


def test_omitted_choices_get_the_defaults_of_the_order_sheet() -> None:
    """The program has no default for a choice of spell; the engine takes the longest one.

    rules: R7
    """
    position = spellcast_duel(begun("WW"))
    assert next_questions(position, ada=made("P -")) == []
    _, events = play_turn(position, ada=made("P -"))
    assert casts_with_subjects(events) == [(ADA, "protection_from_evil", ADA)]


def test_subject_not_offered_by_the_program_is_rejected() -> None:
    position = spellcast_duel(begun("SP"), monsters=[{"kind": "ogre", "controller": ADA}])
    for subject in ("m0", "m7", "L:w1"):
        orders = engine.orders.from_fields(made("F -", left_subject=subject))
        (fault,) = engine.play.check(position, ADA, orders)
        assert fault.field == "left_subject"


def test_question_names_a_spells_second_pattern_with_its_gestures() -> None:
    (question,) = next_questions(
        spellcast_duel(begun("WW", "WP"), options=STRICT_OPTIONS), ada=made("S P")
    )
    assert question.options == ("shield", "counter_spell")
    (question,) = next_questions(
        spellcast_duel(begun("CSWW", "C---"), options=STRICT_OPTIONS), ada=made("S -")
    )
    assert question.options == ("summon_elemental", "counter_spell/WWS")


def test_orders_can_name_a_spells_second_pattern_by_the_spell() -> None:
    position = spellcast_duel(begun("CSWW", "C---"))
    _, events = play_turn(position, ada=made("S -", left_spell="counter_spell", left_subject=ADA))
    assert casts_with_subjects(events) == [(ADA, "counter_spell", ADA)]


def test_two_handed_spell_is_not_cast_if_the_hands_choose_differently() -> None:
    """The left hand chooses Invisibility, the right hand Counter-spell. rules: R4, R176"""
    position = spellcast_duel(begun("PPW", "-WW"))
    row = made("S S", left_spell="invisibility", right_spell="counter_spell")
    _, events = play_turn(position, ada=row)
    assert casts_with_subjects(events) == [(ADA, "counter_spell", BRAM)]


def test_monster_being_summoned_can_be_ordered_to_attack() -> None:
    """rules: R14, R15"""
    position = spellcast_duel(begun("SF"))
    row = made("W -", **{"victim:L:w0": ADA})
    after, _ = play_turn(position, ada=row)
    assert after.wizards[0].damage == 1


# Many wizards


def test_default_opponent_among_eight_wizards_is_the_lowest_other_seat() -> None:
    """The list of casts starts with the highest seat. rules: R13"""
    wizards = [engine.play.Duellist(name) for name in "ABCDEFGH"]
    setup = {"wizards": [begun("S") for _ in wizards]}
    position = engine.play.begin("spellcast-1", wizards, setup=setup)
    orders = {f"w{seat}": engine.orders.from_fields(made("D -")) for seat in range(8)}
    after, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    assert casts_with_subjects(events) == [
        *((f"w{seat}", "missile", "w0") for seat in range(7, 0, -1)),
        ("w0", "missile", "w1"),
    ]
    assert [wizard.damage for wizard in after.wizards] == [7, 1, 0, 0, 0, 0, 0, 0]


def test_elemental_attacks_all_eight_wizards() -> None:
    wizards = [engine.play.Duellist(name) for name in "ABCDEFGH"]
    setup = {"monsters": [{"kind": "ice", "controller": "w5"}]}
    position = engine.play.begin("spellcast-1", wizards, setup=setup)
    after, _ = engine.play.resolve(position, {}, {}, engine.play.NoDice())
    assert [wizard.damage for wizard in after.wizards] == [3] * 8


def test_dead_wizard_can_be_raised_while_two_wizards_still_play() -> None:
    """rules: R54, spell:raise_dead"""
    fallen: Row = {"state": "dead", "damage": 15, "left": "SF", "right": "--"}
    position = spellcast_duel({}, begun("DWWFW", "----W"), fallen, seats=3)
    row = made("C C", both_subject=CLEO)
    after, _ = play_turn(position, bram=row)
    assert (after.wizards[2].standing, after.wizards[2].damage) == (STANDING, 0)
    assert after.wizards[2].left == "SF", "his earlier gestures still count for his spells"


def test_an_invisible_dead_wizard_cannot_be_raised() -> None:
    """Effects on a wizard who died of an illness stay in force. rules: R95, spell:raise_dead"""
    ill = under_effects(poison={"turns": 1}, invisibility={"turns": 3})
    position = spellcast_duel(begun("DWWF", "----"), {}, ill, seats=3)
    after, _ = play_turn(position, ada=made("W -"))
    assert after.wizards[2].standing == DEAD
    frozen = after.wizards[2].effects["invisibility"].last - after.turn
    last, events = play_turn(after, ada=made("C C", both_subject=CLEO))
    assert [e.cause for e in events if isinstance(e, Failed)] == ["unseen"]
    assert last.wizards[2].effects["invisibility"].last - last.turn == frozen


# Haste phases


def hasted_position(*others: Row, **more: object) -> Position:
    """Return a position in which Ada is hasted for three rows and must now make the first."""
    own = begun("S", "W", effects={"haste": {"turns": 3}})
    return spellcast_duel(own, *others, **more)


def test_spells_of_a_haste_row_are_aimed_at_once_and_cast_in_the_turn() -> None:
    """rules: R97"""
    position = hasted_position()
    assert (position.kind, position.turn) == (HASTE, 1)
    between, events = play_turn(position, ada=made("D F"))
    assert casts_with_subjects(events) == [], "nothing is cast in the phase itself"
    assert (between.kind, between.turn) == (NORMAL, 1)
    assert [cast.spell for cast in between.pending] == ["missile"]
    assert engine.play.load_position(engine.play.dump(between)) == between
    after, events = play_turn(between, ada=made("D P", right_subject=ADA), bram=made("P -"))
    assert casts_with_subjects(events) == [
        (BRAM, "shield", BRAM),
        (ADA, "cause_light_wounds", ADA),
        (ADA, "missile", BRAM),
    ], "the spells of the haste row come last"
    assert after.pending == ()
    assert (after.kind, after.turn) == (HASTE, 2)


def test_only_hasted_wizards_make_gestures_in_a_haste_phase() -> None:
    position = hasted_position()
    faults = engine.play.check(position, BRAM, engine.orders.from_fields(made("W P")))
    assert [(fault.code, fault.field) for fault in faults] == [
        ("not_your_turn", "left"),
        ("not_your_turn", "right"),
    ]
    _, events = play_turn(position, ada=made("W P"))
    assert [event.wizard for event in events if isinstance(event, Gestured)] == [ADA]


def test_haste_gives_three_extra_rows() -> None:
    position = hasted_position()
    kinds: list[str] = []
    for _ in range(8):
        kinds.append(position.kind)
        position, _ = play_turn(position)
    assert kinds == [HASTE, NORMAL, HASTE, NORMAL, HASTE, NORMAL, NORMAL, NORMAL]


def test_hasted_monster_without_hasted_wizards_causes_an_empty_haste_phase() -> None:
    """A hasted monster attacks twice, with one question for each attack. rules: R97"""
    monsters = [{"kind": "goblin", "controller": ADA, "effects": {"haste": {"turns": 1}}}]
    position = spellcast_duel(monsters=monsters, options=STRICT_OPTIONS)
    assert position.kind == HASTE
    position, events = play_turn(position)
    assert events == ()
    assert [(q.about, q.number) for q in next_questions(position)] == [("m0", 1), ("m0", 2)]
    after, _ = play_turn(position, answers={"attack:m0.1": BRAM, "attack:m0.2": ADA})
    assert [wizard.damage for wizard in after.wizards] == [1, 1]


def test_surrender_in_a_haste_row_takes_effect_at_the_end_of_the_turn() -> None:
    """rules: gesture:surrender, R111"""
    between, events = play_turn(hasted_position(), ada=made("P P"))
    assert event_codes(events, "surrendered") == ["surrendered"]
    assert between.outcome == ""
    assert engine.play.load_position(engine.play.dump(between)) == between
    after, events = play_turn(between, ada=made("F -"))
    assert not [event for event in events if isinstance(event, Surrendered)], "already reported"
    assert after.outcome == BRAM


def test_resigning_cancels_the_wizards_spells_of_the_haste_row() -> None:
    """rules: turn:resign"""
    between, _ = play_turn(hasted_position(seats=3), ada=made("D F"))
    assert between.pending
    left, _ = engine.play.resign(between, ADA)
    assert (left.wizards[0].standing, left.pending) == (RESIGNED, ())
    _, events = play_turn(left)
    assert casts_with_subjects(events) == []


def test_a_haste_row_spell_at_a_resigned_wizard_fails() -> None:
    between, _ = play_turn(hasted_position(seats=3), ada=made("D F", left_subject=BRAM))
    left, _ = engine.play.resign(between, BRAM)
    after, events = play_turn(left)
    assert [e.cause for e in events if isinstance(e, Failed)] == ["no_subject"]
    assert after.wizards[1].damage == 0


# Leaving, dying, surrendering


def test_monsters_of_a_resigned_wizard_are_idle() -> None:
    """rules: R73"""
    position = spellcast_duel(
        seats=3, monsters=[{"kind": "troll", "controller": BRAM}], options=STRICT_OPTIONS
    )
    left, _ = engine.play.resign(position, BRAM)
    assert next_questions(left) == []
    after, events = play_turn(left)
    assert [wizard.damage for wizard in after.wizards] == [0, 0, 0]
    assert [event.cause for event in events if isinstance(event, Idle)] == ["uncontrolled"]


def test_charmed_hand_is_free_when_its_charmer_has_resigned() -> None:
    """rules: R86"""
    charmed = under_effects(charm_person={"turns": 1, "caster": CLEO, "hand": "L"})
    position = spellcast_duel(charmed, seats=3, options=STRICT_OPTIONS)
    assert question_ids(next_questions(position, ada=made("W F"))) == ["charm_gesture:w0"]
    left, _ = engine.play.resign(position, CLEO)
    _, events = play_turn(left, ada=made("W F"))
    assert next((e.left, e.right) for e in events if isinstance(e, Gestured)) == ("W", "F")


def test_charmed_hand_does_nothing_if_the_charmer_does_not_answer() -> None:
    """rules: R86"""
    charmed = under_effects(charm_person={"turns": 1, "caster": BRAM, "hand": "L"})
    _, events = play_turn(spellcast_duel(charmed, options=STRICT_OPTIONS), ada=made("W F"))
    assert next((e.left, e.right) for e in events if isinstance(e, Gestured)) == ("-", "F")


def test_poison_kills_a_surrendering_wizard() -> None:
    """Nobody cures the wizard, who therefore dies. rules: R112"""
    position = spellcast_duel(under_effects(poison={"turns": 1}))
    after, events = play_turn(position, ada=made("P P"))
    assert after.wizards[0].standing == DEAD
    assert [event.cause for event in events if isinstance(event, Died)] == ["poison"]
    assert [event.wizard for event in events if isinstance(event, Won)] == [BRAM]


def test_surrendering_wizard_wins_if_the_last_opponent_dies() -> None:
    """All wizards have left the duel, but exactly one of them is alive. rules: R111"""
    position = spellcast_duel(
        {}, begun("", damage=14), monsters=[{"kind": "ogre", "controller": ADA}]
    )
    after, _ = play_turn(position, ada=made("P P", **{"victim:m0": BRAM}))
    assert after.outcome == ADA


# Extra phases


def test_effects_on_other_wizards_do_not_run_down_in_an_extra_phase() -> None:
    """rules: R98, turn:stepwise"""
    shielded = under_effects(protection_from_evil={"turns": 3}, blindness={"turns": 3})
    position = spellcast_duel(begun("SPP", "---"), shielded)
    stopped, _ = play_turn(position, ada=made("C C"))
    assert (stopped.kind, stopped.stopped, stopped.turn) == (EXTRA, (ADA,), 2)
    after, events = play_turn(stopped, ada=made("> -", left_subject=BRAM))
    assert [event.amount for event in events if isinstance(event, Hit)] == [1], "no shield then"
    assert (after.kind, after.turn) == (NORMAL, 2)
    left = {kind: e.last - after.turn + 1 for kind, e in after.wizards[1].effects.items()}
    assert left == {"protection_from_evil": 2, "blindness": 1}


def test_mind_spell_on_a_monster_waits_until_after_the_extra_phase() -> None:
    """rules: R98, turn:stepwise"""
    ogre = {"kind": "ogre", "controller": ADA}
    position = spellcast_duel(
        begun("SPP", "---"), begun("---", "--F"), monsters=[ogre], options=STRICT_OPTIONS
    )
    aimed = {"target:w0.BH": BRAM, "target:w1.R": "m0", "attack:m0": BRAM}
    stopped, _ = play_turn(position, answers=aimed, ada=made("C C"), bram=made("- F"))
    assert stopped.stopped == (BRAM,)
    between, _ = play_turn(stopped, answers=aimed, bram=made("- F"))
    assert list(between.monsters[0].waiting) == ["paralysis"]
    after, events = play_turn(between, answers=aimed)
    assert [event.amount for event in events if isinstance(event, Hit)] == [2]
    assert after.monsters[0].effects["paralysis"].last == after.turn
    over, events = play_turn(after, answers=aimed)
    assert [event.cause for event in events if isinstance(event, Idle)] == ["paralysis"]
    assert over.monsters[0].effects == {}


def test_resolving_a_stepwise_turn_does_not_change_the_position() -> None:
    position = hasted_position(
        monsters=[{"kind": "giant", "controller": BRAM}], options=STRICT_OPTIONS
    )
    before = engine.play.dump(position)
    for _ in range(2):
        next_questions(position, ada=made("D F"))
        play_turn(position, ada=made("D F"))
    assert engine.play.dump(position) == before


def test_permanent_mind_spell_of_a_setup_takes_effect_every_turn() -> None:
    """rules: R107"""
    afraid = under_effects(fear={"permanent": True, "caster": BRAM})
    position = spellcast_duel(afraid, options=STRICT_OPTIONS)
    for _ in range(3):
        position, events = play_turn(position, ada=made("D W"))
        assert next((e.left, e.right) for e in events if isinstance(e, Gestured)) == ("-", "W")
    assert engine.play.load_position(engine.play.dump(position)) == position


@pytest.mark.parametrize(
    ("kinds", "storm", "told"),
    [
        (("fire", "ice"), "", {"m0": "ice", "m1": "fire"}),
        (("ice",), "fire_storm", {"m0": "fire_storm", "fire_storm": "ice"}),
        (("fire",), "ice_storm", {"m0": "ice_storm", "ice_storm": "fire"}),
        (("fire",), "fire_storm", {"m0": "fire_storm"}),
    ],
)
def test_heat_and_cold_that_cancel_are_reported_as_each_others_cause(
    kinds: tuple[str, ...], storm: str, told: dict[str, str]
) -> None:
    """rules: R65, R66"""
    hands = {"": begun(""), "fire_storm": begun("SWW", "---"), "ice_storm": begun("WSS", "---")}
    monsters = [{"kind": kind, "controller": ADA} for kind in kinds]
    position = spellcast_duel(hands[storm], under_effects(), monsters=monsters)
    _, events = play_turn(position, ada=made("C C") if storm else None)
    ends = {e.subject: e.cause for e in events if isinstance(e, Destroyed)}
    assert ends | {e.spell: e.cause for e in events if isinstance(e, StormSpent)} == told


# Details of the events


def test_time_stop_does_not_use_up_turns_of_a_haste_cast_with_it() -> None:
    """A Haste that renews an older one has four turns left, a new one five. rules: R97, R203"""
    for setup, turns in (({}, 5), (under_effects(haste={"turns": 2}), 4)):
        position = spellcast_duel(setup, begun("PWPWW"), begun("SPP"), seats=3)
        if position.kind == HASTE:
            position, _ = play_turn(position, ada=made("- -"))
        after, _ = play_turn(
            position,
            bram=made("C C", both_subject=ADA),
            cleo=made("C C", both_subject=CLEO),
        )
        assert after.kind == EXTRA
        assert after.wizards[0].effects["haste"].last - after.turn + 1 == turns


def test_haste_does_not_run_down_on_the_last_turn_of_a_duel() -> None:
    """Haste does not run down if the next turn is not played. rules: R97, turn:winner"""
    position = spellcast_duel(under_effects(haste={"turns": 3}), {"damage": 14})
    position, _ = play_turn(position, ada=made("- -"))
    after, _ = play_turn(position, ada=made("> -", left_subject=BRAM))
    assert (after.outcome, after.kind, after.turn) == (ADA, NORMAL, 1)
    assert after.wizards[0].effects["haste"].last == 4, "three turns from turn 2 on"


def test_observer_learns_of_a_resistance_when_it_is_cast_again() -> None:
    """rules: R121"""
    position, _ = play_turn(
        spellcast_duel(begun("WW"), begun("SPP")),
        ada=made("F -"),
        bram=made("C C", both_subject=ADA),
    )
    position, _ = play_turn(position, ada=made("P -", left_spell="resist_heat", left_subject=ADA))
    assert position.wizards[0].effects["resist_heat"].unseen_by == (BRAM,)
    for row in ("W -", "W -", "F -"):
        position, _ = play_turn(position, ada=made(row))
    position, _ = play_turn(position, ada=made("P -", left_spell="resist_heat", left_subject=ADA))
    assert position.wizards[0].effects["resist_heat"].unseen_by == ()


def test_permanent_effect_stays_permanent_after_an_extra_turn() -> None:
    """rules: R98"""
    position = spellcast_duel(begun("SPP", effects={"protection_from_evil": {}}))
    position, _ = play_turn(position, ada=made("C C", both_subject=ADA))
    assert position.kind == EXTRA
    position, _ = play_turn(position, ada=made("- -"))
    assert position.wizards[0].effects["protection_from_evil"].last == FOREVER


def test_finger_of_death_is_reported_as_the_cause_of_death() -> None:
    _, events = play_turn(spellcast_duel(begun("PWPFSSS")), ada=made("D -", left_subject=BRAM))
    assert [(e.subject, e.cause) for e in events if isinstance(e, Died)] == [
        (BRAM, "finger_of_death")
    ]


def test_several_shields_are_reported_as_one() -> None:
    _, events = play_turn(spellcast_duel(), ada=made("P -", left_subject=BRAM), bram=made("P -"))
    assert event_codes(events, "guarded") == ["guarded"]


@pytest.mark.parametrize("effect", ["protection_from_evil", "invisibility", "blindness", "haste"])
def test_permanent_effect_never_ends(effect: str) -> None:
    position = spellcast_duel(under_effects(**{effect: {}}))
    for _ in range(3):
        position, _ = play_turn(position)
        assert position.wizards[0].effects[effect].last == FOREVER


ORDERS_WITH_MESSAGE = made("> -", left_subject=BRAM, say="Well met")
EVENTFUL_TURNS: tuple[tuple[Row, Row, Answers, Answers], ...] = (
    (begun(""), {"damage": 14}, ORDERS_WITH_MESSAGE, made("- -")),  # a death, and a message
    (begun(""), {}, made("P P"), made("P P")),  # a draw
    (
        {"bank": "shield", **under_effects(delayed_effect={"turns": 2})},
        {},
        made("P -"),
        made("- -"),
    ),
)


@pytest.mark.parametrize(("ada", "bram", "hers", "his"), EVENTFUL_TURNS)
def test_dropping_events_does_not_change_the_result_of_a_turn(ada, bram, hers, his) -> None:
    orders = {ADA: engine.orders.from_fields(hers), BRAM: engine.orders.from_fields(his)}
    position = spellcast_duel(ada, bram)
    heard, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    silent = engine.play.resolve(
        position, orders, {}, engine.play.NoDice(), sink=engine.play.drop_events
    )
    assert silent == (heard, ())


def test_casts_of_a_haste_row_are_reported_as_a_second_set() -> None:
    """rules: R97"""
    position = spellcast_duel(begun("S", effects={"haste": {"turns": 2}}))
    position, _ = play_turn(position, ada=made("D -", left_subject=BRAM))
    _, events = play_turn(position, ada=made("P -"))
    assert [(e.spell, e.set) for e in events if isinstance(e, Cast)] == [
        ("shield", 1),
        ("missile", 2),
    ]


def test_opposite_elementals_are_reported_as_destroying_each_other() -> None:
    """rules: R65, turn:heat_and_cold"""
    _, events = play_turn(spellcast_duel(monsters=[{"kind": "fire"}, {"kind": "ice"}]))
    ends = [(e.subject, e.cause) for e in events if isinstance(e, Destroyed)]
    assert ends == [("m0", "ice"), ("m1", "fire")]


@pytest.mark.parametrize(
    ("effect", "orders"),
    [
        ({"fear": {"turns": 1, "caster": BRAM}}, made("D S")),
        ({"paralysis": {"turns": 1, "caster": BRAM, "hand": "L", "letter": "F"}}, made("F W")),
        ({"amnesia": {"turns": 1, "caster": BRAM}}, made("F D")),
    ],
)
def test_gesture_changed_by_a_mind_spell_is_reported_for_the_first_set(
    effect: Row, orders: Mapping[str, str]
) -> None:
    """In this order of play, rows never have a second set (R97). rules: turn:reveal"""
    position = spellcast_duel(
        {"effects": effect, "left": "F", "right": "D"}, options=STRICT_OPTIONS
    )
    _, events = play_turn(position, ada=orders)
    told = [event.set for event in events if isinstance(event, Overridden)]
    assert told
    assert set(told) == {1}


def test_unanswered_questions_after_the_reveal_get_their_defaults() -> None:
    """The missile hits the opponent, and Paralysis takes the left hand. rules: turn:answers, R81"""
    position = spellcast_duel(begun("FF", "-S"), options=STRICT_OPTIONS)
    assert next_questions(position, ada=made("F D"))
    after, _ = play_turn(position, ada=made("F D"))
    assert after.wizard(BRAM).damage == 1
    assert after.wizard(BRAM).effects["paralysis"].hand == "L"


def test_no_events_are_visible_before_a_charmed_hands_gesture_is_chosen() -> None:
    """Only a charmed hand's gesture is chosen before the rows are seen. rules: turn:answers, R86"""
    charmed = under_effects(charm_person={"turns": 1, "caster": ADA, "hand": "L"})
    for bram, is_told in ((charmed, False), ({}, True)):
        position = spellcast_duel(begun("S"), bram, options=STRICT_OPTIONS)
        orders = {ADA: engine.orders.from_fields(made("D -"))}
        (question, *_) = engine.play.questions(position, orders, {}, engine.play.NoDice())
        assert question.precedes_reveal is not is_told
        events = engine.play.events_before_answers(position, orders, {}, engine.play.NoDice())
        assert bool(events) is is_told
