"""Commitments to sealed orders: shown to opponents before the reveal, checkable by anyone after it.

A field's commitment is SHA-256 over its salt (256 bits, written in hexadecimal) and the canonical
JSON of [name, value]. A seal's commitment is SHA-256 over the sorted, concatenated commitments of
its fields. To hide their number, they are padded to 32 (or 64, 96 …) with the commitments of empty
fields named "pad 1", "pad 2" …, all under the salt called `pad`. A seal without that salt is not
padded.

Salts follow from the secret seed of the duel's dice. The site commits to it before anyone seals,
so nobody who makes a seal can choose a salt.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

PADDING_FIELD: Final = "pad"
"""The name of the salt of a seal's padding."""
PLACE_FIELD: Final = "place"
"""The field of a seal that states where it belongs."""
CHANCE_FIELD: Final = "chance"
"""The field of a seal with the wizard's own random bytes, in hexadecimal, or ""."""
# Fields of a seal that are not orders or answers.
NON_ORDER_FIELDS: Final = (PLACE_FIELD, CHANCE_FIELD)
PADDING_WIDTH: Final = 32
_CHANCE_PATTERN: Final = re.compile(r"([0-9a-f]{32})?")
# `json.dumps` would create such an encoder for each of a seal's 32 fields.
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value: keys sorted, no spaces, UTF-8."""
    return _ENCODER.encode(value).encode()


def place_value(
    *, duel: int, ordinal: int, wizard: str, stage: str, batch: int, roll_backs: int | None
) -> str:
    """Return the value of a seal's `place` field, which states where the seal belongs.

    `roll_backs` is the number of rollbacks so far; None for a seal made before places included it.
    """
    place = f"duel {duel} turn {ordinal} wizard {wizard} {stage} {batch}"
    return place if roll_backs is None else f"{place} roll backs {roll_backs}"


def field_salt(seed: str, place: str, before: int, name: str) -> str:
    """Return the salt of one of a seal's fields, in hexadecimal like the seed.

    `before` is the number of earlier seals made for this place.
    """
    text = canonical(["salt", place, before, name])
    return hmac.new(bytes.fromhex(seed), text, hashlib.sha256).hexdigest()


def field_salts(seed: str, place: str, before: int, names: Iterable[str]) -> dict[str, str]:
    """Return the salts of all fields of a seal, and the salt of its padding."""
    return {name: field_salt(seed, place, before, name) for name in (*names, PADDING_FIELD)}


def is_valid_chance(value: str) -> bool:
    """Return whether the value is 16 random bytes in hexadecimal, or "" for none."""
    return _CHANCE_PATTERN.fullmatch(value) is not None


def submitted_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a seal that the player submitted: only orders or answers."""
    return {name: value for name, value in fields.items() if name not in NON_ORDER_FIELDS}


def field_commitment(salt: str, name: str, value: str) -> bytes:
    """Return the commitment of one field; the salt is hexadecimal."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical([name, value])).digest()


def field_commitments(fields: Mapping[str, str], salts: Mapping[str, str]) -> dict[str, str]:
    """Return the commitment of each field, in hexadecimal. Raises KeyError if a salt is missing."""
    return {name: field_commitment(salts[name], name, fields[name]).hex() for name in fields}


def padded_commitments(commitments: Collection[str], salts: Mapping[str, str]) -> list[str]:
    """Return the commitments of all fields and of the padding, sorted."""
    missing = -len(commitments) % PADDING_WIDTH if PADDING_FIELD in salts else 0
    empty = (
        field_commitment(salts[PADDING_FIELD], f"{PADDING_FIELD} {number + 1}", "")
        for number in range(missing)
    )
    return sorted([*commitments, *(each.hex() for each in empty)])


def combined_commitment(commitments: Collection[str]) -> str:
    """Return the commitment of a seal, given the commitments of all its fields."""
    return hashlib.sha256(b"".join(bytes.fromhex(each) for each in sorted(commitments))).hexdigest()


def seal_commitment(fields: Mapping[str, str], salts: Mapping[str, str]) -> str:
    """Return a whole seal's commitment, in hexadecimal. Raises KeyError if a salt is missing."""
    return combined_commitment(padded_commitments(field_commitments(fields, salts).values(), salts))
