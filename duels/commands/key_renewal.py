"""Functions that count encrypted values by their key in `SEAL_KEYS`, and re-encrypt them with the
newest key.

`ENCRYPTED_COLUMNS` lists every column with values from `seals.encrypt`. A test checks that the list
is complete, in a database with many played duels.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from duels.errors import MissingKey
from duels.models import Duel, DuelStatus
from duels.sealing import seals

BATCH_SIZE = 200  # rows read at once
NO_KEY = None  # the entry for values that none of the keys decrypts


@dataclass(frozen=True)
class EncryptedColumn:
    """A column that is encrypted at rest.

    `duel` is the query lookup from a row to its duel, if it has one. In a JSON column, only the
    value of `key` is encrypted.
    """

    words: str
    model: str
    name: str
    duel: str = ""
    key: str = ""

    @property
    def lookup(self) -> str:
        """The query lookup for the encrypted value."""
        return f"{self.name}__{self.key}" if self.key else self.name

    @property
    def rows(self) -> QuerySet[Any]:
        """The rows with an encrypted value. Values that are empty or in plain text need no key."""
        rows: QuerySet[Any] = apps.get_model(self.model)._base_manager.all()
        return rows.filter(**{f"{self.lookup}__startswith": seals.FERNET_PREFIX})

    def encrypted_values(self) -> Iterator[tuple[str, int | None]]:
        """Yield each encrypted value with its duel's id, or None."""
        if self.duel:
            yield from self.rows.values_list(self.lookup, self.duel).iterator()
        else:
            yield from ((value, None) for value in self.rows.values_list(self.lookup, flat=True))

    def replace_value(self, pk: int, value: str, reencrypted: str) -> int:
        """Store a re-encrypted value, unless the row has changed. Return the number of rows."""
        as_read = self.rows.filter(**{"pk": pk, self.lookup: value})
        if not self.key:
            return as_read.update(**{self.name: reencrypted})
        with transaction.atomic():  # keep concurrent changes to other values in the JSON
            row = as_read.select_for_update(no_key=True).first()
            if row is None:
                return 0
            getattr(row, self.name)[self.key] = reencrypted
            row.save(update_fields=[self.name])
        return 1


ENCRYPTED_COLUMNS = (
    EncryptedColumn("orders", "duels.Orders", "body", "turn__duel_id"),
    EncryptedColumn("rejected orders", "duels.RejectedSeal", "body", "turn__duel_id"),
    EncryptedColumn("drafts", "duels.Draft", "body", "turn__duel_id"),
    EncryptedColumn("duel seeds", "duels.Duel", "seed", "pk"),
    EncryptedColumn("emails", "post.Notice", "details", "duel_id"),
    EncryptedColumn("replies", "replies.Reply", "asked", "turn__duel_id"),
    EncryptedColumn("webhooks", "webhooks.Webhook", "secret"),
    EncryptedColumn("authenticator apps", "mfa.Authenticator", "data", key="secret"),
    EncryptedColumn("recovery codes", "mfa.Authenticator", "data", key="seed"),
)


@dataclass
class KeyUsage:
    """Counts of the values encrypted with one key, or with no known key."""

    counts: dict[str, int] = field(default_factory=dict)  # counts by the column's `words`
    duels: set[int] = field(default_factory=set)  # running duels that need the key

    @property
    def is_needed(self) -> bool:
        return bool(self.counts)

    def __str__(self) -> str:
        return ", ".join(f"{words} {count}" for words, count in self.counts.items()) or "nothing"


def usage_by_key() -> dict[int | None, KeyUsage]:
    """Return the use of each key by its index in `SEAL_KEYS`, where 0 is the newest.

    `NO_KEY` is the index of values that none of the keys decrypts.
    """
    places = (*range(len(settings.SEAL_KEYS)), NO_KEY)
    uses: dict[int | None, KeyUsage] = {place: KeyUsage() for place in places}
    running = set(Duel.objects.filter(status=DuelStatus.RUNNING).values_list("pk", flat=True))
    for column in ENCRYPTED_COLUMNS:
        for value, duel_id in column.encrypted_values():
            use = uses[seals.key_index(value)]
            use.counts[column.words] = use.counts.get(column.words, 0) + 1
            if duel_id is not None and duel_id in running:
                use.duels.add(duel_id)
    return uses


def renew_keys() -> Iterator[tuple[str, int, int]]:
    """Re-encrypt all values with the newest key, batch by batch.

    Yield the words of each batch's column, and the numbers of re-encrypted and unreadable values.

    This is safe while the site is running: values that change in the meantime are skipped, and each
    value is written in its own transaction, so locks are short and deadlocks cannot occur. A run
    after an interruption continues with the values that still use an older key.
    """
    for column in ENCRYPTED_COLUMNS:
        last = 0
        rows = column.rows.order_by("pk").values_list("pk", column.lookup)
        while batch := list(rows.filter(pk__gt=last)[:BATCH_SIZE]):
            yield column.words, *_reencrypt_batch(column, batch)
            last = batch[-1][0]


def _reencrypt_batch(column: EncryptedColumn, batch: list[tuple[int, str]]) -> tuple[int, int]:
    renewed = unreadable = 0
    for key, value in batch:
        if seals.key_index(value) == 0:
            continue
        try:
            reencrypted = seals.reencrypt(value)
        except MissingKey:
            unreadable += 1
            continue
        renewed += column.replace_value(key, value, reencrypted)
    return renewed, unreadable
