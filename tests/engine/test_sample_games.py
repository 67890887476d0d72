"""Tests that replay the two printed sample games turn by turn.

Each file in `sample_games/` has a record (orders, answers, dice, damage after each turn) and
further expectations: every cast, spells completed but not chosen, breaks. Both games are replayed
under every ruleset that plays them as printed, and under others until they differ.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import pytest

import engine.orders
import engine.play
from engine.events import Broke, Cast, Died, Drew, Event, Failed, Overridden, Summoned
from engine.rulesets import RULESETS
from engine.rulesets.choices import NUMBERED

SAMPLE_GAMES_FOLDER = Path(__file__).parent / "sample_games"
GAME_NAMES = ("black_and_white", "froodal_and_bung")
BLACK, WHITE = "w0", "w1"
FROODAL, BUNG = "w0", "w1"
FIELD_NAMES_BY_HAND = {"L": "left", "R": "right", "BH": "both"}
BARTLE_ID = "bartle-1"
GAMES_AS_PRINTED = (
    ("black_and_white", BARTLE_ID),
    ("black_and_white", "archmage-1"),
    *(("froodal_and_bung", id) for id, each in RULESETS.items() if each.order_of_play != NUMBERED),
)
GAMES_UP_TO_TURN_15 = (("black_and_white", "wizards-1"), ("black_and_white", "spellcast-1"))
PROGRAM_DICE = {"turn 10 confusion w0 hand": 1, "turn 10 confusion w0 gesture": 4}
"""The program's two dice for turn 10, on which Black's right hand makes C."""


class RecordedTurn(TypedDict):
    """Parts of a recorded turn that these tests use."""

    number: int
    orders: dict[str, dict[str, str]]
    answers: dict[str, str]
    damage: dict[str, int]


class ExpectedResults(TypedDict, total=False):
    """Expected results of a turn, in addition to its damage."""

    turn: int
    casts: list[list[str]]
    shadows: list[list[str]]
    breaks: list[str]
    hit_points: dict[str, int]


@dataclass(frozen=True)
class PlayedTurn:
    """One turn of a game with its results."""

    recorded: RecordedTurn
    expected: ExpectedResults
    before: engine.play.Position
    after: engine.play.Position
    events: tuple[Event, ...]
    asked: frozenset[str]
    history: engine.play.History

    @property
    def number(self) -> int:
        return self.recorded["number"]


class CountedDice:
    """Dice that give the recorded values and note which labels were used."""

    def __init__(self, draws: Mapping[str, int]) -> None:
        self.draws = draws
        self.asked: set[str] = set()

    def draw(self, label: str, sides: int) -> int:
        self.asked.add(label)
        assert 0 <= self.draws[label] < sides
        return self.draws[label]


def read_game(name: str) -> tuple[dict[str, object], list[ExpectedResults]]:
    data = json.loads((SAMPLE_GAMES_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return data["record"], data["expected"]


@cache
def play_game(name: str, ruleset: str = BARTLE_ID) -> tuple[PlayedTurn, ...]:
    """Return the whole game, resolving each turn from its recorded orders, answers and dice."""
    data = json.loads((SAMPLE_GAMES_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    turns = replay_game(data, ruleset)
    assert len(turns) == len(data["record"]["turns"])
    return turns


def replay_game(data: dict[str, Any], ruleset: str, last: int = 0) -> tuple[PlayedTurn, ...]:
    """Return the game under this ruleset, up to its end or to the turn numbered `last`."""
    record = data["record"]
    draws = record["dice"]["draws"]
    dice = CountedDice(PROGRAM_DICE if draws and ruleset == "spellcast-1" else draws)
    wizards = [engine.play.Duellist(each["name"], each["pronouns"]) for each in record["wizards"]]
    position = engine.play.begin(ruleset, wizards)
    past: tuple[engine.play.Turn, ...] = ()
    turns: list[PlayedTurn] = []
    for recorded, expected in zip(record["turns"], data["expected"], strict=True):
        if last and recorded["number"] > last:
            break
        assert recorded["number"] == position.turn == expected["turn"]
        written = (
            recorded["orders"]
            if ruleset == BARTLE_ID
            else orders_without_defaults(recorded, expected)
        )
        orders = {id: engine.orders.from_fields(flat) for id, flat in written.items()}
        asked: dict[str, str] = {}
        while batch := engine.play.questions(position, orders, asked, dice):
            asked |= {question.id: recorded_answer(recorded, question) for question in batch}
        after, events = engine.play.resolve(position, orders, asked, dice)
        past = (*past, engine.play.Turn(len(past) + 1, position, events))
        history = engine.play.History(past, after)
        turns.append(
            PlayedTurn(recorded, expected, position, after, events, frozenset(asked), history)
        )
        position = after
    assert dice.asked == set(dice.draws)
    return tuple(turns)


def recorded_answer(recorded: RecordedTurn, question: engine.play.Question) -> str:
    """Return the recorded answer to a question, whose kind other rulesets may call differently."""
    kinds = {id.partition(":")[0]: given for id, given in recorded["answers"].items()}
    return next((given for kind, given in kinds.items() if kind in question.kind), question.default)


def orders_without_defaults(
    recorded: RecordedTurn, expected: ExpectedResults
) -> dict[str, dict[str, str]]:
    """Return the orders with every choice and subject filled in, so that no default is needed."""
    orders = {id: dict(flat) for id, flat in recorded["orders"].items()}
    for wizard, hand, spell, subject in expected["casts"]:
        stem = FIELD_NAMES_BY_HAND[hand]
        orders[wizard][f"{stem}_spell"] = spell
        if subject:
            orders[wizard][f"{stem}_subject"] = subject
    return orders


def numbers_of_turns_with_event(event_class: type[Event], name: str, **fields: str) -> list[int]:
    """Return the numbers of the turns with an event of this class and these fields."""
    return [
        turn.number
        for turn in play_game(name)
        for event in turn.events
        if isinstance(event, event_class)
        and all(getattr(event, field) == value for field, value in fields.items())
    ]


def numbers_of_turns_with_effect(name: str, being: str, effect: str) -> list[int]:
    """Return the turns on which the effect was in force when gestures were made."""
    return [
        turn.number
        for turn in play_game(name)
        if (found := turn.before.wizard(being).effects.get(effect)) and found.is_active(turn.number)
    ]


@pytest.mark.parametrize(("name", "ruleset"), GAMES_AS_PRINTED)
def test_damage_matches_the_printed_game(name: str, ruleset: str) -> None:
    for turn in play_game(name, ruleset):
        damage = {wizard.id: wizard.damage for wizard in turn.after.wizards}
        assert (turn.number, damage) == (turn.number, turn.recorded["damage"])


@pytest.mark.parametrize(("name", "ruleset"), GAMES_AS_PRINTED)
def test_casts_match_the_annotations(name: str, ruleset: str) -> None:
    for turn in play_game(name, ruleset):
        casts = [
            [event.wizard, event.hand, event.spell, event.subject]
            for event in turn.events
            if isinstance(event, Cast)
        ]
        assert (turn.number, sorted(casts)) == (turn.number, sorted(turn.expected["casts"]))


@pytest.mark.parametrize("name", GAME_NAMES)
def test_spells_not_chosen_match_the_annotations(name: str) -> None:
    for turn in play_game(name):
        shadows = [
            [event.wizard, event.hand, spell]
            for event in turn.events
            if isinstance(event, Cast)
            for spell in event.instead_of
        ]
        assert (turn.number, sorted(shadows)) == (turn.number, sorted(turn.expected["shadows"]))


@pytest.mark.parametrize(("name", "ruleset"), GAMES_AS_PRINTED)
def test_sequence_breaks_match_the_printed_game(name: str, ruleset: str) -> None:
    for turn in play_game(name, ruleset):
        broken = [event.wizard for event in turn.events if isinstance(event, Broke)]
        assert (turn.number, broken) == (turn.number, turn.expected["breaks"])
        assert list(engine.play.view(turn.history, "all").turns[-1].breaks) == broken


@pytest.mark.parametrize("name", GAME_NAMES)
def test_only_recorded_questions_are_asked(name: str) -> None:
    for turn in play_game(name):
        assert (turn.number, sorted(turn.asked)) == (turn.number, sorted(turn.recorded["answers"]))


@pytest.mark.parametrize(("name", "ruleset"), GAMES_AS_PRINTED)
def test_game_ends_on_its_last_recorded_turn(name: str, ruleset: str) -> None:
    record, _ = read_game(name)
    *earlier, last = play_game(name, ruleset)
    assert {turn.after.outcome for turn in earlier} == {""}
    ended = record["ended"]
    assert isinstance(ended, dict)
    assert last.after.outcome == ended["result"]


def test_confusion_changes_blacks_fingers_into_half_a_clap() -> None:
    """On turn 10, the right hand makes half a clap instead of F. rules: R1"""
    tenth = play_game("black_and_white")[9]
    assert tenth.recorded["orders"][BLACK]["right"] == "F"
    (row,) = engine.play.view(tenth.history, WHITE).turns[-1].rows[BLACK]
    assert (row.left.letter, row.right.letter, row.right.mark) == ("P", "C", "half_clap")
    assert numbers_of_turns_with_event(Drew, "black_and_white") == [10, 10]


def test_mind_spells_are_in_force_on_these_turns() -> None:
    """Black is confused on turn 10 and amnesiac on turn 13, and White is amnesiac on turn 7."""
    game = "black_and_white"
    assert numbers_of_turns_with_effect(game, BLACK, "confusion") == [10]
    assert numbers_of_turns_with_effect(game, WHITE, "amnesia") == [7]
    assert numbers_of_turns_with_effect(game, BLACK, "amnesia") == [13]
    assert numbers_of_turns_with_effect(game, BLACK, "paralysis") == []
    assert set(numbers_of_turns_with_event(Overridden, game, cause="amnesia", wizard=WHITE)) == {7}
    assert set(numbers_of_turns_with_event(Overridden, game, cause="amnesia", wizard=BLACK)) == {13}
    assert numbers_of_turns_with_event(Overridden, game, cause="confusion", wizard=BLACK) == [10]


def test_white_resists_heat_from_turn_four_to_the_end() -> None:
    for turn in play_game("black_and_white"):
        resists = "resist_heat" in turn.after.wizard(WHITE).effects
        assert (turn.number, resists) == (turn.number, turn.number >= 4)


def test_black_never_casts_resist_cold() -> None:
    """On turn 10, Black's palm also completes Resist Cold, but Black chooses Shield."""
    assert numbers_of_turns_with_event(Cast, "black_and_white", spell="resist_cold") == []
    assert all(
        "resist_cold" not in t.after.wizard(BLACK).effects for t in play_game("black_and_white")
    )


