"""Steps from turn to turn, and what a page says of itself elsewhere. Each printed once."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from duels.views.sharing import Card
from duels.views.stepping import Eyes, Stepping

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=512)
def unfolding(card: Card | None) -> SafeString:
    """What stands in the head of a page for those who show links to it."""
    return _printed("duels/parts/card.html", {"card": card})


@register.simple_tag
@lru_cache(maxsize=512)
def share(card: Card | None) -> SafeString:
    """The address of the page, to hand on."""
    return _printed("duels/parts/share.html", {"card": card})


@register.simple_tag
@lru_cache(maxsize=512)
def stepping_bar(stepping: Stepping | None) -> SafeString:
    """The steps to other turns."""
    return _printed("duels/parts/stepping.html", {"stepping": stepping})


@register.simple_tag
@lru_cache(maxsize=512)
def whose_eyes(eyes: tuple[Eyes, ...]) -> SafeString:
    """The ways in which one may look at a turn."""
    return _printed("duels/parts/eyes.html", {"eyes": eyes})


def _printed(name: str, context: Mapping[str, Any]) -> SafeString:
    return mark_safe(render_to_string(name, context))
