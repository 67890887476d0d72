"""The working table of one phase played step by step: notes, counters, and how questions are put.

Unlike in the sealed game damage, cures and enchantments take hold one step after the other, as in
the program `spellcast`; only within a step does nobody come first.
rules: turn:stepwise
"""

from collections.abc import Callable, Container, Mapping
from typing import Final

from engine.dice import AnyDice
from engine.events import Event
from engine.ids import SpellMade
from engine.orders import NO_ORDERS, NO_SET, HandSet, Orders
from engine.position import (
    ALIVE,
    EXTRA,
    FOREVER,
    HASTE,
    STANDING,
    STRICT,
    Monster,
    Position,
    Wizard,
)
from engine.questions import OpenQuestions, Question
from engine.resolve.table import Being, Casting
from engine.resolve.told import failed, stopped
from engine.scope import NOWHERE
from engine.spellbook import Spell
from engine.work import ALWAYS

DOOM: Final = 100  # points below nothing: no cure of the turn makes up for it

NOTHING_LANDED: Final[dict[str, list[Casting]]] = {}

PresetQuestion = tuple[Question, str]
"""A question and what orders answered beforehand: "" if nothing."""


class StepwiseTable:
    """Everything that the steps of one phase share."""

    __slots__ = (
        "acting", "answers", "asking", "before", "blind", "casts", "countered", "destroyed",
        "destroyed_at_death", "dice", "dispelled", "emit", "extra", "in_time", "is_haste_phase",
        "kinds", "landed", "mirrored", "names_in_orders", "next_turn", "orders", "position", "rows",
        "rules", "shielded", "spared_by_ice_storm", "stopped", "storms", "turn", "unseen", "work",
    )  # fmt: skip

    def __init__(
        self,
        position: Position,
        orders: Mapping[str, Orders],
        answers: Mapping[str, str],
        dice: AnyDice,
        emit: Callable[[Event], object] | None,
        asking: bool = False,
    ) -> None:
        self.before = position
        self.position = new = position.copy()
        self.rules = new.rules
        self.work = ALWAYS  # every step is played
        self.orders = orders
        self.answers = answers
        self.dice = dice
        self.emit = emit
        self.asking = asking
        self.turn = new.turn
        self.extra = new.kind == EXTRA
        self.is_haste_phase = new.kind == HASTE
        self.next_turn = new.turn if self.extra or self.is_haste_phase else new.turn + 1
        self.acting = [wizard for wizard in new.wizards if self._gestures(wizard)]
        self.rows: dict[str, str] = {}  # the row each wizard really made
        self.casts: list[Casting] = []  # in the order of the list: highest seat first
        self.landed: dict[str, dict[str, list[Casting]]] = {}  # by being, by spell
        self.kinds: set[str] = set()  # the spells that have landed on somebody
        self.storms: dict[str, Casting] = {}
        self.names_in_orders: dict[
            str, str
        ] = {}  # how orders name the monsters of this phase. rules: R14
        self.shielded: set[str] = set()  # shielded by a spell of this phase
        self.countered: set[str] = set()
        self.mirrored: set[str] = set()
        self.spared_by_ice_storm: set[str] = (
            set()
        )  # struck by no ice storm: a fireball met it. rules: R67
        self.dispelled = False
        self.destroyed_at_death: dict[str, str] = {}  # monsters that will leave no corpse, by cause
        self.destroyed: list[Monster] = []  # in this phase: it can still be raised. rules: R208
        self.in_time = {*new.stopped}  # whose extra phase this is, unless they have been freed
        self.stopped: list[str] = []  # time stops for all but these
        self.blind: set[str] = set()
        self.unseen: set[str] = set()
        beings: list[Being] = [*new.wizards, *new.monsters]
        for being in beings:
            if being.effects:
                if self.is_in_force(being, new.rules.blinding) and isinstance(being, Wizard):
                    self.blind.add(being.id)
                if self.is_in_force(being, new.rules.hiding):
                    self.unseen.add(being.id)

    def _gestures(self, wizard: Wizard) -> bool:
        """Whether the wizard makes a row in this phase."""
        if wizard.standing != STANDING:
            return False
        if self.extra:
            return wizard.id in self.position.stopped
        return not self.is_haste_phase or self.is_in_force(wizard, self.rules.hastening)

    def is_in_force(self, being: Being, kind: str) -> bool:
        """Whether that effect was in force when the phase began."""
        return kind in being.effects

    def orders_of(self, wizard: str) -> Orders:
        return self.orders.get(wizard, NO_ORDERS)

    def hands_of(self, wizard: str) -> HandSet:
        """The one set of gestures and choices that the wizard wrote for this phase."""
        own = self.orders.get(wizard)
        return own.sets[0] if own is not None and own.sets else NO_SET

    def living(self) -> list[Being]:
        """Wizards by seat, then monsters by number; the mortally wounded live till the clock."""
        beings: list[Being] = [w for w in self.position.wizards if w.standing == STANDING]
        if self.position.monsters:
            beings += [m for m in self.position.monsters if m.state == ALIVE]
        return beings

    def landed_on(self, being: Being, kind: str) -> list[Casting]:
        """The castings of that spell which reached the being."""
        landed = self.landed.get(being.id)
        return landed.get(kind, []) if landed else []

    def is_out_of_time(self, being: Being) -> bool:
        """Whether nothing that lasts protects it: this phase is not its own. rules: R98"""
        return self.extra and being.id not in self.in_time

    def is_in_own_phase(self, being: Being) -> bool:
        """Whether this extra phase is its own, and is not to be followed by another. rules: R211"""
        return being.id in self.in_time and being.id not in self.stopped

    def is_shielded(self, being: Being) -> bool:
        """rules: turn:shield"""
        if being.id in self.shielded:
            return True
        return self.rules.protecting in being.effects and not self.is_out_of_time(being)

    def resists(self, being: Being, element: str) -> bool:
        """Whether heat ("fire") or cold ("ice") leaves it unharmed."""
        kind = self.rules.resistances.get(element)
        return kind in being.effects and not self.is_out_of_time(being)

    def is_invisible_now(self, being: Being) -> bool:
        """Whether an attack misses it: its counter has moved on by then. rules: R95"""
        return self.rules.hiding in being.effects

    def turns_left(self, being: Being, kind: str) -> int:
        """The turns that the effect, which is on the being, has left, this one counted."""
        return being.effects[kind].last - self.turn + 1

    def set_turns_left(self, being: Being, kind: str, turns: int) -> None:
        """The effect has so many turns left when the next phase begins."""
        held = being.effects[kind]
        being.effects[kind] = held._replace(last=self.next_turn + turns - 1)

    def stop_clock(self, being: Being, kind: str) -> None:
        """The effect, if it is there, has as many turns left in the next phase as in this."""
        effect = being.effects.get(kind)
        if effect is not None and effect.last != FOREVER:
            self.set_turns_left(being, kind, self.turns_left(being, kind))

    def fail(self, cast: Casting, cause: str, by: str = "") -> None:
        """Tell that a spell or a stab came to nothing."""
        if not self.emit:
            return
        if cast.spell is self.rules.stab:
            cause = "no_subject" if cause == NOWHERE else cause
            self.emit(stopped(cast.subject, cast.spell.id, cast.wizard.id, cause))
        else:
            self.emit(failed(cast.spell.id, cast.wizard.id, cast.subject, cause, by))

    def may_put(self) -> bool:
        """Whether even what has an answer chosen beforehand is put now."""
        return self.asking and STRICT in self.position.options

    def answer_without_asking(
        self, id: str, written: str, options: Container[str], default: str
    ) -> str:
        """The answer to a question with one chosen beforehand, where it is not put: what was
        answered, else written, else the default; so the question need not be made."""
        answer = self.answers.get(id, "") if self.answers else ""
        if answer in options:
            return answer
        if written in options and STRICT not in self.position.options:
            return written
        return default

    def answered(self, batch: list[PresetQuestion]) -> dict[str, str]:
        """The answers to one batch of questions, by question id.

        In a strict duel every one is put. Else what orders answered is not asked, nor what has an
        answer chosen beforehand. Raises OpenQuestions when the table is asked what is still open.
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


def qualified(spell: Spell, pattern: str) -> str:
    """How a choice names a spell: its id, with the pattern if that is not its first."""
    return SpellMade(spell.id, "" if pattern == spell.patterns[0] else pattern).text


def is_lost_from_sight(table: StepwiseTable, cast: Casting, being: Being) -> bool:
    """Whether the caster, as the phase began, did not see their subject. rules: R94, R95

    The cast is lost then. Wizards always see themselves.
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
