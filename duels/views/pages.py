"""The front page: for a visitor what this is, for a player what waits."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

import engine
from duels import guests, queries
from duels.lessons import FIRST
from duels.models import Wizard
from duels.views.access import player_of
from duels.views.front import shown_duel
from duels.views.lists import entries
from engine.gestures import GESTURE_NAMES, LETTERS

BARTLE = "bartle-1"
FIRST_BUTTON = "Play your first duel"
GO_ON = "Go on with your first duel"
AGAIN = "Play the first duel again"
LISTED = 5  # public duels beside the one that is shown


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Duels that wait for me first."""
    wizard = player_of(request)
    if wizard is None and request.user.is_authenticated:
        return redirect("settings")
    return _visitor(request) if wizard is None else _player(request, wizard)


def _visitor(request: HttpRequest) -> HttpResponse:
    """What this is, a duel to watch, and one button; for a guest, where he was."""
    public = queries.public_duels()
    guest = guests.guest_of(request)
    context = {
        "gestures": [(letter, GESTURE_NAMES[letter]) for letter in LETTERS],
        "spells": len(engine.RULESETS[BARTLE].spells),
        "turns": len(FIRST.steps),
        "shown": shown_duel(public),
        "public": entries(public[:LISTED], as_wizard=False),
        "first_button": FIRST_BUTTON,
        **(_guests_context(guest) if guest else {}),
    }
    return render(request, "duels/visitor.html", context)


def _guests_context(guest: Wizard) -> dict[str, Any]:
    """A guest's duels, and what the one button leads him to."""
    now = timezone.now()
    unfinished = queries.duels_awaiting(guest, now) + queries.duels_running(guest)
    rows = unfinished + queries.finished_duels(guest, guest)
    context: dict[str, Any] = {"guests_duels": entries(rows, now=now)}
    learnt = [row.duel for row in rows if row.duel.lesson == FIRST.slug]
    if learnt:
        context["first_button"] = AGAIN if all(duel.is_over for duel in learnt) else GO_ON
    return context


def _player(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    now = timezone.now()
    challenges = queries.challenges_for(wizard, now)
    public = queries.public_duels()
    awaiting = queries.duels_awaiting(wizard, now)
    running = queries.duels_running(wizard)
    finished = queries.finished_duels(wizard, wizard)
    watched = (row for row in public if wizard.pk not in {other.pk for other in row.wizards})
    context = {
        "wizard": wizard,
        "is_new": not (awaiting or running or finished or challenges),
        "awaiting": entries(awaiting, now=now),
        "to_me": entries((row for row in challenges if row.awaits_me), now=now),
        "mine": entries((row for row in challenges if not row.awaits_me), now=now),
        "running": entries(running, now=now),
        "open": entries(queries.open_challenges(wizard, now), now=now),
        "finished": entries(finished, now=now),
        "public": entries(watched, as_wizard=False, now=now),
    }
    return render(request, "duels/home.html", context)
