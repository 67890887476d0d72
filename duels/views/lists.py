"""Duels and challenges as lines of a list."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from duels import adjudication
from duels.models import Duel, DuelStatus, Outcome, Stage
from duels.queries import DuelRow
from duels.turns import turn_words
from duels.views.spans import When, time_left, waited

OUTCOME_WORDS = {
    Outcome.WON: "you won",
    Outcome.LOST: "you lost",
    Outcome.DREW: "drawn",
    Outcome.RESIGNED: "you resigned",
}


@dataclass(frozen=True)
class Entry:
    """One line: a link and a few words; `when` and `left` only where a time was asked for."""

    pk: int
    title: str
    about: str
    words: str = ""
    when: When | None = None
    left: str = ""  # what the pace leaves for the orders that are waited for


def entries(
    rows: Iterable[DuelRow], *, as_wizard: bool = True, now: datetime | None = None
) -> tuple[Entry, ...]:
    """The lines of these rows; `as_wizard`: told to the wizard for whom the rows were made."""
    return tuple(_entry(row, as_wizard, now) for row in rows)


def versus(names: Iterable[str]) -> str:
    """Wizards against each other, in a few words."""
    everybody = list(names)
    return " against ".join(everybody) if len(everybody) == 2 else listed(everybody)


def listed(names: Iterable[str]) -> str:
    """Names one after the other, as a sentence has them."""
    *before, last = list(names) or [""]
    return f"{', '.join(before)} and {last}" if before else last


def _entry(row: DuelRow, as_wizard: bool, now: datetime | None) -> Entry:
    duel = row.duel
    if duel.status == DuelStatus.GATHERING:
        title, terms = _challenge_title(row), _terms(duel, row.free_places)
        return Entry(duel.pk, title, terms, duel.words, _when(row, now))
    names = [wizard.name for wizard in row.wizards]
    if as_wizard and row.mine is not None:
        title = f"Against {listed(wizard.name for wizard in row.others)}"
        outcome = OUTCOME_WORDS.get(Outcome(row.mine.outcome), "")
    else:
        title = versus(names)
        outcome = _result(row)
    about = [_turn(row), outcome, _rules(duel), _pace(duel), _asked(row)]
    return Entry(
        duel.pk, title, " · ".join(filter(None, about)), when=_when(row, now), left=_left(row, now)
    )


def _challenge_title(row: DuelRow) -> str:
    if row.mine is None or not row.is_mine:
        return f"Challenge by {row.duel.challenger.name}"
    others = listed(wizard.name for wizard in row.others)
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


def _asked(row: DuelRow) -> str:
    """What is waited for where it is not orders."""
    asked = row.turn is not None and row.turn.stage == Stage.ANSWERS
    return "a question to answer" if asked else ""


def _result(row: DuelRow) -> str:
    won = [seat.wizard.name for seat in row.seats if seat.outcome == Outcome.WON]
    if won:
        return f"{won[0]} won"
    return "drawn" if row.duel.is_over else ""


def _when(row: DuelRow, now: datetime | None) -> When | None:
    """Since when it waits, and for whom; until when it stands; when it ended."""
    if now is None:
        return None
    duel = row.duel
    if duel.status == DuelStatus.GATHERING:
        return When(duel.expires_at, f"stands for {waited(now, duel.expires_at)} more")
    if duel.ended_at is not None:
        return When(duel.ended_at, f"ended {waited(duel.ended_at, now)} ago")
    if row.mine is not None and row.mine.awaited_since is not None and row.mine.awaited:
        since = row.mine.awaited_since
        return When(since, f"waiting for {waited(since, now)}")
    if row.turn is None:
        return None
    names = listed(seat.wizard.name for seat in row.seats if seat.awaited)
    opened = row.turn.opened_at
    whose = f"{names} to seal, " if names and row.mine is not None else ""
    return When(opened, f"{whose}open for {waited(opened, now)}")


def _left(row: DuelRow, now: datetime | None) -> str:
    if now is None or row.mine is None or not row.mine.awaited:
        return ""
    since = row.mine.awaited_since
    return "" if since is None else time_left(row.duel.pace, since, now)
