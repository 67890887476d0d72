"""How far a referee may look into a duel that goes on. Promise 10

Without opening anything: as far as a spectator, and when things were done. Opening a turn, which is
an act of its own in the log, shows what was sealed in it, and what fog hid up to its end. When the
duel is over all is open.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Opening:
    """What one referee has opened of one duel: turns by their ordinals."""

    is_over: bool = False
    turns: frozenset[int] = frozenset()

    def shows_sealed(self, ordinal: int) -> bool:
        """Whether what was sealed in this turn lies open, what was never played of it as well."""
        return self.is_over or ordinal in self.turns

    def shows_fogged(self, ordinal: int) -> bool:
        """Whether what fog hid up to the end of this turn lies open."""
        return self.is_over or any(ordinal <= turn for turn in self.turns)


NOTHING_OPENED = Opening()
ALL_OPEN = Opening(is_over=True)
