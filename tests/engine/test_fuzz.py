"""A short run of the fuzzer, and tests that every invariant catches a violation."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

import engine.play
from engine.events import Gestured, Hit, Stopped, Won, Wounded
from engine.positions.position import FOREVER, HASTE, Effect, Position
from engine.rulesets import BARTLE_1, RULESETS
from tests import daily
from tests.engine import fuzz
from tests.engine.invariants import INVARIANTS, replay_and_display_failures, violations
from tests.engine.invariants import questions_are_expected as ASKED
from tests.engine.random_duels import Step, random_duel

# Python 3.12 and later warn about forking while other threads run. The test runner's threads only
# wait, so this is safe.
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")

SEED = 1
DUELS_PER_KIND = 12


@pytest.mark.parametrize(
    "kind",
    range(len(fuzz.RULESETS_AND_WIZARD_COUNTS)),
    ids=lambda kind: f"{fuzz.RULESETS_AND_WIZARD_COUNTS[kind]}",
)
def test_invariants_hold_in_random_duels(kind: int) -> None:
    """The duels include every ruleset with every number of wizards."""
    numbers = range(
        kind,
        DUELS_PER_KIND * len(fuzz.RULESETS_AND_WIZARD_COUNTS),
        len(fuzz.RULESETS_AND_WIZARD_COUNTS),
    )
    for number in daily.sample(numbers, 3, kind):
        _, found = fuzz.play_and_check(SEED, number)
        assert found == [], f"python -m tests.engine.fuzz --seed {SEED} --only {number}"


def test_fuzz_duels_are_reproducible_by_seed_and_number() -> None:
    one, again, other = (
        [
            (step.orders, step.answers, step.events, step.after)
            for step in fuzz.numbered_duel(seed, 40)
        ]
        for seed in (7, 7, 8)
    )
    assert one == again != other


def test_fuzz_prints_seed_and_failures(capsys, monkeypatch) -> None:
    assert fuzz.main(["--duels", "28", "--seed", "3", "--processes", "1"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first == "seed 3, 28 duels, 1 processes"
    assert last.startswith("duels 28 turns ")
    assert " failures 0 seed 3 seconds " in last
    monkeypatch.setattr(fuzz, "violations", lambda step: ["it is Tuesday"])
    assert fuzz.main(["--seed", "3", "--only", "5"]) == 1
    command, fault, last = capsys.readouterr().out.splitlines()
    assert command == "python -m tests.engine.fuzz --seed 3 --only 5  # bartle-1, 7"
    assert fault.strip() == "it is Tuesday"
    assert last == "turns 1 failures 1"


def test_fuzz_reports_a_crash_as_a_failure(monkeypatch) -> None:
    def crash(*_: object) -> None:
        raise LookupError("no such rule")

    monkeypatch.setattr(engine.play, "resolve", crash)
    turns, found = fuzz.play_and_check(1, 0)
    assert turns == 0
    assert "LookupError: no such rule" in found[0]


# A violation of each invariant


def late_turn() -> Step:
    """Return a turn of a random duel in which all wizards and several monsters are left."""
    return next(
        step
        for seed in range(100)
        for step in random_duel(random.Random(seed), wizards=3)
        if not step.after.outcome
        and len(step.after.monsters) > 1
        and all(not monster.is_elemental for monster in step.after.monsters)
        and len(step.position.wizards_in_duel()) == 3
        and all(event.code != "raised" for event in step.events)
    )


def tampered_turn(change: Callable[[Position], object], *events: engine.play.Event) -> Step:
    """Return the turn with a changed final position and additional events."""
    step = late_turn()
    after = step.after.copy()
    change(after)
    told = (*step.events, *events)
    return Step(step.position, step.orders, step.answers, step.dice, told, after)


def leave_unchanged(_: Position) -> None:
    """Leave the position unchanged."""


def charm_a_corpse(after: Position) -> None:
    monster = after.monsters[0]
    monster.state = "corpse"
    monster.lasting = {"fear": Effect(1, FOREVER)}


def turn_with_bram_out(*events: engine.play.Event) -> Step:
    """Return the turn with these events, as if Bram had been out of the duel before it."""
    step = late_turn()
    before = step.position.copy()
    before.wizards[1].standing = "surrendered"
    return Step(before, step.orders, step.answers, step.dice, events, step.after)


def change_to_being(kind: str, index: int, slot: str, value: object) -> Callable[[Position], None]:
    def change(position: Position) -> None:
        setattr(getattr(position, kind)[index], slot, value)

    return change


def change_to_position(slot: str, value: object) -> Callable[[Position], None]:
    return lambda position: setattr(position, slot, value)


def make_two_elementals(position: Position) -> None:
    for monster in position.monsters[:2]:
        monster.kind = "fire"


def hasted_turn_with_an_attack() -> Step:
    """Return a hasted turn of Warlocks in which a monster wrongly attacks."""
    step = next(
        step
        for seed in range(100)
        for step in random_duel(random.Random(seed), ruleset="warlocks-1")
        if step.position.kind == HASTE
    )
    assert list(violations(step)) == []
    events = (*step.events, Stopped("w0", "attack", "m0", "shield"))
    return Step(step.position, step.orders, step.answers, step.dice, events, step.after)


BROKEN_TURNS_BY_INVARIANT: dict[str, Callable[[], Step]] = {
    "damage_is_never_negative": lambda: tampered_turn(change_to_being("wizards", 0, "damage", -1)),
    "fatally_wounded_wizards_are_dead": lambda: tampered_turn(
        change_to_being("wizards", 0, "damage", 15)
    ),
    "only_remaining_wizards_act": lambda: turn_with_bram_out(Gestured("w1", 1, "F", "F")),
    "removed_wizards_have_no_state": lambda: tampered_turn(
        lambda position: (
            change_to_being("wizards", 1, "standing", "dead")(position),
            change_to_being("wizards", 1, "bank", "missile")(position),
        )
    ),
    "only_raise_dead_revives": lambda: turn_with_bram_out(),
    "ids_and_names_are_unique": lambda: tampered_turn(change_to_position("created", 0)),
    "monsters_obey_remaining_wizards": lambda: tampered_turn(
        lambda position: (
            change_to_being("wizards", 1, "standing", "dead")(position),
            change_to_being("monsters", 0, "controller", "w1")(position),
        )
    ),
    "at_most_one_elemental_of_a_kind": lambda: tampered_turn(make_two_elementals),
    "corpses_have_no_effects": lambda: tampered_turn(charm_a_corpse),
    "monsters_are_in_order_of_age": lambda: tampered_turn(lambda after: after.monsters.reverse()),
    "hand_histories_have_equal_length": lambda: tampered_turn(
        change_to_being("wizards", 0, "letters", "FPS")
    ),
    "turn_numbers_advance": lambda: tampered_turn(change_to_position("turn", 99)),
    "only_hasted_or_stopped_wizards_act_in_extra_turns": hasted_turn_with_an_attack,
    "finished_duels_do_not_change": lambda: tampered_turn(change_to_position("outcome", "draw")),
    "effects_expire": lambda: tampered_turn(
        change_to_being("wizards", 0, "effects", {"fear": Effect(0, 0)})
    ),
    "reported_wounds_match_damage": lambda: tampered_turn(leave_unchanged, Wounded("w0", 0, 14)),
}


def test_invariant_notices_an_unexpected_question(monkeypatch) -> None:
    step = next(
        step
        for seed in range(100)
        for step in random_duel(random.Random(seed))
        if engine.play.questions(step.position, step.orders, {}, step.dice)
    )
    assert list(violations(step)) == []
    silent = replace(BARTLE_1, asks=(False,) * len(BARTLE_1.asks))
    monkeypatch.setitem(RULESETS, "bartle-1", silent)
    step.position.switch_ruleset("bartle-1")
    assert "questions_are_expected" in [fault.partition(":")[0] for fault in violations(step)]


@pytest.mark.parametrize("name", [each.__name__ for each in INVARIANTS if each is not ASKED])
def test_every_invariant_notices_a_violation(name: str) -> None:
    assert list(violations(late_turn())) == []
    assert name in [
        fault.partition(":")[0] for fault in violations(BROKEN_TURNS_BY_INVARIANT[name]())
    ]


@pytest.mark.parametrize(
    "event",
    [Won("w1"), Hit("w0", 1, "stab", "w1")],
    ids=lambda event: event.code,
)
def test_invariants_notice_events_of_wizards_out_of_the_duel(event: engine.play.Event) -> None:
    faults = list(violations(turn_with_bram_out(event)))
    assert f"only_remaining_wizards_act: {event}" in faults


def test_fuzz_notices_a_turn_that_has_a_different_result_when_repeated() -> None:
    assert list(replay_and_display_failures(late_turn())) == []
    other = tampered_turn(
        change_to_being("wizards", 0, "damage", 3 + late_turn().after.wizards[0].damage)
    )
    assert "the same arguments gave another turn" in list(replay_and_display_failures(other))
