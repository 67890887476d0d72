"""What a person may see. Functions answer querysets or small frozen rows and change nothing.

Nothing of a rival's unresolved orders leaves here but whether, when, and with which commitment they
were sealed. What else an observer may know is decided by `engine.view`.
"""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

import engine
from duels import adjudication, records, seals
from duels.errors import Refused
from duels.models import (
    OPEN_STAGES,
    Block,
    Draft,
    Duel,
    DuelStatus,
    Orders,
    Seat,
    Stage,
    Turn,
    TurnKind,
    Visibility,
    Wizard,
)
from engine.replay import transcript as transcript_of

WINDOW = 20  # turns on a duel's page, the open one among them
KEPT = 256  # views that a process remembers
LISTED = 50  # rows of a list

EVERYTHING = "all"  # the observer of a duel that is over
SPECTATOR = "spectator"


@dataclass(frozen=True)
class DuelRow:
    """A duel or a challenge in a list."""

    duel: Duel
    seats: tuple[Seat, ...]  # each with its wizard; by place, before the start by joining
    mine: Seat | None
    turn: "TurnRow | None"  # the open one

    @property
    def wizards(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats)

    @property
    def others(self) -> tuple[Wizard, ...]:
        return tuple(seat.wizard for seat in self.seats if seat is not self.mine)

    @property
    def awaits_me(self) -> bool:
        """Whether it waits for the wizard for whom this row was made: orders, or an answer."""
        if self.mine is None:
            return False
        return self.mine.awaited or self.mine.accepted_at is None

    @property
    def is_mine(self) -> bool:
        """Whether it is that wizard's own challenge."""
        return self.mine is not None and self.mine.wizard_id == self.duel.challenger_id

    @property
    def free_places(self) -> int:
        return self.duel.size - len(self.seats)


@dataclass(frozen=True)
class TurnRow:
    """Which turn a duel is at."""

    ordinal: int
    number: int
    kind: str


@dataclass(frozen=True)
class SeatRow:
    """A wizard of a duel, as everybody may see him. `code` is his id in the engine."""

    code: str
    wizard: Wizard
    name: str
    you: bool
    accepted: bool
    outcome: str
    awaited: bool  # the open turn waits for his seal
    sealed_at: datetime | None  # what he has sealed in the open turn, as far as others may know
    commitment: str
    offers_draw: bool


@dataclass(frozen=True)
class LiveOrders:
    """One's own seal in the present stage of the turn."""

    seal: str
    sealed_at: datetime
    fields: dict[str, str]
    taken_back: bool


@dataclass(frozen=True)
class AskedQuestion:
    """A question that waits for one's answer; `id` is also its form field."""

    id: str
    kind: str
    about: str
    options: tuple[str, ...]
    default: str
    text: str


@dataclass(frozen=True)
class DuelPage:
    """All that an observer is shown of a duel."""

    duel: Duel
    observer: str  # "w0"… a seat, "spectator", or "all" when the duel is over
    seats: tuple[SeatRow, ...]
    me: SeatRow | None
    turn: Turn | None  # the open turn, or the last one; None before the start
    view: engine.View | None
    reports: tuple[engine.TurnReport, ...]
    sheet: engine.Sheet | None  # for one who may seal orders now
    draft: dict[str, str]  # what the order sheet starts from: draft, else what is sealed
    live_orders: LiveOrders | None
    form_seal: str  # for the form to carry
    questions: tuple[AskedQuestion, ...]
    waiting_for: tuple[str, ...]  # names
    draw_offered_by: tuple[str, ...]  # names
    earlier: int | None  # the ordinal of the newest turn that is not shown
    has_stopped: bool  # nobody has anything to decide: it waits for a wish that it go on

    @property
    def may_seal(self) -> bool:
        return self.sheet is not None


@dataclass(frozen=True)
class SealRow:
    """A seal of a past turn. Its fields are open when the duel is over."""

    code: str
    name: str
    stage: str
    batch: int
    sealed_at: datetime
    commitment: str
    fields: dict[str, str] | None


