"""Queries that return the stored data of a wizard as plain values, for the archive that they can
download.

The export of a duel contains only public data and the wizard's own seals, drafts and messages. Data
that is hidden from the wizard is left out, but appears in the duel's record once the duel is over.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import F, Model, Q

from duels import models
from duels.errors import MissingKey
from duels.queries.tenures import tenures
from duels.sealing import seals

JsonData = dict[str, Any]


def _field_values(row: Model, names: str) -> JsonData:
    """Return the values of these fields, by name."""
    return {name: getattr(row, name) for name in names.split()}


def exported_wizard(wizard: models.Wizard) -> JsonData:
    """Return the wizard with their preferences, blocks, mutes and markers."""
    blocks = models.Block.objects.filter(wizard=wizard).order_by("created_at", "pk")
    mutes = models.Mute.objects.filter(wizard=wizard).order_by("created_at", "pk")
    markers = models.Marker.objects.filter(Q(holder=wizard) | Q(bears=wizard)).select_related(
        "holder", "bears"
    )
    return {
        **_field_values(
            wizard, "name pronouns created_at about shows_last_seen seen_on preferences"
        ),
        "vacation": {
            "saved": wizard.vacation_saved,
            "counted_at": wizard.vacation_counted_at,
            "began_at": wizard.vacation_began_at,
            "ends_at": wizard.vacation_ends_at,
        },
        "blocked": list(blocks.values(name=F("blocked__name"), at=F("created_at"))),
        "muted": list(mutes.values(name=F("muted__name"), at=F("created_at"))),
        "markers": [
            {
                "bears": row.bears.name,
                "holder": row.holder.name,
                "duel": row.duel_id,
                **_field_values(row, "won_at returned_at"),
            }
            for row in markers.order_by("pk")
        ],
    }


def exported_duels(wizard: models.Wizard) -> Iterator[JsonData]:
    """Yield the wizard's duels and challenges, even those in which they were replaced."""
    left = models.Act.objects.filter(kind=models.ActKind.REPLACE, facts__from=wizard.pk).values(
        "duel"
    )
    taken = models.Seat.objects.filter(wizard=wizard).values("duel")
    theirs = models.Duel.objects.filter(Q(pk__in=taken) | Q(pk__in=left))
    for duel in theirs.order_by("pk").iterator(chunk_size=100):
        yield _exported_duel(duel, wizard)


def _exported_duel(duel: models.Duel, wizard: models.Wizard) -> JsonData:
    others = list(
        models.Seat.objects.filter(duel=duel).select_related("wizard").order_by("place", "pk")
    )
    seat = models.seat_of(others, wizard)
    all_orders = models.Orders.objects.select_related("turn").order_by("pk")
    held = list(tenures(duel, wizard, others))
    orders = [row for tenure in held for row in tenure.seals_in(all_orders)]
    all_rejected = models.RejectedSeal.objects.select_related("turn").order_by("pk")
    rejected = [row for tenure in held for row in tenure.seals_in(all_rejected, "rejected_at")]
    drafts = models.Draft.objects.filter(seat=seat).select_related("turn").order_by("pk")
    said = models.Speech.objects.filter(duel=duel, wizard=wizard).order_by("pk")
    return {
        "duel": duel.pk,
        **_field_values(duel, "status ended ruleset options pace visibility rated name"),
        "words_of_the_challenge": duel.words,
        "counter_to": duel.counter_to_id,
        **_field_values(duel, "created_at started_at ended_at"),
        "wizards": [row.wizard.name for row in others],
        "your_place": seat.place if seat else None,
        "your_outcome": seat.outcome if seat else None,
        "accepted_at": seat.accepted_at if seat else None,
        "sealed": [
            {
                "turn": row.turn.ordinal,
                "by": row.source,
                **_field_values(row, "stage batch sealed_at superseded taken_back_at commitment"),
                **_seal_contents(row),
            }
            for row in orders
        ],
        "rejected": [
            {
                "turn": row.turn.ordinal,
                **_field_values(row, "stage batch code rejected_at commitment"),
                **_seal_contents(row),
            }
            for row in rejected
        ],
        "drafts": [
            {"turn": row.turn.ordinal, "saved_at": row.saved_at, "fields": _draft_fields(row)}
            for row in (drafts if seat else ())
        ],
        "said": [
            {"turn": row.ordinal, "words": row.words, "at": row.said_at, "removed": row.removed_at}
            for row in said
        ],
    }


def _seal_contents(orders: models.Orders | models.RejectedSeal) -> JsonData:
    """Return the fields and the salts that prove them, or None if the key is missing."""
    try:
        seal = seals.decrypt_seal(orders.body)
    except MissingKey as gone:
        return {"fields": None, "salts": None, "why": gone.text}
    return {"fields": dict(seal.fields), "salts": dict(seal.salts)}


def _draft_fields(draft: models.Draft) -> dict[str, str] | None:
    try:
        return seals.decrypt_draft(draft.body)
    except MissingKey:
        return None
