"""Query for the terms that a counter-proposal changes."""

from dataclasses import dataclass

from duels.loaded import adjudication
from duels.models import Duel


@dataclass(frozen=True)
class ChangedTerm:
    """A term that a counter-proposal changes, with its values as text."""

    label: str
    before: str
    after: str


def changed_terms(duel: Duel) -> tuple[ChangedTerm, ...]:
    """Return the terms that a counter-proposal changes, or () for other challenges."""
    before = duel.counter_to
    if before is None:
        return ()
    terms = (
        ("Rules", adjudication.ruleset_label(before), adjudication.ruleset_label(duel)),
        ("Pace", before.pace_words, duel.pace_words),
    )
    return tuple(ChangedTerm(*term) for term in terms if term[1] != term[2])
