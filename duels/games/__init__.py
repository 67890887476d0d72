"""The printed sample games, as records with remarks on every turn.

Orders state every target, and every choice between two completed spells, so they do not depend on
any ruleset's defaults.
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
    replays: tuple[str, ...]  # other rulesets under which the game ends the same way
    elsewhere: Mapping[str, str]  # reasons why it ends differently under the others, by ruleset
    remarks: tuple[str, ...]  # by turn
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
