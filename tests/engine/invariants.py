"""Invariants of every turn of every duel, whatever the orders, answers and dice."""

from collections.abc import Callable, Iterator
from typing import Final

import engine.orders
import engine.play
import engine.words
from engine.events import (
    Banked,
    Cast,
    Gestured,
    Hit,
    Raised,
    Spoke,
    Stopped,
    Surrendered,
    Won,
    Wounded,
)
from engine.legality.scope import is_acting
from engine.positions.position import (
    ALIVE,
    CORPSE,
    DEAD,
    DRAW,
    FOREVER,
    HASTE,
    NORMAL,
    STANDING,
    SURRENDERED,
    Position,
)
from engine.resolve import ORDERS_OF_PLAY
from engine.rulesets.choices import NUMBERED, SEALED, STEPWISE
from tests.engine.random_duels import Step

Being = engine.play.Wizard | engine.play.Monster
Invariant = Callable[[Step], Iterator[str]]


def violations(step: Step) -> Iterator[str]:
    """Yield a sentence for each invariant that this turn violates."""
    for invariant in INVARIANTS:
        yield from (f"{invariant.__name__}: {fault}" for fault in invariant(step))


def damage_is_never_negative(step: Step) -> Iterator[str]:
    """rules: R109, W4, turn:damage. Cures can lift a being above full health, up to a limit."""
    beings: list[Being] = [*step.after.wizards, *step.after.monsters]
    for being in beings:
        if being.damage < -step.after.rules.surplus:
            yield f"{being} has {being.damage}"
    for event in step.events:
        if isinstance(event, Hit) and event.amount < 0:
            yield f"{event}"


def fatally_wounded_wizards_are_dead(step: Step) -> Iterator[str]:
    """rules: turn:deaths, R109"""
    for wizard in step.after.wizards:
        if wizard.standing == STANDING and wizard.damage >= wizard.damage_limit(step.after.rules):
            yield f"{wizard} stands"
    for monster in step.after.monsters:
        if monster.state == ALIVE and monster.damage >= monster.damage_limit(step.after.rules):
            yield f"{monster} is alive"


def corpses_have_no_effects(step: Step) -> Iterator[str]:
    """Elementals leave a corpse only if they were raised before. rules: R56, R209"""
    for monster in step.after.monsters:
        if monster.state != CORPSE:
            continue
        if monster.effects or monster.lasting or monster.waiting or monster.keeps_victim:
            yield f"{monster} is a corpse under a spell"
        if monster.is_elemental and not monster.raised:
            yield f"{monster} has left a corpse"


def monsters_are_in_order_of_age(step: Step) -> Iterator[str]:
    """Raised monsters return to their old place in the list. rules: R208"""
    numbers = [int(monster.id[1:]) for monster in step.after.monsters]
    if numbers != sorted(set(numbers)):
        yield f"{step.after.monsters}"


def only_remaining_wizards_act(step: Step) -> Iterator[str]:
    """Raised wizards act after being raised, and can win (R174). rules: turn:deaths, R111"""
    before = step.position
    raised = {event.subject for event in step.events if isinstance(event, Raised)}
    out = {wizard.id for wizard in before.wizards if wizard.standing != STANDING}
    corpses = {monster.id for monster in before.monsters if monster.state == CORPSE} - raised
    for event in step.events:
        if isinstance(event, (Gestured, Cast, Spoke, Surrendered, Banked)) and event.wizard in out:
            yield f"{event}"
        if isinstance(event, Won) and event.wizard in out - raised:
            yield f"{event}"
        if isinstance(event, Hit) and event.by in corpses:
            yield f"{event}"
        if isinstance(event, Hit) and event.source == "stab" and event.by in out:
            yield f"{event}"


def removed_wizards_have_no_state(step: Step) -> Iterator[str]:
    """Wizards who are out of the duel have no effects, except in stepwise play.

    rules: turn:deaths
    """
    if step.after.rules.order_of_play == STEPWISE:
        return
    for wizard in step.after.wizards:
        if wizard.standing != STANDING and (wizard.effects or wizard.bank or wizard.guards):
            yield f"{wizard}: {wizard.effects} {wizard.bank} {wizard.guards}"


def only_raise_dead_revives(step: Step) -> Iterator[str]:
    """Wizards who surrendered or resigned do not come back. rules: R54, R55"""
    raised = {event.subject for event in step.events if isinstance(event, Raised)}
    for before, after in zip(step.position.wizards, step.after.wizards, strict=True):
        back = before.standing != STANDING and after.standing == STANDING
        if back and (before.standing != DEAD or before.id not in raised):
            yield f"{before.standing} {after}"


