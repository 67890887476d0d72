"""Tests of the house rule that gives Sacrifice an effect."""

from collections.abc import Sequence

import pytest

import engine.orders
import engine.play
from engine.positions.position import Position
from tests.engine.board import ADA, BRAM, begun, duel, made, play_turn
from tests.engine.changed_rulesets import event_causes

OWN_TROLL = {"kind": "troll", "controller": ADA, "victim": BRAM}


def position_before_sacrifice(options: Sequence[str], **more: object) -> Position:
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
    after, events = play_turn(position_before_sacrifice(options), ada=made("D D", sacrifice=named))
    assert after.wizard(BRAM).damage == damage
    assert len(after.monsters) == left
    assert event_causes(events, "failed") == cause


def test_order_sheet_offers_monsters_for_sacrifice_under_the_house_rule() -> None:
    """rules: R24"""
    orders = engine.orders.from_fields(made("D D"))
    offered = engine.play.sheet(position_before_sacrifice(("sacrifice",)), ADA, orders).sacrifice
    assert offered is not None
    assert (offered.options, offered.default) == (("m0",), "")
    assert engine.play.sheet(position_before_sacrifice(()), ADA, orders).sacrifice is None
    assert engine.play.sheet(position_before_sacrifice(("sacrifice",)), ADA).sacrifice is None
    notes = [
        engine.play.sheet(position_before_sacrifice(options), ADA, orders)
        .subjects["sacrifice"]
        .note
        for options in ((), ("sacrifice",))
    ]
    assert notes == ["Sacrifice has no effect in this duel.", ""]
    assert (
        engine.play.sheet(position_before_sacrifice(("sacrifice",)), BRAM, orders).sacrifice is None
    )


def test_reflected_sacrifice_costs_the_caster_a_monster_and_harms_the_caster() -> None:
    """rules: R24, R40"""
    before = position_before_sacrifice(("sacrifice",), **begun("C", "C"))
    flat = {**made("D D", sacrifice="m0"), "victim:m0": "no_one"}
    after, _ = play_turn(before, ada=flat, bram=made("W W"))
    assert [w.damage for w in after.wizards] == [3, 0]
    assert after.monsters == []


def test_countered_sacrifice_does_not_destroy_a_monster() -> None:
    """rules: R24"""
    before = position_before_sacrifice(("sacrifice",), **begun("WP"))
    after, _ = play_turn(
        before, ada=made("D D", sacrifice="m0"), bram=made("P -", left_spell="counter_spell")
    )
    assert (after.wizard(BRAM).damage, len(after.monsters)) == (0, 1)


def test_a_monster_can_be_sacrificed_only_once() -> None:
    """rules: R24"""
    hands = begun("DWFF", "-WFF", bank="sacrifice")
    before = duel(hands, monsters=[OWN_TROLL], options=["sacrifice"], ruleset="wizards-1")
    flat = {**made("D D", sacrifice="m0", release="yes"), "victim:m0": "no_one"}
    after, events = play_turn(before, ada=flat)
    assert after.wizard(BRAM).damage == 3
    assert event_causes(events, "failed") == ["nothing_given"]


def test_sacrifice_has_no_effect_if_the_monster_is_charmed_away() -> None:
    """Charm Monster takes effect before Sacrifice. rules: R24, R123"""
    before = position_before_sacrifice(("sacrifice",), **begun("PSD"))
    after, events = play_turn(
        before, ada=made("D D", sacrifice="m0"),
        bram=made("D -", left_spell="charm_monster", left_subject="m0"),
    )  # fmt: skip
    assert "nothing_given" in event_causes(events, "failed")
    assert [w.damage for w in after.wizards] == [3, 0]
