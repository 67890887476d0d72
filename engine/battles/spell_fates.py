"""The fate of every spell cast in a turn, derived from the turn's events."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.battles.document import Cast
from engine.battles.words import HAND_WORDS, SUMMONS_BY_MONSTER, recorded_being
from engine.events import Cast as CastEvent
from engine.events import Event, Failed, Reflected, Summoned
from engine.ids import FUTURE_BEINGS, SEATS

NO_FATE: Final = ""
"""The fate of a spell that took effect."""


@dataclass(slots=True)
class CastSpell:
    """A spell that was cast, and its fate: TAKEN, or the cause of its failure."""

    id: str
    by: str
    hand: str
    # The subject as it was written.
    aimed: str
    # The final subject.
    at: str
    fate: str = NO_FATE
    # The id of the monster that the spell made.
    monster: str = ""


class SpellFates:
    """Every cast in order, with its fate and the monster that it made."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.all: list[CastSpell] = []
        self.follow(events)

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            match event:
                case CastEvent():
                    at = event.subject
                    self.all.append(CastSpell(event.spell, event.wizard, event.hand, at, at))
                case Reflected():
                    spell = self.find_unresolved_cast(event.spell, event.wizard, event.subject)
                    spell.at = event.wizard
                case Failed():
                    spell = self.find_unresolved_cast(event.spell, event.wizard, event.subject)
                    spell.fate, spell.at = event.cause, event.subject
                case Summoned():
                    self.find_unresolved_cast(
                        SUMMONS_BY_MONSTER[event.kind], event.wizard
                    ).monster = event.monster
                case _:
                    pass

    def find_unresolved_cast(self, spell: str, by: str, at: str = "") -> CastSpell:
        """Return the first cast of this spell by this wizard whose fate is still open."""
        found = [
            each
            for each in self.all
            if (each.id, each.by, each.fate, each.monster) == (spell, by, NO_FATE, "")
        ]
        assert found, f"no open cast of {spell} by {by}"
        return next(
            (each for each in found if self.being_id(each.at) == self.being_id(at)), found[0]
        )

    def being_id(self, subject: str) -> str:
        """Return the id of the being with that name, including monsters made this turn."""
        came = FUTURE_BEINGS.get(subject)
        if came is None:
            return subject
        made = (s.monster for s in self.all if (s.hand, s.by) == (came.hand, came.maker))
        return next(filter(None, made), subject)

    def casts(self) -> tuple[Cast, ...]:
        """Return the casts in the order of seats, and of left hand, right hand and bank."""
        places = list(HAND_WORDS)
        recorded = sorted(self.all, key=lambda each: (SEATS[each.by], places.index(each.hand)))
        return tuple(
            Cast(SEATS[each.by], each.id, recorded_being(each.aimed), HAND_WORDS[each.hand])
            for each in recorded
        )
