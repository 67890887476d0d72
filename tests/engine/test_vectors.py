"""Tests that `spellcast-1` matches the recorded duels, and that the comparison works."""

import copy
import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.json_values import InvalidData
from tests import daily
from tests.vectors import mismatches, parse_recording
from tests.vectors.__main__ import main

RECORDED_DUELS_FILE = Path(__file__).parent.parent / "vectors" / "spellcast.jsonl.gz"
Json = dict[str, Any]
RecordingPath = tuple[str | int, ...]

with gzip.open(RECORDED_DUELS_FILE) as _file:
    LINES = list(_file)
DUELS: list[Json] = [json.loads(line) for line in LINES[:60]]


def differing_fields(duel: Json) -> list[tuple[int, str]]:
    """Return the phase and field of each value that is different in the replay."""
    return [(found.phase, found.field) for found in mismatches(parse_recording(duel))]


def value_at(duel: Json, path: RecordingPath) -> Any:
    part: Any = duel
    for key in path:
        part = part[key]
    return part


def with_value_at(duel: Json, path: RecordingPath, to: object) -> Json:
    """Return the duel with another value at this path."""
    new = copy.deepcopy(duel)
    value_at(new, path[:-1])[path[-1]] = to
    return new


def places_of_questions(sought: Callable[[Json], bool]) -> Iterator[tuple[Json, int, int]]:
    """Yield the duel, phase and number of every question of this kind."""
    for duel in DUELS:
        for number, phase in enumerate(duel["phases"]):
            for place, ask in enumerate(phase["asks"]):
                if sought(ask):
                    yield duel, number, place


def test_recorded_duels_replay_without_mismatch() -> None:
    """A different quarter of the duels is replayed each day."""
    for line in daily.sample(LINES, 4):
        assert differing_fields(json.loads(line)) == []


@pytest.mark.nightly
def test_every_recorded_duel_replays_without_mismatch(capsys) -> None:
    assert main([str(RECORDED_DUELS_FILE), "--limit", "20"]) == 0
    assert capsys.readouterr().out == "duels 400 phases 13987 mismatches 0\n"


# Differences that the comparison must notice

QUESTION_KINDS = (
    "target", "left_spell", "right_spell", "release", "attack", "elemental", "paralysis_hand",
    "charm_hand", "charm_gesture", "which_delay", "which_extend",
)  # fmt: skip


@pytest.mark.parametrize(
    "kind", [kind for kind in QUESTION_KINDS if kind not in ("release", "charm_gesture")]
)
def test_comparison_reports_options_in_the_wrong_order(kind: str) -> None:
    duel, phase, place = next(
        places_of_questions(lambda ask: ask["q"] == kind and _is_uneven(ask["opts"]))
    )
    way: RecordingPath = ("phases", phase, "asks", place)
    new = with_value_at(duel, (*way, "opts"), value_at(duel, way)["opts"][::-1])
    if "idx" in value_at(duel, way):
        new = with_value_at(
            new, (*way, "idx"), len(value_at(duel, way)["opts"]) - 1 - value_at(duel, way)["idx"]
        )
    assert (phase, f"asks[{place}].opts") in differing_fields(new)


def _is_uneven(options: list[str]) -> bool:
    return options != options[::-1]


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_compare_notices_a_question_to_the_wrong_wizard(kind: str) -> None:
    duel, phase, place = next(places_of_questions(lambda ask: ask["q"] == kind))
    way: RecordingPath = ("phases", phase, "asks", place, "who")
    new = with_value_at(duel, way, (value_at(duel, way) + 1) % duel["n"])
    assert differing_fields(new) == [(phase, f"asks[{place}].who")]


@pytest.mark.parametrize(
    ("kind", "key", "to"),
    [
        ("target", "spell", "stab"),
        ("target", "hand", "D"),
        ("target", "def", "-"),
        ("release", "spell", "permanency"),
        ("release", "def", 1),
        ("attack", "m", 99),
        ("attack", "attack", 7),
        ("attack", "def", "-"),
        ("paralysis_hand", "of", "w9"),
        ("charm_hand", "of", "w9"),
        ("charm_gesture", "of", "w9"),
    ],
)
def test_compare_notices_a_question_with_wrong_details(kind: str, key: str, to: object) -> None:
    duel, phase, place = next(places_of_questions(lambda ask: ask["q"] == kind and ask[key] != to))
    new = with_value_at(duel, ("phases", phase, "asks", place, key), to)
    assert differing_fields(new) == [(phase, f"asks[{place}].{key}")]


