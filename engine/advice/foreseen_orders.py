"""A foreseen turn, with the names of its beings and their sides.

A being has the name by which the wizard knows it: "you", "Bram", "the Red Goblin". rules: R94
"""

from dataclasses import dataclass
from typing import Final

from engine.events import (
    Banked,
    Cast,
    Controlled,
    Event,
    Failed,
    Raised,
    Reflected,
    Removed,
    Summoned,
)
from engine.gestures import BANK, BOTH, HAND_NAMES
from engine.ids import FUTURE_BEINGS, is_monster
from engine.legality.scope import NOWHERE
from engine.orders import Orders, SetField
from engine.positions.position import Monster, Position, Wizard
from engine.rules_text.wording import DRAWN_OPPONENT, PLACE_WORDS, future_being_text
from engine.rulesets.choices import HasteMode, MindTiming
from engine.sheet.sheet_types import Caution
from engine.spellbook import RemovalEffect, Spell

RANDOM_SUBJECT: Final = "drawn"
"""Placeholder for a foreseen cast's subject if an opponent will be drawn at random. rules: W3"""
SELF_SIDE, OWN_SIDE, RIVAL_SIDE, NO_SIDE = "you", "yours", "rival", "nobody’s"
CAUSE_OF_REMOVAL: Final = {RemovalEffect.MAGIC: "dispelled", RemovalEffect.ENCHANTMENTS: "removed"}
"""Cause of failure for the spells that a spell ends, by the latter's `unmakes` value."""


@dataclass
class ForeseenOrders:
    """The foreseen result of one wizard's orders, with helpers for texts about it.

    `position` is what is known before the turn, and `orders` the legal part of the orders. `casts`
    are the spells that they cast now. `made` has the ids of this turn's monsters, by the names that
    orders use for them. `bank_subject` is the subject of a spell banked this turn, "" if unknown.
    """

    position: Position
    own: Wizard
    orders: Orders
    events: tuple[Event, ...]
    casts: tuple[Cast, ...]
    made: dict[str, str]
    bank_subject: str = ""

    def __post_init__(self) -> None:
        self.names = KnownNames(self.position, self.own)
        self.won_over = self._monsters_won_over()
        self.sent_back = self._reflected_casts()
        self.failures = self._failures()

    def _monsters_won_over(self) -> frozenset[str]:
        """Return the monsters that will obey the wizard from this turn on: charmed or raised."""
        own = self.own.id
        charmed = [
            e.monster for e in self.events if isinstance(e, Controlled) and e.controller == own
        ]
        raised = [e.subject for e in self.events if isinstance(e, Raised) and e.wizard == own]
        return frozenset((*charmed, *(id for id in raised if is_monster(id))))

    @property
    def banked_spell(self) -> str:
        """Name of the spell in the wizard's bank, or of the one banked this turn."""
        taken = [e.spell for e in self.events if isinstance(e, Banked) and e.wizard == self.own.id]
        kept = self.own.bank or (taken[0] if taken else "")
        return self.position.rules.spells[kept].name if kept else "what it holds"

    def _reflected_casts(self) -> list[tuple[Cast, Reflected]]:
        """Return the wizard's casts that the wizard's own mirrors send back."""
        mine = [e for e in self.events if isinstance(e, Reflected) and e.wizard == self.own.id]
        return [
            (cast, event)
            for event in mine
            for cast in self.casts
            if cast.spell == event.spell and self.being_id(cast.subject) == event.subject
        ]

    @property
    def has_haste_row(self) -> bool:
        """Whether spells cast now may have been aimed in an earlier haste phase. rules: R97"""
        return self.position.rules.haste is HasteMode.OWN_PHASE

    def _failures(self) -> list[tuple[Cast | None, Failed]]:
        """Return the failures, each with its cast, or None for a spell of the haste row."""
        open_casts = list(self.casts)
        found: list[tuple[Cast | None, Failed]] = []
        for told in self.events:
            event = (
                self._failure_of_removed_enchantment(told) if isinstance(told, Removed) else told
            )
            if isinstance(event, Failed) and event.wizard == self.own.id:
                cast = self._failed_cast(event, open_casts)
                if cast is not None:
                    open_casts.remove(cast)
                found.append((cast, event))
        return found

    def _failure_of_removed_enchantment(self, event: Removed) -> Failed | None:
        """Return a failure if an enchantment cast this turn is also removed this turn.

        rules: R52
        """
        before = self.position.being(event.subject)
        if before is not None and event.effect in before.effects:
            return None
        aimed = [cast for cast in self.casts if cast.spell == event.effect]
        is_cured = event.cause in self.position.rules.cures
        why = "cured" if is_cured else self.failure_cause(event.cause)
        return Failed(event.effect, self.own.id, event.subject, why) if why and aimed else None

    def failure_cause(self, cause: str) -> str:
        """Return the cause of failure for spells that this spell ends; "" if it ends none."""
        spell = self.position.rules.spells.get(cause)
        return "" if spell is None else CAUSE_OF_REMOVAL.get(spell.unmakes, "")

    def _failed_cast(self, event: Failed, casts: list[Cast]) -> Cast | None:
        same = [cast for cast in casts if cast.spell == event.spell]
        aimed = [
            cast for cast in same if event.subject in (cast.subject, self.being_id(cast.subject))
        ]
        returned = [cast for cast in same if any(cast is back for back, _ in self.sent_back)]
        found = aimed or returned
        if not found:
            return None
        return found[-1] if event.cause == "already" else found[0]

    def effective_casts(self) -> list[Cast]:
        """Return the casts that reach the beings they are aimed at."""
        lost = [cast for cast, _ in self.failures] + [cast for cast, _ in self.sent_back]
        return [
            cast
            for cast in self.casts
            if cast.subject != NOWHERE and not any(cast is other for other in lost)
        ]

    def spell_of_cast(self, cast: Cast) -> Spell:
        return self.position.rules.spells[cast.spell]

    def being_id(self, name: str) -> str:
        """Return the id of the being named in orders, even if it is only made this turn."""
        return self.made.get(name, name)

    def name_in_orders(self, id: str) -> str:
        """Return the name that orders use for a being, even if it is only made this turn."""
        return next((name for name, made in self.made.items() if made == id), id)

    def being_before_turn(self, name: str) -> Wizard | Monster | None:
        """Return the being as it was before the turn, or None if it did not exist."""
        return self.position.being(name) if name not in FUTURE_BEINGS else None

    def side_of_being(self, name: str) -> str:
        """Return the side of a being, given its name in orders or events."""
        if name in self.made:
            return self.side_of_new_monster(self.made[name])
        if name in FUTURE_BEINGS:
            return self.side_of_controller(FUTURE_BEINGS[name].maker)
        being = self.being_before_turn(name)
        if name in self.won_over:
            return OWN_SIDE
        if isinstance(being, Monster):
            return self.side_of_controller(being.controller) if being.controller else NO_SIDE
        if name in self.made.values():
            return self.side_of_new_monster(name)
        return SELF_SIDE if name == self.own.id else RIVAL_SIDE

    def side_of_new_monster(self, monster: str) -> str:
        for event in self.events:
            if isinstance(event, Summoned) and event.monster == monster and event.controller:
                return self.side_of_controller(event.controller)
        return NO_SIDE

    def side_of_controller(self, controller: str) -> str:
        return OWN_SIDE if controller == self.own.id else RIVAL_SIDE

    # Text

    def name_with_owner(self, name: str) -> str:
        """Return the monster's name with a note that it obeys, or will obey, the wizard."""
        key = self.name_in_orders(name)
        being = self.being_before_turn(key)
        serves = isinstance(being, Monster) and being.controller == self.own.id
        return f"{self.names(key)}, which {'obeys' if serves else 'is to obey'} you"

    def cast_phrase(self, cast: Cast) -> str:
        """Return the cast as the beginning of a sentence."""
        name = self.spell_of_cast(cast).name
        if cast.hand == BANK:
            return f"Your banked {name}"
        if cast.hand == BOTH:
            return f"Your {name}"
        return f"Your {HAND_NAMES[cast.hand]}’s {name}"

    def caution(self, code: str, cast: Cast, text: str, rule: str = "") -> Caution:
        """Return a caution about this cast; its text begins with the cast's phrase.

        It is shown at the cast's subject, or at the spell if the spell affects the whole arena.
        """
        spell = self.spell_of_cast(cast)
        field = self.spell_field(cast) if spell.is_area else self.subject_field(cast)
        return Caution(code, rule or spell.rule, f"{self.cast_phrase(cast)} {text}", field)

    def subject_field(self, cast: Cast) -> str:
        """Return the order field that contains the cast's subject."""
        return "release_subject" if cast.hand == BANK else self._set_field(cast, "subject")

    def spell_field(self, cast: Cast) -> str:
        """Return the order field that contains the cast's spell."""
        return "release" if cast.hand == BANK else self._set_field(cast, "spell")

    def _set_field(self, cast: Cast, what: str) -> str:
        return SetField(cast.hand, 1 if self.has_haste_row else cast.set, what).text


