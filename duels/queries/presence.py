"""The state of a duel's page, for the page's polls. It contains only data that the page may show.

Every open page requests the state every few seconds. So these functions use one query, do not write
anything, and do not load a position or call the engine.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    CharField,
    Count,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Coalesce, Concat, JSONObject

from duels.loaded.loading import load_duel
from duels.loaded.open_turn import hides_questions
from duels.models import (
    OPEN_STAGES,
    Duel,
    DuelStatus,
    Orders,
    Seat,
    Speech,
    Stage,
    Turn,
    TurnKind,
    Wizard,
)
from duels.queries.lists import is_public, running_seats, unanswered_challenges
from duels.queries.rows import DuelPage, SeatState, known_clock
from duels.referees.log.visible_acts import newest_visible_act_query

# The columns of seats, wizards and duels that the state of a page depends on.
PAGE_STATE_COLUMNS: Final = (
    "wizard_id place accepted_at outcome awaited draw_offered_in awaited_since due_at clock_left "
    "asks_pause wizard__vacation_ends_at duel__pace duel__status duel__visibility duel__open "
    "duel__paused_at duel__halted_at duel__stopped_at duel__held_at duel__last_act"
).split()


_NEWEST_MESSAGES = Speech.objects.filter(duel=OuterRef("duel_id")).order_by("-pk")
SEAT_STATE_COLUMNS: Final = attrgetter(*(field.name for field in fields(SeatState)))
NEWEST_MESSAGE: Final = Coalesce(Subquery(_NEWEST_MESSAGES.values("pk")[:1]), 0)


@dataclass(frozen=True)
class PageState:
    """All values that a duel's page depends on, for one reader."""

    status: str
    turn: int  # the newest turn's ordinal, or 0 before the start
    stage: str  # the turn's stage, as far as the reader may see it
    asked: int  # the batch of questions that waits for the reader, or 0
    seats: tuple[SeatState, ...]
    last_speech: int  # the last message between turns, or 0
    is_paused: bool
    is_halted: bool  # paused by a dispute, a referee or a release
    last_act: int  # the last act that the reader may see, or 0
    rematch: str  # status of a rematch that the reader may see, or ""

    def as_json(self) -> dict[str, Any]:
        """Return the state in the form that pages and polls use."""
        return vars(self) | {"seats": [seat.as_json() for seat in self.seats]}


@dataclass(frozen=True)
class PresenceState:
    """The response to one reader's poll: the page's state, the reader's seat, and the number of
    duels that wait for them."""

    page: PageState
    seat: str  # the reader's, or "" for spectators and before the start
    waiting: int


def presence_state(duel_id: int, viewer: Wizard | None) -> PresenceState | None:
    """Return the current state of this viewer's page, or None if they may not see the duel."""
    if duel_id > BigIntegerField.MAX_BIGINT:  # the database rejects larger numbers
        return None
    seats: list[Any] = list(_annotated_seats(duel_id, viewer))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    if not seats or not (mine or is_public(seats[0].duel)):
        return None
    row = seats[0]  # the duel's annotations are the same for every seat
    newest: Mapping[str, Any] = row.newest or {"ordinal": 0, "stage": "", "kind": "", "batch": 0}
    stage, sealed = newest["stage"], {seat.pk: seat.sealed_at for seat in seats}
    if stage == Stage.ANSWERS and hides_questions(newest["kind"]):
        stage, sealed = _visible_stage_and_seals(duel_id, mine)
    open_turn = newest["ordinal"] if stage in OPEN_STAGES else 0
    asked = newest["batch"] if mine and mine.awaited and stage == Stage.ANSWERS else 0
    return PresenceState(
        PageState(
            status=row.duel.status,
            turn=newest["ordinal"],
            stage=stage,
            asked=asked,
            seats=tuple(
                SeatState(
                    code=seat.code,
                    accepted=seat.accepted_at is not None,
                    outcome=seat.outcome,
                    awaited=seat.awaited,
                    clock=known_clock(seat, mine, newest["kind"]),
                    sealed_at=None if seat.awaited else sealed.get(seat.pk),
                    offers_draw=bool(open_turn) and seat.offers_draw_in(open_turn),
                    asks_pause=bool(open_turn) and seat.asks_pause,
                    vacation_until=seat.vacation_until if open_turn and seat.is_playing else None,
                )
                for seat in seats
            ),
            last_speech=row.last_speech,
            is_paused=row.duel.paused_at is not None,
            is_halted=row.duel.is_halted,
            last_act=mine.act_of_player if mine else row.act_of_spectator,
            rematch=row.rematch if mine else "",
        ),
        seat=mine.code if mine else "",
        waiting=row.waiting,
    )


