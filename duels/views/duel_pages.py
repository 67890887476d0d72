"""The page of a duel, of each of its turns, and what can be downloaded when it is over."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

import engine
from duels import adjudication, commands, queries
from duels.models import Duel, DuelStatus, Wizard, WizardKind
from duels.queries import Depicted, DuelPage
from duels.turns import turn_words
from duels.views.access import duel_or_404, player_of, refusal, wizard_of
from duels.views.beings import beings
from duels.views.challenges import challenge
from duels.views.coming import progress
from duels.views.grid import OwnSet, history_grid
from duels.views.guide import guide_of
from duels.views.lists import versus
from duels.views.news import news_context, open_ordinal, played, told_in
from duels.views.outcomes import outcome_words
from duels.views.presence import presence_context
from duels.views.sharing import Card, card, title_of
from duels.views.stepping import steps_back
from duels.views.talk import Unsaid, talk_context
from duels.views.writing import Typed, spell_names, writing_context
from engine.position import DEAD


@require_safe
def duel(request: HttpRequest, duel_id: int) -> HttpResponse:
    """Report, grid, status and order sheet on one page; before the start, the challenge."""
    viewer = wizard_of(request)
    found = duel_or_404(duel_id, viewer)
    if found.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        return challenge(request, found, player_of(request))
    return duel_response(request, found, viewer)


def duel_response(
    request: HttpRequest,
    found: Duel,
    viewer: Wizard | None,
    typed: Typed | None = None,
    status: int = HTTPStatus.OK,
    *,
    unsaid: Unsaid | None = None,
) -> HttpResponse:
    """The page of a duel that has begun, with what was typed if something was."""
    page = queries.duel_page(found, viewer, timezone.now())
    context = duel_context(page, typed) | talk_context(page, viewer, unsaid)
    context |= presence_context(page, context["talk"].last)
    context |= news_context(page, context["talk"].last)
    return render(request, "duels/duel.html", context, status=status)


def duel_context(page: DuelPage, typed: Typed | None = None) -> dict[str, Any]:
    """What the page of a duel prints."""
    assert page.view is not None
    duel, view = page.duel, page.view
    spells = spell_names(duel)
    title = versus(seat.name for seat in page.seats)
    live = page.live_orders.fields if page.live_orders else {}
    told = told_in(page)
    context: dict[str, Any] = {
        "page": page,
        "title": f"{title}, turn {view.turn}",
        "ruleset": duel.ruleset,
        "ruleset_name": adjudication.rulesets()[duel.ruleset].name,
        "grid": history_grid(view, spells, _mine(page, live)),
        "older": page.earlier,
        "beings": beings(view, spells),
        "progress": () if duel.is_over else progress(view, spells),
        "open_ordinal": open_ordinal(page),
        "stepping": steps_back(duel, played(page)),
        "card": _card(page, told[-1] if told else None),
        "outcome_words": outcome_words(
            duel, {seat.code: seat.name for seat in page.seats}, _guests_seat(page)
        ),
        "markers": adjudication.rulesets()[duel.ruleset].markers and not duel.is_practice,
        "guide": guide_of(page),
        "died": duel.is_over and page.me is not None and _is_dead(view, page.me.code),
        "can_end": page.me is not None and not duel.is_over and not page.me.outcome,
        "waiting_words": _waiting(page),
    }
    context |= writing_context(page, typed)
    if page.me is not None:
        context |= _draw_context(page)
    return context


def _guests_seat(page: DuelPage) -> str:
    """The reader's seat, if he is a guest: his name is none that he chose."""
    me = page.me
    return me.code if me and me.wizard.kind == WizardKind.GUEST else ""


def _mine(page: DuelPage, live: Mapping[str, str]) -> tuple[OwnSet, ...]:
    """My own gestures of the open turn, as I have sealed or drafted them; else empty squares."""
    if page.sheet is None:
        return ()
    suffixes = ["" if part.number == 1 else str(part.number) for part in page.sheet.sets]
    sealed = tuple(
        OwnSet(live.get("left" + end, "-"), live.get("right" + end, "-"), True) for end in suffixes
    )
    drafted = tuple(
        OwnSet(page.draft.get("left" + end, ""), page.draft.get("right" + end, ""))
        for end in suffixes
    )
    is_sealed = page.live_orders is not None and not page.live_orders.taken_back
    return sealed if live and is_sealed and page.draft_saved_at is None else drafted


def _card(page: DuelPage, last: engine.TurnReport | None) -> Card | None:
    assert page.view is not None
    duel, view = page.duel, page.view
    names = tuple(seat.name for seat in sorted(page.seats, key=lambda seat: seat.code))
    words = turn_words(duel.ruleset, view.turn, view.kind)
    return card(
        duel,
        view,
        last,
        title=title_of(names, f"over after {words}" if duel.is_over else words),
        at=Depicted(duel.pk, names, played(page), is_end=duel.is_over, is_open=duel.is_over),
        path=reverse("duel", args=[duel.pk]),
        whole=True,
        outcome=outcome_words(duel, {seat.code: seat.name for seat in page.seats}),
    )


def _waiting(page: DuelPage) -> str:
    """Why there is no order sheet, for one who plays."""
    if page.me is None or page.duel.is_over:
        return ""
    if page.me.outcome:
        return "You are out of this duel, and may read on."
    if page.questions:
        return "The turn waits for your answer."
    others = [name for name in page.waiting_for if name != page.me.name]
    return f"Waiting for {' and '.join(others)}." if others else "The turn is being played."


def _draw_context(page: DuelPage) -> dict[str, Any]:
    assert page.me is not None
    others = [name for name in page.draw_offered_by if name != page.me.name]
    mine = page.me.offers_draw
    words = ""
    if others:
        words = f"{' and '.join(others)} offer{'s' if len(others) == 1 else ''} a draw."
    elif mine:
        words = "You have offered a draw."
    return {
        "draw_words": words,
        "draw_offered_to_me": bool(others) and not mine,
        "draw_offered": bool(others) or mine,
        "can_offer_draw": not mine and not page.duel.is_practice,
    }


def _is_dead(view: engine.View, wizard: str) -> bool:
    return any(each.id == wizard and each.standing == DEAD for each in view.wizards)


@require_safe
def record(request: HttpRequest, duel_id: int) -> HttpResponse:
    """The record of a duel that is over, from which anyone can check it."""
    found = duel_or_404(duel_id, wizard_of(request))
    try:
        value = queries.record(found)
    except commands.Refused as refused:
        return refusal(request, refused)
    name = f"spellcaster-{found.pk}.json"
    return JsonResponse(
        value,
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_safe
def transcript(request: HttpRequest, duel_id: int) -> HttpResponse:
    """The story of a duel that is over, as text."""
    found = duel_or_404(duel_id, wizard_of(request))
    try:
        text = queries.transcript(found)
    except commands.Refused as refused:
        return refusal(request, refused)
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="spellcaster-{found.pk}.txt"'},
    )
