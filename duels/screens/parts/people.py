"""The number of people on the site, as text for readers who are looking for an opponent."""

from duels.caching.poll_cache import others_on_site
from duels.models import Wizard


def people_words(reader: Wizard | None) -> str:
    """Return how many other people have the site open."""
    number = others_on_site(reader.pk if reader else None)
    if number == 0:
        return "Nobody else has the site open right now."
    if number == 1:
        return "One other person has the site open right now."
    return f"{number} other people have the site open right now."
