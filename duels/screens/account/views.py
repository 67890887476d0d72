"""Views to download all data of an account, to close it, and to end its other sessions."""

from functools import partial
from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.closing import begin_closing
from duels.commands.submitting import FormResult
from duels.loaded.database_clock import site_now
from duels.models import AccountClosing, User
from duels.requests.access import player_of, post_only
from duels.requests.submitting import redirect_once
from duels.screens.account.export import data_archive
from duels.screens.account.forms import CloseAccountForm

CLOSED_MESSAGE = "Your account is closed. Farewell."
CLOSING_MESSAGE = (
    "Your account is closed, and nobody can sign in with it. Leaving your duels takes a few "
    "minutes; after that, none of them shows your name. Farewell."
)


# Require a recent sign-in to submit a form, so that nobody can export or close an account on an
# unattended screen. Users without a password or second factor can only sign in by email, so they
# are not asked to sign in again.
recent_sign_in_required = partial(
    reauthentication_required, enabled=lambda request: request.method == "POST"
)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@recent_sign_in_required
def account_close(request: HttpRequest) -> HttpResponse:
    """Ask the user to type the wizard's name as confirmation, then close the account."""
    user = request.user
    assert isinstance(user, User)
    wizard = player_of(request)
    typed = request.POST if request.method == "POST" else None
    form = CloseAccountForm(typed, name=wizard.name if wizard else "", email=user.email)
    if not form.is_valid():
        status = HTTPStatus.OK if typed is None else HTTPStatus.BAD_REQUEST
        return render(request, "duels/account/account_close.html", {"form": form}, status=status)
    closing = begin_closing(user=user, now=site_now())
    is_under_way = closing is not None and AccountClosing.objects.filter(pk=closing.pk).exists()
    logout(request)
    messages.success(request, CLOSING_MESSAGE if is_under_way else CLOSED_MESSAGE)
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@recent_sign_in_required
def account_export(request: HttpRequest) -> HttpResponseBase:
    """Describe the export. On POST, return all data in one archive."""
    user = request.user
    assert isinstance(user, User)
    if request.method != "POST":
        return render(request, "duels/account/account_export.html")
    limited: HttpResponse | None = ratelimit.consume_or_429(request, action="export")
    if limited is not None:
        return limited
    name = f"spellcaster-{site_now():%Y-%m-%d}.zip"
    return FileResponse(data_archive(user), as_attachment=True, filename=name)


@post_only
@login_required
def session_end(request: HttpRequest, session_id: int) -> HttpResponse:
    """Sign out one of the user's own sessions at once."""

    def end(_: str) -> FormResult:
        get_object_or_404(UserSession, pk=session_id, user_id=request.user.pk).end()
        return FormResult(reverse("usersessions_list"), "Signed out on that device.")

    return redirect_once(request, end)
