"""Views for the user's settings, vacations and reading preferences."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from duels import errors
from duels.accounts import preferences
from duels.commands import profiles, vacations
from duels.commands.submitting import FormResult
from duels.forms import WizardForm
from duels.loaded.database_clock import site_now
from duels.models import User, Wizard
from duels.push import public as push
from duels.referees.log.act_log import is_referee
from duels.requests import access
from duels.requests.submitting import redirect_once, result_if_resent
from duels.requests.unsent import sign_in_required
from duels.screens.settings.context import reading_fields, vacation_settings
from duels.screens.settings.forms import ProfileForm
from duels.sign_in import guests


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def settings(request: HttpRequest) -> HttpResponse:
    """Show and change the user's public data, or create a wizard if there is none."""
    wizard = access.player_of(request)
    typed = request.POST if request.method == "POST" else None
    form = WizardForm(typed) if wizard is None else ProfileForm(typed, wizard)
    status = HTTPStatus.OK
    if typed is not None:
        status = HTTPStatus.BAD_REQUEST
        try:
            response = _saved_response(request, wizard, form)
            if response is not None:
                return response
        except errors.Refused as refused:
            status = access.add_refusal(form, refused)
    return _settings_page(request, form, wizard, status=status)


def _saved_response(
    request: HttpRequest, wizard: Wizard | None, form: forms.Form
) -> HttpResponse | None:
    """Save the form once, and return the redirect, or None if the form is invalid."""
    sent_before = result_if_resent(request)
    if sent_before is None and not form.is_valid():
        return None

    def save_form(_: str) -> FormResult:
        typed, now = form.cleaned_data, site_now()
        if wizard is None:
            assert isinstance(request.user, User)
            profiles.create_wizard(user=request.user, now=now, **typed)
            return FormResult(_next_url(request), "Saved.")
        about, shows = typed["about"], typed["shows_last_seen"]
        profiles.change_profile(wizard=wizard, about=about, shows_last_seen=shows, now=now)
        profiles.change_pronouns(wizard=wizard, pronouns=typed["pronouns"], now=now)
        return FormResult(reverse("settings"), "Saved.")

    response = redirect_once(request, save_form)
    saved = Wizard.objects.filter(user=request.user.pk).first()
    guests.claim_guest_duels(request, response, saved)
    return response


@access.post_only
@access.player_only
def vacation(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    now = site_now()
    if request.POST.get("do") == "end":
        if vacations.end_vacation(wizard=wizard, now=now):
            messages.success(request, "Welcome back. Your clocks are running again.")
        return redirect("settings")
    shown = vacation_settings(wizard, now, request.POST)
    form, status = shown["form"], HTTPStatus.BAD_REQUEST
    if form.is_valid():
        until = form.cleaned_data["until"]
        try:
            vacations.start_vacation(wizard=wizard, until=until, now=now)
        except errors.Refused as refused:
            if not refused.field:
                raise
            status = access.add_refusal(form, refused)
        else:
            messages.success(request, "You are on vacation: your clocks are stopped.")
            return redirect("settings")
    return _settings_page(request, ProfileForm(None, wizard), wizard, shown, status=status)


def _settings_page(
    request: HttpRequest,
    form: forms.Form,
    wizard: Wizard | None,
    vacation: dict[str, Any] | None = None,
    *,
    status: HTTPStatus,
) -> HttpResponse:
    if wizard is not None and vacation is None:
        vacation = vacation_settings(wizard, site_now())
    context = {
        "form": form,
        "wizard": wizard,
        "reading_fields": reading_fields(preferences.preferences_of_reader(request)),
        "vacation": vacation,
        "has_push": push.is_configured(),
        "go_on_to": request.POST.get("next", request.GET.get("next", "")),
        "is_referee": isinstance(request.user, User) and is_referee(request.user),
    }
    return render(request, "duels/settings/settings.html", context, status=status)


def _next_url(request: HttpRequest) -> str:
    """Return the address on this site to redirect to after the wizard is created."""
    wanted = request.POST.get("next", "")
    is_place = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, None)
    return wanted if is_place else reverse("home")


def change_reading_preferences(request: HttpRequest) -> HttpResponseBase:
    """Change some or all preferences and redirect back. On GET, redirect to the front page."""
    if request.method in ("GET", "HEAD"):
        return redirect("home")
    return _store_choices(request)


@require_POST
def _store_choices(request: HttpRequest) -> HttpResponse:
    typed = request.POST.dict()
    try:
        chosen = _stored_preferences(request, typed)
    except errors.Refused as refused:
        return access.refusal_response(request, refused, back=_return_address(request))
    if "quiet" in typed:  # a script has already changed the page
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    else:
        if "said" in typed:
            messages.success(request, "Saved.")
        # `redirect` could mistake the address for the name of a view.
        response = HttpResponseRedirect(_return_address(request))
    preferences.store_preferences_in_cookies(response, chosen, typed)
    return response


def _stored_preferences(
    request: HttpRequest, typed: dict[str, str]
) -> preferences.ReadingPreferences:
    wizard = access.player_of(request)
    if wizard is None:
        return preferences.updated_preferences(preferences.preferences_of_reader(request), typed)
    return profiles.set_reading_preferences(wizard=wizard, typed=typed)


def _return_address(request: HttpRequest) -> str:
    """Return the address of the page that sent the form. If it is not on this site, return the
    front page.

    Forms do not contain the page's address. Otherwise the error page for a private duel would
    differ from the one for a duel that does not exist.
    """
    back = request.POST.get("next") or request.headers.get("Referer", "")
    ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return back if ours else "/"
