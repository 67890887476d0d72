"""Views to post, read and answer challenges."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from duels import errors
from duels.accounts.preferences import time_zone_of
from duels.commands import challenges
from duels.commands.guests import accept_as_guest, has_generated_name, invite_as_guest
from duels.commands.submitting import FormResult
from duels.forms import focus_first_error
from duels.loaded.database_clock import site_now
from duels.matching import public as matching
from duels.models import Duel, Wizard
from duels.queries import lists
from duels.requests import submitting
from duels.requests.access import add_refusal, duel_or_404, duellist_only, player_of, post_only
from duels.requests.rate_limits import check_guest_rate, check_rate
from duels.screens.challenge import forms
from duels.screens.challenge.context import challenge_address, challenge_context, form_context
from duels.screens.parts.qr_code import qr_code
from duels.sign_in import guests

MAX_TOKEN_LENGTH = 43


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Show a short form, and create an invitation link for a friend.

    The view is open to players and guests. Visitors become guests under the name that they enter.
    Guests who have only a made-up name also enter a name.
    """
    wizard = guests.wizard_of(request)
    if wizard is None and request.user.is_authenticated:
        return _redirect_to_name_wizard(reverse("invite"))
    is_unnamed = wizard is None or has_generated_name(wizard)
    form_class = forms.GuestInviteForm if is_unnamed else forms.InviteForm
    if request.method != "POST":
        return _invite_page(request, form_class(initial=lists.rules_of_last_duel(wizard)), wizard)
    form = form_class(request.POST)
    if not form.is_valid():
        return _invite_page(request, form, wizard, HTTPStatus.BAD_REQUEST)
    now, terms = site_now(), form.cleaned_data

    def create_invitation(token: str) -> FormResult:
        if wizard is None or is_unnamed:
            duel = invite_as_guest(guest=wizard, key=guests.token_hash(token), now=now, **terms)
        else:
            duel = challenges.invite_friend(challenger=wizard, now=now, **terms)
        return submitting.duel_page_result(duel)

    limit = partial(check_rate, request, "challenge", wizard)
    if wizard is None:
        limit = partial(check_guest_rate, request)
    try:
        return submitting.redirect_once(request, create_invitation, limit=limit)
    except errors.Refused as refused:
        return _invite_page(request, form, wizard, add_refusal(form, refused))


