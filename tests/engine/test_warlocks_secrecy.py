"""Tests of secrecy in Warlocks: unseen gestures stay hidden, effects are reported to all.

rules: W12, W18, W33, W34
"""

from collections.abc import Mapping

import pytest

import engine
from engine.position import EXTRA, Position
from tests.engine.board import ADA, BRAM, CLEO, Row, begun, duel, made, under_effects
from tests.engine.test_secrecy import PROBES, everything

NOW: dict[str, object] = {"turns": 1}
UNSEEN: dict[str, Row] = {"invisibility": {"turns": 2}}


def warlocks(*wizards: Row) -> Position:
    return duel(*wizards, seats=3, turn=5, ruleset="warlocks-1")


def told(position: Position, observer: str, **flats: Mapping[str, str]) -> tuple[object, ...]:
    """Return everything that the observer gets from this turn."""
    seats = {"ada": ADA, "bram": BRAM, "cleo": CLEO}
    orders = {seats[name]: engine.from_fields(flat) for name, flat in flats.items()}
    after, events = engine.resolve(position, orders, {}, engine.Dice(bytes(8)))
    history = engine.History((engine.Turn(1, position, events),), after)
    return everything(history, observer, PROBES)


def stopped(position: Position) -> Position:
    """Return the position with time stopped for everyone except Bram."""
    position = position.copy()
    position.kind, position.stopped = EXTRA, (BRAM,)
    return position


@pytest.mark.parametrize("observer", [ADA, "spectator"])
@pytest.mark.parametrize("scene", ["invisible", "time-stopped", "blind"])
def test_gestures_that_do_nothing_are_hidden(scene: str, observer: str) -> None:
    bram = begun("FS", "WD", effects=UNSEEN if scene == "invisible" else {})
    ada = under_effects(blindness={"turns": 2}) if scene == "blind" else {}
    position = warlocks(ada, bram)
    if scene == "time-stopped":
        position = stopped(position)
    first = told(position, observer, bram=made("F W"))
    assert first == told(position, observer, bram=made("W S"))
    assert first != told(position, observer, bram=made("P W"))  # the shield is reported


@pytest.mark.parametrize("observer", [ADA, "spectator"])
def test_gestures_of_an_unseen_spell_are_hidden(observer: str) -> None:
    """There are two ways to make a Counter-spell, with either hand."""
    one = warlocks({}, begun("WP", "--", effects=UNSEEN))
    other = warlocks({}, begun("--", "WW", effects=UNSEEN))
    assert told(one, observer, bram=made("P -")) == told(other, observer, bram=made("- S"))


def test_casters_of_unseen_spells_are_not_named() -> None:
    """Bram or Cleo, both invisible, casts a missile at Ada."""
    views = []
    for caster in ("bram", "cleo"):
        rows = [begun("S" if name == caster else "-", effects=UNSEEN) for name in ("bram", "cleo")]
        flats = {caster: made("D -", left_subject=ADA)}
        position = warlocks({}, *rows)
        orders = {
            {"bram": BRAM, "cleo": CLEO}[name]: engine.from_fields(flat)
            for name, flat in flats.items()
        }
        after, events = engine.resolve(position, orders, {}, engine.Dice(bytes(8)))
        history = engine.History((engine.Turn(1, position, events),), after)
        view = engine.view(history, ADA)
        views.append((view.turns[0].events, engine.narrate(view)))
    assert views[0] == views[1]
    assert any(event.code == "hit" for event in views[0][0])


def test_held_hand_of_an_unseen_wizard_is_known_to_caster_and_subject_only() -> None:
    """Ada paralyses Bram's left or right hand again; Cleo sees neither hand."""
    paralysis = {"permanent": True, "caster": ADA}
    position = warlocks({}, begun("D", "D", effects={**UNSEEN, "paralysis": paralysis}))
    left, right = ({f"held:{BRAM}": hand} for hand in "LR")
    for observer, differs in ((CLEO, False), (ADA, True), (BRAM, True)):
        first = told(position, observer, ada=left, bram=made("S S"))
        second = told(position, observer, ada=right, bram=made("S S"))
        assert (first != second) == differs, observer


def test_bank_is_public_but_its_subject_is_not() -> None:
    positions = []
    for subject in (ADA, CLEO):
        position = warlocks({}, {"bank": "fireball", "bank_subject": subject})
        positions.append(position)
    for observer in (ADA, CLEO, "spectator"):
        views = [everything(engine.History((), each), observer, PROBES) for each in positions]
        assert views[0] == views[1]
        status = engine.view(engine.History((), positions[0]), observer).status
        assert [being.bank for being in status if being.id == BRAM] == ["fireball"]
    own = [everything(engine.History((), each), BRAM, PROBES) for each in positions]
    assert own[0] != own[1]
