"""What ties the turns of a duel together: the hashes of its chain, made of its rows.

`engine.chain` has the arithmetic, `engine.record` the form in which a turn stands in a record;
here is the part of a turn that its link covers. Nothing of it changes when an account is closed.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import engine
from duels import adjudication, seeds
from duels.models import SALTS_BY_SEED, Act, Duel, Orders, Turn


def time_text(moment: datetime) -> str:
    """The moment as a record tells it."""
    return moment.astimezone(UTC).isoformat()


def covered_seal(seal: Orders) -> dict[str, Any]:
    """What a link covers of a seal."""
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
    """What a link covers of a closed turn, beside the salt and what the duel is played by; and how
    many roll backs there were, which gives the salt its seed.

    `seals`: all of them, in the order in which they were sealed; `played`: whether its gestures
    were made. Of the acts before it stands the number, for which the link takes the hash of the
    last.
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
    """The hash of a turn that follows the one of this hash; `last_act`: that of the last act.

    Where the seed is lost it has no salt: such a turn ends its duel, and everything is open.
    """
    return engine.turn_link(
        previous,
        {**covered, "acts": last_act},
        ruleset=duel.ruleset,
        options=list(duel.options),
        seed=seeds.known_seed_after(duel, covered["roll_backs"]),
    )


def first_link(duel: Duel, wizards: int) -> str:
    """The hash of what the duel began with, which turn 1 follows."""
    return engine.first_link(
        seeds.commitment_after(duel, 0),
        duel=duel.pk,
        ruleset=duel.ruleset,
        options=list(duel.options),
        wizards=wizards,
        setup=duel.setup,
        salts=salts_of(duel),
    )


def salts_of(duel: Duel) -> str:
    """Whence the salts of its seals come, as its record states it."""
    return engine.BY_SEED if duel.link_format >= SALTS_BY_SEED else engine.BY_SITE


def acts_of(duel: Duel) -> list[dict[str, Any]]:
    """What referees and operators have done to the duel, as its record states it."""
    acts = Act.objects.filter(duel=duel).order_by("ordinal")
    return [{**act.entry, "chain": act.chain} for act in acts]


def last_act_of(duel: Duel, acts: int) -> str:
    """The hash of the act with this ordinal on the duel; "" for 0."""
    if not acts:
        return ""
    return Act.objects.values_list("chain", flat=True).get(duel=duel, ordinal=acts)
