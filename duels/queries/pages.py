"""The page of a duel and of a past turn, as one reader may see them."""

from datetime import datetime

import engine
from duels import adjudication, seals
from duels.models import (
    Draft,
    Duel,
    DuelStatus,
    Orders,
    Seat,
    Stage,
    Turn,
    TurnKind,
    Wizard,
)
from duels.queries.asking import as_known, questions_for
from duels.queries.newest import LAST_SAID
from duels.queries.rows import (
    DuelPage,
    LiveOrders,
    SealRow,
    SeatRow,
    TurnPage,
)
from duels.queries.stories import (
    WINDOW,
    earlier,
    eyes_of,
    heard,
    observer_of,
    opened,
    position_at,
    story_so_far,
)


def duel_page(duel: Duel, viewer: Wizard | None, now: datetime, *, last: int = WINDOW) -> DuelPage:
    """What the viewer (nobody: None) is shown of this duel, with its newest turns."""
    seated = Seat.objects.filter(duel=duel).select_related("wizard").annotate(said=LAST_SAID)
    seats: list[Seat] = list(seated)
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    observer = observer_of(duel, mine)
    turn = Turn.objects.filter(duel=duel).order_by("-ordinal").first()
    turn = as_known(turn, mine) if turn else None
    present = seals_of(turn) if turn and turn.is_open else {}
    position = position_at(duel, turn)
    view: engine.View | None = None
    reports: tuple[engine.TurnReport, ...] = ()
    if position is not None and turn is not None:
        view, reports = story_so_far(duel, turn, seats, observer, last)
        reports = heard(reports, seats, viewer)
    live, draft, draft_saved_at = _own(turn, mine, present)
    sheet = None
    if position is not None and turn and mine and _may_seal(duel, turn, mine, position):
        sheet = engine.sheet(position, mine.code, engine.from_fields(draft))
    rows = tuple(_seat_row(seat, mine, turn, present) for seat in seats)
    return DuelPage(
        duel=duel,
        observer=observer,
        seats=rows,
        me=next((row for row in rows if row.you), None),
        turn=turn,
        view=view,
        reports=reports,
        opening=opened(view, turn.ordinal) if view and turn and not duel.setup else None,
        sheet=sheet,
        draft=draft,
        draft_saved_at=draft_saved_at,
        live_orders=live,
        form_seal=live.seal if live else "",
        questions=questions_for(turn, mine),
        waiting_for=tuple(row.name for row in rows if row.awaited),
        draw_offered_by=tuple(row.name for row in rows if row.offers_draw),
        earlier=earlier(view),
        markers=_markers(duel, position, view),
        has_stopped=sheet is not None and not sheet.decides and _has_stopped(mine, position),
        read_turn=mine.read_turn if mine else 0,
        read_speech=mine.read_speech if mine else 0,
        last_speech=max((seat.said for seat in seated), default=0),
    )


def turn_page(
    duel: Duel,
    ordinal: int,
    viewer: Wizard | None,
    *,
    seen: str = "",
    last: int = WINDOW,
) -> TurnPage | None:
    """What the viewer is shown of a turn that has been played; None where there is none.

    `seen`: as this observer could know it then; None too where it is not for the viewer to see so.
    """
    # The turn after it too, for the position that it led to.
    around = Turn.objects.filter(duel=duel, ordinal__lte=ordinal + 1).order_by("-ordinal")
    turns = list(around[: last + 1])
    following = turns.pop(0) if turns and turns[0].ordinal == ordinal + 1 else None
    turn = turns[0] if turns else None
    if turn is None or turn.ordinal != ordinal or turn.stage != Stage.RESOLVED:
        return None
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    eyes = eyes_of(duel, seats, mine)
    observer = seen or eyes[0]
    if observer not in eyes:
        return None
    after = adjudication.start_of(following) if following else position_at(duel, turn)
    assert after is not None
    view = engine.view(adjudication.history(turns[last - 1 :: -1], after), observer)
    reports = heard(engine.narrate(view), seats, viewer)
    return TurnPage(
        duel=duel,
        observer=observer,
        turn=turn,
        view=view,
        report=next((report for report in reports if report.ordinal == ordinal), None),
        seals=_past_seals(duel, turn, mine),
        newest=_newest(duel),
        opening=engine.opening(view) if ordinal == 1 else None,
        seats=tuple(_seat_row(seat, mine, None, {}) for seat in seats),
        eyes=eyes,
    )