def test_goblin_is_alive_on_turns_ten_and_eleven() -> None:
    """The goblin's two attacks fail, and Black's knife kills it. rules: R71"""
    game = "black_and_white"
    assert numbers_of_turns_with_event(Summoned, game) == [10]
    assert numbers_of_turns_with_event(Died, game, subject="m0") == [11]
    assert [
        t.number for t in play_game(game) if any(m.state == "alive" for m in t.after.monsters)
    ] == [10]


def test_white_sees_fog_where_black_was_invisible() -> None:
    """The players never learned the gestures of turns 16 to 18, which are public after the duel.

    rules: R132
    """
    game = play_game("black_and_white")
    assert numbers_of_turns_with_effect("black_and_white", BLACK, "invisibility") == [16, 17, 18]
    running = engine.play.view(game[20].history, WHITE)
    fogged = [
        turn.number
        for turn in running.turns
        if any("?" in (row.left.letter, row.right.letter) for row in turn.rows[BLACK])
    ]
    assert fogged == [16, 17, 18]
    own = engine.play.view(game[20].history, BLACK)
    assert all(row.left.letter != "?" for turn in own.turns for row in turn.rows[BLACK])
    (row,) = engine.play.view(game[21].history, "all").turns[15].rows[BLACK]
    assert (row.left.letter, row.right.letter) == ("D", "D")


