"""Cautions about spells that work but change nothing: no wound to cure, nothing to remove.

rules: turn:shield, R58, R76, R90, R92, R104, R175, W42
"""

from collections.abc import Iterator

from engine.advice.foreseen_orders import RANDOM_SUBJECT, ForeseenOrders, with_first_letter_capital
from engine.events import Cast, Hit
from engine.positions.position import CORPSE, DEAD, EXTRA, TIME_STOP_IN_OWN_TURN, Monster, Wizard
from engine.resolve.table import is_alive
from engine.rulesets.choices import FullBank, HasteMode
from engine.sheet.sheet_types import Caution
from engine.spellbook import CaptureEffect, Guard, RemovalEffect, Spell, SpellClass


def useless_cautions(foreseen: ForeseenOrders, seen: frozenset[str]) -> Iterator[Caution]:
    """Yield cautions about spells that are useless for a subject whose state is `seen`."""
    earlier: dict[tuple[str, str], Cast] = {}
    for cast in foreseen.effective_casts():
        being = foreseen.being_before_turn(cast.subject)
        if being is not None and being.id in seen:
            useless = useless_spell_reason(foreseen, cast, being)
            if useless:
                code, rule, text = useless
                yield Caution(
                    code, rule, with_first_letter_capital(text), foreseen.subject_field(cast)
                )
        key = (cast.spell, foreseen.being_id(cast.subject))
        if (
            key in earlier
            and cast.subject != RANDOM_SUBJECT
            and is_repetition_useless(foreseen, cast)
            and not are_shields_of_surrender(earlier[key], cast, foreseen.position.rules.shielding)
        ):
            whom = foreseen.names(cast.subject, "yourself")
            text = f"You cast {foreseen.spell_of_cast(cast).name} twice at {whom}: once is enough."
            field = foreseen.subject_field(cast)
            rule = rule_against_second_cast(foreseen.spell_of_cast(cast))
            yield Caution("twice_the_same", rule, text, field)
        earlier[key] = cast


def is_repetition_useless(foreseen: ForeseenOrders, cast: Cast) -> bool:
    """Return whether casting this spell twice at a subject does no more than casting it once."""
    spell = foreseen.spell_of_cast(cast)
    if spell.class_ is SpellClass.DAMAGING or spell.monster or spell.unmakes is RemovalEffect.MAGIC:
        return False
    return spell.id not in foreseen.position.rules.cures


def are_shields_of_surrender(one: Cast, other: Cast, shield: str) -> bool:
    """Return whether both casts are the Shields of a surrender, which has its own caution."""
    return one.spell == other.spell == shield and one.set == other.set


def rule_against_second_cast(spell: Spell) -> str:
    """Return the rule under which a second cast of the spell adds nothing."""
    if spell.guard is not Guard.NONE and not spell.is_enchantment:
        return "turn:shield"
    if spell.stops_time:
        return "R175"
    return "R76" if spell.mind else "R92"


