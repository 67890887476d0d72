"""The rows of lists, as one wizard may see them, for tests that ask which duels are in them."""

from datetime import datetime

from duels import queries
from duels.models import Wizard
from duels.queries import DuelRow


def rows_of(duels: queries.DuelList, viewer: Wizard | None) -> tuple[DuelRow, ...]:
    """The first rows of one list, as this viewer may see them."""
    return queries.listed_duels({"": duels}, viewer)[""].rows


def duels_awaiting(wizard: Wizard, now: datetime) -> tuple[DuelRow, ...]:
    """Duels that wait for this wizard, the longest waiting first, and last those for practice."""
    both = {"waiting": queries.waiting_list(wizard), "practice": queries.practice_list(wizard)}
    found = queries.listed_duels(both, wizard)
    return found["waiting"].rows + found["practice"].rows


def duels_running(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Duels of this wizard that go on without waiting for them now, the newest first."""
    return rows_of(queries.running_list(wizard), wizard)


def challenges_for(wizard: Wizard, now: datetime | None = None) -> tuple[DuelRow, ...]:
    """Challenges in which this wizard has a place: to answer, their own, or accepted."""
    return rows_of(queries.challenge_list(wizard, now), wizard)


def open_challenges(viewer: Wizard | None, now: datetime) -> tuple[DuelRow, ...]:
    """Challenges that this viewer may accept; without one, all open ones."""
    rows = rows_of(queries.open_list(viewer, now), viewer)
    return tuple(row for row in rows if row.free_places)


def finished_duels(wizard: Wizard, viewer: Wizard | None = None) -> tuple[DuelRow, ...]:
    """Duels of this wizard that are over and that the viewer may read, the newest first."""
    return rows_of(queries.finished_list(wizard, viewer), wizard)


def public_duels() -> tuple[DuelRow, ...]:
    """Duels that everybody may watch, and then those that everybody may read."""
    found = queries.listed_duels({"watch": queries.watch_list(), "read": queries.read_list()}, None)
    return found["watch"].rows + found["read"].rows
