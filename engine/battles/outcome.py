"""The engine's result of one turn, in the words of a battle's record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine import events
from engine.battles import words
from engine.battles.document import (
    Attack,
    BattleResult,
    Cast,
    DepartedWizard,
    Effect,
    ForcedSet,
    Illness,
    LivingMonster,
)
from engine.battles.resolution import PlayedTurn
from engine.battles.spell_fates import NO_FATE, CastSpell, SpellFates
from engine.ids import SEATS, is_monster, wizard_id
from engine.legality.hand_constraints import active_mind_spell
from engine.legality.scope import NO_ONE, is_acting
from engine.positions.position import (
    ALIVE,
    DRAW,
    STANDING,
    Monster,
    Position,
    Wizard,
    is_effect_active,
)
from engine.spellbook import TURNS_OF_DURATION, Guard, SpellClass

NO_ATTACK, NO_ATTACK_ORDERED, NO_VICTIM, PARALYSED = "none", "ordered_none", "missing", "paralysed"
IDLE_OUTCOMES: Final = (NO_ATTACK, NO_ATTACK_ORDERED, NO_VICTIM)
SIGHT_WORDS: Final = {"invisibility": "invisible", "blindness": "blind"}
_CAUSES_OF_LOST_SPELLS: Final = ("nowhere", "no_subject", "corpse")
_CAUSES_OF_MISSED_SPELLS: Final = ("blind", "unseen", "invisible", "too_early", "spent")
_FATE_OF_STOPPED_SPELL: Final = {
    "countered": "countered",
    "shield": "blocked",
    "resists": "resists",
}
"""Recorded codes for stopped spells.

A counter-spell is recorded as a shield if a shield would have stopped the spell.
"""
_CAUSES_OF_MIND_SPELL_CLASHES: Final = ("mind_conflict", "two_charmers", "mind_waits")
_CAUSES_OF_UNDONE_SPELLS: Final = (
    "removed",
    "cured",
    "already",
    "mind_in_force",
    "mind_lasts",
    "unsuitable",
    "storm",
    "no_master",
)
_SPELLS_THAT_DESTROY_AT_TURN_END: Final = ("dispel_magic", "remove_enchantment")
_RECORDED_CODE_OF_SPELL: Final = {
    "permanency": "glow",
    "delayed_effect": "glow",
    "disease": "sick",
    "poison": "sick",
}
_EFFECTS_FROM_EVENTS: Final = ("cure_light_wounds", "cure_heavy_wounds")
_FATE_OF_STOPPED_ATTACK: Final = {
    "shield": "shield",
    "invisible": "unseen",
    "blind": "unseen",
    "unseen": "unseen",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One turn as the engine resolved it.

    Effects in `perhaps_…` fields may be missing from a record.
    """

    kind: str
    rows: tuple[str, ...]
    grid: tuple[str, ...]
    forced: tuple[ForcedSet, ...]
    casts: tuple[Cast, ...]
    banks: tuple[int, ...]
    effects: tuple[Effect, ...]
    perhaps_effects: tuple[Effect, ...]
    attacks: tuple[Attack, ...]
    sick: tuple[Illness, ...]
    perhaps_sick: tuple[Illness, ...]
    deaths: tuple[str, ...]
    perhaps_deaths: tuple[str, ...]
    leavings: tuple[DepartedWizard, ...]
    hit_points: tuple[int | None, ...]
    monsters: tuple[LivingMonster, ...]
    elementals: tuple[LivingMonster, ...]
    result: BattleResult | None
    # The maximum that cures can heal, by being.
    room: Mapping[str, int]
    # Pairs of a being and a spell or elemental that it resists.
    resisted: frozenset[tuple[str, str]]


