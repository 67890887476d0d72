"""Access checks for views, and responses to rejected requests."""

import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

import engine.play
from duels.errors import Refused
from duels.loaded.loading import LoadedDuel, load_duel
from duels.models import Duel, Seat, User, Visibility, Wizard, WizardKind, seat_of
from duels.queries import lists
from duels.queries.wizard_search import find_by_former_name
from duels.requests.unsent import redirect_to_sign_in
from duels.sign_in import guests
from engine.play import Ruleset

# Paths of pages whose forms are sent to paths below them, and texts for the links back to them.
PARENT_PAGE_PATTERN = re.compile(
    r"/(?:duels/\d+|disputes/\d+|desk/cases/\d+|wizards/[^/]+)/|/settings/mail"
)
BACK_LINK_WORDS = (
    ("/duels/", "Back to the duel"),
    ("/settings/", "Back to settings"),
    ("/disputes/", "Back to the dispute"),
)

P = ParamSpec("P")
ViewResult = TypeVar("ViewResult", bound=HttpResponseBase)

# Error codes for "not yours" (403). Most other codes mean "not now" (409).
FORBIDDEN_CODES = frozenset(
    {
        "account_closed",
        "blocked",
        "not_in_it",
        "not_invited",
        "not_your_case",
        "not_your_challenge",
        "not_your_duel",
        "own_challenge",
        "players_only",
        "practice",
        "suspended",
    }
)


# Error codes for "too much" (429): a limit per wizard or per network has been reached.
TOO_MANY_REQUESTS_CODES = frozenset(
    {
        "too_many_challenges",
        "too_many_devices",
        "too_many_disputes",
        "too_many_duels",
        "too_many_followed",
        "too_many_practice",
        "too_many_rematches",
        "too_many_reports",
        "too_many_seals",
        "too_many_words",
        "too_often",
    }
)


def player_of(request: HttpRequest) -> Wizard | None:
    """Return the signed-in user's wizard, or None for visitors and users without a wizard."""
    if not isinstance(request.user, User):
        return None
    return getattr(request.user, "wizard", None)


def duel_or_404(duel_id: int, viewer: Wizard | None, token: str = "") -> Duel:
    """Return the duel. Raise Http404 if it does not exist or the viewer may not see it."""
    duel = lists.visible_duel(duel_id, viewer, token)
    if duel is None:
        raise Http404("There is no such duel.")
    return duel


def loaded_duel_or_404(duel_id: int, viewer: Wizard | None) -> LoadedDuel:
    """Load the duel and everything that its page shows, in one query.

    Raise Http404 if it does not exist or the viewer may not see it.
    """
    loaded = load_duel(duel_id, with_draft_of=viewer)
    if loaded is None or not (lists.is_public(loaded.duel) or seat_of(loaded.seats, viewer)):
        raise Http404("There is no such duel.")
    return loaded


def ruleset_or_404(ruleset_id: str) -> Ruleset:
    """Return the published ruleset with this id, or raise Http404."""
    try:
        return engine.play.RULESETS[ruleset_id]
    except KeyError:
        raise Http404("There is no such ruleset.") from None


def wizard_or_404(slug: str) -> Wizard:
    """Return the wizard who has this slug, or else had it before being renamed, or raise Http404.

    Guests do not have pages.
    """
    return _find_by_slug(Wizard.objects.exclude(kind=WizardKind.GUEST), slug)


def _find_by_slug(known: QuerySet[Wizard], slug: str) -> Wizard:
    slug = slug.replace("\0", " ")
    found = known.filter(slug=slug).first() or find_by_former_name(slug)
    if found is None:
        raise Http404("There is no such wizard.")
    return found


def author_or_404(slug: str, reader: Wizard) -> Wizard:
    """Return a wizard whose messages the reader may have read, or raise Http404.

    A guest must be in a duel that the reader can see.
    """
    visible = Q(visibility=Visibility.PUBLIC) | Q(seats__wizard=reader)
    shared = Seat.objects.filter(wizard=OuterRef("pk"), duel__in=Duel.objects.filter(visible))
    known = Wizard.objects.filter(~Q(kind=WizardKind.GUEST) | Exists(shared))
    return _find_by_slug(known, slug)


def player_only(
    view: Callable[Concatenate[HttpRequest, Wizard, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restrict a view to users with a wizard, and pass the wizard to the view.

    Visitors are redirected to the sign-in page, and the form they sent is kept. Users without a
    wizard are redirected to the settings.
    """
    return _pass_wizard(view, player_of)


def duellist_only(
    view: Callable[Concatenate[HttpRequest, Wizard, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restrict a view to players and guests, whose wizards can take part in duels."""
    return _pass_wizard(view, guests.wizard_of)


def _pass_wizard(
    view: Callable[Concatenate[HttpRequest, Wizard, P], HttpResponse],
    find_wizard: Callable[[HttpRequest], Wizard | None],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    @wraps(view)
    def view_with_wizard(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        wizard = find_wizard(request)
        if wizard is None:
            signed_in = request.user.is_authenticated
            return redirect("settings") if signed_in else redirect_to_sign_in(request)
        return view(request, wizard, *args, **kwargs)

    return view_with_wizard


def post_only(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Restrict a view to POST requests. Redirect GET requests one level up.

    For example, `/duels/7/orders` redirects to `/duels/7/`. If a form leads to an error page, its
    address stays in the browser, which sends a GET request if someone opens the address again.
    """

    @wraps(view)
    def view_for_post(
        request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            return redirect(f"{request.path.rpartition('/')[0]}/")
        return require_POST(view)(request, *args, **kwargs)

    return view_for_post


def refusal_status(refused: Refused) -> HTTPStatus:
    if refused.code.startswith("no_such"):
        return HTTPStatus.NOT_FOUND
    if refused.code in FORBIDDEN_CODES:
        return HTTPStatus.FORBIDDEN
    if refused.code in TOO_MANY_REQUESTS_CODES:
        return HTTPStatus.TOO_MANY_REQUESTS
    if refused.field:
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.CONFLICT


def add_refusal(form: Form, refused: Refused) -> HTTPStatus:
    """Add the reason for a rejected command to the form, and return the HTTP status."""
    form.add_error(refused.field if refused.field in form.fields else None, refused.text)
    return refusal_status(refused)


class RefusalMiddleware:
    """Middleware that responds with the error page if a view raises `Refused`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return refusal_response(request, error) if isinstance(error, Refused) else None


def refusal_response(
    request: HttpRequest, refused: Refused, *, back: str = "", ruleset: str = ""
) -> HttpResponse:
    """Render the error page for a rejected command, with a link back to the page of the form.

    `ruleset` is the ruleset whose rules the page links to.
    """
    above = PARENT_PAGE_PATTERN.match(request.path)
    back = back or (above[0] if above else "/")
    context = {
        "heading": "You cannot do that",
        "code": refused.code,
        "text": refused.text,
        "rule": refused.rule if ruleset else "",
        "ruleset": ruleset,
        "back": back,
        "back_text": "" if back == "/" else _back_link_words(back),
    }
    return render(request, "duels/requests/refused.html", context, status=refusal_status(refused))


def _back_link_words(back: str) -> str:
    return next((words for path, words in BACK_LINK_WORDS if back.startswith(path)), "Back")
