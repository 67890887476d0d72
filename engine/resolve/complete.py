"""From gestures to casts: choices, subjects, the bank, delay and permanency.

rules: turn:casting, R4, R7, R18, R53, R102-R108, R146, R172
"""

from typing import NamedTuple

from engine.events import Banked, Extended
from engine.gestures import BANK, BOTH
from engine.ids import SET_HANDS, SetHand
from engine.legality.casting import (
    AT_OPPONENT,
    AT_SELF,
    choose_spells,
    completed_spells,
    default_subject,
    is_allowed_subject,
    written_subject,
)
from engine.orders import Orders
from engine.positions.position import Wizard
from engine.resolve.event_factories import removed
from engine.resolve.guard import ignores_counter_spell
from engine.resolve.table import Casting, CompletedSet, Table
from engine.rulesets.choices import CaptureRule, FullBank, MissRule
from engine.spellbook import TURNS_OF_DURATION, CaptureEffect, Guard, RemovalEffect

NEW_SPELL_REPLACES_BANKED = FullBank.REPLACES
NO_CAPTURE, MARKED = CaptureEffect.NONE, CaptureRule.MARKED
ALL_AIMED_CASTS_MISS = MissRule.ALL_AIMED


def complete_spells(table: Table) -> None:
    """Add every completed spell that is cast to `table.casts`, in order of play.

    They are ordered by seat, then by set, then left hand before right; released spells come last.
    rules: R164
    """
    for completed in table.completed_sets:
        cast_spells_of_set(table, completed)
    can_capture = False  # whether a released bank or a window may take a spell
    for wizard in table.started:
        if wizard.bank and _is_releasing_bank(table, wizard):
            _cast_banked_spell(table, wizard, table.orders_of(wizard.id))
            table.casts.sort(key=lambda cast: cast.wizard.seat)
            can_capture = True
    if not table.casts:
        return
    for wizard in table.started:
        if wizard.effects and not wizard.effects.keys().isdisjoint(table.rules.windows):
            can_capture = True
    for cast in table.casts:
        if cast.spell.takes is not NO_CAPTURE:
            can_capture = True
    if can_capture:
        _capture_spells(table)
    for cast in casts_in_log_order(table) if table.rules.order_of_log else table.casts:
        table.report_cast(cast)
    if table.spent:
        table.fail_each(table.casts, table.spent, "spent")  # rules: R18
    if table.rules.misses is ALL_AIMED_CASTS_MISS:
        fail_casts_at_unseen(table)


def fail_casts_at_unseen(table: Table) -> None:
    """Cancel spells whose casters did not see their subjects when the turn began.

    A Dispel Magic still works, but does not shield its subject. rules: W33
    """
    blind = {wizard.id for wizard in table.started if wizard.effects and table.was_blind(wizard.id)}
    invisible = {
        wizard.id for wizard in table.started if wizard.effects and table.was_invisible(wizard.id)
    }
    if not blind and not invisible:
        return
    for cast in list(table.casts):
        if cast.spell.is_area or cast.subject in ("", "nowhere", cast.wizard.id):
            continue
        if cast.wizard.id not in blind and cast.subject not in invisible:
            continue
        if cast.spell.unmakes is RemovalEffect.MAGIC:
            cast.subject = "nowhere"
        else:
            table.casts.remove(cast)
            table.fail(cast, "blind" if cast.wizard.id in blind else "unseen")


def casts_in_log_order(table: Table) -> list[Casting]:
    """Return the casts in the order of the report, which does not change their effects.

    rules: R26
    """
    if len(table.casts) < 2:
        return table.casts
    series = table.rules.order_of_log
    return sorted(table.casts, key=lambda cast: series.index(cast.spell.id))


def _is_releasing_bank(table: Table, wizard: Wizard) -> bool:
    """Return whether the wizard acts this turn and releases the banked spell."""
    return wizard.id in table.sets and table.orders_of(wizard.id).release


