"""The golden duels: records to be replayed, and the expected view of every observer.

`golden/NAME.json` is the input, the record of a whole duel. `golden/NAME.txt` is the transcript, by
turn and observer, and is written by

    python -m tests.engine.golden_duels regenerate
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine.play
import engine.words
from engine.proof.replay import replay

GOLDEN_FOLDER = Path(__file__).parent / "golden"
SAMPLE_GAMES_FOLDER = Path(__file__).parent / "sample_games"


def golden_records() -> dict[str, dict[str, Any]]:
    """Return the golden records by name, including the two printed games."""
    found = {
        path.stem: json.loads(path.read_text("utf-8")) for path in GOLDEN_FOLDER.glob("*.json")
    }
    for path in SAMPLE_GAMES_FOLDER.glob("*.json"):
        found[path.stem] = json.loads(path.read_text("utf-8"))["record"]
    return dict(sorted(found.items()))


def histories_of_record(record: dict[str, Any]) -> Iterator[engine.play.History]:
    """Yield the history after each turn of the record, replayed from orders, answers and dice."""
    whole = replay(record)
    positions = [turn.position for turn in whole.turns[1:]] + [whole.position]
    for number, position in enumerate(positions, 1):
        yield engine.play.History(whole.turns[:number], position)


def transcript(record: dict[str, Any]) -> str:
    """Return each observer's view of each turn as text. Equal views are grouped."""
    seats = [f"w{seat}" for seat in range(len(record["wizards"]))]
    names = dict(zip(seats, (each["name"] for each in record["wizards"]), strict=True))
    parts = [f"{' against '.join(names.values())}, {record['ruleset']}\n"]
    for history in histories_of_record(record):
        turn = history.turns[-1]
        parts.append(f"\n== {turn.ordinal}: turn {turn.position.turn} {turn.position.kind}\n")
        seen: dict[str, list[str]] = {}
        for observer in (*seats, "spectator", "all"):
            seen.setdefault(last_turn_as_text(history, observer), []).append(
                names.get(observer, observer)
            )
        for text, observers in seen.items():
            parts.append(f"-- {', '.join(observers)}\n{text}")
    parts.append(f"\n== {names.get(history.position.outcome, history.position.outcome)}\n")
    return "".join(parts)


def last_turn_as_text(history: engine.play.History, observer: str) -> str:
    """Return the last turn as one observer sees it: rows, report and status."""
    window = engine.play.History(history.turns[-1:], history.position)
    view = engine.play.view(window, observer)
    (turn,) = view.turns
    lines = []
    for wizard in view.wizards:
        for row in turn.rows.get(wizard.id, ()):
            made = " ".join(cell_text(cell) for cell in (row.left, row.right))
            broken = " |" if wizard.id in turn.breaks else ""
            lines.append(f"   {wizard.name}: {made}{broken}")
    for line in engine.words.narrate(view)[-1].lines:
        lines.append(f" * {line.text} [{line.rule}]")
    for being in view.status:
        effects = " ".join(effect_text(effect) for effect in being.effects)
        damage = "?" if being.damage is None else being.damage
        bank = f" bank={being.bank}" if being.bank else ""
        owner = f" of {view.names[being.controller]}" if being.controller else ""
        lines.append(f"   {being.name}{owner}: {being.state} {damage} {effects}{bank}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def cell_text(cell: engine.play.Cell) -> str:
    """Return one cell as text: the gesture (a half clap in brackets) and the spell cast with it."""
    letter = f"({cell.letter})" if cell.mark == "half_clap" else cell.letter
    return f"{letter}={cell.spell}" if cell.spell else letter


def effect_text(effect: engine.play.EffectView) -> str:
    """Return one effect and the turns it still lasts, as text."""
    length = "for ever" if effect.permanent else effect.turns_left
    return effect.code if length is None else f"{effect.code}({length})"


def regenerate() -> None:
    """Rewrite every transcript from its record."""
    for name, record in golden_records().items():
        (GOLDEN_FOLDER / f"{name}.txt").write_text(transcript(record), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["regenerate"]:
        raise SystemExit(__doc__)
    regenerate()
