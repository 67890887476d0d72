"""Commands for wizards who are open to duels: start or stop waiting, and pair waiting wizards."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime

from django.db import transaction

import engine.play
from duels.commands import challenges
from duels.commands.locking import lock_pairing
from duels.commands.suspensions import check_may_act
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.matching import pairing, queries
from duels.matching.models import MOST_DUELS, Availability, RatedChoice
from duels.matching.pairing import PACES
from duels.models import User, Wizard, WizardKind


@transaction.atomic
def become_open(
    *,
    wizard: Wizard,
    rulesets: Collection[str],
    paces: Collection[str],
    rated: str,
    most_duels: int,
    now: datetime,
) -> Availability:
    """Make the wizard open to duels on these terms, or change the terms.

    Ask a worker to pair the wizard right away.
    """
    if wizard.kind != WizardKind.PLAYER or wizard.is_closed:
        raise Refused("players_only", "To be open to duels, you need an account. Sign up first.")
    check_may_act(wizard, now)
    terms = {
        "rulesets": _known(rulesets, list(engine.play.RULESETS), "rulesets"),
        "paces": _known(paces, [str(pace) for pace in PACES], "paces"),
        "rated": _known([rated], RatedChoice.values, "rated")[0],
        "most_duels": most_duels,
    }
    if not 1 <= most_duels <= MOST_DUELS:
        raise Refused("wrong_number", f"Choose 1 to {MOST_DUELS}.", field="most_duels")
    row, _ = Availability.objects.update_or_create(
        wizard=wizard, defaults=terms, create_defaults={**terms, "since": now}
    )
    send_task_after_commit(TaskName.PAIR_WIZARDS, wizard.pk)
    return row


def stop(*, wizard: Wizard) -> None:
    """Stop pairing this wizard with others. Do nothing if they are not waiting."""
    queries.availability_of(wizard).delete()


def delete_availability(*, user: User, now: datetime) -> None:
    """Delete the availability of a user who closes their account."""
    Availability.objects.filter(wizard__user=user).delete()


@transaction.atomic
def pair_wizards(*, now: datetime) -> int:
    """Begin duels between wizards who are open to them. Return the number of duels.

    Only one worker pairs wizards at a time, so each worker sees the duels that others have begun.
    Nobody is paired twice, and wizards who have stopped waiting are not paired.
    """
    lock_pairing()
    begun = 0
    for match in pairing.matches(queries.pool(now)):
        with suppress(Refused), transaction.atomic():  # a wizard may have reached another limit
            begun += _begin(match, now)
    return begun


def _begin(match: pairing.Match, now: datetime) -> bool:
    """Begin a duel between two wizards, unless one of them has just stopped waiting."""
    waiting = Availability.objects.select_for_update(of=("self",), no_key=True)
    both = list(waiting.filter(wizard__in=match.ids).select_related("wizard").order_by("wizard"))
    if len(both) < len(match.ids):
        return False
    challenges.begin_paired_duel(
        first=both[0].wizard,
        second=both[1].wizard,
        ruleset=match.ruleset,
        pace=match.pace,
        rated=match.rated,
        now=now,
    )
    for row in both:
        row.since = now
        row.save(update_fields=["since"])
    return True


def _known(chosen: Collection[str], known: Collection[str], field: str) -> list[str]:
    """Return the chosen values in their usual order. Raise `Refused` if there is none."""
    found = [each for each in known if each in chosen]
    if not found:
        raise Refused("nothing_chosen", "Choose at least one.", field=field)
    return found