def test_each_wizard_uses_the_short_lightning_bolt_once() -> None:
    """White uses the bolt on turn 13, Black on 20, Froodal on 10, and Bung on 11. rules: R18"""
    spent = {
        (name, wizard): next(
            turn.number for turn in play_game(name) if turn.after.wizard(wizard).used_bolt
        )
        for name in GAME_NAMES
        for wizard in ("w0", "w1")
    }
    assert spent == {
        ("black_and_white", WHITE): 13,
        ("black_and_white", BLACK): 20,
        ("froodal_and_bung", FROODAL): 10,
        ("froodal_and_bung", BUNG): 11,
    }


def test_black_surrenders_and_white_wins() -> None:
    last = play_game("black_and_white")[-1].after
    assert [wizard.standing for wizard in last.wizards] == ["surrendered", "standing"]
    assert last.outcome == WHITE


def test_hit_points_of_froodal_and_bung_match_the_printed_game() -> None:
    """Bung ends the duel with minus two points. rules: R110"""
    for turn in play_game("froodal_and_bung"):
        hit_points = {wizard.id: 15 - wizard.damage for wizard in turn.after.wizards}
        assert (turn.number, hit_points) == (turn.number, turn.expected["hit_points"])
    assert play_game("froodal_and_bung")[-1].after.wizard(BUNG).standing == "dead"


def test_bung_is_diseased_until_he_casts_dispel_magic() -> None:
    """Froodal casts Disease on turn 6, and Bung's own Dispel Magic removes it on turn 8.

    rules: R89, R90
    """
    diseased = [
        turn.number
        for turn in play_game("froodal_and_bung")
        if "disease" in turn.after.wizard(BUNG).effects
    ]
    assert diseased == [6, 7]


