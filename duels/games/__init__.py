"""The printed sample games: a record each, and what is to be said of every turn.

In the orders everything is written out, the spell where the gestures complete two and every
subject, so that no default of a ruleset decides.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Game:
    """A sample game."""

    slug: str
    title: str
    source: str
    replays: tuple[str, ...]  # the rulesets under which it comes out alike
    elsewhere: Mapping[str, str]  # why it does not, by ruleset
    remarks: tuple[str, ...]  # by turn
    record: Mapping[str, Any]  # see `engine.record`


@cache
def games() -> Mapping[str, Game]:
    """The sample games by slug."""
    found = [json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))]
    return {
        data["slug"]: Game(
            slug=data["slug"],
            title=data["title"],
            source=data["source"],
            replays=tuple(data["replays"]),
            elsewhere=data["elsewhere"],
            remarks=tuple(data["remarks"]),
            record=data["record"],
        )
        for data in found
    }
