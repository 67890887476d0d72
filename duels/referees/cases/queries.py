"""Queries for cases and rulings."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median
from typing import Final

from django.db.models import Count, Q, QuerySet

from duels.models import Duel, User, Wizard
from duels.referees.cases.eligibility import wizards_of
from duels.referees.models import (
    OPEN_STATUSES,
    UNCLAIMED_STATUSES,
    Case,
    CaseKind,
    CaseStatus,
    CitedRule,
    Note,
    NoteAudience,
    Ruling,
)

MEDIAN_PERIOD: Final = timedelta(days=365)  # the median covers rulings in this period


# Cases


def open_cases() -> QuerySet[Case]:
    """Return open cases, including claimed ones, oldest first."""
    found = Case.objects.filter(status__in=OPEN_STATUSES).order_by("opened_at", "pk")
    return found.select_related("duel", "opened_by", "about", "referee")


def ended_cases() -> QuerySet[Case]:
    """Return ended cases, newest first."""
    found = Case.objects.filter(ended_at__isnull=False).order_by("-ended_at", "-pk")
    return found.select_related("duel", "opened_by", "about", "referee")


def unclaimed_cases() -> QuerySet[Case]:
    return open_cases().filter(status__in=UNCLAIMED_STATUSES)


def cases_held_by(user: User) -> QuerySet[Case]:
    return open_cases().filter(status=CaseStatus.CLAIMED, referee=user)


def case_by_number(number: int) -> Case | None:
    related = ("duel", "opened_by", "about", "speech", "referee")
    return Case.objects.select_related(*related).filter(pk=number).first()


def visible_case(number: int, wizard: Wizard | None) -> Case | None:
    """Return the case if this wizard may see it, otherwise None.

    The wizards of a duel can see disputes about it. A report is visible only to its author.
    """
    case = case_by_number(number)
    if case is None or wizard is None:
        return None
    if case.opened_by_id == wizard.pk:
        return case
    has_part = case.is_dispute and case.duel is not None and wizard.pk in wizards_of(case.duel)
    return case if has_part else None


def cases_of_duel(duel: Duel) -> list[Case]:
    """Return the disputes about a duel, newest first."""
    found = Case.objects.filter(duel=duel, kind=CaseKind.DISPUTE).order_by("-pk")
    return list(found.select_related("opened_by").prefetch_related("rulings"))


def notes_of(case: Case, *, for_players: bool) -> list[Note]:
    """Return the notes of a case in order. If `for_players`, leave out notes for referees."""
    found = Note.objects.filter(case=case).select_related("wizard")
    return list(found.filter(audience=NoteAudience.PLAYERS) if for_players else found)


def cases_of_wizard(wizard: Wizard) -> QuerySet[Case]:
    """Return the cases that this wizard has opened, newest first."""
    return Case.objects.filter(opened_by=wizard).order_by("-pk").prefetch_related("rulings")


# Rulings


def rulings_citing(rule: str = "") -> QuerySet[Ruling]:
    """Return all rulings, or those that cite a rule, newest first."""
    found = Ruling.objects.select_related("case__duel").prefetch_related("cited_rules")
    return found.filter(cited_rules__rule=rule) if rule else found


def ruling_by_number(number: int) -> Ruling | None:
    return rulings_citing().filter(pk=number).first()


def other_ruling(ruling: Ruling) -> Ruling | None:
    """Return the ruling of the case's other round (before or after the appeal), or None."""
    return Ruling.objects.filter(case=ruling.case_id).exclude(pk=ruling.pk).first()


def settling_rulings_by_rule() -> dict[str, list[int]]:
    """Return the numbers of the rulings that settle a rule, by rule, without overruled ones."""
    anew = Ruling.objects.filter(round=2).values("case")
    in_force = Q(ruling__round=2) | ~Q(ruling__case__in=anew)
    found = CitedRule.objects.filter(in_force, is_settled=True)
    numbers: dict[str, list[int]] = {}
    for rule, ruling in found.order_by("ruling_id").values_list("rule", "ruling_id"):
        numbers.setdefault(rule, []).append(ruling)
    return numbers


# Figures


@dataclass(frozen=True)
class CaseFigures:
    """The referees' workload.

    `median_days` is the median time from the opening of a case to its first ruling, over the last
    year. It is None if there are no rulings.
    """

    waiting: int
    held: int
    ruled: int
    median_days: float | None


def case_figures(now: datetime) -> CaseFigures:
    claimed = Case.objects.filter(status__in=OPEN_STATUSES).aggregate(
        waiting=Count("pk", filter=Q(status__in=UNCLAIMED_STATUSES)),
        held=Count("pk", filter=Q(status=CaseStatus.CLAIMED)),
    )
    recent = Ruling.objects.filter(round=1, published_at__gt=now - MEDIAN_PERIOD).order_by()
    times = recent.values_list("case__opened_at", "published_at")
    days = [(ruled - opened) / timedelta(days=1) for opened, ruled in times]
    return CaseFigures(
        **claimed,
        ruled=Ruling.objects.count(),
        median_days=median(days) if days else None,
    )
