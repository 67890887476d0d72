"""A wizard's choices for the coming turn: gestures, spells, subjects, monsters.

The sheet reveals nothing beyond the wizard's view. rules: turn:orders, F11-F27, F56, F88, F89
"""

from dataclasses import replace

from engine.gestures import GESTURES, STAB
from engine.legality import scope
from engine.legality.moves import Moves, PossibleSpells
from engine.orders import HandSet, Orders
from engine.positions.position import STANDING, Position, Wizard
from engine.rulesets.choices import CaptureRule
from engine.sheet import extras
from engine.sheet.beings import (
    NameableBeings,
    bank_sheet,
    monster_sheets,
    names_of,
    subject_choices,
    takes_orders,
)
from engine.sheet.hands import idle_reason, set_sheets
from engine.sheet.sheet_types import SetSheet, Sheet


def sheet(position: Position, wizard: str, draft: Orders | None = None) -> Sheet:
    """Return this wizard's present choices. Choices that depend on gestures follow the draft.

    Raises KeyError for an unknown wizard.
    """
    own = position.wizard(wizard)
    orders = draft if draft is not None else Orders()
    moves = Moves(position, own)
    possible = PossibleSpells(moves, _without_invalid_letters(orders))
    sets = tuple(set_sheets(possible))
    rule, reason = idle_reason(position, own)
    if scope.are_choices_asked_later(position):
        return replace(_gestures_only(possible, sets), rule=rule, reason=reason)
    beings = NameableBeings(possible)
    return Sheet(
        wizard=wizard,
        acts=bool(moves.sets),
        decides=has_decision(moves),
        sets=sets,
        subjects=subject_choices(beings, sets),
        beings=names_of(beings, beings.ids),
        monsters=tuple(monster_sheets(beings)),
        charmed=tuple(extras.charmed_sheets(position, own)),
        bank=bank_sheet(beings),
        captures=tuple(extras.capture_choices(possible)),
        sacrifice=extras.sacrifice_choice(possible),
        advance=tuple(extras.advance_questions(possible)),
        rule=rule,
        reason=reason,
        held=tuple(extras.held_hands(position, own)),
        may_stop_heart=scope.can_stop_heart(position, own),
    )


def _gestures_only(possible: PossibleSpells, sets: tuple[SetSheet, ...]) -> Sheet:
    """Return a sheet with gestures only, because other choices follow after the reveal."""
    position, own = possible.position, possible.own
    return Sheet(
        wizard=own.id,
        acts=bool(possible.moves.sets),
        decides=has_decision(possible.moves),
        sets=sets,
        subjects={},
        beings=names_of(NameableBeings(possible), [wizard.id for wizard in position.wizards]),
    )


def acting_wizards(position: Position) -> tuple[str, ...]:
    """Return the wizards who may seal orders: those who gesture or command monsters.

    rules: R98, R162
    """
    return tuple(
        wizard.id
        for wizard in position.wizards
        if scope.is_acting(position, wizard)
        or (not position.outcome and _has_commanded_monster(position, wizard))
    )


def deciding_wizards(position: Position) -> tuple[str, ...]:
    """Return the wizards who have something to decide: the turn waits only for them, if any."""
    return tuple(wizard.id for wizard in position.wizards if has_decision(Moves(position, wizard)))


def default_orders(position: Position, wizard: str) -> Orders:
    """Return the orders of an absent wizard: idle hands, and forced spells without a target.

    A spell that must have a target takes its default subject. rules: R8, promise 9
    """
    possible = PossibleSpells(Moves(position, position.wizard(wizard)), Orders())
    sets: list[HandSet] = []
    for number in range(1, len(possible.pairs) + 1):
        subjects = {
            hand: scope.NOWHERE
            for hand in ("L", "R", "BH")
            for spell in possible.castable_spells(number, hand)[:1]
            if spell.nowhere and not spell.is_area
        }
        if possible.is_open or scope.are_choices_asked_later(position):
            subjects = {}
        sets.append(HandSet(subjects=subjects))
    return Orders(sets=tuple(sets))


def has_decision(moves: Moves) -> bool:
    """Return whether the wizard has anything to decide this turn."""
    position, own = moves.position, moves.own
    if position.outcome or own.standing != STANDING:
        return False
    if _has_commanded_monster(position, own):
        return True
    if not moves.sets:
        return False
    asked_all = scope.are_choices_asked_later(position)
    if not asked_all and (own.bank or scope.charmed_hands(position, own)):
        return True
    if has_hand_choice(position, own):
        return True
    for forced in moves.limits.forced[: moves.sets]:
        if not all(forced) or STAB in forced:
            return True
    possible = PossibleSpells(moves, Orders())
    return not asked_all and any(not spell.is_area for _, spell in possible.all_casts())


def has_hand_choice(position: Position, own: Wizard) -> bool:
    """Return whether the wizard can hold or mark a hand, or die. rules: W18, W27, W34, W35"""
    return (
        any(len(held.options) > 1 for held in extras.held_hands(position, own))
        or (
            position.rules.capture is CaptureRule.MARKED
            and any(scope.can_mark_hand(position, own, window) for window in position.rules.windows)
        )
        or scope.can_stop_heart(position, own)
    )


def _has_commanded_monster(position: Position, own: Wizard) -> bool:
    """Return whether the wizard has a monster that will attack this turn and takes orders."""
    if own.standing != STANDING or scope.are_choices_asked_later(position):
        return False
    return any(
        monster.controller == own.id and takes_orders(position, monster)
        for monster in position.monsters
    )


def _without_invalid_letters(orders: Orders) -> Orders:
    """Return the draft with idle hands in place of invalid letters, so that it can be resolved."""
    sets = tuple(
        HandSet(
            hands.left if hands.left in GESTURES and len(hands.left) == 1 else "-",
            hands.right if hands.right in GESTURES and len(hands.right) == 1 else "-",
            hands.spells,
            hands.subjects,
        )
        for hands in orders.sets
    )
    return replace(orders, sets=sets)
