"""Queries for a wizard's webhooks."""

import json
from typing import Any

from django.db.models import QuerySet

from duels.errors import MissingKey
from duels.models import Wizard
from duels.sealing import seals
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
