"""Commitments: what opponents see of a seal before it is opened, and anyone can check after.

A field's commitment is SHA-256 over its salt (256 bits, written in hexadecimal) and the canonical
JSON of [name, value]; a seal's is SHA-256 over the commitments of its fields, sorted, one after
another. So that their number tells nothing, they are filled up with those of empty fields named
"pad 1", "pad 2" …, all under the salt called `pad`, until there are 32 (or 64, 96 …). A seal
without that salt is not filled up.
"""

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import Final

PAD: Final = "pad"
PLACE: Final = "place"  # the field that says where a seal belongs
WIDTH: Final = 32


def canonical(value: object) -> bytes:
    """The one JSON text of a value: keys sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def place_of(*, duel: int, ordinal: int, wizard: str, stage: str, batch: int) -> str:
    """Where a seal belongs, as the value of its field `place`."""
    return f"duel {duel} turn {ordinal} wizard {wizard} {stage} {batch}"


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
