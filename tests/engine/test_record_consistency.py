"""Tests that a changed record is still inconsistent after its chain is recomputed.

rules: promise 14
"""

import copy
import json
import pathlib
from collections.abc import Callable

import pytest

import engine
from engine.commitment import field_commitments, field_salts, seal_commitment
from engine.record import InvalidRecord, seed_after, seeds_of
from engine.verify import examine
from tests.engine.whole_records import Json, whole_record

RECORD = whole_record(1)  # has a rollback, two void turns, and an end by resignation
OLDER = json.loads(
    (pathlib.Path(__file__).parent / "golden" / "stored" / "record-2.json").read_text("utf-8")
)
AFTER_AN_END = whole_record(3)  # rolled back after its end; dice are drawn in its turn 1


def with_new_chain(record: Json) -> Json:
    """Recompute every link of the record from its parts."""
    before = ""
    for act in record["acts"]:
        act["chain"] = before = engine.link(before, {k: v for k, v in act.items() if k != "chain"})
    chains = {0: record["chain"]}
    for turn in record["turns"]:
        chains[turn["ordinal"]] = _linked(record, turn, chains[turn["ordinal"] - 1])
    before = ""
    for turn in record["void_turns"]:
        before = _linked(record, turn, before or chains[turn["ordinal"] - 1])
    covered = engine.end_link_data(record["ended"], record["void_turns"], record["acts"], [])
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
        seed=seed_after(seeds_of(record), turn.get("roll_backs", 0)).seed,
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
    """Replace the orders sealed after the rollback with those from before it."""
    void = copy.deepcopy(record["void_turns"][0])
    number = void.pop("voided_in") and void["ordinal"] - 1
    record["turns"][number:] = [{**void, "acts": record["turns"][number]["acts"]}]
    record["ended"] |= {"how": "agreed", "result": "draw"}


def void_turn_said_to_be_sealed_later(record: Json) -> None:
    void_turn_played_again(record)
    record["turns"][2]["roll_backs"] = 1


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
        (without_roll_back, "turns[2].roll_backs: is 1, but should be 0"),
        (without_void_turn, "void_turns: lacks turn 4"),
        (other_roll_back, "acts[0].facts.roll_back"),
        (void_turn_played_again, "turns[2].roll_backs: is 0, but should be 1"),
        (void_turn_said_to_be_sealed_later, "turns[2].seals[0].fields.place"),
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
def test_new_chain_does_not_hide_contradictions(change: Callable[[Json], None], place: str) -> None:
    assert with_new_chain(copy.deepcopy(RECORD)) == RECORD
    altered = copy.deepcopy(RECORD)
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(with_new_chain(altered))
    assert str(fault.value).startswith(place)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (without_roll_back, "void_turns[0]: was not made void by any act"),
        (void_turn_played_again, "void_turns[0].seals[0].commitment: is that of turns[2].seals[0]"),
    ],
)
def test_new_chain_does_not_hide_contradictions_in_older_records(
    change: Callable[[Json], None], place: str
) -> None:
    assert with_new_chain(copy.deepcopy(OLDER)) == OLDER
    altered = copy.deepcopy(OLDER)
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(with_new_chain(altered))
    assert str(fault.value).startswith(place)


# Recomputing seals, turns and hashes must not allow choosing what the dice depend on.


def sealed_anew(record: Json, number: int, *, salts: Json | None = None, **fields: str) -> None:
    """Give a seal of turn 1 other fields or other salts, with fitting hashes."""
    turn = record["turns"][0]
    seal = turn["seals"][number]
    before = seal["commitment"]
    seal["fields"] |= fields
    seal["salts"] |= salts or {}
    seal["hashes"] = field_commitments(seal["fields"], seal["salts"])
    seal["commitment"] = seal_commitment(seal["fields"], seal["salts"])
    turn["commitments"] = [seal["commitment"] if c == before else c for c in turn["commitments"]]


def in_force(record: Json) -> int:
    seals = record["turns"][0]["seals"]
    return next(number for number, seal in enumerate(seals) if not seal["superseded"])


