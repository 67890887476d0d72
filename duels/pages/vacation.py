"""Vacations: their part of the settings, and sentences on a duel's page about others'."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from duels.clock import DAY
from duels.forms import VacationForm
from duels.models import Wizard
from duels.moments import moment_words
from duels.preferences import zone_of
from duels.queries import DuelPage, SeatRow
from duels.vacation import AT_FIRST, EARNED_IN, MOST_SAVED, Vacation, days_of_return


@dataclass(frozen=True)
class VacationSettings:
    """A wizard's saved days (whole days), current vacation, and the form to begin one."""

    saved: int
    current: Vacation | None
    form: VacationForm
    is_possible: bool  # enough days are saved for a vacation
    earned_in: int = EARNED_IN
    at_first: int = AT_FIRST // DAY
    most: int = MOST_SAVED // DAY


def vacation_settings(wizard: Wizard, now: datetime, typed: Any = None) -> VacationSettings:
    """Return the current settings; `typed` is the submitted data of the form."""
    zone = zone_of(wizard)
    days = days_of_return(wizard.savings, now, zone)
    return VacationSettings(
        saved=wizard.savings.at(now) // DAY,
        current=wizard.vacation,
        form=VacationForm(typed, zone=zone, days=days),
        is_possible=days is not None,
    )


def vacation_words(page: DuelPage) -> str:
    """Return a sentence for each opponent who must act and is on vacation or back from one."""
    awaited = [seat for seat in page.seats if seat.awaited and not seat.you]
    return " ".join(sentence for seat in awaited if (sentence := _sentence(seat)))


def unclaimable_words(page: DuelPage) -> str:
    """Explain why the duel cannot be claimed against absent opponents, one sentence for each."""
    return " ".join(
        f"{seat.name} let the time run out twice in a row, but is on vacation until "
        f"{moment_words(seat.vacation_until)}. Until then their clock is stopped, and you cannot "
        "claim the duel."
        for seat in page.absent_on_vacation
        if seat.vacation_until is not None
    )


def _sentence(seat: SeatRow) -> str:
    if seat.vacation_until is not None:
        return f"{seat.name} is on vacation until {moment_words(seat.vacation_until)}."
    if seat.back_since is not None:
        return f"{seat.name} came back from vacation on {moment_words(seat.back_since)}."
    return ""
