"""From gestures to casts: choices, subjects, the bank, delay and permanency.

rules: turn:casting, R4, R7, R18, R53, R102-R108, R146, R172
"""

from engine.casting import choose, default_subject, ending, fits, written_subject
from engine.events import Banked, Cast, Extended
from engine.orders import Orders
from engine.position import Wizard
from engine.resolve.table import Casting, Completion, Table


def complete_spells(table: Table) -> None:
    """Every completed spell that its owner casts stands in `table.casts`, in order of play.

    The order is seats, sets, left hand before right, released spells last. rules: R164
    """
    if not table.completions and not _releases(table):
        return
    table.open_magic()
    cast_at: dict[int, Cast] = {}
    for wizard in table.started:
        for completion in table.completions:
            if completion.wizard is wizard:
                _complete(table, completion, cast_at)
        orders = table.orders_of(wizard.id)
        if wizard.bank and orders.release and _acts(table, wizard):
            _release(table, wizard, orders, cast_at)
    _capture(table)
    if table.tell:
        for cast in table.casts:
            table.tell(cast_at[id(cast)])


def _releases(table: Table) -> bool:
    orders = table.orders
    return any(
        wizard.bank and wizard.id in orders and orders[wizard.id].release
        for wizard in table.started
        if wizard.bank
    )


def _acts(table: Table, wizard: Wizard) -> bool:
    return not table.extra or wizard.id in table.position.stopped


def _complete(table: Table, completion: Completion, cast_at: dict[int, Cast]) -> None:
    wizard, rules, orders = completion.wizard, table.rules, completion.orders
    lefts = ending(rules, completion.left, used_bolt=wizard.used_bolt)
    rights = ending(rules, completion.right, used_bolt=wizard.used_bolt)
    for hand, maker, end, others in choose(lefts, rights, orders.spells):
        spell = end.spell
        subject = written_subject(table.position, spell, orders.subjects, hand, maker, wizard.id)
        if end.once:
            wizard.used_bolt = True
        cast = Casting(spell, wizard, hand, completion.number, subject, end.pattern)
        table.casts.append(cast)
        if table.tell:
            cast_at[id(cast)] = Cast(
                wizard.id, spell.id, hand, completion.number, subject, others, end.pattern
            )


def _release(table: Table, wizard: Wizard, orders: Orders, cast_at: dict[int, Cast]) -> None:
    """rules: spell:delayed_effect"""
    spell = table.rules.spells[wizard.bank]
    subject = orders.release_subject
    if spell.is_area:
        subject = ""
    elif not subject or not fits(table.position, spell, subject):
        subject = default_subject(table.position, spell, wizard.id)
    cast = Casting(spell, wizard, "BANK", 1, subject)
    table.casts.append(cast)
    if table.tell:
        cast_at[id(cast)] = Cast(wizard.id, spell.id, "BANK", 1, subject)


def _capture(table: Table) -> None:
    """Delays and permanencies take what they can of this turn's completed spells."""
    kinds = {cast.spell.id for cast in table.casts}
    for wizard in table.started:
        effects = wizard.effects
        if (effects and ("delayed_effect" in effects or "permanency" in effects)) or (
            "delayed_effect" in kinds or "permanency" in kinds
        ):
            _capture_of(table, wizard)
    for wizard in table.started:
        if any(cast.released and cast.wizard is wizard for cast in table.casts):
            wizard.bank = ""


def _capture_of(table: Table, wizard: Wizard) -> None:
    own = [cast for cast in table.casts if cast.wizard is wizard and not cast.released]
    orders = table.orders_of(wizard.id)
    banked = None if wizard.bank else _banked(table, wizard, own, orders)
    if banked is not None:
        table.casts.remove(banked)
        own.remove(banked)
        wizard.bank = banked.spell.id
        if table.tell:
            table.tell(Banked(wizard.id, banked.spell.id))
    extended = _extended(table, wizard, own, orders)
    if extended is not None:
        extended.permanent = True
        if table.tell:
            table.tell(Extended(wizard.id, extended.spell.id))


