"""Duels and challenges as lines of a list."""

from collections.abc import Iterable
from dataclasses import dataclass

from duels import adjudication
from duels.models import Duel, DuelStatus, Outcome
from duels.queries import DuelRow
from duels.turns import turn_words

OUTCOME_WORDS = {
    Outcome.WON: "you won",
    Outcome.LOST: "you lost",
    Outcome.DREW: "drawn",
    Outcome.RESIGNED: "you resigned",
}


@dataclass(frozen=True)
class Entry:
    """One line: a link and a few words."""

    pk: int
    title: str
    about: str
    words: str = ""


def entries(rows: Iterable[DuelRow], *, as_wizard: bool = True) -> tuple[Entry, ...]:
    """The lines of these rows; `as_wizard`: told to the wizard for whom the rows were made."""
    return tuple(_entry(row, as_wizard) for row in rows)


def versus(names: Iterable[str]) -> str:
    """Wizards against each other, in a few words."""
    return " against ".join(names)


def _entry(row: DuelRow, as_wizard: bool) -> Entry:
    duel = row.duel
    if duel.status == DuelStatus.GATHERING:
        return Entry(duel.pk, _challenge_title(row), _terms(duel, row.free_places), duel.words)
    names = [wizard.name for wizard in row.wizards]
    if as_wizard and row.mine is not None:
        title = f"Against {' and '.join(wizard.name for wizard in row.others)}"
        outcome = OUTCOME_WORDS.get(Outcome(row.mine.outcome), "")
    else:
        title = versus(names)
        outcome = _result(row)
    about = [_turn(row), outcome, _rules(duel), _pace(duel)]
    return Entry(duel.pk, title, " · ".join(filter(None, about)))


def _challenge_title(row: DuelRow) -> str:
    if row.mine is None or not row.is_mine:
        return f"Challenge by {row.duel.challenger.name}"
    others = " and ".join(wizard.name for wizard in row.others)
    return f"Your challenge to {others}" if others else "Your challenge"


def _terms(duel: Duel, free_places: int) -> str:
    parts = [_rules(duel), f"{duel.size} wizards", duel.get_pace_display()]
    if duel.size > 2 and free_places:
        parts.append(f"{free_places} free")
    if "strict" in duel.options:
        parts.append("strict")
    if "sacrifice" in duel.options:
        parts.append("house rule on Sacrifice")
    return " · ".join(parts)


def _rules(duel: Duel) -> str:
    """The name of the rules."""
    return adjudication.rulesets()[duel.ruleset].name


def _turn(row: DuelRow) -> str:
    if row.turn is None:
        return ""
    return turn_words(row.duel.ruleset, row.turn.number, row.turn.kind)


def _pace(duel: Duel) -> str:
    return "" if duel.is_over else duel.get_pace_display()


def _result(row: DuelRow) -> str:
    won = [seat.wizard.name for seat in row.seats if seat.outcome == Outcome.WON]
    if won:
        return f"{won[0]} won"
    return "drawn" if row.duel.is_over else ""
