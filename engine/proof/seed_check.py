"""Checks that a record's seeds match their commitments, and that each was used at the right time.

rules: promise 14

A duel begins with one seed, which becomes public when the duel ends. If the duel is then rolled
back, the referee's act commits to a new seed for the dice of all later turns.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from engine.proof.chain import SALTS_BY_SITE, seed_commitment
from engine.proof.commitment import RANDOM_NUMBER_FIELD
from engine.proof.record import OLDEST_VERSION, Mismatch, Seed, check_same, read_seeds

Row = Mapping[str, Any]  # a record whose schema has been checked


def check_seeds(row: Row) -> tuple[Seed, ...]:
    """Return the seeds. Raises Mismatch if a seed does not match its commitment or its rollback."""
    seeds = read_seeds(row)
    why = ": the seed is not the one that was committed to"
    for seed in seeds:
        if seed.seed is None and (seed is not seeds[-1] or "seed_lost" not in row["ended"]):
            text = "is missing, but the record does not say that it was lost"
            raise Mismatch(f"{seed.place}.seed", text)
    if row["version"] == OLDEST_VERSION:
        if seeds[0].seed is not None:
            found = seed_commitment(seeds[0].seed)
            check_same("seed_commitment", row["seed_commitment"], found, why)
        return seeds
    committed = {
        number: act["facts"]["seed_commitment"]
        for number, act in enumerate(roll_backs_of(row), 1)
        if "seed_commitment" in changes_stated_by_act(act)
    }
    for number, (seed, stated) in enumerate(zip(seeds, row["dice"]["seeds"], strict=True)):
        if seed.seed is not None:
            found = seed_commitment(seed.seed)
            check_same(f"{seed.place}.seed_commitment", stated["seed_commitment"], found, why)
        if number and seed.roll_backs <= seeds[number - 1].roll_backs:
            raise Mismatch(f"{seed.place}.roll_backs", "is out of order with the seed before it")
        if number and committed.pop(seed.roll_backs, None) != stated["seed_commitment"]:
            text = f"rollback {seed.roll_backs} in the log did not commit to this seed"
            raise Mismatch(f"{seed.place}.roll_backs", text)
    for number in committed:
        raise Mismatch("dice.seeds", f"lacks the seed that rollback {number} committed to")
    return seeds


def roll_backs_of(row: Row) -> list[Row]:
    """Return the rollbacks in the log of acts, in order."""
    return [act for act in row["acts"] if act.get("act") == "roll_back"]


def changes_stated_by_act(act: Row) -> Row:
    """Return the changes that the log entry of an act records."""
    facts = act.get("facts")
    return cast("Row", facts) if isinstance(facts, Mapping) else {}


def roll_backs_before(row: Row, ordinal: int, voided_in: int = 0) -> int:
    """Return the number of rollbacks before the turn with this ordinal was opened.

    This is the number of the last rollback in the log that went back to this turn or an earlier
    one. For a void turn, it counts only rollbacks before the one that made it void.
    """
    backs = list(enumerate(roll_backs_of(row), 1))
    if voided_in:
        backs = backs[: voided_in - 1]
    return max((number for number, act in backs if _target_turn(act) <= ordinal), default=0)


def check_new_seeds(row: Row, ended: Sequence[int]) -> None:
    """Check that the duel has a new seed for each time it was resumed after its end.

    `ended` has the rollbacks that came after an end of the duel, as the void turns show.
    """
    if row.get("salts", SALTS_BY_SITE) == SALTS_BY_SITE:
        return  # older duels kept their public seed, and `roll_backs_with_public_seed` has them
    for number in roll_backs_with_public_seed(row, ended):
        text = f"lacks a new seed for rollback {number}, which came after the end of the duel"
        raise Mismatch("dice.seeds", text)


def roll_backs_with_public_seed(row: Row, ended: Sequence[int]) -> list[int]:
    """Return the rollbacks after which the duel resumed with a public seed."""
    renewed = {seed.roll_backs for seed in read_seeds(row)}
    after_an_end = sorted({*ended, *_roll_backs_after_end(row)})
    return [number for number in after_an_end if number not in renewed]


def count_player_random_numbers(row: Row) -> int:
    """Return the number of seals that contain random bytes from their wizard."""
    turns: list[Row] = [*row["turns"], *row["void_turns"]]
    seals: list[Row] = [seal for turn in turns for seal in turn["seals"]]
    return sum(bool(seal["fields"] and seal["fields"].get(RANDOM_NUMBER_FIELD)) for seal in seals)


def _roll_backs_after_end(row: Row) -> Iterator[int]:
    """Yield the rollbacks that came after an end of the duel, as the log of acts shows."""
    is_over, number = False, 0
    for act in row["acts"]:
        if act.get("act") == "roll_back":
            number += 1
            if is_over or "was" in changes_stated_by_act(act):
                yield number
            is_over = False
        elif act.get("act") in ("declare", "annul"):
            is_over = True


def _target_turn(act: Row) -> int:
    turn = act.get("turn")
    return turn if isinstance(turn, int) else 0
