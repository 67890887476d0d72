"""Views of django-allauth in which a form that a browser sends twice takes effect only once."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, reverse
from django.utils import timezone

from duels.commands.submitting import FormDigest, FormResult, create_once
from duels.models.site import MAX_ADDRESS_LENGTH
from duels.requests import form_keys
from duels.requests.unsent import redirect_to_sign_in

AccountView = Callable[..., HttpResponse]
NO_RESULT: Final = FormResult("")


def repeatable_patterns(
    patterns: Sequence[URLPattern | URLResolver],
) -> list[URLPattern | URLResolver]:
    """Return these URL patterns with views that process a form only once."""
    copies: list[URLPattern | URLResolver] = []
    for each in patterns:
        if isinstance(each, URLPattern):
            view = process_form_once(each.callback)
            copies.append(URLPattern(each.pattern, view, each.default_args, each.name))
        else:
            included = repeatable_patterns(each.url_patterns)
            copies.append(URLResolver(each.pattern, included, each.default_kwargs))
    return copies


def process_form_once(view: AccountView) -> AccountView:
    """Make a view process a form only once. A repeated form gets the same redirect and session.

    The first response may have been lost, together with the cookie of the session that it began.
    Forms that were rejected, and therefore did not lead to a redirect, can be sent again.
    """

    @wraps(view)
    def view_once(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        key = form_keys.submitted_key(request) if request.method == "POST" else ""
        if not key:
            return view(request, *args, **kwargs)
        responses: list[HttpResponse] = []

        def process_form() -> FormResult:
            responses.append(_response_or_sign_in(request, view(request, *args, **kwargs)))
            return _form_result(request, responses[0])

        digest = form_keys.form_digest_in_browser(request, key)
        made = create_once(form=FormDigest(digest, ""), now=timezone.now(), create=process_form)
        return responses[0] if responses else _repeated_response(request, made)

    return view_once


def _response_or_sign_in(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response, or keep the form for later if the response asks for a sign-in."""
    wanted = f"{reverse('account_login')}?next={request.path}"
    is_signed_out = not request.user.is_authenticated
    if is_signed_out and response.get("Location", "").startswith(wanted):
        return redirect_to_sign_in(request)
    return response


def _form_result(request: HttpRequest, response: HttpResponse) -> FormResult:
    """Return a redirect's address, with the session's key as its message.

    Return `NO_RESULT` for other responses.
    """
    if not isinstance(response, HttpResponseRedirect) or len(response.url) > MAX_ADDRESS_LENGTH:
        return NO_RESULT
    if request.session.modified and not request.session.is_empty():
        request.session.save()  # a new session has no key until it is saved
    return FormResult(response.url, request.session.session_key or "")


def _repeated_response(request: HttpRequest, earlier: FormResult) -> HttpResponse:
    session_key = earlier.message
    if session_key and request.session.exists(session_key):
        request.session = type(request.session)(session_key)
        request.session.modified = True  # so that the browser gets the cookie again
    return HttpResponseRedirect(earlier.address)
