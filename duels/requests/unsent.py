"""Handling of forms that the site cannot accept because the player's session has changed.

The session may have ended, or a new sign-in in another tab may have replaced it. The player's input
is not lost: the response shows it with a button to send it again. If the player must sign in first,
the session stores the input, encrypted, for the wizard who typed it.
"""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from allauth.account.utils import get_login_redirect_url
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.middleware import csrf
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_safe

from duels.errors import MissingKey
from duels.models import Wizard
from duels.requests import form_keys
from duels.sealing import seals

P = ParamSpec("P")

UNSENT_FORM_SESSION_KEY: Final = "unsent form"  # key in the session
MAX_STORED_FORM_LENGTH: Final = 20_000
# Fields that players do not fill in. They are sent again but not shown.
HIDDEN_FIELDS: Final = frozenset(
    {
        *form_keys.TECHNICAL_FIELDS,
        "turn",
        "round",
        "roll_backs",
        "form_seal",
        "do",
        "seen",
        "text_before",
        "next",
    }
)
DRAFT_NOT_SAVED_TEXT: Final = (
    "Draft not saved: you have signed in again since you opened this page. Your choices are still "
    "here. Press the seal button, and the site offers them to you again."
)
# Passwords and codes, which the site neither stores nor sends back.
SECRET_FIELDS: Final = frozenset(
    {"password", "password1", "password2", "oldpassword", "code", "credential"}
)
# Forms that sign a visitor in, by URL name. If a copy arrives after the first has signed the user
# in, its CSRF token is no longer valid.
SIGN_IN_FORMS: Final = frozenset(
    {
        "account_login",
        "account_confirm_email",
        "account_signup",
        "account_confirm_login_code",
        "mfa_authenticate",
        "mfa_login_webauthn",
    }
)
# Places for a notice on a duel's page, by the URL name of the form that a script has sent.
NOTICE_ELEMENTS: Final[Mapping[str, str]] = {"sheet": "#sheet-notice", "say": "#talk-notice"}


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Respond to a form with an invalid CSRF token, usually after a new sign-in in another tab."""
    name = _url_name_of(request)
    has_expired = reason == csrf.REASON_NO_CSRF_COOKIE or reason.startswith("CSRF token from POST")
    if not (name and has_expired and request.POST.get("csrfmiddlewaretoken")):
        return render(request, "403_csrf.html", status=403)
    if name in SIGN_IN_FORMS and request.user.is_authenticated:
        return redirect(get_login_redirect_url(request))
    if name == "draft":
        return HttpResponse(
            DRAFT_NOT_SAVED_TEXT, content_type="text/plain; charset=utf-8", status=403
        )
    if name in NOTICE_ELEMENTS and request.headers.get("HX-Request") == "true":
        return _not_sent_notice(request, NOTICE_ELEMENTS[name], is_signed_out=False)
    return _show_unsent(request, request.path, request.POST, status=403)


def sign_in_required(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restrict a view to users. Redirect visitors to sign in, and keep the form they sent."""

    @wraps(view)
    def view_for_users(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_sign_in(request)
        return view(request, *args, **kwargs)

    return view_for_users


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect a visitor to the sign-in page, and store the form that they have sent."""
    name = _url_name_of(request)
    if name in NOTICE_ELEMENTS and request.headers.get("HX-Request") == "true":
        return _not_sent_notice(request, NOTICE_ELEMENTS[name], is_signed_out=True)
    if name != "draft" and store_form(request):
        messages.warning(request, "You are signed out. Sign in to send what you wrote.")
        return redirect_to_login(reverse("unsent"))
    here: HttpResponseRedirect = redirect_to_login(request.get_full_path())
    return here


@require_safe
def unsent_form(request: HttpRequest) -> HttpResponse:
    """Show the form that this wizard sent while signed out."""
    kept = request.session.get(UNSENT_FORM_SESSION_KEY)
    if not (request.user.is_authenticated and kept):
        return redirect("home")
    try:
        owner, path, fields = json.loads(seals.decrypt(kept))
    except MissingKey:
        return redirect("home")
    if owner != form_keys.owner_of(request):
        return redirect("home")
    typed = QueryDict(mutable=True)
    for name, values in fields:
        typed.setlist(name, values)
    return _show_unsent(request, path, typed)


def _url_name_of(request: HttpRequest) -> str:
    """Return the URL name of a submitted form, or "" if it belongs to neither game nor account."""
    if request.method != "POST":
        return ""
    try:
        match = resolve(request.path)
    except Resolver404:
        return ""
    is_known = match.func.__module__.startswith(("duels.", "allauth."))
    return (match.url_name or "") if is_known else ""


def store_form(request: HttpRequest) -> bool:
    """Store the submitted form for the owner of its page. Return whether it is stored."""
    owner = form_keys.owner_in_key(request.POST.get(form_keys.FORM_KEY_FIELD, ""))
    fields = [(name, sent) for name, sent in request.POST.lists() if name not in SECRET_FIELDS]
    text = json.dumps([owner, request.path, fields], ensure_ascii=False)
    if not (_url_name_of(request) and owner) or len(text) > MAX_STORED_FORM_LENGTH:
        return False
    if not ratelimit.consume(request, action="unsent"):
        return False
    request.session[UNSENT_FORM_SESSION_KEY] = seals.encrypt(text)
    return True


def _show_unsent(
    request: HttpRequest, path: str, typed: QueryDict, status: int = 200
) -> HttpResponse:
    """Show a form's input, with a button that sends it to the same path again."""
    is_orders = resolve(path).url_name == "orders"
    left_out = {"csrfmiddlewaretoken", "do" if is_orders else "", *SECRET_FIELDS}
    fields = [(name, value) for name, values in typed.lists() for value in values]
    owner = form_keys.owner_in_key(typed.get(form_keys.FORM_KEY_FIELD, ""))
    is_others = request.user.is_authenticated and owner not in ("", form_keys.owner_of(request))
    wizard_id = int(owner) if owner.isdecimal() else 0
    context = {
        "action": path,
        "is_orders": is_orders,
        "has_secrets": not SECRET_FIELDS.isdisjoint(typed),
        "fields": [(name, value) for name, value in fields if name not in left_out],
        "shown": [
            (_field_label(name), value)
            for name, value in fields
            if value.strip() and name not in HIDDEN_FIELDS | SECRET_FIELDS
        ],
        "is_others": is_others,
        "written_by": Wizard.objects.filter(pk=wizard_id).first() if is_others else None,
    }
    return render(request, "duels/requests/unsent.html", context, status=status)


def _field_label(name: str) -> str:
    """Return a label for a field, such as "Left subject" for "left_subject"."""
    return name.replace("_", " ").replace(":", " ").capitalize()


def _not_sent_notice(request: HttpRequest, target: str, *, is_signed_out: bool) -> HttpResponse:
    """Show a notice next to the form, which keeps the user's input."""
    context = {"is_signed_out": is_signed_out}
    response = render(request, "duels/requests/not_sent.html", context, status=403)
    response["HX-Retarget"] = target
    response["HX-Reswap"] = "innerHTML"
    return response
