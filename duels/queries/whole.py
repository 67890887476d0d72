"""Query for the summary of a finished duel, which is cached for each end of the duel."""

import engine.play
import engine.words
from duels.caching.caches import KeyedCache
from duels.loaded import adjudication
from duels.models import Duel, Turn

# The key includes the last act, because a referee can change the result or have turns played again.
WHOLE: KeyedCache[tuple[str, int], engine.words.Story] = KeyedCache(
    "stories of finished duels", size=64, key="the commitment to the seed, and the last act"
)


def whole_story(duel: Duel) -> engine.words.Story | None:
    """Return the summary of a finished duel, or None if the duel is not over."""
    if not duel.is_over or duel.final_position is None:
        return None
    return WHOLE.get((duel.seed_commitment, duel.last_act), lambda: _tell_whole_story(duel))


def _tell_whole_story(duel: Duel) -> engine.words.Story:
    played = Turn.objects.filter(duel=duel).exclude(events=None).order_by("ordinal")
    final = engine.play.load_position(duel.final_position)
    return engine.words.story_of(adjudication.history(played, final))
