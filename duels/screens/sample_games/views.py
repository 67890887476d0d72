"""Views for the printed sample games, which visitors can step through like finished duels."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.games import Game, sample_games
from duels.requests.access import ruleset_or_404
from duels.screens.sample_games.context import (
    GameObserver,
    game_context,
    game_history,
    game_turn_context,
    observers_of,
)
from duels.screens.turn.views import turn_entered
from engine.play import Ruleset


@require_safe
def game(request: HttpRequest, ruleset_id: str, slug: str) -> HttpResponse:
    return render(
        request, "duels/sample_games/game.html", game_context(*_game_or_404(ruleset_id, slug))
    )


@require_safe
def game_turn(
    request: HttpRequest, ruleset_id: str, slug: str, seen: str, number: int
) -> HttpResponse:
    """Show one turn of a sample game, as the chosen observer saw it at the time."""
    ruleset, found = _game_or_404(ruleset_id, slug)
    observer = _observer(ruleset, found, seen)
    if not 1 <= number <= len(game_history(slug, ruleset_id).turns):
        raise Http404("There is no such turn in this game.")
    context = game_turn_context(ruleset, found, observer, number)
    return render(request, "duels/sample_games/game_turn.html", context)


@require_safe
def redirect_to_game_turn(
    request: HttpRequest, ruleset_id: str, slug: str, seen: str
) -> HttpResponse:
    """Redirect to the turn chosen with the slider or, if there is none, to the whole game."""
    observer = _observer(*_game_or_404(ruleset_id, slug), seen)
    number = turn_entered(request)
    if number is None:
        return redirect("game", ruleset_id, slug)
    return redirect("game_turn", ruleset_id, slug, observer.slug, number)


def _game_or_404(ruleset_id: str, slug: str) -> tuple[Ruleset, Game]:
    ruleset = ruleset_or_404(ruleset_id)
    found = sample_games().get(slug)
    if found is None or ruleset_id not in found.replays:
        raise Http404("This game cannot be played under these rules.")
    return ruleset, found


def _observer(ruleset: Ruleset, found: Game, slug: str) -> GameObserver:
    """Return the observer that an address names, or raise Http404."""
    position = game_history(found.slug, ruleset.id).position
    observer = next(
        (observer for observer in observers_of(position) if observer.slug == slug), None
    )
    if observer is None:
        raise Http404("There is no such point of view in this game.")
    return observer
