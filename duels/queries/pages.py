"""Queries for the pages of a duel and its past turns, as one reader may see them."""

import logging
from collections.abc import Sequence

from django.db.models import Exists, OuterRef

import engine.play
import engine.words
from duels.caching.caches import KeyedCache
from duels.clocks.clock import NO_CLOCK
from duels.errors import MissingKey
from duels.loaded import adjudication
from duels.loaded.loading import LoadedDuel, load_duel
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Draft, Duel, DuelStatus, Marker, Orders, Seat, Stage, Turn, Wizard, seat_of
from duels.queries import stories
from duels.queries.rows import (
    DuelPage,
    OwnSeal,
    RematchRow,
    SealRow,
    SeatRow,
    TurnPage,
    known_clock,
    questions_for,
)
from duels.queries.tenures import tenures
from duels.sealing import seals
from engine.orders import MESSAGE_FIELD
from engine.play import MarkerTaken

logger = logging.getLogger(__name__)


def duel_page(
    duel: Duel, viewer: Wizard | None, *, turn_count: int = stories.TURNS_SHOWN_AT_FIRST
) -> DuelPage:
    """Return the duel's page with its newest turns for this viewer, who is None for visitors."""
    loaded = load_duel(duel.pk, with_draft_of=viewer)
    assert loaded is not None
    return page_of_loaded_duel(loaded, viewer, turn_count=turn_count)


def page_of_loaded_duel(
    loaded: LoadedDuel, viewer: Wizard | None, *, turn_count: int = stories.TURNS_SHOWN_AT_FIRST
) -> DuelPage:
    """Return the page of a started duel, which was loaded with this viewer's draft."""
    assert loaded.newest is not None
    duel, mine = loaded.duel, seat_of(loaded.seats, viewer)
    turn = loaded.newest.as_known_to(mine)
    row, observer = turn.row, stories.observer_code(duel, mine)
    view, reports = stories.story_so_far(turn, observer, turn_count, mine)
    told = tuple(
        report
        for report in stories.readable_reports(reports, loaded.seats, viewer, duel)
        # An open turn has a report only if the reveal or a resignation has had visible results.
        if report.lines or report.ordinal != row.ordinal or not row.is_open
    )
    if not told and not duel.setup:
        you = stories.reader_code(view, mine)
        opening = stories.opening_report(view, row.ordinal, you)
        told = (opening,) if opening else ()
    live = _own_seal(turn, mine)
    draft = turn.draft if row.stage == Stage.ORDERS else None
    drafted = _draft_fields(draft)
    rows = tuple(_seat_row(seat, mine, turn) for seat in loaded.seats)
    return DuelPage(
        duel=duel,
        observer=observer,
        seats=rows,
        me=next((each for each in rows if each.you), None),
        turn=row,
        view=view,
        reports=told,
        open_turn=turn.with_own_seals_only(mine),
        can_seal=mine is not None and _can_seal(turn, mine),
        draft=drafted if drafted is not None else dict(live.fields) if live else {},
        draft_saved_at=draft.saved_at if draft and drafted is not None else None,
        lost_draft_of=draft.saved_at if draft and drafted is None else None,
        live_orders=live,
        form_seal=live.seal if live else "",
        questions=questions_for(row, mine),
        waiting_for=tuple(each.name for each in rows if each.awaited),
        draw_offered_by=tuple(each.name for each in rows if each.offers_draw),
        earlier=view.turns[0].ordinal - 1 or None if view.turns else None,
        markers=_marker_lines(duel, view, mine) if duel.is_over else (),
        read_turn=mine.read_turn if mine else 0,
        read_speech=mine.read_speech if mine else 0,
        last_speech=loaded.last_speech,
        whole=stories.whole_story(duel) if duel.is_over else None,
        rematch=_rematch_of(duel, mine) if duel.is_over and mine else None,
    )


def _rematch_of(duel: Duel, own_seat: Seat) -> RematchRow | None:
    """Return the rematch of this duel, or None if none was requested or it has lapsed."""
    if duel.is_practice:
        return None
    asks = Seat.objects.filter(
        duel=OuterRef("pk"), wizard=own_seat.wizard_id, accepted_at__isnull=True
    )
    found = (
        duel.rematches.filter(seats__wizard=own_seat.wizard_id)
        .exclude(status=DuelStatus.LAPSED)
        .annotate(is_asked=Exists(asks))
        .order_by("pk")
        .values_list("pk", "status", "challenger__name", "challenger_id", "is_asked")
        .first()
    )
    if found is None:
        return None
    number, status, by, challenger, is_asked = found
    is_mine = challenger == own_seat.wizard_id
    return RematchRow(number, status, by, is_mine, is_asked and status == DuelStatus.GATHERING)


