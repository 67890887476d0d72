"""Tags, with cached output, for navigation between turns and for link previews."""

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from duels.caching.caches import named_cache
from duels.screens.parts.sharing import Card, site_card
from duels.screens.turn.context import Stepping, Viewpoint

register = template.Library()


@register.simple_tag
@named_cache("heads of shared pages", size=512, key="everything that the output shows")
def unfolding(card: Card | None, is_signed_in: bool = False) -> SafeString:
    """Return the tag for a page's canonical address and, for visitors, the tags for link
    previews."""
    return render_to_string(
        "duels/parts/card.html", {"card": card, "for_visitors": not is_signed_in}
    )


@register.simple_tag(takes_context=True)
def preview(context: Context, title: str, line: str, path: str = "") -> SafeString:
    """Return the tags for link previews of a page that is not a duel's. `path` is its own path,
    unless it is the request's."""
    request = context["request"]
    card = site_card(title, line, path or request.path)
    return unfolding(card, request.user.is_authenticated)


@register.simple_tag
@named_cache("addresses to share", size=512, key="everything that the output shows")
def share(card: Card | None) -> SafeString:
    """Return the address of the page for sharing."""
    return render_to_string("duels/parts/share.html", {"card": card})


@register.simple_tag
@named_cache("bars of steps", size=512, key="everything that the output shows")
def stepping_bar(stepping: Stepping | None) -> SafeString:
    """Return the navigation bar with links to other turns."""
    return render_to_string("duels/turn/stepping.html", {"stepping": stepping})


@register.simple_tag
@named_cache("viewpoints", size=512, key="everything that the output shows")
def viewpoint_links(viewpoints: tuple[Viewpoint, ...]) -> SafeString:
    """Return links to the observers of a turn."""
    return render_to_string("duels/turn/viewpoints.html", {"viewpoints": viewpoints})
