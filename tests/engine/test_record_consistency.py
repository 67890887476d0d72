"""Tests that a falsified record is found even if its chain was recomputed.

rules: promise 14
"""

import copy
import json
import pathlib
from collections.abc import Callable

import pytest

from engine.proof.commitment import field_commitments, field_salts, seal_commitment
from engine.proof.record import InvalidRecord
from engine.proof.verify import examine
from tests.engine.whole_records import Json, begun_with_draws, recompute_chain, whole_record

RECORD = whole_record(1)  # with a rollback, two void turns and a resignation at the end
OLDER_RECORD = json.loads(
    (pathlib.Path(__file__).parent / "golden" / "stored" / "record-2.json").read_text("utf-8")
)
RECORD_AFTER_AN_END = whole_record(3)  # rolled back after its end, with dice in turn 1


def referee_act(kind: str, **facts: object) -> Json:
    return {"ordinal": 2, "act": kind, "turn": 7, "seat": "w0", "facts": facts}


def remove_rollback(record: Json) -> None:
    record["acts"] = []


def remove_void_turn(record: Json) -> None:
    record["void_turns"].pop()


def renumber_rollback(record: Json) -> None:
    record["acts"][0]["facts"]["roll_back"] = 2


def play_void_turn_again(record: Json) -> None:
    """Replace the orders sealed after the rollback with the orders from before it."""
    void = copy.deepcopy(record["void_turns"][0])
    number = void.pop("voided_in") and void["ordinal"] - 1
    record["turns"][number:] = [{**void, "acts": record["turns"][number]["acts"]}]
    record["ended"] |= {"how": "agreed", "result": "draw"}


def play_void_turn_after_rollback(record: Json) -> None:
    play_void_turn_again(record)
    record["turns"][2]["roll_backs"] = 1


def claim_removal_without_act(record: Json) -> None:
    left = next(turn for turn in record["turns"] if turn["resigned"])
    left["removed"] = list(left["resigned"])


def add_act_of_removal_only(record: Json) -> None:
    record["acts"].append(referee_act("remove"))


def claim_declaration_without_act(record: Json) -> None:
    record["ended"] |= {"how": "declared", "result": "w0"}


def declare_another_winner(record: Json) -> None:
    record["acts"].append(referee_act("declare", result="w1"))
    claim_declaration_without_act(record)


def add_act_of_declaration_only(record: Json) -> None:
    record["acts"].append(referee_act("declare", result="w0"))


def annul_with_winner(record: Json) -> None:
    record["acts"].append(referee_act("annul"))
    record["ended"] |= {"how": "annulled", "result": "w0"}


def abandon_with_winner(record: Json) -> None:
    record["ended"] |= {"how": "abandoned", "result": "w0"}


def lower_number_of_acts(record: Json) -> None:
    record["turns"][0]["acts"] = 1
    record["turns"][1]["acts"] = 0


def claim_end_by_removal(record: Json) -> None:
    record["ended"]["how"] = "removed"


def claim_end_by_agreement(record: Json) -> None:
    record["ended"] |= {"how": "agreed", "result": "draw"}


def claim_end_by_time(record: Json) -> None:
    record["ended"]["how"] = "time"


def log_removal_before_rollback(record: Json) -> None:
    """Log the removal before the rollback, which made its turn void."""
    left = next(turn for turn in record["turns"] if turn["resigned"])
    left["removed"] = list(left["resigned"])
    removal = referee_act("remove") | {"turn": left["ordinal"], "seat": left["resigned"][0]}
    record["acts"] = [{**removal, "ordinal": 1}, {**record["acts"][0], "ordinal": 2}]
    record["ended"]["how"] = "removed"


def change_end_before_declaration(record: Json) -> None:
    was = {"status": "over", "ended": "time", "result": record["ended"]["result"]}
    record["acts"].append(referee_act("declare", result="w1", was=was))
    record["ended"] |= {"how": "declared", "result": "w1"}


def change_winner_before_declaration(record: Json) -> None:
    end = record["ended"]
    was = {"status": "over", "ended": end["how"], "result": "w1" if end["result"] == "w0" else "w0"}
    record["acts"].append(referee_act("declare", result="w1", was=was))
    record["ended"] |= {"how": "declared", "result": "w1"}


def add_second_act_without_the_first_end(record: Json) -> None:
    record["acts"] += [referee_act("declare", result="w1"), {**referee_act("annul"), "ordinal": 3}]
    record["ended"] |= {"how": "annulled", "result": None}


def set_unknown_source(record: Json) -> None:
    record["turns"][0]["seals"][0]["source"] = "oracle"


