"""The seeds of a duel's dice, from which draws and salts follow. rules: promise 14

A duel has one from its beginning, committed to before anybody seals, and encrypted until the duel
is over. One that is rolled back after its end lies open with its seed: it goes on with a fresh one,
for all turns that are opened from then on.
"""

from typing import Any

from duels import seals
from duels.errors import KeyGone
from duels.models import Duel


def begin_seed(duel: Duel) -> None:
    """The duel has its first seed. The row is for the caller to save."""
    seed = seals.new_seed()
    duel.seed = seals.encrypt(seed)
    duel.seed_commitment = seals.seed_commitment(seed)


def renew_seed(duel: Duel, roll_backs: int) -> None:
    """The duel, which is over, has a fresh seed for what follows its roll back of this number. The
    row is for the caller to save."""
    duel.past_seeds = seeds_of(duel)
    duel.seed_roll_backs = roll_backs
    begin_seed(duel)


def seed_of(duel: Duel) -> str:
    """The seed in force, which lies encrypted until the duel is over. Raises `KeyGone`."""
    return seals.decrypt(duel.seed) if seals.is_encrypted(duel.seed) else duel.seed


def known_seed(duel: Duel) -> str | None:
    """The seed in force; None where no key opens it."""
    try:
        return seed_of(duel)
    except KeyGone:
        return None


def ended_without_seed(duel: Duel) -> bool:
    """Whether nobody knew the seed in force any more when the duel ended."""
    return duel.is_over and seals.is_encrypted(duel.seed)


def seed_after(duel: Duel, roll_backs: int) -> str:
    """The seed of a turn that was opened after so many roll backs. Raises `KeyGone`."""
    if roll_backs >= duel.seed_roll_backs:
        return seed_of(duel)
    return str(_past(duel, roll_backs)["seed"])


def known_seed_after(duel: Duel, roll_backs: int) -> str | None:
    """That seed; None where no key opens it."""
    try:
        return seed_after(duel, roll_backs)
    except KeyGone:
        return None


def commitment_after(duel: Duel, roll_backs: int) -> str:
    """What that seed was committed to when it came."""
    if roll_backs >= duel.seed_roll_backs:
        return duel.seed_commitment
    return str(_past(duel, roll_backs)["seed_commitment"])


def seeds_of(duel: Duel) -> list[dict[str, Any]]:
    """All seeds of a duel that is over, as its record states them, the first one first. The last is
    None where it is lost."""
    last = {
        "roll_backs": duel.seed_roll_backs,
        "seed_commitment": duel.seed_commitment,
        "seed": known_seed(duel),
    }
    return [*duel.past_seeds, last]


def _past(duel: Duel, roll_backs: int) -> dict[str, Any]:
    found: dict[str, Any] = [past for past in duel.past_seeds if past["roll_backs"] <= roll_backs][
        -1
    ]
    return found
