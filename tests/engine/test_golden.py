"""Tests that the golden duels match their transcripts for every observer.

A difference is either a fault or an intended change. After an intended change, regenerate (see
`golden_duels`) and review the differences. The records of a published ruleset never change.
"""

import hashlib
import json
import tomllib
from pathlib import Path

import pytest

import engine
import engine.orders
import engine.play
from engine.events import EVENT_CLASS_BY_CODE
from engine.proof.replay import replay
from tests.engine import golden_duels

RECORDS = golden_duels.golden_records()
NAME_AND_HASH_BY_RULESET = {
    # ruleset: its golden record, and the file's SHA-256, which never changes
    "bartle-1": ("bartle-1", "7d449569f2268baced74804bdf84b786d8a04530b982613e4dc371417434e112"),
    "spellcast-1": (
        "spellcast-1",
        "fc3b6bbd2c0dc4092156697796cec63606c64adb6b4b89bccf84005b530a1ee7",
    ),
    "wizards-1": ("wizards-1", "ad8b4f31f4a298fa12f6f7a013cb521b36dbd7d968b689f73d6dbceb43068a3e"),
    "warlocks-1": (
        "warlocks-1",
        "7094124bcb440fc5c9ae6ddf04bd9be49522112f97fde44603020b3f52583dcd",
    ),
    "archmage-1": (
        "archmage-1",
        "9defbbf95f58563069ac6531212ee32e12ede62c5f16a432c81e6bc0d4a8fc9f",
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_golden_duels_match_their_transcripts(name: str) -> None:
    written = (golden_duels.GOLDEN_FOLDER / f"{name}.txt").read_text("utf-8")
    assert golden_duels.transcript(RECORDS[name]) == written


def test_every_published_ruleset_has_a_golden_record() -> None:
    assert set(NAME_AND_HASH_BY_RULESET) == set(engine.play.RULESETS)


@pytest.mark.parametrize("ruleset", NAME_AND_HASH_BY_RULESET)
def test_published_golden_records_are_unchanged(ruleset: str) -> None:
    name, digest = NAME_AND_HASH_BY_RULESET[ruleset]
    content = (golden_duels.GOLDEN_FOLDER / f"{name}.json").read_bytes()
    assert hashlib.sha256(content).hexdigest() == digest
    assert RECORDS[name]["ruleset"] == ruleset


def test_release_of_the_engine_equals_the_project_version() -> None:
    """rules: promise 13"""
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert tomllib.loads(project.read_text("utf-8"))["project"]["version"] == engine.RELEASE


def test_golden_duels_contain_an_event_of_every_class() -> None:
    """Marker events are exempt, because most duels are played without markers."""
    shown = {
        event.code
        for record in RECORDS.values()
        for turn in replay(record).turns
        for event in turn.events
    }
    assert shown | {"marker_taken", "markers_returned"} >= set(EVENT_CLASS_BY_CODE)


def test_observers_see_only_gestures_of_the_open_record() -> None:
    """A wizard's view of a gesture is either fog or the gesture in the open record."""
    for record in RECORDS.values():
        *_, last = golden_duels.histories_of_record(record)
        everything = engine.play.view(last, "all")
        for seat in range(len(record["wizards"])):
            for mine, full in zip(
                engine.play.view(last, f"w{seat}").turns, everything.turns, strict=True
            ):
                for wizard, rows in mine.rows.items():
                    for row, whole in zip(rows, full.rows[wizard], strict=True):
                        assert row.left.letter in ("?", whole.left.letter)
                        assert row.right.letter in ("?", whole.right.letter)


STORED_POSITIONS = sorted((golden_duels.GOLDEN_FOLDER / "stored").glob("format-*.json"))


@pytest.mark.parametrize("path", STORED_POSITIONS, ids=lambda path: path.stem)
def test_stored_examples_of_every_format_can_be_loaded(path: Path) -> None:
    """Stored duels load as the same positions as a replay, even if older code stored them."""
    stored = json.loads(path.read_text("utf-8"))
    for each in stored["histories"]:
        history = engine.play.load(each["history"])
        assert isinstance(history, engine.play.History)
        replayed = list(golden_duels.histories_of_record(RECORDS[each["record"]]))[each["last"] - 1]
        turns = replayed.turns[each["first"] - 1 :]
        assert [turn.position for turn in history.turns] == [turn.position for turn in turns]
        assert history.position == replayed.position
        assert all(turn.events for turn in history.turns)
    for each in stored["orders"]:
        assert isinstance(engine.play.load(each), engine.orders.Orders)


def test_current_dump_format_has_stored_examples() -> None:
    stored = json.loads(STORED_POSITIONS[-1].read_text("utf-8"))
    values = [each["history"] for each in stored["histories"]] + stored["orders"]
    assert values
    assert [engine.play.dump(engine.play.load(value)) for value in values] == values
