"""How far a referee may look into a duel that goes on. Promise 10

Without opening anything: as far as a spectator, and when things were done. Opening a turn, which is
an act of its own in the log, shows what was sealed in it, and what fog hid up to its end. When the
duel is over all is open.

A turn is meant as it was played: what is collected anew after a roll back is another turn, and as
closed as any.
"""

from dataclasses import dataclass

from duels.desk.evidence.branches import turns_before
from duels.models import Act, ActKind, Turn, User
from duels.referee.public import Case

TurnKey = tuple[int, int]  # the turn's ordinal, and in which roll back it was made void, or 0


@dataclass(frozen=True)
class Opening:
    """What one referee has opened of one duel: these turns, and the fog of all that led to them."""

    is_over: bool = False
    turns: frozenset[TurnKey] = frozenset()
    without_fog: frozenset[TurnKey] = frozenset()

    def shows_sealed(self, turn: Turn) -> bool:
        """Whether what was sealed in this turn lies open, what was never played of it as well."""
        return self.is_over or key_of(turn) in self.turns

    def shows_fogged(self, turn: Turn) -> bool:
        """Whether what fog hid up to the end of this turn lies open."""
        return self.is_over or key_of(turn) in self.turns | self.without_fog


def key_of(turn: Turn) -> TurnKey:
    """What tells a turn of a duel from those in whose place it is played, or that replaced it."""
    return turn.ordinal, turn.voided_in


NOTHING_OPENED = Opening()
ALL_OPEN = Opening(is_over=True)


def opening_of(case: Case, referee: User) -> Opening:
    """What the log says that this referee has opened in this case."""
    looked = looks(case, referee)
    rows = Turn.with_voided.filter(duel=case.duel, ordinal__in=[ordinal for ordinal, _ in looked])
    earlier = [turns_before(turn) for turn in rows if key_of(turn) in looked]
    return Opening(
        turns=frozenset(looked),
        without_fog=frozenset(key_of(turn) for turns in earlier for turn in turns),
    )


def looks(case: Case, referee: User) -> dict[TurnKey, Act]:
    """The acts by which this referee has opened turns in this case, by what the turns are by now:
    one that was rolled back after the look is void, and what is played in its place is closed."""
    found: dict[TurnKey, Act] = {}
    kinds = [ActKind.OPEN_SEALED, ActKind.ROLL_BACK]
    for act in Act.objects.filter(duel=case.duel, kind__in=kinds).order_by("ordinal"):
        if act.kind == ActKind.ROLL_BACK:
            number, void = act.facts["roll_back"], act.facts["void"]
            for ordinal in void:
                if (ordinal, 0) in found:
                    found[ordinal, number] = found.pop((ordinal, 0))
        elif (act.case, act.referee) == (case.pk, referee.pk) and act.turn is not None:
            found[act.turn, act.facts.get("voided_in", 0)] = act
    return found