class OutcomeCollector:
    """Collector of a turn's outcome, from its events and the positions around it."""

    def __init__(self, before: Position, played: PlayedTurn) -> None:
        self.before = before
        self.after = after = played.after
        self.events = played.events
        self.kept = played.kept
        self.fates = SpellFates(played.events)
        self.monsters = {monster.id: monster for monster in before.monsters}
        self.monsters |= {monster.id: monster for monster in after.monsters}
        self.kinds = {id: monster.kind for id, monster in self.monsters.items()}
        made = (event for event in played.events if isinstance(event, events.Summoned))
        self.kinds |= {event.monster: event.kind for event in made}
        self.effects: list[Effect] = []
        self.perhaps: list[Effect] = []
        self.deaths: list[str] = []
        self.perhaps_deaths: list[str] = []

    def whole_outcome(self, ordered_victims: Mapping[str, str]) -> Outcome:
        """Return the whole outcome. `ordered_victims`: from this turn's orders, by monster."""
        for event in self.events:
            self.note_event(event)
        self.note_spells()
        self.note_sight_changes()
        sick, perhaps_sick = self.sickness_records()
        rows = self.gesture_rows()
        return Outcome(
            words.TURN_KIND_WORDS[self.before.kind],
            rows,
            self.final_grid_rows(rows),
            tuple(self.forced_sets()),
            self.fates.casts(),
            tuple(SEATS[event.wizard] for event in self.events if isinstance(event, events.Banked)),
            tuple(self.effects),
            tuple(self.perhaps),
            tuple(self.attack_records(ordered_victims)),
            sick,
            perhaps_sick,
            tuple(self.deaths),
            tuple(self.perhaps_deaths),
            tuple(self.departures()),
            tuple(
                wizard.damage_limit(self.before.rules) - self.after.wizard(wizard.id).damage
                if wizard.standing == STANDING
                else None
                for wizard in self.before.wizards
            ),
            self.living_monster_records(elementals=False),
            self.living_monster_records(elementals=True),
            result_of(self.after),
            {being.id: being.damage + self.before.rules.surplus for being in self.beings_before()},
            frozenset(self.resisted_spells()),
        )

    def beings_before(self) -> list[Wizard | Monster]:
        return [*self.before.wizards, *self.before.monsters]

    def living_monsters(self) -> list[Monster]:
        return [monster for monster in self.after.monsters if monster.state == ALIVE]

    def living_monster_records(self, *, elementals: bool) -> tuple[LivingMonster, ...]:
        return tuple(
            LivingMonster(
                monster.id,
                monster.damage_limit(self.before.rules) - monster.damage,
                monster.controller or words.NO_BEING,
                monster.kind,
                words.recorded_being(monster.victim),
            )
            for monster in self.living_monsters()
            if monster.is_elemental == elementals
        )

    # Gestures

    def gesture_rows(self) -> tuple[str, ...]:
        """Return the gestures made, by seat."""
        rows = [""] * len(self.before.wizards)
        for event in self.events:
            if isinstance(event, events.Gestured):
                rows[SEATS[event.wizard]] = event.left + event.right
        return tuple(rows)

    def final_grid_rows(self, rows: tuple[str, ...]) -> tuple[str, ...]:
        """Return the rows as the final grid shows them: sets undone by Anti-spell as idle hands."""
        broken = {effect.on for effect in self.effects if effect.code == "anti_spell"}
        return tuple(
            "--" if row and wizard_id(seat) in broken else row or words.BLANK_LETTER * 2
            for seat, row in enumerate(rows)
        )

    def forced_sets(self) -> Iterator[ForcedSet]:
        """Yield the sets of gestures that mind spells decided."""
        found: dict[int, ForcedSet] = {}
        for event in self.events:
            if isinstance(event, events.Overridden):
                seat = SEATS[event.wizard]
                hand = "" if seat in found else event.hand
                found[seat] = ForcedSet(seat, event.cause, hand)
        for wizard in self.before.wizards:
            mind = active_mind_spell(self.before, wizard) if is_acting(self.before, wizard) else ""
            if mind and wizard.seat not in found:
                found[wizard.seat] = ForcedSet(wizard.seat, mind, same=mind != "fear")
        for seat in sorted(found):
            yield found[seat]

    # Spells

    def note_spells(self) -> None:
        """Record the results of all casts by their codes."""
        clashed: list[str] = []
        storms: list[str] = [e.spell for e in self.events if isinstance(e, events.StormSpent)]
        for spell in self.fates.all:
            at = words.recorded_being(self.fates.being_id(spell.at))
            if spell.fate in _CAUSES_OF_MIND_SPELL_CLASHES:
                self.effects.append(self.effect_of_spell(spell, at))
                clashed.append(at)
            elif spell.fate in _CAUSES_OF_LOST_SPELLS:
                is_sure = spell.id != "anti_spell"  # rules: W28
                (self.effects if is_sure else self.perhaps).append(Effect("nobody", what=spell.id))
            elif spell.fate in _CAUSES_OF_MISSED_SPELLS:
                self.perhaps.append(Effect("nobody", what=spell.id))
            elif self.is_guard_void(spell):
                self.perhaps += [self.effect_of_spell(spell, at), Effect("countered", at, spell.id)]
            elif spell.fate in _FATE_OF_STOPPED_SPELL:
                stopped_by_shield = self.before.rules.spells[spell.id].shieldable
                code = "blocked" if stopped_by_shield else _FATE_OF_STOPPED_SPELL[spell.fate]
                self.effects.append(Effect(code, at, spell.id))
            elif spell.fate in _CAUSES_OF_UNDONE_SPELLS:
                recorded = self.effects if _is_useless(spell, at) else self.perhaps
                recorded.append(self.effect_of_spell(spell, at))
            elif spell.fate == NO_FATE:
                self.note_successful_spell(spell, at, storms)
        self.effects += [Effect("mind_cancel", at) for at in dict.fromkeys(clashed)]

    def is_guard_void(self, spell: CastSpell) -> bool:
        """Return whether a counter-spell on the same being makes this guard void.

        A record may list such a guard as effective or as countered.
        """
        row = self.before.rules.spells[spell.id]
        is_guard = row.guard in (Guard.SHIELD, Guard.MIRROR) and not row.is_enchantment
        return spell.fate == "countered" and is_guard

    def note_successful_spell(self, spell: CastSpell, at: str, storms: list[str]) -> None:
        row = self.before.rules.spells[spell.id]
        if spell.id == "dispel_magic":
            self.effects.append(Effect("dispel_magic"))
            if not words.is_future_being(at) and at != words.NO_BEING:
                self.effects.append(Effect("shield", at))
        elif row.is_area and not row.monster:
            raging = Effect(spell.id, what=spell.id)
            is_sure = spell.id not in storms and raging not in self.effects
            (self.effects if is_sure else self.perhaps).append(raging)
        elif row.monster or row.class_ is SpellClass.DAMAGING or spell.id in _EFFECTS_FROM_EVENTS:
            pass  # its events record the results
        elif (row.destroys and at in self.kinds) or (
            row.is_illness and at in self.departed_beings()
        ):
            self.perhaps.append(self.effect_of_spell(spell, at))
        else:
            self.effects.append(self.effect_of_spell(spell, at))
        if spell.id in SIGHT_WORDS:  # records may say that it begins again
            self.perhaps.append(Effect(f"{SIGHT_WORDS[spell.id]}_begins", at))

    def departed_beings(self) -> set[str]:
        """Return the beings that have left the battle by the end of this turn."""
        standing = {wizard.id for wizard in self.after.wizards if wizard.standing == STANDING}
        standing |= {monster.id for monster in self.living_monsters()}
        return {*self.kept, *self.kinds} - standing

    def effect_of_spell(self, spell: CastSpell, at: str) -> Effect:
        """Return the recorded effect of this successful spell."""
        code = _RECORDED_CODE_OF_SPELL.get(spell.id, spell.id)
        if _is_useless(spell, at):
            code = "charm_monster_useless"
        is_charm = self.before.rules.spells[spell.id].one_master
        return Effect(code, at, by=self.charmer(spell) if is_charm else "")

    def charmer(self, spell: CastSpell) -> str:
        """Return the charmer: the caster, or the owner of the mirror that returned the charm."""
        for event in self.events:
            if isinstance(event, events.Reflected) and (event.spell, event.wizard) == (
                spell.id,
                spell.by,
            ):
                return event.subject
        return spell.by

    def note_event(self, event: events.Event) -> None:
        """Record the effects that follow from this event alone."""
        match event:
            case events.Summoned():
                owner = event.controller or words.NO_BEING
                kind = event.kind
                self.effects.append(
                    Effect("created", monster=event.monster, kind=kind, owner=owner)
                )
            case events.Reflected():
                self.effects.append(Effect("reflected", event.subject, event.spell))
            case events.Extended():
                self.effects.append(Effect("permanent", event.wizard))
            case events.Cured():
                self.effects.append(Effect("heal", event.subject, event.spell, amount=event.amount))
                self.perhaps.append(Effect("full_health", event.subject))
            case events.Hit():
                self.note_hit(event)
            case events.Stopped():
                self.note_stopped_attack(event)
            case events.Died():
                self.deaths.append(event.subject)
            case events.Destroyed():
                self.note_destroyed(event)
            case _:
                pass

    def note_hit(self, event: events.Hit) -> None:
        source = self.attack_source(event)
        self.note_elemental_strike(event)
        if event.source == "finger_of_death":
            self.effects.append(Effect("finger_of_death", event.subject))
        elif event.source in ("cause_light_wounds", "cause_heavy_wounds"):
            self.effects.append(Effect("wounds", event.subject, event.source, amount=event.amount))
        elif source:
            self.effects.append(Effect("hit", event.subject, source, amount=event.amount))

    def note_elemental_strike(self, event: events.Hit | events.Stopped) -> None:
        """Record an elemental's strike, which records may list as a separate effect."""
        amok = Effect("amok", event.by)
        if self.kinds.get(event.by) in words.WORD_FOR_ELEMENTAL_STRIKE and amok not in self.perhaps:
            self.perhaps.append(amok)

    def note_stopped_attack(self, event: events.Stopped) -> None:
        source = self.attack_source(event)
        self.note_elemental_strike(event)
        if source and event.cause == "counter_spell":
            self.effects.append(Effect("spared", event.subject, source))
        elif source:
            code = "resists" if event.cause == "resists" else "blocked"
            recorded = self.effects if event.cause in ("resists", "shield") else self.perhaps
            recorded.append(Effect(code, event.subject, source))

    def note_destroyed(self, event: events.Destroyed) -> None:
        if event.cause in _SPELLS_THAT_DESTROY_AT_TURN_END:
            self.deaths.append(event.subject)
            self.perhaps.append(Effect("destroyed", event.subject, event.cause))
            return
        self.perhaps_deaths.append(event.subject)
        rules = self.before.rules
        if event.cause in rules.storms.values():
            own = rules.storms[rules.monsters[self.kinds[event.subject]].element] == event.cause
            code = "absorbed_by_storm" if own else "destroyed"
            self.effects.append(Effect(code, event.subject, event.cause))
        else:
            by_elemental = event.cause not in rules.spells  # records name it in different ways
            cause = "" if by_elemental else event.cause
            self.effects.append(Effect("destroyed", event.subject, cause))
        if event.cause in rules.spells and rules.spells[event.cause].amount:
            self.perhaps.append(Effect("hit", event.subject, event.cause))

    def attack_source(self, event: events.Hit | events.Stopped) -> str:
        """Return the spell or elemental that struck, or "" for stabs and other monsters."""
        if event.source in self.before.rules.spells:
            return event.source
        return words.WORD_FOR_ELEMENTAL_STRIKE.get(self.kinds.get(event.by, ""), "")

    def note_sight_changes(self) -> None:
        """Record which wizards become or stop being invisible or blind.

        When a wizard leaves or the battle ends, this may be missing from the record.
        """
        for wizard in self.before.wizards:
            after = self.after.wizard(wizard.id)
            for kind, word in SIGHT_WORDS.items():
                was = is_effect_active(wizard, kind, self.before.turn)
                will = is_effect_active(after, kind, self.after.turn)
                if was != will:
                    is_told = not self.after.outcome and after.standing == STANDING
                    is_told = is_told and (word, was) != ("blind", True)
                    if was:  # it is not recorded if it ended early
                        is_told = is_told and wizard.effects[kind].last <= self.before.turn
                    recorded = self.effects if is_told else self.perhaps
                    recorded.append(Effect(f"{word}_{'begins' if will else 'ends'}", wizard.id))

    # Blows

    def attack_records(self, ordered_victims: Mapping[str, str]) -> Iterator[Attack]:
        """Yield stabs and monsters' attacks, in order; strikes by elementals are effects."""
        seen: set[str] = set()
        for event in self.events:
            attack = self.attack_record(event, ordered_victims)
            if attack is None:
                continue
            if is_monster(attack.by):
                attack = attack._replace(is_second=attack.by in seen)
                seen.add(attack.by)
            yield attack

    def attack_record(
        self, event: events.Event, ordered_victims: Mapping[str, str]
    ) -> Attack | None:
        match event:
            case events.Hit(subject=at, amount=damage) if self.is_stab_or_attack(event):
                return Attack(event.by, "hit", at, damage)
            case events.Stopped(subject=at) if self.is_stab_or_attack(event):
                at = words.recorded_being(at)
                return Attack(event.by, _FATE_OF_STOPPED_ATTACK.get(event.cause, NO_VICTIM), at)
            case events.Idle(monster=by, cause=cause) if (
                self.kinds[by] not in words.WORD_FOR_ELEMENTAL_STRIKE
            ):
                at = ordered_victims.get(by, "")
                if cause in words.MIND_SPELLS and (
                    at or self.monsters[by].victim not in ("", NO_ONE)
                ):
                    return Attack(by, PARALYSED)
                if at == words.NO_BEING:
                    return Attack(by, NO_ATTACK_ORDERED)
                is_future = words.is_future_being(at)
                return Attack(by, NO_VICTIM, at) if is_future else Attack(by, NO_ATTACK)
            case _:
                return None

    def is_stab_or_attack(self, event: events.Hit | events.Stopped) -> bool:
        return event.source in ("stab", "attack") and not self.attack_source(event)

    # What lasts

    def sickness_records(self) -> tuple[tuple[Illness, ...], tuple[Illness, ...]]:
        """Return the turns left to sick wizards: those that records must contain, and others.

        The others are wizards who fell ill or left this turn. Those who fell ill may be cured in
        the same turn, and records may or may not count that turn.
        """
        recorded: list[Illness] = []
        perhaps: list[Illness] = []
        illnesses = self.before.rules.illnesses
        died = {
            e.subject for e in self.events if isinstance(e, events.Died) and e.cause in illnesses
        }
        for wizard in self.before.wizards:
            after = self.after.wizard(wizard.id)
            if wizard.id in died:
                recorded.append(Illness(wizard.seat, -1))
                continue
            if wizard.standing != STANDING:
                continue
            effects = self.kept[wizard.id].effects
            was_sick = any(each in wizard.effects for each in illnesses)
            for last in sorted(effects[each].last for each in illnesses if each in effects)[:1]:
                is_sure = was_sick and after.standing == STANDING
                (recorded if is_sure else perhaps).append(
                    Illness(wizard.seat, last - self.before.turn)
                )
            for spell in self.fates.all:
                if spell.id in illnesses and spell.at == wizard.id and not was_sick:
                    _, turns = TURNS_OF_DURATION[self.before.rules.spells[spell.id].lasts]
                    assert turns is not None
                    perhaps += [Illness(wizard.seat, turns), Illness(wizard.seat, turns + 1)]
        return tuple(recorded), tuple(perhaps)

    def resisted_spells(self) -> Iterator[tuple[str, str]]:
        """Yield each being with the spells and elementals that it resists in this turn."""
        rules = self.before.rules
        effects = {being.id: {*being.effects} for being in self.beings_before()}
        beings: list[Wizard | Monster] = [*self.after.wizards, *self.after.monsters]
        for being in beings:
            effects.setdefault(being.id, set()).update(being.effects)
        for id, kept in self.kept.items():
            effects[id].update(kept.effects)
        for element, resistance in rules.resistances.items():
            sources = [row.id for row in rules.spells.values() if row.element == element]
            sources += [rules.storms[element], words.WORD_FOR_ELEMENTAL_STRIKE[element]]
            for id, held in effects.items():
                if resistance in held:
                    yield from ((id, source) for source in sources)

    def departures(self) -> Iterator[DepartedWizard]:
        for wizard in self.before.wizards:
            how = self.after.wizard(wizard.id).standing
            if wizard.standing == STANDING and how != STANDING:
                yield DepartedWizard(wizard.seat, how)


def _is_useless(spell: CastSpell, at: str) -> bool:
    return spell.id == "charm_monster" and at in SEATS


def result_of(position: Position) -> BattleResult | None:
    """Return the result of the battle, or None if it is not over."""
    if not position.outcome:
        return None
    return BattleResult(None if position.outcome == DRAW else SEATS[position.outcome])
