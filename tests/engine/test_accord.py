"""A record whose chain was computed anew after a change still has to agree with itself.

rules: promise 14
"""

import copy
from collections.abc import Callable

import pytest

import engine
from engine.record import InvalidRecord
from engine.verify import examine
from tests.engine.whole_records import Json, whole_record

RECORD = whole_record(1)  # with a roll back, two void turns, and an end by resigning


def with_new_chain(record: Json) -> Json:
    """Every link of the record as its parts would have it."""
    before = ""
    for act in record["acts"]:
        act["chain"] = before = engine.link(before, {k: v for k, v in act.items() if k != "chain"})
    chains = {0: record["chain"]}
    for turn in record["turns"]:
        chains[turn["ordinal"]] = _linked(record, turn, chains[turn["ordinal"] - 1])
    before = ""
    for turn in record["void_turns"]:
        before = _linked(record, turn, before or chains[turn["ordinal"] - 1])
    covered = engine.end_covered(record["ended"], record["void_turns"], record["acts"], [])
    record["ended"]["chain"] = engine.link(chains[len(record["turns"])], covered)
    return record


def _linked(record: Json, turn: Json, before: str) -> str:
    turn["acts"] = min(turn["acts"], len(record["acts"]))
    last = record["acts"][turn["acts"] - 1]["chain"] if turn["acts"] else ""
    turn["chain"] = engine.turn_link(
        before,
        {**turn, "acts": last},
        ruleset=record["ruleset"],
        options=record["options"],
        seed=record["dice"]["seed"],
    )
    return str(turn["chain"])


def act(kind: str, **facts: object) -> Json:
    return {"ordinal": 2, "act": kind, "turn": 7, "seat": "w0", "facts": facts}


def without_roll_back(record: Json) -> None:
    record["acts"] = []


def without_void_turn(record: Json) -> None:
    record["void_turns"].pop()


def other_roll_back(record: Json) -> None:
    record["acts"][0]["facts"]["roll_back"] = 2


def void_turn_played_again(record: Json) -> None:
    """What was sealed before the roll back is put in the place of what was sealed after it."""
    void = copy.deepcopy(record["void_turns"][0])
    number = void.pop("voided_in") and void["ordinal"] - 1
    record["turns"][number:] = [{**void, "acts": record["turns"][number]["acts"]}]
    record["ended"] |= {"how": "agreed", "result": "draw"}


def removed_by_nobody(record: Json) -> None:
    left = next(turn for turn in record["turns"] if turn["resigned"])
    left["removed"] = list(left["resigned"])


def removed_in_the_log_alone(record: Json) -> None:
    record["acts"].append(act("remove"))


def declared_by_nobody(record: Json) -> None:
    record["ended"] |= {"how": "declared", "result": "w0"}


def declared_otherwise(record: Json) -> None:
    record["acts"].append(act("declare", result="w1"))
    declared_by_nobody(record)


def declared_in_the_log_alone(record: Json) -> None:
    record["acts"].append(act("declare", result="w0"))


def annulled_with_a_winner(record: Json) -> None:
    record["acts"].append(act("annul"))
    record["ended"] |= {"how": "annulled", "result": "w0"}


def abandoned_with_a_winner(record: Json) -> None:
    record["ended"] |= {"how": "abandoned", "result": "w0"}


def acts_that_were_there_before(record: Json) -> None:
    record["turns"][0]["acts"] = 1
    record["turns"][1]["acts"] = 0


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (without_roll_back, "void_turns[0]"),
        (without_void_turn, "void_turns: lacks turn 4"),
        (other_roll_back, "acts[0].facts.roll_back"),
        (void_turn_played_again, "void_turns[0].seals[0].commitment: is that of turns[2].seals[0]"),
        (removed_by_nobody, "turns[6].removed"),
        (removed_in_the_log_alone, "acts[1]"),
        (declared_by_nobody, "ended.how"),
        (declared_otherwise, "ended.result"),
        (declared_in_the_log_alone, "ended.how"),
        (annulled_with_a_winner, "ended.result"),
        (abandoned_with_a_winner, "ended.result"),
        (acts_that_were_there_before, "turns[1].acts"),
    ],
)
def test_a_new_chain_hides_no_contradiction(change: Callable[[Json], None], place: str) -> None:
    assert with_new_chain(copy.deepcopy(RECORD)) == RECORD
    altered = copy.deepcopy(RECORD)
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(with_new_chain(altered))
    assert str(fault.value).startswith(place)


def test_an_end_that_a_referee_has_made_holds() -> None:
    for kind, how, result in (("declare", "declared", "w1"), ("annul", "annulled", None)):
        record = copy.deepcopy(RECORD)
        record["acts"].append(act(kind, result=result))
        record["ended"] |= {"how": how, "result": result}
        assert examine(with_new_chain(record)).chain == record["ended"]["chain"]
