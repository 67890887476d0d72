"""What referees do at the desk that changes nothing of a duel but its log."""

from datetime import datetime

from django.db import transaction

from duels.commands import acts
from duels.errors import Refused
from duels.models import Act, ActKind, Turn, User
from duels.referee.public import CaseStatus, case_of, may_handle


@transaction.atomic
def open_sealed(*, case_id: int, referee: User, ordinal: int, reason: str, now: datetime) -> Act:
    """What is sealed in this turn, and what fog hid up to its end, lies open to this referee.

    Only inside a case that goes on and that they hold. It stands in the log, which the players read
    when the duel is over; twice is as good as once. Promise 10
    """
    case = case_of(case_id)
    if case is None or case.duel is None:
        raise Refused("no_such_case", "There is no such case about a duel.")
    refused = may_handle(referee, case, now)
    if refused is not None:
        raise refused
    if case.status != CaseStatus.CLAIMED or case.referee_id != referee.pk:
        raise Refused("not_held", f"You do not hold {case.title.lower()}: claim it first.")
    if not Turn.objects.filter(duel=case.duel, ordinal=ordinal).exists():
        raise Refused("no_such_turn", "There is no such turn in this duel.")
    if case.duel.is_over:
        raise Refused("open_already", "The duel is over: everything about it is open.")
    done = Act.objects.filter(
        duel=case.duel,
        case=case.pk,
        referee=referee.pk,
        kind=ActKind.OPEN_SEALED,
        turn=ordinal,
    ).first()
    if done is not None:
        return done
    return acts.note(
        ActKind.OPEN_SEALED,
        by=acts.referee_ref(referee),
        reason=reason,
        now=now,
        duel_id=case.duel.pk,
        case=case.pk,
        turn=ordinal,
    )