def ids_and_names_are_unique(step: Step) -> Iterator[str]:
    """rules: R56, R164"""
    ids = [monster.id for monster in step.after.monsters]
    names = [monster.name for monster in step.after.monsters]
    if len(set(ids)) != len(ids) or len(set(names)) != len(names):
        yield f"{ids} {names}"
    if any(int(id[1:]) >= step.after.created for id in ids):
        yield f"{ids} of {step.after.created}"


def monsters_obey_remaining_wizards(step: Step) -> Iterator[str]:
    """In sealed play, the monsters of a wizard who has left obey nobody. rules: R73"""
    for monster in step.after.monsters:
        if not monster.controller:
            continue
        owner = step.after.wizard(monster.controller)
        if owner.standing != STANDING and step.after.rules.order_of_play == SEALED:
            yield f"{monster} obeys {owner}"


def at_most_one_elemental_of_a_kind(step: Step) -> Iterator[str]:
    """A raised elemental can exist next to another one for a turn (R209). rules: R65, R66"""
    monsters = step.after.monsters
    left = [monster for monster in monsters if monster.is_elemental and not monster.raised]
    if len(left) > 1 or any(monster.state != ALIVE for monster in left):
        yield f"{left}"


def hand_histories_have_equal_length(step: Step) -> Iterator[str]:
    """Both hands' histories are equally long, and no longer than the longest spell.

    rules: gesture:matching
    """
    depth = step.after.rules.automaton.depth
    for wizard in step.after.wizards:
        if len(wizard.left) != len(wizard.right) or len(wizard.left) > depth:
            yield f"{wizard}"


def turn_numbers_advance(step: Step) -> Iterator[str]:
    """The turn's number grows by one, except between phases of one turn.

    rules: turn:clock, R97, R98, W8
    """
    before, after = step.position, step.after
    if after.outcome:
        return
    if before.rules.order_of_play == NUMBERED:  # rules: W8
        expected = before.turn + 1
    elif before.rules.order_of_play == SEALED:
        expected = before.turn if after.kind != NORMAL else before.turn + 1
        if before.rules.acts_before_turns:  # an action before a turn belongs to that turn
            expected = before.turn + (before.kind == NORMAL)
    else:
        expected = before.turn + (before.kind == NORMAL)
    if after.turn != expected:
        yield f"{before.kind} {before.turn}, then {after.kind} {after.turn}"


def only_hasted_or_stopped_wizards_act_in_extra_turns(step: Step) -> Iterator[str]:
    """Only hasted or time-stopped wizards act in a numbered extra turn, and no monster attacks.

    A normal turn is followed by at most one hasted turn, after which guards end.
    rules: W8-W12
    """
    before, after = step.position, step.after
    if before.rules.order_of_play != NUMBERED:
        return
    acting = {wizard.id for wizard in before.wizards_in_duel() if is_acting(before, wizard)}
    made = {event.wizard for event in step.events if isinstance(event, Gestured)}
    if made != acting:
        yield f"{made} made gestures, {acting} act in a {before.kind} turn"
    attacks = [e for e in step.events if isinstance(e, (Hit, Stopped)) and e.source == "attack"]
    if before.kind != NORMAL and attacks:
        yield f"{attacks} in a {before.kind} turn"
    if after.kind == HASTE and (before.kind == HASTE or before.was_hasted):
        yield f"a second hasted turn {after.turn}"
    beings: list[Being] = [*after.wizards, *after.monsters]
    if any(being.guards for being in beings) and (after.kind == NORMAL or before.kind == HASTE):
        yield f"{[(being.id, being.guards) for being in beings]} before a {after.kind} turn"


def finished_duels_do_not_change(step: Step) -> Iterator[str]:
    """A duel is over if and only if fewer than two wizards are left. rules: turn:winner"""
    after = step.after
    standing = [wizard.id for wizard in after.wizards_in_duel()]
    if not after.outcome and len(standing) < 2:
        yield f"{standing} and no end"
    if after.outcome == DRAW and standing:
        yield f"a draw, but {standing} stand"
    if after.outcome not in ("", DRAW):
        if standing not in ([], [after.outcome]):
            yield f"{after.outcome} has won over {standing}"
        if not standing and after.wizard(after.outcome).standing != SURRENDERED:
            yield f"{after.wizard(after.outcome)} has won"


