"""Queries for views and reports of resolved turns, as one observer may see them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Value

import engine.play
import engine.proof
import engine.words
from duels.caching.caches import KeyedCache
from duels.errors import Refused
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn
from duels.models import Block, Duel, DuelStatus, Mute, Seat, Stage, Turn, Wizard
from duels.proof import records
from duels.queries.rows import DuelRow, Story, duel_key
from duels.referees.log.visible_acts import removed_messages

TURNS_SHOWN_AT_FIRST = 20  # turns on a duel's page, including the open turn


def story_for_reader(
    duel: Duel, reader: Wizard, turn: Turn | None, *, seats: Sequence[Seat] = ()
) -> Story:
    """Return the view and reports that the reader may see when this turn opens, or at the duel's
    end if no turn is given.

    `seats` contains all seats of the duel with their wizards, if the caller has loaded them.
    """
    seats = seats or tuple(Seat.objects.filter(duel=duel).select_related("wizard"))
    mine = next(seat for seat in seats if seat.wizard_id == reader.pk)
    known = None
    if turn is not None:  # load seals only if the turn has questions
        loaded = load_turn(turn.pk) if turn.stage == Stage.ANSWERS else None
        known = (loaded or OpenTurn(turn, tuple(seats))).as_known_to(mine)
    observer = mine.code if known else engine.play.ALL
    before = known.row if known else None
    wizards = [seat.wizard for seat in seats]
    key = (*duel_key(duel, wizards), before.ordinal if before else None)
    history, news = PLAYED_TURNS_CACHE.get(key, lambda: _load_earlier_turns(duel, before))
    if known is not None and known.row.stage == Stage.ANSWERS:
        history = known.history_with_reveal(history)
        news = frozenset({known.row.ordinal})
    view = engine.play.view(history, observer)
    you = reader_code(view, mine)
    unreported = replace(view, turns=tuple(turn for turn in view.turns if turn.ordinal in news))
    newest = readable_reports(engine.words.narrate(unreported, you), seats, reader, duel)
    opening = opening_report(view, known.row.ordinal, you) if known and not newest else None
    return Story(view, (opening,) if opening else newest)


HistoryAndNews = tuple[engine.play.History, frozenset[int]]
# This saves loading the turns again for each reader's email about a turn.
PLAYED_TURNS_CACHE: KeyedCache[tuple[object, ...], HistoryAndNews] = KeyedCache(
    "turns reported in emails", size=16, key="duel, turn or end, names, last act; no observer"
)


def _load_earlier_turns(duel: Duel, turn: Turn | None) -> HistoryAndNews:
    """Return the turns before this one, and the ordinals of those not yet reported in any email."""
    played = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("-ordinal")
    if turn is not None:
        played = played.filter(ordinal__lt=turn.ordinal)
    # Do not load the other columns, because many of them contain JSON that must be parsed.
    turns = list(played.only("ordinal", "position", "events", "closed_at")[:TURNS_SHOWN_AT_FIRST])
    turns.reverse()
    position = adjudication.position_at_start(turn) if turn else position_at(duel, None)
    assert position is not None
    # Turns that needed no orders were closed at the same time as the turn before them.
    news = frozenset(other.ordinal for other in turns if other.closed_at == turns[-1].closed_at)
    return adjudication.history(turns, position), news


# The key includes the last act, because a referee can change the result or have turns played again.
WHOLE_STORY_CACHE: KeyedCache[tuple[str, int], engine.words.Story] = KeyedCache(
    "stories of finished duels", size=64, key="the commitment to the seed, and the last act"
)


def whole_story(duel: Duel) -> engine.words.Story | None:
    """Return the summary of a finished duel, or None if the duel is not over."""
    if not duel.is_over or duel.final_position is None:
        return None

    def summary() -> engine.words.Story:
        played = Turn.objects.filter(duel=duel).exclude(events=None).order_by("ordinal")
        final = engine.play.load_position(duel.final_position)
        return engine.words.story_of(adjudication.history(played, final))

    return WHOLE_STORY_CACHE.get((duel.seed_commitment, duel.last_act), summary)


def record_of_finished_duel(duel: Duel) -> dict[str, Any]:
    """Return the record of a finished duel, which anyone can use to replay and check the duel."""
    if not duel.is_over:
        raise Refused("not_over", "The record is available when the duel is over.")
    return records.duel_record(duel)


def transcript(duel: Duel) -> str:
    """Return the transcript of a finished duel."""
    if not duel.is_over:
        raise Refused("not_over", "The transcript is available when the duel is over.")
    return engine.proof.transcript(records.duel_record(duel))


def opening_report(
    view: engine.play.View, ordinal: int, reader: str = ""
) -> engine.words.TurnReport | None:
    """Return the opening report if the view begins with the first turn. rules: R115"""
    first = view.turns[0].ordinal if view.turns else ordinal
    return engine.words.opening_report(view, reader) if first == 1 else None


def reader_code(view: engine.play.View, own_seat: Seat | None) -> str:
    """Return the code that reports call "you" (players in their own finished duels), or ""."""
    return own_seat.code if own_seat is not None and view.observer == engine.play.ALL else ""


def observer_code(duel: Duel, own_seat: Seat | None) -> str:
    if duel.is_over:
        return engine.play.ALL
    return own_seat.code if own_seat else engine.play.SPECTATOR


def wizard_states(row: DuelRow) -> dict[str, engine.play.BeingView]:
    """Return each wizard's wounds and state by seat, as far as the reader can see them."""
    stored = row.duel.final_position or (row.turn.position if row.turn else None)
    if stored is None:
        return {}
    history = engine.play.History((), engine.play.load_position(stored))
    status = engine.play.view(history, observer_code(row.duel, row.mine)).status
    return {being.id: being for being in status if being.kind == "wizard"}


