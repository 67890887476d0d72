"""Executed instructions of pages, emails and planned turns, compared with a fixed piece of work.

Such ratios are the same on any machine, and differ by at most three per cent between builds of
Python; `tests/budgets.py` limits them. A separate process under valgrind counts the instructions.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile

from bench import valgrind
from bench.output import Figure
from bench.played import duel_at_turn
from bench.post import FIRST_PLAYED_TURN
from bench.web import duel_path, signed_in_client
from duels.models import Duel, Wizard
from tests.cast import make_wizard

COUNTED_SCRIPT = str(Path(__file__).parent / "counted.py")
COUNTED_DUELS = 3


def figures(black: Wizard, duel: Duel, env: Mapping[str, str]) -> Iterator[Figure]:
    """Yield every ratio, or nothing if valgrind is not installed."""
    if not valgrind.is_valgrind_installed():
        return
    pair = make_wizard("Counted"), make_wizard("Counted too")
    given = {
        "session": signed_in_client(black).cookies["sessionid"].value,
        "page": duel_path(duel),
        "duels": [duel_at_turn(FIRST_PLAYED_TURN, *pair).pk for _ in range(COUNTED_DUELS)],
    }
    with NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(given, file)
        file.flush()
        of = valgrind.instruction_counts(COUNTED_SCRIPT, file.name, env=env)
    yield "duel_page_instructions_ratio", of["page"] / of["bare"], "times"
    yield "duel_page_instructions_ratio_cold", of["page cold"] / of["bare"], "times"
    yield "post_instructions_ratio", of["post"] / of["turn"], "times"
    for ruleset in ("bartle", "spellcast", "warlocks"):
        ratio = of[f"{ruleset}-1"] / of["reference"]
        yield f"engine_instructions_ratio_planned_{ruleset}", ratio, "turn/reference"
