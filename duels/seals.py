"""Sealing: how orders are kept secret until the reveal, and how anyone can check them afterwards.

**Commitments.** A seal is a list of named fields with string values: the flat form of the orders
(`engine.fields`), or the answers by question, plus two: `place` says where the seal belongs
(`seal_place`), so that a seal is never empty and fits one turn of one duel only; `chance` holds 16
bytes that the wizard's browser has made, or nothing. `engine.commitment` says how the commitment is
made of them, each field under a salt of 32 bytes, and filled up with empty ones, so that it can be
checked without this application and that the number of fields tells nothing. Salts follow from the
duel's seed (`duels.seeds`): this site can choose none, and commitments depend on bytes that it
could not foresee.

**Bodies** are JSON of fields and salts, encrypted with Fernet under the first of `SEAL_KEYS`; any
of them decrypts, so keys can be rotated. Drafts and dice are encrypted alike.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

import engine
from duels.errors import KeyGone
from engine import CHANCE, PLACE, field_commitments, place_of, salts_of, seal_commitment

SEED_BYTES = 32
TOKEN = "gAAAA"  # how each text begins that Fernet has encrypted: its version and years of its time

Fields = Mapping[str, str]


@dataclass(frozen=True)
class Seal:
    """What is sealed: fields with `place` and `chance`, and a salt for each (hexadecimal)."""

    fields: Fields
    salts: Fields

    @property
    def commitment(self) -> str:
        return seal_commitment(self.fields, self.salts)

    @property
    def hashes(self) -> dict[str, str]:
        """The commitment of each field, in hexadecimal."""
        return field_commitments(self.fields, self.salts)

    @property
    def orders(self) -> dict[str, str]:
        """The fields that were ordered or answered."""
        return engine.without_marks(self.fields)

    @property
    def chance(self) -> str:
        """The chance of the wizard's own; "" where there is none."""
        return self.fields.get(CHANCE, "")


def seal_place(
    *, duel_id: int, ordinal: int, wizard: str, stage: str, batch: int, roll_backs: int
) -> str:
    """Where a seal belongs, as the value of its field `place`."""
    return place_of(
        duel=duel_id,
        ordinal=ordinal,
        wizard=wizard,
        stage=stage,
        batch=batch,
        roll_backs=roll_backs,
    )


def new_seal(fields: Fields, *, place: str, seed: str, before: int, chance: str = "") -> Seal:
    """These fields under the salts that the seed gives; `before`: how many seals this place had."""
    named = {**fields, PLACE: place, CHANCE: chance}
    return Seal(fields=named, salts=salts_of(seed, place, before, named))


@lru_cache(maxsize=16)
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(text: str) -> str:
    """The text, unreadable without `SEAL_KEYS`."""
    return _cipher(tuple(settings.SEAL_KEYS)).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """The text again. Raises `KeyGone` when no key fits."""
    try:
        return _cipher(tuple(settings.SEAL_KEYS)).decrypt(token.encode()).decode()
    except InvalidToken:
        raise KeyGone from None


def is_encrypted(value: str) -> bool:
    """Whether this is a text as `encrypt` makes it, under whatever key."""
    return value.startswith(TOKEN)


def key_of(token: str) -> int | None:
    """Which of `SEAL_KEYS` opens it, counted from 0, the newest; None where none does."""
    for place, key in enumerate(settings.SEAL_KEYS):
        try:
            _cipher((key,)).decrypt(token.encode())
        except InvalidToken:
            continue
        return place
    return None


def encrypted_anew(token: str) -> str:
    """The same text under the newest key. Raises `KeyGone` when no key opens it."""
    return encrypt(decrypt(token))


def closed(seal: Seal) -> str:
    """The seal as the body of a row."""
    return encrypt(json.dumps({"fields": dict(seal.fields), "salts": dict(seal.salts)}))


def unlocked(body: str) -> str:
    """The body in clear: what a row keeps when its duel is over. In clear already, it stays so."""
    return body if body.startswith("{") else decrypt(body)


def opened(body: str) -> Seal:
    """The seal in a row's body."""
    value = json.loads(unlocked(body))
    return Seal(fields=value["fields"], salts=value["salts"])


def closed_draft(fields: Fields) -> str:
    """A draft as the body of a row."""
    return encrypt(json.dumps(dict(fields)))


def opened_draft(body: str) -> dict[str, str]:
    """The draft in a row's body."""
    fields: dict[str, str] = json.loads(decrypt(body))
    return fields


def new_seed() -> str:
    """A fresh seed for a duel's dice, in hexadecimal."""
    return secrets.token_hex(SEED_BYTES)


def seed_commitment(seed: str) -> str:
    """What a duel's seed is committed to when the duel starts."""
    return engine.seed_commitment(seed)


def chain_hash(previous: str, link: Mapping[str, Any]) -> str:
    """The hash that ties this to all before it."""
    return engine.link(previous, link)
