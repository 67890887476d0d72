"""Tests of markers, which only the wizards ruleset has, at the end of a duel. R114"""

import pytest

import engine.orders
import engine.play
from engine.events import MarkersReturned, MarkerTaken
from engine.positions.position import DEAD, DRAW, SURRENDERED
from engine.proof.replay import markers_at_end

RULESETS_WITHOUT_VICTORY_MARKERS = sorted(set(engine.play.RULESETS) - {"wizards-1"})
SURRENDER_ORDERS = {"left": "P", "right": "P"}


def duel_with_markers(*rows: dict[str, object], ruleset: str = "wizards-1") -> engine.play.Position:
    """Return a position with one wizard for each of these setups."""
    wizards = [engine.play.Duellist() for _ in rows]
    return engine.play.begin(ruleset, wizards, setup={"turn": 5, "wizards": list(rows)})


def markers(events: tuple[engine.play.Event, ...]) -> list[engine.play.Event]:
    return [event for event in events if isinstance(event, MarkerTaken | MarkersReturned)]


def events_about_markers(
    position: engine.play.Position, **flat: dict[str, str]
) -> list[engine.play.Event]:
    """Play a turn with these orders and return the events about markers."""
    orders = {wizard: engine.orders.from_fields(fields) for wizard, fields in flat.items()}
    _, events = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    return markers(events)


STAB_ORDERS = {"left": ">", "right": "-"}


def test_winner_takes_a_marker_and_a_dead_loser_returns_all_of_theirs() -> None:
    position = duel_with_markers({}, {"damage": 14})
    assert events_about_markers(position, w0=STAB_ORDERS) == [
        MarkerTaken("w0", "w1"),
        MarkersReturned("w1"),
    ]


def test_surrendering_wizard_keeps_markers_won_before() -> None:
    assert events_about_markers(duel_with_markers({}, {}), w1=SURRENDER_ORDERS) == [
        MarkerTaken("w0", "w1")
    ]


def test_draw_moves_only_the_markers_of_dead_wizards() -> None:
    both = duel_with_markers({"damage": 14}, {"damage": 14})
    assert events_about_markers(both, w0=STAB_ORDERS, w1=STAB_ORDERS) == [
        MarkersReturned("w0"),
        MarkersReturned("w1"),
    ]
    assert (
        events_about_markers(duel_with_markers({}, {}), w0=SURRENDER_ORDERS, w1=SURRENDER_ORDERS)
        == []
    )


def test_wizard_who_dies_while_surrendering_returns_won_markers() -> None:
    # The two palms also cast Shield, which does not stop Cause Light Wounds.
    position = duel_with_markers({"left": "WF", "right": "--"}, {"damage": 13})
    moved = events_about_markers(position, w0={"left": "P", "right": "-"}, w1=SURRENDER_ORDERS)
    assert moved == [MarkerTaken("w0", "w1"), MarkersReturned("w1")]


def test_surrendering_wizard_whose_spell_kills_wins_the_marker() -> None:
    """R111"""
    position = duel_with_markers({"left": "WF", "right": "--"}, {"damage": 13})
    moved = events_about_markers(position, w0=SURRENDER_ORDERS)
    assert moved == [MarkerTaken("w0", "w1"), MarkersReturned("w1")]


def test_last_of_several_wizards_takes_a_marker_from_each_of_the_others() -> None:
    """R178"""
    position = duel_with_markers({}, {"damage": 14}, {"state": DEAD}, {"state": SURRENDERED})
    assert events_about_markers(position, w0=STAB_ORDERS) == [
        MarkerTaken("w0", "w1"),
        MarkerTaken("w0", "w2"),
        MarkerTaken("w0", "w3"),
        MarkersReturned("w1"),
        MarkersReturned("w2"),
    ]


def test_markers_do_not_change_hands_during_a_duel() -> None:
    assert events_about_markers(duel_with_markers({}, {"damage": 14}, {}), w0=STAB_ORDERS) == []
    _, events = engine.play.resign(duel_with_markers({}, {}, {}), "w2")
    assert markers(events) == []


def test_resigning_wizard_keeps_won_markers_like_a_surrendering_one() -> None:
    """R178"""
    _, events = engine.play.resign(duel_with_markers({}, {}, {"state": DEAD}), "w1")
    assert markers(events) == [
        MarkerTaken("w0", "w1"), MarkerTaken("w0", "w2"), MarkersReturned("w2"),
    ]  # fmt: skip


def test_agreed_draw_returns_markers_of_the_dead_but_annulment_does_not() -> None:
    """R178"""
    position = duel_with_markers({}, {}, {"state": DEAD})
    assert list(engine.play.marker_events(position, DRAW)) == [MarkersReturned("w2")]
    assert markers_at_end(position, "agreed") == {"taken": [], "returned": ["w2"]}
    assert markers_at_end(position, "annulled") == {"taken": [], "returned": []}


@pytest.mark.parametrize("ruleset", RULESETS_WITHOUT_VICTORY_MARKERS)
def test_other_rulesets_have_no_markers(ruleset: str) -> None:
    position = duel_with_markers({}, {"damage": 14}, ruleset=ruleset)
    assert list(engine.play.marker_events(position, "w0")) == []
    _, events = engine.play.resign(position, "w1")
    assert markers(events) == []
