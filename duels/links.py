"""Links between the turns of a duel: the hashes of its chain, calculated from its rows.

`engine.chain` has the arithmetic, and `engine.record` the form of a turn in a record. This module
selects the part of a turn that its link covers. Closing an account does not change any of it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import engine
from duels import adjudication, seeds
from duels.models import SALTS_BY_SEED, Act, Duel, Orders, Turn


def time_text(moment: datetime) -> str:
    """Return the moment as a record writes it."""
    return moment.astimezone(UTC).isoformat()


def covered_seal(seal: Orders) -> dict[str, Any]:
    """Return the part of a seal that a link covers."""
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


def covered_turn(
    turn: Turn,
    seals: Iterable[Orders],
    *,
    start: engine.Position,
    after: engine.Position,
    events: Iterable[engine.Event],
    played: bool,
) -> dict[str, Any]:
    """Return the part of a closed turn that a link covers, except the salt and the rules.

    It includes the number of rollbacks, which determines the seed of the salt. `seals` are all
    seals in the order of sealing, and `played` is whether the turn's gestures were made. `acts` is
    the number of previous acts; the link replaces it by the hash of the last one.
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
        "position": engine.position_hash(start),
        "after": engine.position_hash(after),
        "resigned": list(turn.resigned),
        "forfeited": list(turn.forfeited),
        "removed": list(turn.removed),
        "commitments": adjudication.commitments(seal for seal in seals if not seal.superseded),
        "draws": [
            {"label": event.label, "sides": event.sides, "value": event.value}
            for event in events
            if isinstance(event, engine.Drew)
        ],
        "acts": turn.acts,
        "seals": [covered_seal(seal) for seal in seals],
    }


def link_of_turn(duel: Duel, previous: str, covered: dict[str, Any], last_act: str) -> str:
    """Return the hash of a turn that follows the turn with hash `previous`.

    `last_act` is the hash of the last act. If the seed is lost, the link has no salt. Such a turn
    ends its duel, so everything is public.
    """
    return engine.turn_link(
        previous,
        {**covered, "acts": last_act},
        ruleset=duel.ruleset,
        options=list(duel.options),
        seed=seeds.known_seed_after(duel, covered["roll_backs"]),
    )


def first_link(duel: Duel, wizards: int) -> str:
    """Return the hash of the start of the duel, which turn 1 follows."""
    return engine.first_link(
        seeds.commitment_after(duel, 0),
        duel=duel.pk,
        ruleset=duel.ruleset,
        options=list(duel.options),
        wizards=wizards,
        setup=duel.setup,
        salts=field_salts(duel),
    )


def field_salts(duel: Duel) -> str:
    """Return the source of the seals' salts, as the record states it."""
    return engine.BY_SEED if duel.link_format >= SALTS_BY_SEED else engine.BY_SITE


def acts_of(duel: Duel) -> list[dict[str, Any]]:
    """Return the acts of referees and operators on the duel, as its record states them."""
    acts = Act.objects.filter(duel=duel).order_by("ordinal")
    return [{**act.entry, "chain": act.chain} for act in acts]


def last_act_of(duel: Duel, acts: int) -> str:
    """Return the hash of the duel's act with this ordinal, or "" for 0."""
    if not acts:
        return ""
    return Act.objects.values_list("chain", flat=True).get(duel=duel, ordinal=acts)
