"""Sample games from printed sources, as records with a remark on every turn.

The orders state every target and every choice between two completed spells, so that they do not
depend on the defaults of a ruleset.
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
    replays: tuple[str, ...]  # other rulesets under which the game has the same end
    elsewhere: Mapping[str, str]  # why the game ends differently, by ruleset
    remarks: tuple[str, ...]  # one for each turn
    record: Mapping[str, Any]  # see `engine.proof.record`


@cache
def sample_games() -> Mapping[str, Game]:
    """Return the sample games by slug."""
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
