"""Tests that dice are fair, repeatable and labelled, and that nobody can choose their results."""

import hashlib
import hmac
from collections import Counter

import pytest

from engine.dice import Dice, NoDice, RecordedDice

SEED = bytes(range(32))


def test_die_depends_on_its_label_and_not_on_the_order_of_rolls() -> None:
    labels = [f"turn {turn} confusion w0 hand" for turn in range(50)]
    forwards = [Dice(SEED).draw(label, 1000) for label in labels]
    dice = Dice(SEED)
    backwards = [dice.draw(label, 1000) for label in reversed(labels)]
    assert forwards == backwards[::-1]
    assert [dice.draw(labels[0], 1000) for _ in range(3)] == [forwards[0]] * 3
    assert len(set(forwards)) > 40


def test_die_is_hmac_sha256_of_seed_commitments_and_label() -> None:
    """The test repeats the formula, with which a duel can be checked without this engine."""
    message = b"aa\x00bb\x00turn 1 confusion w0 hand\x000"
    digest = hmac.new(SEED, message, hashlib.sha256).digest()
    expected = int.from_bytes(digest[:8], "big") % 6
    assert Dice(SEED, ["aa", "bb"]).draw("turn 1 confusion w0 hand", 6) == expected


@pytest.mark.parametrize("sides", [2, 3, 6, 7])
@pytest.mark.parametrize("seed", [b"one", b"two", b"three"])
def test_all_sides_are_equally_likely(seed: bytes, sides: int) -> None:
    """A fair die passes the chi-square bound for 6000 rolls 9999 times in 10000."""
    dice = Dice(seed)
    counts = Counter(dice.draw(f"throw {number}", sides) for number in range(6000))
    expected = 6000 / sides
    chi_square = sum((counts[side] - expected) ** 2 / expected for side in range(sides))
    assert set(counts) == set(range(sides))
    assert chi_square < {2: 15.2, 3: 18.5, 6: 25.8, 7: 27.9}[sides]


def test_biased_digests_are_not_used() -> None:
    """With 2^63 + 1 sides, nearly half of all first digests would bias the die."""
    sides = 2**63 + 1
    draws = [Dice(SEED).draw(f"throw {number}", sides) for number in range(200)]
    assert all(0 <= draw < sides for draw in draws)
    assert len(set(draws)) == 200


def test_different_seed_gives_different_dice() -> None:
    assert thirty_throws(Dice(b"one")) != thirty_throws(Dice(b"two"))


def test_die_depends_on_every_commitment_and_their_order() -> None:
    """Neither the site nor any one wizard can choose the result of a die."""
    different = [[], ["aa"], ["bb"], ["aa", "bb"], ["bb", "aa"], ["aa", "bc"], ["aabb"]]
    assert len({thirty_throws(Dice(SEED, commitments)) for commitments in different}) == len(
        different
    )


def thirty_throws(dice: Dice) -> tuple[int, ...]:
    return tuple(dice.draw(f"throw {number}", 6) for number in range(30))


@pytest.mark.parametrize("sides", [0, -1])
def test_die_with_no_sides_raises_value_error(sides: int) -> None:
    with pytest.raises(ValueError, match="at least one side"):
        Dice(SEED).draw("throw", sides)


def test_die_with_one_side_gives_zero() -> None:
    assert Dice(SEED).draw("throw", 1) == 0


# Recorded


def test_recorded_dice_are_found_by_label() -> None:
    dice = RecordedDice({"hand": 4, "gesture": 0})
    assert (dice.draw("gesture", 6), dice.draw("hand", 6), dice.draw("hand", 6)) == (0, 4, 4)


def test_recorded_sequence_is_used_in_the_order_of_first_use() -> None:
    dice = RecordedDice(sequence=[3, 5])
    assert [dice.draw("hand", 6), dice.draw("gesture", 6)] == [3, 5]
    assert [dice.draw("gesture", 6), dice.draw("hand", 6)] == [5, 3]


def test_recorded_labels_take_precedence_over_the_sequence() -> None:
    dice = RecordedDice({"hand": 1}, sequence=[2])
    assert [dice.draw("hand", 6), dice.draw("gesture", 6)] == [1, 2]


def test_unrecorded_die_raises_lookup_error() -> None:
    with pytest.raises(LookupError, match="no draw was recorded for 'hand'"):
        RecordedDice({"gesture": 1}).draw("hand", 6)
    dice = RecordedDice(sequence=[1])
    dice.draw("hand", 6)
    with pytest.raises(LookupError):
        dice.draw("gesture", 6)


@pytest.mark.parametrize("value", [6, 7, -1])
def test_recorded_value_beyond_the_sides_raises_value_error(value: int) -> None:
    with pytest.raises(ValueError, match=f"{value} is not below 6"):
        RecordedDice({"hand": value}).draw("hand", 6)


def test_recorded_dice_copy_the_mapping_that_they_are_given() -> None:
    given = {"hand": 1}
    dice = RecordedDice(given)
    given["hand"] = 2
    assert dice.draw("hand", 6) == 1


def test_rolling_without_dice_raises_lookup_error() -> None:
    with pytest.raises(LookupError, match="hand"):
        NoDice().draw("hand", 6)
