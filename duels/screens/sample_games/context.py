"""Context for the printed sample games, which visitors can step through like finished duels. The
games are records in `duels/games/`. The engine can replay each game under every ruleset in which it
plays out the same way. The page of a turn shows what a wizard or spectator could see at the time,
or everything.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

import engine.play
import engine.proof
import engine.words
from duels.caching.caches import named_cache
from duels.games import Game, sample_games
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.outcomes import DEATH_AND_SURRENDER_CODES
from duels.screens.turn.context import TurnNavigation, Viewpoint, step_announcement
from duels.standing.state import state_of
from engine.play import ALL, SPECTATOR, Ruleset

ALL_SEEING_VIEW = "open"  # everything is visible, as in a finished duel


@dataclass(frozen=True)
class GameObserver:
    """A point of view from which a game can be shown."""

    slug: str
    words: str
    observer: str


def games_under_ruleset(ruleset: Ruleset) -> list[tuple[Game, str]]:
    """Return every game with "", or why it plays out differently under this ruleset."""
    return [(game, game.elsewhere.get(ruleset.id, "")) for game in sample_games().values()]


@named_cache("sample games", size=64, key="game and ruleset, which are public")
def game_history(slug: str, ruleset_id: str) -> engine.play.History:
    """Return the history of the game, replayed under this ruleset."""
    return engine.proof.replay({**sample_games()[slug].record, "ruleset": ruleset_id})


def history_until(history: engine.play.History, number: int) -> engine.play.History:
    """Return the history up to this turn, with the position after it."""
    turns = history.turns[:number]
    after = history.turns[number].position if number < len(history.turns) else history.position
    return engine.play.History(turns, after)


def game_context(ruleset: Ruleset, game: Game) -> dict[str, Any]:
    history = game_history(game.slug, ruleset.id)
    view = engine.play.view(history, ALL)
    wizards = {wizard.id for wizard in view.wizards}
    last = len(history.turns)
    return {
        "ruleset": ruleset,
        "game": game,
        "grid": history_grid(view),
        "ways": observers_of(history.position),
        "stepping": TurnNavigation(
            last + 1, last, _turns_path(ruleset.id, game.slug, ALL_SEEING_VIEW)
        ),
        "last": last,
        "falls": [
            line.text
            for line in engine.words.narrate(view)[-1].lines
            if line.code in DEATH_AND_SURRENDER_CODES and (line.subject or line.wizard) in wizards
        ],
        "winner": view.names.get(view.outcome, ""),
        "standings": _standings(history.position),
    }


def game_turn_context(
    ruleset: Ruleset, game: Game, observer: GameObserver, number: int
) -> dict[str, Any]:
    whole = game_history(game.slug, ruleset.id)
    history = history_until(whole, number)
    view = engine.play.view(history, observer.observer)
    stepping = TurnNavigation(
        here=number,
        last=len(whole.turns),
        turns=_turns_path(ruleset.id, game.slug, observer.slug),
        words=f"Turn {number}",
        beyond=reverse("game", args=[ruleset.id, game.slug]),
        beyond_words="The whole duel",
    )
    return {
        "ruleset": ruleset,
        "game": game,
        "number": number,
        "stepping": stepping,
        "viewpoints": tuple(
            Viewpoint(
                each.words,
                f"{_turns_path(ruleset.id, game.slug, each.slug)}{number}/",
                each == observer,
            )
            for each in observers_of(whole.position)
        ),
        "announced": step_announcement(stepping.words, stepping, view.status),
        "remark": _remark_with_links(game.remarks[number - 1], ruleset.id),
        "grid": history_grid(view),
        "state": state_of(view),
        "reports": _reports_of_turn(view, number),
        "standings": _standings(history.position),
    }


def _remark_with_links(remark: str, ruleset_id: str) -> SafeString:
    """Return the remark as HTML, with links to the rules it names."""
    link = rf'<a href="{reverse("rules", args=[ruleset_id])}#\1">\1</a>'
    return mark_safe(re.sub(r"\b(R\d+)\b", link, str(escape(remark))))


def _reports_of_turn(view: engine.play.View, number: int) -> tuple[engine.words.TurnReport, ...]:
    """Return the report of a turn. The first turn's report also has the opening. rules: F6"""
    report = engine.words.narrate(view)[-1]
    return (engine.words.opening_report(view), report) if number == 1 else (report,)


def observers_of(position: engine.play.Position) -> list[GameObserver]:
    own = [
        GameObserver(wizard.name.lower(), f"As {wizard.name} saw it", wizard.id)
        for wizard in position.wizards
    ]
    return [
        GameObserver(ALL_SEEING_VIEW, "Everything", ALL),
        *own,
        GameObserver(SPECTATOR, "As a spectator", SPECTATOR),
    ]


def _turns_path(ruleset_id: str, slug: str, observer_slug: str) -> str:
    """Return the path that the addresses of a game's turns begin with."""
    return reverse("game_turns", args=[ruleset_id, slug, observer_slug])


def _standings(position: engine.play.Position) -> Sequence[tuple[engine.play.Wizard, int]]:
    """Return the wizards, each with their remaining hit points. rules: R110, R125"""
    return [
        (wizard, wizard.damage_limit(position.rules) - wizard.damage) for wizard in position.wizards
    ]
