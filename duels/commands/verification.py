"""A check of all duels in the database, for use after a restore.

The record of every finished duel must verify, every turn of a running duel must replay with the
stored result, and every encrypted value must be readable with one of `SEAL_KEYS`.
"""

from dataclasses import dataclass, field
from typing import Final

import engine.proof
from duels.commands import key_renewal, release_check
from duels.errors import MissingKey
from duels.models import Duel, DuelStatus, Turn
from duels.proof.records import duel_record

FINISHED_STATUSES: Final = (DuelStatus.OVER, DuelStatus.ANNULLED)
UNFINISHED_STATUSES: Final = (DuelStatus.RUNNING, DuelStatus.PAUSED)


@dataclass
class VerificationResult:
    """Counts of the rows that were checked, and the faults that were found."""

    records: int = 0
    turns: int = 0
    values: int = 0
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.records} records of finished duels, {self.turns} turns of running duels, "
            f"{self.values} encrypted values: {len(self.faults)} faults"
        )


def verify_all() -> VerificationResult:
    """Check all duels. This takes a few milliseconds for each turn, and locks nothing."""
    done = VerificationResult()
    for duel in Duel.objects.filter(status__in=FINISHED_STATUSES).order_by("pk").iterator():
        done.records += 1
        done.faults += [f"duel {duel.pk}: {fault}" for fault in _record_faults(duel)]
    later_turns = Turn.objects.filter(duel__status__in=UNFINISHED_STATUSES, ordinal__gt=1)
    for turn in later_turns.order_by("duel", "ordinal").iterator():
        done.turns += 1
        done.faults += [f"duel {turn.duel_id}: {fault}" for fault in _replay_faults(turn)]
    for place, use in key_renewal.usage_by_key().items():
        done.values += sum(use.counts.values())
        if place is key_renewal.NO_KEY:
            done.faults += [f"{words} {count}: no key" for words, count in use.counts.items()]
    return done


def _record_faults(duel: Duel) -> list[str]:
    try:
        return engine.proof.verify(duel_record(duel))
    except MissingKey:
        return ["a key is missing"]
    except engine.proof.InvalidRecord as error:
        return [str(error)]


def _replay_faults(following: Turn) -> list[str]:
    try:
        played = release_check.replay_turn_before(following)
    except MissingKey:
        return [f"turn {following.ordinal - 1}: a key is missing"]
    if played is None:
        return [f"turn {following.ordinal - 1} is missing"]
    return [f"turn {following.ordinal - 1}: {played[1]}"] if played[1] else []
