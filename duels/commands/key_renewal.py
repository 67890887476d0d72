"""What lies encrypted under which of `SEAL_KEYS`, and all of it anew under the newest.

Every column that holds what `seals.encrypt` has made stands in `ENCRYPTED`; a test holds the list
against what a played world holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from duels import seals
from duels.errors import KeyGone
from duels.models import Duel, DuelStatus

BATCH = 200  # rows that are read at once
NO_KEY = None  # the place of what no key opens


@dataclass(frozen=True)
class EncryptedColumn:
    """A column that is encrypted at rest; `duel` leads from its row to a duel, if it has one. Of
    JSON it is the value under `key`."""

    words: str
    model: str
    name: str
    duel: str = ""
    key: str = ""

    @property
    def path(self) -> str:
        """How a query calls the value."""
        return f"{self.name}__{self.key}" if self.key else self.name

    @property
    def rows(self) -> QuerySet[Any]:
        """The rows in which it is encrypted now: what is open, or empty, needs no key."""
        rows: QuerySet[Any] = apps.get_model(self.model)._base_manager.all()
        return rows.filter(**{f"{self.path}__startswith": seals.TOKEN})

    def uses(self) -> Iterator[tuple[str, int | None]]:
        """Each value, and the duel it is of."""
        if self.duel:
            yield from self.rows.values_list(self.path, self.duel).iterator()
        else:
            yield from ((value, None) for value in self.rows.values_list(self.path, flat=True))

    def replace(self, pk: int, value: str, anew: str) -> int:
        """Writes it anew where it is still as it was read. How many rows were written."""
        as_read = self.rows.filter(**{"pk": pk, self.path: value})
        if not self.key:
            return as_read.update(**{self.name: anew})
        with transaction.atomic():  # what else stands in the JSON stays as it is then
            row = as_read.select_for_update(no_key=True).first()
            if row is None:
                return 0
            getattr(row, self.name)[self.key] = anew
            row.save(update_fields=[self.name])
        return 1


ENCRYPTED = (
    EncryptedColumn("orders", "duels.Orders", "body", "turn__duel_id"),
    EncryptedColumn("drafts", "duels.Draft", "body", "turn__duel_id"),
    EncryptedColumn("duel seeds", "duels.Duel", "seed", "pk"),
    EncryptedColumn("mails", "post.Notice", "details", "duel_id"),
    EncryptedColumn("replies", "replies.Reply", "asked", "turn__duel_id"),
    EncryptedColumn("authenticator apps", "mfa.Authenticator", "data", key="secret"),
    EncryptedColumn("recovery codes", "mfa.Authenticator", "data", key="seed"),
)


@dataclass
class KeyUse:
    """What lies under one key, or under none that is there."""

    counts: dict[str, int] = field(default_factory=dict)  # by the words of the column
    duels: set[int] = field(default_factory=set)  # that run, and need it

    @property
    def is_needed(self) -> bool:
        return bool(self.counts)


def key_uses() -> dict[int | None, KeyUse]:
    """For each of `SEAL_KEYS` by its place, from 0, the newest, what it is needed for; under
    `NO_KEY` what none of them opens."""
    uses: dict[int | None, KeyUse] = {place: KeyUse() for place in range(len(settings.SEAL_KEYS))}
    uses[NO_KEY] = KeyUse()
    running = set(Duel.objects.filter(status=DuelStatus.RUNNING).values_list("pk", flat=True))
    for column in ENCRYPTED:
        for value, duel_id in column.uses():
            use = uses[seals.key_of(value)]
            use.counts[column.words] = use.counts.get(column.words, 0) + 1
            if duel_id is not None and duel_id in running:
                use.duels.add(duel_id)
    return uses


@dataclass(frozen=True)
class Renewed:
    """How many values one batch has encrypted anew, and how many no key opens."""

    words: str
    renewed: int
    unreadable: int


def renew_keys() -> Iterator[Renewed]:
    """Everything is encrypted under the newest key, batch by batch.

    Safe while the site plays: a value that somebody has written meanwhile stays as they wrote it,
    and each is written by itself, so that whoever plays waits for no second one, nor in a circle.
    Broken off, it goes on where something still needs another key.
    """
    for column in ENCRYPTED:
        last = 0
        while batch := _batch(column, last):
            yield _renew(column, batch)
            last = batch[-1][0]


def _batch(column: EncryptedColumn, after: int) -> list[tuple[int, str]]:
    rows = column.rows.filter(pk__gt=after).order_by("pk")
    return list(rows.values_list("pk", column.path)[:BATCH])


def _renew(column: EncryptedColumn, batch: list[tuple[int, str]]) -> Renewed:
    renewed = unreadable = 0
    for key, value in batch:
        if seals.key_of(value) == 0:
            continue
        try:
            anew = seals.encrypted_anew(value)
        except KeyGone:
            unreadable += 1
            continue
        renewed += column.replace(key, value, anew)
    return Renewed(column.words, renewed, unreadable)
