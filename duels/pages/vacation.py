"""The vacation settings, and sentences about opponents' vacations on a duel's page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from duels.accounts.preferences import zone_of
from duels.clocks.clock import DAY
from duels.clocks.vacation import AT_FIRST, EARNED_IN, MOST_SAVED, Vacation, days_of_return
from duels.forms import VacationForm
from duels.models import Wizard
from duels.queries.rows import DuelPage, SeatRow
from duels.wording.moments import moment_words


@dataclass(frozen=True)
class VacationSettings:
    """A wizard's saved whole days, their current vacation, and the form for a new one."""

    saved: int
    current: Vacation | None
    form: VacationForm
    is_possible: bool  # whether enough days are saved
    earned_in: int = EARNED_IN
    at_first: int = AT_FIRST // DAY
    most: int = MOST_SAVED // DAY


def vacation_settings(wizard: Wizard, now: datetime, typed: Any = None) -> VacationSettings:
    """Return the current settings. `typed` is the form's submitted data, if any."""
    zone = zone_of(wizard)
    days = days_of_return(wizard.savings, now, zone)
    return VacationSettings(
        saved=wizard.savings.at(now) // DAY,
        current=wizard.vacation,
        form=VacationForm(typed, zone=zone, days=days),
        is_possible=days is not None,
    )


def vacation_words(page: DuelPage) -> str:
    """Return a sentence for each opponent who must act and is on vacation or has just returned."""
    awaited = [seat for seat in page.seats if seat.awaited and not seat.you]
    return " ".join(sentence for seat in awaited if (sentence := _sentence(seat)))


def unclaimable_words(page: DuelPage) -> str:
    """Return a sentence for each absent opponent whose vacation prevents claiming the duel."""
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
