"""Tests that the engine's output for an observer does not depend on hidden facts.

Each test plays two turns that differ only in facts hidden from an observer. The view, report, sheet
and faults for the observer must be the same. rules: promises 1, 2
"""

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import engine.orders
import engine.play
import engine.words
from engine.events import Cast
from engine.positions.position import Position
from tests import daily
from tests.engine.board import NUMBERED_RULESETS
from tests.engine.random_duels import Player, random_orders
from tests.engine.test_properties import history_of, random_turns

SEEDS = st.integers(0, 2**32 - 1)
ADA, BRAM, CLEO = "w0", "w1", "w2"
PUBLIC_EVENTS = {"surrendered", "resigned", "won", "drawn", "spoke", "time_stopped"}


def position_of_duel(setup: dict[str, object], wizards: int = 2) -> Position:
    names = ("Ada", "Bram", "Cleo")[:wizards]
    return engine.play.begin(
        "bartle-1", [engine.play.Duellist(name) for name in names], setup=setup
    )


def all_output(
    history: engine.play.History, observer: str, probes: list[engine.orders.Orders]
) -> tuple[object, ...]:
    """Return all of the engine's output for the observer."""
    view = engine.play.view(history, observer)
    found: list[object] = [view, engine.words.narrate(view)]
    position = history.position
    if observer.startswith("w") and not position.outcome:
        found.append(engine.play.sheet(position, observer))
        found.append(observer in engine.play.deciding_wizards(position))
        found.append(engine.play.hints(position, observer))
        for probe in probes:
            found.append(engine.play.sheet(position, observer, probe))
            found.append(engine.play.check(position, observer, probe))
            found.append(engine.play.cautions(position, observer, probe))
            found.append(engine.play.orders_text(position, observer, probe))
    return tuple(found)


PROBE_ORDERS = [
    engine.orders.from_fields(flat)
    for flat in (
        {"left": "P", "left_subject": "m0"},
        {"left": "P", "left_subject": "m3"},
        {"left": ">", "left_subject": "m1"},
        {"left": "D", "right": "S", "left_subject": "w1"},
        {"victim:m0": "m1"},
        {"victim:m1": "w1"},
        {"victim:m2": "w0"},
        {"charmed:w1.L": "P"},
        {"release": "yes"},
        {"left": ">", "right": "P", "left_subject": "w1", "right_subject": "w2"},
        {"left": "W", "right": "D", "left_subject": "m1", "right_subject": "m2"},
    )
]


def random_probes(seed: int) -> list[engine.orders.Orders]:
    """Return four random probes. The examples of a property together use all probes."""
    return random.Random(seed).sample(PROBE_ORDERS, 4)


def play_turn_with_seed(
    position: Position, orders: dict[str, engine.orders.Orders], seed: int
) -> engine.play.History:
    """Play one turn and return its history."""
    after, events = engine.play.resolve(
        position, orders, {}, engine.play.Dice(seed.to_bytes(8, "big"))
    )
    return engine.play.History((engine.play.Turn(1, position, events),), after)


def is_visible(history: engine.play.History, observer: str) -> bool:
    """Return whether an event is public or affects the observer or their monsters."""
    own = {observer}
    for position in (history.turns[0].position, history.position):
        own |= {monster.id for monster in position.monsters if monster.controller == observer}
    for event in history.turns[0].events:
        subject = getattr(event, "subject", "")
        if event.code in PUBLIC_EVENTS or (event.code == "died" and subject.startswith("w")):
            return True
        if event.code in ("gestured", "overridden", "drew", "knife_kept", "minds_clashed"):
            continue
        if isinstance(event, Cast) and event.wizard != observer and not subject:
            return True
        named = {subject} | {getattr(event, field, "") for field in ("monster", "kept", "gone")}
        own_cast = isinstance(event, Cast) and event.wizard == observer
        if (own & named and not own_cast) or getattr(event, "controller", "") == observer:
            return True
    return False


def random_orders_of_rival(position: Position, wizard: str, seed: int) -> engine.orders.Orders:
    chance = random.Random(seed)
    patterns = [completable.pattern for completable in position.rules.completables]
    return random_orders(position, wizard, Player(chance, patterns))


MONSTERS = [
    {"kind": "goblin", "controller": ADA},
    {"kind": "ogre", "controller": BRAM},
    {"kind": "troll", "controller": BRAM, "state": "corpse"},
]
GESTURE_HISTORIES = ("SWWSFFP", "DWSSSPD", "WFPSFWP", "PSDFSPP", "FSSDDWW")


@given(SEEDS, SEEDS, SEEDS, st.sampled_from(GESTURE_HISTORIES), st.sampled_from(GESTURE_HISTORIES))
@settings(max_examples=daily.examples(300))
def test_blind_wizards_see_only_events_that_affect_them(
    seed: int, one: int, other: int, left: str, right: str
) -> None:
    """Ada is blind, and Bram and Cleo act on each other in different ways. rules: R94, F55"""
    position = position_of_duel(
        {
            "turn": 5,
            "wizards": [
                {"effects": {"blindness": {"turns": 3}}},
                {"left": left, "right": right, "damage": 3},
                {"left": right, "right": left},
            ],
            "monsters": MONSTERS,
        },
        wizards=3,
    )
    mine = random_orders_of_rival(position, ADA, seed)
    histories = [
        play_turn_with_seed(
            position,
            {
                ADA: mine,
                BRAM: random_orders_of_rival(position, BRAM, chance),
                CLEO: random_orders_of_rival(position, CLEO, chance + 1),
            },
            seed,
        )
        for chance in (one, other)
    ]
    assume(not any(is_visible(history, ADA) for history in histories))
    first, second = (all_output(history, ADA, random_probes(seed)) for history in histories)
    assert first == second


