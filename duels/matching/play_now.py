"""Pairing of people who want to play now, through open challenges on the usual terms."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

import engine.play
from duels.clocks.clock import Pace
from duels.commands import challenges
from duels.commands.locking import lock_pairing
from duels.errors import Refused
from duels.matching import limits
from duels.models import MIN_WIZARDS, Duel, Wizard
from duels.queries import lists

RULESET: Final = next(iter(engine.play.RULESETS))
PACE: Final = Pace(seconds=3600)
# After that, the challenger has probably left the site.
CHALLENGE_LIFETIME: Final = timedelta(hours=1)
MAX_ATTEMPTS: Final = 5


@transaction.atomic
def accept_or_create_challenge(*, wizard: Wizard, now: datetime) -> Duel:
    """Accept the oldest open challenge on the usual terms, or create one that waits for an hour.

    If the wizard already has such a challenge, return it. Requests run one at a time, so that two
    people who press the button at the same moment play each other.
    """
    lock_pairing()
    usual = _on_usual_terms(limits.open_list(wizard, now).found)
    for duel_id in usual.values_list("pk", flat=True)[:MAX_ATTEMPTS]:
        with suppress(Refused), transaction.atomic():  # another wizard may have just accepted it
            return challenges.accept(duel_id=duel_id, wizard=wizard, now=now)
    own = _on_usual_terms(lists.open_list(None, now).found).filter(challenger=wizard).first()
    return own or challenges.challenge_anyone(
        challenger=wizard,
        ruleset=RULESET,
        pace=str(PACE),
        expires_at=now + CHALLENGE_LIFETIME,
        now=now,
    )


def _on_usual_terms(duels: QuerySet[Duel]) -> QuerySet[Duel]:
    """Return the challenges to two-wizard duels on the usual terms, oldest first."""
    usual = duels.filter(size=MIN_WIZARDS, ruleset=RULESET, options=[])
    return usual.order_by("created_at", "pk")
