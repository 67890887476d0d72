"""The structure of a ruleset. Each point of the rules on which sources differ is a named field."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from engine.gestures import Automaton, build_automaton, is_two_handed
from engine.rulesets import choices
from engine.rulesets.rows import (
    UNIQUE_EFFECTS,
    OwningPhase,
    errors_of_rows,
    owning_phase,
    spell_with_effect,
    unsupported_kinds,
)
from engine.rulesets.unsupported_values import unsupported_points, unsupported_values
from engine.spellbook import (
    MONSTER_KINDS,
    STAB_ROW,
    CasterDecision,
    Duration,
    Guard,
    HandEffect,
    MonsterKind,
    Spell,
    VictimEffect,
)


@dataclass(frozen=True, slots=True)
class CompletablePattern:
    """One pattern of one spell that a hand can complete."""

    spell: Spell
    pattern: str
    both: bool  # whether its last gesture uses up both hands. rules: R4
    once: bool  # whether it can be cast only once in a duel. rules: R18


SORT_BY_PREFERENCE: Final[
    Mapping[choices.Preference, Callable[[CompletablePattern], tuple[int, int]]]
] = {
    choices.Preference.LONGEST: lambda end: (-len(end.pattern), not end.both),
    choices.Preference.BOTH_HANDS: lambda end: (not end.both, -len(end.pattern)),
}
"""Sort keys of completed spells. If two are equal, the left hand's comes first. rules: R7, W2"""