def cast_spells_of_set(table: Table, completed: CompletedSet) -> None:
    """Add the spells that this set casts to `table.casts`."""
    wizard, number, orders, left, right, chosen = completed
    casts = chosen.casts
    used = chosen.has_once and wizard.used_bolt and not table.rules.spent_fizzles
    if used or orders.spells:
        lefts = completed_spells(table.rules, left, used_bolt=used)
        rights = completed_spells(table.rules, right, used_bolt=used)
        casts = choose_spells(table.rules, lefts, rights, orders.spells)
    for each in casts:
        hand, end = each.hand, each.completed
        spell = end.spell
        if spell.default is AT_SELF and not orders.subjects:
            subject = wizard.id
        else:
            subject = written_subject(
                table.position, spell, orders.subjects, hand, each.maker, wizard.id
            )
            if not subject and spell.default is AT_OPPONENT:
                subject = table.draw_opponent(wizard.id, SetHand(hand, number))
        cast = Casting(spell, wizard, hand, number, subject, end.pattern, each.displaced)
        table.casts.append(cast)
        if end.once:
            if wizard.used_bolt:
                table.spent += (cast,)
            wizard.used_bolt = True


def _cast_banked_spell(table: Table, wizard: Wizard, orders: Orders) -> None:
    """Cast the wizard's banked spell. rules: spell:delayed_effect"""
    spell = table.rules.spells[wizard.bank]
    subject = orders.release_subject
    if spell.is_area and not spell.aimable:
        subject = ""
    elif table.rules.bank_keeps_subject:
        subject = wizard.bank_subject
    elif not subject or not is_allowed_subject(table.position, spell, subject, wizard.id):
        subject = default_subject(table.position, spell, wizard.id)
    if not subject and spell.default is AT_OPPONENT:
        subject = table.draw_opponent(wizard.id, SetHand(BANK))
    table.casts.append(Casting(spell, wizard, BANK, 1, subject))


def _capture_spells(table: Table) -> None:
    """Apply delays and permanencies to spells completed this turn.

    Windows that are already open come first, for all wizards, and then those that open this turn. A
    delay that is itself banked does not open a window.
    """
    if table.rules.capture is MARKED:
        _capture_spells_of_marked_hands(table)
        return
    opening = any(cast.spell.takes is not NO_CAPTURE for cast in table.casts)
    windows = table.rules.windows
    windowed = [w for w in table.started if w.effects and not w.effects.keys().isdisjoint(windows)]
    if not opening and not windowed:
        _empty_released_banks(table)
        return
    if table.rules.full_bank is NEW_SPELL_REPLACES_BANKED:
        _empty_released_banks(table)
    _bank_by_open_windows(table, windowed)
    for wizard in windowed:
        _make_permanent_by_open_window(table, wizard)
    if opening:
        _bank_by_new_windows(table)
        for wizard in table.started:
            _make_permanent_by_new_window(table, wizard)
    if table.rules.full_bank is not NEW_SPELL_REPLACES_BANKED:
        _empty_released_banks(table)


def _capture_spells_of_marked_hands(table: Table) -> None:
    """Apply open windows to the spells of the marked hands, delays before permanencies.

    rules: W34, W35
    """
    _empty_released_banks(table)
    for wizard in table.started:
        orders = table.orders_of(wizard.id)
        banked = _cast_of_marked_hand(table, wizard, orders.bank)
        if banked is not None:
            del wizard.effects[table.rules.banking]
            _bank_spell(table, wizard, banked)
        extended = _cast_of_marked_hand(table, wizard, orders.permanency)
        if extended is not None and extended.spell.can_be_permanent:
            del wizard.effects[table.rules.extending]
            _make_permanent(table, wizard, extended)


def _cast_of_marked_hand(table: Table, wizard: Wizard, mark: str) -> Casting | None:
    """Return the spell that the marked hand casts, on its own or with the other hand, or None."""
    if not mark:
        return None
    hand, number = SET_HANDS[mark]
    own = _own_casts(table, wizard)
    return next((c for c in own if c.set == number and c.hand in (hand, BOTH)), None)