@dataclass(frozen=True)
class TurnPage:
    """All that an observer is shown of one past turn, and of the turns before it."""

    duel: Duel
    observer: str
    turn: Turn
    view: engine.View
    report: engine.TurnReport | None
    seals: tuple[SealRow, ...]
    previous: int | None
    next: int | None
    as_then: bool  # what was known then, of a duel that is open now


@dataclass(frozen=True)
class Story:
    """What a mail tells: the grid, and the reports of what has just happened."""

    view: engine.View
    reports: tuple[engine.TurnReport, ...]


# Lists


def duels_awaiting(wizard: Wizard, now: datetime) -> tuple[DuelRow, ...]:
    """Duels that wait for this wizard, the longest waiting first."""
    waiting = Seat.objects.filter(wizard=wizard, awaited=True).order_by("awaited_since")
    order = list(waiting.values_list("duel_id", flat=True))
    rows = {row.duel.pk: row for row in _rows(Duel.objects.filter(pk__in=order), wizard)}
    return tuple(rows[duel_id] for duel_id in order)


def duels_running(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Duels of this wizard that go on without waiting for him now, the newest first."""
    mine = Seat.objects.filter(wizard=wizard, awaited=False)
    running = Duel.objects.filter(seats__in=mine, status=DuelStatus.RUNNING)
    return _rows(running.order_by("-started_at")[:LISTED], wizard)


def challenges_for(wizard: Wizard, now: datetime | None = None) -> tuple[DuelRow, ...]:
    """Challenges in which this wizard has a place: to answer, his own, or accepted."""
    gathering = Duel.objects.filter(status=DuelStatus.GATHERING, seats__wizard=wizard)
    if now is not None:
        gathering = gathering.filter(expires_at__gt=now)
    return _rows(gathering.order_by("-created_at")[:LISTED], wizard)


def open_challenges(viewer: Wizard | None, now: datetime) -> tuple[DuelRow, ...]:
    """Challenges that this viewer may accept; without one, all open ones."""
    challenges = Duel.objects.filter(status=DuelStatus.GATHERING, open=True, expires_at__gt=now)
    if viewer is not None:
        parted = Block.objects.filter(Q(wizard=viewer) | Q(blocked=viewer))
        pairs = parted.values_list("wizard_id", "blocked_id")
        strangers = {pk for pair in pairs for pk in pair} - {viewer.pk}
        challenges = challenges.exclude(seats__wizard__in=[viewer.pk, *strangers])
    rows = _rows(challenges.order_by("-created_at")[:LISTED], viewer)
    return tuple(row for row in rows if row.free_places)


def finished_duels(wizard: Wizard, viewer: Wizard | None = None) -> tuple[DuelRow, ...]:
    """Duels of this wizard that are over and that the viewer may read, the newest first."""
    over = Duel.objects.filter(status=DuelStatus.OVER, seats__wizard=wizard)
    if viewer is None:
        over = over.filter(visibility=Visibility.PUBLIC)
    elif viewer.pk != wizard.pk:
        over = over.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=_duels_of(viewer)))
    return _rows(over.order_by("-ended_at")[:LISTED], wizard)


def public_duels() -> tuple[DuelRow, ...]:
    """Duels that everybody may watch, and then those that everybody may read."""
    public = Duel.objects.filter(visibility=Visibility.PUBLIC)
    running = public.filter(status=DuelStatus.RUNNING).order_by("-started_at")
    over = public.filter(status=DuelStatus.OVER).order_by("-ended_at")
    return _rows(running[:LISTED], None) + _rows(over[:LISTED], None)


def duels_to_watch(wizard: Wizard) -> tuple[DuelRow, ...]:
    """Duels of this wizard that everybody may watch now, the newest first."""
    running = Duel.objects.filter(status=DuelStatus.RUNNING, seats__wizard=wizard)
    public = running.filter(visibility=Visibility.PUBLIC)
    return _rows(public.order_by("-started_at")[:LISTED], None)


def wizard_named(slug: str) -> Wizard | None:
    """The wizard whose address this is."""
    return Wizard.objects.filter(slug=slug).first() if _can_be_stored(slug) else None


def wizard_of(user_id: int) -> Wizard | None:
    """The user's wizard."""
    return Wizard.objects.filter(user_id=user_id).first()


# One duel


def visible_duel(duel_id: int, viewer: Wizard | None, token: str = "") -> Duel | None:
    """The duel, if the viewer may see it: his own, a public one, or one whose link he has."""
    duel = Duel.objects.filter(pk=duel_id).first()
    if duel is None:
        return None
    if token and duel.token == token:
        return duel
    if _is_public(duel):
        return duel
    is_seated = viewer is not None and Seat.objects.filter(duel=duel, wizard=viewer).exists()
    return duel if is_seated else None


def challenge_by_token(token: str) -> Duel | None:
    """The duel to which this invitation leads."""
    if not token or not _can_be_stored(token):
        return None
    return Duel.objects.select_related("challenger").filter(token=token).first()


def duel_page(duel: Duel, viewer: Wizard | None, now: datetime, *, last: int = WINDOW) -> DuelPage:
    """What the viewer (nobody: None) is shown of this duel, with its newest turns."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    observer = _observer(duel, mine)
    turn = Turn.objects.filter(duel=duel).order_by("-ordinal").first()
    turn = _as_known(turn, mine) if turn else None
    present = _seals_of(turn) if turn and turn.is_open else {}
    position = _position(duel, turn)
    view: engine.View | None = None
    reports: tuple[engine.TurnReport, ...] = ()
    if position is not None and turn is not None:
        view, reports = _story_so_far(duel, turn, seats, observer, last)
        reports = _heard(reports, seats, viewer)
    live, draft = _own(turn, mine, present)
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
        sheet=sheet,
        draft=draft,
        live_orders=live,
        form_seal=live.seal if live else "",
        questions=questions_for(turn, mine),
        waiting_for=tuple(row.name for row in rows if row.awaited),
        draw_offered_by=tuple(row.name for row in rows if row.offers_draw),
        earlier=_earlier(view),
        has_stopped=sheet is not None and not sheet.decides and _has_stopped(mine, position),
    )


def turn_page(
    duel: Duel,
    ordinal: int,
    viewer: Wizard | None,
    *,
    as_then: bool = False,
    last: int = WINDOW,
) -> TurnPage | None:
    """What the viewer is shown of a turn that has been played; None where there is none.

    When the duel is over everything is open, unless he asks for what he could know then.
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
    observer = (mine.code if mine else SPECTATOR) if as_then else _observer(duel, mine)
    after = adjudication.start_of(following) if following else _position(duel, turn)
    assert after is not None
    view = engine.view(adjudication.history(turns[last - 1 :: -1], after), observer)
    reports = _heard(engine.narrate(view), seats, viewer)
    is_next_played = following is not None and following.stage == Stage.RESOLVED
    return TurnPage(
        duel=duel,
        observer=observer,
        turn=turn,
        view=view,
        report=next((report for report in reports if report.ordinal == ordinal), None),
        seals=_past_seals(duel, turn, mine),
        previous=ordinal - 1 if ordinal > 1 else None,
        next=ordinal + 1 if is_next_played else None,
        as_then=as_then and duel.is_over,
    )


def story(duel: Duel, reader: Wizard, turn: Turn | None) -> Story:
    """What the reader may know when this turn opens; without a turn, of the whole duel's end."""
    seats = list(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next(seat for seat in seats if seat.wizard_id == reader.pk)
    turn = _as_known(turn, mine) if turn else None
    played = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("-ordinal")
    if turn is not None:
        played = played.filter(ordinal__lt=turn.ordinal)
    turns = list(played[:WINDOW])[::-1]
    position = adjudication.start_of(turn) if turn else _position(duel, None)
    assert position is not None
    observer = mine.code if turn else EVERYTHING
    history = adjudication.history(turns, position)
    # Turns that needed nobody have closed together with the one before them.
    news = {other.ordinal for other in turns if other.closed_at == turns[-1].closed_at}
    if turn is not None and turn.stage == Stage.ANSWERS:
        turn.duel = duel
        history = adjudication.with_reveal(history, turn, _played_in(turn))
        news = {turn.ordinal}
    view = engine.view(history, observer)
    reports = _heard(engine.narrate(view), seats, reader)
    return Story(view, tuple(report for report in reports if report.ordinal in news))


def record(duel: Duel) -> dict[str, Any]:
    """The record of a duel that is over, from which anyone can play it again and check it."""
    if not duel.is_over:
        raise Refused("not_over", "The record is open when the duel is over.")
    return records.record(duel)


def transcript(duel: Duel) -> str:
    """The story of a duel that is over, as text."""
    if not duel.is_over:
        raise Refused("not_over", "The transcript is open when the duel is over.")
    return transcript_of(records.record(duel))


# Parts


def _rows(duels: QuerySet[Duel], viewer: Wizard | None) -> tuple[DuelRow, ...]:
    found = list(
        duels.select_related("challenger").prefetch_related(
            Prefetch("seats", Seat.objects.select_related("wizard"))
        )
    )
    at = Turn.objects.filter(duel__in=found, stage__in=OPEN_STAGES)
    turns = {
        turn.duel_id: TurnRow(turn.ordinal, turn.number, turn.kind)
        for turn in at.only("duel", "ordinal", "number", "kind")
    }
    return tuple(_row(duel, viewer, turns.get(duel.pk)) for duel in found)


def _row(duel: Duel, viewer: Wizard | None, turn: TurnRow | None) -> DuelRow:
    seats = tuple(duel.seats.all())
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    return DuelRow(duel=duel, seats=seats, mine=mine, turn=turn)


def _duels_of(wizard: Wizard) -> QuerySet[Seat, int]:
    return Seat.objects.filter(wizard=wizard).values_list("duel_id", flat=True)


def _can_be_stored(text: str) -> bool:
    """Whether a row can hold this text: PostgreSQL takes no NUL, not even to look for it."""
    return "\0" not in text


def _is_public(duel: Duel) -> bool:
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return duel.open and duel.status == DuelStatus.GATHERING
    return duel.visibility == Visibility.PUBLIC


def _observer(duel: Duel, mine: Seat | None) -> str:
    if duel.is_over:
        return EVERYTHING
    return mine.code if mine else SPECTATOR


@dataclass(frozen=True)
class _Moment:
    """A turn that waits for orders, as one observer sees it. What was played before it is the same
    for as long as it waits, unless a wizard gets another name."""

    seed_commitment: str  # no two duels have the same
    ordinal: int
    observer: str
    names: tuple[tuple[str, str], ...]
    last: int
    turn: Turn = field(compare=False)


def _story_so_far(
    duel: Duel, turn: Turn, seats: Iterable[Seat], observer: str, last: int
) -> tuple[engine.View, tuple[engine.TurnReport, ...]]:
    """What the observer may know of the newest turns, and its reports."""
    if duel.status == DuelStatus.RUNNING and turn.stage == Stage.ORDERS and not turn.resigned:
        names = tuple((seat.wizard.name, seat.wizard.pronouns) for seat in seats)
        at = _Moment(duel.seed_commitment, turn.ordinal, observer, names, last, turn)
        return story_before(at)
    position = _position(duel, turn)
    assert position is not None
    history = adjudication.history(_shown(turn, last), position)
    if turn.stage == Stage.ANSWERS and duel.status == DuelStatus.RUNNING:
        turn.duel = duel
        history = adjudication.with_reveal(history, turn, _played_in(turn))
    view = engine.view(history, observer)
    return view, engine.narrate(view)


@lru_cache(maxsize=KEPT)
def story_before(at: _Moment) -> tuple[engine.View, tuple[engine.TurnReport, ...]]:
    """Players come back, and spectators come: a page shows the same turns many times."""
    history = adjudication.history(_shown(at.turn, at.last), adjudication.start_of(at.turn))
    view = engine.view(history, at.observer)
    return view, engine.narrate(view)


def _shown(turn: Turn, last: int) -> list[Turn]:
    """The newest turns up to this one, oldest first, in which something has happened."""
    before = Turn.objects.filter(duel=turn.duel_id, ordinal__lt=turn.ordinal).order_by("-ordinal")
    turns = [*list(before[: max(last - 1, 0)])[::-1], turn]
    return [each for each in turns if each.events is not None] if last else []


def _earlier(view: engine.View | None) -> int | None:
    """The ordinal of the newest turn that was played before those of the view."""
    oldest = view.turns[0].ordinal if view and view.turns else 1
    return oldest - 1 or None


def _position(duel: Duel, turn: Turn | None) -> engine.Position | None:
    if duel.final_position is not None:
        return adjudication.loaded_position(duel.final_position)
    return adjudication.position_of(turn) if turn else None


def _heard(
    reports: Iterable[engine.TurnReport], seats: Iterable[Seat], viewer: Wizard | None
) -> tuple[engine.TurnReport, ...]:
    """The reports without the words of wizards whom the viewer has blocked."""
    reports = tuple(reports)
    spoken = {line.wizard for report in reports for line in report.lines if line.code == "spoke"}
    if viewer is None or not spoken:
        return reports
    blocked = set(Block.objects.filter(wizard=viewer).values_list("blocked_id", flat=True))
    silent = {seat.code for seat in seats if seat.wizard_id in blocked}
    return tuple(adjudication.unspoken(report, silent) for report in reports)


def _played_in(turn: Turn) -> list[Orders]:
    """What stands sealed for all stages of the turn so far."""
    return list(Orders.objects.filter(turn=turn, superseded=False).select_related("seat"))


def _seals_of(turn: Turn) -> dict[int, Orders]:
    """The seals of the turn's present stage by seat."""
    live = Orders.objects.filter(turn=turn, stage=turn.stage, batch=turn.batch, superseded=False)
    return {row.seat_id: row for row in live.order_by()}


def _as_known(turn: Turn, mine: Seat | None) -> Turn:
    """The turn at the stage that this observer may know of.

    That an extra turn asks shows that a spell works in it, which is hidden: for whoever is not
    asked it waits for orders still. rules: R121, R162
    """
    if turn.kind != TurnKind.EXTRA or turn.stage != Stage.ANSWERS or _is_asked(turn, mine):
        return turn
    known = copy(turn)
    known.stage, known.batch, known.questions = Stage.ORDERS, 0, []
    return known


def _is_asked(turn: Turn, mine: Seat | None) -> bool:
    """Whether the wizard of this seat has been asked something in the turn so far."""
    if mine is None:
        return False
    answered = Orders.objects.filter(turn=turn, seat=mine, stage=Stage.ANSWERS)
    return bool(questions_for(turn, mine)) or answered.exists()


def _own(
    turn: Turn | None, mine: Seat | None, present: dict[int, Orders]
) -> tuple[LiveOrders | None, dict[str, str]]:
    """One's own seal, and the fields to begin with: the draft, else what is sealed."""
    if turn is None or mine is None or not turn.is_open:
        return None, {}
    live = None
    row = present.get(mine.pk)
    if row is not None:
        fields = seals.opened(row.body).orders
        live = LiveOrders(row.commitment, row.sealed_at, fields, not row.is_sealed)
    if turn.stage == Stage.ORDERS:
        draft = Draft.objects.filter(turn=turn, seat=mine).first()
        if draft is not None:
            return live, seals.opened_draft(draft.body)
    return live, dict(live.fields) if live else {}


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


def questions_for(turn: Turn | None, mine: Seat | None) -> tuple[AskedQuestion, ...]:
    """What the wizard of this seat is asked in the turn."""
    if turn is None or mine is None or turn.stage != Stage.ANSWERS:
        return ()
    return tuple(
        AskedQuestion(
            id=asked["id"],
            kind=asked["kind"],
            about=asked["about"],
            options=tuple(asked["options"]),
            default=asked["default"],
            text=asked["text"],
        )
        for asked in turn.questions
        if asked["wizard"] == mine.code
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
