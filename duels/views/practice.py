"""Playing at once: the guided first duel, practice duels, and being a guest."""

from http import HTTPStatus

from allauth.core import ratelimit
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from duels import commands, guests, lessons
from duels.forms import PlayOnForm, PracticeForm
from duels.models import Wizard
from duels.views.access import duel_or_404, duellist_only, post_only, refusal, status_of, wizard_of
from duels.views.limits import check_rate


@post_only
def play(request: HttpRequest) -> HttpResponse:
    """The guided first duel begins, or goes on. Who has no account becomes a guest."""
    wizard = wizard_of(request)
    if wizard is None and request.user.is_authenticated:
        return redirect("settings")
    token = ""
    if wizard is None:
        limited: HttpResponse | None = ratelimit.consume_or_429(request, action="guest")
        if limited is not None:
            return limited
        token = guests.new_token()
    try:
        if wizard is None:
            wizard = commands.create_guest(key=guests.key_of(token), now=timezone.now())
        duel = commands.start_lesson(wizard=wizard, lesson=lessons.FIRST.slug, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused)
    response = redirect("duel", duel.pk)
    if token:
        guests.set_guest_cookie(response, token)
    else:
        guests.keep_longer(request, response, wizard)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def practice(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Choose the rules of a practice duel; it begins at once."""
    if request.method != "POST":
        return render(request, "duels/practice.html", {"form": PracticeForm()})
    form = PracticeForm(request.POST)
    status = HTTPStatus.BAD_REQUEST
    if form.is_valid():
        typed = form.cleaned_data
        try:
            check_rate(request, "practice")
            duel = commands.start_practice(
                wizard=wizard,
                ruleset=typed["ruleset"],
                strict=typed["strict"],
                sacrifice=typed["sacrifice"],
                now=timezone.now(),
            )
        except commands.Refused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.text)
            status = status_of(refused)
        else:
            response = redirect("duel", duel.pk)
            guests.keep_longer(request, response, wizard)
            return response
    return render(request, "duels/practice.html", {"form": form}, status=status)


@post_only
@duellist_only
def play_on(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """A practice duel begins from before a turn of a duel that is over."""
    found = duel_or_404(duel_id, wizard)
    form = PlayOnForm(request.POST)
    try:
        if not form.is_valid():
            raise commands.Refused("no_turn", "Turn: give its number.", field="turn")
        check_rate(request, "practice")
        begun = commands.play_on(
            duel_id=found.pk,
            ordinal=form.cleaned_data["turn"],
            seat=form.cleaned_data["seat"],
            wizard=wizard,
            now=timezone.now(),
        )
    except commands.Refused as refused:
        return refusal(request, refused, back=f"/duels/{found.pk}/")
    response = redirect("duel", begun.pk)
    guests.keep_longer(request, response, wizard)
    return response


@post_only
def guest_forget(request: HttpRequest) -> HttpResponse:
    """The guest of this browser and their duels are gone."""
    response = redirect("home")
    guest = guests.guest_of(request)
    if guest is not None:
        try:
            commands.forget_guest(guest=guest, now=timezone.now())
        except commands.Refused as refused:
            return refusal(request, refused)
        messages.success(request, "The guest is deleted, with all practice duels.")
    guests.clear_guest_cookie(request, response)
    return response
