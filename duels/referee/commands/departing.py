"""Who closes their account leaves no case behind that only they could end."""

from datetime import datetime

from django.db import transaction

from duels.models import ActKind, User, Wizard
from duels.referee.commands.cases import end, locked_case
from duels.referee.commands.telling import WITHDRAWN, note_of_player, tell
from duels.referee.models import GOING_ON, Case, CaseStatus


@transaction.atomic
def end_cases_of(*, user: User, now: datetime) -> int:
    """The disputes that the user's wizard has opened end as withdrawn, with the clocks of their
    duels going on, and what the user holds as a referee waits for another one. How many.

    Reports stay: what was said or is called so remains to be looked at. So does an appeal, which
    may be of use to others.
    """
    wizard = Wizard.objects.filter(user=user).first()
    ended = 0
    opened = Case.objects.filter(opened_by=wizard, kind="dispute", status__in=GOING_ON, round=1)
    for case_id in opened.order_by("duel_id", "pk").values_list("pk", flat=True):
        case = locked_case(case_id)
        if case.is_going_on:
            end(case, CaseStatus.WITHDRAWN, now)
            note_of_player(case, ActKind.CLOSE_DISPUTE, case.opened_by, now)
            tell(case, WITHDRAWN, now, by=case.opened_by)
            ended += 1
    held = Case.objects.filter(referee=user, status=CaseStatus.CLAIMED)
    for case_id in held.order_by("duel_id", "pk").values_list("pk", flat=True):
        case = locked_case(case_id)
        case.status = CaseStatus.OPEN if case.round == 1 else CaseStatus.APPEALED
        case.referee = case.claimed_at = None
        case.save(update_fields=["status", "referee", "claimed_at"])
        ended += 1
    return ended
