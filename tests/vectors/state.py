"""The complete state after a phase, as recorded duels describe it.

The state is derived only from positions and events, phase by phase. A `DerivedState` also stores
facts that a position does not need: the lengths of histories, surrenders, and monsters that no
longer exist.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import (
    Broke,
    Controlled,
    Died,
    Enchanted,
    Event,
    Gestured,
    Guarded,
    Raised,
    Removed,
    Summoned,
    Surrendered,
    TimeStopped,
)
from engine.ids import SEATS
from engine.legality.hand_constraints import first_mind_spell
from engine.positions.position import (
    ALIVE,
    CORPSE,
    EXTRA,
    HASTE,
    NORMAL,
    STANDING,
    SURRENDERED,
    Effect,
    Monster,
    Position,
    Wizard,
)
from engine.resolve.table import is_alive

Row = dict[str, Any]
Being = Wizard | Monster

TIMED_EFFECTS = (
    ("prot", "protection_from_evil"), ("haste", "haste"), ("invis", "invisibility"),
    ("blind", "blindness"),
)  # fmt: skip
_ILLNESS_CAUSES = ("disease", "poison")
ILLNESS_FIELDS = (("dis", "disease"), ("poi", "poison"))
PERMANENT_FLAGS = (
    ("haste", "haste"), ("prot", "protection_from_evil"), ("rh", "resist_heat"),
    ("rc", "resist_cold"), ("blind", "blindness"), ("invis", "invisibility"),
)  # fmt: skip
WINDOW_FIELDS = (("permt", "permanency"), ("delay", "delayed_effect"))
SECOND_PATTERNS = {
    ("lightning_bolt", "WDDc"): "lightning_bolt_short",
    ("counter_spell", "WWS"): "counter_spell_2",
}
"""The recordings' names for spells made with their second pattern."""


def with_recorded_letters(text: str) -> str:
    """Return gestures with the letters that recordings use."""
    return text.replace(">", "K")


class DerivedState:
    """The states of a duel, derived phase by phase from its start."""

    def __init__(self, position: Position) -> None:
        self.lengths = [0] * len(position.wizards)
        self.surrendered: set[str] = set()
        # The value of "tstop" for wizards who have left the duel.
        self.stopped: dict[str, int] = {}
        # The kind and owner of every monster that has ever been made.
        self.monsters: dict[str, Row] = {}
        for monster in position.monsters:
            self.monsters[monster.id] = {"kind": monster.kind, "owner": SEATS[monster.controller]}

    def state(self, before: Position, after: Position, events: Sequence[Event]) -> Row:
        """Return the state after the phase that leads from `before` to `after`."""
        phase = _Phase(before, after, events)
        for event in events:
            if isinstance(event, Surrendered):
                self.surrendered.add(event.wizard)
        return {
            "wiz": [self._wizard_state(phase, wizard) for wizard in after.wizards],
            "mon": self._monster_states(phase),
        }

    def _wizard_state(self, phase: "_Phase", wizard: Wizard) -> Row:
        rows = phase.added_rows(wizard.id)
        self.lengths[wizard.seat] += len(rows)
        return {
            "alive": int(phase.is_alive(wizard)),
            "shield": phase.shield_flag(wizard.id),
            "rows": rows,
            "nrows": self.lengths[wizard.seat],
        } | self._stored_wizard_state(phase, wizard)

    def _stored_wizard_state(self, phase: "_Phase", wizard: Wizard) -> Row:
        bank = SECOND_PATTERNS.get((wizard.bank, wizard.bank_pattern), wizard.bank)
        row: Row = {
            "surr": int(wizard.id in self.surrendered),
            "phand": wizard.held or None,
            "bank": bank or None,
            "bolt": int(wizard.used_bolt),
        }
        row |= {name: phase.turns_left(wizard, kind) for name, kind in WINDOW_FIELDS}
        row |= phase.active_effects(wizard)
        if phase.has_left(wizard):
            self.stopped[wizard.id] = row["tstop"]
        elif wizard.standing != STANDING:
            row["tstop"] = self.stopped[wizard.id]
        return row | phase.waiting_mind_spell(wizard, wizard.effects)

    def _monster_states(self, phase: "_Phase") -> list[Row]:
        for event in phase.events:
            match event:
                case Summoned(monster=id, kind=kind, controller=owner):
                    self.monsters[id] = {"kind": kind, "owner": SEATS[owner]}
                case Controlled(monster=id, controller=owner) if owner:
                    self.monsters[id]["owner"] = SEATS[owner]
                case Raised(subject=id, wizard=owner) if id in self.monsters:
                    self.monsters[id]["owner"] = SEATS[owner]
                case _:
                    pass
        here = {monster.id: monster for monster in phase.after.monsters}
        rows: list[Row] = []
        for id, known in self.monsters.items():
            monster = here.get(id)
            corpse = int(monster is not None and monster.state == CORPSE)
            row = known | {"alive": 0, "corpse": corpse}
            if monster is not None and monster.state == ALIVE:
                known["owner"] = SEATS[monster.controller]
                row |= known | {"alive": 1} | self._living_monster_state(phase, monster)
            rows.append(row)
        return rows

    def _living_monster_state(self, phase: "_Phase", monster: Monster) -> Row:
        now = first_mind_spell(phase.after.rules, monster.effects)
        row: Row = {
            "nocorpse": int(monster.is_elemental and not monster.raised),
            "last": monster.victim or "-",
            "now": now or None,
            "shield": phase.shield_flag(monster.id),
        }
        return (
            row | phase.active_effects(monster) | phase.waiting_mind_spell(monster, monster.waiting)
        )


