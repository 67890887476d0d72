"""Cautions about spells that harm the wizard's own side, help a rival, or end useful spells.

rules: spell:<id>, turn:elementals, R46, R47, R50-R53, R96, R102
"""

from collections.abc import Iterator

from engine.advice.foreseen_orders import OWN_SIDE, RIVAL_SIDE, SELF_SIDE, ForeseenOrders
from engine.events import Cast, Destroyed, Doomed, Hit, Removed, Stopped
from engine.ids import FUTURE_BEINGS, SEATS
from engine.positions.position import Monster, Wizard
from engine.sheet.sheet_types import Caution
from engine.spellbook import BEAST_KINDS, SpellClass


def harm_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about spells that harm the wizard's own side or help a rival's."""
    for cast in foreseen.effective_casts():
        spell = foreseen.spell_of_cast(cast)
        if spell.is_area:
            yield from storm_cautions(foreseen, cast)
        elif is_harmful(foreseen, cast):
            side = foreseen.side_of_being(cast.subject)
            if side == SELF_SIDE:
                yield foreseen.caution("harms_you", cast, "is aimed at yourself.")
            elif side == OWN_SIDE:
                whom = foreseen.name_with_owner(cast.subject)
                yield foreseen.caution("harms_own_monster", cast, f"is aimed at {whom}.")
        elif helps_rival(foreseen, cast):
            whom = foreseen.names(cast.subject)
            yield foreseen.caution("helps_rival", cast, f"goes to {whom}: it helps a rival.")
        if spell.monster in ("elemental", "fire", "ice"):
            yield from elemental_cautions(foreseen, cast)
    yield from loss_cautions(foreseen)


def is_harmful(foreseen: ForeseenOrders, cast: Cast) -> bool:
    spell = foreseen.spell_of_cast(cast)
    if spell.harms and spell.destroys and cast.subject not in SEATS:
        return False  # losing the monster has its own caution
    return spell.harms or spell.class_ is SpellClass.DAMAGING


def helps_rival(foreseen: ForeseenOrders, cast: Cast) -> bool:
    """Return whether the spell benefits a rival or a rival's monster."""
    spell, being = foreseen.spell_of_cast(cast), foreseen.being_before_turn(cast.subject)
    if foreseen.side_of_being(cast.subject) != RIVAL_SIDE:
        return False
    if spell.monster:
        kind = spell.monster
        chooses = kind == "elemental" and foreseen.position.rules.subject_picks_element
        return chooses or kind not in ("elemental", "fire", "ice")
    if not spell.helps:
        return False
    if spell.raises:
        return isinstance(being, Wizard) or being is None or being.state != "corpse"
    if spell.resists:
        return not (isinstance(being, Monster) and being.is_elemental)
    return not spell.destroys or cast.subject in SEATS


def storm_cautions(foreseen: ForeseenOrders, cast: Cast) -> Iterator[Caution]:
    """Yield cautions about storms that strike the wizard's own side, or harm no rival."""
    struck = [
        event.subject
        for event in foreseen.events
        if isinstance(event, Hit) and event.source == cast.spell and event.by == foreseen.own.id
    ]
    stopped = [e for e in foreseen.events if isinstance(e, Stopped) and e.source == cast.spell]
    if not struck and not stopped:
        return
    sides = {name: foreseen.side_of_being(name) for name in struck}
    if foreseen.own.id in struck:
        points = foreseen.spell_of_cast(cast).amount
        text = f"strikes you too, for {points} points."
        yield foreseen.caution("storm_strikes_you", cast, text)
    for name in [name for name in struck if sides[name] == OWN_SIDE]:
        text = f"strikes {foreseen.name_with_owner(name)}."
        yield foreseen.caution("storm_strikes_own_monster", cast, text)
    if RIVAL_SIDE not in sides.values():
        text = "does not harm any of your rivals, as far as you know."
        yield foreseen.caution("storm_spares_rivals", cast, text)


def elemental_cautions(foreseen: ForeseenOrders, cast: Cast) -> Iterator[Caution]:
    """Yield a caution that a new elemental attacks its own maker too. rules: turn:elementals"""
    made = {
        monster for name, monster in foreseen.made.items() if FUTURE_BEINGS[name].hand == cast.hand
    }
    for event in foreseen.events:
        if isinstance(event, Hit) and event.by in made and event.subject == foreseen.own.id:
            text = (
                f"The elemental of your {foreseen.spell_of_cast(cast).name} obeys nobody:"
                f" it strikes you too, for {event.amount} points a turn."
            )
            field = foreseen.spell_field(cast)
            yield Caution("elemental_strikes_you", "turn:elementals", text, field)
            return


def loss_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about losses that the wizard's own spells cause on the wizard's side.

    Monsters and enchantments are lost to a Dispel Magic, a Remove Enchantment or an invisibility.
    rules: R46, R47, R50-R53, R96
    """
    destroyers = [
        spell.id
        for spell in foreseen.position.rules.destroyers
        if not frozenset(BEAST_KINDS).isdisjoint(spell.destroys)
    ]
    for event in foreseen.events:
        if isinstance(event, Doomed) and foreseen.failure_cause(event.cause):
            yield from destroyed_monster_caution(foreseen, event.monster, event.cause)
        elif isinstance(event, Destroyed) and event.cause in destroyers:
            yield from destroyed_monster_caution(foreseen, event.subject, event.cause)
        elif isinstance(event, Removed) and foreseen.failure_cause(event.cause):
            yield from ended_effect_cautions(foreseen, event)


def destroyed_monster_caution(
    foreseen: ForeseenOrders, monster: str, cause: str
) -> Iterator[Caution]:
    being = foreseen.being_before_turn(monster)
    is_elemental = isinstance(being, Monster) and being.is_elemental
    cast = effective_cast_of_spell(foreseen, cause)
    if foreseen.side_of_being(monster) == OWN_SIDE and not is_elemental and cast is not None:
        text = f"destroys {foreseen.name_with_owner(monster)}."
        yield foreseen.caution("unmakes_own_monster", cast, text)


def ended_effect_cautions(foreseen: ForeseenOrders, event: Removed) -> Iterator[Caution]:
    """Yield cautions about useful enchantments, or the bank, lost to the wizard's own spell."""
    side = foreseen.side_of_being(event.subject)
    cast = effective_cast_of_spell(foreseen, event.cause)
    if cast is None or side not in (SELF_SIDE, OWN_SIDE):
        return
    spells = foreseen.position.rules.spells
    if event.effect == "bank":
        text = f"empties your bank: {foreseen.banked_spell} is lost."
        yield foreseen.caution("loses_bank", cast, text, "R53")
    elif spells[event.effect].helps:
        whose = foreseen.names.possessive(event.subject)
        text = f"ends {whose} {spells[event.effect].name} too."
        yield foreseen.caution("ends_own_spell", cast, text)


def effective_cast_of_spell(foreseen: ForeseenOrders, spell: str) -> Cast | None:
    """Return the cast of this spell that reaches its subject this turn, or None."""
    return next((cast for cast in foreseen.effective_casts() if cast.spell == spell), None)
