"""The printed sample games, as finished duels that anybody can step through.

They are records in `duels/games/`, replayed by the engine under each ruleset that brings the same
story; a page of a turn shows what could be known then, by either wizard or with all seen.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

import engine
from duels.games import Game, games
from duels.views.beings import beings
from duels.views.book import ruleset_or_404
from duels.views.coming import progress
from duels.views.grid import history_grid
from duels.views.stepping import Eyes, Stepping, announced, asked_turn
from engine import Ruleset
from engine.replay import replay
from engine.spellbook import WIZARD_LIMIT
from engine.view import ALL, SPECTATOR

OPEN = "open"  # as everybody may see it when the duel is over


@dataclass(frozen=True)
class Way:
    """One way to look at a game."""

    slug: str
    words: str
    observer: str


@dataclass(frozen=True)
class Standing:
    """A wizard's damage and what is left to him."""

    name: str
    damage: int
    hit_points: int


def games_under(ruleset: Ruleset) -> list[tuple[Game, str]]:
    """Every game, and why it cannot be told under this ruleset if it cannot."""
    return [(game, game.elsewhere.get(ruleset.id, "")) for game in games().values()]


@cache
def played(slug: str, ruleset_id: str) -> engine.History:
    """The game as this ruleset plays it."""
    return replay({**games()[slug].record, "ruleset": ruleset_id})


def up_to(history: engine.History, number: int) -> engine.History:
    """The first turns of a history, and the position that they have led to."""
    turns = history.turns[:number]
    after = history.turns[number].position if number < len(history.turns) else history.position
    return engine.History(turns, after)


@require_safe
def game(request: HttpRequest, ruleset_id: str, slug: str) -> HttpResponse:
    """The whole of a sample game."""
    ruleset, found = _found(ruleset_id, slug)
    history = played(slug, ruleset_id)
    view = engine.view(history, "all")
    context = {
        "ruleset": ruleset,
        "game": found,
        "grid": history_grid(view, _names(ruleset)),
        "ways": _ways(history.position),
        "stepping": Stepping(
            len(history.turns) + 1, len(history.turns), _turns_path(ruleset_id, slug, OPEN)
        ),
        "last": len(history.turns),
        "winner": view.names.get(view.outcome, ""),
        "standings": _standings(history.position),
    }
    return render(request, "duels/game.html", context)


@require_safe
def game_turn(
    request: HttpRequest, ruleset_id: str, slug: str, seen: str, number: int
) -> HttpResponse:
    """One turn of a sample game, as it was known then by whoever looks."""
    ruleset, found = _found(ruleset_id, slug)
    whole = played(slug, ruleset_id)
    way = _way(whole.position, seen)
    if not 1 <= number <= len(whole.turns):
        raise Http404("The game has no such turn.")
    history = up_to(whole, number)
    view = engine.view(history, way.observer)
    spells = _names(ruleset)
    stepping = Stepping(
        here=number,
        last=len(whole.turns),
        turns=_turns_path(ruleset_id, slug, seen),
        words=f"Turn {number}",
        beyond=reverse("game", args=[ruleset_id, slug]),
        beyond_words="The whole duel",
    )
    context = {
        "ruleset": ruleset,
        "game": found,
        "number": number,
        "stepping": stepping,
        "eyes": tuple(
            Eyes(each.words, f"{_turns_path(ruleset_id, slug, each.slug)}{number}/", each == way)
            for each in _ways(whole.position)
        ),
        "announced": announced(stepping.words, stepping, view.status),
        "remark": _with_links(found.remarks[number - 1], ruleset_id),
        "grid": history_grid(view, spells),
        "beings": beings(view, spells),
        "progress": progress(view, spells),
        "reports": _told(view, number),
        "standings": _standings(history.position),
    }
    return render(request, "duels/game_turn.html", context)


@require_safe
def game_turns(request: HttpRequest, ruleset_id: str, slug: str, seen: str) -> HttpResponse:
    """The turn that the slider asks for; without one the whole game."""
    _found(ruleset_id, slug)
    way = _way(played(slug, ruleset_id).position, seen)
    number = asked_turn(request)
    if number is None:
        return redirect("game", ruleset_id, slug)
    return redirect("game_turn", ruleset_id, slug, way.slug, number)


def _with_links(remark: str, ruleset_id: str) -> SafeString:
    """The remark as HTML, the rulings that it names as links."""
    link = rf'<a href="{reverse("rules", args=[ruleset_id])}#\1">\1</a>'
    return mark_safe(re.sub(r"\b(R\d+)\b", link, str(escape(remark))))


def _told(view: engine.View, number: int) -> tuple[engine.TurnReport, ...]:
    """What happened on a turn; before the first one stands the opening. rules: F6"""
    report = engine.narrate(view)[-1]
    return (engine.opening(view), report) if number == 1 else (report,)


def _found(ruleset_id: str, slug: str) -> tuple[Ruleset, Game]:
    ruleset = ruleset_or_404(ruleset_id)
    found = games().get(slug)
    if found is None or ruleset_id not in found.replays:
        raise Http404("There is no such game under these rules.")
    return ruleset, found


def _names(ruleset: Ruleset) -> dict[str, str]:
    return {spell.id: spell.name for spell in ruleset.spells.values()}


def _ways(position: engine.Position) -> list[Way]:
    own = [
        Way(wizard.name.lower(), f"As {wizard.name} saw it", wizard.id)
        for wizard in position.wizards
    ]
    return [Way(OPEN, "All open", ALL), *own, Way(SPECTATOR, "As a spectator", SPECTATOR)]


def _way(position: engine.Position, slug: str) -> Way:
    way = next((way for way in _ways(position) if way.slug == slug), None)
    if way is None:
        raise Http404("Nobody has seen the game so.")
    return way


def _turns_path(ruleset_id: str, slug: str, seen: str) -> str:
    """What the addresses of the turns begin with."""
    return reverse("game_turns", args=[ruleset_id, slug, seen])


def _standings(position: engine.Position) -> Sequence[Standing]:
    """rules: R110, R125"""
    return [
        Standing(wizard.name, wizard.damage, WIZARD_LIMIT - wizard.damage)
        for wizard in position.wizards
    ]