def useless_spell_reason(
    foreseen: ForeseenOrders, cast: Cast, being: Wizard | Monster
) -> tuple[str, str, str] | None:
    """Return the code, rule and text of the caution about a useless spell; None if it is useful."""
    spell, names = foreseen.spell_of_cast(cast), foreseen.names
    if spell.raises:
        if not is_alive(being) or not has_no_one_to_raise(foreseen, being, spell):
            return None
        text = f"{names.name_with_verb(being.id, 'are', 'is')} alive: {spell.name} only cures"
        return "raises_nobody", "R58", f"{text} up to {spell.amount} points."
    if spell.id in foreseen.position.rules.cures and is_unhurt(foreseen, being, spell):
        who = names.name_with_verb(being.id, "are", "is")
        text = f"{who} unhurt: {spell.name} only heals damage from"
        if foreseen.position.rules.cures_first:
            text = f"{names.name_with_verb(being.id, 'have', 'has')} the most hit points possible"
            return "nothing_to_cure", "W4", f"{text}: {spell.name} adds none."
        return "nothing_to_cure", spell.rule, f"{text} this turn."
    if spell.unmakes is RemovalEffect.ENCHANTMENTS and has_nothing_to_remove(foreseen, being):
        text = f"there is no enchantment on {names(being.id)}, as far as you know: {spell.name}"
        return "nothing_to_remove", spell.rule, f"{text} only ends spells cast this turn."
    if spell.takes_over and getattr(being, "controller", "") == foreseen.own.id:
        return "already_yours", spell.rule, f"{names(being.id)} already obeys you."
    if is_haste_of_elemental(foreseen, spell, being):
        text = f"{names(being.id)} gains nothing from {spell.name}: elementals do not strike twice."
        return "haste_for_nothing", "W42", text
    if (spell.resists or spell.is_illness) and spell.id in being.effects:
        text = f"{names.name_with_verb(being.id, 'are', 'is')} already under {spell.name}"
        return "adds_nothing", "R92", f"{text}: a second one adds nothing."
    if spell.is_shield and is_protected_from_evil(foreseen, being):
        name = foreseen.position.rules.spells[foreseen.position.rules.protecting].name
        text = f"{name} already shields {names(being.id)} this turn: a Shield adds nothing."
        return "shielded_already", "turn:shield", text
    if spell.takes is CaptureEffect.BANKS and being is foreseen.own and is_bank_full(foreseen):
        kept = foreseen.position.rules.spells[foreseen.own.bank].name
        text = f"while {kept} is in your bank, {spell.name} cannot bank another spell."
        return "bank_full", "R104", text
    return None


def is_unhurt(foreseen: ForeseenOrders, being: Wizard | Monster, cure: Spell) -> bool:
    """Return whether the being has nothing to cure: no old or new wound, and no curable illness."""
    rules = foreseen.position.rules
    if being.damage > -rules.surplus or not being.effects.keys().isdisjoint(cure.heals):
        return False
    if rules.cures_first:
        return True  # cures come before this turn's wounds. rules: W4
    return not any(
        isinstance(event, Hit) and event.subject == being.id and event.amount
        for event in foreseen.events
    )


def has_no_one_to_raise(foreseen: ForeseenOrders, being: Wizard | Monster, spell: Spell) -> bool:
    """Return whether a living being has no wound to cure, or a corpse could be raised instead."""
    if not being.damage:
        return True
    position = foreseen.position
    dead = [w for w in position.wizards if w.standing == DEAD and not w.yielded]
    return any(monster.state == CORPSE for monster in position.monsters) or (
        bool(dead) and spell.on_dead_wizards
    )


def has_nothing_to_remove(foreseen: ForeseenOrders, being: Wizard | Monster) -> bool:
    """Return whether there is nothing to remove. A monster is destroyed even without effects."""
    if isinstance(being, Monster):
        return False
    return not being.effects and (not being.bank or foreseen.position.rules.keeps_bank)


def is_haste_of_elemental(foreseen: ForeseenOrders, spell: Spell, being: Wizard | Monster) -> bool:
    """Return whether the spell would hasten an elemental, which some rules make useless."""
    if not spell.hastens or foreseen.position.rules.haste is not HasteMode.OWN_TURN:
        return False
    return isinstance(being, Monster) and being.is_elemental


def is_protected_from_evil(foreseen: ForeseenOrders, being: Wizard | Monster) -> bool:
    position = foreseen.position
    effect = being.effects.get(position.rules.protecting)
    if effect is None or not effect.is_active(position.turn) or position.ignores_effect(effect):
        return False
    is_apart = position.kind == EXTRA and position.rules.time_stop is not TIME_STOP_IN_OWN_TURN
    return not is_apart or being.id in position.stopped


def is_bank_full(foreseen: ForeseenOrders) -> bool:
    """Return whether the banked spell stays in the bank. rules: R104"""
    keeps = foreseen.position.rules.full_bank is FullBank.KEEPS
    return bool(foreseen.own.bank) and not foreseen.orders.release and keeps
