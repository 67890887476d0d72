"""The reports on a duel's page, with the unread ones marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst

import engine.words
from duels.models import Ended, Stage
from duels.queries.rows import DuelPage
from duels.screens.parts.outcomes import FALLS
from duels.screens.parts.reports import OPENING_ORDINAL, unread_reports
from duels.template_values import TemplateValue
from duels.wording.turns import turn_words
from engine.play import NORMAL


@dataclass(frozen=True)
class ReadMarks(TemplateValue):
    """The newest turn and message on the page, to store once the reader has read them."""

    turn: int
    speech: int


@dataclass(frozen=True)
class News(TemplateValue):
    """The reports on a duel's page."""

    reports: tuple[engine.words.TurnReport, ...]
    title: str
    is_all_new: bool
    note: str  # that a turn was played since the reader's last visit, or ""
    read_turn: int | None
    reader: str  # code of the reader's seat, or of the observer for spectators
    to_read: ReadMarks | None
    unread_before: int | None  # the newest unread turn that is not on the page


def news_on_page(page: DuelPage, last_speech: int) -> News:
    """Return the page's reports, and the read marks to store once the reader has read them."""
    reports = reports_on_page(page)
    read = page.read_turn if page.me is not None else None
    fresh = unread_reports(reports, read)
    news = newest_reports(reports)
    shown = tuple(report for report in reports if report in news or report in fresh)
    is_waiting = page.me is not None and (bool(fresh) or last_speech > page.read_speech)
    return News(
        reports=shown,
        title=_report_title(page, shown, is_all_new=shown == fresh),
        is_all_new=len(shown) == 1 and bool(fresh),
        note=_news_note(page, fresh),
        read_turn=read,
        reader=page.me.code if page.me else page.observer,
        to_read=ReadMarks(last_played_ordinal(page), last_speech) if is_waiting else None,
        unread_before=_unread_turn_off_page(page),
    )


def _news_note(page: DuelPage, fresh: Sequence[engine.words.TurnReport]) -> str:
    """Return a note that a turn was played since the reader's last visit, or "" if there is no new
    one."""
    if not fresh or fresh[-1].ordinal in (OPENING_ORDINAL, page.turn.ordinal):
        return ""
    return f"{capfirst(fresh[-1].title)} has been played"


def reports_on_page(page: DuelPage) -> list[engine.words.TurnReport]:
    """Return a page's reports or, if there are none yet, the opening.

    An open turn has a report only if the reveal or a resignation has had visible results.
    """
    still_open = open_turn_ordinal(page)
    reports = [report for report in page.reports if report.lines or report.ordinal != still_open]
    return [page.opening] if page.opening and not reports else reports


def final_deaths_and_surrenders(page: DuelPage) -> tuple[str, ...]:
    """Return the name of the last turn, and any deaths and surrenders that ended the duel."""
    reports = reports_on_page(page)
    if page.duel.ended != Ended.RULES or not reports:
        return ()
    codes = {seat.code for seat in page.seats}
    falls = [
        line.text
        for line in reports[-1].lines
        if line.code in FALLS and (line.subject or line.wizard) in codes
    ]
    return (f"{capfirst(reports[-1].title)}.", *falls) if falls else ()


def newest_reports(
    reports: Sequence[engine.words.TurnReport],
) -> tuple[engine.words.TurnReport, ...]:
    """Return the reports of the last normal turn and of its extra turns and later ones."""
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


def _unread_turn_off_page(page: DuelPage) -> int | None:
    """Return the newest unread turn whose report is not on the page, or None."""
    earlier = page.earlier
    return earlier if page.me and earlier and earlier > page.read_turn else None


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
    turn = turn_words(page.duel.ruleset, last.number, last.kind)
    if last.ordinal == open_turn_ordinal(page):
        return f"Revealed so far in {turn}"
    return f"What happened in {turn}"
