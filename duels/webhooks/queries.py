"""Queries for a wizard's webhooks."""

import json
from collections.abc import Collection, Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from django.db.models import F, FilteredRelation, Q, QuerySet

from duels.errors import MissingKey
from duels.models import OPEN_STAGES, Seat, Wizard
from duels.sealing import seals
from duels.webhooks.messages import DuelState, SeatState
from duels.webhooks.models import Webhook


def webhooks_of(wizard: Wizard) -> QuerySet[Webhook]:
    """Return the wizard's webhooks, oldest first."""
    return Webhook.objects.filter(wizard=wizard).select_related("duel").order_by("pk")


def exported_webhooks(wizard: Wizard) -> list[dict[str, Any]]:
    """Return the wizard's webhooks with their addresses, but without tokens."""
    return [
        {
            "service": webhook.service,
            "address": _address_of(webhook),
            "duel": webhook.duel_id,
            "created_at": webhook.created_at,
            "failing_since": webhook.failing_since,
            "turned_off_at": webhook.turned_off_at,
            "responses": webhook.responses,
        }
        for webhook in webhooks_of(wizard)
    ]


def _address_of(webhook: Webhook) -> str | None:
    """Return the secret address, or None if the key to decrypt it is missing."""
    try:
        return str(json.loads(seals.decrypt(webhook.secret))["address"])
    except MissingKey:
        return None


def failing_hosts(before: datetime) -> list[str]:
    """Return the hosts of webhooks that are on, but have been failing since before this time."""
    failing = Webhook.objects.filter(turned_off_at=None, failing_since__lte=before)
    return sorted(failing.values_list("host", flat=True).distinct())


def duel_states(duels: Collection[int]) -> dict[int, DuelState]:
    """Return the states of these duels for messages, without loading positions."""
    rows: Iterable[tuple[Any, ...]] = (
        Seat.objects.filter(duel__in=duels)
        .annotate(
            open=FilteredRelation("duel__turns", condition=Q(duel__turns__stage__in=OPEN_STAGES))
        )
        .order_by("duel", "place", "pk")
        .values_list(
            *("duel", "duel__ruleset", "duel__visibility", "duel__status"),
            *(F("open__number"), F("open__kind")),
            *("wizard", "wizard__name", "outcome", "awaited", "due_at", "clock_left"),
        )
    )
    return {
        of_duel[0]: DuelState(tuple(SeatState(*row[6:]) for row in seats), *of_duel)
        for of_duel, seats in groupby(rows, key=lambda row: row[:6])
    }
