"""Rows of duel lists as a given wizard sees them, for tests of the contents of each list."""

from datetime import datetime

from duels.models import Wizard
from duels.queries import listing, lists
from duels.queries.rows import DuelRow


def list_rows(duels: listing.DuelList, viewer: Wizard | None) -> tuple[DuelRow, ...]:
    """Return the first rows of one list, as this viewer sees them."""
    return listing.load_duel_lists({"": duels}, viewer)[""].rows


def duels_awaiting(wizard: Wizard, now: datetime) -> tuple[DuelRow, ...]:
    """Return duels that wait for this wizard, the longest waiting first, then practice duels."""
    both = {"waiting": lists.waiting_list(wizard), "practice": lists.practice_list(wizard)}
    found = listing.load_duel_lists(both, wizard)
    return found["waiting"].rows + found["practice"].rows


def duels_running(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Return running duels that do not wait for this wizard now, the newest first."""
    return list_rows(lists.running_list(wizard), wizard)


def challenges_for(wizard: Wizard, now: datetime | None = None) -> tuple[DuelRow, ...]:
    """Return challenges that this wizard created, accepted or must answer."""
    return list_rows(lists.challenge_list(wizard, now), wizard)


def open_challenges(viewer: Wizard | None, now: datetime) -> tuple[DuelRow, ...]:
    """Return challenges that this viewer may accept, or all open ones if there is no viewer."""
    rows = list_rows(lists.open_challenge_list(viewer, now), viewer)
    return tuple(row for row in rows if row.free_places)


def finished_duels(wizard: Wizard, viewer: Wizard | None = None) -> tuple[DuelRow, ...]:
    """Return finished duels of this wizard that the viewer may read, the newest first."""
    return list_rows(lists.finished_list(wizard, viewer), wizard)


def public_duels() -> tuple[DuelRow, ...]:
    """Return running duels that everyone may watch, then finished ones that everyone may read."""
    found = listing.load_duel_lists(
        {"watch": lists.running_public_list(), "read": lists.finished_public_list()}, None
    )
    return found["watch"].rows + found["read"].rows