def salt_that_was_chosen(record: Json) -> None:
    sealed_anew(record, in_force(record), salts={"left": "ab" * 32})


def chance_that_was_chosen(record: Json) -> None:
    """Everything follows from it except the draws, which the seed determines."""
    sealed_anew(record, in_force(record), chance="0f" * 16)


def one_more_seal_before(record: Json) -> None:
    """Pretend that the wizard had sealed before, which is the only way to get other salts."""
    seals = record["turns"][0]["seals"]
    number = in_force(record)
    seals.insert(number, {**copy.deepcopy(seals[number]), "superseded": True})


def salts_as_after_another_seal(record: Json) -> None:
    number = in_force(record)
    fields = record["turns"][0]["seals"][number]["fields"]
    seed = record["dice"]["seeds"][0]["seed"]
    sealed_anew(record, number, salts=field_salts(seed, fields["place"], 2, fields))


def salts_of_an_older_duel(record: Json) -> None:
    del record["turns"][0]["seals"][in_force(record)]["fields"]["chance"]


def seed_without_an_act(record: Json) -> None:
    del record["acts"][0]["facts"]["seed_commitment"]


def no_second_seed(record: Json) -> None:
    del record["dice"]["seeds"][1]


def second_seed_from_the_beginning(record: Json) -> None:
    record["dice"]["seeds"][1]["roll_backs"] = 0


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (salt_that_was_chosen, "turns[0].seals[1].salts.left: is 'abab"),
        (chance_that_was_chosen, "turns[0].draws[0].value"),
        (one_more_seal_before, "turns[0].seals[2].salts."),
        (salts_as_after_another_seal, "turns[0].seals[1].salts."),
        (salts_of_an_older_duel, "turns[0].seals[1].fields.chance: is missing"),
        (seed_without_an_act, "dice.seeds[1].roll_backs: rollback 1 in the log did not commit"),
        (no_second_seed, "dice.seeds: lacks the seed that rollback 1 committed to"),
        (second_seed_from_the_beginning, "dice.seeds[1].roll_backs: is out of order"),
    ],
)
def test_inputs_of_the_dice_cannot_be_chosen(change: Callable[[Json], None], place: str) -> None:
    altered = copy.deepcopy(AFTER_AN_END)
    assert in_force(altered) == 1, "one was replaced"
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(with_new_chain(altered))
    assert str(fault.value).startswith(place)


@pytest.mark.parametrize(
    ("says_so", "last_void_turn_ends_it"), [(True, False), (False, True), (False, False)]
)
def test_duel_resumed_after_its_end_needs_a_new_seed(
    says_so: bool, last_void_turn_ends_it: bool
) -> None:
    """The seed was public, either because the act says so or because the duel had ended."""
    record = whole_record(3, renews_seed=False, resigns_before=last_void_turn_ends_it)
    if not says_so:
        del record["acts"][0]["facts"]["was"]
    record = with_new_chain(record)
    if not (says_so or last_void_turn_ends_it):
        examine(record)  # which nobody can notice
        return
    with pytest.raises(InvalidRecord) as fault:
        examine(record)
    assert str(fault.value).startswith("dice.seeds: lacks a new seed for rollback 1")


def test_older_duel_reports_that_its_seed_was_public() -> None:
    record = copy.deepcopy(OLDER)
    told = "after rollback 1 the duel continued with a seed that was already public"
    assert told not in examine(record).lines
    record["acts"][0]["facts"]["was"] = {"status": "over", "ended": "agreed", "result": "draw"}
    assert told in examine(with_new_chain(record)).lines


def test_end_declared_by_a_referee_is_valid() -> None:
    for kind, how, result in (("declare", "declared", "w1"), ("annul", "annulled", None)):
        record = copy.deepcopy(RECORD)
        record["acts"].append(act(kind, result=result))
        record["ended"] |= {"how": how, "result": result}
        assert examine(with_new_chain(record)).chain == record["ended"]["chain"]
