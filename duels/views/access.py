"""Who asks, and how a refusal is answered."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec, TypeVar

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from duels import adjudication, guests, queries
from duels.commands import Refused
from duels.loading import LoadedDuel
from duels.models import Duel, User, Wizard
from engine import Ruleset

# What the way back is called, by where it leads.
BACK_WORDS = (
    ("/duels/", "Back to the duel"),
    ("/settings/", "Back to settings"),
    ("/disputes/", "Back to the dispute"),
)

P = ParamSpec("P")
Answer = TypeVar("Answer", bound=HttpResponseBase)

# Codes of refusals that say "not yours"; every other refusal says "not now".
NOT_YOURS = frozenset(
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


# Codes of refusals that say "too much": of what is counted for each wizard, or for each network.
TOO_MUCH = frozenset(
    {
        "too_many_challenges",
        "too_many_devices",
        "too_many_disputes",
        "too_many_duels",
        "too_many_practice",
        "too_many_rematches",
        "too_many_reports",
        "too_many_seals",
        "too_many_words",
        "too_often",
    }
)


def player_of(request: HttpRequest) -> Wizard | None:
    """The wizard of the user who asks; None for visitors, and for users who have made none."""
    if not isinstance(request.user, User):
        return None
    return getattr(request.user, "wizard", None)


def wizard_of(request: HttpRequest) -> Wizard | None:
    """Whose seat in a duel the asker may take: the user's wizard, or the guest's of this browser.

    A guest has practice duels, and those to which they were invited. What is only for players asks
    `player_of`.
    """
    if request.user.is_authenticated:
        return player_of(request)
    return guests.guest_of(request)


def duel_or_404(duel_id: int, viewer: Wizard | None, token: str = "") -> Duel:
    """The duel, if this viewer may see it: a hidden one is as good as none."""
    duel = queries.visible_duel(duel_id, viewer, token)
    if duel is None:
        raise Http404("There is no such duel.")
    return duel


def loaded_duel_or_404(duel_id: int, viewer: Wizard | None) -> LoadedDuel:
    """The duel with all that its page shows, by one statement, if this viewer may see it."""
    loaded = queries.load_visible_duel(duel_id, viewer)
    if loaded is None:
        raise Http404("There is no such duel.")
    return loaded


def ruleset_or_404(ruleset_id: str) -> Ruleset:
    """The published ruleset of this id."""
    try:
        return adjudication.rulesets()[ruleset_id]
    except KeyError:
        raise Http404("There is no such ruleset.") from None


def player_only(
    view: Callable[Concatenate[HttpRequest, Wizard, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Only for users with a wizard, who is handed to the view; others are shown the way."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        wizard = player_of(request)
        if wizard is None:
            return redirect("settings")
        return view(request, wizard, *args, **kwargs)

    return login_required(guarded)


def duellist_only(
    view: Callable[Concatenate[HttpRequest, Wizard, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Only for those who can sit in a duel: players, and guests."""
    for_players = player_only(view)

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        wizard = wizard_of(request)
        if wizard is None:
            return for_players(request, *args, **kwargs)
        return view(request, wizard, *args, **kwargs)

    return guarded


def post_only(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Only by POST. Whoever merely reads the address, say again after a refusal, is led to the
    page above it: `/duels/7/orders` to `/duels/7/`."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method in ("GET", "HEAD"):
            return redirect(f"{request.path.rpartition('/')[0]}/")
        return require_POST(view)(request, *args, **kwargs)

    return guarded


def status_of(refused: Refused) -> HTTPStatus:
    """Which answer a refusal is, in HTTP's words."""
    if refused.code.startswith("no_such"):
        return HTTPStatus.NOT_FOUND
    if refused.code in NOT_YOURS:
        return HTTPStatus.FORBIDDEN
    if refused.code in TOO_MUCH:
        return HTTPStatus.TOO_MANY_REQUESTS
    if refused.field:
        return HTTPStatus.UNPROCESSABLE_ENTITY
    return HTTPStatus.CONFLICT


def refusal(
    request: HttpRequest, refused: Refused, *, back: str = "/", ruleset: str = ""
) -> HttpResponse:
    """A page of its own for what may not be done; `ruleset`: in whose rules its rule stands."""
    context = {
        "heading": "You cannot do that",
        "code": refused.code,
        "text": refused.text,
        "rule": refused.rule if ruleset else "",
        "ruleset": ruleset,
        "back": back,
        "back_text": "" if back == "/" else _back_words(back),
    }
    return render(request, "duels/refused.html", context, status=status_of(refused))


def _back_words(back: str) -> str:
    return next((words for path, words in BACK_WORDS if back.startswith(path)), "Back")
