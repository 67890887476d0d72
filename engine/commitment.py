"""Commitments: what opponents see of a seal before it is opened, and anyone can check after.

A field's commitment is SHA-256 over its salt (256 bits, written in hexadecimal) and the canonical
JSON of [name, value]; a seal's is SHA-256 over its fields' commitments, sorted, one after another.
"""

import hashlib
import json
from collections.abc import Mapping


def canonical(value: object) -> bytes:
    """The one JSON text of a value: keys sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def field_commitment(salt: str, name: str, value: str) -> bytes:
    """The commitment of one field; the salt is hexadecimal."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical([name, value])).digest()


def seal_commitment(fields: Mapping[str, str], salts: Mapping[str, str]) -> str:
    """The commitment of a whole seal, in hexadecimal. Raises KeyError where a salt is missing."""
    commitments = sorted(field_commitment(salts[name], name, fields[name]) for name in fields)
    return hashlib.sha256(b"".join(commitments)).hexdigest()
