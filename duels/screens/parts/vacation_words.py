"""Sentences about opponents' vacations, for a duel's page."""

from duels.queries.rows import DuelPage, SeatRow
from duels.wording.moments import moment_words


def vacation_words(page: DuelPage) -> str:
    """Return a sentence for each opponent who must act and is on vacation or has just returned."""
    awaited = [seat for seat in page.seats if seat.awaited and not seat.you]
    return " ".join(sentence for seat in awaited if (sentence := _vacation_sentence(seat)))


def unclaimable_words(page: DuelPage) -> str:
    """Return a sentence for each absent opponent who is protected from a claim by a vacation."""
    return " ".join(
        f"{seat.name} let the time run out twice in a row, but is on vacation until "
        f"{moment_words(seat.vacation_until)}. Until then their clock is stopped, and you cannot "
        "claim the duel."
        for seat in page.absent_on_vacation
        if seat.vacation_until is not None
    )


def _vacation_sentence(seat: SeatRow) -> str:
    if seat.vacation_until is not None:
        return f"{seat.name} is on vacation until {moment_words(seat.vacation_until)}."
    if seat.back_since is not None:
        return f"{seat.name} came back from vacation on {moment_words(seat.back_since)}."
    return ""
