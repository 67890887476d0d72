"""Tags, with cached output, for navigation between turns and for link previews."""

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from duels.caching.caches import named_cache
from duels.screens.parts.sharing import PreviewCard, site_preview_card
from duels.screens.turn.context import TurnNavigation, Viewpoint

register = template.Library()


@register.simple_tag
@named_cache("heads of shared pages", size=512, key="all values in the output")
def unfolding(card: PreviewCard | None, is_signed_in: bool = False) -> SafeString:
    """Return the tags for a page's canonical URL and, for visitors, for link previews."""
    return render_to_string(
        "duels/parts/card.html", {"card": card, "for_visitors": not is_signed_in}
    )


@register.simple_tag(takes_context=True)
def preview(context: Context, title: str, line: str, path: str = "") -> SafeString:
    """Return the tags for link previews of a page without a duel.

    `path` is the page's path, which defaults to the path of the request.
    """
    request = context["request"]
    card = site_preview_card(title, line, path or request.path)
    return unfolding(card, request.user.is_authenticated)


@register.simple_tag
@named_cache("addresses to share", size=512, key="all values in the output")
def share(card: PreviewCard | None) -> SafeString:
    """Return the part of the page that shows its URL for sharing."""
    return render_to_string("duels/parts/share.html", {"card": card})


@register.simple_tag
@named_cache("bars of steps", size=512, key="all values in the output")
def stepping_bar(stepping: TurnNavigation | None) -> SafeString:
    """Return the navigation bar with links to other turns."""
    return render_to_string("duels/turn/stepping.html", {"stepping": stepping})


@register.simple_tag
@named_cache("viewpoints", size=512, key="all values in the output")
def viewpoint_links(viewpoints: tuple[Viewpoint, ...]) -> SafeString:
    """Return links that show a turn from the viewpoint of each observer."""
    return render_to_string("duels/turn/viewpoints.html", {"viewpoints": viewpoints})