def test_bungs_right_hand_is_paralysed_on_turn_six_only() -> None:
    """The clap of turn 5 becomes F on turn 6. rules: R80"""
    assert numbers_of_turns_with_effect("froodal_and_bung", BUNG, "paralysis") == [6]
    sixth = play_game("froodal_and_bung")[5]
    (row,) = engine.play.view(sixth.history, FROODAL).turns[-1].rows[BUNG]
    assert (row.left.letter, row.right.letter) == ("D", "F")


@pytest.mark.parametrize(("name", "ruleset"), GAMES_UP_TO_TURN_15)
def test_first_game_agrees_under_other_rulesets_up_to_turn_fifteen(name: str, ruleset: str) -> None:
    data = json.loads((SAMPLE_GAMES_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for turn in replay_game(data, ruleset, last=15):
        damage = {wizard.id: wizard.damage for wizard in turn.after.wizards}
        casts = {(e.wizard, e.spell) for e in turn.events if isinstance(e, Cast)}
        printed = {(wizard, spell) for wizard, _, spell, _ in turn.expected["casts"]}
        assert (turn.number, damage) == (turn.number, turn.recorded["damage"])
        assert (turn.number, casts) == (turn.number, printed)


@pytest.mark.parametrize(
    ("name", "last", "spell"),
    [("black_and_white", 12, "clap_of_lightning"), ("froodal_and_bung", 5, "paralysis")],
)
def test_games_agree_under_warlocks_until_a_rule_differs(name: str, last: int, spell: str) -> None:
    """Short bolts are a spell of their own, and paralysed hands are named later. rules: W5, W18"""
    data = json.loads((SAMPLE_GAMES_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    data["record"]["dice"]["draws"] = {
        label: value
        for label, value in data["record"]["dice"]["draws"].items()
        if int(label.split()[1]) <= last
    }
    turns = replay_game(data, "warlocks-1", last=last)
    for turn in turns:
        damage = {wizard.id: wizard.damage for wizard in turn.after.wizards}
        assert (turn.number, damage) == (turn.number, turn.recorded["damage"])
    expected = data["record"]["turns"][last]["orders"]
    orders = {id: engine.orders.from_fields(flat) for id, flat in expected.items()}
    after, events = engine.play.resolve(turns[-1].after, orders, {}, CountedDice({}))
    if spell == "paralysis":
        assert [e.hand for e in events if isinstance(e, Overridden)] == ["L"]
    else:
        assert spell in [e.spell for e in events if isinstance(e, Cast)]
    assert after.turn == last + 2


def result_of_turn_16(
    ruleset: str, white: dict[str, str]
) -> tuple[engine.play.Position, tuple[Event, ...]]:
    """Return the result of turn 16 of the first game if White has these orders."""
    data = json.loads((SAMPLE_GAMES_FOLDER / "black_and_white.json").read_text(encoding="utf-8"))
    before = replay_game(data, ruleset, last=15)[-1].after
    black = {"left": "D", "right": "D"}
    orders = {BLACK: engine.orders.from_fields(black), WHITE: engine.orders.from_fields(white)}
    answers: dict[str, str] = {}
    while batch := engine.play.questions(before, orders, answers, CountedDice({})):
        answers |= {question.id: question.default for question in batch}
    return engine.play.resolve(before, orders, answers, CountedDice({}))


def test_first_game_differs_under_wizards_when_white_casts_anti_spell() -> None:
    """Under Wizards, White's S, P, F on turn 16 is not a spell, so no sequences break.

    rules: R22
    """
    after, events = result_of_turn_16("wizards-1", {"left": "W", "right": "F"})
    assert [e.spell for e in events if isinstance(e, Cast) and e.wizard == WHITE] == []
    assert [e for e in events if isinstance(e, Broke)] == []
    assert {wizard.id: wizard.damage for wizard in after.wizards} == {BLACK: 6, WHITE: 5}


def test_first_game_differs_under_spellcast_when_black_is_invisible() -> None:
    """Under Spellcast, White's Anti-spell on turn 16 misses Black, whose sequences continue.

    rules: R95
    """
    after, events = result_of_turn_16("spellcast-1", {"left": "W", "right": "F"})
    assert [e.spell for e in events if isinstance(e, Cast) and e.wizard == WHITE] == ["anti_spell"]
    assert "anti_spell" in [e.spell for e in events if isinstance(e, Failed)]
    assert [e for e in events if isinstance(e, Broke)] == []
    assert {wizard.id: wizard.damage for wizard in after.wizards} == {BLACK: 6, WHITE: 5}
