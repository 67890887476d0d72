"""Tests of the command that verifies the seals and the other proofs of a record."""

import copy
import re
from typing import Any

import pytest

from engine.cli.main import main
from engine.proof.record import InvalidRecord
from engine.proof.verify import verify
from tests import daily
from tests.engine.sample_record import (
    RECORD,
    WHOLE_RECORD,
    WRONG_VALUES,
    Json,
    value_paths,
    with_value,
)
from tests.engine.whole_records import begun_with_draws

SEALS = [
    seal for turn in (*WHOLE_RECORD["turns"], *WHOLE_RECORD["void_turns"]) for seal in turn["seals"]
]
SUPERSEDED_COUNT = sum(seal["superseded"] for seal in SEALS)
FIELD_COUNT = sum(len(seal["fields"]) for seal in SEALS)
OWN_CHANCE_COUNT = sum(bool(seal["fields"]["chance"]) for seal in SEALS)
DRAW_COUNT = sum(
    len(turn["draws"]) for turn in (*WHOLE_RECORD["turns"], *WHOLE_RECORD["void_turns"])
)


def test_verify_lists_checks_and_omissions(file, capsys) -> None:
    assert main(["verify", file(WHOLE_RECORD)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "checked: turns 8, void turns 2",
        "checked: positions 20, by hash and by playing every turn again",
        f"checked: seals {len(SEALS)}, {SUPERSEDED_COUNT} of them superseded; fields {FIELD_COUNT}",
        f"checked: salts of seals {len(SEALS)}, by the seed",
        f"checked: draws {DRAW_COUNT}, by the seed",
        f"checked: seals with the wizard's own random number {OWN_CHANCE_COUNT}",
        "checked: seeds 2",
        "checked: acts of referees 1",
        f"checked: chain, which ends with {WHOLE_RECORD['ended']['chain']}",
        "not covered: wizards[].name, wizards[].pronouns, speeches",
        "holds",
    ]


def test_verify_mentions_predetermined_dice(file, capsys) -> None:
    draws = {
        draw["label"]: draw["value"] for turn in WHOLE_RECORD["turns"] for draw in turn["draws"]
    }
    laid = begun_with_draws(WHOLE_RECORD, draws)
    assert main(["verify", file(laid)]) == 0
    assert f"draws {DRAW_COUNT}, set in advance, not random" in capsys.readouterr().out
    laid["dice"]["draws"]["turn 9 confusion w0 hand"] = 1
    assert main(["verify", file(laid)]) == 1
    assert "chain: is" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("fields", "left_subject"), "w0", "salts.left_subject: is missing"),
        (("salts", "left"), "ff" * 32, "salts.left: is 'ffff"),
        (("commitment",), "00" * 32, "turns[1].seals[1].commitment: is '0000"),
        (("fields", "place"), "duel 8 turn 2", "fields.place: is 'duel 8"),
        (("superseded",), True, "turns[1].commitments: is ["),
        (("wizard",), "w2", "turns[1].seals[1].fields.place: is"),
    ],
)  # fmt: skip
def test_tampered_seal_fails_verification(
    file, capsys, path: tuple[str, ...], to: object, told: str
) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    part: Any = record["turns"][1]["seals"][1]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = to
    assert main(["verify", file(record)]) == 1
    printed = capsys.readouterr().out
    assert told in printed
    assert printed.endswith("\ndoes not hold\n")
    assert main(["replay", file(record)]) == 0  # replay does not check seals


@pytest.mark.parametrize(
    ("way", "to", "told"),
    [
        (("turns", 0, "weather"), 1, "turns[0].weather: does not exist"),
        (("turns", 1, "seals", 0, "salts", "left"), "salt", "salts.left: must be 64 hexadecimal"),
        (("turns", 1, "closed_at"), "noon", "turns[1].closed_at: must be a time in UTC"),
        (("turns", 1, "played"), 1, "turns[1].played: must be true or false"),
        (("acts", 0), {"ordinal": 1}, "acts[0].chain: is missing"),
    ],
)  # fmt: skip
def test_verify_rejects_an_incomplete_record(
    file, capsys, way: tuple[str | int, ...], to: object, told: str
) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    part: Any = record
    for key in way[:-1]:
        part = part[key]
    part[way[-1]] = to
    assert main(["verify", file(record)]) == 2
    assert told in capsys.readouterr().err


def test_verify_rejects_a_record_without_the_fields_for_verification(file, capsys) -> None:
    assert main(["verify", file(RECORD)]) == 2
    assert "duel: is missing" in capsys.readouterr().err


@pytest.mark.parametrize("record", [[], {}, "duel", {**RECORD, "version": 1}])
def test_verify_rejects_invalid_records(file, capsys, record: object) -> None:
    assert main(["verify", file(record)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_verify_also_replays(file, capsys) -> None:
    record = copy.deepcopy(WHOLE_RECORD)
    record["turns"][1]["damage"]["w1"] += 5
    assert main(["verify", file(record)]) == 1
    assert "turns[1].damage.w1" in capsys.readouterr().out


def paths_in_record(record: Json) -> list[tuple[str | int, ...]]:
    return value_paths(record)[1:]


def value_at(record: Json, way: tuple[str | int, ...]) -> object:
    part: Any = record
    for key in way:
        part = part[key]
    return part


@pytest.mark.parametrize(
    "kind", sorted({re.sub(r"\d+", "#", str(way)) for way in paths_in_record(WHOLE_RECORD)})
)
def test_any_changed_value_of_a_complete_record_fails_verification(kind: str) -> None:
    """Verification must not raise errors other than InvalidRecord.

    A third of the wrong values is tried each day.
    """
    way = next(
        way for way in paths_in_record(WHOLE_RECORD) if re.sub(r"\d+", "#", str(way)) == kind
    )
    for wrong in daily.sample(WRONG_VALUES, 3, kind):
        is_another = repr(value_at(WHOLE_RECORD, way)) != repr(wrong)
        try:
            holds = verify(with_value(WHOLE_RECORD, way, wrong)) == []
        except InvalidRecord:
            continue
        assert not holds or not is_another or way[0] in ("wizards", "speeches")
