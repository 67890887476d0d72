"""The seeds of a duel's dice, from which draws and salts are derived. rules: promise 14

A duel gets a seed when it starts. The site commits to the seed before anyone seals, and keeps it
encrypted until the duel is over. If a finished duel is rolled back, its seed is already public, so
the duel gets a new seed for all turns that are opened afterwards.
"""

import secrets
from typing import Any, Final

import engine.proof
from duels.errors import MissingKey
from duels.models import Duel
from duels.sealing import seals

SEED_BYTES: Final = 32


def begin_seed(duel: Duel) -> None:
    """Give the duel its first seed. The caller saves the row."""
    seed = secrets.token_hex(SEED_BYTES)
    duel.seed = seals.encrypt(seed)
    duel.seed_commitment = engine.proof.seed_commitment(seed)


def renew_seed(duel: Duel, roll_backs: int) -> None:
    """Give a finished duel a new seed for turns after this rollback. The caller saves the row."""
    duel.past_seeds = seeds_of(duel)
    duel.seed_roll_backs = roll_backs
    begin_seed(duel)


def seed_of(duel: Duel) -> str:
    """Return the current seed. Raise `MissingKey` if it is encrypted and no key decrypts it."""
    return seals.decrypt(duel.seed) if seals.is_encrypted(duel.seed) else duel.seed


def seed_or_none(duel: Duel) -> str | None:
    """Return the current seed, or None if no key decrypts it."""
    try:
        return seed_of(duel)
    except MissingKey:
        return None


def ended_without_seed(duel: Duel) -> bool:
    """Return whether the current seed was already lost when the duel ended."""
    return duel.is_over and seals.is_encrypted(duel.seed)


def seed_after(duel: Duel, roll_backs: int) -> str:
    """Return the seed of a turn after this many rollbacks, or raise `MissingKey`."""
    if roll_backs >= duel.seed_roll_backs:
        return seed_of(duel)
    return str(_past_seed(duel, roll_backs)["seed"])


def seed_commitment_after(duel: Duel, roll_backs: int) -> str:
    """Return the commitment to the seed of a turn opened after this many rollbacks."""
    if roll_backs >= duel.seed_roll_backs:
        return duel.seed_commitment
    return str(_past_seed(duel, roll_backs)["seed_commitment"])


def seeds_of(duel: Duel) -> list[dict[str, Any]]:
    """Return all seeds of a finished duel as in its record. The last one is None if it is lost."""
    last = {
        "roll_backs": duel.seed_roll_backs,
        "seed_commitment": duel.seed_commitment,
        "seed": seed_or_none(duel),
    }
    return [*duel.past_seeds, last]


def _past_seed(duel: Duel, roll_backs: int) -> dict[str, Any]:
    earlier: list[Any] = [past for past in duel.past_seeds if past["roll_backs"] <= roll_backs]
    return dict(earlier[-1])