def _invite_page(
    request: HttpRequest, form: forms.InviteForm, wizard: Wizard | None, status: int = HTTPStatus.OK
) -> HttpResponse:
    focus_first_error(form)
    context = {"form": form, "wizard": wizard}
    return render(request, "duels/challenge/invite.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def challenge_new(request: HttpRequest) -> HttpResponse:
    """Show the challenge form. On POST, create the challenge.

    Visitors are told why they need an account. After signing in, they return to the form with their
    choices.
    """
    typed = request.POST if request.method == "POST" else request.GET
    meant = forms.ChallengeForm.initial_values(typed.dict())
    here = f"{reverse('challenge_new')}?{urlencode(meant)}" if meant else reverse("challenge_new")
    wizard = player_of(request)
    if wizard is not None:
        return _challenge_form_response(request, wizard, meant)
    if request.user.is_authenticated:
        return _redirect_to_name_wizard(here)
    if request.method == "POST":
        return redirect(here)
    context = {"here": here, "meant": meant}
    return render(request, "duels/challenge/challenge_account.html", context)


def _redirect_to_name_wizard(return_address: str) -> HttpResponse:
    """Redirect to the page that creates a wizard and then redirects to `return_address`."""
    return redirect(f"{reverse('settings')}?{urlencode({'next': return_address})}")


def _challenge_form_response(
    request: HttpRequest, wizard: Wizard, initial: dict[str, str]
) -> HttpResponse:
    zone = time_zone_of(wizard).key
    if request.method != "POST":
        form = forms.ChallengeForm(initial=lists.rules_of_last_duel(wizard) | initial, zone=zone)
        return render(request, "duels/challenge/challenge_new.html", form_context(form))
    form = forms.ChallengeForm(request.POST, zone=zone)
    status = HTTPStatus.BAD_REQUEST
    if form.is_valid():
        typed = form.cleaned_data
        command = partial(
            matching.create_challenge,
            challenger=wizard,
            **{name: typed[name] for name in form.PASSED_ON},
            invitation=typed["to"] == forms.ChallengeForm.INVITATION,
            options=form.options,
            open_to_guests=not typed["players_only"],
            rated=typed["rating"] == forms.ChallengeForm.RATED,
            now=site_now(),
        )
        try:
            limit = partial(check_rate, request, "challenge", wizard)
            return submitting.redirect_to_duel_once(request, command, limit=limit)
        except errors.Refused as refused:
            status = add_refusal(form, refused)
    focus_first_error(form)
    return render(request, "duels/challenge/challenge_new.html", form_context(form), status=status)


def challenge(
    request: HttpRequest,
    duel: Duel,
    viewer: Wizard | None,
    token: str = "",
    *,
    form: forms.GuestForm | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render the page of a challenge that is waiting for players or has lapsed.

    `form` asks a guest for a name before they accept.
    """
    is_user = request.user.is_authenticated
    context = challenge_context(duel, viewer, token, is_user=is_user)
    context["form"] = form = form or forms.GuestForm()
    focus_first_error(form)
    if context["shows_link"]:
        path = reverse("invitation", args=[duel.token])
        context["invitation_link"] = link = request.build_absolute_uri(path)
        context["qr_code"] = qr_code(link)
    elif context["is_challenger"] and duel.rematch_of_id:
        context["rematch_link"] = request.build_absolute_uri(reverse("duel", args=[duel.pk]))
    return render(request, "duels/challenge/challenge.html", context, status=status)


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show the challenge behind an invitation link. Opening the link does not accept it.

    If this browser accepted the invitation as a guest, but never received the guest's cookie, set
    the cookie now.
    """
    duel = _duel_invited_to_or_404(token)
    wizard = guests.wizard_of(request)
    is_visitor = wizard is None and not request.user.is_authenticated
    if is_visitor:
        path = reverse("invitation_accept", args=[token])
        guest_token = submitting.guest_token_of_lost_response(request, path)
        if guest_token:
            response: HttpResponse = redirect("duel", duel.pk)
            guests.set_guest_cookie(response, guest_token)
            return response
    if duel.started_at is not None:
        return redirect("duel", duel.pk)
    response = challenge(request, duel, wizard, token)
    if is_visitor:
        submitting.set_form_cookie(request, response)
    return response


@post_only
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    return _accept(request, _duel_invited_to_or_404(token).pk, token)


def _duel_invited_to_or_404(token: str) -> Duel:
    duel = lists.challenge_by_token(token) if len(token) <= MAX_TOKEN_LENGTH else None
    if duel is None:
        raise Http404("No such invitation.")
    return duel


@post_only
def challenge_accept(request: HttpRequest, duel_id: int) -> HttpResponseBase:
    """Accept a challenge. Visitors who enter a name become guests."""
    if "name" in request.POST:
        return _accept(request, duel_id)
    return _accept_as_wizard(request, duel_id)


@duellist_only
def _accept_as_wizard(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    token = request.POST.get("token", "")[: MAX_TOKEN_LENGTH + 1]
    return _accept_response(request, wizard, duel_id, token)


def _accept(request: HttpRequest, duel_id: int, token: str = "") -> HttpResponse:
    """Accept a challenge that is open to anyone, or to anyone who has its link.

    Visitors become guests under the name that they enter. Guests who have only a made-up name, for
    example from a practice duel, can also enter a name.
    """
    wizard = guests.wizard_of(request)
    if request.user.is_authenticated and wizard is None:
        return _redirect_to_name_wizard(challenge_address(duel_id, token))
    if wizard is not None and not (has_generated_name(wizard) and "name" in request.POST):
        return _accept_response(request, wizard, duel_id, token)
    form = forms.GuestForm(request.POST)

    def form_page(status: int) -> HttpResponse:
        duel = duel_or_404(duel_id, wizard, token)
        return challenge(request, duel, wizard, token, form=form, status=status)

    if not form.is_valid():
        return form_page(HTTPStatus.BAD_REQUEST)
    terms = {"duel_id": duel_id, "token": token, "name": form.cleaned_data["name"]}

    def accept_invitation(guest_token: str) -> FormResult:
        # Check access here, not earlier: a second copy of the form arrives after the duel has
        # started.
        duel, now = duel_or_404(duel_id, wizard, token), site_now()
        accept_as_guest(guest=wizard, key=guests.token_hash(guest_token), now=now, **terms)
        return submitting.duel_page_result(duel)

    limit = partial(check_guest_rate, request) if wizard is None else None
    try:
        return submitting.redirect_once(request, accept_invitation, limit=limit)
    except errors.Refused as refused:
        if not (refused.field or refused.code == "too_often"):
            raise
        return form_page(add_refusal(form, refused))


def _accept_response(
    request: HttpRequest, wizard: Wizard, duel_id: int, token: str
) -> HttpResponse:
    duel_or_404(duel_id, wizard, token)
    command = partial(
        challenges.accept, duel_id=duel_id, wizard=wizard, now=site_now(), token=token
    )
    return submitting.redirect_to_duel_once(request, command)


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def challenge_counter(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Show the terms of a challenge in a form. On POST, propose changed terms."""
    duel, zone = duel_or_404(duel_id, wizard), time_zone_of(wizard).key
    if request.method == "POST":
        form, status = forms.CounterForm(request.POST, zone=zone), HTTPStatus.BAD_REQUEST
    elif not challenges.can_make_counterproposal(duel, wizard):
        return redirect("duel", duel_id)
    else:
        form = forms.CounterForm(initial=forms.CounterForm.initial_terms(duel), zone=zone)
        status = HTTPStatus.OK
    if form.is_valid():
        command = partial(
            challenges.make_counterproposal,
            duel_id=duel_id,
            wizard=wizard,
            ruleset=form.cleaned_data["ruleset"],
            options=form.options,
            pace=form.cleaned_data["pace"],
            now=site_now(),
        )
        try:
            limit = partial(check_rate, request, "challenge", wizard)
            return submitting.redirect_to_duel_once(request, command, limit=limit)
        except errors.Refused as refused:
            status = add_refusal(form, refused)
    focus_first_error(form)
    context = form_context(form) | {"duel": duel}
    return render(request, "duels/challenge/counter.html", context, status=status)


def _ending_view(command: Callable[..., object], message: str) -> Callable[..., HttpResponseBase]:
    """Return a view that runs a command to leave or close a challenge, and shows this message."""

    @post_only
    @duellist_only
    def view(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
        def end(_: str) -> FormResult:
            duel_or_404(duel_id, wizard)
            command(duel_id=duel_id, wizard=wizard, now=site_now())
            return FormResult(reverse("home"), message)

        return submitting.redirect_once(request, end)

    return view


challenge_decline = _ending_view(challenges.decline, "You have declined the challenge.")
challenge_leave = _ending_view(challenges.leave, "You have left this challenge.")
challenge_withdraw = _ending_view(challenges.withdraw, "Your challenge has been withdrawn.")