def _is_bank_full(table: Table, wizard: Wizard) -> bool:
    """Return whether the bank is full, so that no other spell can be banked. rules: R104"""
    return bool(wizard.bank) and table.rules.full_bank is not NEW_SPELL_REPLACES_BANKED


def _empty_released_banks(table: Table) -> None:
    """Remove released spells from their banks, so that new ones can be banked. rules: R104"""
    for cast in table.casts:
        if cast.released:
            cast.wizard.bank = cast.wizard.bank_subject = ""


def _own_casts(table: Table, wizard: Wizard) -> list[Casting]:
    own = [cast for cast in table.casts if cast.wizard is wizard and not cast.released]
    return [cast for cast in own if cast not in table.spent]


def _bank_by_open_windows(table: Table, windowed: list[Wizard]) -> None:
    """Bank the next spell of each wizard with an open delay, all at once.

    rules: R103, R104, R172
    """
    found = [(wizard, _spell_caught_by_open_window(table, wizard)) for wizard in windowed]
    for wizard, caught in found:
        if caught is not None:
            del wizard.effects[table.rules.banking]
            _bank_spell(table, wizard, caught)


def _spell_caught_by_open_window(table: Table, wizard: Wizard) -> Casting | None:
    window = wizard.effects.get(table.rules.banking)
    if _is_bank_full(table, wizard) or window is None or not window.is_active(table.turn):
        return None
    own, orders = _own_casts(table, wizard), table.orders_of(wizard.id)
    return _chosen_cast(own, orders.bank, _cast_kept_for_permanency(table, wizard, own, orders))


def _bank_by_new_windows(table: Table) -> None:
    """Bank spells of this turn under delays cast this turn, for all wizards at once.

    A delay may catch a spell that would stop another delay, or that other delay itself. rules: R102
    """
    while found := [
        caught
        for wizard in table.started
        if not _is_bank_full(table, wizard)
        and (wizard.id, table.rules.banking) not in table.windows_used
        and (caught := _spell_caught_by_new_window(table, wizard))
    ]:
        going = [each.caught for each in found]
        sure = [each for each in found if each.delay not in going]
        for each in sure or found:
            table.windows_used += ((each.wizard.id, table.rules.banking),)
            _bank_spell(table, each.wizard, each.caught)


class CaughtSpell(NamedTuple):
    """A spell that goes into a wizard's bank, and the delay, cast this turn, that banks it."""

    wizard: Wizard
    delay: Casting
    caught: Casting


def _spell_caught_by_new_window(table: Table, wizard: Wizard) -> CaughtSpell | None:
    """Return the spell that a delay cast this turn banks for the wizard, or None."""
    own, orders = _own_casts(table, wizard), table.orders_of(wizard.id)
    for opening in _casts_that_open_window(table, table.rules.banking, wizard):
        others = [cast for cast in own if cast is not opening]
        caught = _chosen_cast(
            others, orders.bank, _cast_kept_for_permanency(table, wizard, others, orders)
        )
        if caught is not None and _would_window_open(table, opening, wizard, without=caught):
            return CaughtSpell(wizard, opening, caught)
    return None


def _bank_spell(table: Table, wizard: Wizard, caught: Casting) -> None:
    table.casts.remove(caught)
    if wizard.bank:
        table.report(removed, wizard.id, "bank", table.rules.banking)
    wizard.bank = caught.spell.id
    if table.rules.bank_keeps_subject:
        wizard.bank_subject = caught.subject
    table.report(Banked, wizard.id, caught.spell.id)


def _make_permanent_by_open_window(table: Table, wizard: Wizard) -> None:
    """Make the wizard's eligible enchantment permanent, if a permanency's window is open.

    rules: R107
    """
    window = wizard.effects.get(table.rules.extending)
    picked = _cast_to_make_permanent(table, wizard)
    if picked is not None and window is not None and window.is_active(table.turn):
        del wizard.effects[table.rules.extending]
        _make_permanent(table, wizard, picked)


