"""Handling of forms that create something, which have no second effect if they are sent twice."""

from collections.abc import Callable
from functools import partial
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from duels import errors
from duels.commands.submitting import SUBMISSION_LIFETIME, FormResult, create_once, earlier_result
from duels.loaded.database_clock import site_now
from duels.models import Duel
from duels.queries import lists
from duels.requests import form_keys
from duels.sign_in import guests
from duels.sign_in.cookies import read_cookie, set_cookie

INVITATION_COOKIE: Final = "invitation"


def duel_page_result(duel: Duel) -> FormResult:
    """Return a form's result that redirects to this duel's page."""
    return FormResult(reverse("duel", args=[duel.pk]))


def run_once(
    request: HttpRequest,
    create: Callable[[str], FormResult],
    *,
    limit: Callable[[], None] | None = None,
) -> tuple[FormResult, str]:
    """Return the result of this form, and a token for a guest.

    If the form was sent before, return the result of the first time. `create` receives the token,
    and may use it to create a guest for this browser. The token is derived from the form's key, so
    every copy of the form gets the same guest. `limit` is called before `create`, but not for
    copies. Both functions may raise `Refused`.
    """
    key = form_keys.submitted_key(request)
    if not key:
        if limit is not None:
            limit()
        token = guests.new_token()
        return create(token), token
    form = form_keys.form_digest(request, key)
    token = guests.token_for_form(form.key)
    has_guest = lists.guest_by_key(guests.token_hash(token)) is not None
    try:
        made = earlier_result(form, ignores_content=has_guest)
        if made is None:
            if limit is not None:
                limit()
            made = create_once(form=form, now=site_now(), create=partial(create, token))
    except errors.Refused as refused:
        if refused.code == "already_sent":
            form_keys.renew_page_key(request)
        raise
    form_keys.renew_page_key(request)
    return made, token


def result_if_resent(request: HttpRequest) -> FormResult | None:
    """Return the result of this form if it was sent before, otherwise None."""
    key = form_keys.submitted_key(request)
    return earlier_result(form_keys.form_digest(request, key)) if key else None


def redirect_once(
    request: HttpRequest,
    create: Callable[[str], FormResult],
    *,
    limit: Callable[[], None] | None = None,
) -> HttpResponse:
    """Redirect to the result of `run_once`. Set the guest cookie if the form created a guest."""
    wizard = guests.wizard_of(request)
    made, token = run_once(request, create, limit=limit)
    if made.message:
        messages.success(request, made.message)
    response = redirect(made.address)
    if wizard is not None:
        guests.extend_guest_stay(request, response, wizard)
    elif lists.guest_by_key(guests.token_hash(token)) is not None:
        guests.set_guest_cookie(response, token)
    return response


def redirect_to_duel_once(
    request: HttpRequest,
    command: Callable[[], Duel],
    message: str = "",
    *,
    part: str = "",
    limit: Callable[[], None] | None = None,
) -> HttpResponse:
    """Run the command, unless the same form was sent before, and redirect to its duel.

    `part` is the id of the part of the page that shows the result.
    """

    def create(_: str) -> FormResult:
        made = duel_page_result(command())
        address = f"{made.address}#{part}" if part else made.address
        return FormResult(address, message)

    return redirect_once(request, create, limit=limit)


def set_form_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """Store the key of this page's form in the browser, for `guest_token_of_lost_response`."""
    key = form_keys.page_key(request)
    set_cookie(response, INVITATION_COOKIE, key, SUBMISSION_LIFETIME, path=request.path)


def guest_token_of_lost_response(request: HttpRequest, path: str) -> str:
    """Return the token of the guest that this browser created with its form for `path`, or "".

    The browser has no guest cookie if it did not receive the response to that form.
    """
    key = read_cookie(request, INVITATION_COOKIE)
    token = guests.token_for_form(form_keys.key_digest(path, key)) if key else ""
    return token if token and lists.guest_by_key(guests.token_hash(token)) is not None else ""
