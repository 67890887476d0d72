"""The command that replays battle reports of Warlocks."""

import json
from collections.abc import Sequence
from typing import Final

from engine.battles import Battle, Comparison, as_json, parse_battle, replay_and_compare
from engine.cli.input import JsonFile
from engine.json_values import MISSING, InvalidData

MAX_SHOWN_LENGTH: Final = 72  # maximum number of characters printed for a value


def compare_battles(names: Sequence[str], limit: int) -> int:
    """Print where each replayed battle differs from its report, and then the totals.

    `limit` is the maximum number of differences printed for one battle.
    """
    told = [_load_battle(name) for name in names]
    compared = mismatched = 0
    for each in told:
        found = 0
        for comparison in replay_and_compare(each):
            compared += 1
            if not comparison.agrees:
                found += 1
                if found <= limit:
                    print(_comparison_line(comparison))
        mismatched += found
    turns = sum(len(each.turns) for each in told)
    print(f"battles {len(told)} turns {turns} compared {compared} mismatches {mismatched}")
    return 1 if mismatched else 0


def _load_battle(name: str) -> Battle:
    file = JsonFile(name)
    try:
        return parse_battle(file.value)
    except InvalidData as error:
        raise file.error_in_file(error) from error


def _comparison_line(comparison: Comparison) -> str:
    turn = f"turn {comparison.turn} " if comparison.turn else ""
    told, got = (shorten(as_json(value)) for value in (comparison.recorded, comparison.got))
    return f"{comparison.battle} {turn}{comparison.field}: expected {told}, got {got}"


def shorten(value: object) -> str:
    """Return the value as JSON, without its middle if it is long."""
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False)
    half = MAX_SHOWN_LENGTH // 2 - 1
    return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[:half]} … {text[-half:]}"
