"""Tests of secrecy in Warlocks: gestures stay hidden, but all observers see effects.

rules: W12, W18, W33, W34
"""

from collections.abc import Mapping

import pytest

import engine.orders
import engine.play
import engine.words
from engine.positions.position import EXTRA, Position
from tests.engine.board import ADA, BRAM, CLEO, Row, begun, duel, made, under_effects
from tests.engine.test_secrecy import PROBE_ORDERS, all_output

INVISIBLE_WIZARD: dict[str, Row] = {"invisibility": {"turns": 2}}


def warlocks_duel(*wizards: Row) -> Position:
    return duel(*wizards, seats=3, turn=5, ruleset="warlocks-1")


def everything_visible_after_turn(
    position: Position, observer: str, **flats: Mapping[str, str]
) -> tuple[object, ...]:
    """Play a turn and return all of the engine's output for the observer."""
    seats = {"ada": ADA, "bram": BRAM, "cleo": CLEO}
    orders = {seats[name]: engine.orders.from_fields(flat) for name, flat in flats.items()}
    after, events = engine.play.resolve(position, orders, {}, engine.play.Dice(bytes(8)))
    history = engine.play.History((engine.play.Turn(1, position, events),), after)
    return all_output(history, observer, PROBE_ORDERS)


def extra_turn_of_bram(position: Position) -> Position:
    """Return the position as an extra turn in which only Bram acts."""
    position = position.copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    return position


@pytest.mark.parametrize("observer", [ADA, "spectator"])
@pytest.mark.parametrize("scene", ["invisible", "time-stopped", "blind"])
def test_unseen_gestures_without_an_effect_stay_hidden(scene: str, observer: str) -> None:
    bram = begun("FS", "WD", effects=INVISIBLE_WIZARD if scene == "invisible" else {})
    ada = under_effects(blindness={"turns": 2}) if scene == "blind" else {}
    position = warlocks_duel(ada, bram)
    if scene == "time-stopped":
        position = extra_turn_of_bram(position)
    first = everything_visible_after_turn(position, observer, bram=made("F W"))
    assert first == everything_visible_after_turn(position, observer, bram=made("W S"))
    assert first != everything_visible_after_turn(
        position, observer, bram=made("P W")
    )  # the Shield is reported


@pytest.mark.parametrize("observer", [ADA, "spectator"])
def test_gestures_of_a_spell_cast_unseen_stay_hidden(observer: str) -> None:
    """Either hand can complete a Counter-spell, by different gestures."""
    one = warlocks_duel({}, begun("WP", "--", effects=INVISIBLE_WIZARD))
    other = warlocks_duel({}, begun("--", "WW", effects=INVISIBLE_WIZARD))
    assert everything_visible_after_turn(
        one, observer, bram=made("P -")
    ) == everything_visible_after_turn(other, observer, bram=made("- S"))


def test_report_does_not_name_the_caster_of_a_spell_cast_unseen() -> None:
    """Bram and Cleo are both invisible, and one of them casts a Missile at Ada."""
    views = []
    for caster in ("bram", "cleo"):
        rows = [
            begun("S" if name == caster else "-", effects=INVISIBLE_WIZARD)
            for name in ("bram", "cleo")
        ]
        flats = {caster: made("D -", left_subject=ADA)}
        position = warlocks_duel({}, *rows)
        orders = {
            {"bram": BRAM, "cleo": CLEO}[name]: engine.orders.from_fields(flat)
            for name, flat in flats.items()
        }
        after, events = engine.play.resolve(position, orders, {}, engine.play.Dice(bytes(8)))
        history = engine.play.History((engine.play.Turn(1, position, events),), after)
        view = engine.play.view(history, ADA)
        views.append((view.turns[0].events, engine.words.narrate(view)))
    assert views[0] == views[1]
    assert any(event.code == "hit" for event in views[0][0])


def test_only_caster_and_subject_know_the_held_hand_of_an_unseen_wizard() -> None:
    """Ada paralyses Bram's left or right hand. Cleo does not see Bram's hands."""
    paralysis = {"permanent": True, "caster": ADA}
    position = warlocks_duel(
        {}, begun("D", "D", effects={**INVISIBLE_WIZARD, "paralysis": paralysis})
    )
    left, right = ({f"held:{BRAM}": hand} for hand in "LR")
    for observer, differs in ((CLEO, False), (ADA, True), (BRAM, True)):
        first = everything_visible_after_turn(position, observer, ada=left, bram=made("S S"))
        second = everything_visible_after_turn(position, observer, ada=right, bram=made("S S"))
        assert (first != second) == differs, observer


def test_bank_is_public_but_its_subject_is_not() -> None:
    positions = []
    for subject in (ADA, CLEO):
        position = warlocks_duel({}, {"bank": "fireball", "bank_subject": subject})
        positions.append(position)
    for observer in (ADA, CLEO, "spectator"):
        views = [
            all_output(engine.play.History((), each), observer, PROBE_ORDERS) for each in positions
        ]
        assert views[0] == views[1]
        status = engine.play.view(engine.play.History((), positions[0]), observer).status
        assert [being.bank for being in status if being.id == BRAM] == ["fireball"]
    own = [all_output(engine.play.History((), each), BRAM, PROBE_ORDERS) for each in positions]
    assert own[0] != own[1]