def set_empty_removals(record: Json) -> None:
    record["turns"][0]["seals"][0]["removed"] = {}


def remove_kind_of_act(record: Json) -> None:
    del record["acts"][0]["act"]


def set_unknown_kind_of_act(record: Json) -> None:
    record["acts"][0]["act"] = "bless"


def add_unknown_key_to_act(record: Json) -> None:
    record["acts"][0]["mood"] = "grim"


def add_seal_of_stranger(record: Json) -> None:
    """Add a seal of a wizard who is not in the duel, which would change the dice."""
    add_seal(record, wizard="w7")


def add_second_batch_of_orders(record: Json) -> None:
    """Add orders in a second batch, which would change the dice along with the first ones."""
    add_seal(record, batch=1)


def add_seal(record: Json, *, wizard: str = "w0", batch: int = 0) -> None:
    """Add to the first turn a seal whose orders are in force."""
    turn = record["turns"][0]
    seal = copy.deepcopy(turn["seals"][0])
    place = seal["fields"]["place"].replace(" w0 orders 0 ", f" {wizard} orders {batch} ")
    fields = {"place": place, "chance": "0f" * 16}
    salts = field_salts(record["dice"]["seeds"][0]["seed"], place, 0, fields)
    hashes, commitment = field_commitments(fields, salts), seal_commitment(fields, salts)
    seal |= {"wizard": wizard, "batch": batch, "superseded": False}
    seal |= {"fields": fields, "salts": salts}
    seal |= {"hashes": hashes, "commitment": commitment, "taken_back_at": None}
    turn["seals"].insert(0, {**seal, "sealed_at": turn["opened_at"]})
    turn["commitments"].append(commitment)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (remove_rollback, "turns[2].roll_backs: is 1, but should be 0"),
        (remove_void_turn, "void_turns: lacks turn 4"),
        (renumber_rollback, "acts[0].facts.roll_back"),
        (play_void_turn_again, "turns[2].roll_backs: is 0, but should be 1"),
        (play_void_turn_after_rollback, "turns[2].seals[0].fields.place"),
        (claim_removal_without_act, "turns[6].removed"),
        (add_act_of_removal_only, "acts[1]"),
        (claim_declaration_without_act, "ended.how"),
        (declare_another_winner, "ended.result"),
        (add_act_of_declaration_only, "ended.how"),
        (annul_with_winner, "ended.result"),
        (abandon_with_winner, "ended.result"),
        (lower_number_of_acts, "turns[1].acts"),
        (claim_end_by_removal, "ended.how: is 'removed', but the last turn shows resigned"),
        (claim_end_by_agreement, "ended.how"),
        (claim_end_by_time, "ended.how"),
        (log_removal_before_rollback, "turns[6].removed"),
        (change_end_before_declaration, "acts[1].facts.was.ended"),
        (change_winner_before_declaration, "acts[1].facts.was.result: is"),
        (add_second_act_without_the_first_end, "acts[2].facts.was"),
        (set_unknown_source, "turns[0].seals[0].source"),
        (set_empty_removals, "turns[0].seals[0].removed: must not be empty"),
        (remove_kind_of_act, "acts[0].act: is missing"),
        (set_unknown_kind_of_act, "acts[0].act"),
        (add_unknown_key_to_act, "acts[0].mood: does not exist"),
        (add_seal_of_stranger, "turns[0].seals[0].wizard: is 'w7'"),
        (add_second_batch_of_orders, "turns[0].seals[0].batch: must be 0 for orders"),
    ],
)
def test_recomputed_chain_does_not_hide_contradictions(
    change: Callable[[Json], None], place: str
) -> None:
    assert recompute_chain(copy.deepcopy(RECORD)) == RECORD
    altered = copy.deepcopy(RECORD)
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(altered))
    assert str(fault.value).startswith(place)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (remove_rollback, "void_turns[0]: was not made void by any act"),
        (play_void_turn_again, "void_turns[0].seals[0].commitment: is that of turns[2].seals[0]"),
    ],
)
def test_recomputed_chain_does_not_hide_contradictions_in_older_records(
    change: Callable[[Json], None], place: str
) -> None:
    assert recompute_chain(copy.deepcopy(OLDER_RECORD)) == OLDER_RECORD
    altered = copy.deepcopy(OLDER_RECORD)
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(altered))
    assert str(fault.value).startswith(place)


# Even with all seals and hashes recomputed, nobody can choose what the dice depend on.


