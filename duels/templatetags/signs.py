"""The drawn signs as template tags."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from duels.caches import named_cache
from duels.pages import signs
from duels.pages.signs import aloud, gesture_sign, sign

register = template.Library()
register.simple_tag(sign)
register.simple_tag(gesture_sign)


@register.simple_tag
def flourish() -> SafeString:
    """A line of ornament between one thing and the next."""
    return mark_safe('<i class="sign flourish sign-flourish"></i>')


@register.simple_tag
@named_cache("patterns of spells", size=256, key="the pattern: it is public")
def hands_for(pattern: str) -> SafeString:
    """The gestures of a spell as hands, each over its letter; a small letter asks both hands."""
    hands = format_html_join(
        "",
        "<span>{}<b>{}</b></span>",
        ((gesture_sign(step.upper()), step) for step in pattern),
    )
    return format_html(
        '<span class="hidden-text">{}</span><span class="made-by" aria-hidden="true">{}</span>',
        aloud(pattern),
        hands,
    )


@register.simple_tag
def kind_sign(kind: str) -> SafeString:
    """What kind of being it is."""
    return sign(signs.KIND_SIGNS.get(kind, "wizard"))
