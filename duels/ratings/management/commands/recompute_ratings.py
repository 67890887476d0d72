"""Recompute all ratings from the results of rated duels.

Ratings stay the same unless the formulas have changed. Rated duels under a ruleset cannot end while
its ratings are being computed.
"""

from typing import Any

from duels.ratings.commands import recompute_ratings
from duels.ratings.models import Ladder
from spellcaster.startup import CheckedCommand


class Command(CheckedCommand):
    help = __doc__

    def handle(self, *, verbosity: int, **options: Any) -> None:
        for ruleset in Ladder.objects.order_by("ruleset").values_list("ruleset", flat=True):
            duels = recompute_ratings(ruleset)
            if verbosity:
                self.stdout.write(f"{ruleset}: {duels} duels")