def test_compare_notices_a_missing_preselected_answer() -> None:
    duel, phase, place = next(places_of_questions(lambda ask: ask["q"] == "elemental"))
    new = with_value_at(duel, ("phases", phase, "asks", place, "def"), "fire")
    assert differing_fields(new) == [(phase, f"asks[{place}].def")]


def test_compare_notices_an_unrecorded_question() -> None:
    duel, phase, _ = next(places_of_questions(lambda ask: ask["q"] == "attack" and ask["b"] == 0))
    asks = value_at(duel, ("phases", phase, "asks"))
    new = with_value_at(duel, ("phases", phase, "asks"), asks[:-1])
    assert (phase, f"asks[{len(asks) - 1}]") in differing_fields(new)


def test_compare_notices_a_recorded_question_that_is_not_asked() -> None:
    duel = DUELS[0]
    extra = {"b": 0, "who": 0, "q": "release", "spell": "shield", "def": 0, "ans": 0}
    assert not duel["phases"][0]["asks"]
    assert differing_fields(with_value_at(duel, ("phases", 0, "asks"), [extra])) == [(0, "asks[0]")]


def test_compare_notices_a_question_in_the_wrong_batch() -> None:
    duel, phase, _ = next(places_of_questions(lambda ask: ask["q"] == "target" and ask["b"] == 1))
    asks = value_at(duel, ("phases", phase, "asks"))
    assert differing_fields(
        with_value_at(duel, ("phases", phase, "asks"), [{**ask, "b": 0} for ask in asks])
    )


def duel_and_phase_with_dice() -> tuple[Json, int]:
    """Return a duel and the number of its first phase with dice."""
    return next(
        (duel, number)
        for duel in DUELS
        for number, phase in enumerate(duel["phases"])
        if phase["rand"]
    )


def test_compare_notices_a_die_with_the_wrong_number_of_sides() -> None:
    duel, phase = duel_and_phase_with_dice()
    way: RecordingPath = ("phases", phase, "rand", 0)
    sides, value = value_at(duel, way)
    assert (phase, "rand[0]") in differing_fields(with_value_at(duel, way, [sides + 1, value]))


def test_compare_notices_too_many_or_too_few_dice() -> None:
    duel, phase = duel_and_phase_with_dice()
    draws = value_at(duel, ("phases", phase, "rand"))
    end = f"rand[{len(draws)}]"
    more = with_value_at(duel, ("phases", phase, "rand"), [*draws, [6, 0]])
    assert differing_fields(more) == [(phase, end)]
    fewer = with_value_at(duel, ("phases", phase, "rand"), draws[:-1])
    assert (phase, f"rand[{len(draws) - 1}]") in differing_fields(fewer)


def test_compare_notices_a_wrong_cast() -> None:
    duel, phase, place = next(
        (duel, number, place)
        for duel in DUELS
        for number, phase in enumerate(duel["phases"])
        for place, event in enumerate(phase["events"])
        if event["e"] == "cast" and event["hand"] == "L" and place == 0
    )
    way: RecordingPath = ("phases", phase, "events", place)
    for key, to in (("spell", "permanency"), ("by", "w9"), ("hand", "B"), ("at", "w9")):
        assert differing_fields(with_value_at(duel, (*way, key), to)) == [
            (phase, f"casts[0].{key}")
        ]
    fewer = with_value_at(duel, way, {"e": "nothing"})
    assert (phase, "casts[0]") in [(p, f.partition(".")[0]) for p, f in differing_fields(fewer)]
    untold = copy.deepcopy(duel)
    del untold["phases"][phase]["events"]
    assert differing_fields(untold) == []


def paths_of_state_keys() -> dict[str, tuple[Json, int, RecordingPath]]:
    """Return one place for each key in the state of a wizard or monster."""
    found: dict[str, tuple[Json, int, RecordingPath]] = {}
    for duel in DUELS:
        for number, phase in enumerate(duel["phases"]):
            for group in ("wiz", "mon"):
                for place, being in enumerate(phase["state"][group]):
                    for key in being:
                        found.setdefault(f"{group} {key}", (duel, number, (group, place, key)))
    return found


PATHS_OF_STATE_KEYS = paths_of_state_keys()


@pytest.mark.parametrize("what", PATHS_OF_STATE_KEYS)
def test_compare_notices_every_part_of_a_state(what: str) -> None:
    duel, phase, (group, place, key) = PATHS_OF_STATE_KEYS[what]
    way: RecordingPath = ("phases", phase, "state", group, place, key)
    new = with_value_at(duel, way, "fear" if key in ("mind", "now", "bank") else 77)
    assert differing_fields(new) == [(phase, f"state.{group}[{place}].{key}")]


