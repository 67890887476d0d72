"""The contents of a duel's page, in one object with named parts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.messages.storage.base import Message

import engine.play
import engine.words
from duels.caching.caches import KeyedCache
from duels.clocks.clock import Pace
from duels.feeds.public import is_following_duel
from duels.loaded import adjudication
from duels.loaded.database_clock import site_now
from duels.models import DuelStatus, Orders, Wizard
from duels.queries.rows import DuelPage, SeatRow
from duels.ratings.public import changes_by_duel
from duels.screens.disputes.context import DisputesAndActs, disputes_and_acts_on_page
from duels.screens.duel.held_turn import pending_decisions_words
from duels.screens.duel.news import (
    DuelNews,
    final_deaths_and_surrenders,
    last_played_ordinal,
    news_on_page,
    open_turn_ordinal,
)
from duels.screens.duel.talk import DuelChat, RejectedSpeech, chat_on_page
from duels.screens.duel.whole_story import play_on_choices, whole_story_of
from duels.screens.order_sheet.context import OrderForms, SubmittedForm, order_forms
from duels.screens.order_sheet.lesson_guide import LessonGuide, lesson_guide
from duels.screens.order_sheet.own_sets import own_sets
from duels.screens.parts.addresses import view_address
from duels.screens.parts.duellists_html import reader_names
from duels.screens.parts.history.table import Grid, history_grid
from duels.screens.parts.outcomes import outcome_words
from duels.screens.parts.rating_words import change_words, rating_words
from duels.screens.parts.sharing import PreviewCard, preview_card
from duels.screens.parts.vacation_words import unclaimable_words, vacation_words
from duels.screens.parts.view_cache import ViewKey, view_key
from duels.screens.presence.context import Presence, presence_on_page
from duels.screens.spellbook.context import book_options_of
from duels.screens.turn.context import TurnNavigation
from duels.sealing import seeds
from duels.standing.state import DuelState, state_of
from duels.template_values import TemplateValue
from engine.play import DEAD


@dataclass(frozen=True)
class DrawOffers(TemplateValue):
    """Draw offers, from a player's point of view."""

    words: str
    is_offered_to_me: bool
    is_offered_by_me: bool
    is_declined: bool
    can_offer: bool


@dataclass(frozen=True)
class ClockControls(TemplateValue):
    """Pauses and extra time, for a player of a running duel with a clock."""

    is_paused: bool
    words: str
    is_pause_asked: bool
    is_asked_of_me: bool
    can_ask: bool
    late_opponents: Sequence[SeatRow]
    time_given: str


@dataclass(frozen=True)
class EndingOptions(TemplateValue):
    """Ways for a player to end the duel."""

    has_markers: bool
    absent_words: str  # absent opponents, if the reader can claim the duel
    unclaimable_words: str


@dataclass(frozen=True)
class HistoryNavigation(TemplateValue):
    """Links from the history to the pages of turns, and the gestures before the first turn."""

    turns_address: str
    older: int | None  # ordinal of the last turn before the ones shown
    open_ordinal: int  # 0 if the duel is over
    stepping: TurnNavigation | None  # None if no turn has been resolved
    before: str  # the gestures of all hands before the duel, if it continues another one


@dataclass(frozen=True)
class RatingLine(TemplateValue):
    """A wizard's rating before and after a finished rated duel, and the reason for the change."""

    wizard: Wizard
    before: str
    after: str
    reason: str


@dataclass(frozen=True)
class FinishedDuelParts(TemplateValue):
    """The end of a duel, and the parts of the page that only a finished duel has."""

    words: str
    falls: tuple[str, ...]  # deaths and surrenders that ended it
    is_reader_dead: bool
    whole: dict[str, Any] | None
    ratings: Sequence[RatingLine]
    play_on_choices: dict[str, int] | None
    seed_is_lost: bool


