"""The chain of hashes that ties each turn of a duel to everything before it. rules: promise 14

A link is SHA-256, in hexadecimal, over the previous hash as text, directly followed by the
canonical JSON of the data that it covers (`engine.proof.commitment`). The first link covers the
start of the duel, and the hash before it is the seed's commitment. One link for each turn follows,
and one for the end. The referees' acts form a separate chain that begins after "".

Hashes are shown while a duel runs. A turn's link therefore also covers a salt derived from the
duel's secret seed. Without it, anyone could guess hidden data until the hash matches.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

from engine.positions.codec import dump
from engine.positions.position import REMOVED, RESIGNED, Position
from engine.proof.commitment import canonical_json

# Fields of a seal that a turn's link covers. The commitment covers the sealed orders.
LINKED_SEAL_FIELDS: Final = (
    "wizard",
    "stage",
    "batch",
    "source",
    "sealed_at",
    "taken_back_at",
    "superseded",
    "commitment",
)
# Fields of a rejected seal that a turn's link covers.
REJECTED_SEAL_LINK_FIELDS: Final = (
    "wizard",
    "stage",
    "batch",
    "before",
    "rejected_at",
    "code",
    "commitment",
)
# Fields of a recorded turn that its link covers, in addition to those of its seals. Everything that
# follows from these and the sealed orders is checked by playing the turn.
LINKED_TURN_FIELDS: Final = (
    "ordinal",
    "number",
    "kind",
    "opened_at",
    "closed_at",
    "release",
    "position",
    "after",
    "resigned",
    "forfeited",
    "removed",
    "played",
    "commitments",
    "draws",
    "acts",
)


SALTS_BY_SEED: Final = "seed"
"""The value of "salts" in a record if the salts of all seals come from the seed."""
SALTS_BY_SITE: Final = "site"
"""The value of "salts" in the record of an older duel, for which the site drew some at random."""
DICE_BY_SEED: Final = "hmac"
"""The kind of dice in a record if all draws follow from seeds."""
DICE_RECORDED: Final = "recorded"
"""The kind of dice in a record if some draws were fixed in advance."""


def link(previous: str, covered: Mapping[str, Any]) -> str:
    """Return the hash that ties this data to everything before it."""
    return hashlib.sha256(previous.encode() + canonical_json(covered)).hexdigest()


def seed_commitment(seed: str) -> str:
    """Return the commitment to the seed of a duel's dice; both are hexadecimal."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def dice_commitment(draws: Mapping[str, int] | None) -> dict[str, str]:
    """Return the data about the dice in the first link: their kind, and draws fixed in advance.

    `draws` are the draws fixed in advance, by label; None if all draws follow from seeds.
    """
    if draws is None:
        return {"kind": DICE_BY_SEED}
    return {"kind": DICE_RECORDED, "draws": hashlib.sha256(canonical_json(draws)).hexdigest()}


def first_link(
    seed_commitment: str,
    *,
    duel: int,
    ruleset: str,
    options: list[str],
    wizards: int,
    setup: object,
    salts: str = SALTS_BY_SEED,
    draws: Mapping[str, int] | None = None,
    covers_dice: bool = True,
) -> str:
    """Return the link that covers the start of a duel.

    `wizards` is the number of wizards, and `draws` are the draws fixed in advance, or None.
    `covers_dice` is False only for duels that began before the link covered the dice.
    """
    covered: dict[str, object] = {
        "duel": duel,
        "ruleset": ruleset,
        "options": options,
        "wizards": wizards,
        "setup": setup,
    }
    if salts != SALTS_BY_SITE:
        covered["salts"] = salts
    if covers_dice:
        covered["dice"] = dice_commitment(draws)
    return link(seed_commitment, covered)


def turn_link(
    previous: str, turn: Mapping[str, Any], *, ruleset: str, options: list[str], seed: str | None
) -> str:
    """Return the link of a turn as written in a record; `previous` is the link before it.

    `seed` is None if it is lost; the link then has no salt.
    """
    covered: dict[str, Any] = {name: turn[name] for name in LINKED_TURN_FIELDS}
    covered["seals"] = [{name: seal[name] for name in LINKED_SEAL_FIELDS} for seal in turn["seals"]]
    if "rejected" in turn:
        covered["rejected"] = [
            {name: seal[name] for name in REJECTED_SEAL_LINK_FIELDS} for seal in turn["rejected"]
        ]
    covered |= {"ruleset": ruleset, "options": options}
    covered["salt"] = turn_salt(seed, turn["ordinal"]) if seed is not None else ""
    return link(previous, covered)


def unsalted_links(record: Mapping[str, Any]) -> list[str]:
    """Return a link without salt for each turn of a record, including void ones.

    Each of them uses the turn's own link as the previous hash. If the seed is lost, nobody can
    check the turns' own links, so the final link covers these links without salt instead.
    """
    acts = ("", *(act["chain"] for act in record["acts"]))
    return [
        turn_link(
            turn["chain"],
            {**turn, "acts": acts[turn["acts"]]},
            ruleset=record["ruleset"],
            options=list(record["options"]),
            seed=None,
        )
        for turn in (*record["turns"], *record["void_turns"])
    ]


def turn_salt(seed: str, ordinal: int) -> str:
    """Return the salt that keeps hidden data from being guessed from a turn's link."""
    return hmac.new(bytes.fromhex(seed), f"link {ordinal}".encode(), hashlib.sha256).hexdigest()


def position_hash(position: Position) -> str:
    """Return SHA-256 over the position as JSON, without names and pronouns, which can change.

    A wizard removed by a referee counts as resigned, because the game treats both alike.
    """
    value = dump(position)
    for wizard in value["wizards"]:
        del wizard["name"], wizard["pronouns"]
        if wizard.get("standing") == REMOVED:
            wizard["standing"] = RESIGNED
    return hashlib.sha256(canonical_json(value)).hexdigest()