def reseal(
    record: Json, number: int, *, turn: int = 0, salts: Json | None = None, **fields: str
) -> None:
    """Change fields or salts of a seal of a turn, and recompute its hashes."""
    row = record["turns"][turn]
    seal = row["seals"][number]
    before = seal["commitment"]
    seal["fields"] |= fields
    seal["salts"] |= salts or {}
    seal["hashes"] = field_commitments(seal["fields"], seal["salts"])
    seal["commitment"] = seal_commitment(seal["fields"], seal["salts"])
    row["commitments"] = [seal["commitment"] if c == before else c for c in row["commitments"]]


def number_of_seal_in_force(record: Json) -> int:
    seals = record["turns"][0]["seals"]
    return next(number for number, seal in enumerate(seals) if not seal["superseded"])


def choose_salt(record: Json) -> None:
    reseal(record, number_of_seal_in_force(record), salts={"left": "ab" * 32})


def choose_random_number(record: Json) -> None:
    """Choose a wizard's random number, so that only the dice, which depend on it, are wrong."""
    reseal(record, number_of_seal_in_force(record), chance="0f" * 16)


def add_random_number_to_default_orders(record: Json) -> None:
    """Let the site choose the draws by adding a number that no wizard entered."""
    number = number_of_seal_in_force(record)
    record["turns"][0]["seals"][number]["source"] = "default"
    reseal(record, number, chance="0f" * 16)


def add_earlier_seal(record: Json) -> None:
    """Add an earlier seal by the same wizard, which is the only way to get different salts."""
    seals = record["turns"][0]["seals"]
    number = number_of_seal_in_force(record)
    seals.insert(number, {**copy.deepcopy(seals[number]), "superseded": True})


def use_salts_of_later_seal(record: Json) -> None:
    number = number_of_seal_in_force(record)
    fields = record["turns"][0]["seals"][number]["fields"]
    seed = record["dice"]["seeds"][0]["seed"]
    reseal(record, number, salts=field_salts(seed, fields["place"], 2, fields))


def use_salts_of_older_duel(record: Json) -> None:
    del record["turns"][0]["seals"][number_of_seal_in_force(record)]["fields"]["chance"]


def remove_seed_from_act(record: Json) -> None:
    del record["acts"][0]["facts"]["seed_commitment"]


def remove_second_seed(record: Json) -> None:
    del record["dice"]["seeds"][1]


def use_second_seed_from_the_beginning(record: Json) -> None:
    record["dice"]["seeds"][1]["roll_backs"] = 0


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (choose_salt, "turns[0].seals[1].salts.left: is 'abab"),
        (choose_random_number, "turns[0].draws[0].value"),
        (add_random_number_to_default_orders, "turns[0].seals[1].fields.chance: must be empty"),
        (add_earlier_seal, "turns[0].seals[2].salts."),
        (use_salts_of_later_seal, "turns[0].seals[1].salts."),
        (use_salts_of_older_duel, "turns[0].seals[1].fields.chance: is missing"),
        (remove_seed_from_act, "dice.seeds[1].roll_backs: rollback 1 in the log did not commit"),
        (remove_second_seed, "dice.seeds: lacks the seed that rollback 1 committed to"),
        (use_second_seed_from_the_beginning, "dice.seeds[1].roll_backs: is out of order"),
    ],
)
def test_values_that_determine_the_dice_cannot_be_chosen(
    change: Callable[[Json], None], place: str
) -> None:
    altered = copy.deepcopy(RECORD_AFTER_AN_END)
    assert number_of_seal_in_force(altered) == 1, "one was replaced"
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(altered))
    assert str(fault.value).startswith(place)


# Turn 4 of `RECORD_AFTER_AN_END` has one question, to w1.
QUESTION_ID = "paralysis:L:w1:w1"


def number_of_answer_seal(record: Json) -> int:
    seals = record["turns"][3]["seals"]
    return next(number for number, seal in enumerate(seals) if seal["stage"] == "answers")


def remove_answer(record: Json) -> None:
    """Leave the answer out, so that the engine plays the default."""
    del record["turns"][3]["seals"][number_of_answer_seal(record)]
    record["turns"][3]["answers"] = {}


def give_answer_that_was_not_offered(record: Json) -> None:
    answers: Json = {QUESTION_ID: "both"}
    reseal(record, number_of_answer_seal(record), turn=3, **answers)
    record["turns"][3]["answers"] = answers


def give_answer_by_another_wizard(record: Json) -> None:
    number = number_of_answer_seal(record)
    seal = record["turns"][3]["seals"][number]
    place = seal["fields"]["place"].replace(" w1 ", " w0 ")
    fields = {**seal["fields"], "place": place}
    salts = field_salts(record["dice"]["seeds"][1]["seed"], place, 0, fields)
    seal["wizard"] = "w0"
    reseal(record, number, turn=3, salts=salts, place=place)


