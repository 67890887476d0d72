"""Context for the public page of a wizard."""

from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef

from duels.feeds.public import NOTE_LENGTH, regard_for
from duels.models import Block, Mute, Wizard, WizardKind
from duels.queries import listing
from duels.queries.lists import rank_of
from duels.screens.lists.kinds import OF_A_WIZARD, duel_list_of_wizard, shown_list
from duels.screens.wizard.ratings import shown_ratings

MOST_DAYS = 30  # for which the day of the last visit is shown
LISTED = 20  # rows in each of a wizard's lists; the list's own page has all


def wizard_context(shown: Wizard, viewer: Wizard | None, now: datetime) -> dict[str, Any]:
    """Return the context for a wizard's page; `viewer` is None for readers without a wizard."""
    is_player = shown.kind == WizardKind.PLAYER
    other = is_player and viewer is not None and viewer.pk != shown.pk
    is_guest = viewer is not None and viewer.is_guest
    blocked, muted = _blocks_and_mutes(viewer, shown) if viewer and other else (False, False)
    can_follow = other and not is_guest and not shown.is_closed
    lists = {
        code: duel_list_of_wizard(code, shown, viewer).limited_to(LISTED) for code in OF_A_WIZARD
    }
    found = listing.load_duel_lists(lists, viewer)
    return {
        "shown": shown,
        "last_seen_words": _last_seen_words(shown, now),
        "is_practice": shown.kind == WizardKind.PRACTICE,
        "can_challenge": other and not shown.is_closed and not (blocked or is_guest),
        "can_block": other and not shown.is_closed and not blocked,
        "can_unblock": blocked,
        "can_mute": other,
        "is_muted": muted,
        "regard": regard_for(shown, viewer) if can_follow and viewer else None,
        "note_length": NOTE_LENGTH,
        "is_own": viewer is not None and viewer.pk == shown.pk and is_player,
        "ratings": shown_ratings(shown, now),
        "viewer_slug": viewer.slug if viewer and other else "",
        "rank": rank_of(shown, viewer),
        **{code: shown_list(code, found[code], wizard=shown) for code in lists},
    }


def _last_seen_words(wizard: Wizard, now: datetime) -> str:
    """Return when the wizard was last here, if they show it. Only the day is known, in UTC."""
    if not wizard.shows_last_seen or wizard.seen_on is None:
        return ""
    days = (now.astimezone(UTC).date() - wizard.seen_on).days
    if days < 2:
        return "yesterday" if days == 1 else "today"
    return f"{days} days ago" if days <= MOST_DAYS else "more than a month ago"


def _blocks_and_mutes(viewer: Wizard, shown: Wizard) -> tuple[bool, bool]:
    """Return whether the viewer blocks the wizard, and whether they mute them, in one query."""
    blocks = Block.objects.filter(wizard=OuterRef("pk"), blocked=shown)
    mutes = Mute.objects.filter(wizard=OuterRef("pk"), muted=shown)
    found = Wizard.objects.filter(pk=viewer.pk).values_list(Exists(blocks), Exists(mutes))
    is_blocked, is_muted = found.get()
    return is_blocked, is_muted
