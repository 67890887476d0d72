"""Views to start playing right away: the guided first duel, practice, and duels against anyone.
Also the view that deletes a guest."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

import engine.play
from duels import errors
from duels.commands import practising
from duels.commands.guests import create_guest
from duels.commands.guests import delete_guest as delete_guest_command
from duels.commands.lesson_returns import return_to_lesson
from duels.commands.submitting import FormResult
from duels.lessons import first
from duels.loaded.database_clock import site_now
from duels.matching import public as matching
from duels.models import Duel, Wizard
from duels.queries import lists
from duels.requests.access import add_refusal, duel_or_404, duellist_only, post_only
from duels.requests.rate_limits import check_guest_rate, check_rate
from duels.requests.submitting import duel_page_result, redirect_once, redirect_to_duel_once
from duels.screens.practice.forms import PlayOnForm, PracticeForm
from duels.sign_in import guests


@post_only
def play_lesson(request: HttpRequest) -> HttpResponse:
    """Start or resume the guided first duel. Visitors become guests."""
    command = partial(practising.start_lesson, lesson=first.FIRST_LESSON.slug)
    return _start_and_redirect(request, guests.wizard_of(request), command)


@post_only
def play_with_stranger(request: HttpRequest) -> HttpResponse:
    """Start a duel with a waiting wizard, or wait for one. Visitors become guests."""
    wizard = guests.wizard_of(request)
    limits = ("challenge",) if wizard is not None else ()
    return _start_and_redirect(request, wizard, matching.accept_or_create_challenge, *limits)


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Show a form for the rules of a practice duel. On POST, start the duel. Visitors become
    guests.

    The query string can contain the ruleset to preselect (`ruleset`).
    """
    wizard = guests.wizard_of(request)
    if wizard is None and request.user.is_authenticated:
        return redirect("settings")
    if request.method != "POST":
        asked = request.GET.get("ruleset")
        last = lists.rules_of_last_duel(wizard, is_practice=True)
        initial = {"ruleset": asked} if asked in engine.play.RULESETS else last
        return _practice_page(request, PracticeForm(initial=initial))
    form = PracticeForm(request.POST)
    if not form.is_valid():
        return _practice_page(request, form, HTTPStatus.BAD_REQUEST)
    try:
        ruleset = form.cleaned_data["ruleset"]
        command = partial(practising.start_practice, ruleset=ruleset, options=form.options)
        return _start_and_redirect(request, wizard, command, "practice")
    except errors.Refused as refused:
        return _practice_page(request, form, add_refusal(form, refused))


def _start_and_redirect(
    request: HttpRequest, wizard: Wizard | None, start_duel: Callable[..., Duel], *limits: str
) -> HttpResponse:
    """Start a duel for this wizard, or for a new guest, and redirect to it."""
    if wizard is None and request.user.is_authenticated:
        return redirect("settings")
    now = site_now()

    def create_duel(token: str) -> FormResult:
        with transaction.atomic():  # do not leave a guest without a duel behind
            player = wizard or create_guest(key=guests.token_hash(token), now=now)
            return duel_page_result(start_duel(wizard=player, now=now))

    def check_limits() -> None:
        for action in limits:
            check_rate(request, action, wizard)
        if wizard is None:
            check_guest_rate(request)

    return redirect_once(request, create_duel, limit=check_limits)


def _practice_page(
    request: HttpRequest, form: PracticeForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    return render(request, "duels/practice/practice.html", {"form": form}, status=status)


@post_only
@duellist_only
def play_on(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Start a practice duel from the position at the beginning of a turn in a finished duel."""
    found = duel_or_404(duel_id, wizard)
    form = PlayOnForm(request.POST)
    if not form.is_valid():
        raise errors.Refused("no_turn", "Turn: enter a number.", field="turn")
    command = partial(
        practising.start_practice_from_turn,
        duel_id=found.pk,
        ordinal=form.cleaned_data["turn"],
        seat=form.cleaned_data["seat"],
        wizard=wizard,
        now=site_now(),
    )
    limit = partial(check_rate, request, "practice")
    return redirect_to_duel_once(request, command, limit=limit)


@post_only
@duellist_only
def back_to_lesson(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Start the lesson again at the turn in which the learner left its script."""
    found = duel_or_404(duel_id, wizard)
    command = partial(return_to_lesson, duel_id=found.pk, wizard=wizard, now=site_now())
    limit = partial(check_rate, request, "practice")
    return redirect_to_duel_once(request, command, limit=limit)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_guest(request: HttpRequest) -> HttpResponse:
    """Ask whether to delete this browser's guest. On POST, delete the guest and their duels."""
    guest = guests.guest_of(request)
    if guest is not None and request.method != "POST":
        return render(request, "duels/practice/delete_guest.html")
    response = redirect("home")
    if request.method != "POST":
        return response
    if guest is not None:
        delete_guest_command(guest=guest, now=site_now())
        messages.success(request, "The guest and all practice duels have been deleted.")
    guests.clear_guest_cookie(request, response)
    return response