def page_state(page: DuelPage, last_speech: int) -> PageState:
    """Return the state of this page, whose last message has the id `last_speech`."""
    turn = page.turn
    is_asked = page.me is not None and page.me.awaited and turn.stage == Stage.ANSWERS
    last_act = 0
    if page.duel.last_act:  # otherwise no query is needed
        own = page.me.code if page.me else None
        last_act = next(iter(newest_visible_act_query(page.duel, own)), 0)
    return PageState(
        status=page.duel.status,
        turn=turn.ordinal,
        stage=turn.stage,
        asked=turn.batch if is_asked else 0,
        seats=tuple(SeatState(*SEAT_STATE_COLUMNS(seat)) for seat in page.seats),
        last_speech=last_speech,
        is_paused=page.duel.paused_at is not None,
        is_halted=page.duel.is_halted,
        last_act=last_act,
        rematch=page.rematch.status if page.rematch else "",
    )


def waiting_state(wizard: Wizard | None) -> dict[str, Any]:
    """Return the state of the wizard's lists of duels, for the polls of other pages.

    `waiting` is the number of duels that wait for the wizard, including challenges to answer.
    Practice duels do not count, because no other player waits there. `clocks` is a digest of all
    clocks that the wizard may see.
    """
    if wizard is None:
        return {"waiting": 0, "clocks": ""}
    hiding = Turn.objects.filter(
        duel=OuterRef("duel"), stage__in=OPEN_STAGES, kind__in=filter(hides_questions, TurnKind)
    )
    awaited = Seat.objects.filter(awaited=True, duel__in=running_seats(wizard).values("duel"))
    found = awaited.filter(Q(wizard=wizard) | ~Exists(hiding)).aggregate(
        waiting=Count("pk", filter=Q(wizard=wizard, duel__lesson=""))
        + _count_expression(unanswered_challenges(wizard)),
        awaited=Count("pk"),
        since=Max("awaited_since"),
        first=Min("due_at"),
        last=Max("due_at"),
        standing=Count("clock_left"),
    )
    number = found.pop("waiting")
    clocks = hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:16]
    return {"waiting": number, "clocks": clocks}


def _annotated_seats(duel_id: int, viewer: Wizard | None) -> QuerySet[Seat]:
    """Return the seats of the duel, annotated with the state of the open turn."""
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
    waiting = Seat.objects.filter(wizard=viewer, awaited=True, duel__lesson="")
    unanswered = unanswered_challenges(viewer) if viewer else Seat.objects.none()
    rematches = Duel.objects.filter(rematch_of=OuterRef("duel_id"), seats__wizard=viewer)
    standing = rematches.exclude(status=DuelStatus.LAPSED).order_by("pk")
    own = Concat(Value("w"), Cast(OuterRef("place"), CharField()))
    shown = JSONObject(ordinal="ordinal", stage="stage", kind="kind", batch="batch")
    return (
        Seat.objects.filter(duel=duel_id)
        .select_related("duel", "wizard")
        .only(*PAGE_STATE_COLUMNS)
        .annotate(
            newest=Subquery(turns.values(shown=shown)[:1]),
            sealed_at=Subquery(live.order_by().values("sealed_at")[:1]),
            last_speech=NEWEST_MESSAGE,
            rematch=Coalesce(Subquery(standing.values("status")[:1]), Value("")),
            act_of_player=_newest_act_expression(own),
            act_of_spectator=_newest_act_expression(None),
            waiting=_count_expression(waiting) + _count_expression(unanswered),
        )
    )


def _newest_act_expression(own_seat: Concat | None) -> Coalesce:
    return Coalesce(Subquery(newest_visible_act_query(OuterRef("duel_id"), own_seat)), 0)


def _count_expression(seats: QuerySet[Seat]) -> Coalesce:
    """Return an expression that counts these seats, which all belong to one wizard."""
    counted = seats.order_by().values("wizard").annotate(number=Count("pk"))
    return Coalesce(Subquery(counted.values("number")), 0)


def _visible_stage_and_seals(
    duel_id: int, own_seat: Seat | None
) -> tuple[str, dict[int, datetime | None]]:
    """Return what is visible of a turn with hidden questions. rules: R121, R162"""
    loaded = load_duel(duel_id)
    assert loaded is not None
    assert loaded.newest is not None
    turn = loaded.newest.as_known_to(own_seat)
    present = turn.current_seals.values()
    return turn.row.stage, {seal.seat_id: seal.sealed_at for seal in present if seal.is_sealed}