def number_answer_batch_zero(record: Json) -> None:
    """Call the first batch of answers batch 0."""
    record["turns"][3]["seals"][number_of_answer_seal(record)]["batch"] = 0


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (remove_answer, f"turns[3].answers.{QUESTION_ID}: is None"),
        (give_answer_that_was_not_offered, f"turns[3].answers.{QUESTION_ID}: is 'both'"),
        (give_answer_by_another_wizard, f".fields.{QUESTION_ID}: answers a question to w1"),
        (number_answer_batch_zero, ".batch: must be 1 or more"),
    ],
)
def test_every_question_is_answered_by_its_wizard(
    change: Callable[[Json], None], place: str
) -> None:
    altered = copy.deepcopy(RECORD_AFTER_AN_END)
    assert altered["turns"][3]["answers"] == {QUESTION_ID: "L"}
    change(altered)
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(altered))
    assert str(fault.value).startswith("turns[3].")
    assert place in str(fault.value)


@pytest.mark.parametrize(
    ("says_so", "last_void_turn_ends_it"), [(True, False), (False, True), (False, False)]
)
def test_duel_resumed_after_its_end_needs_a_new_seed(
    says_so: bool, last_void_turn_ends_it: bool
) -> None:
    """The seed was public because the duel had ended, as the act or the void turn shows."""
    record = whole_record(3, renews_seed=False, resigns_before=last_void_turn_ends_it)
    if not says_so:
        del record["acts"][0]["facts"]["was"]
    record = recompute_chain(record)
    if not (says_so or last_void_turn_ends_it):
        examine(record)  # nothing shows that the duel had ended
        return
    with pytest.raises(InvalidRecord) as fault:
        examine(record)
    assert str(fault.value).startswith("dice.seeds: lacks a new seed for rollback 1")


@pytest.mark.parametrize("resigns_before", [False, True])
def test_rollback_must_state_the_result_that_it_made_void(resigns_before: bool) -> None:
    record = whole_record(3, resigns_before=resigns_before)
    was = record["acts"][0]["facts"]["was"]
    was["result"] = next(each for each in ("w0", "w1", "draw") if each != was["result"])
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(record))
    assert str(fault.value).startswith("acts[0].facts.was.result: is")


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("was", None, "acts[0].facts.was: must state how the duel ended before"),
        ("was", {"status": "running", "ended": "agreed", "result": "draw"}, "acts[0].facts.was.st"),
        ("void", [[3]], "acts[0].facts.void[0]: must be a number"),
        ("roll_back", True, "acts[0].facts.roll_back: must be 1"),
    ],
)
def test_rollback_of_a_finished_duel_must_contain_valid_facts(
    name: str, value: object, place: str
) -> None:
    """The end was agreed, so that only the new seed shows that there was one."""
    record = whole_record(3)
    record["acts"][0]["facts"][name] = value
    if value is None:
        del record["acts"][0]["facts"][name]
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(record))
    assert str(fault.value).startswith(place)


def test_act_that_removed_a_message_must_be_marked_as_such() -> None:
    record = whole_record(2)
    record["acts"][0]["facts"]["with_turn"] = "yes"
    with pytest.raises(InvalidRecord, match="was not removed by this act in the log"):
        examine(recompute_chain(record))


def test_older_duel_reports_that_its_seed_was_public() -> None:
    record = copy.deepcopy(OLDER_RECORD)
    told = "after rollback 1 the duel continued with a seed that was already public"
    assert told not in examine(record).lines
    record["acts"][0]["facts"]["was"] = {"status": "over", "ended": "agreed", "result": "draw"}
    assert told in examine(recompute_chain(record)).lines


def test_end_declared_by_a_referee_is_valid() -> None:
    for kind, how, result in (("declare", "declared", "w1"), ("annul", "annulled", None)):
        record = copy.deepcopy(RECORD)
        record["acts"].append(referee_act(kind, result=result))
        record["ended"] |= {"how": how, "result": result}
        assert examine(recompute_chain(record)).chain == record["ended"]["chain"]


# The first link of the chain covers the dice.


def test_dice_can_be_set_in_advance_only_from_the_beginning_of_a_duel() -> None:
    """A record of the same duel with dice set in advance has another chain."""
    record = whole_record(2)
    played = {draw["label"]: draw["value"] for turn in record["turns"] for draw in turn["draws"]}
    assert played
    begun = begun_with_draws(record, played)
    assert "set in advance, not random" in " ".join(examine(begun).lines)
    for forged in (
        {**begun, "chain": record["chain"]},
        {**begun, "dice": record["dice"]},
        {**begun, "dice": {**begun["dice"], "draws": {**played, "turn 40 confusion w0 hand": 1}}},
        {**record, "dice": begun["dice"]},
    ):
        with pytest.raises(InvalidRecord) as fault:
            examine(forged)
        assert str(fault.value).startswith("chain: ")


