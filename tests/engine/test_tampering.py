"""Tests that `verify` finds every change to a record and names its place.

Parts that it does not check are listed as not covered. rules: promise 14
"""

import copy
import json
import pathlib
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from engine.proof.record import InvalidRecord, Mismatch
from engine.proof.source import NotJson, parse_json_text
from engine.proof.verify import UNCHECKED_PARTS, UNCHECKED_WITHOUT_SEED, examine
from engine.rulesets import RULESETS
from tests import daily
from tests.engine.whole_records import Json, whole_record

STORED_FOLDER = pathlib.Path(__file__).parent / "golden" / "stored"
RECORDS = [whole_record(number) for number in range(8)]
RECORDS_WITHOUT_SEED = [whole_record(number, turns=4, lost=True) for number in range(8)]
NUMBER_OF_CHANGES = 1000  # a different third of them is tested each day
# Messages between turns: their text, author and time are not covered, only their format.
SPEECH_VALUES = {
    f"speeches[].{name}" for name in ("wizard", "ordinal", "after_end", "words", "said_at")
}
Path = tuple[str | int, ...]


def paths_of_values(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths to every simple value and every empty container in the record."""
    inner = list(value) if isinstance(value, dict) else range(len(value)) if is_list(value) else ()
    if not inner:
        yield path
    for key in inner:
        yield from paths_of_values(value[key], (*path, key))


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def value_at(record: Any, path: Path) -> Any:
    for key in path:
        record = record[key]
    return record


def different_value(value: Any, chance: random.Random) -> Any:
    """Return a different value of the same type, if possible in the same format."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((1, -1)) if value else 1
    if value is None:
        return "2026-03-01T12:00:00+00:00"
    if not isinstance(value, str):
        return [*value, "w0"] if is_list(value) else {**value, "w0": "W"}
    if value in ("they", "she", "he"):
        return "she" if value != "she" else "they"
    place = chance.randrange(len(value)) if value else 0
    old = value[place : place + 1]
    alike = "0123456789" if old.isdigit() else "abcdef" if old in set("abcdef") else "PSWDF"
    return (
        value[:place] + chance.choice(alike.replace(old, "") if old else alike) + value[place + 1 :]
    )


def error_message_of(record: object) -> str:
    """Return the error message for the record, or "" if it is valid."""
    try:
        examine(record)
    except InvalidRecord as fault:
        return str(fault)
    return ""


def names_place_of_change(fault: str, path: Path, *, or_next: bool = False) -> bool:
    """Return whether the fault names the turn or the part of the record that was changed.

    `or_next`: the fault may also name the next turn, because a turn's own link cannot be computed
    without the seed.
    """
    place = re.split(r"[.:]", fault)[0]
    if path[0] in ("turns", "void_turns") and len(path) > 1:
        is_gone = fault.startswith("ended.")  # the last turns are missing
        in_its_list = path[0] == "void_turns" and place.startswith("void_turns[")
        place = place if not or_next else place.replace(f"[{int(path[1]) + 1}]", f"[{path[1]}]")
        return place == f"{path[0]}[{path[1]}]" or in_its_list or is_gone
    head = f"{path[0]}[{path[1]}]" if len(path) > 1 and isinstance(path[1], int) else str(path[0])
    said = fault.replace(" ", "_")
    return place == head or str(path[0]) in said or any(f"{key}" in said for key in path[-1:])


def path_without_numbers(path: Path) -> str:
    """Return the path without numbers: turns[].seals[].fields.left"""
    return "".join("[]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")


def test_complete_records_are_valid_and_list_their_checks() -> None:
    for record in RECORDS:
        found = examine(record)
        assert found.chain == record["ended"]["chain"]
    shown = " ".join(examine(RECORDS[1]).lines)
    assert f"turns {len(RECORDS[1]['turns'])}, void turns 2" in shown
    assert "acts of referees 1" in shown
    assert "by the site" not in shown
    after_an_end = "\n".join(examine(RECORDS[3]).lines)
    assert "seeds 2\n" in after_an_end
    assert "lay open" not in after_an_end
    turns = [turn for record in RECORDS for turn in record["turns"]]
    assert any(seal["fields"].get("chance") for turn in turns for seal in turn["seals"])
    assert any(turn["roll_backs"] for turn in turns)
    parts = [
        any(turn["answers"] for record in RECORDS for turn in record["turns"]),
        any(turn["draws"] for record in RECORDS for turn in record["turns"]),
        any(turn["resigned"] for record in RECORDS for turn in record["turns"]),
        any("removed" in s for record in RECORDS for t in record["turns"] for s in t["seals"]),
        any(not turn["played"] for record in RECORDS for turn in record["turns"]),
        {record["ruleset"] for record in RECORDS} == RULESETS.keys(),
    ]
    assert all(parts), parts


@pytest.mark.parametrize("records", [RECORDS, RECORDS_WITHOUT_SEED], ids=["whole", "seed lost"])
def test_every_kind_of_field_is_covered_or_listed_as_not_covered(records: list[Json]) -> None:
    """Change one of three fields of each kind each day, or all three if the kind is listed.

    Only changes of listed kinds may be missed.
    """
    kinds: dict[str, list[tuple[Json, Path]]] = defaultdict(list)
    for record in records:
        for path in paths_of_values(record):
            kinds[path_without_numbers(path)].append((record, path))
    passed = set[str]()
    for kind, places in sorted(kinds.items()):
        chance = random.Random(kind)
        three = chance.sample(places, min(3, len(places)))
        is_listed = kind in UNCHECKED_PARTS or kind in SPEECH_VALUES
        for record, path in three if is_listed else daily.sample(three, 3, kind):
            altered = copy.deepcopy(record)
            value_at(altered, path[:-1])[path[-1]] = different_value(value_at(record, path), chance)
            fault = error_message_of(altered)
            found = names_place_of_change(fault, path, or_next=records is RECORDS_WITHOUT_SEED)
            assert not fault or found, (path, fault)
            if not fault:
                passed.add(kind)
    assert {kind for kind in passed if not kind.startswith("speeches")} == {
        kind for kind in UNCHECKED_PARTS if kind != "speeches"
    }
    assert {kind for kind in passed if kind.startswith("speeches")} <= SPEECH_VALUES
    assert any(kind.endswith(".words") for kind in passed)
    assert "speeches" in UNCHECKED_PARTS


def change_value(record: Json, chance: random.Random) -> Path:
    """Change one value."""
    path = chance.choice(list(paths_of_values(record)))
    value_at(record, path[:-1])[path[-1]] = different_value(value_at(record, path), chance)
    return path


def remove_part(record: Json, chance: random.Random) -> Path:
    """Remove one value or a whole part."""
    path = chance.choice(list(paths_of_values(record)))
    path = path[: chance.randrange(1, len(path) + 1)]
    del value_at(record, path[:-1])[path[-1]]
    return path


def change_order(record: Json, chance: random.Random) -> Path:
    """Change a letter in a wizard's orders and in the seal."""
    turn = chance.choice([n for n, turn in enumerate(record["turns"]) if turn["orders"]])
    wizard = chance.choice(sorted(record["turns"][turn]["orders"]))
    orders = record["turns"][turn]["orders"][wizard]
    name = chance.choice(sorted(orders))
    orders[name] = different_value(orders[name], chance)
    for seal in record["turns"][turn]["seals"]:
        if (seal["wizard"], seal["stage"], seal["superseded"]) == (wizard, "orders", False):
            seal["fields"][name] = orders[name]
    return ("turns", turn)


def change_draw(record: Json, chance: random.Random) -> Path:
    """Change the value of a draw, or add a draw that was never made."""
    turn = chance.randrange(len(record["turns"]))
    draws = record["turns"][turn]["draws"]
    if draws:
        draw = chance.choice(draws)
        draw["value"] = (draw["value"] + 1) % draw["sides"]
    else:
        draws.append({"label": "turn 1 confusion w0 hand", "sides": 6, "value": 3})
    return ("turns", turn)


def change_seals(record: Json, chance: random.Random) -> Path:
    """Remove or duplicate a seal, give it to another wizard, or put another one in force."""
    turn = chance.choice([n for n, turn in enumerate(record["turns"]) if turn["seals"]])
    seals = record["turns"][turn]["seals"]
    number = chance.randrange(len(seals))
    what = chance.randrange(4)
    if what == 0:
        del seals[number]
    elif what == 1:
        seals.append(copy.deepcopy(seals[number]))
    elif what == 2:
        seals[number]["wizard"] = "w1" if seals[number]["wizard"] != "w1" else "w0"
    else:
        seals[number]["superseded"] = not seals[number]["superseded"]
    return ("turns", turn)


def change_turns(record: Json, chance: random.Random) -> Path:
    """Remove or duplicate a turn, or swap two turns."""
    turns = record["turns"]
    number = chance.randrange(len(turns) - 1)
    what = chance.randrange(3)
    if what == 0:
        del turns[number]
    elif what == 1:
        number += 1
        turns.insert(number, copy.deepcopy(turns[number - 1]))
    else:
        turns[number], turns[number + 1] = turns[number + 1], turns[number]
    return ("turns", number)


def change_salt_or_random_number(record: Json, chance: random.Random) -> Path:
    """Change the salt of a field, or the random number that a wizard contributed."""
    turn = chance.choice([n for n, turn in enumerate(record["turns"]) if turn["seals"]])
    number = chance.randrange(len(record["turns"][turn]["seals"]))
    seal = record["turns"][turn]["seals"][number]
    if "chance" in seal["fields"] and chance.random() < 0.5:
        seal["fields"]["chance"] = "" if seal["fields"]["chance"] else "0f" * 16
        return ("turns", turn, "seals", number, "fields", "chance")
    name = chance.choice(sorted(seal["salts"]))
    seal["salts"][name] = different_value(seal["salts"][name], chance)
    return ("turns", turn, "seals", number, "salts", name)


def change_counts(record: Json, chance: random.Random) -> Path:
    """Remove or add a superseded seal, or change the rollbacks of a turn."""
    turn = chance.choice([n for n, turn in enumerate(record["turns"]) if turn["seals"]])
    seals = record["turns"][turn]["seals"]
    replaced = [number for number, seal in enumerate(seals) if seal["superseded"]]
    what = chance.randrange(3)
    if what == 0 and replaced:
        del seals[chance.choice(replaced)]
    elif what == 1:
        number = chance.randrange(len(seals))
        seals.insert(number, {**copy.deepcopy(seals[number]), "superseded": True})
    else:
        record["turns"][turn]["roll_backs"] += chance.choice((1, 2))
    return ("turns", turn)


def change_seeds(record: Json, chance: random.Random) -> Path:
    """Change, move, remove or duplicate a seed."""
    seeds = record["dice"]["seeds"]
    number = chance.randrange(len(seeds))
    what = chance.randrange(4)
    if what == 0:
        seeds[number]["seed"] = different_value(seeds[number]["seed"], chance)
    elif what == 1:
        seeds[number]["roll_backs"] += 1
    elif what == 2:
        del seeds[number]
    else:
        seeds.append(copy.deepcopy(seeds[number]))
    return ("dice", "seeds")


ALTERATIONS = (
    change_value,
    change_value,
    remove_part,
    change_order,
    change_draw,
    change_seals,
    change_turns,
    change_salt_or_random_number,
    change_counts,
    change_seeds,
)


@pytest.mark.parametrize("part", range(4))
def test_verify_finds_and_names_every_change(part: int) -> None:
    for number in daily.sample(range(NUMBER_OF_CHANGES // 4), 3, part):
        chance = random.Random(f"{part} {number}")
        record = RECORDS[chance.randrange(len(RECORDS))]
        if chance.random() < 0.2:
            check_one_byte(record, chance)
            continue
        altered = copy.deepcopy(record)
        path = chance.choice(ALTERATIONS)(altered, chance)
        if altered == record or path_without_numbers(path).startswith(
            (*UNCHECKED_PARTS, "speeches")
        ):
            continue
        fault = error_message_of(altered)
        assert fault, path
        assert names_place_of_change(fault, path), (path, fault)


def check_one_byte(record: Json, chance: random.Random) -> None:
    """Change one byte. The result must be invalid JSON, equal in meaning, or rejected."""
    text = json.dumps(record)
    at_byte = chance.randrange(len(text))
    changed = text[:at_byte] + chance.choice('0123abcdefw"}],: ') + text[at_byte + 1 :]
    try:
        value = parse_json_text(changed)
    except NotJson:
        return
    if covered_json(value) != covered_json(record):
        assert error_message_of(value), (text[at_byte - 40 : at_byte + 40], changed[at_byte])


def covered_json(record: object) -> object:
    """Return the record as JSON text without uncovered parts. As text, 1 and 1.0 differ."""
    if isinstance(record, dict):
        record = {**record}
        if is_list(record.get("speeches")) and all(isinstance(x, dict) for x in record["speeches"]):
            del record["speeches"]
        if is_list(record.get("wizards")):
            record["wizards"] = [
                each if not isinstance(each, dict) else sorted(each) for each in record["wizards"]
            ]
    return json.dumps(record, sort_keys=True)


def test_verify_names_the_first_of_several_changes() -> None:
    """The first of several changes is named, with the exact salt, field or hash."""
    record = copy.deepcopy(RECORDS[0])
    for turn in (1, 4):
        record["turns"][turn]["seals"][0]["salts"]["left"] = "00" * 32
    with pytest.raises(Mismatch) as found:
        examine(record)
    assert found.value.field == "turns[1].seals[0].salts.left"
    in_force = next(
        n for n, seal in enumerate(RECORDS[0]["turns"][1]["seals"]) if not seal["superseded"]
    )
    for part in ("fields", "salts", "hashes"):
        record = copy.deepcopy(RECORDS[0])
        held = record["turns"][1]["seals"][in_force][part]
        held["left"] = "ab" * 32 if part != "fields" else "F" if held["left"] != "F" else "P"
        assert error_message_of(record).startswith(f"turns[1].seals[{in_force}].{part}.left: ")


def test_verify_rejects_a_seed_that_does_not_match_its_commitment() -> None:
    record = copy.deepcopy(RECORDS[3])
    for number in (1, 0):
        record["dice"]["seeds"][number]["seed"] = "00" * 32
        assert error_message_of(record).startswith(f"dice.seeds[{number}].seed_commitment: ")


def test_verify_names_a_wrong_salt_or_chance_or_rollback() -> None:
    """The record has void turns, because the duel was rolled back after its end."""
    record = RECORDS[3]
    seen = set[str]()
    for part in ("turns", "void_turns"):
        for index, turn in enumerate(record[part]):
            at_turn = f"{part}[{index}]"
            changed = _record_with_value(
                record, (part, index, "roll_backs"), turn["roll_backs"] + 1
            )
            assert error_message_of(changed).startswith(f"{at_turn}.roll_backs: ")
            for number, seal in enumerate(turn["seals"]):
                path = (part, index, "seals", number)
                names = sorted(seal["salts"])
                for name in {names[(index + number) % len(names)], "pad"}:
                    salt = seal["salts"][name]
                    changed = _record_with_value(
                        record, (*path, "salts", name), salt[:-1] + "0f"[salt[-1] == "0"]
                    )
                    found = f"{at_turn}.seals[{number}].salts.{name}: "
                    assert error_message_of(changed).startswith(found)
                    seen.add(name)
                instead = "ab" * 16 if not seal["fields"]["chance"] else ""
                changed = _record_with_value(record, (*path, "fields", "chance"), instead)
                found = f"{at_turn}.seals[{number}].fields.chance: "
                assert error_message_of(changed).startswith(found)
                changed = _record_with_value(record, (*path, "fields", "chance"), "left W")
                assert error_message_of(changed).startswith(f"{found}must be 32 hexadecimal digits")
    assert {"pad", "place", "chance", "left"} <= seen


def _record_with_value(record: Json, path: Path, value: object) -> Json:
    changed = copy.deepcopy(record)
    value_at(changed, path[:-1])[path[-1]] = value
    return changed


def test_verify_finds_changes_in_a_record_of_the_previous_version() -> None:
    """The stored record was written by the release that used this version."""
    record = json.loads((STORED_FOLDER / "record-2.json").read_text("utf-8"))
    assert record["version"] == 2
    found = examine(record)
    assert found.chain == record["ended"]["chain"]
    seals = sum(len(t["seals"]) for t in (*record["turns"], *record["void_turns"]))
    assert f"salts of seals {seals}, chosen by the site" in found.lines
    chance = random.Random(2)
    for path in chance.sample(list(paths_of_values(record)), 120):
        altered = _record_with_value(record, path, different_value(value_at(record, path), chance))
        if not path_without_numbers(path).startswith((*UNCHECKED_PARTS, "speeches")):
            assert names_place_of_change(error_message_of(altered), path), path
    assert error_message_of({**record, "version": 3}).endswith("in a record of this version")
    assert error_message_of({**record, "salts": "site"}).startswith("salts: does not exist")


def test_record_without_its_seed_is_valid_except_for_dice_and_links() -> None:
    for record in RECORDS_WITHOUT_SEED:
        found = examine(record)
        assert found.not_covered == (*UNCHECKED_PARTS, *UNCHECKED_WITHOUT_SEED)
        assert ("by the seed" in " ".join(found.lines)) == (len(record["dice"]["seeds"]) > 1)
    assert examine(RECORDS[0]).not_covered == UNCHECKED_PARTS


def test_seed_may_be_missing_only_if_the_record_says_that_it_was_lost() -> None:
    record = copy.deepcopy(RECORDS[0])
    (seed,) = record["dice"]["seeds"]
    known, seed["seed"] = seed["seed"], None
    assert error_message_of(record).startswith("dice.seeds[0].seed: is missing")
    record["ended"]["seed_lost"] = False
    assert error_message_of(record).startswith("ended.seed_lost: ")
    record["ended"]["seed_lost"] = True
    assert error_message_of(record)
    seed["seed"] = known
    assert error_message_of(record)


def test_missing_draw_is_found_even_if_the_seed_is_lost() -> None:
    record = copy.deepcopy(
        next(r for r in RECORDS_WITHOUT_SEED if any(turn["draws"] for turn in r["turns"]))
    )
    number = next(number for number, turn in enumerate(record["turns"]) if turn["draws"])
    label = record["turns"][number]["draws"].pop()["label"]
    assert error_message_of(record).startswith(
        f"turns[{number}]: no draw was recorded for {label!r}"
    )


def test_only_the_last_seed_can_be_lost() -> None:
    record = copy.deepcopy(RECORDS_WITHOUT_SEED[3])
    assert [seed["seed"] is None for seed in record["dice"]["seeds"]] == [False, True]
    record["dice"]["seeds"][0]["seed"] = None
    assert error_message_of(record).startswith("dice.seeds[0].seed: is missing")
