"""The number of players on the site, as text for readers who are looking for an opponent."""

from duels.caching.poll_cache import others_on_site
from duels.models import Wizard


def players_online_words(reader: Wizard | None) -> str:
    """Return how many other players and guests have the site open. Visitors are not counted."""
    number = others_on_site(reader.pk if reader else None)
    if number == 0:
        return "No other player is here right now."
    if number == 1:
        return "One other player is here right now."
    return f"{number} other players are here right now."
