"""Data for pages that poll: the state that scripts compare with each response."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from duels.caching import poll_cache
from duels.models import Visibility
from duels.queries import presence
from duels.queries.presence import PresenceState
from duels.queries.rows import DuelPage
from duels.template_values import TemplateValue


@dataclass(frozen=True)
class Presence(TemplateValue):
    """Data for a page that polls. `state` and `names` are JSON for HTML attributes."""

    state: SafeString  # the state that the page shows
    seat: str  # the reader's seat
    names: SafeString  # names of the wizards, by seat
    spectators: int = 0


def presence_of(state: PresenceState, names: Mapping[str, str] | None = None) -> Presence:
    """Return the data for a page that shows this state."""
    page = json_attribute(state.page.as_json())
    return Presence(page, state.seat, json_attribute(names or {}))


def presence_on_page(page: DuelPage, last_speech: int) -> Presence:
    """Return the data for a duel's page, whose last message has the id `last_speech`."""
    mine = page.me.code if page.me else ""
    state = PresenceState(presence.page_state(page, last_speech), mine, waiting=0)
    shown = presence_of(state, {seat.code: seat.name for seat in page.seats})
    if page.me or page.duel.is_over or page.duel.visibility == Visibility.PRIVATE:
        return shown  # players' pages are requested most, and get the number when they poll
    counts = poll_cache.spectator_counts([page.duel.pk])
    return replace(shown, spectators=counts.get(page.duel.pk, 0))


def compact_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def json_attribute(value: Mapping[str, Any]) -> SafeString:
    """Return the value as JSON for an attribute in single quotes; double quotes stay unescaped."""
    return mark_safe(escape(compact_json(value)).replace("&quot;", '"'))
