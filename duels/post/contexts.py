"""Template contexts that several kinds of emails share.

An email contains only what its reader may see (`stories.story_for_reader`).
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import engine.words
from duels.accounts.preferences import parse_preferences
from duels.loaded import adjudication
from duels.loaded.database_clock import site_now
from duels.models import MISSED_TURNS_BEFORE_CLAIM, Outcome, Stage, Turn
from duels.post.grid import text_grid
from duels.post.loading import reader_of
from duels.post.models import Notice
from duels.post.reply_address import make_reply_address
from duels.post.standing import being_table, completable_spells
from duels.queries import stories
from duels.queries.rows import questions_for
from duels.standing.state import state_of
from duels.wording.moments import MINUTE, SPACE, TIME_IS_UP_TEXT, moment_words, span_words


def result_context(notice: Notice) -> dict[str, Any]:
    """Return the context about the outcome of the duel."""
    winner = next((each for each in reader_of(notice).seats if each.outcome == Outcome.WON), None)
    return {
        "own_outcome": reader_of(notice).own_seat.outcome,
        "winner": winner.wizard.name if winner else "",
    }


def clock_context(notice: Notice) -> dict[str, Any]:
    """Return the context about the reader's clock in the notice's turn."""
    assert notice.turn is not None
    seat = reader_of(notice).own_seat
    is_waited_for = notice.turn.is_open and seat.awaited and seat.due_at is not None
    return {
        "asks": notice.turn.stage == Stage.ANSWERS,
        "is_waited_for": is_waited_for,
        "due_words": due_words(seat.due_at, site_now()) if seat.due_at else "",
        "left": _time_left_words(seat.due_at, site_now()) if seat.due_at else "",
        "excuses_left": seat.excuses_left,
        "can_be_claimed": seat.is_playing and seat.missed_turns >= MISSED_TURNS_BEFORE_CLAIM,
    }


def question_context(notice: Notice, turn: Turn | None) -> dict[str, Any]:
    """Return the context about the reader's questions, with possible answers and defaults."""
    questions = questions_for(turn, reader_of(notice).own_seat) if turn else ()
    return {
        "questions": [
            {
                "text": question.text,
                "answers": engine.words.or_list(question.words),
                "default": question.default_words,
            }
            for question in questions
        ]
    }


def reply_context(notice: Notice, turn: Turn | None = None) -> dict[str, Any]:
    """Return the context for replying with orders or answers, or {} if that is impossible.

    The orders are for `turn`, by default the notice's turn. `reply_lines` contains the default
    orders or answers, which are played if the reader does not reply.
    """
    turn = turn or notice.turn
    assert turn is not None
    seat = reader_of(notice).own_seat
    questions = questions_for(turn, seat) if turn.stage == Stage.ANSWERS else []
    # The address must not tell wizards without a question whether others have one.
    address = make_reply_address(notice.wizard_id, turn.pk, turn.batch if questions else 0)
    if not (address and turn.is_open):
        return {}
    if not seat.awaited:  # the reader has sealed, but can replace the seal
        return {"reply_address": address}
    if turn.stage == Stage.ANSWERS:
        lines = tuple(
            f"{number}: {question.default_words}" for number, question in enumerate(questions, 1)
        )
        return {"reply_address": address, "reply_lines": lines, "is_for_answers": True}
    default = adjudication.default_orders_as_text(
        adjudication.position_after_departures(turn), seat.code
    )
    return {
        "reply_address": address,
        "reply_lines": default.lines,
        "has_monster_lines": default.has_monsters,
        "undirected": engine.words.and_list(default.undirected),
        "example": f"TARGET {default.undirected[0]} {reader_of(notice).others[0]}"
        if default.undirected
        else "",
    }


def due_words(due_at: datetime, now: datetime) -> str:
    """Return a deadline and the time left, such as "3 March 2026, 13:00 CET, in 2 days, 4
    hours"."""
    left = _time_left_words(due_at, now)
    return f"{moment_words(due_at, 'year')}, " + (f"in {left}" if left else TIME_IS_UP_TEXT)


def _time_left_words(due_at: datetime, now: datetime) -> str:
    """Return the time left until this moment, or "" if none is left.

    Seconds are shown only if less than a minute is left, because emails take a while to arrive.
    """
    left = due_at - now
    if left >= MINUTE:
        left -= left % MINUTE
    return span_words(left).replace(SPACE, " ") if left > timedelta(0) else ""


def duel_state_context(notice: Notice, *, with_hands: bool = False) -> dict[str, Any]:
    """Return the last report, the state and the grid, as the reader may see them.

    For readers who must choose gestures, add the spells that each hand can complete.
    """
    turn = notice.turn
    story = stories.story_for_reader(
        notice.the_duel, notice.wizard, turn, seats=reader_of(notice).seats
    )
    shows_left = parse_preferences(notice.wizard.preferences).points == "left"
    state = state_of(story.view)
    asks = turn is not None and turn.stage == Stage.ANSWERS
    context = {
        # While a turn waits for answers, its report may still be empty.
        "reports": [
            _with_wounds(report, shows_left=shows_left)
            for report in story.reports
            if report.lines or not asks
        ],
        "grid": text_grid(story.view),
        "beings": being_table(state, story.view.observer, shows_left=shows_left),
    }
    if not with_hands or turn is None or turn.stage != Stage.ORDERS:
        return context
    return context | {
        "prospects": completable_spells(
            state, story.view, adjudication.position_after_departures(turn)
        )
    }


def _with_wounds(report: engine.words.TurnReport, *, shows_left: bool) -> engine.words.TurnReport:
    """Return the report, with wounds as hit points left or as damage."""
    lines = (replace(line, text=line.text_for(shows_left=shows_left)) for line in report.lines)
    return replace(report, lines=tuple(lines))
