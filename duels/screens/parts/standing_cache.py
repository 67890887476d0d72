"""Beings and spells in progress, computed only once for each view."""

from duels.screens.parts.view_cache import cached_by_view
from duels.standing import beings as of_beings
from duels.standing import progress as of_hands

beings = cached_by_view("beings", size=256)(of_beings.beings)
spells_in_progress = cached_by_view("spells in progress", size=256)(of_hands.spells_in_progress)
