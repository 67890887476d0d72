"""Views that follow and unfollow wizards and duels, and change private notes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from duels.feeds import public as feeds
from duels.loaded.database_clock import site_now
from duels.models import Duel, Wizard
from duels.queries.listing import load_duel_lists
from duels.requests.access import duel_or_404, player_only, post_only, wizard_or_404
from duels.screens.lists.lines import list_entries


@require_safe
@player_only
def following(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """List the wizards and duels that the reader follows, and their notes."""
    rows = load_duel_lists({"duels": feeds.followed_duels(wizard)}, wizard)["duels"].rows
    context = {
        "wizards": feeds.followed_wizards(wizard),
        "duels": list_entries(rows),
        "notes": feeds.private_notes(wizard),
    }
    return render(request, "duels/following/following.html", context)


@post_only
@player_only
def wizard_follow(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    feeds.follow_wizard(wizard=wizard, other=other, now=site_now())
    messages.success(request, f"You follow {other.name}.")
    return redirect("wizard", other.slug)


@post_only
@player_only
def wizard_unfollow(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    feeds.unfollow(wizard=wizard, other=other)
    messages.success(request, f"You no longer follow {other.name}.")
    return redirect("wizard", other.slug)


@post_only
@player_only
def wizard_note(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    """Replace the reader's private note on a wizard."""
    other, words = wizard_or_404(slug), request.POST.get("words", "")
    feeds.set_private_note(wizard=wizard, about=other, words=words, now=site_now())
    messages.success(request, "Saved.")
    return redirect("wizard", other.slug)


@post_only
@player_only
def duel_follow(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    duel = duel_or_404(duel_id, wizard)
    feeds.follow_duel(wizard=wizard, duel=duel, now=site_now())
    messages.success(request, "You follow this duel.")
    return redirect("duel", duel.pk)


@post_only
@player_only
def duel_unfollow(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    duel = Duel.objects.filter(pk=duel_id, followed_by__wizard=wizard).first()
    if duel is not None:  # otherwise a copy of this form has arrived first
        feeds.unfollow(wizard=wizard, duel=duel)
    messages.success(request, "You no longer follow this duel.")
    return redirect("following")
