"""The current state of a duel, computed only once for each view."""

from duels.screens.parts.view_cache import cache_per_view
from duels.standing import state

state_of = cache_per_view("states", size=256)(state.state_of)