@given(SEEDS, SEEDS, SEEDS)
@settings(max_examples=daily.examples(200))
def test_gestures_of_invisible_wizards_are_hidden(seed: int, one: int, other: int) -> None:
    """Bram is invisible and completes no spell, so his gestures are hidden. rules: R95, F57"""
    position = position_of_duel(
        {"turn": 5, "wizards": [{}, {"effects": {"invisibility": {"turns": 2}}}]}
    )
    mine = engine.orders.from_fields({"left": "S", "right": "W"})
    letters = "FSWD-"
    histories = []
    for number in (one, other):
        chance = random.Random(number)
        flat = {"left": chance.choice(letters), "right": chance.choice(letters)}
        histories.append(
            play_turn_with_seed(position, {ADA: mine, BRAM: engine.orders.from_fields(flat)}, seed)
        )
    for observer in (ADA, "spectator"):
        first, second = (
            all_output(history, observer, random_probes(seed)) for history in histories
        )
        assert first == second
    assert engine.play.view(histories[0], BRAM).turns[0].rows[BRAM][0].left.letter != "?"


@pytest.mark.parametrize("observer", [ADA, "spectator"])
def test_banked_spells_are_hidden_from_others(observer: str) -> None:
    """Bram banks a Fireball or a bolt. Others see the gestures, but not which spell. rules: R147"""

    def bank(spell: str) -> Position:
        window = {"delayed_effect": {"turns": 2}}
        position = position_of_duel({"turn": 5, "wizards": [{}, {"bank": "", "effects": window}]})
        held = position.copy()
        held.wizard(BRAM).bank = spell
        held.wizard(BRAM).effects = {}
        return held

    histories = [engine.play.History((), bank(spell)) for spell in ("fireball", "lightning_bolt")]
    first, second = (all_output(history, observer, PROBE_ORDERS) for history in histories)
    assert first == second


@pytest.mark.parametrize("ruleset", ["bartle-1", "archmage-1"])
@given(SEEDS, SEEDS, SEEDS, st.sampled_from(("WWFP", "WWPP", "SSFS", "DSFP")))
@settings(max_examples=daily.examples(200))
def test_gestures_of_an_extra_turn_stay_hidden_from_others(
    ruleset: str, seed: int, one: int, other: int, letters: str
) -> None:
    """In the extra turn, Bram makes gestures that complete no spell. rules: R121"""
    position = position_of_duel(
        {"turn": 5, "wizards": [{}, {"left": letters, "right": "-" * len(letters)}]}
    ).copy()
    position.kind = "extra"
    position.stopped = (BRAM,)
    position.switch_ruleset(ruleset)
    histories = []
    for number in (one, other):
        chance = random.Random(number)
        flat = {"left": chance.choice("FPSWD-"), "right": chance.choice("FSWD-")}
        if flat["left"] == "P":
            flat["left_subject"] = BRAM
        orders = engine.orders.from_fields(flat)
        assume(not engine.play.check(position, BRAM, orders))
        histories.append(play_turn_with_seed(position, {BRAM: orders}, seed))
    for history in histories:
        assume(not is_visible(history, ADA))
        assume(not history.position.outcome and history.position.kind == "normal")
        assume(not any(event.code in ("wounded", "summoned") for event in history.turns[0].events))
    for observer in (ADA, "spectator"):
        first, second = (
            all_output(history, observer, random_probes(seed)) for history in histories
        )
        assert first == second


@pytest.mark.parametrize(
    "ruleset", [id for id in engine.play.RULESETS if id not in NUMBERED_RULESETS]
)
@pytest.mark.parametrize("letters", ["SWD", "WWFP"])
@pytest.mark.parametrize("observer", [ADA, "spectator"])
def test_effects_of_time_stopped_wizards_on_themselves_are_hidden(
    ruleset: str, letters: str, observer: str
) -> None:
    """In the extra turn, the wizard may or may not cast Fear or Resist Heat on themselves.

    rules: R121
    """
    made, end = letters[:-1], letters[-1]
    bram = {"left": made, "right": "-" * len(made)}
    duellists = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
    setup = {"turn": 5, "wizards": [{}, bram]}
    position = engine.play.begin(ruleset, duellists, setup=setup).copy()
    position.kind = "extra"
    position.stopped = (BRAM,)
    histories = []
    for flat in ({"left": end, "left_subject": BRAM}, {"left": "-"}):
        histories.append(play_turn_with_seed(position, {BRAM: engine.orders.from_fields(flat)}, 0))
    assert histories[0].position.wizard(BRAM).effects
    first, second = (all_output(history, observer, PROBE_ORDERS) for history in histories)
    assert first == second


@given(SEEDS)
@settings(max_examples=daily.examples(60))
def test_spectator_sees_only_what_every_wizard_sees(seed: int) -> None:
    """A spectator sees a gesture only if every wizard in the duel sees it. Promise 2."""
    steps = list(random_turns(seed, wizards=3, turns=25))
    history = history_of(steps)
    crowd = engine.play.view(history, "spectator")
    for seat in (ADA, BRAM, CLEO):
        view = engine.play.view(history, seat)
        for public, private in zip(crowd.turns, view.turns, strict=True):
            for wizard, rows in public.rows.items():
                for mine, theirs in zip(private.rows[wizard], rows, strict=True):
                    assert theirs.left.letter in ("?", mine.left.letter)
            assert len(public.events) <= len(private.events)
