"""The chain: hashes that tie each turn of a duel to all that came before it. rules: promise 14

A link is SHA-256, in hexadecimal, over the hash before it as text and right after it the canonical
JSON of what it covers (`engine.commitment`). The first link covers what the duel began with, after
the commitment of its seed; then comes one for each turn, and one for the end. The referees' acts
are a chain of their own, which begins after "".

Hashes are shown while a duel runs, so a turn's link also covers a salt that the duel's secret seed
gives: without it, what is hidden could be guessed and tried until the hash fits.
"""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final

from engine.codec import dump
from engine.commitment import canonical
from engine.position import REMOVED, RESIGNED, Position

# What the link of a turn covers of a seal; what is sealed is covered by its commitment.
OF_A_SEAL: Final = (
    *("wizard", "stage", "batch", "source", "sealed_at", "taken_back_at", "superseded"),
    "commitment",
)
# What it covers of a turn as it stands in a record, beside its seals. What comes out of these and
# the sealed orders is checked by playing the turn.
OF_A_TURN: Final = (
    *("ordinal", "number", "kind", "opened_at", "closed_at", "release", "position", "after"),
    *("resigned", "forfeited", "removed", "played", "commitments", "draws", "acts"),
)


# Whence the salts of a duel's seals come, as its record states it: all from the seed; or, in a duel
# that began before that was so, some from the site, by lot.
BY_SEED: Final = "seed"
BY_SITE: Final = "site"


def link(previous: str, covered: Mapping[str, Any]) -> str:
    """The hash that ties what is covered to all before it."""
    return hashlib.sha256(previous.encode() + canonical(covered)).hexdigest()


def seed_commitment(seed: str) -> str:
    """What the seed of a duel's dice is committed to when the duel begins; both hexadecimal."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def first_link(
    seed_commitment: str,
    *,
    duel: int,
    ruleset: str,
    options: list[str],
    wizards: int,
    setup: object,
    salts: str = BY_SEED,
) -> str:
    """The link of what a duel began with; `wizards`: how many there were."""
    covered: dict[str, object] = {
        "duel": duel,
        "ruleset": ruleset,
        "options": options,
        "wizards": wizards,
        "setup": setup,
    }
    if salts != BY_SITE:
        covered["salts"] = salts
    return link(seed_commitment, covered)


def turn_link(
    previous: str, turn: Mapping[str, Any], *, ruleset: str, options: list[str], seed: str | None
) -> str:
    """The link of a turn as it stands in a record; `previous`: that of the turn before.

    `seed`: None where it is lost, and the link has no salt.
    """
    covered: dict[str, Any] = {name: turn[name] for name in OF_A_TURN}
    covered["seals"] = [{name: seal[name] for name in OF_A_SEAL} for seal in turn["seals"]]
    covered |= {"ruleset": ruleset, "options": options}
    covered["salt"] = turn_salt(seed, turn["ordinal"]) if seed is not None else ""
    return link(previous, covered)


def unsalted_links(record: Mapping[str, Any]) -> list[str]:
    """For each turn of a record, void ones too, a link without salt that follows its own: what the
    end covers of them where the seed is lost, since nobody can compute their own links then."""
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
    """What keeps the link of a turn from being guessed while the duel runs."""
    return hmac.new(bytes.fromhex(seed), f"link {ordinal}".encode(), hashlib.sha256).hexdigest()


def position_hash(position: Position) -> str:
    """SHA-256 over the position as JSON, without its wizards' names and pronouns: these change.

    Whom a referee removed counts as one who resigned: in the game it is the same.
    """
    value = dump(position)
    for wizard in value["wizards"]:
        del wizard["name"], wizard["pronouns"]
        if wizard.get("standing") == REMOVED:
            wizard["standing"] = RESIGNED
    return hashlib.sha256(canonical(value)).hexdigest()
