"""Commitments: what opponents see of a seal before it is opened, and anyone can check after.

A field's commitment is SHA-256 over its salt (256 bits, written in hexadecimal) and the canonical
JSON of [name, value]; a seal's is SHA-256 over the commitments of its fields, sorted, one after
another. So that their number tells nothing, they are filled up with those of empty fields named
"pad 1", "pad 2" …, all under the salt called `pad`, until there are 32 (or 64, 96 …). A seal
without that salt is not filled up.

Salts follow from the secret seed of the duel's dice, to which the site is committed before anybody
seals: whoever makes a seal can choose none of them.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

PAD: Final = "pad"
PLACE: Final = "place"  # the field that says where a seal belongs
CHANCE: Final = "chance"  # the field that holds the wizard's own chance, "" where there is none
BESIDE: Final = (PLACE, CHANCE)  # fields of a seal that are not part of what is ordered
WIDTH: Final = 32
_CHANCE: Final = re.compile(r"([0-9a-f]{32})?")


def canonical(value: object) -> bytes:
    """The one JSON text of a value: keys sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def place_of(
    *, duel: int, ordinal: int, wizard: str, stage: str, batch: int, roll_backs: int | None
) -> str:
    """Where a seal belongs, as the value of its field `place`; `roll_backs`: how many the duel had
    by then, None in a seal that was made before places and salts told it."""
    place = f"duel {duel} turn {ordinal} wizard {wizard} {stage} {batch}"
    return place if roll_backs is None else f"{place} roll backs {roll_backs}"


def salt_of(seed: str, place: str, before: int, name: str) -> str:
    """The salt of a field of a seal, in hexadecimal like the seed; `before`: how many seals were
    made for this place before it."""
    text = canonical(["salt", place, before, name])
    return hmac.new(bytes.fromhex(seed), text, hashlib.sha256).hexdigest()


def salts_of(seed: str, place: str, before: int, names: Iterable[str]) -> dict[str, str]:
    """The salts of all fields of a seal, and the one under which it is filled up."""
    return {name: salt_of(seed, place, before, name) for name in (*names, PAD)}


def is_chance(value: str) -> bool:
    """Whether this can be a wizard's own chance: 16 bytes in hexadecimal, or "" for none."""
    return _CHANCE.fullmatch(value) is not None


def without_marks(fields: Mapping[str, str]) -> dict[str, str]:
    """What was handed in of the fields of a seal: orders or answers alone."""
    return {name: value for name, value in fields.items() if name not in BESIDE}


def field_commitment(salt: str, name: str, value: str) -> bytes:
    """The commitment of one field; the salt is hexadecimal."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical([name, value])).digest()


def field_commitments(fields: Mapping[str, str], salts: Mapping[str, str]) -> dict[str, str]:
    """The commitment of each field, in hexadecimal. Raises KeyError where a salt is missing."""
    return {name: field_commitment(salts[name], name, fields[name]).hex() for name in fields}


def filled_up(commitments: Collection[str], salts: Mapping[str, str]) -> list[str]:
    """The commitments of all fields with the empty ones that fill them up, sorted."""
    missing = -len(commitments) % WIDTH if PAD in salts else 0
    empty = (field_commitment(salts[PAD], f"{PAD} {number + 1}", "") for number in range(missing))
    return sorted([*commitments, *(each.hex() for each in empty)])


def commitment_over(commitments: Collection[str]) -> str:
    """The commitment of a seal, of all whose fields these are the commitments."""
    return hashlib.sha256(b"".join(bytes.fromhex(each) for each in sorted(commitments))).hexdigest()


def seal_commitment(fields: Mapping[str, str], salts: Mapping[str, str]) -> str:
    """The commitment of a whole seal, in hexadecimal. Raises KeyError where a salt is missing."""
    return commitment_over(filled_up(field_commitments(fields, salts).values(), salts))
