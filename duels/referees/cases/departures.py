"""Command that ends cases when a user who is involved in them closes their account."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from duels.models import Duel, User, Wizard
from duels.referees.cases.case_state import locked_case
from duels.referees.cases.disputes import withdraw_case
from duels.referees.cases.handling import remove_referee
from duels.referees.models import OPEN_STATUSES, Case, CaseStatus


@transaction.atomic
def end_cases_of(*, user: User, now: datetime) -> int:
    """End the user's cases when they close their account. Return the number of cases ended.

    Disputes opened by the user's wizard are withdrawn, and their duels resume. Cases that the user
    holds as a referee wait for another referee. Reports stay open, because the message or name must
    still be checked. Appeals also stay open, because they may help other players.
    """
    wizard = Wizard.objects.filter(user=user).first()
    # Lock all duels of these cases and all of the wizard's own, in the usual order, because closing
    # the account also locks the wizard's.
    concerned = Q(seats__wizard=wizard, seats__wizard__isnull=False) | Q(cases__referee=user)
    duels = Duel.objects.filter(pk__in=Duel.objects.filter(concerned).order_by().values("pk"))
    list(duels.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    ended = 0
    opened = Case.objects.filter(
        opened_by=wizard, kind="dispute", status__in=OPEN_STATUSES, round=1
    )
    for case_id in opened.order_by("duel_id", "pk").values_list("pk", flat=True):
        case = locked_case(case_id)
        if case.is_open:
            withdraw_case(case, case.opened_by, now)
            ended += 1
    held = Case.objects.filter(referee=user, status=CaseStatus.CLAIMED)
    for case_id in held.order_by("duel_id", "pk").values_list("pk", flat=True):
        remove_referee(locked_case(case_id))
        ended += 1
    return ended
