"""Values of spells for the practice opponent, and expected values of hands, in points of damage.

The numbers are opinions, not rules.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import engine.play
from engine.play import ALL_SYMBOLS, SYMBOL_COUNT

NEXT_TURN_DISCOUNT: Final = 0.8  # factor for the value of a spell, for each turn until it is cast
OTHER_HAND_COST: Final = 0.35  # cost of a gesture that both hands must make

SPELL_VALUES: Final[Mapping[str, float]] = {
    "shield": 0.3,
    "remove_enchantment": 0.8,
    "magic_mirror": 1.2,
    "counter_spell": 1.2,
    "dispel_magic": 1.2,
    "raise_dead": 0.5,
    "cure_light_wounds": 0.0,
    "cure_heavy_wounds": 0.0,
    "summon_goblin": 2.8,
    "summon_ogre": 4.2,
    "summon_troll": 5.2,
    "summon_giant": 6.0,
    "summon_elemental": 1.0,
    "summon_ice_elemental": 1.0,
    "summon_fire_elemental": 1.0,
    "missile": 1.0,
    "finger_of_death": 12.0,
    "lightning_bolt": 5.0,
    "clap_of_lightning": 5.0,
    "cause_light_wounds": 2.0,
    "cause_heavy_wounds": 3.0,
    "fireball": 5.0,
    "sacrifice": 0.0,
    "fire_storm": 0.5,
    "ice_storm": 0.5,
    "amnesia": 1.7,
    "confusion": 1.5,
    "maladroitness": 1.5,
    "charm_person": 2.2,
    "charm_monster": 0.0,
    "paralysis": 0.8,
    "fear": 1.5,
    "anti_spell": 1.8,
    "protection_from_evil": 1.5,
    "resist_heat": 0.6,
    "resist_cold": 0.4,
    "disease": 5.0,
    "poison": 6.0,
    "blindness": 3.0,
    "invisibility": 3.0,
    "haste": 6.0,
    "time_stop": 3.0,
    "delayed_effect": 1.5,
    "permanency": 1.5,
}


class Needs(NamedTuple):
    """A wizard's needs, which affect the value of some spells.

    The fields have few possible values, so that few tables must be computed.
    """

    hurt: int = 0  # severity of wounds, from 0 to 3
    ill: bool = False  # whether they have a disease that Cure Heavy Wounds ends
    has_removable_effect: bool = False  # whether Remove Enchantment would help
    monster_damage: int = 0  # damage by rivals' monsters per turn, at most 4
    resisted: frozenset[str] = frozenset()  # elements that all opponents resist
    bolt_gone: bool = False  # the short Lightning Bolt has been cast


def spell_value(spell: str, needs: Needs) -> float:
    """Return the value of casting the spell now, for a wizard with these needs."""
    match spell:
        case "cure_light_wounds":
            return min(needs.hurt, 1) * 0.9
        case "cure_heavy_wounds":
            return min(needs.hurt, 2) * 0.9 + (6.0 if needs.ill else 0.0)
        case "remove_enchantment" | "dispel_magic" if needs.has_removable_effect:
            return 5.0
        case "shield" | "protection_from_evil":
            return SPELL_VALUES[spell] + needs.monster_damage * (0.6 if spell == "shield" else 1.6)
        case "charm_monster":
            return needs.monster_damage * 3.0
        case "fireball" if "fire" in needs.resisted:
            return 0.0
        case _:
            return SPELL_VALUES.get(spell, 1.0)


@lru_cache(maxsize=256)
def expected_values(ruleset: str, options: tuple[str, ...], needs: Needs) -> tuple[float, ...]:
    """Return the expected value of a hand by its automaton state. Later spells count less.

    `options` contains the duel's options, some of which replace one spell with another. rules: W23
    """
    rules = engine.play.RULESETS[ruleset].under(options)
    step = rules.automaton.step
    states = range(len(rules.ends))
    gain = [
        max(
            (
                spell_value(end.spell.id, needs) * (0.5 if end.both else 1.0)
                for end in ends
                if not (end.once and needs.bolt_gone)
            ),
            default=0.0,
        )
        for ends in rules.ends
    ]
    taxes = [OTHER_HAND_COST if symbol.islower() else 0.0 for symbol in ALL_SYMBOLS]
    moves = [
        sorted({(step[state * SYMBOL_COUNT + n], taxes[n]) for n in range(SYMBOL_COUNT)})
        for state in states
    ]
    values = [0.0 for _ in states]
    for _ in range(18):
        values = [
            max(
                gain[after] + NEXT_TURN_DISCOUNT * values[after] - tax
                for after, tax in moves[state]
            )
            for state in states
        ]
    return tuple(values)
