"""The worst spell that the opponent in a lesson can complete this turn, and a spell that stops it.

Only gestures that the learner has seen count.
"""

from dataclasses import dataclass

from duels.queries.rows import DuelPage
from engine.play import STOPPING_GUARDS, Completion, PatternStep, RemovalEffect, Spell, SpellClass

LETHAL_DAMAGE = 99


@dataclass(frozen=True)
class SpellThreat:
    """A spell that does damage, the gesture that it still needs, and a spell that stops it."""

    spell: Spell
    needs: PatternStep
    guard: Completion | None
    guard_letter: str = ""
    is_guard_suggested: bool = False

    @property
    def damage(self) -> int:
        return LETHAL_DAMAGE if self.spell.slays else self.spell.amount

    def words(self, rival: str) -> str:
        """Return a sentence about the threat and the gesture that stops it."""
        needs = f"{self.needs.letter} with both hands" if self.needs.both else self.needs.letter
        harm = f"{self.damage} point{'' if self.damage == 1 else 's'} of damage"
        harm = "certain death" if self.spell.slays else harm
        text = f"{rival} needs one more {needs} for {self.spell.name}, {harm}"
        if self.guard is None:
            return f"{text}. Nothing you can do this turn will stop it."
        return f"{text}: {self.guard_letter} makes a {self.guard.name}."


def worst_threat(page: DuelPage, suggested: str) -> SpellThreat | None:
    """Return the worst threat, if any. `suggested` are the guide's two gestures."""
    assert page.me is not None
    spells = page.view.rules.spells
    found = [
        (spells[step.spell], step.steps[0])
        for hand in page.view.hands
        if hand.wizard != page.me.code
        for step in hand.progress
        if len(step.steps) == 1 and spells[step.spell].class_ is SpellClass.DAMAGING
    ]
    if not found:
        return None
    spell, needs = max(found, key=lambda each: (each[0].slays, each[0].amount))
    guards = _stopping_spells(page, spell)
    pair = suggested if suggested in guards else next(iter(guards), "")
    guard = guards.get(pair)
    letter = pair[-1:] if guard is not None and guard.hand == "R" else pair[:1]
    return SpellThreat(spell, needs, guard, letter, suggested in guards)


def _stopping_spells(page: DuelPage, spell: Spell) -> dict[str, Completion]:
    """Return the learner's spells that stop this spell, by the gestures for them."""
    assert page.sheet is not None
    rules = page.view.rules
    return {
        pair: row
        for pair, rows in (page.sheet.sets[0].completions if page.sheet.sets else {}).items()
        for row in rows
        if row.default and _can_stop(rules.spells[row.spell], spell)
    }


def _can_stop(guard: Spell, spell: Spell) -> bool:
    counter, mirror = STOPPING_GUARDS
    if guard.unmakes is RemovalEffect.MAGIC:
        return True
    if guard.guard == counter:
        return spell.counterable or spell.shieldable
    if guard.guard == mirror:
        return spell.reflectable
    return bool(guard.guard) and spell.shieldable
