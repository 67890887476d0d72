"""Sentences on what protects from a spell, generated from the rows of the spellbook."""

from collections.abc import Callable, Iterator
from typing import Final

from engine.play import RemovalEffect, Ruleset, Spell
from engine.words import or_list

SHIELD, COUNTER, MIRROR = "shield", "counter_spell", "magic_mirror"  # values of `Spell.guard`
FIRE_AND_ICE: Final = ("fire", "ice")


def defence_words(spell: Spell, ruleset: Ruleset) -> str:
    """Return a sentence on what protects from a harmful spell or a monster, or "" for other
    spells."""
    if spell.class_ == "damaging" or spell.harms:
        return " ".join(_against_spell(spell, ruleset))
    return " ".join(_against_monster(spell, ruleset)) if spell.monster else ""


def _against_spell(spell: Spell, ruleset: Ruleset) -> Iterator[str]:
    stopping = _named_spells(
        ruleset,
        lambda other: (
            (spell.shieldable and other.guard == SHIELD)
            or (spell.counterable and other.guard == COUNTER)
            or other.unmakes is RemovalEffect.MAGIC
        ),
    )
    if stopping:
        yield f"Stopped by {stopping}."
    mirrors = _named_spells(ruleset, lambda other: other.guard == MIRROR)
    if spell.reflectable and mirrors:
        yield f"Sent back by {mirrors}."
    if spell.element:
        yield from _resistances(ruleset, (spell.element,))
    ending = _named_spells(
        ruleset,
        lambda other: (
            spell.id in other.heals
            or (spell.is_enchantment and other.unmakes is RemovalEffect.ENCHANTMENTS)
        ),
    )
    if ending and spell.lasts != "instant":
        yield f"Ended by {ending}."


def _against_monster(spell: Spell, ruleset: Ruleset) -> Iterator[str]:
    kind = ruleset.monsters[spell.monster]
    if kind.element:
        yield from _resistances(
            ruleset, FIRE_AND_ICE if kind.element == "unknown" else (kind.element,)
        )
        return
    shields = _named_spells(ruleset, lambda other: other.guard in (SHIELD, COUNTER))
    yield f"Its attacks are stopped by {shields}."


def _resistances(ruleset: Ruleset, elements: tuple[str, ...]) -> Iterator[str]:
    resisting = _named_spells(ruleset, lambda other: other.resists in elements)
    if resisting:
        yield f"{resisting} protects from it."


def _named_spells(ruleset: Ruleset, protects: Callable[[Spell], bool]) -> str:
    return or_list(other.name for other in ruleset.spells.values() if protects(other))
