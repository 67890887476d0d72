"""Names for browsers and systems, so that players can tell their devices apart.

Names are guessed from the browser's user agent, and used only for display.
"""

from typing import Final

# The first match counts, because many browsers also claim to be another browser.
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Vivaldi", "Vivaldi"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chrome OS"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """Return a name such as "Firefox on Android"."""
    browser = _first_name_in(BROWSERS, user_agent) or "A browser"
    system = _first_name_in(SYSTEMS, user_agent)
    return f"{browser} on {system}" if system else browser


def _first_name_in(names: tuple[tuple[str, str], ...], text: str) -> str:
    return next((name for sign, name in names if sign in text), "")
