"""Context for the page of a duel."""

from dataclasses import replace
from typing import Any

import engine.play
import engine.words
from duels.clocks.clock import Pace
from duels.loaded import adjudication
from duels.models import DuelStatus
from duels.queries.pictures import PictureMoment, last_act_in_picture
from duels.queries.rows import DuelPage
from duels.screens.duel.held_turn import pending_decisions_words
from duels.screens.duel.news import (
    final_deaths_and_surrenders,
    last_played_ordinal,
    open_turn_ordinal,
    reports_on_page,
)
from duels.screens.duel.whole_story import whole_story_of
from duels.screens.order_sheet.context import SubmittedForm, order_forms_context, spell_names
from duels.screens.order_sheet.lesson_guide import lesson_guide
from duels.screens.order_sheet.own_sets import own_sets
from duels.screens.parts.addresses import view_address
from duels.screens.parts.duellists_html import reader_names
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.outcomes import outcome_words
from duels.screens.parts.sharing import Card, preview_card, preview_title
from duels.screens.parts.standing_cache import state_of
from duels.screens.parts.vacation_words import unclaimable_words, vacation_words
from duels.screens.parts.view_cache import view_key
from duels.screens.spellbook.context import book_options_of
from duels.screens.turn.context import current_state_stepping, turns_path
from duels.sealing import seeds
from duels.wording.turns import turn_words
from engine.play import DEAD


def duel_context(page: DuelPage, typed: SubmittedForm | None = None) -> dict[str, Any]:
    """Return the context for the page of a duel."""
    assert page.view is not None
    duel, view = page.duel, page.view
    spells, key = spell_names(duel), view_key(page)
    state = state_of(view, spells, key)
    title = engine.words.versus_text(reader_names(page.seats))
    told = reports_on_page(page)
    context: dict[str, Any] = {
        "page": page,
        "title": f"{title}, turn {view.turn}",
        "ruleset": duel.ruleset,
        "ruleset_name": adjudication.ruleset_label(duel),
        "book_options": book_options_of(duel),
        "grid": history_grid(view, spells, own_sets(page), key),
        "turns_address": turns_path(duel.pk),
        "older": page.earlier,
        "state": replace(state, progress=()) if duel.is_over else state,
        "open_ordinal": open_turn_ordinal(page),
        "stepping": current_state_stepping(duel, last_played_ordinal(page)),
        "card": _preview_card(page, told[-1] if told else None),
        "seed_is_lost": seeds.ended_without_seed(page.duel),
        "outcome_words": outcome_words(
            duel, {seat.code: seat.name for seat in page.seats}, page.me.code if page.me else ""
        ),
        "falls": final_deaths_and_surrenders(page),
        "whole": whole_story_of(page, spells),
        "markers": adjudication.ruleset_of(duel).markers and not duel.is_practice,
        "guide": lesson_guide(page),
        "died": duel.is_over and page.me is not None and _is_dead(view, page.me.code),
        "can_end": page.me is not None and not duel.is_over and not page.me.outcome,
        "waiting_words": _waiting_words(page),
        "sealed_words": _sealed_words(page),
        "absent_words": engine.words.and_list(seat.name for seat in page.claimable),
        "unclaimable_words": unclaimable_words(page),
    }
    context |= order_forms_context(page, typed)
    if page.me is not None:
        context |= _draw_context(page) | _time_context(page)
    return context


def _preview_card(page: DuelPage, last_report: engine.words.TurnReport | None) -> Card | None:
    assert page.view is not None
    duel, view = page.duel, page.view
    names = tuple(seat.name for seat in sorted(page.seats, key=lambda seat: seat.code))
    words = turn_words(duel.ruleset, view.turn, view.kind)
    return preview_card(
        duel,
        view,
        last_report,
        title=preview_title(names, f"over after {words}" if duel.is_over else words),
        moment=PictureMoment(
            duel.pk,
            names,
            last_played_ordinal(page),
            is_end=duel.is_over,
            is_open=duel.is_over,
            acts=last_act_in_picture(duel, page.turn),
        ),
        path=view_address("duel", duel.pk),
        whole=True,
        outcome=outcome_words(duel, {seat.code: seat.name for seat in page.seats}),
    )


def _waiting_words(page: DuelPage) -> str:
    """Explain to a player why there is no order sheet."""
    if page.me is None or page.duel.is_over:
        return ""
    if page.me.outcome:
        return "You are out of this duel, but you can keep watching."
    if page.questions:
        return "The turn is waiting for your answer."
    others = [name for name in page.waiting_for if name != page.me.name]
    if not others:
        return "The turn is being played."
    words = (
        page.why_idle,
        pending_decisions_words(page),
        f"Waiting for {engine.words.and_list(others)}.",
    )
    return " ".join(filter(None, (*words, vacation_words(page))))


def _sealed_words(page: DuelPage) -> str:
    """Return a sentence on the opponents who have sealed, if the reader still has to."""
    if page.me is None or not page.me.awaited or page.duel.is_lesson:
        return ""
    names = [seat.name for seat in page.seats if seat.sealed_at and not seat.you]
    if not names:
        return ""
    is_one = len(names) == 1
    words = f"{engine.words.and_list(names)} {'has' if is_one else 'have'} sealed"
    if any(seat.awaited and not seat.you for seat in page.seats):
        return f"{words}."
    return f"{words} and wait{'s' if is_one else ''} for you."


def _draw_context(page: DuelPage) -> dict[str, Any]:
    assert page.me is not None
    others = [name for name in page.draw_offered_by if name != page.me.name]
    mine = page.me.offers_draw
    words = ""
    if others:
        words = f"{engine.words.and_list(others)} offer{'s' if len(others) == 1 else ''} a draw."
    elif mine:
        words = "You have offered a draw."
    return {
        "draw_words": words,
        "draw_offered_to_me": bool(others) and not mine,
        "draw_offered_by_me": mine,
        "can_offer_draw": not mine and not page.duel.is_practice,
    }


def _time_context(page: DuelPage) -> dict[str, Any]:
    """Return the context for pausing the duel and giving opponents time, if the duel has a
    clock."""
    assert page.me is not None
    pace = Pace.parse(page.duel.pace)
    others = [seat for seat in page.seats if not seat.you]
    asking = [seat.name for seat in others if seat.asks_pause]
    mine, is_paused = page.me.asks_pause, page.duel.paused_at is not None
    wish = "to resume the duel" if is_paused else "for a pause"
    words = ""
    if asking:
        words = f"{engine.words.and_list(asking)} ask{'s' if len(asking) == 1 else ''} {wish}."
    elif mine:
        words = f"You have asked {wish}."
    return {
        "has_clock": not pace.is_unhurried and page.duel.status == DuelStatus.RUNNING,
        "is_paused": is_paused,
        "pause_words": words,
        "pause_asked": mine or bool(asking),
        "pause_asked_of_me": bool(asking) and not mine,
        "can_ask_pause": not mine,
        "late_opponents": [seat for seat in others if seat.can_be_given_time],
        "time_given": pace.words.removesuffix(" for each turn")
        if pace.daily_at is None
        else "a day",
    }


def _is_dead(view: engine.play.View, wizard: str) -> bool:
    return any(each.id == wizard and each.standing == DEAD for each in view.wizards)
