"""Tags for icons."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import named_cache
from duels.pictures.icons import monster_sign
from duels.screens.parts.signs import gesture_sign, sign, spoken_letters
from engine.play import MONSTER_KINDS

register = template.Library()
register.simple_tag(sign)
register.simple_tag(gesture_sign)


@register.simple_tag
def flourish() -> SafeString:
    """Return an ornamental line that separates two parts of a page."""
    return mark_safe('<i class="sign flourish sign-flourish"></i>')


@register.simple_tag
@named_cache("patterns of spells", size=256, key="the pattern, which is public")
def hands_for(pattern: str) -> SafeString:
    """Return a spell's gestures as icons of hands over letters. Small letters mean both hands."""
    hands = format_html_join(
        "",
        "<span>{}<b>{}</b></span>",
        ((gesture_sign(step.upper()), step) for step in pattern),
    )
    return format_html(
        '<span class="hidden-text">{}</span><span class="made-by" aria-hidden="true">{}</span>',
        spoken_letters(pattern),
        hands,
    )


@register.simple_tag
def kind_sign(kind: str) -> SafeString:
    if kind in MONSTER_KINDS:
        return sign(monster_sign(kind))
    return sign("wizard" if kind else "fog")  # beings out of sight have no known kind