class KnownNames:
    """The names by which one wizard knows beings."""

    def __init__(self, position: Position, own: Wizard) -> None:
        self.position = position
        self.own = own

    def __call__(self, id: str, you: str = "you") -> str:
        """Return the name of the being, or `you` if it is this wizard."""
        if id == self.own.id:
            return you
        if id in FUTURE_BEINGS:
            return future_being_text(id, self.possessive)
        if id == NOWHERE:
            return PLACE_WORDS[NOWHERE]
        if id == RANDOM_SUBJECT:
            return DRAWN_OPPONENT
        if id in (self.own.knows or {}):
            return f"the {(self.own.knows or {})[id]}"
        being = self.position.being(id)
        if being is None:
            return "a being unknown to you"
        return f"the {being.name}" if isinstance(being, Monster) else being.name

    def possessive(self, id: str) -> str:
        return "your" if id == self.own.id else f"{self(id)}’s"

    def name_with_verb(self, id: str, plural_verb: str, singular_verb: str) -> str:
        """Return the being's name, followed by the verb form that agrees with it."""
        return f"{self(id)} {plural_verb if id == self.own.id else singular_verb}"


def with_first_letter_capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def binding_mind_spell(position: Position, monster: Monster) -> str:
    """Return the mind spell that keeps the monster from obeying this turn, or "". rules: R83"""
    for kind in position.rules.victims_under:
        effect = monster.effects.get(kind)
        acts_next = position.rules.minds is MindTiming.NEXT_ROW
        if effect is not None and (acts_next or effect.is_active(position.turn)):
            return kind
    return ""
