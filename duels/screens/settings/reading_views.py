"""The view that changes reading preferences, from the foot of any page or from the settings."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from duels import errors
from duels.accounts import preferences
from duels.commands import profiles
from duels.models import User
from duels.requests.access import refusal_response


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
        return refusal_response(request, refused, back=_return_address(request))
    if "quiet" in typed:  # a script has already changed the page
        response = HttpResponse(status=HTTPStatus.NO_CONTENT)
    else:
        if "said" in typed:
            messages.success(request, "Saved.")
        response = HttpResponseRedirect(
            _return_address(request)
        )  # an address, which `redirect` could mistake for the name of a view
    preferences.store_preferences_in_cookies(response, chosen, typed)
    return response


def _stored_preferences(
    request: HttpRequest, typed: dict[str, str]
) -> preferences.ReadingPreferences:
    wizard = getattr(request.user, "wizard", None) if isinstance(request.user, User) else None
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