class _Phase:
    """One phase: the positions before and after it, and its events."""

    def __init__(self, before: Position, after: Position, events: Sequence[Event]) -> None:
        self.before = before
        self.after = after
        self.events = events
        self.next_turn = before.turn + (1 if before.kind == NORMAL else 0)

    def is_alive(self, wizard: Wizard) -> bool:
        """Return whether the recordings count a wizard as alive, even after the last surrender."""
        if wizard.standing == SURRENDERED and self.after.outcome:
            return self.before.wizard(wizard.id).standing == STANDING
        return wizard.standing == STANDING

    def turns_left(self, being: Being, kind: str) -> int:
        effect = being.effects.get(kind)
        return 0 if effect is None else effect.last - self.next_turn + 1

    def active_effects(self, being: Being) -> Row:
        """Return the active effects, each with its turns left, or with 0 or 1."""
        row = {name: self.turns_left(being, kind) for name, kind in TIMED_EFFECTS}
        row |= {
            name: self.turns_left(being, kind) if kind in being.effects else -1
            for name, kind in ILLNESS_FIELDS
        }
        row["rh"] = int("resist_heat" in being.effects)
        row["rc"] = int("resist_cold" in being.effects)
        row["hp"] = being.damage_limit(self.after.rules) - being.damage
        row["tstop"] = self.extra_phase_code(being)
        return row | self.permanent_flags(being)

    def extra_phase_code(self, being: Being) -> int:
        """Return 1 if the being has an extra phase next, 2 if it would have had one, otherwise 0.

        The value 2 is used for wizards who have left, and at the end of the duel.
        """
        if being.id in self.after.stopped:
            return 1
        stays = not self.after.outcome and not self.has_left(being)
        if stays or self._died_of_wounds(being.id):
            return 0
        stopped = 0
        for event in self.events:
            match event:
                case TimeStopped(subject=id) if id == being.id:
                    stopped = 2
                case Removed(subject=id, effect="time_stop") if id == being.id:
                    stopped = 0
                case _:
                    pass
        if not stopped and self.before.kind == EXTRA and being.id in self.before.stopped:
            return 1
        return stopped

    def has_left(self, being: Being) -> bool:
        """Return whether the being is a wizard who left the duel in this phase."""
        if not isinstance(being, Wizard) or being.standing == STANDING:
            return False
        return self.before.wizard(being.id).standing == STANDING

    def _died_of_wounds(self, id: str) -> bool:
        return any(
            isinstance(event, Died) and event.subject == id and event.cause not in _ILLNESS_CAUSES
            for event in self.events
        )

    def permanent_flags(self, being: Being) -> Row:
        flags: Row = {
            name: int(kind in being.effects and being.effects[kind].permanent)
            for name, kind in PERMANENT_FLAGS
        }
        kind = first_mind_spell(self.after.rules, being.lasting)
        if not kind and not any(flags.values()):
            return {}
        flags["mind"] = kind or None
        effect = being.lasting.get(kind)
        if effect is None:
            return {"perm": flags}
        if kind == "charm_monster":
            flags["detail"] = SEATS[effect.caster]
        elif kind == "paralysis" and isinstance(being, Wizard):
            flags["detail"] = effect.hand
        elif kind in ("confusion", "charm_person"):
            fixed = (
                effect.sets[0]
                if effect.sets
                else effect.hand + with_recorded_letters(effect.letter)
            )
            flags["detail"] = fixed if effect.sets or effect.letter else None
        return {"perm": flags}

    def waiting_mind_spell(self, being: Being, waiting_effects: Mapping[str, Effect]) -> Row:
        """Return the mind spell that will affect the being's next move, with its details."""
        kind = first_mind_spell(self.after.rules, waiting_effects)
        row: Row = {"mind": kind or None}
        if kind == "confusion":
            row["marg"] = int(waiting_effects[kind].permanent)
        elif kind == "paralysis" and isinstance(being, Wizard):
            row["marg"] = waiting_effects[kind].hand
        elif kind == "charm_person":
            effect = waiting_effects[kind]
            row["marg"] = "fixed" if effect.letter else [SEATS[effect.caster], effect.hand]
        elif kind == "charm_monster":
            row["marg"] = SEATS[waiting_effects[kind].caster]
        return row

    def added_rows(self, wizard: str) -> list[list[object]]:
        """Return the rows added to the wizard's history: letters, `AA` (break) or `--` (death)."""
        made: list[str] = []
        deaths: list[str] = []
        for event in self.events:
            match event:
                case Gestured(wizard=who, left=left, right=right) if who == wizard:
                    made.append(with_recorded_letters(left + right))
                case Broke(wizard=who) if who == wizard:
                    made.append("AA")
                case Died(subject=who, cause=cause) if (
                    who == wizard and cause not in _ILLNESS_CAUSES
                ):
                    deaths.append("--")
                case _:
                    pass
        stopped = self.before.kind == EXTRA
        unseen = stopped or self._had_effect(self.before.wizard(wizard), "invisibility")
        blind = sum(1 << w.seat for w in self.before.wizards if self._had_effect(w, "blindness"))
        rows = [(row, unseen) for row in made] + [(row, stopped) for row in deaths]
        return [[row, int(mark), blind] for row, mark in rows]

    def _had_effect(self, wizard: Wizard, kind: str) -> bool:
        effect = wizard.effects.get(kind)
        return effect is not None and effect.is_active(self.before.turn)

    def shield_flag(self, id: str) -> int | None:
        """Return 1 if the being had any kind of shield, otherwise 0; None in a haste phase."""
        if self.before.kind == HASTE:
            return None
        being = self.before.being(id)
        in_time = self.before.kind != EXTRA or id in self.before.stopped
        protected = False
        if being is not None and is_alive(being):
            protected = "protection_from_evil" in being.effects
        shielded = False
        for event in self.events:
            match event:
                case Guarded(subject=who, spell=spell) if who == id and spell != "magic_mirror":
                    shielded = True
                case Enchanted(subject=who, spell="protection_from_evil") if who == id:
                    protected = True
                case Removed(subject=who, effect="protection_from_evil") if who == id:
                    protected = False
                case Raised(subject=who) if who == id:
                    protected = False
                case _:
                    pass
        return int(shielded or (protected and in_time))
