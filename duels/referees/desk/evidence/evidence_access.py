"""Limits on the information about an unfinished duel that a referee may see. Promise 10

Before referees open a turn, they see what a spectator sees, and when wizards acted. Opening a turn
is logged. The referee then sees the turn's sealed orders, and everything that fog hid up to the end
of the turn. When the duel is over, everything is public.

A turn that is played again after a rollback counts as another turn, which the referee has not
opened.
"""

from dataclasses import dataclass

from duels.models import Turn, User
from duels.referees.cases.case_acts import TurnKey, acts_that_opened_turns
from duels.referees.desk.evidence.branches import turns_before
from duels.referees.models import Case


@dataclass(frozen=True)
class EvidenceAccess:
    """The turns that a referee has opened, and earlier turns that are therefore free of fog."""

    is_over: bool = False
    turns: frozenset[TurnKey] = frozenset()
    without_fog: frozenset[TurnKey] = frozenset()

    def shows_sealed(self, turn: Turn) -> bool:
        """Return whether the referee may see all seals of this turn, even unused ones."""
        return self.is_over or turn_key(turn) in self.turns

    def shows_fogged(self, turn: Turn) -> bool:
        """Return whether the referee may see everything that fog hid up to the end of this turn."""
        return self.is_over or turn_key(turn) in self.turns | self.without_fog


def turn_key(turn: Turn) -> TurnKey:
    """Return a key that distinguishes a turn from others with the same ordinal."""
    return turn.ordinal, turn.voided_in


NO_ACCESS = EvidenceAccess()
FULL_ACCESS = EvidenceAccess(is_over=True)


def turns_opened_in_case(case: Case, referee: User) -> EvidenceAccess:
    """Return the turns that this referee has opened in this case, according to the log."""
    looked = acts_that_opened_turns(case, referee)
    rows = Turn.with_voided.filter(duel=case.duel, ordinal__in=[ordinal for ordinal, _ in looked])
    earlier = [turns_before(turn) for turn in rows if turn_key(turn) in looked]
    return EvidenceAccess(
        turns=frozenset(looked),
        without_fog=frozenset(turn_key(turn) for turns in earlier for turn in turns),
    )
