"""What a page carries that polls: the state it was made at, which every answer is compared with."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from duels.queries import DuelPage, presence
from duels.queries.presence import PresenceState


def presence_data(state: PresenceState, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a page needs that polls: the state it was made at, where its reader sits, and names."""
    return {
        "presence": {
            "state": json_attribute(state.page.as_json()),
            "seat": state.seat,
            "names": json_attribute(names or {}),
        }
    }


def presence_context(page: DuelPage, last_speech: int) -> dict[str, Any]:
    """For the page of a duel; `last_speech`: the last one that it shows."""
    mine = page.me.code if page.me else ""
    state = PresenceState(presence.page_state(page, last_speech), mine, waiting=0)
    return presence_data(state, {seat.code: seat.name for seat in page.seats})


def compact(value: Mapping[str, Any]) -> str:
    """The value as JSON, without a space in it."""
    return json.dumps(value, separators=(",", ":"))


def json_attribute(value: Mapping[str, Any]) -> SafeString:
    """The value as JSON for an attribute in single quotes; double quotes stand as they are."""
    return mark_safe(escape(compact(value)).replace("&quot;", '"'))
