"""Context for the page of a turn that a referee has made void."""

from typing import Any

from django.urls import reverse
from django.utils.text import capfirst

import engine.words
from duels.loaded import adjudication
from duels.queries.rows import VoidTurnPage
from duels.screens.parts.history.table import history_grid
from duels.screens.parts.standing_cache import state_of
from duels.screens.spellbook.context import book_options_of
from duels.wording.turns import turn_words


def void_turn_context(page: VoidTurnPage) -> dict[str, Any]:
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
