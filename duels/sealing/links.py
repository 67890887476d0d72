"""Links between the turns of a duel: the hashes that form its chain, computed from database rows.

`engine.proof.chain` computes the hashes, and `engine.proof.record` defines the format of a turn in
a record. This module selects the data of a turn that its link covers. None of these data change
when an account is closed.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import engine.play
import engine.proof
from duels import models
from duels.errors import MissingKey
from duels.sealing import seeds


def time_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()


def covered_seal(seal: models.Orders) -> dict[str, Any]:
    back = seal.taken_back_at
    return {
        "wizard": seal.seat.code,
        "stage": str(seal.stage),
        "batch": seal.batch,
        "source": str(seal.source),
        "sealed_at": time_text(seal.sealed_at),
        "taken_back_at": time_text(back) if back else None,
        "superseded": seal.superseded,
        "commitment": seal.commitment,
    }


def covered_rejected(seal: models.RejectedSeal) -> dict[str, Any]:
    return {
        "wizard": seal.seat.code,
        "stage": str(seal.stage),
        "batch": seal.batch,
        "before": seal.before,
        "rejected_at": time_text(seal.rejected_at),
        "code": seal.code,
        "commitment": seal.commitment,
    }


def covered_turn(
    turn: models.Turn,
    seals: Iterable[models.Orders],
    rejected: Iterable[models.RejectedSeal] = (),
    *,
    start: engine.play.Position,
    position_after: engine.play.Position,
    events: Iterable[engine.play.Event],
    played: bool,
) -> dict[str, Any]:
    """Return the data of a closed turn that a link covers, except the salt and the rules.

    They include the number of rollbacks, which determines the seed for the salt. `seals` contains
    all accepted seals, including superseded ones, in the order of sealing. `rejected` contains the
    seals that the site rejected. `played` is true if the turn's gestures were made. `acts`
    is the number of earlier acts; `link_of_turn` puts the hash of the last act in its place.
    """
    seals = list(seals)
    assert turn.closed_at is not None
    return {
        "ordinal": turn.ordinal,
        "number": turn.number,
        "kind": str(turn.kind),
        "roll_backs": turn.roll_backs,
        "opened_at": time_text(turn.opened_at),
        "closed_at": time_text(turn.closed_at),
        "release": turn.release,
        "played": played,
        "position": engine.proof.position_hash(start),
        "after": engine.proof.position_hash(position_after),
        "resigned": list(turn.resigned),
        "forfeited": list(turn.forfeited),
        "removed": list(turn.removed),
        "commitments": order_commitments(seal for seal in seals if not seal.superseded),
        "draws": [
            {"label": event.label, "sides": event.sides, "value": event.value}
            for event in events
            if isinstance(event, engine.play.Drew)
        ],
        "acts": turn.acts,
        "seals": [covered_seal(seal) for seal in seals],
        **({"rejected": states} if (states := [*map(covered_rejected, rejected)]) else {}),
    }


def link_of_turn(duel: models.Duel, previous: str, covered: dict[str, Any], last_act: str) -> str:
    """Return the hash of a turn. `previous` is the hash of the turn before it.

    `last_act` is the hash of the last act before it. If the seed is lost, the link has no salt.
    This happens only in a duel's last turn, after which everything is public.
    """
    seed: str | None
    try:
        seed = seeds.seed_after(duel, covered["roll_backs"])
    except MissingKey:
        seed = None
    return engine.proof.turn_link(
        previous,
        {**covered, "acts": last_act},
        ruleset=duel.ruleset,
        options=list(duel.options),
        seed=seed,
    )


def order_commitments(orders: Iterable[models.Orders]) -> list[str]:
    """Return the commitments of a turn's orders, in order of seat. They determine its draws."""
    sealed = [row for row in orders if row.stage == models.Stage.ORDERS]
    return [row.commitment for row in sorted(sealed, key=lambda row: row.seat.place or 0)]


def first_link(duel: models.Duel, wizards: int) -> str:
    """Return the hash of the duel's start, which precedes the hash of turn 1."""
    if _has_stored_first_link(duel):
        return duel.chain
    return new_first_link(duel, wizards, covers_dice=is_linked_with_record(duel))


def new_first_link(duel: models.Duel, wizards: int, *, covers_dice: bool = True) -> str:
    """Return the hash of the start of a duel, including the draws fixed in advance, if any.

    `covers_dice` is false for older duels, whose first link does not cover their dice.
    """
    return engine.proof.first_link(
        seeds.seed_commitment_after(duel, 0),
        duel=duel.pk,
        ruleset=duel.ruleset,
        options=list(duel.options),
        wizards=wizards,
        setup=duel.setup,
        salts=field_salts(duel),
        draws=duel.recorded_draws if covers_dice else None,
        covers_dice=covers_dice,
    )


def is_dice_covered(duel: models.Duel) -> bool:
    """Return whether the duel's first link covers its dice, as in all new duels."""
    return _has_stored_first_link(duel) or is_linked_with_record(duel)


def is_linked_with_record(duel: models.Duel) -> bool:
    """Return whether only the record has links, because stored ones cover too little."""
    return duel.link_format < models.VERSION_COVERING_TURNS


def draws_fixed_at_start(duel: models.Duel) -> Mapping[str, int] | None:
    """Return the draws that were fixed before the duel began, or None if there are none.

    Without fixed draws, all draws are derived from the duel's seeds. Ignore draws that were stored
    later, because the first link does not cover them.
    """
    draws: Mapping[str, int] | None = duel.recorded_draws
    if draws is None or is_linked_with_record(duel):
        return draws
    if not _has_stored_first_link(duel) or new_first_link(duel, duel.size) != duel.chain:
        return None
    return draws


def _has_stored_first_link(duel: models.Duel) -> bool:
    return duel.link_format >= models.VERSION_COVERING_DICE and duel.chain != ""


def field_salts(duel: models.Duel) -> str:
    """Return how the salts of the seals are made (by seed or by site), in the format of records."""
    return (
        engine.proof.SALTS_BY_SEED
        if duel.link_format >= models.VERSION_WITH_SALTS_BY_SEED
        else engine.proof.SALTS_BY_SITE
    )


def hash_of_last_act(duel: models.Duel, acts: int) -> str:
    """Return the hash of the duel's act with this ordinal, or "" for 0."""
    if not acts:
        return ""
    return models.Act.objects.values_list("chain", flat=True).get(duel=duel, ordinal=acts)
