"""Context for the public page of a wizard."""

from datetime import UTC, datetime
from typing import Any

from duels.feeds.public import MAX_NOTE_LENGTH, follow_and_note_for
from duels.messages.public import WizardRelation, messaging_refusal, wizard_relation
from duels.models import Wizard, WizardKind
from duels.queries import listing
from duels.queries.listing import ListFilter
from duels.queries.lists import marker_rank_of
from duels.screens.lists import kinds
from duels.screens.wizard.ratings import shown_ratings

MAX_DAYS_SHOWN = 30  # maximum number of days; earlier visits are shown without the day
DUELS_SHOWN = 20  # maximum number of rows in each list; the list's own page shows all of them


def wizard_context(shown: Wizard, viewer: Wizard | None, now: datetime) -> dict[str, Any]:
    """Return the context for a wizard's page. `viewer` is the reader's wizard, if any."""
    is_player = shown.kind == WizardKind.PLAYER
    other = viewer if is_player and viewer and viewer.pk != shown.pk else None
    is_active = not shown.is_closed
    between = wizard_relation(other, shown) if other else None
    can_follow = other is not None and is_active and not other.is_guest
    lists = {
        code: kinds.duel_list_of_wizard(code, shown, viewer).limited_to(DUELS_SHOWN)
        for code in kinds.WIZARD_LISTS
    }
    found = listing.load_duel_lists(lists, viewer)
    return {
        "shown": shown,
        "last_seen_words": _last_seen_words(shown, now),
        "is_practice": shown.kind == WizardKind.PRACTICE,
        "between": between,
        "messages_with": _messages_link(viewer, shown, between, now)
        if viewer and between
        else None,
        "regard": follow_and_note_for(shown, other) if other and can_follow else None,
        "can_challenge": can_follow and between and not between.blocks,
        "can_block": is_active and between and not between.blocks,
        "note_length": MAX_NOTE_LENGTH,
        "is_own": viewer is not None and viewer.pk == shown.pk and is_player,
        "ratings": shown_ratings(shown, now),
        "viewer_slug": other.slug if other else "",
        "rank": marker_rank_of(shown, viewer),
        **{code: kinds.list_to_show(code, found[code], wizard=shown) for code in lists},
    }


def shared_lists(shown: Wizard, other: Wizard, viewer: Wizard | None) -> dict[str, kinds.ShownList]:
    """Return the lists of running and finished duels between two wizards."""
    found = listing.load_duel_lists(
        {
            code: kinds.duel_list_of_wizard(code, shown, viewer)
            .filtered(duel__seats__wizard=other)
            .limited_to(DUELS_SHOWN)
            for code in kinds.WIZARD_LISTS
        },
        viewer,
    )
    against = ListFilter(opponent=other.name)
    return {
        code: kinds.list_to_show(
            code, found[code], address=kinds.list_address(code, shown, wanted=against)
        )
        for code in kinds.WIZARD_LISTS
    }


def _messages_link(
    viewer: Wizard, shown: Wizard, between: WizardRelation, now: datetime
) -> dict[str, Any]:
    """Return whether to link to the messages with this wizard, and why not to write."""
    refused = messaging_refusal(viewer, shown, between, now)
    has_link = refused is None or bool(between.consent_of_other)
    return {"has_link": has_link, "why_not": refused.text if refused else ""}


def _last_seen_words(wizard: Wizard, now: datetime) -> str:
    """Return when the wizard was last on the site, or "" if they do not show this. Only the day in
    UTC is stored."""
    if not wizard.shows_last_seen or wizard.seen_on is None:
        return ""
    days = (now.astimezone(UTC).date() - wizard.seen_on).days
    if days < 2:
        return "yesterday" if days == 1 else "today"
    return f"{days} days ago" if days <= MAX_DAYS_SHOWN else "more than a month ago"
