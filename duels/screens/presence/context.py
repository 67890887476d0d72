"""Data for pages that poll, with the state that the page shows, to compare with each answer."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from duels.queries import presence
from duels.queries.presence import PresenceState
from duels.queries.rows import DuelPage


def presence_data(state: PresenceState, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the data for a page that polls, with its initial state, the reader's seat, and
    names."""
    return {
        "presence": {
            "state": json_attribute(state.page.as_json()),
            "seat": state.seat,
            "names": json_attribute(names or {}),
        }
    }


def presence_context(page: DuelPage, last_speech: int) -> dict[str, Any]:
    """Return the polling data for a duel's page, on which `last_speech` is the last message."""
    mine = page.me.code if page.me else ""
    state = PresenceState(presence.page_state(page, last_speech), mine, waiting=0)
    return presence_data(state, {seat.code: seat.name for seat in page.seats})


def compact_json(value: Mapping[str, Any]) -> str:
    """Return the value as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def json_attribute(value: Mapping[str, Any]) -> SafeString:
    """Return the value as JSON for an attribute in single quotes; double quotes stay unescaped."""
    return mark_safe(escape(compact_json(value)).replace("&quot;", '"'))