def test_older_records_cannot_have_dice_set_in_advance() -> None:
    uncovered = recompute_chain({**copy.deepcopy(RECORD), "version": 3})
    examine(uncovered)
    for record in (uncovered, OLDER_RECORD):
        forged = begun_with_draws(record, {})
        with pytest.raises(InvalidRecord) as fault:
            examine(forged)
        assert str(fault.value).startswith("dice.kind: is 'recorded'")


def test_record_under_a_ruleset_with_markers_must_contain_them() -> None:
    record = next(found for found in map(whole_record, range(8)) if "markers" in found["ended"])
    examine(record)
    del record["ended"]["markers"]
    with pytest.raises(InvalidRecord) as fault:
        examine(recompute_chain(record))
    assert str(fault.value).startswith("ended.markers: is missing")


def mismatch_in(record: Json) -> InvalidRecord:
    with pytest.raises(InvalidRecord) as fault:
        examine(record)
    return fault.value


def rejected_seal(record: Json) -> Json:
    """Return a rejected seal that equals a seal of turn 1 except for the message."""
    turn = record["turns"][0]
    seal = turn["seals"][0]
    at = {name: seal[name] for name in ("wizard", "stage", "batch", "commitment", "hashes")}
    shown = [name for name in seal["fields"] if name != "say"]
    at |= {"before": 0, "rejected_at": turn["opened_at"], "code": "unwarned"}
    at["fields"] = {name: seal["fields"][name] for name in shown}
    return at | {"salts": {name: seal["salts"][name] for name in (*shown, "pad")}}


def test_record_that_shows_the_message_of_a_rejected_seal_is_invalid() -> None:
    """The record of a duel contains only the hash of such a message."""
    record = whole_record(2)
    rejected = rejected_seal(record)
    fields = rejected["fields"] | {"say": "I surrender, if you do."}
    seed = record["dice"]["seeds"][0]["seed"]
    salts = field_salts(seed, fields["place"], 0, fields)
    rejected |= {"fields": fields, "salts": salts, "hashes": field_commitments(fields, salts)}
    rejected["commitment"] = seal_commitment(fields, salts)
    record["turns"][0]["rejected"] = [rejected]
    place = "turns[0].rejected[0].fields.say"
    assert str(mismatch_in(recompute_chain(record))).startswith(place)
    del fields["say"], salts["say"]
    examine(record)


def test_repeated_rejection_of_a_seal_is_listed_only_once_for_each_reason() -> None:
    record = whole_record(2)
    record["turns"][0]["rejected"] = [rejected_seal(record), rejected_seal(record)]
    place = "turns[0].rejected[1].code"
    assert str(mismatch_in(recompute_chain(record))).startswith(place)
    record["turns"][0]["rejected"][1]["code"] = "stale_form"
    examine(recompute_chain(record))


def test_rejected_seal_is_checked_like_any_other() -> None:
    record = whole_record(2)
    record["turns"][0]["rejected"] = [rejected_seal(record)]
    assert "rejected seals 1" in examine(recompute_chain(record)).lines
    changes: list[tuple[str, object]] = [
        ("before", 7),
        ("rejected_at", "2020-01-01T00:00:00+00:00"),
        ("wizard", "w9"),
        ("commitment", "0" * 64),
        ("fields", {}),
        ("batch", 1),
    ]
    for name, value in changes:
        altered = copy.deepcopy(record)
        altered["turns"][0]["rejected"][0][name] = value
        with pytest.raises(InvalidRecord) as fault:
            examine(recompute_chain(altered))
        assert str(fault.value).startswith("turns[0].rejected[0].")
    lost = copy.deepcopy(record)
    lost["turns"][0]["rejected"][0] |= dict.fromkeys(("hashes", "fields", "salts"))
    examine(recompute_chain(lost))
    lost["turns"][0]["rejected"][0]["fields"] = {}
    assert str(mismatch_in(lost)).startswith("turns[0].rejected[0].fields")
    empty: tuple[object, ...] = ([], None)
    for rejected in empty:
        altered = copy.deepcopy(record)
        altered["turns"][0]["rejected"] = rejected
        with pytest.raises(InvalidRecord):
            examine(altered)
    del record["turns"][0]["rejected"]
    with pytest.raises(InvalidRecord) as fault:
        examine(record)
    assert str(fault.value).startswith("turns[0].chain")
