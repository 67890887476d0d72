"""Context for the public page of a wizard."""

from datetime import datetime
from typing import Any

from duels.feeds.public import NOTE_LENGTH, regard_for
from duels.models import Wizard, WizardKind
from duels.queries import listing
from duels.queries.lists import rank_of
from duels.screens.lists.kinds import OF_A_WIZARD, duel_list_of_wizard, shown_list
from duels.screens.wizard.ratings import shown_ratings

LISTED = 20  # rows in each of a wizard's lists; the list's own page has all


def wizard_context(shown: Wizard, viewer: Wizard | None, now: datetime) -> dict[str, Any]:
    """Return the context for a wizard's page; `viewer` is None for readers without a wizard."""
    is_player = shown.kind == WizardKind.PLAYER
    other = viewer if is_player and viewer and viewer.pk != shown.pk else None
    is_active = not shown.is_closed
    regard = regard_for(shown, other) if other else None
    can_follow = other is not None and is_active and not other.is_guest
    lists = {
        code: duel_list_of_wizard(code, shown, viewer).limited_to(LISTED) for code in OF_A_WIZARD
    }
    found = listing.load_duel_lists(lists, viewer)
    return {
        "shown": shown,
        "is_practice": shown.kind == WizardKind.PRACTICE,
        "regard": regard,
        "can_follow": can_follow,
        "can_challenge": can_follow and regard and not regard.is_blocked,
        "can_block": is_active and regard and not regard.is_blocked,
        "note_length": NOTE_LENGTH,
        "is_own": viewer is not None and viewer.pk == shown.pk and is_player,
        "ratings": shown_ratings(shown, now),
        "viewer_slug": other.slug if other else "",
        "rank": rank_of(shown, viewer),
        **{code: shown_list(code, found[code], wizard=shown) for code in lists},
    }