@dataclass(frozen=True)
class DuelScreen:
    """Everything on the page of a duel. The template calls the parts by the names of these fields.

    A part that changes while the page is open has a template with one `data-live` element. The
    polling script requests the page again and replaces these elements with the new ones. Scripts
    also request the chat and the order sheet on their own; `chat_on_page` and `with_sheet` build
    these.
    """

    page: DuelPage
    title: str
    ruleset: str
    ruleset_name: str
    book_options: str
    card: PreviewCard | None  # data for link previews
    messages: Sequence[Message]
    presence: Presence
    refereed: DisputesAndActs
    outcome: FinishedDuelParts | None
    guide: LessonGuide | None
    waiting_words: str  # why there is no form, for players
    sealed_words: str  # the opponents who have sealed, or a draw offer after the reader has sealed
    orders: OrderForms
    draw: DrawOffers | None
    clock: ClockControls | None
    ending: EndingOptions | None  # None if the reader is not playing
    news: DuelNews
    grid: Grid
    history: HistoryNavigation
    state: DuelState
    talk: DuelChat
    is_followed: bool | None  # None if the reader cannot follow the duel
    is_newcomer: bool  # a guest who has never sealed orders


STATE_CACHE: KeyedCache[ViewKey, DuelState] = KeyedCache("states", size=256, key="the ViewKey")


def duel_screen(
    page: DuelPage,
    viewer: Wizard | None,
    typed: SubmittedForm | None = None,
    *,
    rejected: RejectedSpeech | None = None,
    messages: Sequence[Message] = (),
) -> DuelScreen:
    """Return the contents of a duel's page, with everything that was typed into its forms."""
    duel, view = page.duel, page.view
    key = view_key(page)
    state = STATE_CACHE.get(key, lambda: state_of(view))
    turns, last_turn = view_address("turns", duel.pk), last_played_ordinal(page)
    talk = chat_on_page(page, viewer, rejected)
    return DuelScreen(
        page=page,
        title=f"{engine.words.versus_text(reader_names(page.seats))}, turn {view.turn}",
        ruleset=duel.ruleset,
        ruleset_name=adjudication.ruleset_label(duel),
        book_options=book_options_of(duel),
        card=_preview_card(page),
        messages=messages,
        presence=presence_on_page(page, talk.last),
        refereed=disputes_and_acts_on_page(page, viewer, site_now()),
        outcome=_finished_duel_parts(page, viewer) if duel.is_over else None,
        guide=lesson_guide(page),
        waiting_words=_waiting_words(page),
        sealed_words=_sealed_words(page),
        orders=order_forms(page, typed),
        draw=_draw_offers(page) if page.me else None,
        clock=_clock_controls(page) if page.me else None,
        ending=None
        if duel.is_over or page.me is None or page.me.outcome
        else _ending_options(page),
        news=news_on_page(page, talk.last),
        grid=history_grid(view, own_sets(page, typed), key),
        history=HistoryNavigation(
            turns,
            page.earlier,
            open_turn_ordinal(page),
            TurnNavigation(last_turn + 1, last_turn, turns) if last_turn else None,
            _gestures_before(page),
        ),
        state=replace(state, progress=()) if duel.is_over else state,
        talk=talk,
        is_followed=is_following_duel(viewer, duel)
        if viewer is not None and not viewer.is_guest and page.me is None
        else None,
        is_newcomer=_is_newcomer(page),
    )


def _gestures_before(page: DuelPage) -> str:
    """Return the gestures that the duel's setup gives each wizard, such as "Ada: left S W, right
    P P; Bram: left D F, right W W", or "" if there are none."""
    rows = (page.duel.setup or {}).get("wizards", ())
    codes = {seat.code: seat.name for seat in page.seats}
    return "; ".join(
        f"{name}: left {' '.join(row['left'])}, right {' '.join(row['right'])}"
        for (_, name), row in zip(sorted(codes.items()), rows, strict=False)
        if row.get("left") or row.get("right")
    )


def _is_newcomer(page: DuelPage) -> bool:
    """Return whether the reader is a guest who has never sealed orders. Only turn 1 asks."""
    if page.me is None or not page.me.wizard.is_guest or page.turn.ordinal > 1:
        return False
    return not Orders.objects.filter(seat__wizard=page.me.wizard).exists()


def _ending_options(page: DuelPage) -> EndingOptions:
    return EndingOptions(
        has_markers=page.view.rules.markers and not page.duel.is_practice,
        absent_words=engine.words.and_list(seat.name for seat in page.claimable),
        unclaimable_words=unclaimable_words(page),
    )