HAND_EFFECTS: Final = tuple(HandEffect)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A complete set of rules. Every field except the first three settles one point."""

    id: str
    name: str
    description: str
    spells: Mapping[str, Spell]
    # The automaton of all patterns. Sequences begun in a state are sorted, fewest missing first.
    automaton: Automaton
    # All patterns that a hand can complete, by the automaton's pattern number.
    completables: tuple[CompletablePattern, ...]
    # The patterns that a hand has just completed, by automaton state, the preferred one first.
    ends: tuple[tuple[CompletablePattern, ...], ...]
    # By automaton state, whether one more gesture may complete a spell that asks a question.
    asks: tuple[bool, ...]
    # The name of the order in which the phases of a turn are played (`resolve.ORDERS_OF_PLAY`).
    order_of_play: str = choices.SEALED
    # The ruleset's own names for gestures, by letter. rules: R20
    gesture_names: Mapping[str, str] = field(default_factory=dict[str, str])
    # The order in which a report lists a turn's spells; () for the order of seats. rules: R26
    order_of_log: tuple[str, ...] = ()
    # Whether the subject of Summon Elemental, not its caster, chooses fire or ice. rules: R63
    subject_picks_element: bool = True
    # Whether Remove Enchantment destroys monsters made for its subject this turn. rules: R51
    removal_unmakes_summons: bool = True
    # Whether two elementals of one kind become one; otherwise one of them is destroyed. rules: R65
    elementals_merge: bool = True
    # Whether an active mind spell stops a new one of another kind. rules: R78
    minds_in_force_cancel: bool = False
    # Whether a released spell gets past counter-spells. rules: R105
    release_ignores_counter: bool = False
    # The actions that fail if their subject is not seen. rules: R95, W33
    misses: choices.MissRule = choices.MissRule.DAMAGE
    # Whether blind wizards see everything except gestures. rules: R94
    blind_sense_spells: bool = False
    # Whether casts of unseen hands are reported, not only their effects. rules: W33
    unseen_casts_told: bool = True
    # The first lines of the report before turn 1. rules: R115
    opening: tuple[str, ...] = ("facing", "dispelled", "broken")
    # Whether the winner takes markers from the losers. rules: R114
    markers: bool = False
    # The questions asked after the reveal. rules: R9
    asking: choices.QuestionMode = choices.QuestionMode.AFTER_MAGIC
    # The way in which hasted wizards make extra sets. rules: R97, W9
    haste: choices.HasteMode = choices.HasteMode.TWO_SETS
    # The turns on which mind spells act. rules: R79, R168, W16
    minds: choices.MindTiming = choices.MindTiming.BY_TURN
    # The letter that a paralysed hand makes after each of these; it repeats all others. rules: R80
    paralysed: Mapping[str, str] = field(default_factory=lambda: {"C": "F", "S": "D", "W": "P"})
    # The letters that a frightened hand can make. rules: R87
    under_fear: str = "PW>-"
    # The letters on the die for a confused hand. rules: spell:confusion
    confused: str = "CDFPSW"
    # The hands that time-stopped wizards see in an extra turn. rules: R121
    stopped_sight: choices.StoppedSightMode = choices.StoppedSightMode.EACH_OTHER
    # The way to determine the opponent if no target is named. rules: R13
    opponent: choices.OpponentRule = choices.OpponentRule.NEXT_SEAT
    # The possible subjects of a stab, and its damage. rules: R17
    stab: Spell = STAB_ROW
    # The result of two stabs in one set. rules: R16
    two_stabs: choices.TwoStabs = choices.TwoStabs.REFUSED
    # Whether spells and stabs can be aimed at monsters made in the same turn. rules: R14
    subjects_to_come: bool = True
    # The victims of monsters without orders. rules: R161
    unordered: choices.DefaultVictim = choices.DefaultVictim.LAST_VICTIM
    # The effect of an open delay while a spell is already banked. rules: R104
    full_bank: choices.FullBank = choices.FullBank.KEEPS
    # The time at which the caster of a paralysis or a charm names the hand. rules: R81, W18
    hand_named: choices.HandNamingTime = choices.HandNamingTime.WHEN_IT_WORKS
    # The spell that an open delay or permanency is used on. rules: R103, W34, W35
    capture: choices.CaptureRule = choices.CaptureRule.WHATEVER_COMES
    # Whether a spell is banked together with its subject. rules: W34
    bank_keeps_subject: bool = False
    # Whether everyone sees which spell is banked. rules: W34
    bank_is_public: bool = False
    # Whether wizards under a permanent mind spell can order their own death. rules: W27
    hearts_stop: bool = False
    # Whether permanent confusions and charms repeat what they did first. rules: R173
    lasting_minds_repeat: bool = True
    # Whether an illness takes as long to kill a monster as a wizard. rules: W31
    illness_waits_in_monsters: bool = True
    # Whether no illness kills wizards on the turn on which they surrender. rules: R112, W31
    illness_spares_the_surrendering: bool = True
    # Whether a one-time spell can be cast again, without any effect. rules: R18
    spent_fizzles: bool = False
    # The spell that is preferred among several completed ones. rules: R7, W2
    preference: choices.Preference = choices.Preference.LONGEST
    # Whether a one-time spell that a Dispel Magic stops can still be cast later. rules: R18, W5
    dispelled_is_unspent: bool = False
    # Whether monsters that are killed leave corpses. rules: R56, W1
    corpses: bool = True
    # Whether guards and summons aimed at a new monster wait for it to exist. rules: R14, R134, W36
    early_spells_wait: bool = True
    # Whether a turn's monsters are made in the order of their kinds. rules: W38
    summons_by_kind: bool = False
    # Whether a spell between two mirrors is lost; otherwise it hits its caster. rules: R41, W37
    mirrors_meet: bool = True
    # Whether a paralysis or charm that a monster's mirror sends back still works. rules: R43, W37
    monsters_direct_reflections: bool = True
    # Whether the newer of two elementals of one kind stays, if they do not merge. rules: R65, W43
    newer_elemental_stays: bool = False
    # Whether elementals are immune to spells of their own element. rules: R68, W43
    elementals_immune: bool = False
    # Whether storms clash with each other before they clash with elementals. rules: R66, W44
    storms_meet_first: bool = False
    # Whether a monster can be ordered to attack itself. rules: R74, W39
    can_attack_itself: bool = False
    # Whether the monsters of a wizard who is out keep attacking. rules: R73, W39
    monsters_outlast_masters: bool = False
    # Whether a report lists the deaths of monsters from youngest to oldest. rules: W40
    youngest_die_first: bool = False
    # Whether banked spells survive removals and Dispel Magic. rules: R53, W30, W32
    keeps_bank: bool = False
    # Attack and hit points of monsters. rules: spell:summon_goblin to spell:summon_elemental
    monsters: Mapping[str, MonsterKind] = field(default_factory=lambda: MONSTER_KINDS)
    # The damage at which a wizard dies. rules: R109
    wizard_hit_points: int = 15
    # The points above the starting hit points that cures can give. rules: R30, W4
    surplus: int = 0
    # Whether cures are applied before the turn's damage, not together with it. rules: R30, W4
    cures_first: bool = False
    # Whether two mind spells of the same kind on one being cancel each other. rules: R76, W14
    same_minds_cancel: bool = False
    # Whether mind spells on monsters act on the turn of casting, not on the next. rules: R79, W15
    minds_strike_monsters_at_once: bool = False
    # Whether letters forbidden by fear are rejected, and do not become idle hands. rules: R87, W24
    fear_refuses: bool = True
    # Whether the sets of an Anti-spell's turn count as idle hands. rules: R93, W25
    anti_spell_blanks: bool = False
    # Whether the only wizard alive after the deaths wins, even after surrendering. rules: W48
    death_before_surrender: bool = False
    # The ruleset as changed by its own options, by the set of options. rules: W21, W23
    variants: Mapping[frozenset[str], "Ruleset"] = field(
        default_factory=dict[frozenset[str], "Ruleset"]
    )
    # Cache of `casting.default_choice`.
    chosen: dict[int, Any] = field(init=False, compare=False, repr=False)
    # All of the following fields are derived from the spells.
    illnesses: tuple[str, ...] = field(init=False)
    # The id of the resistance to each element.
    resistances: Mapping[str, str] = field(init=False)
    # Spells that destroy monsters before they attack.
    destroyers: tuple[Spell, ...] = field(init=False)
    spells_that_ask: frozenset[str] = field(init=False)
    # By automaton state, whether a hand has just completed a spell that asks a question.
    ends_that_ask: tuple[bool, ...] = field(init=False)
    # The id of the storm of each element.
    storms: Mapping[str, str] = field(init=False)
    # Spells that make monsters, in the order of the book.
    summons: tuple[str, ...] = field(init=False)
    # Spells that damage one being, and the stab, the weakest first.
    strikers: tuple[str, ...] = field(init=False)
    # Spells that cure damage, the weakest first.
    cures: tuple[str, ...] = field(init=False)
    slayers: tuple[str, ...] = field(init=False)
    raisers: tuple[str, ...] = field(init=False)
    # Mind spells, in the order of the book.
    mind_spells: tuple[str, ...] = field(init=False)
    # The effect on a wizard's hands of each mind spell that has one.
    hands_under: Mapping[str, HandEffect] = field(init=False)
    # The victim of a monster under each mind spell that decides it.
    victims_under: Mapping[str, VictimEffect] = field(init=False)
    # Each of these fields is the id of the spell with one effect, or "": see `rows.UNIQUE_EFFECTS`.
    shielding: str = field(init=False)
    # The enchantment that is a lasting shield.
    protecting: str = field(init=False)
    countering: str = field(init=False)
    mirroring: str = field(init=False)
    dispelling: str = field(init=False)
    removing: str = field(init=False)
    blinding: str = field(init=False)
    hiding: str = field(init=False)
    hastening: str = field(init=False)
    banking: str = field(init=False)
    extending: str = field(init=False)
    holding: str = field(init=False)
    charming: str = field(init=False)
    breaking: str = field(init=False)
    sacrificing: str = field(init=False)
    stopping: str = field(init=False)
    # The id of the spell that gives each guard for one turn.
    guarding: Mapping[str, str] = field(init=False)
    # Spells that wait for another spell to act on: the delay, then the permanency.
    windows: tuple[str, ...] = field(init=False)
    # Spells that change a wizard's gestures, or the number of sets.
    binding: frozenset[str] = field(init=False)
    # The place of the extra turns of time-stopped wizards. rules: R98, R99
    time_stop: choices.TimeStopMode = field(init=False)
    # Whether a time stop gives actions before later turns. rules: R99
    acts_before_turns: bool = field(init=False)

    def __post_init__(self) -> None:
        """Derive the computed fields, and check that the order of play supports the ruleset.

        If Time Stop lasts several turns, it gives an action before each of them; otherwise it gives
        an extra turn. Raises ValueError for unsupported values, with the reason.
        """
        object.__setattr__(self, "chosen", {})
        rank = SORT_BY_PREFERENCE[self.preference]
        object.__setattr__(self, "ends", tuple(tuple(sorted(e, key=rank)) for e in self.ends))
        for name, value in (
            *self._fields_naming_spells(),
            *self._fields_listing_spells(),
            *self._fields_of_mind_spells(),
        ):
            object.__setattr__(self, name, value)
        time_stop = self._time_stop_mode()
        object.__setattr__(self, "time_stop", time_stop)
        object.__setattr__(
            self, "acts_before_turns", time_stop is choices.TimeStopMode.BEFORE_TURNS
        )
        rows = self.spells.values()
        found = list(unsupported_values(self.order_of_play, partial(getattr, self)))
        found += errors_of_rows(self.order_of_play, rows)
        found += unsupported_kinds(self.monsters)
        found += unsupported_points(self.wizard_hit_points, self.surplus)
        if found:
            raise ValueError(f"{self.id}: {'; '.join(found)}")

    def _fields_naming_spells(self) -> Iterator[tuple[str, object]]:
        """Yield the fields that name the spell with an effect, and fields derived from them."""
        named = {name: spell_with_effect(name, self.spells.values()) for name in UNIQUE_EFFECTS}
        yield from named.items()
        yield "windows", tuple(filter(None, (named["banking"], named["extending"])))
        yield (
            "guarding",
            {
                Guard.SHIELD: named["shielding"],
                Guard.COUNTER: named["countering"],
                Guard.MIRROR: named["mirroring"],
            },
        )

    def _fields_listing_spells(self) -> Iterator[tuple[str, object]]:
        """Yield the fields that list spells by the contents of their rows."""
        rows = self.spells.values()
        yield "illnesses", tuple(row.id for row in rows if row.is_illness)
        yield "destroyers", tuple(row for row in rows if row.destroys)
        asking = frozenset(row.id for row in rows if row.asks is not CasterDecision.NOTHING)
        yield "spells_that_ask", asking
        yield "ends_that_ask", tuple(any(end.spell.id in asking for end in e) for e in self.ends)
        yield "resistances", {row.resists: row.id for row in rows if row.resists}
        yield "storms", {row.element: row.id for row in rows if row.element and row.is_area}
        weakest_first = sorted((*rows, self.stab), key=lambda row: row.amount)
        yield (
            "strikers",
            tuple(row.id for row in weakest_first if owning_phase(row) is OwningPhase.STRIKES),
        )
        yield (
            "cures",
            tuple(row.id for row in weakest_first if owning_phase(row) is OwningPhase.CURES),
        )
        yield "summons", tuple(row.id for row in rows if row.monster)
        yield "slayers", tuple(row.id for row in rows if row.slays)
        yield "raisers", tuple(row.id for row in rows if row.raises)

    def _fields_of_mind_spells(self) -> Iterator[tuple[str, object]]:
        """Yield the fields for the effects of mind spells on hands and monsters."""
        rows = self.spells.values()
        yield "mind_spells", tuple(row.id for row in rows if row.mind)
        hands = {row.id: row.hands for row in rows if row.hands is not HandEffect.FREE}
        yield "hands_under", hands
        yield "binding", frozenset({*hands, spell_with_effect("hastening", rows)})
        hardest_first = sorted(rows, key=lambda row: HAND_EFFECTS.index(row.hands))
        victims = ((row.id, row.victims) for row in hardest_first)
        yield (
            "victims_under",
            {id: kept for id, kept in victims if kept is not VictimEffect.ORDERED},
        )

    def _time_stop_mode(self) -> choices.TimeStopMode:
        """Return the place of the extra turns of time-stopped wizards. rules: R98, R99, W12

        If Time Stop lasts several turns, it gives an action before each of them.
        """
        if self.stopping and self.spells[self.stopping].lasts is not Duration.INSTANT:
            return choices.TimeStopMode.BEFORE_TURNS
        if self.order_of_play == choices.STEPWISE:
            return choices.TimeStopMode.OWN_PHASE
        if self.order_of_play == choices.NUMBERED:
            return choices.TimeStopMode.OWN_TURN
        return choices.TimeStopMode.AFTER_TURN

    @property
    def options(self) -> tuple[str, ...]:
        """The duel options that change the rules under this ruleset."""
        return tuple(sorted(frozenset[str]().union(*self.variants)))

    @property
    def spell_names(self) -> dict[str, str]:
        """The names of the spells by id."""
        return {spell.id: spell.name for spell in self.spells.values()}

    def under(self, options: Collection[str]) -> "Ruleset":
        """Return the rules of a duel with these options. Some options do not change the rules."""
        if not self.variants:
            return self
        in_force = frozenset(option for option in options if option in self.options)
        return self.variants[in_force] if in_force else self


def with_spell(ruleset: Ruleset, id: str, spell: Spell) -> Ruleset:
    """Return the ruleset after replacing a spell with another that has the same gestures."""
    assert ruleset.spells[id].patterns == spell.patterns

    def put(end: CompletablePattern) -> CompletablePattern:
        return replace(end, spell=spell) if end.spell.id == id else end

    return replace(
        ruleset,
        spells={
            (spell.id if row.id == id else row.id): (spell if row.id == id else row)
            for row in ruleset.spells.values()
        },
        completables=tuple(map(put, ruleset.completables)),
        ends=tuple(tuple(map(put, ends)) for ends in ruleset.ends),
    )


def make_ruleset(
    id: str, *, name: str, description: str, spells: Sequence[Spell], **switches: Any
) -> Ruleset:
    """Return a ruleset with these spells, in the book's order. `switches` sets other fields.

    Raises ValueError if two spells share an id or a pattern.
    """
    patterns = [(spell, pattern) for spell in spells for pattern in spell.patterns]
    if len({pattern for _, pattern in patterns}) != len(patterns):
        raise ValueError(f"{id}: two spells share a pattern")
    if len({spell.id for spell in spells}) != len(spells):
        raise ValueError(f"{id}: two spells share an id")
    automaton = _with_sorted_sequences(
        build_automaton(tuple(pattern for _, pattern in patterns)), patterns
    )
    completables = tuple(
        CompletablePattern(spell, pattern, is_two_handed(pattern), pattern == spell.once_by)
        for spell, pattern in patterns
    )
    return Ruleset(
        id=id,
        name=name,
        description=description,
        spells={spell.id: spell for spell in spells},
        automaton=automaton,
        completables=completables,
        ends=tuple(tuple(completables[n] for n in state) for state in automaton.completes),
        asks=tuple(
            any(completables[n].spell.asks is not CasterDecision.NOTHING for n in reach)
            for reach in automaton.reach
        ),
        **switches,
    )


def _with_sorted_sequences(
    automaton: Automaton, patterns: Sequence[tuple[Spell, str]]
) -> Automaton:
    """Return the automaton with the begun sequences of each state sorted, fewest missing first."""

    def rank(row: tuple[int, int]) -> tuple[int, int, str]:
        number, done = row
        spell, pattern = patterns[number]
        return len(pattern) - done, -done, spell.id

    return replace(
        automaton, begun=tuple(tuple(sorted(rows, key=rank)) for rows in automaton.begun)
    )
