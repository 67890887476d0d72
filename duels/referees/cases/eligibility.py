"""Rules that decide which referees may handle a case. Involved referees may not.

Referees cannot rule on their own duels, or on duels of wizards that they are playing or have played
within thirty days. An appeal goes to another referee.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from duels.errors import Refused
from duels.models import Act, ActKind, Duel, Seat, User, Wizard, WizardKind
from duels.referees.log.act_log import former_wizards, is_referee
from duels.referees.models import Case, Objection, Ruling

RECENT_DUEL_PERIOD: Final = timedelta(days=30)


def handling_refusal(user: User, case: Case, now: datetime) -> Refused | None:
    """Return the reason why this user may not handle this case, or None if they may."""
    if not is_referee(user):
        return Refused("not_referee", "Only a referee can do this.")
    mine = set(Wizard.objects.filter(user=user).values_list("pk", flat=True))
    theirs = parties_of(case)
    if mine & theirs:
        text = "You are involved in this case yourself, so another referee must handle it."
        return Refused("own_case", text)
    shared = _shared_seats(mine).filter(wizard__in=theirs)
    if shared.filter(duel_ended_at__isnull=True).exists():
        text = "You are in a duel with one of these wizards, so another referee must handle this."
        return Refused("present_opponent", text)
    if shared.filter(_recent_duel_filter(now)).exists():
        text = (
            f"You played one of these wizards in the last {RECENT_DUEL_PERIOD.days} days, so "
            "another referee must handle this."
        )
        return Refused("recent_opponent", text)
    ruled = Ruling.objects.filter(case=case, round__lt=case.round, referee=user)
    if ruled.exists():
        text = "You have ruled on this case, so another referee must handle the appeal."
        return Refused("second_referee", text)
    if Objection.objects.filter(case=case, referee=user).exists():
        text = "A player has objected to you in this case, so another referee must handle it."
        return Refused("objected_to", text)
    return None


def eligible_cases(user: User, cases: QuerySet[Case], now: datetime) -> QuerySet[Case]:
    """Return the cases in this query that this user may handle (see `handling_refusal`)."""
    if not is_referee(user):
        return cases.none()
    mine = set(Wizard.objects.filter(user=user).values_list("pk", flat=True))
    theirs = _shared_seats(mine).filter(_recent_duel_filter(now)).values_list("wizard", flat=True)
    parted = [*mine, *theirs]
    seated = Seat.objects.filter(wizard__in=parted).values("duel")
    replaced = Act.objects.filter(kind=ActKind.REPLACE, facts__from__in=parted).values("duel")
    has_part = Q(opened_by__in=parted) | Q(about__in=parted)
    has_part |= Q(duel__in=seated) | Q(duel__in=replaced)
    ruled = Ruling.objects.filter(case=OuterRef("pk"), round__lt=OuterRef("round"), referee=user)
    objected = Objection.objects.filter(case=OuterRef("pk"), referee=user)
    # Without a duel or subject, parts of the condition are NULL. `exclude` keeps such cases.
    return cases.exclude(has_part).exclude(Exists(ruled)).exclude(Exists(objected))


def check_may_handle(user: User, case: Case, now: datetime) -> None:
    """Raise `Refused`, with the reason, if this user may not handle this case."""
    refused = handling_refusal(user, case, now)
    if refused is not None:
        raise refused


def parties_of(case: Case) -> set[int]:
    """Return the ids of the wizards that a case is about, and of the wizard who opened it."""
    found = {case.opened_by_id}
    if case.about_id is not None:
        found.add(case.about_id)
    if case.duel is not None:
        found |= wizards_of(case.duel)
    return found


def wizards_of(duel: Duel) -> set[int]:
    """Return the ids of a duel's wizards, including wizards that a referee has replaced."""
    seated = Seat.objects.filter(duel=duel).values_list("wizard_id", flat=True)
    return {*seated, *(former.wizard.pk for former in former_wizards(duel))}


def _shared_seats(wizards: Iterable[int]) -> QuerySet[Seat]:
    """Return the seats of players in the duels of these wizards.

    Unanswered challenges do not count. Otherwise players could make a referee ineligible by
    challenging them.
    """
    taken = Seat.objects.filter(wizard__in=list(wizards), accepted_at__isnull=False)
    return Seat.objects.filter(wizard__kind=WizardKind.PLAYER, duel__in=taken.values("duel"))


def _recent_duel_filter(now: datetime) -> Q:
    """Return a filter for seats in duels that are running or ended within thirty days."""
    is_fresh = Q(place__isnull=False, duel_ended_at__gt=now - RECENT_DUEL_PERIOD)
    return Q(duel_ended_at__isnull=True) | is_fresh
