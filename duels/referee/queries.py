"""Cases and rulings, as players, referees and everybody ask for them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Q, QuerySet

from duels.models import Duel, User, Wizard
from duels.referee.fairness import wizards_of
from duels.referee.models import (
    GOING_ON,
    UNCLAIMED,
    Audience,
    Case,
    CaseKind,
    CaseStatus,
    CitedRule,
    Note,
    Ruling,
)

MEASURED: Final = timedelta(days=365)  # how far back it is counted how long cases take


# Cases


def queue() -> QuerySet[Case]:
    """Cases that go on, the oldest first: those that wait for a referee, and those with one."""
    return (
        Case.objects.filter(status__in=GOING_ON)
        .select_related("duel", "opened_by", "about", "referee")
        .order_by("opened_at", "pk")
    )


def unclaimed() -> QuerySet[Case]:
    """Cases that wait for a referee, the oldest first."""
    return queue().filter(status__in=UNCLAIMED)


def held_by(user: User) -> QuerySet[Case]:
    """Cases that this referee holds."""
    return queue().filter(status=CaseStatus.CLAIMED, referee=user)


def case_of(number: int) -> Case | None:
    """The case of this number."""
    related = ("duel", "opened_by", "about", "speech", "referee")
    return Case.objects.select_related(*related).filter(pk=number).first()


def visible_case(number: int, wizard: Wizard | None) -> Case | None:
    """The case, if this wizard has a part in it: a dispute is for the wizards of its duel, a report
    for who has made it."""
    case = case_of(number)
    if case is None or wizard is None:
        return None
    if case.opened_by_id == wizard.pk:
        return case
    has_part = case.is_dispute and case.duel is not None and wizard.pk in wizards_of(case.duel)
    return case if has_part else None


def cases_of_duel(duel: Duel) -> list[Case]:
    """The disputes about a duel, the newest first."""
    found = Case.objects.filter(duel=duel, kind=CaseKind.DISPUTE).order_by("-pk")
    return list(found.select_related("opened_by").prefetch_related("rulings"))


def notes_of(case: Case, *, for_players: bool) -> list[Note]:
    """What was written in a case, in its order; `for_players`: without what only referees read."""
    found = Note.objects.filter(case=case).select_related("wizard")
    return list(found.filter(audience=Audience.PLAYERS) if for_players else found)


def cases_of_wizard(wizard: Wizard) -> QuerySet[Case]:
    """What this wizard has opened, the newest first."""
    return Case.objects.filter(opened_by=wizard).order_by("-pk").prefetch_related("rulings")


# Rulings


def rulings(rule: str = "") -> QuerySet[Ruling]:
    """All rulings, or those that cite a rule; the newest first."""
    found = Ruling.objects.select_related("case__duel").prefetch_related("cited_rules")
    return found.filter(cited_rules__rule=rule) if rule else found


def ruling_of(number: int) -> Ruling | None:
    """The ruling of this number."""
    return rulings().filter(pk=number).first()


def other_ruling(ruling: Ruling) -> Ruling | None:
    """The ruling of the same case in its other round: what was appealed, or what came of it."""
    return Ruling.objects.filter(case=ruling.case_id).exclude(pk=ruling.pk).first()


def settling_rulings() -> dict[str, list[int]]:
    """By rule, the numbers of the rulings that settle it and were not overruled by an appeal."""
    found = CitedRule.objects.filter(is_settled=True).filter(_stands())
    numbers: dict[str, list[int]] = {}
    for rule, ruling in found.order_by("ruling_id").values_list("rule", "ruling_id"):
        numbers.setdefault(rule, []).append(ruling)
    return numbers


def _stands() -> Q:
    """A first ruling of a case that was ruled on anew does not stand."""
    anew = Ruling.objects.filter(round=2).values("case")
    return Q(ruling__round=2) | ~Q(ruling__case__in=anew)


# Figures


@dataclass(frozen=True)
class Figures:
    """How busy the referees are. `median_days`: from the opening of a case to its first ruling, of
    those of the last year; None before there are any."""

    waiting: int
    held: int
    ruled: int
    median_days: float | None


def figures(now: datetime) -> Figures:
    """How many cases are open, and how long they take."""
    statuses: Sequence[str] = list(
        Case.objects.filter(status__in=GOING_ON).values_list("status", flat=True)
    )
    recent = Ruling.objects.filter(round=1, published_at__gt=now - MEASURED).order_by()
    times = recent.values_list("case__opened_at", "published_at")
    days = [(ruled - opened) / timedelta(days=1) for opened, ruled in times]
    return Figures(
        waiting=_count(statuses, UNCLAIMED),
        held=_count(statuses, (CaseStatus.CLAIMED,)),
        ruled=Ruling.objects.count(),
        median_days=median(days) if days else None,
    )


def _count(statuses: Sequence[str], wanted: Collection[str]) -> int:
    return sum(status in wanted for status in statuses)