def _newest(duel: Duel) -> int:
    """The ordinal of the newest turn that has been played, of which there is one."""
    played = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED)
    newest = played.order_by("-ordinal").values_list("ordinal", flat=True).first()
    assert newest is not None
    return newest


def _markers(
    duel: Duel, position: engine.Position | None, view: engine.View | None
) -> tuple[engine.Line, ...]:
    """What changed hands when the duel ended."""
    if duel.is_practice or duel.status != DuelStatus.OVER or position is None or view is None:
        return ()
    return engine.told(view, engine.markers_moved(position, duel.result))


def seals_of(turn: Turn) -> dict[int, Orders]:
    """The seals of the turn's present stage by seat."""
    live = Orders.objects.filter(turn=turn, stage=turn.stage, batch=turn.batch, superseded=False)
    return {row.seat_id: row for row in live.order_by()}


def _own(
    turn: Turn | None, mine: Seat | None, present: dict[int, Orders]
) -> tuple[LiveOrders | None, dict[str, str], datetime | None]:
    """One's own seal, and the fields to begin with: the draft, and when it was saved, else what is
    sealed."""
    if turn is None or mine is None or not turn.is_open:
        return None, {}, None
    live = None
    row = present.get(mine.pk)
    if row is not None:
        fields = seals.opened(row.body).orders
        live = LiveOrders(row.commitment, row.sealed_at, fields, not row.is_sealed)
    if turn.stage == Stage.ORDERS:
        draft = Draft.objects.filter(turn=turn, seat=mine).first()
        if draft is not None:
            return live, seals.opened_draft(draft.body), draft.saved_at
    return live, dict(live.fields) if live else {}, None


def _may_seal(duel: Duel, turn: Turn, mine: Seat, position: engine.Position) -> bool:
    return (
        duel.status == DuelStatus.RUNNING
        and turn.stage == Stage.ORDERS
        and mine.code in engine.acting(position)
    )


def _seat_row(
    seat: Seat, mine: Seat | None, turn: Turn | None, present: dict[int, Orders]
) -> SeatRow:
    sealed = present.get(seat.pk)
    # Who is asked in an extra turn has sealed his orders, but others must not see him go on.
    is_sealed = sealed is not None and sealed.is_sealed and not seat.awaited
    return SeatRow(
        code=seat.code,
        wizard=seat.wizard,
        name=seat.wizard.name,
        you=seat is mine,
        accepted=seat.accepted_at is not None,
        outcome=seat.outcome,
        awaited=seat.awaited,
        sealed_at=sealed.sealed_at if sealed and is_sealed else None,
        commitment=sealed.commitment if sealed and is_sealed else "",
        offers_draw=turn is not None and turn.is_open and seat.offers_draw_in(turn.ordinal),
    )


def _has_stopped(mine: Seat | None, position: engine.Position | None) -> bool:
    """Whether a wizard is waited for though nothing is left to anybody's decision."""
    return (
        mine is not None and mine.awaited and position is not None and not engine.awaited(position)
    )


def _past_seals(duel: Duel, turn: Turn, mine: Seat | None) -> tuple[SealRow, ...]:
    """The seals that were played: one's own are open to oneself, all when the duel is over.

    Nobody else learns before that an extra turn had questions: it is one seal, and the last.
    """
    played = Orders.objects.filter(turn=turn, superseded=False).select_related("seat__wizard")
    rows = list(played.order_by("stage", "batch", "seat__place"))
    if turn.kind == TurnKind.EXTRA and not duel.is_over:
        done = {row.seat_id: row.sealed_at for row in sorted(rows, key=lambda row: row.sealed_at)}
        rows = [row for row in rows if row.stage == Stage.ORDERS or row.seat == mine]
        for row in rows:
            if row.seat != mine:
                row.sealed_at = done[row.seat_id]
    return tuple(
        SealRow(
            code=row.seat.code,
            name=row.seat.wizard.name,
            stage=row.stage,
            batch=row.batch,
            sealed_at=row.sealed_at,
            commitment=row.commitment,
            fields=seals.opened(row.body).orders
            if duel.is_over or (mine is not None and row.seat_id == mine.pk)
            else None,
        )
        for row in rows
    )
