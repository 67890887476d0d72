"""The working table of one phase in stepwise play: notes, counters, and ways to ask questions.

Damage, cures and enchantments are applied one step after the other, as in the program `spellcast`.
In sealed play they are applied together. Within one step, the order of the wizards does not matter.
rules: turn:stepwise
"""

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final

from engine.ids import SpellWithPattern
from engine.legality.scope import NOWHERE
from engine.orders import EMPTY_SET, HandSet
from engine.positions.position import (
    ALIVE,
    FOREVER,
    HASTE,
    STRICT,
    Effect,
    Monster,
    Wizard,
)
from engine.questions import OpenQuestions, Question
from engine.resolve.event_factories import stopped
from engine.resolve.table import Being, Casting, Table
from engine.spellbook import Spell

DOOM_DAMAGE: Final = 100  # extra damage, more than any cure of the turn can heal

NO_LANDED_CASTS: Final[dict[str, list[Casting]]] = {}

PresetQuestion = tuple[Question, str]
"""A question and the answer that orders give in advance, or ""."""


@dataclass(slots=True, eq=False, repr=False)
class StepwiseTable(Table):
    """The state that the steps of one phase share: the table of a turn, with its counters.

    `casts` are in the order of the list: highest seat first.
    """

    is_haste_phase: bool = field(init=False)
    next_turn: int = field(init=False)
    rows: dict[str, str] = field(init=False)  # the row that each wizard really made
    # The casts that reached each being, by spell.
    landed: dict[str, dict[str, list[Casting]]] = field(init=False)
    kinds: set[str] = field(init=False)  # spells that reached any being
    # Names that orders use for the monsters of this phase. rules: R14
    names_in_orders: dict[str, str] = field(init=False)
    gone: list[Monster] = field(init=False)  # destroyed in this phase, but can be raised. R208
    in_time: set[str] = field(init=False)  # beings whose extra phase this is
    blind: set[str] = field(init=False)
    unseen: set[str] = field(init=False)

    def __post_init__(self) -> None:
        Table.__post_init__(self)
        new = self.position
        self.is_haste_phase = new.kind == HASTE
        self.next_turn = new.turn if self.extra or self.is_haste_phase else new.turn + 1
        if self.is_haste_phase:
            hasted = new.rules.hastening
            self.acting = [wizard for wizard in self.started if hasted in wizard.effects]
        self.rows, self.landed, self.names_in_orders, self.gone = {}, {}, {}, []
        self.kinds, self.blind, self.unseen = set(), set(), set()
        self.in_time = {*new.stopped}
        beings: list[Being] = [*new.wizards, *new.monsters]
        for being in beings:
            if being.effects:
                if new.rules.blinding in being.effects and isinstance(being, Wizard):
                    self.blind.add(being.id)
                if new.rules.hiding in being.effects:
                    self.unseen.add(being.id)

    def hands_of(self, wizard: str) -> HandSet:
        """Return the one set of gestures and choices that the wizard wrote for this phase."""
        own = self.orders.get(wizard)
        return own.sets[0] if own is not None and own.sets else EMPTY_SET

    def is_active(self, effect: Effect | None) -> bool:
        """Return whether an effect is active: expired effects are already gone."""
        return effect is not None

    def casts_that_reached(self, being: Being, kind: str) -> list[Casting]:
        """Return the castings of that spell that reached the being."""
        landed = self.landed.get(being.id)
        return landed.get(kind, []) if landed else []

    def is_defenceless(self, being: Being) -> bool:
        """Return whether this is an extra phase in which nothing protects the being. rules: R98"""
        return self.extra and being.id not in self.in_time

    def is_in_own_phase(self, being: Being) -> bool:
        """Return whether this is the being's own extra phase, without another one after it.

        rules: R211
        """
        return being.id in self.in_time and being.id not in self.stopped

    def is_shielded(self, being: Being) -> bool:
        """Return whether a shield protects the being. rules: turn:shield"""
        if being.id in self.shields:
            return True
        return self.rules.protecting in being.effects and not self.is_defenceless(being)

    def is_invisible_now(self, being: Being) -> bool:
        """Return whether attacks miss the being after this phase's countdown. rules: R95"""
        return self.rules.hiding in being.effects

    def turns_left(self, being: Being, kind: str) -> int:
        """Return the number of turns left for an effect on the being, including this turn."""
        return being.effects[kind].last - self.turn + 1

    def set_turns_left(self, being: Being, kind: str, turns: int) -> None:
        """Set the number of turns that the effect has left when the next phase begins."""
        held = being.effects[kind]
        being.effects[kind] = held._replace(last=self.next_turn + turns - 1)

    def stop_clock(self, being: Being, kind: str) -> None:
        """If the being has the effect, leave it the same number of turns in the next phase."""
        effect = being.effects.get(kind)
        if effect is not None and effect.last != FOREVER:
            self.set_turns_left(being, kind, self.turns_left(being, kind))

    def apply_damage(self, being: Being, amount: int) -> None:
        being.damage += amount

    def fail(self, cast: Casting, cause: str, by: str = "") -> None:
        """Record that a spell or a stab has no effect."""
        if cast.spell is not self.rules.stab:
            Table.fail(self, cast, cause, by)
        else:
            cause = "no_subject" if cause == NOWHERE else cause
            self.report(stopped, cast.subject, cast.spell.id, cast.wizard.id, cause)

    def asks_preset_questions(self) -> bool:
        """Return whether questions are asked now even if they have a preset answer."""
        return self.asking and STRICT in self.position.options

    def preset_answer(self, id: str, written: str, options: Container[str], default: str) -> str:
        """Return the answer to a question with a preset answer, without creating the question.

        This is the answer given, otherwise the written one, otherwise the default.
        """
        answer = self.answers.get(id, "") if self.answers else ""
        if answer in options:
            return answer
        if written in options and STRICT not in self.position.options:
            return written
        return default

    def require_answers(self, batch: list[PresetQuestion]) -> dict[str, str]:
        """Return the answers to one batch of questions, by question id.

        In a strict duel every question is asked. Otherwise questions that orders answer, or that
        have a preset answer, are not asked. Raises OpenQuestions if the table collects questions
        and some are still open.
        """
        found: dict[str, str] = {}
        still_open: list[Question] = []
        strict = STRICT in self.position.options
        for question, written in batch:
            answer = self.answers.get(question.id, "")
            if answer not in question.options and not strict:
                answer = written
                if answer not in question.options and question.is_preset:
                    answer = question.default
            if answer not in question.options:
                still_open.append(question)
                answer = question.default
            found[question.id] = answer
        if self.asking and still_open:
            raise OpenQuestions(tuple(still_open))
        return found


def spell_name_with_pattern(spell: Spell, pattern: str) -> str:
    """Return the spell's name among choices: its id, followed by any pattern except the first."""
    return SpellWithPattern(spell.id, "" if pattern == spell.patterns[0] else pattern).text


def fails_because_unseen(table: StepwiseTable, cast: Casting, being: Being) -> bool:
    """Return whether the caster did not see their subject when the phase began. rules: R94, R95

    If so, record that the cast fails. Wizards always see themselves.
    """
    if being is cast.wizard:
        return False
    if cast.wizard.id in table.blind:
        table.fail(cast, "blind")
        return True
    if being.id in table.unseen:
        table.fail(cast, "invisible" if cast.spell is table.rules.stab else "unseen")
        return True
    return False


def monsters_of(table: StepwiseTable) -> list[Monster]:
    return [monster for monster in table.position.monsters if monster.state == ALIVE]