def possible_observers(duel: Duel, seats: Iterable[Seat], own_seat: Seat | None) -> tuple[str, ...]:
    """Return the observers that a reader may choose from, with the default first."""
    if duel.is_over:
        return (engine.play.ALL, *sorted(seat.code for seat in seats), engine.play.SPECTATOR)
    return (own_seat.code, engine.play.SPECTATOR) if own_seat else (engine.play.SPECTATOR,)


ViewAndReports = tuple[engine.play.View, tuple[engine.words.TurnReport, ...]]
STORY_CACHE: KeyedCache[tuple[object, ...], ViewAndReports] = KeyedCache(
    "views and reports", size=256, key="duel, names, last act, turn, observer, turns shown"
)


def story_so_far(
    turn: OpenTurn, observer: str, turn_count: int, own_seat: Seat | None
) -> ViewAndReports:
    """Return the observer's view of the newest turns, and reports for the reader."""
    duel, row = turn.duel, turn.row

    def narrated_view() -> ViewAndReports:
        position = position_at(duel, turn)
        assert position is not None
        history = adjudication.history(turns_to_show(row, turn_count), position)
        if row.stage == Stage.ANSWERS and duel.status == DuelStatus.RUNNING:
            history = turn.history_with_reveal(history)
        view = engine.play.view(history, observer)
        return view, engine.words.narrate(view, reader_code(view, own_seat))

    key = None
    if duel.status == DuelStatus.RUNNING and row.stage == Stage.ORDERS and not row.resigned:
        wizards = [seat.wizard for seat in turn.seats]
        key = (*duel_key(duel, wizards), row.ordinal, observer, turn_count)
    return STORY_CACHE.get(key, narrated_view)


def turns_to_show(turn: Turn, turn_count: int) -> list[Turn]:
    """Return the newest turns up to this one that have events, oldest first."""
    before = Turn.objects.filter(duel=turn.duel_id, ordinal__lt=turn.ordinal).order_by("-ordinal")
    turns = [*list(before[: max(turn_count - 1, 0)])[::-1], turn]
    return [each for each in turns if each.events is not None] if turn_count else []


def position_at(duel: Duel, turn: OpenTurn | None) -> engine.play.Position | None:
    """Return the final position if the duel is over, otherwise that of the turn."""
    if duel.final_position is not None:
        return engine.play.load_position(duel.final_position)
    return turn.position if turn else None


def readable_reports(
    reports: Iterable[engine.words.TurnReport],
    seats: Iterable[Seat],
    viewer: Wizard | None,
    duel: Duel,
    *,
    removed: frozenset[tuple[int, str]] | None = None,
) -> tuple[engine.words.TurnReport, ...]:
    """Return the reports without messages by wizards that the viewer has blocked or muted.

    Also leave out messages that a referee has removed. If `removed` is None, they are looked up in
    the duel.
    """
    removed = removed_messages(duel) if removed is None else removed
    reports = tuple(
        adjudication.without_speech_of(
            report, {code for ordinal, code in removed if ordinal == report.ordinal}
        )
        if removed
        else report
        for report in reports
    )
    spoken = {line.wizard for report in reports for line in report.lines if line.code == "spoke"}
    if viewer is None or not spoken:
        return reports
    unheard = silenced_wizards(viewer)
    silent = {seat.code for seat in seats if seat.wizard_id in unheard}
    return tuple(adjudication.without_speech_of(report, silent) for report in reports)


def silenced_wizards(viewer: Wizard) -> dict[int, bool]:
    """Return the wizards that this viewer blocks (False) or only mutes (True), by id."""
    blocked = Block.objects.filter(wizard=viewer).values_list("blocked_id", Value(False))
    muted = Mute.objects.filter(wizard=viewer).values_list("muted_id", Value(True))
    # Blocks come last, so that they take precedence for wizards who are both blocked and muted.
    return dict(sorted(blocked.union(muted), key=lambda row: not row[1]))
