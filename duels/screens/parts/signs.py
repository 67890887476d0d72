"""The icons. Their shapes are in `static/css/signs.css`, and text always accompanies them."""

from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.caching.caches import named_cache
from duels.pictures.icons import GESTURE_FILES, spell_sign


@named_cache("signs", size=256, key="the name, which is public")
def sign(name: str) -> SafeString:
    """Return the HTML of an icon, which is hidden from screen readers."""
    return mark_safe(f'<i class="sign {escape(sign_class(name))}"></i>')


def sign_class(name: str) -> str:
    """Return the CSS class that gives an icon its shape."""
    return f"sign-{spell_sign(name)}"


def gesture_sign(letter: str) -> SafeString:
    """Return the icon of the hand that makes a gesture."""
    return mark_safe(f'<i class="sign {escape(gesture_class(letter))}"></i>')


def gesture_class(letter: str) -> str:
    """Return the CSS class that gives a gesture's icon its shape."""
    return f"sign-{GESTURE_FILES.get(letter, letter)}"


def spoken_letters(letters: Iterable[str]) -> str:
    """Return gestures for screen readers, which do not distinguish the small letters for both
    hands.

    >>> spoken_letters("cDPW")
    'both C D P W'
    """
    return " ".join(f"both {each.upper()}" if each.islower() else each for each in letters)
