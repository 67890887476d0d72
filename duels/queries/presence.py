"""The pulse of a duel: what of its page may have changed, and nothing that the page would not show.

It is asked for every few seconds by everybody who has the page open, so it is one query, writes
nothing, and neither loads a position nor asks the engine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Count, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject

from duels.models import (
    OPEN_STAGES,
    Orders,
    Seat,
    Stage,
    Turn,
    TurnKind,
    Wizard,
)
from duels.queries.asking import as_known
from duels.queries.lists import is_public
from duels.queries.newest import LAST_SAID
from duels.queries.pages import seals_of
from duels.queries.rows import DuelPage


@dataclass(frozen=True)
class SeatPulse:
    """How a wizard stands to the open turn, as everybody may see."""

    code: str  # "" before the start
    accepted: bool
    outcome: str
    awaited: bool
    sealed_at: datetime | None
    offers_draw: bool


@dataclass(frozen=True)
class Pulse:
    """What a reader's page of a duel depends on."""

    status: str
    turn: int  # the newest turn's ordinal; 0 before the start
    stage: str  # of that turn, as far as the reader may know it
    asked: int  # the batch of questions that waits for the reader; 0 if none does
    seats: tuple[SeatPulse, ...]
    said: int  # the last speech between turns; 0 if there is none

    def as_json(self) -> dict[str, Any]:
        """The pulse as a page and a poll state it."""
        return {
            "status": self.status,
            "turn": self.turn,
            "stage": self.stage,
            "asked": self.asked,
            "seats": [_seat_as_json(seat) for seat in self.seats],
            "said": self.said,
        }


@dataclass(frozen=True)
class Felt:
    """The pulse that a reader feels, where he sits, and how many duels wait for him."""

    pulse: Pulse
    mine: str  # his seat; "" for a spectator
    waiting: int


def pulse(duel_id: int, viewer: Wizard | None) -> Felt | None:
    """The pulse of this duel; None where the viewer may not see it, or there is none."""
    if duel_id > BigIntegerField.MAX_BIGINT:  # the database takes no such number
        return None
    seats = list(_seats(duel_id, viewer))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    if not seats or not (mine or is_public(seats[0].duel)):
        return None
    row: Any = seats[0]  # each has the annotations of its duel
    newest: Mapping[str, Any] = row.newest or {"ordinal": 0, "stage": "", "kind": "", "batch": 0}
    stage, sealed = newest["stage"], {seat.pk: _sealed_at(seat) for seat in seats}
    if newest["kind"] == TurnKind.EXTRA and stage == Stage.ANSWERS:
        stage, sealed = _as_known(duel_id, newest["ordinal"], mine)
    open_turn = newest["ordinal"] if stage in OPEN_STAGES else 0
    asked = newest["batch"] if mine and mine.awaited and stage == Stage.ANSWERS else 0
    return Felt(
        Pulse(
            status=seats[0].duel.status,
            turn=newest["ordinal"],
            stage=stage,
            asked=asked,
            seats=tuple(_seat_pulse(seat, sealed.get(seat.pk), open_turn) for seat in seats),
            said=row.said,
        ),
        mine=mine.code if mine else "",
        waiting=row.waiting,
    )


def pulse_of(page: DuelPage, said: int) -> Pulse:
    """The pulse that this page was made at; `said`: the last speech that it shows."""
    turn = page.turn
    is_asked = turn and page.me and page.me.awaited and turn.stage == Stage.ANSWERS
    return Pulse(
        status=page.duel.status,
        turn=turn.ordinal if turn else 0,
        stage=turn.stage if turn else "",
        asked=turn.batch if turn and is_asked else 0,
        seats=tuple(
            SeatPulse(
                code=seat.code,
                accepted=seat.accepted,
                outcome=seat.outcome,
                awaited=seat.awaited,
                sealed_at=seat.sealed_at,
                offers_draw=seat.offers_draw,
            )
            for seat in page.seats
        ),
        said=said,
    )


def waiting_for(wizard: Wizard) -> int:
    """How many duels wait for this wizard; practice does not count, nobody waits there."""
    return Seat.objects.filter(wizard=wizard, awaited=True, duel__lesson="").count()


def _seats(duel_id: int, viewer: Wizard | None) -> QuerySet[Seat]:
    """The seats of the duel, each with what there is to know of its open turn."""
    turns = Turn.objects.filter(duel=OuterRef("duel_id")).order_by("-ordinal")
    open_turn = Turn.objects.filter(duel=OuterRef(OuterRef("duel_id")), stage__in=OPEN_STAGES)
    live = Orders.objects.filter(
        seat=OuterRef("pk"),
        turn=Subquery(open_turn.order_by().values("pk")[:1]),
        stage=F("turn__stage"),
        batch=F("turn__batch"),
        superseded=False,
        taken_back_at=None,
    )
    waiting = (
        Seat.objects.filter(wizard=viewer, awaited=True, duel__lesson="")
        .order_by()
        .values("wizard")
    )
    shown = JSONObject(ordinal="ordinal", stage="stage", kind="kind", batch="batch")
    return (
        Seat.objects.filter(duel=duel_id)
        .select_related("duel")
        .only(
            *("wizard_id", "place", "accepted_at", "outcome", "awaited", "draw_offered_in"),
            *("duel__status", "duel__visibility", "duel__open"),
        )
        .annotate(
            newest=Subquery(turns.values(shown=shown)[:1]),
            sealed_at=Subquery(live.order_by().values("sealed_at")[:1]),
            said=LAST_SAID,
            waiting=Coalesce(Subquery(waiting.annotate(number=Count("pk")).values("number")), 0),
        )
    )


def _sealed_at(seat: Any) -> datetime | None:
    """When this seat's wizard sealed, by its annotation."""
    found: datetime | None = seat.sealed_at
    return found


def _as_known(
    duel_id: int, ordinal: int, mine: Seat | None
) -> tuple[str, dict[int, datetime | None]]:
    """Stage and seals of an extra turn that asks: whoever is not asked must not see that it does.

    rules: R121, R162
    """
    turns = Turn.objects.defer("position", "events")
    turn = as_known(turns.get(duel=duel_id, ordinal=ordinal), mine)
    rows = seals_of(turn).values()
    return turn.stage, {row.seat_id: row.sealed_at for row in rows if row.is_sealed}


def _seat_pulse(seat: Seat, sealed_at: datetime | None, open_turn: int) -> SeatPulse:
    return SeatPulse(
        code=seat.code,
        accepted=seat.accepted_at is not None,
        outcome=seat.outcome,
        awaited=seat.awaited,
        sealed_at=None if seat.awaited else sealed_at,
        offers_draw=bool(open_turn) and seat.offers_draw_in(open_turn),
    )


def _seat_as_json(seat: SeatPulse) -> Sequence[str | bool | None]:
    sealed = seat.sealed_at.isoformat() if seat.sealed_at else None
    return [seat.code, seat.accepted, seat.outcome, seat.awaited, sealed, seat.offers_draw]
