"""Compute all ratings again from the results of rated duels.

The result is the same unless the formulas have changed. Rated duels of a ruleset cannot end while
its ratings are computed.
"""

from typing import Any

import engine.play
from duels.ratings.commands import recompute_ratings
from spellcaster.starting import ActingCommand


class Command(ActingCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        for ruleset in engine.play.RULESETS:
            duels = recompute_ratings(ruleset)
            if verbosity and duels:
                self.stdout.write(f"{ruleset}: {duels} duels")
