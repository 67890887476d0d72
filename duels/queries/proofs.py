"""Proofs of a turn: its commitments, and the salts of the fields that the observer has already
seen.

For another wizard's played seal, a proof contains the hashes of all fields, sorted and padded so
that they do not reveal the names or the number of fields. It also contains the values and salts of
the fields that the turn has certainly shown to the observer (`engine.play.shown_fields`), and of
`place`, which everyone knows. For the observer's own seals, and for all seals once the duel is
over, a proof contains everything. rules: promises 1, 2
"""

from collections.abc import Iterable
from typing import Any, Final

import engine.play
import engine.proof
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.models import VERSION_COVERING_TURNS, Duel, Orders, RejectedSeal, Stage, Wizard
from duels.queries.pages import turn_page
from duels.queries.rows import SealRow, TurnPage
from duels.queries.stories import silenced_wizards
from duels.referees.log.visible_acts import removed_messages
from duels.sealing import links, seals, seeds
from duels.sealing.links import time_text
from engine.orders import MESSAGE_FIELD
from engine.proof import PADDING_FIELD, PLACE_FIELD

PROOF_FORMAT = "spellcaster-proof"
PROOF_VERSION = 1
UNPUBLISHED_KEYS: Final[dict[str, Any]] = {"hashes": [], "fields": {}}


def published_salts(duel: Duel, ordinal: int, viewer: Wizard | None) -> dict[str, Any] | None:
    """Return the proof of a resolved turn as plain JSON, or None if there is no such turn.

    {"format", "version", "duel", "ordinal", "number", "kind", "observer", "seed_commitment",
    "first_chain", "chain", "seals": [{"wizard", "stage", "batch", "sealed_at", "taken_back_at",
    "superseded", "commitment", "hashes": [hash], "fields": {field: {"value", "salt"}}}],
    "rejected": [{"wizard", "stage", "batch", "before", "rejected_at", "code", "commitment",
    "hashes", "fields"}]}.

    `hashes` is empty if no hashes are published, for example for another wizard's seal that was
    replaced. `rejected` contains the observer's own rejected seals, or all of them once the duel is
    over. `first_chain` is None if the duel began before first links covered the dice.
    """
    page = turn_page(duel, ordinal, viewer, turn_count=1)
    if page is None:
        return None
    shown = _shown_fields(page, viewer)
    bodies = dict(Orders.objects.filter(turn=page.turn).values_list("commitment", "body"))
    rejected = RejectedSeal.objects.filter(turn=page.turn).select_related("seat__wizard")
    return {
        "format": PROOF_FORMAT,
        "version": PROOF_VERSION,
        "duel": duel.pk,
        "ordinal": page.turn.ordinal,
        "number": page.turn.number,
        "kind": str(page.turn.kind),
        "observer": page.observer,
        "seed_commitment": seeds.seed_commitment_after(duel, page.turn.roll_backs),
        "first_chain": links.first_link(duel, duel.size) if links.is_dice_covered(duel) else None,
        # Links in the first format are not salted, so hidden data could be guessed by computing
        # them.
        "chain": page.turn.chain
        if duel.link_format >= VERSION_COVERING_TURNS or duel.is_over
        else None,
        "seals": [
            _seal_header(seal)
            | _published_seal(seal, bodies[seal.commitment], shown.get(seal.code, {}))
            for seal in page.seals
        ],
        "rejected": [
            links.covered_rejected(row) | _rejected_contents(row)
            for row in (rejected.order_by("pk") if page.turn.rejections else ())
            if duel.is_over or row.seat.wizard == viewer
        ],
    }


def _rejected_contents(row: RejectedSeal) -> dict[str, Any]:
    """Return the contents of a rejected seal, without its message."""
    try:
        seal = seals.decrypt_seal(row.body)
    except MissingKey:
        return UNPUBLISHED_KEYS
    return _salted_fields(seal, seal.fields.keys() - {MESSAGE_FIELD})


def _salted_fields(seal: seals.Seal, names: Iterable[str]) -> dict[str, Any]:
    return {
        "hashes": engine.proof.padded_commitments(seal.hashes.values(), seal.salts),
        "fields": {
            name: {"value": seal.fields[name], "salt": seal.salts[name]} for name in sorted(names)
        },
    }


def _shown_fields(page: TurnPage, viewer: Wizard | None) -> dict[str, dict[str, str]]:
    """Return the fields that the observer has seen, except messages hidden from them."""
    shown = engine.play.shown_fields(
        page.view.turns[-1], adjudication.position_after_departures(page.turn)
    )
    unheard = silenced_wizards(viewer) if viewer else {}
    silent = {code for ordinal, code in removed_messages(page.duel) if ordinal == page.turn.ordinal}
    silent |= {seat.code for seat in page.seats if seat.wizard.pk in unheard}
    for code in silent:
        shown.get(code, {}).pop("say", None)
    return shown


def _seal_header(seal: SealRow) -> dict[str, Any]:
    back = seal.taken_back_at
    return {
        "wizard": seal.code,
        "stage": seal.stage,
        "batch": seal.batch,
        "sealed_at": time_text(seal.sealed_at),
        "taken_back_at": time_text(back) if back else None,
        "superseded": seal.superseded,
        "commitment": seal.commitment,
    }


def _published_seal(seal: SealRow, body: str, shown: dict[str, str]) -> dict[str, Any]:
    try:
        sealed = seals.decrypt_seal(body)
    except MissingKey:
        return UNPUBLISHED_KEYS
    if seal.fields is not None:  # the observer's own seal, or the duel is over
        names = {name for name in sealed.fields if name != MESSAGE_FIELD or name in seal.fields}
    elif seal.superseded or PADDING_FIELD not in sealed.salts:
        return UNPUBLISHED_KEYS
    elif seal.stage == Stage.ORDERS:
        names = {name for name, value in shown.items() if sealed.fields.get(name) == value}
        names.add(PLACE_FIELD)
    else:
        names = {PLACE_FIELD}
    return _salted_fields(sealed, names)
