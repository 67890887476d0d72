"""Sealing, which keeps orders secret until the reveal. After that, anyone can check them.

**Commitments.** A seal is a list of named fields with string values: the flat form of the orders
(`engine.orders.fields`) or the answers by question, and two more fields. `place` identifies the
duel, the turn and the wizard, so that a seal is never empty and fits only one turn of one duel.
`chance` is 16 bytes from the wizard's browser, or empty. `engine.proof.commitment` calculates the
commitment. It salts each field with 32 bytes and pads the list with empty fields to hide their
number. Anyone can check the commitment without this application. Salts are derived from the duel's
seed (`duels.sealing.seeds`), so that the site cannot choose them, and commitments depend on bytes
that the site cannot foresee.

**Bodies** are fields and salts as JSON, encrypted with Fernet and the first of `SEAL_KEYS`. Any of
the keys can decrypt them, so that operators can rotate keys. Drafts and dice are encrypted in the
same way.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

import engine.proof
from duels.errors import MissingKey
from engine.proof import (
    PLACE_FIELD,
    RANDOM_NUMBER_FIELD,
    field_commitments,
    field_salts,
    seal_commitment,
)

FERNET_PREFIX = "gAAAA"  # start of every Fernet token, from its version and time

Fields = Mapping[str, str]


@dataclass(frozen=True)
class Seal:
    """A seal: its fields, including `place` and `chance`, and their salts in hexadecimal."""

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
        """The fields of the orders or answers."""
        return engine.proof.submitted_fields(self.fields)

    @property
    def chance(self) -> str:
        """Random bytes from the wizard's browser, or "" if there are none."""
        return self.fields.get(RANDOM_NUMBER_FIELD, "")


def new_seal(
    fields: Fields, *, place: str, seed: str, earlier_seals: int, chance: str = ""
) -> Seal:
    """Return a seal with salts derived from the seed and the number of earlier seals in `place`."""
    named = {**fields, PLACE_FIELD: place, RANDOM_NUMBER_FIELD: chance}
    return Seal(fields=named, salts=field_salts(seed, place, earlier_seals, named))


@lru_cache(maxsize=16)
def _fernet_with_keys(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def encrypt(text: str) -> str:
    return _fernet_with_keys(tuple(settings.SEAL_KEYS)).encrypt(text.encode()).decode()


def decrypt(token: str) -> str:
    """Return the decrypted text. Raise `MissingKey` if none of the keys decrypts it."""
    try:
        return _fernet_with_keys(tuple(settings.SEAL_KEYS)).decrypt(token.encode()).decode()
    except InvalidToken:
        raise MissingKey from None


def is_encrypted(value: str) -> bool:
    """Return whether `encrypt` produced this text, with any key."""
    return value.startswith(FERNET_PREFIX)


def key_index(token: str) -> int | None:
    """Return the index in `SEAL_KEYS` of the key that decrypts this token, or None."""
    for place, key in enumerate(settings.SEAL_KEYS):
        try:
            _fernet_with_keys((key,)).decrypt(token.encode())
        except InvalidToken:
            continue
        return place
    return None


def reencrypt(token: str) -> str:
    """Encrypt a token's text with the newest key. Raise `MissingKey` if no key decrypts it."""
    return encrypt(decrypt(token))


def encrypt_seal(seal: Seal) -> str:
    """Return the seal, encrypted for storage in a row's body."""
    return encrypt(json.dumps({"fields": dict(seal.fields), "salts": dict(seal.salts)}))


def decrypt_body(body: str) -> str:
    """Return the body as plain text. Rows of finished duels already store it as plain text."""
    return body if body.startswith("{") else decrypt(body)


def decrypt_seal(body: str) -> Seal:
    value = json.loads(decrypt_body(body))
    return Seal(fields=value["fields"], salts=value["salts"])


def encrypt_draft(fields: Fields) -> str:
    """Return a draft, encrypted for storage in a row's body."""
    return encrypt(json.dumps(dict(fields)))


def decrypt_draft(body: str) -> dict[str, str]:
    fields: dict[str, str] = json.loads(decrypt(body))
    return fields
