"""Contexts for turns that a referee has made void: a list of them, and the page of each."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst

import engine.words
from duels.loaded import adjudication
from duels.models import Duel
from duels.queries.rows import VoidTurnPage
from duels.referees.log.visible_acts import void_turns
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.standing_cache import state_of
from duels.screens.spellbook.context import book_options_of
from duels.wording.turns import turn_words


@dataclass(frozen=True)
class VoidTurnLine:
    """A void turn in the list."""

    words: str
    roll_back: int
    address: str
    was_played: bool


def void_turn_lines(duel: Duel) -> list[VoidTurnLine]:
    """Return the duel's void turns, beginning with those of the first rollback."""
    return [
        VoidTurnLine(
            turn_words(duel.ruleset, turn.number, turn.kind),
            turn.roll_back,
            reverse("void_turn", args=[duel.pk, turn.roll_back, turn.ordinal]),
            turn.was_played,
        )
        for turn in void_turns(duel)
    ]


def void_turn_context(page: VoidTurnPage) -> dict[str, Any]:
    """Return the context for the page of a void turn."""
    duel, turn, view = page.duel, page.turn, page.view
    words = turn_words(duel.ruleset, turn.number, turn.kind)
    title = engine.words.versus_text(wizard.name for wizard in view.wizards)
    path = reverse("void_turn", args=[duel.pk, turn.voided_in, turn.ordinal])
    return {
        "page": page,
        "title": f"{capfirst(words)} (void) of {title}",
        "turn_words": capfirst(words),
        "duel_title": title,
        "ruleset_name": adjudication.ruleset_label(duel),
        "book_options": book_options_of(duel),
        "grid": history_grid(view),
        "turns_address": path.removesuffix(f"{turn.ordinal}/"),
        "state": state_of(view),
        "reports": (page.report,) if page.report else (),
    }
