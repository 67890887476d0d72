"""Response to rate-limited requests: when to try again, with the submitted form.

django-allauth counts requests and calls this module for its response (`handler429` of
`spellcaster.urls`).
"""

import math
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import ResolverMatch, resolve

from duels.wording.moments import span_words
from spellcaster.accounts import RATE_LIMIT_APP, stored_spelling

# Names of allauth's rate limits, for URLs that are not named `account_` and the limit's name.
LIMIT_NAMES: Final[Mapping[str, str]] = {
    "account_set_password": "change_password",
    "account_email": "manage_email",
    "mfa_reauthenticate": "reauthenticate",
    "mfa_reauthenticate_webauthn": "reauthenticate",
    "play": "guest",
}
# URL names of the forms that are shown again with what was typed. All others ask for passwords.
FORMS_SHOWN_AGAIN: Final = (
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_email",
)


def rate_limited_response(request: HttpRequest) -> HttpResponse:
    """Return a page that says when to try again.

    It contains the submitted form if that is one of `FORMS_SHOWN_AGAIN`, with all values except
    passwords.
    """
    match = resolve(request.path_info)
    name = match.url_name or ""
    seconds = _seconds_left(request, LIMIT_NAMES.get(name, name.removeprefix("account_")))
    wait = span_words(timedelta(seconds=seconds)) if seconds else ""
    if request.method == "POST" and name in FORMS_SHOWN_AGAIN:
        response = _form_with_wait_response(request, match, wait)
    else:
        response = render(request, "429.html", {"wait": wait})
    response.status_code = 429
    if seconds:
        response["Retry-After"] = str(seconds)
    return response


def _seconds_left(request: HttpRequest, action: str) -> int:
    """Return the seconds until the next request is accepted, or 0 if unknown."""
    now = time.time()
    waits = [
        counted[-1] + rate.duration - now
        for rate in ratelimit.get_rates(app=RATE_LIMIT_APP, action=action)
        for counted in [_counted_times(request, action, rate)]
        if len(counted) >= rate.amount
    ]
    return max(0, math.ceil(max(waits, default=0)))


def _counted_times(request: HttpRequest, action: str, rate: ratelimit.Rate) -> list[float]:
    """Return the times at which this action was counted, newest first."""
    key = stored_spelling(request.POST.get("email", ""))
    try:
        name = ratelimit.get_cache_key(
            request, app=RATE_LIMIT_APP, action=action, rate=rate, key=key
        )
    except ImproperlyConfigured:  # the limit is per user, but no one is signed in
        return []
    times: list[float] = cache.get(name, [])
    return times


def _form_with_wait_response(request: HttpRequest, match: ResolverMatch, wait: str) -> HttpResponse:
    page: Any = match.func
    view = page.view_class()
    view.setup(request, *match.args, **match.kwargs)
    arguments = view.get_form_kwargs()
    for sent in ("data", "files"):
        arguments.pop(sent, None)
    typed = {name: value for name, value in request.POST.items() if "password" not in name}
    arguments["initial"] = {**arguments.get("initial", {}), **typed}
    when = f"in {wait}" if wait else "a little later"
    messages.error(request, f"You have tried this too often. Nothing was done. Try again {when}.")
    context = view.get_context_data(form=view.get_form_class()(**arguments))
    response: HttpResponse = view.render_to_response(context).render()
    return response
