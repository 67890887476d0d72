"""Positions for tests of the legality of orders, and the faults of orders in them."""

from collections.abc import Mapping

import engine
import engine.orders
import engine.play
from engine.positions.position import HASTE, Position
from tests.engine.board import begun, duel, made, play_turn, under_effects

ONE_TURN: dict[str, object] = {"turns": 1}
NEW_DUEL = duel()
AFTER_S = duel(begun("S"))
GOBLINS = ({"kind": "goblin", "controller": "w0"}, {"kind": "goblin", "controller": "w1"})
WITH_GOBLINS = duel(monsters=GOBLINS)
ELEMENTAL = duel(monsters=[{"kind": "fire", "controller": "w0"}])
WITH_CORPSE = duel(monsters=[GOBLINS[0], {"kind": "ogre", "state": "corpse"}])
HASTED = duel(under_effects(haste=ONE_TURN))
AFRAID = duel(under_effects(fear=ONE_TURN))
PARALYSED = duel(under_effects(paralysis={**ONE_TURN, "hand": "L", "letter": "F"}))
STABBING = duel(under_effects(paralysis={**ONE_TURN, "hand": "R", "letter": ">"}))
AMNESIAC = duel(under_effects(amnesia={**ONE_TURN, "sets": ["WP"]}))
CHARMER = duel({}, under_effects(charm_person={**ONE_TURN, "caster": "w0", "hand": "L"}))
CHARMER_OF_HASTED = duel(
    {}, under_effects(charm_person={**ONE_TURN, "caster": "w0", "hand": "L"}, haste={"turns": 2})
)
BANKER = duel({"bank": "missile"})
STORM_BANKER = duel({"bank": "fire_storm"})
STRICT_DUEL = duel(options=["strict"])
DUEL_AFTER_SURRENDER = duel({}, {"state": "surrendered"}, seats=3)
SACRIFICE_DUEL = duel(
    begun("DWFF", "-WFF"), monsters=[*GOBLINS, {"kind": "fire", "controller": "w0"}],
    options=["sacrifice"], ruleset="wizards-1",
)  # fmt: skip
ARCHMAGES = duel(
    begun("SP", "DWWFW"), {}, {"state": "dead"}, monsters=GOBLINS, ruleset="archmage-1"
)
MASTER_OF_HANDS = duel(
    under_effects(delayed_effect={"turns": 2}, permanency={"turns": 2}),
    under_effects(charm_person={**ONE_TURN, "caster": "w0"}),
    under_effects(paralysis={**ONE_TURN, "caster": "w0"}), ruleset="warlocks-1",
)  # fmt: skip
HOLDING_AGAIN = duel(
    {}, under_effects(paralysis={**ONE_TURN, "caster": "w0", "hand": "R"}), ruleset="warlocks-1"
)
ENTHRALLED = duel(under_effects(fear={"permanent": True}), ruleset="warlocks-1")
WARLOCKS = duel(ruleset="warlocks-1")
OTHERS_HASTED = duel(
    {"bank": "missile", "effects": {"fear": {"permanent": True}, "delayed_effect": {"turns": 2}}},
    under_effects(haste={"turns": 2}, paralysis={**ONE_TURN, "caster": "w0"}), ruleset="warlocks-1",
).copy()  # fmt: skip
OTHERS_HASTED.kind = HASTE
TIME_STOPPED, _ = play_turn(duel(begun("SPP")), ada=made("C C"))


def faults(position: Position, wizard: str, flat: Mapping[str, str]) -> list[tuple[str, str, str]]:
    found = engine.play.check(position, wizard, engine.orders.from_fields(flat))
    return [(fault.code, fault.field, fault.rule) for fault in found]