def turn_page(
    duel: Duel,
    ordinal: int,
    viewer: Wizard | None,
    *,
    seen_by: str = "",
    turn_count: int = stories.TURNS_SHOWN_AT_FIRST,
) -> TurnPage | None:
    """Return the page of a resolved turn for the viewer, or None if there is no such turn.

    `seen_by` is the observer from whose point of view the turn is shown. Return None if the viewer
    may not choose this observer.
    """
    # Also load the next turn, because it contains the position after this turn.
    around = Turn.objects.filter(duel=duel, ordinal__lte=ordinal + 1).order_by("-ordinal")
    turns = list(around[: turn_count + 1])
    following = turns.pop(0) if turns and turns[0].ordinal == ordinal + 1 else None
    turn = turns[0] if turns else None
    if turn is None or turn.ordinal != ordinal or turn.stage != Stage.RESOLVED:
        return None
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = seat_of(seats, viewer)
    allowed = stories.possible_observers(duel, seats, mine)
    observer = seen_by or allowed[0]
    if observer not in allowed:
        return None
    after = (
        adjudication.position_at_start(following) if following else stories.position_at(duel, None)
    )
    assert after is not None
    view = engine.play.view(adjudication.history(turns[turn_count - 1 :: -1], after), observer)
    you = stories.reader_code(view, mine)
    played = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED)
    reports = stories.readable_reports(engine.words.narrate(view, you), seats, viewer, duel)
    return TurnPage(
        duel=duel,
        observer=observer,
        turn=turn,
        view=view,
        report=next((report for report in reports if report.ordinal == ordinal), None),
        seals=past_seals(duel, turn, mine, seats),
        newest=played.values_list("ordinal", flat=True).latest("ordinal"),
        opening=engine.words.opening_report(view, you) if ordinal == 1 else None,
        seats=tuple(_seat_row(seat, mine, None) for seat in seats),
        viewpoints=allowed,
    )


def _marker_lines(
    duel: Duel, view: engine.play.View, own_seat: Seat | None
) -> tuple[engine.words.Line, ...]:
    """Return report lines for the markers that changed hands at the end of the duel."""
    if duel.is_practice or duel.status != DuelStatus.OVER:
        return ()
    position = engine.play.load_position(duel.final_position)
    moved = engine.play.marker_events(position, duel.result)
    is_taken = any(isinstance(event, MarkerTaken) for event in moved)
    if is_taken and not Marker.objects.filter(duel=duel).exists():
        return ()  # a guest took part, so no markers changed hands
    return engine.words.narrate_events(view, moved, stories.reader_code(view, own_seat))


def _own_seal(turn: OpenTurn, own_seat: Seat | None) -> OwnSeal | None:
    """Return the reader's own seal in the current stage of the turn, or None."""
    if own_seat is None or not turn.row.is_open:
        return None
    seal = turn.current_seals.get(own_seat.pk)
    if seal is None:
        return None
    is_lost = turn.is_lost(seal)
    return OwnSeal(
        seal.commitment,
        seal.sealed_at,
        {} if is_lost else turn.sealed_fields(seal),
        taken_back=not seal.is_sealed,
        chance="" if is_lost else turn.decrypted_seal(seal).chance,
        is_lost=is_lost,
    )


def _draft_fields(draft: Draft | None) -> dict[str, str] | None:
    """Return the fields of the draft, or None if there is none or its key is missing."""
    if draft is None:
        return None
    try:
        return seals.decrypt_draft(draft.body)
    except MissingKey:
        logger.error("The key of the draft of seat %s is missing", draft.seat_id)
        return None


def _decrypted_past_seal(row: Orders) -> seals.Seal | None:
    try:
        return seals.decrypt_seal(row.body)
    except MissingKey:
        logger.error("The key of orders %s is missing", row.pk)
        return None


