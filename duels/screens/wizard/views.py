"""Views for wizards' pages, and for blocking wizards."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.commands import profiles
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.ratings.public import duels_between, head_to_head_record
from duels.requests.access import duellist_only, post_only, wizard_or_404
from duels.screens.parts.rating_words import change_rows
from duels.screens.wizard.context import shared_lists, wizard_context
from duels.sign_in.guests import wizard_of


@require_safe
def wizard(request: HttpRequest, slug: str) -> HttpResponse:
    shown = wizard_or_404(slug)
    if shown.slug != slug:  # a former name
        return redirect("wizard", shown.slug)
    context = wizard_context(shown, wizard_of(request), site_now())
    return render(request, "duels/wizard/wizard.html", context)


@require_safe
def head_to_head(request: HttpRequest, slug: str, opponent: str) -> HttpResponse:
    """Show the duels between two wizards that the viewer may read."""
    shown, other = wizard_or_404(slug), wizard_or_404(opponent)
    if shown == other:
        return redirect("wizard", shown.slug)
    if (shown.slug, other.slug) != (slug, opponent):  # a former name
        return redirect("head_to_head", shown.slug, other.slug)
    has_left = shown.is_closed or other.is_closed
    changes = [] if has_left else duels_between(shown, other)
    context = {
        "shown": shown,
        "opponent": other,
        "has_left": has_left,
        "record": head_to_head_record(shown, other) if changes else None,
        "changes": change_rows(changes),
        **shared_lists(shown, other, wizard_of(request)),
    }
    return render(request, "duels/wizard/head_to_head.html", context)


@post_only
@duellist_only
def wizard_block(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    profiles.block(wizard=wizard, other=other, now=site_now())
    messages.success(request, f"{other.name} is blocked.")
    return redirect("wizard", other.slug)


@post_only
@duellist_only
def wizard_unblock(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    profiles.unblock(wizard=wizard, other=other)
    messages.success(request, f"{other.name} is no longer blocked.")
    return redirect("wizard", other.slug)