def test_compare_notices_missing_parts_of_a_state() -> None:
    duel = copy.deepcopy(DUELS[0])
    del duel["phases"][4]["state"]["wiz"][1]["hp"]
    duel["phases"][5]["state"]["mon"].append({"kind": "ogre"})
    assert differing_fields(duel) == [(4, "state.wiz[1].hp"), (5, "state.mon[0]")]


def test_compare_notices_a_wrong_next_phase_and_stops_there() -> None:
    duel = DUELS[0]
    assert differing_fields(with_value_at(duel, ("phases", 3, "next"), "haste")) == [(3, "next")]
    assert differing_fields(with_value_at(duel, ("phases", 3, "next"), None)) == [(3, "next")]
    assert differing_fields(with_value_at(duel, ("phases", 3, "type"), "haste")) == [(3, "type")]
    assert differing_fields(with_value_at(duel, ("phases", 3, "t"), 4)) == [(3, "t")]
    assert differing_fields(with_value_at(duel, ("phases", 3, "moves", 1), None)) == [
        (3, "moves[1]")
    ]


def test_compare_notices_a_wrong_result() -> None:
    ended = next(duel for duel in DUELS if duel["result"] == 0)
    last = len(ended["phases"]) - 1
    for other in (1, "draw", "unfinished"):
        assert differing_fields(with_value_at(ended, ("result",), other)) == [(last, "result")]
    cut = {**ended, "phases": ended["phases"][:-1]}
    assert differing_fields(cut) == [(last - 1, "result")]
    longer = {**ended, "phases": [*ended["phases"], ended["phases"][-1]]}
    assert differing_fields(longer) == [(last + 1, "type")]


# The command line


@pytest.fixture
def file(tmp_path: Path) -> Callable[[bytes], str]:
    """Return a function that writes these bytes to a file and returns its path."""

    def write(content: bytes) -> str:
        path = tmp_path / "duels.jsonl.gz"
        path.write_bytes(content)
        return str(path)

    return write


def compressed_duels(*duels: object) -> bytes:
    return gzip.compress(b"".join(json.dumps(duel).encode() + b"\n" for duel in duels))


def test_each_mismatch_is_printed_in_one_line_with_exit_code_1(file, capsys) -> None:
    tampered = with_value_at(DUELS[1], ("phases", 2, "state", "wiz", 0, "hp"), 99)
    tampered = with_value_at(tampered, ("phases", 4, "state", "wiz", 1), {})
    assert main([file(compressed_duels(DUELS[0], tampered))]) == 1
    first, *others, last = capsys.readouterr().out.splitlines()
    assert first == "duel-001 phase 2 state.wiz[0].hp: expected 99, got 15"
    assert all(line.startswith("duel-001 phase 4 state.wiz[1].") for line in others)
    assert "duel-001 phase 4 state.wiz[1].hp: expected nothing, got 15" in others
    phases = len(DUELS[0]["phases"]) + len(DUELS[1]["phases"])
    assert last == f"duels 2 phases {phases} mismatches {1 + len(others)}"


def test_long_values_are_shortened_and_the_number_of_lines_can_be_limited(file, capsys) -> None:
    tampered = with_value_at(DUELS[0], ("phases", 0, "state", "wiz"), [{"x": "y" * 500}] * 2)
    path = file(compressed_duels(tampered))
    assert main([path, "--limit", "1"]) == 1
    line, last = capsys.readouterr().out.splitlines()
    assert len(line) < 200
    assert line.endswith(", got nothing")
    assert not last.endswith(" 1")


# Unreadable files

