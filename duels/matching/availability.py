"""Commands for wizards who are open to duels: start or stop waiting, and pair waiting wizards."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction

import engine.play
from duels.clocks.budget import Budget
from duels.commands import challenges
from duels.commands.error_isolation import run_for_each
from duels.commands.locking import lock_account, lock_pairing
from duels.commands.suspensions import check_may_act
from duels.delivery.nudging import TaskName, send_task_after_commit
from duels.errors import Refused
from duels.matching import pairing, queries
from duels.matching.models import MAX_DUELS, Availability, RatedChoice
from duels.matching.pairing import OFFERED_PACES, Match, Pair
from duels.models import User, Wizard, WizardKind

MAX_ROUND_SECONDS: Final = 50  # less than the minute between two rounds
MAX_ATTEMPTS: Final = 3  # searches for pairs in a round, if some duels cannot begin


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
    """Make the wizard open to duels, or change the terms, and ask a worker to pair them."""
    if wizard.kind != WizardKind.PLAYER or wizard.is_closed:
        raise Refused("players_only", "To be open to duels, you need an account. Sign up first.")
    check_may_act(wizard, now)
    lock_account(wizard)
    terms = {
        "rulesets": _checked_values(rulesets, list(engine.play.RULESETS), "rulesets"),
        "paces": _checked_values(paces, [str(pace) for pace in OFFERED_PACES], "paces"),
        "rated": _checked_values([rated], RatedChoice.values, "rated")[0],
        "most_duels": most_duels,
    }
    if not 1 <= most_duels <= MAX_DUELS:
        raise Refused("wrong_number", f"Choose 1 to {MAX_DUELS}.", field="most_duels")
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


def pair_wizards(*, now: datetime) -> int:
    """Begin duels between wizards who are open to them. Return the number of duels.

    Each pair has its own transaction, so an error affects only this pair. Wizards whose duel cannot
    begin are then paired with others.
    """
    budget = Budget(MAX_ROUND_SECONDS)
    pool = queries.pairing_pool(now)
    begun: set[Pair] = set()
    for _ in range(MAX_ATTEMPTS):
        found = pairing.best_matches(pool)
        run_for_each(
            found, partial(_begin_duel, begun=begun, now=now), budget, "Failed to pair wizards"
        )
        tried = {match.ids for match in found}
        if tried <= begun or budget.is_spent:
            break
        paired = {id for pair in begun for id in pair}
        left = [each for each in pool.wizards if each.id not in paired]
        pool = replace(pool, wizards=left, apart={*pool.apart, *tried})
    return len(begun)


def _begin_duel(chosen: Match, *, begun: set[Pair], now: datetime) -> bool:
    """Begin a duel of these wizards and add them to `begun`, if both are still open to it.

    Workers take turns, and each sees the duels that the others have begun. So nobody is paired
    twice, and wizards who have stopped are not paired.
    """
    with suppress(Refused), transaction.atomic():  # a wizard may have reached another limit
        lock_pairing()
        waiting = Availability.objects.select_for_update(of=("self",), no_key=True)
        rows = list(
            waiting.filter(wizard__in=chosen.ids).select_related("wizard").order_by("wizard")
        )
        for match in pairing.best_matches(queries.pairing_pool(now, among=chosen.ids)):
            challenges.begin_paired_duel(
                first=rows[0].wizard,
                second=rows[1].wizard,
                ruleset=match.ruleset,
                pace=match.pace,
                rated=match.rated,
                now=now,
            )
            for row in rows:
                row.since = now
                row.save(update_fields=["since"])
            begun.add(chosen.ids)
    return chosen.ids in begun


def _checked_values(chosen: Collection[str], known: Collection[str], field: str) -> list[str]:
    """Return the chosen values in their usual order. Raise `Refused` if there is none."""
    found = [each for each in known if each in chosen]
    if not found:
        raise Refused("nothing_chosen", "Choose at least one.", field=field)
    return found