def _finished_duel_parts(page: DuelPage, viewer: Wizard | None) -> FinishedDuelParts:
    """Return how the duel ended, and the other parts of a finished duel's page."""
    names = {seat.code: seat.name for seat in page.seats}
    dead = {each.id for each in page.view.wizards if each.standing == DEAD}
    return FinishedDuelParts(
        words=outcome_words(page.duel, names, page.me.code if page.me else ""),
        falls=final_deaths_and_surrenders(page),
        is_reader_dead=page.me is not None and page.me.code in dead,
        whole=whole_story_of(page),
        ratings=[
            RatingLine(each.wizard, rating_words(each.before), rating_words(each.after), reason)
            for each in changes_by_duel(page.duel)
            for reason in [change_words(each)]
        ],
        play_on_choices=play_on_choices(page) if viewer is not None else None,
        seed_is_lost=seeds.ended_without_seed(page.duel),
    )


def _preview_card(page: DuelPage) -> PreviewCard | None:
    duel, view = page.duel, page.view
    words = engine.words.turn_name(duel.ruleset, view.kind, view.turn)
    return preview_card(
        page,
        page.reports[-1] if page.reports else None,
        words=f"over after {words}" if duel.is_over else words,
        ordinal=last_played_ordinal(page),
        path=view_address("duel", duel.pk),
        whole=True,
        outcome=outcome_words(duel, {seat.code: seat.name for seat in page.seats}),
    )


def _waiting_words(page: DuelPage) -> str:
    """Explain to a player why there is no order sheet, if there are no questions either."""
    if page.me is None or page.duel.is_over or page.can_seal or page.questions:
        return ""
    if page.me.outcome:
        return "You are out of this duel, but you can keep watching."
    others = [name for name in page.waiting_for if name != page.me.name]
    if not others:
        return "The turn is being played."
    words = (
        engine.play.sheet(page.open_turn.position, page.me.code).reason,
        pending_decisions_words(page),
        f"Waiting for {engine.words.and_list(others)}.",
    )
    return " ".join(filter(None, (*words, vacation_words(page))))


def _sealed_words(page: DuelPage) -> str:
    """Return a sentence about the opponents who have sealed, or "" if none has.

    If the reader has nothing to seal, return a sentence about a draw offer to them instead.
    """
    if page.me is None or page.duel.is_lesson:
        return ""
    if not page.me.awaited:
        draw = _draw_offers(page)
        return draw.words if draw.is_offered_to_me else ""
    names = [seat.name for seat in page.seats if seat.sealed_at and not seat.you]
    if not names:
        return ""
    is_one = len(names) == 1
    words = f"{engine.words.and_list(names)} {'has' if is_one else 'have'} sealed"
    if any(seat.awaited and not seat.you for seat in page.seats):
        return f"{words}."
    return f"{words} and {'is' if is_one else 'are'} waiting for you."


def _draw_offers(page: DuelPage) -> DrawOffers:
    assert page.me is not None
    others = [name for name in page.draw_offered_by if name != page.me.name]
    mine = page.me.offers_draw
    words = ""
    if others:
        words = f"{engine.words.and_list(others)} offer{'s' if len(others) == 1 else ''} a draw."
    elif mine:
        words = "You have offered a draw."
    elif page.me.is_draw_declined:
        words = "Your draw offer was declined."
    return DrawOffers(
        words=words,
        is_offered_to_me=bool(others) and not mine,
        is_offered_by_me=mine,
        is_declined=page.me.is_draw_declined and not others and not mine,
        can_offer=not mine and not page.duel.is_practice,
    )


def _clock_controls(page: DuelPage) -> ClockControls | None:
    """Return the forms for pauses and extra time, or None if no clock can run."""
    assert page.me is not None
    pace = Pace.parse(page.duel.pace)
    if pace.is_unhurried or page.duel.status != DuelStatus.RUNNING:
        return None
    others = [seat for seat in page.seats if not seat.you]
    asking = [seat.name for seat in others if seat.asks_pause]
    mine, is_paused = page.me.asks_pause, page.duel.paused_at is not None
    wish = "to resume the duel" if is_paused else "for a pause"
    words = ""
    if asking:
        words = f"{engine.words.and_list(asking)} ask{'s' if len(asking) == 1 else ''} {wish}."
    elif mine:
        words = f"You have asked {wish}."
    return ClockControls(
        is_paused=is_paused,
        words=words,
        is_pause_asked=mine or bool(asking),
        is_asked_of_me=bool(asking) and not mine,
        can_ask=not mine,
        late_opponents=[seat for seat in others if seat.can_be_given_time],
        time_given=(
            pace.words.removesuffix(" for each turn") if pace.daily_at is None else "a day"
        ),
    )