def effects_expire(step: Step) -> Iterator[str]:
    """Effects end on time unless they are permanent, and wizards cast them. rules: turn:clock"""
    after = step.after
    seats = {wizard.id for wizard in after.wizards}
    beings: list[Being] = [*after.wizards_in_duel()]
    beings += [monster for monster in after.monsters if monster.state == ALIVE]
    if after.outcome:
        return
    for being in beings:
        for kind, effect in being.effects.items():
            if effect.first > effect.last or effect.last < after.turn:
                yield f"turn {after.turn} {after.kind}: {being} {kind} {effect}"
            if effect.caster and effect.caster not in seats:
                yield f"{being} {kind} {effect}"
            by_steps = after.rules.order_of_play == STEPWISE
            if effect.permanent and effect.last != FOREVER and not by_steps:
                yield f"{being} {kind} {effect}"


def reported_wounds_match_damage(step: Step) -> Iterator[str]:
    """The last report of a wizard's damage states the actual damage. rules: turn:damage"""
    told = {event.subject: event.after for event in step.events if isinstance(event, Wounded)}
    raised = {event.subject for event in step.events if isinstance(event, Raised)}
    for wizard in step.after.wizards:
        if wizard.id in raised or wizard.standing != STANDING:
            continue
        if told.get(wizard.id, wizard.damage) != wizard.damage:
            yield f"{wizard} but told {told[wizard.id]}"


def questions_are_expected(step: Step) -> Iterator[str]:
    """If `can_raise_questions` is false, no phase asks a question. rules: turn:answers"""
    play = ORDERS_OF_PLAY[step.position.rules.order_of_play]
    if play.can_raise_questions(step.position, step.orders, step.position.rules):
        return
    for question in play.ask(step.position, step.orders, {}, step.dice):
        yield f"{question.id} would be asked"


INVARIANTS: Final[tuple[Invariant, ...]] = (
    corpses_have_no_effects,
    monsters_are_in_order_of_age,
    damage_is_never_negative,
    fatally_wounded_wizards_are_dead,
    only_remaining_wizards_act,
    removed_wizards_have_no_state,
    only_raise_dead_revives,
    ids_and_names_are_unique,
    monsters_obey_remaining_wizards,
    at_most_one_elemental_of_a_kind,
    hand_histories_have_equal_length,
    turn_numbers_advance,
    only_hasted_or_stopped_wizards_act_in_extra_turns,
    finished_duels_do_not_change,
    effects_expire,
    reported_wounds_match_damage,
    questions_are_expected,
)


def replay_and_display_failures(step: Step) -> Iterator[str]:
    """Yield faults in replaying, storing and viewing the turn, and in the sheets after it."""
    again = engine.play.resolve(step.position, step.orders, step.answers, step.dice)
    if again != (step.after, step.events):
        yield "the same arguments gave another turn"
    for value in (step.after, step.events):
        if engine.play.load(engine.play.dump(value)) != value:
            yield f"loads as another value: {value}"
    for orders in step.orders.values():
        flat = engine.orders.fields(orders)
        if engine.orders.fields(engine.orders.from_fields(flat)) != flat:
            yield f"reads as other orders: {flat}"
    yield from _report_failures(step)
    yield from _sheet_failures(step.after)


def _report_failures(step: Step) -> Iterator[str]:
    history = engine.play.History((engine.play.Turn(1, step.position, step.events),), step.after)
    for observer in (*(wizard.id for wizard in step.after.wizards), "spectator", "all"):
        for report in engine.words.narrate(engine.play.view(history, observer)):
            for line in report.lines:
                if not line.rule or "{" in line.text or not line.text[0].isupper():
                    yield f"{observer} reads {line}"


def _sheet_failures(position: Position) -> Iterator[str]:
    """Yield faults of this turn's sheets, and of its empty and default orders."""
    acting = engine.play.acting_wizards(position)
    if not set(engine.play.deciding_wizards(position)) <= set(acting):
        yield f"{engine.play.deciding_wizards(position)} are awaited of {acting}"
    for wizard in acting:
        engine.play.sheet(position, wizard)
        for orders in (engine.orders.Orders(), engine.play.default_orders(position, wizard)):
            if faults := engine.play.check(position, wizard, orders):
                yield f"{wizard}: {faults}"
