"""Targets for the practice opponent's spells, stabs and monsters, best first.

The opponent helps its own side and harms all others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import engine.play
from duels.practice.imagined import opponents_of
from engine.play import (
    ALIVE,
    CORPSE,
    NOWHERE,
    STOPPING_GUARDS,
    DefaultSubject,
    RemovalEffect,
    Spell,
    SpellClass,
)

MAX_SUBJECTS: Final = 3  # maximum number of targets that are considered for a spell


@dataclass(frozen=True, slots=True)
class Aims:
    """The beings that a wizard may want to target, based on the wizard's view."""

    own: str
    foes: tuple[str, ...]  # weakest first
    rival_monsters: tuple[engine.play.BeingView, ...]  # strongest first
    own_monsters: tuple[engine.play.BeingView, ...]
    corpses: tuple[engine.play.BeingView, ...]
    effects: Mapping[str, frozenset[str]]
    rules: engine.play.Ruleset
    is_wide: bool = False  # whether to consider more targets because survival is at stake

    @property
    def monster_kinds(self) -> Mapping[str, engine.play.MonsterKind]:
        return self.rules.monsters

    @classmethod
    def from_view(cls, view: engine.play.View) -> "Aims":
        beings = {being.id: being for being in view.status}
        own, kinds = view.observer, view.rules.monsters
        foes = sorted(opponents_of(view), key=lambda foe: -(beings[foe].damage or 0))
        monsters = sorted(
            (being for being in view.status if being.kind in kinds),
            key=lambda being: -kinds[being.kind].attack,
        )
        return cls(
            own,
            tuple(foes),
            tuple(m for m in monsters if m.state == ALIVE and m.controller != own),
            tuple(m for m in monsters if m.state == ALIVE and m.controller == own),
            tuple(m for m in monsters if m.state == CORPSE),
            {id: frozenset(e.code for e in being.effects) for id, being in beings.items()},
            view.rules,
        )

    def targets_for(self, spell: Spell) -> list[str]:
        """Return targets for this spell, best first.

        While a rival is in the duel, only spells that affect everyone have no targets.
        """
        found = list(dict.fromkeys(self._targets_for(spell)))[:MAX_SUBJECTS]
        if self.is_wide and spell.id == self.rules.banking:
            found += self.foes  # it may bank a rival's attack. rules: R103
        elif self.is_wide and spell.guard in STOPPING_GUARDS:
            # it may stop a spell that hastens a monster
            found += [monster.id for monster in self.rival_monsters[:MAX_SUBJECTS]]
        elif (
            self.is_wide
            and not self.is_cast_on_self(spell)
            and not spell.is_area
            and not spell.raises
        ):
            found += [being for being in self.spare_targets() if being not in found]
        return found

    def spare_targets(self) -> list[str]:
        """Return targets for a spell that would harm the wizard if a rival reflected it."""
        monsters = (*self.rival_monsters, *self.own_monsters)
        return [*(monster.id for monster in monsters), NOWHERE]

    def _targets_for(self, spell: Spell) -> Iterator[str]:
        beasts = [m.id for m in self.rival_monsters if not self.monster_kinds[m.kind].element]
        match spell:
            case Spell(takes_over=True):
                yield from beasts[:2]
                yield from self.foes[:1]
            case Spell(unmakes=RemovalEffect.ENCHANTMENTS):
                if self._has_effect(self.own, "harms"):
                    yield self.own
                yield from [m.id for m in self.rival_monsters][:1]
                yield from [foe for foe in self.foes if self._has_effect(foe, "helps")]
                yield self.own
            case Spell(raises=True):
                yield self.own
                yield from [corpse.id for corpse in self.corpses][:1]
            case _ if spell.is_area:
                return
            case _ if self.is_cast_on_self(spell):
                yield self.own
                yield from self._destroyed_elementals(spell)
            case _:
                yield from self.foes[:2]
                yield from self._destroyed_elementals(spell)
                if spell.class_ is SpellClass.DAMAGING and spell.amount:
                    yield from [m.id for m in self.rival_monsters if m.hit_points][:1]

    def _has_effect(self, being: str, effect_group: str) -> bool:
        """Return whether an effect of this group ("helps" or "harms") lasts on the being."""
        spells = self.rules.spells
        return any(
            getattr(spells[code], effect_group) for code in self.effects[being] if code in spells
        )

    def _destroyed_elementals(self, spell: Spell) -> list[str]:
        """Return the rivals' elementals that this spell destroys.

        Return [] for spells that also destroy other monsters.
        """
        if any(not self.monster_kinds[kind].element for kind in spell.destroys):
            return []
        return [m.id for m in self.rival_monsters if m.kind in spell.destroys]

    def is_cast_on_self(self, spell: Spell) -> bool:
        """Return whether wizards usually cast the spell on themselves."""
        return spell.default is DefaultSubject.SELF or spell.class_ in (
            SpellClass.PROTECTION,
            SpellClass.SUMMONS,
        )

    def can_save_wizard(self, spell: Spell) -> bool:
        """Return whether the spell might save a wizard who would otherwise die in the same turn."""
        return (
            self.is_cast_on_self(spell)
            or spell.takes_over
            or spell.unmakes is not RemovalEffect.NOTHING
        )

    def attack_targets(self) -> list[str]:
        """Return targets for a monster or a stab, best first."""
        return [*self.foes[:2], *(monster.id for monster in self.rival_monsters[:2])]