GOOD_FILE = compressed_duels(*DUELS[:2])
REJECTED_FILES: dict[str, tuple[bytes, str]] = {
    "truncated": (gzip.compress(b"".join(LINES[:40]))[:9_000], ": is truncated"),
    "cut at the end": (GOOD_FILE[:-6], "line 3: is truncated"),
    "not gzip": (json.dumps(DUELS[0]).encode(), "line 1: is not gzip"),
    "empty": (b"", "line 1: does not contain a duel"),
    "nothing in it": (gzip.compress(b""), "line 1: does not contain a duel"),
    "damaged": (GOOD_FILE[:40] + b"\xff" * 40 + GOOD_FILE[80:], "line 1: is damaged"),
    "no text": (gzip.compress(bytes(range(128, 256))), "line 1: is not UTF-8 text"),
    "no JSON": (gzip.compress(json.dumps(DUELS[0]).encode() + b"\n{"), "line 2: is not JSON"),
    "half a line": (gzip.compress(LINES[0][:500]), "line 1: is not JSON"),
    "a list": (compressed_duels(DUELS), "line 1: duel: must be an object"),
    "a record": (
        compressed_duels({"format": "spellcaster-record", "version": 1}), "unknown key 'format'",
    ),
    "another version": (
        compressed_duels(DUELS[0], {**DUELS[0], "version": 2}), "line 2: version: must be 1",
    ),
    "another ruleset": (
        compressed_duels({**DUELS[0], "ruleset": "bartle-1"}),
        "ruleset: must be one of spellcast-1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED_FILES)
def test_bad_file_is_rejected_in_one_line(file, capsys, name: str) -> None:
    content, reason = REJECTED_FILES[name]
    path = file(content)
    assert main([path]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith(f"engine: {path}, line ")
    assert reason in printed.err
    assert printed.err.count("\n") == 1


def test_vectors_command_rejects_missing_files(tmp_path: Path, capsys) -> None:
    assert main([str(tmp_path / "none.gz")]) == 2
    assert capsys.readouterr().err.endswith("none.gz: No such file or directory\n")


DUEL_WITH_QUESTION, QUESTION_PHASE, _ = next(
    places_of_questions(lambda ask: ask["q"] == "left_spell")
)
FIRST_QUESTION: RecordingPath = ("phases", QUESTION_PHASE, "asks", 0)
BAD_VALUES: tuple[tuple[RecordingPath, object, str], ...] = (
    (("n",), 1, "n: must be a whole number from 2"),
    (("n",), 9, "n: a duel has 2 to 8 wizards"),
    (("n",), 5, "phases[0].moves: must have 5 entries"),
    (("id",), 7, "id: must be a string"),
    (("result",), "w1", "result: must be one of draw, unfinished"),
    (("result",), 4, "result: there is no seat 4"),
    (("phases",), [], "phases: there is none"),
    (("phases", 0), [], "phases[0]: must be an object"),
    (("phases", 0, "t"), -1, "phases[0].t: must be a whole number"),
    (("phases", 0, "type"), "extra", "phases[0].type: must be one of normal, timestop, haste"),
    (("phases", 0, "next"), "end", "phases[0].next: must be one of"),
    (("phases", 0, "moves", 1), "X-", "phases[0].moves[1]: must be two of"),
    (("phases", 0, "moves", 1), "FFF", "phases[0].moves[1]: must be two of"),
    (("phases", 0, "rand"), [[6]], "phases[0].rand[0]: must be the number of sides"),
    (("phases", 0, "rand"), [[6, 6]], "phases[0].rand[0]: 6 is not below 6"),
    (("phases", 0, "state"), {"wiz": []}, "phases[0].state.mon: must be a list"),
    (("phases", 0, "state", "wiz"), [], "phases[0].state.wiz: must have"),
    (("phases", 0, "state", "wiz", 0, "bank"), "umbrella", ".bank: unknown spell 'umbrella'"),
    ((*FIRST_QUESTION, "q"), "riddle", ".q: must be one of"),
    ((*FIRST_QUESTION, "who"), 8, ".who: there is no seat 8"),
    ((*FIRST_QUESTION, "opts", 0), "umbrella", ".opts[0]: unknown spell 'umbrella'"),
    ((*FIRST_QUESTION, "ans"), "stab", ".ans: must be one of"),
    ((*FIRST_QUESTION, "b"), 1, ".b: batches are numbered from 0"),
    ((*FIRST_QUESTION, "why"), 1, "unknown key 'why'"),
)  # fmt: skip


@pytest.mark.parametrize(("way", "to", "reason"), BAD_VALUES, ids=lambda part: str(part)[:40])
def test_bad_recording_is_rejected_with_the_place_of_the_error(
    way: RecordingPath, to: object, reason: str
) -> None:
    with pytest.raises(InvalidData) as refused:
        parse_recording(with_value_at(DUEL_WITH_QUESTION, way, to))
    assert reason in str(refused.value)


@pytest.mark.parametrize("key", ["id", "n", "phases", "result"])
def test_recordings_with_missing_parts_are_rejected(key: str) -> None:
    for duel in ({**DUELS[0], key: None}, {k: v for k, v in DUELS[0].items() if k != key}):
        with pytest.raises(InvalidData, match=key):
            parse_recording(duel)
    for part in ("t", "type", "moves", "asks", "rand", "state", "next"):
        duel = copy.deepcopy(DUELS[0])
        del duel["phases"][0][part]
        with pytest.raises(InvalidData, match=rf"phases\[0\]\.{part}"):
            parse_recording(duel)
