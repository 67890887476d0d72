"""All moves of one rival that could harm the observer in the coming turn, according to the view.

Moves with the same spells and stabs count as one move. Spells that do not harm anyone in the coming
turn are ignored.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import engine.play
from duels.practice.legal import without_illegal_orders
from duels.practice.scenarios import states_after
from engine.orders import HandSet, Orders
from engine.play import (
    ALIVE,
    CORPSE,
    STAB,
    STOPPING_GUARDS,
    SURRENDER_PAIR,
    Completion,
    RemovalEffect,
    SetSheet,
    Spell,
    SpellClass,
)

# The code of elementals as monsters, and of the question about an elemental's element.
ELEMENTAL: Final = "elemental"
ELEMENTS: Final = ("fire", "ice")
KILLING_HARM: Final = 99  # assumed damage of a spell that kills regardless of hit points
# Assumed damage of a spell that interferes with the wizard's own spells.
UNDOING_HARM: Final = 3.0


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell that a hand may cast on a subject."""

    hand: str
    spell: str
    subject: str


class RivalMoves:
    """The moves that a rival can make against a wizard in a simulated position.

    `letters` contains the gestures that each of the rival's hands can make.
    """

    def __init__(
        self, position: engine.play.Position, rival: str, wizard: str, letters: tuple[str, str]
    ) -> None:
        self.position = position
        self.rival = rival
        self.wizard = wizard
        self.letters = letters
        self.rules = position.rules

    def legal_moves(self, max_sets: int) -> list[Orders]:
        """Return all legal moves, with all combinations of spells, subjects, elements and releases.

        Consider at most `max_sets` sets, or pairs of sets if the rival is hasted.
        """
        found: dict[str, Orders] = {}
        for sets in self._sets_by_harm()[:max_sets]:
            for released in self._with_releases(Orders(sets=sets)):
                for orders in self._with_banked_spells(released):
                    legal = without_illegal_orders(
                        self.position, self.rival, self._with_victims(orders)
                    )
                    found.setdefault(repr(legal), legal)
        return list(found.values())

    def _sets_by_harm(self) -> list[tuple[HandSet, ...]]:
        """Return the rival's sets, or pairs of sets for a hasted rival, most harmful first."""
        sheet = engine.play.sheet(self.position, self.rival)
        if not sheet.acts:
            return [()]
        is_hasted = len(sheet.sets) > 1
        found: list[tuple[HandSet, ...]] = []
        for pair, casts in self._gesture_pairs_with_casts(
            sheet.sets[0], precedes_second_set=is_hasted
        ):
            firsts = list(self._sets_with_casts(pair, casts))
            if not is_hasted:
                found += [(first,) for first in firsts]
                continue
            draft = Orders(sets=(HandSet(pair[0], pair[1]),))
            second = engine.play.sheet(self.position, self.rival, draft).sets[1]
            seconds = [
                made
                for after, later in self._gesture_pairs_with_casts(
                    second, precedes_second_set=False
                )
                for made in self._sets_with_casts(after, later)
            ]
            found += product(firsts, seconds)
        return sorted(found, key=self._estimated_harm, reverse=True)

    def _gesture_pairs_with_casts(
        self, hands: SetSheet, *, precedes_second_set: bool
    ) -> list[tuple[str, list[list[Cast]]]]:
        """Return pairs of gestures, with the casts that each pair makes possible.

        Pairs with the same casts and stabs count as one. Before a second set in the same turn
        (`precedes_second_set`), they count as one only if they leave the hands in the same states.
        If a spell must be banked, they count as one only if the same hands complete spells, because
        the rival could bank a harmless one.
        """
        own = self.position.wizard(self.rival)
        states = (own.left_state, own.right_state)
        is_banking = self.rules.banking in own.effects
        found: dict[object, tuple[str, list[list[Cast]]]] = {}
        for left, right in product(*self.letters):
            pair = left + right
            if pair in (SURRENDER_PAIR, STAB * 2):
                continue
            rows = hands.completions.get(pair, ())
            casts = self._relevant_casts(rows)
            after = states_after(self.rules, states, pair) if precedes_second_set else ()
            completing = frozenset(row.hand for row in rows) if is_banking else ()
            found.setdefault((repr(casts), STAB in pair, after, completing), (pair, casts))
        return list(found.values())

    def _estimated_harm(self, sets: Sequence[HandSet]) -> tuple[bool, float]:
        """Return whether these sets would probably kill, and a rough estimate of their harm.

        A guard against spells protects the wizard from blows, too.
        """
        spells = [self.rules.spells[spell] for made in sets for spell in made.spells.values()]
        undone = UNDOING_HARM * sum(map(self._may_undo_guards, spells))
        blows = sum(map(self._damage_by_spell, spells))
        blows += sum(STAB in made.pair for made in sets)
        if any(map(self._guards_wizard, sets)):
            blows = 0
        own = self.position.wizard(self.wizard)
        attacks = sum(self._attacks_of("", *self._rivals()))
        points = own.damage_limit(self.rules) - own.damage - attacks
        return blows >= points, blows + undone + len(spells) / 2

    def _damage_by_spell(self, spell: Spell) -> int:
        if spell.gives_up:
            return max(self._attacks_of(self.rival), default=0)
        return KILLING_HARM if spell.slays else spell.amount

    def _guards_wizard(self, made: HandSet) -> bool:
        """Return whether the set casts a guard on the wizard that also stops the rival's spells."""
        return any(
            self.rules.spells[spell].guard in STOPPING_GUARDS
            and made.subjects.get(hand) == self.wizard
            for hand, spell in made.spells.items()
        )

    def _attacks_of(self, *controllers: str) -> list[int]:
        """Return the damage by each living monster that obeys one of these wizards."""
        return [
            self.rules.monsters[monster.kind].attack
            for monster in self.position.monsters
            if monster.state == ALIVE and monster.controller in controllers
        ]

    def _may_undo_guards(self, spell: Spell) -> bool:
        """Return whether the spell may stop, reflect, end or bank the wizard's own spells."""
        return (
            spell.guard in STOPPING_GUARDS
            or spell.unmakes is not RemovalEffect.NOTHING
            or spell.id == self.rules.banking
        )

    def _relevant_casts(self, completions: Sequence[Completion]) -> list[list[Cast]]:
        """Return each hand's possible casts that matter in the coming turn."""
        hands = dict.fromkeys(row.hand for row in completions)
        found = [
            [
                Cast(hand, row.spell, subject)
                for row in completions
                if row.hand == hand
                for subject in self._harmful_subjects(self.rules.spells[row.spell])
            ]
            for hand in hands
        ]
        return [casts for casts in found if casts]

    def _harmful_subjects(self, spell: Spell) -> list[str]:
        """Return subjects with which the spell can harm the wizard in the coming turn.

        "" is the default subject.
        """
        match spell:
            case Spell(takes_over=True):
                return self._living_monsters_of(self.wizard)[:2]
            case Spell(raises=True):
                return [m.id for m in self.position.monsters if m.state == CORPSE][:1]
            case Spell(hastens=True) | Spell(stops_time=True):
                return self._living_monsters_of(self.rival)[:1]
            case Spell(unmakes=RemovalEffect.ENCHANTMENTS):
                return [self.wizard]
            case Spell(unmakes=RemovalEffect.MAGIC):
                return [self.rival]
            case Spell(guard=guard) if guard in STOPPING_GUARDS:
                beings = [self.wizard] if guard is STOPPING_GUARDS[0] else self._rivals()
                free = self._living_monsters_of("")  # elementals, which the wizard may attack
                return [*beings, *self._living_monsters_of(self.rival)[:2], *free[:2]]
            case _ if spell.id == self.rules.banking:
                return [self.wizard]  # it may bank the wizard's guard. rules: R103
            case _ if spell.is_area or spell.monster:
                return [""]
            case Spell(class_=SpellClass.DAMAGING):
                return [self.wizard]
            case _:
                return []

    def _rivals(self) -> list[str]:
        """Return this rival, then the wizard's other rivals. This rival may guard any of them."""
        others = [each.id for each in self.position.wizards_in_duel() if each.id != self.wizard]
        return sorted(others, key=lambda id: id != self.rival)

    def _living_monsters_of(self, controller: str) -> list[str]:
        """Return the living monsters that obey this wizard, strongest first."""
        found = [
            m for m in self.position.monsters if m.state == ALIVE and m.controller == controller
        ]
        found.sort(key=lambda m: -self.rules.monsters[m.kind].attack)
        return [m.id for m in found]

    def _sets_with_casts(self, pair: str, casts: list[list[Cast]]) -> Iterator[HandSet]:
        """Yield the set with each combination of casts. Two-handed spells exclude all others."""
        stab = {
            hand: self.wizard for hand, letter in zip("LR", pair, strict=True) if letter == STAB
        }
        single = [hand for hand in casts if hand[0].hand in "LR"]
        both = [hand for hand in casts if hand not in single]
        choices = [*product(*single)] if single or not both else []
        choices += [(cast,) for hand in both for cast in hand]
        for chosen in choices:
            yield HandSet(
                pair[0],
                pair[1],
                {cast.hand: cast.spell for cast in chosen},
                stab | {cast.hand: cast.subject for cast in chosen if cast.subject},
            )

    def _with_releases(self, orders: Orders) -> Iterator[Orders]:
        """Yield the orders with each element of an elemental and each release of the bank."""
        made = [spell for hands in orders.sets for spell in hands.spells.values()]
        is_open = any(self.rules.spells[spell].monster == ELEMENTAL for spell in made)
        for element in ELEMENTS if is_open else ("",):
            chosen = replace(orders, answers={ELEMENTAL: element}) if element else orders
            yield chosen
            bank = self.position.wizard(self.rival).bank
            for subject in self._harmful_subjects(self.rules.spells[bank]) if bank else ():
                yield replace(chosen, release=True, release_subject=subject)

    def _with_banked_spells(self, orders: Orders) -> Iterator[Orders]:
        """Yield the orders with each spell that a Delayed Effect may bank. rules: R103"""
        if self.rules.banking not in self.position.wizard(self.rival).effects:
            yield orders
            return
        sheet = engine.play.sheet(self.position, self.rival, orders)
        hands = [
            hand
            for capture in sheet.captures
            if capture.kind == "bank" and not capture.hands
            for hand, _ in capture.candidates
        ]
        for hand in hands or [""]:
            yield replace(orders, bank=hand)

    def _with_victims(self, orders: Orders) -> Orders:
        """Return the orders with the wizard as the victim of every monster that can attack.

        A Sacrifice gives up the strongest monster, which attacks first. rules: R24
        """
        sheet = engine.play.sheet(self.position, self.rival, orders)
        if sheet.sacrifice is not None:
            given = [
                id for id in self._living_monsters_of(self.rival) if id in sheet.sacrifice.options
            ]
            orders = replace(orders, sacrifice="".join(given[:1]))
        victims: Mapping[str, tuple[str, ...]] = {
            monster.key: (self.wizard,) * monster.attacks
            for monster in sheet.monsters
            if self.wizard in monster.options
        }
        return replace(orders, victims=victims) if victims else orders
