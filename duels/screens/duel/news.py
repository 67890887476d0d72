"""The reports on a duel's page, with the unread ones marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

import engine.words
from duels.models import DuelEnding, Stage
from duels.queries.rows import DuelPage
from duels.screens.parts.outcomes import DEATH_AND_SURRENDER_CODES
from duels.screens.parts.reports import OPENING_ORDINAL, unread_reports
from duels.template_values import TemplateValue
from engine.play import NORMAL


@dataclass(frozen=True)
class ReadMarks(TemplateValue):
    """The newest turn and message on the page, to store once the reader has read them."""

    turn: int
    speech: int


@dataclass(frozen=True)
class DuelNews(TemplateValue):
    """The reports on a duel's page."""

    reports: tuple[engine.words.TurnReport, ...]
    title: str
    is_all_new: bool
    note: str  # note that a turn was played since the last visit, or ""
    read_turn: int | None
    reader: str  # code of the reader's seat, or of the observer for spectators
    to_read: ReadMarks | None
    unread_before: int | None  # the newest unread turn that is not on the page


def news_on_page(page: DuelPage, last_speech: int) -> DuelNews:
    """Return the page's reports, and the read marks to store once the reader has read them."""
    reports = page.reports
    read = page.read_turn if page.me is not None else None
    fresh = unread_reports(reports, read)
    news = newest_reports(reports)
    shown = tuple(report for report in reports if report in news or report in fresh)
    has_note = bool(fresh) and fresh[-1].ordinal not in (OPENING_ORDINAL, page.turn.ordinal)
    has_earlier = page.me is not None and (page.earlier or 0) > page.read_turn
    is_waiting = page.me is not None and (bool(fresh) or last_speech > page.read_speech)
    return DuelNews(
        reports=shown,
        title=_report_title(page, shown, is_all_new=shown == fresh),
        is_all_new=len(shown) == 1 and bool(fresh),
        note=f"{capfirst(fresh[-1].title)} has been played" if has_note else "",
        read_turn=read,
        reader=page.me.code if page.me else page.observer,
        to_read=ReadMarks(last_played_ordinal(page), last_speech) if is_waiting else None,
        unread_before=page.earlier if has_earlier else None,
    )


def final_deaths_and_surrenders(page: DuelPage) -> tuple[str, ...]:
    """Return the name of the last turn, and any deaths and surrenders that ended the duel."""
    reports = page.reports
    if page.duel.ended != DuelEnding.RULES or not reports:
        return ()
    codes = {seat.code for seat in page.seats}
    falls = [
        line.text
        for line in reports[-1].lines
        if line.code in DEATH_AND_SURRENDER_CODES and (line.subject or line.wizard) in codes
    ]
    return (f"{capfirst(reports[-1].title)}.", *falls) if falls else ()


def newest_reports(
    reports: Sequence[engine.words.TurnReport],
) -> tuple[engine.words.TurnReport, ...]:
    """Return the reports since the last normal turn, and of extra turns with the newest number."""
    if not reports:
        return ()
    for_all = [place for place, report in enumerate(reports) if report.kind == NORMAL]
    since = for_all[-1] if for_all else 0
    number = reports[-1].number
    fresh = [r for place, r in enumerate(reports) if place >= since or r.number == number]
    return tuple(report for report in fresh if report.lines) or (fresh[-1],)


def open_turn_ordinal(page: DuelPage) -> int:
    """Return the ordinal of the open turn, or 0 if the duel is over."""
    return page.turn.ordinal if page.turn.is_open else 0


def last_played_ordinal(page: DuelPage) -> int:
    """Return the ordinal of the last resolved turn, or 0 if there is none yet."""
    return page.turn.ordinal - (page.turn.stage != Stage.RESOLVED)


def _report_title(
    page: DuelPage, shown: Sequence[engine.words.TurnReport], *, is_all_new: bool
) -> str:
    if not shown:
        return ""
    if len(shown) > 1:
        return "What happened since your last visit" if is_all_new else "What happened"
    (last,) = shown
    if last.ordinal == OPENING_ORDINAL:
        return "Before turn 1"
    turn = engine.words.turn_name(page.duel.ruleset, last.kind, last.number)
    if last.ordinal == open_turn_ordinal(page):
        return f"Revealed so far in {turn}"
    return f"What happened in {turn}"