def _readable_fields(seal: seals.Seal, row: Orders, turn: Turn) -> dict[str, str]:
    hidden = MESSAGE_FIELD if row.seat.code in turn.silenced else None
    return {name: value for name, value in seal.orders.items() if name != hidden}


ACTING_WIZARDS_CACHE: KeyedCache[tuple[str, int, int], tuple[str, ...]] = KeyedCache(
    "who may seal",
    size=512,
    key="duel, turn and acts, which determine the position",
)


def _can_seal(turn: OpenTurn, own_seat: Seat) -> bool:
    duel, row = turn.duel, turn.row
    if duel.status != DuelStatus.RUNNING or row.stage != Stage.ORDERS:
        return False
    key = None if row.resigned else (duel.seed_commitment, row.ordinal, duel.last_act)
    return own_seat.code in ACTING_WIZARDS_CACHE.get(
        key, lambda: engine.play.acting_wizards(turn.position)
    )


def _seat_row(seat: Seat, own_seat: Seat | None, turn: OpenTurn | None) -> SeatRow:
    open_turn = turn if turn and turn.row.is_open else None
    sealed = open_turn.current_seals.get(seat.pk) if open_turn else None
    # Others must not notice questions in an extra turn, so hide a seal until all are answered.
    if sealed and (seat.awaited or not sealed.is_sealed):
        sealed = None
    can_be_given_time = (
        open_turn is not None
        and seat.awaited
        and seat.clock != NO_CLOCK
        and not hides_questions(open_turn.row.kind)
    )
    return SeatRow(
        code=seat.code,
        wizard=seat.wizard,
        name=seat.wizard.name,
        you=seat is own_seat,
        accepted=seat.accepted_at is not None,
        outcome=seat.outcome,
        awaited=seat.awaited,
        clock=known_clock(seat, own_seat, turn.row.kind) if turn else None,
        sealed_at=sealed.sealed_at if sealed else None,
        commitment=sealed.commitment if sealed else "",
        offers_draw=open_turn is not None and seat.offers_draw_in(open_turn.row.ordinal),
        is_draw_declined=open_turn is not None
        and seat.has_news_of_declined_draw(open_turn.row.ordinal),
        asks_pause=open_turn is not None and seat.asks_pause,
        can_be_given_time=can_be_given_time,
        clock_stamp=seat.clock.stamp if can_be_given_time else "",
        vacation_until=seat.vacation_until if open_turn and seat.is_playing else None,
        back_since=seat.back_since(open_turn.row.opened_at) if open_turn else None,
        is_absent=open_turn is not None and seat.is_absent_in(open_turn.row.ordinal),
        excuses_left=seat.excuses_left,
    )


def past_seals(
    duel: Duel, turn: Turn, own_seat: Seat | None, seats: Sequence[Seat]
) -> tuple[SealRow, ...]:
    """Return all seals of the turn, including replaced ones.

    Readers can see the contents of their own seals, and of all seals once the duel is over. Seals
    that were made before they took over a seat are not their own. Until the duel is over, an extra
    turn shows only the last seal of every other wizard, so that readers cannot see whether that
    wizard had questions.
    """
    sealed = Orders.objects.filter(turn=turn).select_related("seat__wizard")
    rows = list(sealed.order_by("seat__place", "-stage", "batch", "pk"))
    if hides_questions(turn.kind) and not duel.is_over:
        done = {row.seat_id: row.sealed_at for row in sorted(rows, key=lambda row: row.sealed_at)}
        rows = [row for row in rows if row.stage == Stage.ORDERS or row.seat == own_seat]
        for row in rows:
            if row.seat != own_seat and not row.superseded:
                row.sealed_at = done[row.seat_id]
    own = tenures(duel, own_seat.wizard, seats) if own_seat is not None and not duel.is_over else []
    opened = {
        row.pk: _decrypted_past_seal(row)
        for row in rows
        if duel.is_over or any(tenure.includes_seal(row) for tenure in own)
    }
    return tuple(
        SealRow(
            code=row.seat.code,
            name=row.seat.wizard.name,
            stage=row.stage,
            batch=row.batch,
            sealed_at=row.sealed_at,
            commitment=row.commitment,
            fields=_readable_fields(seal, row, turn) if seal else None,
            chance=seal.chance if seal else "",
            superseded=row.superseded,
            taken_back_at=row.taken_back_at,
        )
        for row in rows
        for seal in [opened.get(row.pk)]
    )
