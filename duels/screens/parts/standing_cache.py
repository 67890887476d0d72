"""The current state of a duel, computed only once for each view."""

from duels.screens.parts.view_cache import cached_by_view
from duels.standing import state

state_of = cached_by_view("states", size=256)(state.state_of)
