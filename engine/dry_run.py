"""Trial runs of a turn: phase by phase, under another reading of the rules, or with chosen dice.

They do not change a duel, and they use the same phases as `resolve`.
rules: turn:orders to turn:clock
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.dice import AnyDice
from engine.events import Event
from engine.orders import Orders
from engine.positions.codec import dump, load_position
from engine.positions.position import Position
from engine.resolve import ORDERS_OF_PLAY, require_legal_orders
from engine.rules_text.ruleset_text import SWITCHES
from engine.rulesets import RULESETS, readings

RULES_OF_PHASES: Final[Mapping[str, str]] = {
    "aim_spells": "R8",
    "apply_deaths": "turn:deaths",
    "apply_enchantments": "turn:enchantments",
    "apply_protections": "spell:shield",
    "apply_to_later_numbered_turns": "W16",
    "apply_to_later_turns": "turn:minds",
    "ask_questions": "turn:answers",
    "begin_next_turn": "turn:clock",
    "cancel_by_older_mind_spells": "W17",
    "cancel_conflicting_mind_spells": "turn:minds",
    "cancel_opposites": "R77",
    "capture_spells": "spell:delayed_effect",
    "complete_spells": "turn:casting",
    "cure_and_raise": "spell:raise_dead",
    "deal_damage": "turn:damage",
    "deal_damage_in_rounds": "W40",
    "dispel_magic": "spell:dispel_magic",
    "gather_casts": "turn:casting",
    "keep_casts_for_turn": "R97",
    "keep_guards_in_hasted_turn": "W11",
    "keep_mirrors_in_hasted_turn": "W11",
    "land_casts": "turn:landing",
    "land_spells": "turn:landing",
    "merge_elementals": "R153",
    "monsters_attack": "turn:victims",
    "move_markers": "R114",
    "advance_mind_spells": "R211",
    "raise_corpses": "spell:raise_dead",
    "raise_guards": "turn:guards",
    "remove_and_cure": "turn:landing",
    "reveal_gestures": "turn:reveal",
    "reveal_rows": "turn:reveal",
    "run_clocks": "turn:clock",
    "settle_damage": "turn:damage",
    "settle_elements": "turn:heat_and_cold",
    "settle_heat_and_cold": "turn:heat_and_cold",
    "settle_winner": "turn:winner",
    "summon_monsters": "turn:summons",
}
"""The rule that each phase follows, by the phase's name."""


@dataclass(frozen=True, slots=True)
class ResolvedPhase:
    """One phase of a turn: its name, its rule, and what happened in it."""

    phase: str
    rule: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """Another reading of a ruleset: the reversed switch, its rule, and its text when reversed."""

    switch: str
    rule: str
    text: str


def resolve_in_steps(
    position: Position,
    orders: Mapping[str, Orders],
    answers: Mapping[str, str],
    dice: AnyDice,
) -> tuple[Position, tuple[ResolvedPhase, ...]]:
    """Return the result of `resolve`, with the events grouped by phase.

    Raises the same errors as `resolve`.
    """
    require_legal_orders(position, orders)
    events: list[Event] = []
    steps: list[ResolvedPhase] = []
    play = ORDERS_OF_PLAY[position.rules.order_of_play]
    for phase, after in play.iterate_phases(position, orders, answers, dice, events.append):
        steps.append(ResolvedPhase(phase, RULES_OF_PHASES[phase], tuple(events)))
        events.clear()
        position = after
    return position, tuple(steps)


def other_readings(ruleset: str) -> tuple[AlternativeReading, ...]:
    """Return the other readings of a published ruleset, each with one switch reversed."""
    rules = RULESETS[ruleset]
    return tuple(
        AlternativeReading(
            name, SWITCHES[name].rule, SWITCHES[name].sentence_for(not getattr(rules, name))
        )
        for name in readings.switches(rules)
    )


def with_reversed_switch(position: Position, switch: str) -> Position:
    """Return the position under its ruleset with this switch reversed. Raises ValueError."""
    copy = position.copy()
    copy.switch_ruleset(readings.reading_id(RULESETS[position.ruleset], switch))
    return copy


def under_published_rules(position: Position) -> Position:
    """Return the position under the published ruleset on which its reading is based."""
    copy = position.copy()
    copy.switch_ruleset(readings.published_id(position.ruleset))
    return copy


def under_other_rules(position: Position, ruleset: str, options: tuple[str, ...]) -> Position:
    """Return the position as if the duel had this published ruleset and these options.

    Raises InvalidData if those rules do not allow such a position.
    """
    return load_position({**dump(position), "ruleset": ruleset, "options": list(options)})
