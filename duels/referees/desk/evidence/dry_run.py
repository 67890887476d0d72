"""Dry runs, which resolve a turn again, as sealed or with different orders, draws or rules.

A dry run reads rows and calls the engine. It does not store anything or notify anyone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import engine.orders
import engine.play
from duels.errors import Refused
from duels.loaded import adjudication
from duels.loaded.open_turn import OpenTurn
from duels.models import Duel, Stage, Turn
from duels.referees.desk.evidence.branches import position_after
from duels.wording.options import selected_options
from duels.wording.rule_index import with_quoted_rules
from engine.play import Drew

ORIGINAL_READING: Final = ""
SWITCH, RULESET, OPTION = "switch", "ruleset", "option"


@dataclass(frozen=True)
class DryRunChanges:
    """Changes to the sealed turn: orders by wizard, answers by question, and draws by label.

    `reading` is "" or the code of another reading of the rules, such as "switch:elementals_merge",
    "ruleset:wizards-1" or "option:strict". If the duel has an option, its code removes it.
    """

    orders: Mapping[str, engine.orders.Orders] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)
    draws: Mapping[str, int] = field(default_factory=dict)
    reading: str = ORIGINAL_READING


NO_CHANGES: Final = DryRunChanges()


@dataclass(frozen=True)
class TurnOutcome:
    """The events of a turn and the position after it, or None if the position is unknown."""

    position: engine.play.Position | None
    events: tuple[engine.play.Event, ...]

    @property
    def draws(self) -> tuple[Drew, ...]:
        return tuple(event for event in self.events if isinstance(event, Drew))


@dataclass(frozen=True)
class DryRun:
    start: engine.play.Position  # the starting position, under the chosen reading
    answers: Mapping[str, str]
    questions: tuple[engine.play.Question, ...]  # unanswered questions, for which defaults are used
    steps: tuple[engine.play.ResolvedPhase, ...]
    outcome: TurnOutcome


def run_with_changes(turn: OpenTurn, changes: DryRunChanges = NO_CHANGES) -> DryRun:
    """Resolve the turn with these changes. Raise `Refused` if they break the rules."""
    start, base = turn.position, turn.dice
    departures = adjudication.departures(turn.row, turn.start)
    left = tuple(engine.play.ResolvedPhase("leave", each.rule, each.events) for each in departures)
    if start.outcome or turn.row.stage == Stage.VOID:
        return DryRun(start, {}, (), left, _outcome_of_steps(start, left))
    start = _under_reading(start, changes.reading)
    sealed = {
        seal.seat.code: engine.orders.from_fields(turn.sealed_fields(seal))
        for seal in turn.seals
        if seal.stage == Stage.ORDERS
    }
    orders = {
        wizard: own
        for wizard, own in {**sealed, **changes.orders}.items()
        if wizard in engine.play.acting_wizards(start)
    }
    _check_orders(start, orders)
    answers = {**turn.answers(), **changes.answers}
    dice = engine.play.RecordedDice(changes.draws, otherwise=base)
    try:
        questions = _open_questions(start, orders, answers, dice)
        after, steps = engine.play.resolve_in_steps(start, orders, answers, dice)
    except ValueError as error:
        raise Refused("no_such_draw", f"This draw is impossible: {error}.", field="draws") from None
    steps = (*left, *steps)
    return DryRun(start, answers, questions, steps, _outcome_of_steps(after, steps))


def stored_outcome(turn: Turn) -> TurnOutcome:
    """Return the stored outcome of a turn that was played."""
    return TurnOutcome(position_after(turn), adjudication.load_stored_events(turn.events))


def other_readings(duel: Duel) -> tuple[tuple[str, str, str], ...]:
    """Return all other readings of a duel's rules, each as its code, its text and its rule."""
    rules = engine.play.RULESETS[duel.ruleset]
    switches = (
        (f"{SWITCH}:{reading.switch}", with_quoted_rules(reading.text), reading.rule)
        for reading in engine.play.other_readings(duel.ruleset)
    )
    options = (
        (
            f"{OPTION}:{option.name}",
            f"{'Without' if option.name in duel.options else 'With'} “{option.title}”.",
            option.rule,
        )
        for option in selected_options(adjudication.available_options(duel.ruleset))
    )
    others = (
        (f"{RULESET}:{other.id}", f"As in {other.name} ({other.id}).", "")
        for other in engine.play.RULESETS.values()
        if other is not rules
    )
    return (*switches, *options, *others)


def _under_reading(position: engine.play.Position, reading: str) -> engine.play.Position:
    if reading == ORIGINAL_READING:
        return position
    kind, _, name = reading.partition(":")
    change = RULESET_CHANGES.get(kind)
    if change is None:
        raise Refused("unknown_reading", "There is no such reading of the rules.", field="reading")
    try:
        return change(position, name)
    except (ValueError, KeyError) as error:
        text = f"This turn is impossible under those rules: {error}."
        raise Refused("impossible_reading", text, field="reading") from None


def _with_option(position: engine.play.Position, name: str) -> engine.play.Position:
    """Return the position with this option added, or removed if the duel has it."""
    if name not in engine.play.available_options(position.ruleset):
        raise ValueError(f"no option is called {name!r}")
    options = set(position.options) ^ {name}
    return engine.play.under_other_rules(position, position.ruleset, tuple(sorted(options)))


def _under_ruleset(position: engine.play.Position, ruleset: str) -> engine.play.Position:
    options = [name for name in position.options if name in engine.play.available_options(ruleset)]
    return engine.play.under_other_rules(position, ruleset, tuple(options))


RULESET_CHANGES: Final[
    Mapping[str, Callable[[engine.play.Position, str], engine.play.Position]]
] = {
    SWITCH: engine.play.with_reversed_switch,
    OPTION: _with_option,
    RULESET: _under_ruleset,
}


def _check_orders(
    position: engine.play.Position, orders: Mapping[str, engine.orders.Orders]
) -> None:
    for wizard, own in orders.items():
        for fault in engine.play.check(position, wizard, own):
            name = position.wizard(wizard).name
            raise Refused(
                "illegal_orders",
                f"{name}: {fault.text}",
                field=f"orders-{wizard}",
                rule=fault.rule,
            )


def _open_questions(
    position: engine.play.Position,
    orders: Mapping[str, engine.orders.Orders],
    answers: Mapping[str, str],
    dice: engine.play.AnyDice,
) -> tuple[engine.play.Question, ...]:
    """Return all unanswered questions, batch by batch. Between batches, assume default answers."""
    found: dict[str, engine.play.Question] = {}
    given = dict(answers)
    while batch := engine.play.questions(position, orders, given, dice):
        fresh = [question for question in batch if question.id not in found]
        if not fresh:
            break
        found.update((question.id, question) for question in fresh)
        given.update((question.id, question.default) for question in fresh)
    return tuple(found.values())


def _outcome_of_steps(
    position: engine.play.Position, steps: tuple[engine.play.ResolvedPhase, ...]
) -> TurnOutcome:
    events = tuple(event for step in steps for event in step.events)
    return TurnOutcome(engine.play.under_published_rules(position), events)
