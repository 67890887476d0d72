"""Writer of the record of a duel that is played on one machine, without a site.

It proves as much as a site's record, except that one machine made everything in it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine import RELEASE
from engine.events import Drew, Event
from engine.positions.position import Position
from engine.proof import chain, commitment
from engine.proof.record import RECORD_FORMAT, RECORD_VERSION
from engine.proof.replay import markers_at_end
from engine.proof.verify import end_link_data

Json = dict[str, Any]
DUEL_NUMBER: Final = 1
"""The number of the duel, which only a site's records need."""


class Recorder:
    """Record of a duel while it is played.

    For each turn, call `open_turn`, `seal` and `leave` as often as needed, and `close_turn`. Seals
    must be made in seat order.
    """

    def __init__(self, position: Position, seed: str, now: Callable[[], str]) -> None:
        self.seed = seed
        self.now = now
        committed = chain.seed_commitment(seed)
        self.start: Json = {"ruleset": position.ruleset, "options": list(position.options)}
        self.chain = chain.first_link(
            committed, duel=DUEL_NUMBER, wizards=len(position.wizards), setup=None, **self.start
        )
        self.record: Json = {
            "format": RECORD_FORMAT,
            "version": RECORD_VERSION,
            "duel": DUEL_NUMBER,
            **self.start,
            "wizards": [{"name": w.name, "pronouns": w.pronouns} for w in position.wizards],
            "setup": None,
            "dice": {
                "kind": chain.DICE_BY_SEED,
                "seeds": [{"roll_backs": 0, "seed_commitment": committed, "seed": seed}],
            },
            "salts": chain.SALTS_BY_SEED,
            "chain": self.chain,
            "turns": [],
            "void_turns": [],
            "acts": [],
            "speeches": [],
            "ended": None,
        }

    def open_turn(self, position: Position) -> None:
        """Begin a turn at this position."""
        self.position = position
        self.opened_at = self.now()
        self.seals: list[Json] = []
        self.left: list[str] = []

    def seal(
        self, wizard: str, fields: Mapping[str, str], *, batch: int = 0, is_default: bool = False
    ) -> None:
        """Seal a wizard's orders, or the answers to a batch. Batches are numbered from 1."""
        stage = "answers" if batch else "orders"
        place = commitment.place_value(
            duel=DUEL_NUMBER,
            ordinal=len(self.record["turns"]) + 1,
            wizard=wizard,
            stage=stage,
            batch=batch,
            roll_backs=0,
        )
        sealed = {**fields, commitment.PLACE_FIELD: place, commitment.RANDOM_NUMBER_FIELD: ""}
        salts = commitment.field_salts(self.seed, place, 0, sealed)
        self.seals.append({
            "wizard": wizard,
            "stage": stage,
            "batch": batch,
            "source": "default" if is_default else "player",
            "sealed_at": self.now(),
            "taken_back_at": None,
            "superseded": False,
            "commitment": commitment.seal_commitment(sealed, salts),
            "hashes": commitment.field_commitments(sealed, salts),
            "fields": sealed,
            "salts": salts,
        })  # fmt: skip

    @property
    def commitments(self) -> list[str]:
        """Commitments of the orders that are not superseded. The turn's dice depend on them."""
        return [
            seal["commitment"]
            for seal in self.seals
            if seal["stage"] == "orders" and not seal["superseded"]
        ]

    def leave(self, wizard: str) -> None:
        """Record that the wizard has resigned in this turn."""
        self.left.append(wizard)

    def close_turn(
        self,
        after: Position,
        events: Sequence[Event],
        orders: Mapping[str, Mapping[str, str]],
        answers: Mapping[str, str],
        *,
        is_played: bool,
    ) -> None:
        """Add the turn with its result. Seals of a turn that was not played are superseded."""
        for seal in self.seals:
            seal["superseded"] = not is_played
        position = self.position
        row: Json = {
            "ordinal": len(self.record["turns"]) + 1,
            "number": position.turn,
            "kind": position.kind,
            "roll_backs": 0,
            "opened_at": self.opened_at,
            "closed_at": self.now(),
            "release": RELEASE,
            "played": is_played,
            "position": chain.position_hash(position),
            "resigned": self.left,
            "forfeited": [],
            "removed": [],
            "commitments": self.commitments,
            "seals": self.seals,
            "orders": {wizard: dict(flat) for wizard, flat in orders.items()},
            "answers": dict(answers),
            "draws": [
                {"label": event.label, "sides": event.sides, "value": event.value}
                for event in events
                if isinstance(event, Drew)
            ],
            "damage": {wizard.id: wizard.damage for wizard in after.wizards},
            "after": chain.position_hash(after),
            "acts": 0,
        }
        self.chain = chain.turn_link(self.chain, {**row, "acts": ""}, seed=self.seed, **self.start)
        self.record["turns"].append({**row, "chain": self.chain})

    def end(self, position: Position, how: str, result: str) -> None:
        """Finish the record of a duel that is over."""
        ended: Json = {"how": how, "result": result, "at": self.now()}
        if position.rules.markers:
            ended["markers"] = markers_at_end(position, how, result)
        ended["chain"] = chain.link(self.chain, end_link_data(ended, [], [], []))
        self.record["ended"] = ended
