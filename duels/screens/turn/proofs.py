"""The seals of a resolved turn with their proofs, for the turn's page."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from duels.models import Stage
from duels.queries.rows import SealRow, TurnPage
from duels.screens.order_sheet.order_words import orders_as_pairs


@dataclass(frozen=True)
class SealProof:
    """One seal with its commitment, and its contents if the reader may see them."""

    name: str
    what: str  # "orders", "answer"
    sealed_at: datetime
    commitment: str
    note: str  # "replaced", "unsealed"
    lines: tuple[tuple[str, str], ...]  # field and value as text
    chance: str  # random bytes from the wizard's browser, if the reader may see them


def proofs_of(page: TurnPage) -> tuple[SealProof, ...]:
    """Return all seals of the turn: by seat, then in the order in which they were made."""
    return tuple(
        SealProof(
            name=seal.name,
            what="orders" if seal.stage == Stage.ORDERS else "answer",
            sealed_at=seal.sealed_at,
            commitment=seal.commitment,
            note=_seal_note(seal),
            lines=tuple(_seal_lines(seal, page)),
            chance=seal.chance,
        )
        for seal in page.seals
    )


def _seal_note(seal: SealRow) -> str:
    if seal.superseded:
        return "replaced"
    return "unsealed" if seal.taken_back_at is not None else ""


def _seal_lines(seal: SealRow, page: TurnPage) -> Iterator[tuple[str, str]]:
    fields = seal.fields or {}
    if seal.stage == Stage.ORDERS:
        yield from orders_as_pairs(fields, page.view.names, page.view.rules.spell_names)
    else:  # the text of questions is only stored while they are open, so show their ids
        yield from fields.items()