def _make_permanent_by_new_window(table: Table, wizard: Wizard) -> None:
    """Make an enchantment permanent by a permanency cast this turn. rules: R102, R107"""
    for opening in _casts_that_open_window(table, table.rules.extending, wizard):
        picked = _cast_to_make_permanent(table, wizard)
        if picked is not None and _would_window_open(table, opening, wizard, without=None):
            table.windows_used += ((wizard.id, table.rules.extending),)
            _make_permanent(table, wizard, picked)


def _cast_to_make_permanent(table: Table, wizard: Wizard) -> Casting | None:
    own = [cast for cast in _own_casts(table, wizard) if cast.spell.can_be_permanent]
    open_to_it = [cast for cast in own if not cast.permanent]
    return _chosen_cast(open_to_it, table.orders_of(wizard.id).permanency, None)


def _make_permanent(table: Table, wizard: Wizard, picked: Casting) -> None:
    picked.permanent = True
    table.report(Extended, wizard.id, picked.spell.id)


def _cast_kept_for_permanency(
    table: Table, wizard: Wizard, own: list[Casting], orders: Orders
) -> Casting | None:
    """Return the spell that the wizard wants permanent rather than banked, or None. rules: R106"""
    if not orders.permanency or orders.permanency == orders.bank:
        return None
    window = wizard.effects.get(table.rules.extending)
    is_open = (window is not None and window.is_active(table.turn)) or bool(
        _casts_that_open_window(table, table.rules.extending, wizard)
    )
    if not is_open:
        return None
    return next(
        (c for c in own if _hand_text(c) == orders.permanency and c.spell.can_be_permanent), None
    )


def _hand_text(cast: Casting) -> str:
    return SetHand(cast.hand, cast.set).text


def _chosen_cast(casts: list[Casting], written: str, kept: Casting | None) -> Casting | None:
    """Return the cast whose hand the orders name, or the default choice.

    The default is the longest spell; ties are decided by two-handed, then left hand, then earlier
    set. rules: R172
    """
    candidates = [cast for cast in casts if cast is not kept]
    if written:
        for cast in candidates:
            if _hand_text(cast) == written:
                return cast
    return min(candidates, key=_window_sort_key, default=None)


def _window_sort_key(cast: Casting) -> tuple[int, bool, bool, int]:
    """Return the sort key of spells that a window can act on; the lowest is the default.

    rules: R172
    """
    return -len(cast.pattern), cast.hand != BOTH, cast.hand == "R", cast.set


def _casts_that_open_window(table: Table, kind: str, wizard: Wizard) -> list[Casting]:
    """Return this turn's casts that might open such a window on this wizard at once. rules: R102"""
    if not kind or TURNS_OF_DURATION[table.rules.spells[kind].lasts][0]:
        return []
    return [
        cast
        for cast in table.casts
        if cast.spell.id == kind and (cast.subject == wizard.id or cast.wizard is wizard)
    ]


def _would_window_open(
    table: Table, opening: Casting, wizard: Wizard, *, without: Casting | None
) -> bool:
    """Return whether the window would open on this wizard if `without` were not cast. rules: R52"""
    casts = [cast for cast in table.casts if cast is not without]
    if any(cast.spell.unmakes is RemovalEffect.MAGIC for cast in casts):
        return False
    countered = {cast.subject for cast in casts if cast.spell.guard is Guard.COUNTER}
    mirrored = {c.subject for c in casts if c.spell.guard is Guard.MIRROR} - countered

    def final_subject(cast: Casting) -> str:
        subject = cast.subject
        if subject != cast.wizard.id and subject in mirrored and cast.spell.reflectable:
            subject = "" if cast.wizard.id in mirrored else cast.wizard.id
        return "" if subject in countered and not ignores_counter_spell(table, cast) else subject

    if final_subject(opening) != wizard.id:
        return False
    return not any(
        cast.spell.unmakes is RemovalEffect.ENCHANTMENTS and final_subject(cast) == wizard.id
        for cast in casts
    )
