"""Sentences about opponents' vacations, for a duel's page."""

from duels.queries.rows import DuelPage
from duels.wording.moments import moment_words


def vacation_words(page: DuelPage) -> str:
    """Return a sentence for each opponent who must act and is on vacation or has just returned."""
    sentences = []
    for seat in page.seats:
        if seat.you or not seat.awaited:
            continue
        if seat.vacation_until is not None:
            until = moment_words(seat.vacation_until)
            sentences.append(f"{seat.name} is on vacation until {until}.")
        elif seat.back_since is not None:
            since = moment_words(seat.back_since)
            sentences.append(f"{seat.name} came back from vacation on {since}.")
    return " ".join(sentences)


def unclaimable_words(page: DuelPage) -> str:
    """Return a sentence for each absent opponent who is protected from a claim by a vacation."""
    return " ".join(
        f"{seat.name} let the time run out twice in a row, but is on vacation until "
        f"{moment_words(seat.vacation_until)}. Until then their clock is stopped, and you cannot "
        "claim the duel."
        for seat in page.absent
        if seat.vacation_until is not None
    )