def _banked(table: Table, wizard: Wizard, own: list[Casting], orders: Orders) -> Casting | None:
    """The spell that a delay on this wizard catches this turn, if any. rules: R103, R104, R172"""
    window = wizard.effects.get("delayed_effect")
    if window is not None and window.acts(table.turn):
        caught = _pick(own, orders.bank, _kept_for_permanency(table, wizard, own, orders))
        if caught is not None:
            del wizard.effects["delayed_effect"]
        return caught
    for opening in _openings(table, "delayed_effect", wizard):
        others = [cast for cast in own if cast is not opening]
        caught = _pick(others, orders.bank, _kept_for_permanency(table, wizard, others, orders))
        if caught is not None and _takes_hold(table, opening, wizard, without=caught):
            table.windows.add((wizard.id, "delayed_effect"))
            return caught
    return None


def _extended(table: Table, wizard: Wizard, own: list[Casting], orders: Orders) -> Casting | None:
    """The enchantment that a permanency on this wizard takes this turn, if any. rules: R107"""
    eligible = [cast for cast in own if cast.spell.can_be_permanent]
    picked = _pick(eligible, orders.permanency, None)
    if picked is None:
        return None
    window = wizard.effects.get("permanency")
    if window is not None and window.acts(table.turn):
        del wizard.effects["permanency"]
        return picked
    for opening in _openings(table, "permanency", wizard):
        if _takes_hold(table, opening, wizard, without=None):
            table.windows.add((wizard.id, "permanency"))
            return picked
    return None


def _kept_for_permanency(
    table: Table, wizard: Wizard, own: list[Casting], orders: Orders
) -> Casting | None:
    """The spell that the wizard wants permanent rather than banked. rules: R106"""
    if not orders.permanency or orders.permanency == orders.bank:
        return None
    window = wizard.effects.get("permanency")
    is_open = (window is not None and window.acts(table.turn)) or bool(
        _openings(table, "permanency", wizard)
    )
    if not is_open:
        return None
    return next(
        (c for c in own if _slot(c) == orders.permanency and c.spell.can_be_permanent), None
    )


def _slot(cast: Casting) -> str:
    return cast.hand if cast.set == 1 else f"{cast.hand}{cast.set}"


def _pick(casts: list[Casting], written: str, kept: Casting | None) -> Casting | None:
    """The written one, else the longest, two-handed, left, of the earlier set. rules: R172"""
    candidates = [cast for cast in casts if cast is not kept]
    if written:
        for cast in candidates:
            if _slot(cast) == written:
                return cast
    return min(candidates, key=_preference, default=None)


def _preference(cast: Casting) -> tuple[int, bool, bool, int]:
    return (-len(cast.pattern), cast.hand != "BH", cast.hand == "R", cast.set)


def _openings(table: Table, kind: str, wizard: Wizard) -> list[Casting]:
    """This turn's casts that might open such a window on this wizard. rules: R102"""
    return [
        cast
        for cast in table.casts
        if cast.spell.id == kind and (cast.subject == wizard.id or cast.wizard is wizard)
    ]


def _takes_hold(table: Table, opening: Casting, wizard: Wizard, *, without: Casting | None) -> bool:
    """Whether that enchantment will work on this wizard, `without` not being cast. rules: R52"""
    casts = [cast for cast in table.casts if cast is not without]
    if any(cast.spell.id == "dispel_magic" for cast in casts):
        return False
    countered = {cast.subject for cast in casts if cast.spell.id == "counter_spell"}
    mirrored = {c.subject for c in casts if c.spell.id == "magic_mirror"} - countered

    def lands_on(cast: Casting) -> str:
        subject = cast.subject
        if subject != cast.wizard.id and subject in mirrored:
            subject = "" if cast.wizard.id in mirrored else cast.wizard.id
        return "" if subject in countered else subject

    if lands_on(opening) != wizard.id:
        return False
    return not any(
        cast.spell.id == "remove_enchantment" and lands_on(cast) == wizard.id for cast in casts
    )
