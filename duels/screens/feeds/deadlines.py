"""The deadlines of a wizard, as calendar entries."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from duels.delivery.message_ids import site_domain
from duels.feeds.public import Deadline
from duels.models import Stage, Wizard
from duels.queries import lists
from duels.queries.listing import load_duel_lists
from duels.queries.rows import DuelRow
from duels.screens.lists.lines import list_entries
from engine.words import and_list


def deadlines_of(wizard: Wizard, now: datetime) -> list[Deadline]:
    """Return the wizard's deadlines for orders, answers and challenges."""
    of_wizard = {
        "waiting": lists.waiting_list(wizard),
        "to_me": lists.challenges_to_answer(wizard, now),
    }
    every = {name: each.limited_to(settings.MOST_DUELS_AT_ONCE) for name, each in of_wizard.items()}
    found = load_duel_lists(every, wizard)
    rows = (row for each in found.values() for row in each.rows)
    return [deadline for row in rows for deadline in _deadlines(row)]


def _deadlines(row: DuelRow) -> Iterator[Deadline]:
    duel, names = row.duel, and_list(wizard.name for wizard in row.others)
    at = row.mine.due_at if row.mine else None
    if row.turn is None:
        place, at = f"challenge-{duel.pk}", duel.expires_at
        summary = f"Challenge from {duel.challenger.name} expires"
    else:
        place = f"duel-{duel.pk}-turn-{row.turn.ordinal}"
        what = "Answer" if row.turn.stage == Stage.ANSWERS else "Orders"
        summary = f"{what} due: duel against {names}"
    if at is not None:
        (line,) = list_entries([row])
        words = "\n".join(filter(None, [line.name, line.about]))
        url = settings.SITE_URL + reverse("duel", args=[duel.pk])
        yield Deadline(f"{place}@{site_domain()}", at, summary, words, url)
