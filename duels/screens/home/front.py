"""The duel shown to visitors on the front page: the newest public one, or a printed game."""

from collections.abc import Iterable
from itertools import islice
from typing import Any

from django.urls import reverse

import engine.play
import engine.words
from duels.queries import lists, pages
from duels.queries.rows import DuelRow
from duels.screens.parts.history.table import history_grid
from duels.screens.sample_games.context import game_history

SHOWN_TURNS = 7  # number of rows that fit into the small grid
MAX_DUELS_TRIED = 3  # try several, because a new duel has no turns to show yet
SAMPLE_GAME, RULESET = "black-and-white", "bartle-1"


def duel_for_visitors(rows: Iterable[DuelRow]) -> dict[str, Any]:
    """Return the newest public duel of two that has a turn to show, otherwise a printed game."""
    of_two = (row for row in rows if len(row.seats) == 2)
    for row in islice(of_two, MAX_DUELS_TRIED):
        found = _public_duel(row)
        if found is not None:
            return found
    return _sample_game()


def _public_duel(row: DuelRow) -> dict[str, Any] | None:
    duel = lists.visible_duel(row.duel.pk, None)  # the row only has the fields needed for lists
    if duel is None:
        return None
    page = pages.duel_page(duel, None, turn_count=SHOWN_TURNS)
    if not page.view.turns:
        return None
    return {
        "title": engine.words.versus_text(wizard.name for wizard in row.wizards),
        "words": _outcome_words(page.view),
        "address": reverse("duel", args=[row.duel.pk]),
        "turns": reverse("turns", args=[row.duel.pk]),
        "grid": history_grid(page.view),
    }


def _outcome_words(view: engine.play.View) -> str:
    if not view.outcome:
        return f"Being played: turn {view.turn}."
    winner = view.names.get(view.outcome, "")
    return f"{winner} won in turn {view.turn}." if winner else f"Drawn in turn {view.turn}."


def _sample_game() -> dict[str, Any]:
    history = game_history(SAMPLE_GAME, RULESET)
    view = engine.play.view(
        engine.play.History(history.turns[-SHOWN_TURNS:], history.position), "all"
    )
    return {
        "title": engine.words.versus_text(wizard.name for wizard in view.wizards),
        "words": f"The sample game from the rules. {_outcome_words(view)}",
        "address": reverse("game", args=[RULESET, SAMPLE_GAME]),
        "turns": reverse("game_turns", args=[RULESET, SAMPLE_GAME, "open"]),
        "grid": history_grid(view),
    }
