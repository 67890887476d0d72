"""Views to become open to duels, and to stop being open."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from duels import errors
from duels.forms import focus_first_error
from duels.loaded.database_clock import site_now
from duels.matching import public as matching
from duels.models import Wizard
from duels.queries import presence
from duels.requests.access import add_refusal, player_only, post_only
from duels.screens.opponents.context import status_words, terms_words
from duels.screens.opponents.forms import AvailabilityForm
from duels.screens.presence.context import compact_json


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def open_to_duels(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Show whether the wizard is open to duels, and a form to choose duels."""
    # Read the state first: if a duel begins meanwhile, the page's first poll shows it.
    state = presence.waiting_state(wizard)
    own, now, status = matching.availability_of(wizard).first(), site_now(), HTTPStatus.OK
    form = AvailabilityForm(initial=AvailabilityForm.initial_terms(own))
    if request.method == "POST":
        form, status = AvailabilityForm(request.POST), HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                matching.become_open(wizard=wizard, now=now, **form.cleaned_data)
            except errors.Refused as refused:
                status = add_refusal(form, refused)
            else:
                return redirect("open_to_duels")
    focus_first_error(form)
    challenge = matching.suitable_challenge(wizard, own, now) if own else None
    found = matching.newest_found_opponent(wizard)
    context = {
        "form": form,
        "availability": own,
        "status": status_words(wizard, own, now) if own else "",
        "presence": compact_json(state),
        "challenge": challenge,
        "challenge_terms": terms_words(challenge) if challenge else "",
        "found": found,
        "found_terms": terms_words(found.duel) if found else "",
    }
    return render(request, "duels/opponents/open_to_duels.html", context, status=status)


@post_only
@player_only
def stop_waiting(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    matching.stop(wizard=wizard)
    messages.success(request, "You are no longer open to duels.")
    return redirect("open_to_duels")
