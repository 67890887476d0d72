"""Commands of the desk: carrying out acts in a case, and opening sealed orders."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from duels.errors import Refused
from duels.models import Act, ActKind, Turn, User
from duels.referees.acts import carrying_out
from duels.referees.cases.handling import held_case
from duels.referees.desk.evidence.opening import looks
from duels.referees.log import act_log


@transaction.atomic
def carry_out_in_case(
    kind: ActKind,
    *,
    case_id: int,
    referee: User,
    reason: str,
    seen: str,
    now: datetime,
    fields: Mapping[str, str],
    duel_id: int | None = None,
    wizard_id: int | None = None,
) -> Act:
    """Carry out an act in a case, if this referee still holds it when the act is done."""
    act = carrying_out.carry_out(
        kind,
        by=act_log.referee_ref(referee),
        reason=reason,
        seen=seen,
        now=now,
        fields=fields,
        duel_id=duel_id,
        wizard_id=wizard_id,
        case=case_id,
    )
    # Check this last, because cases are locked after everything that the act changes. If the case
    # has ended meanwhile, the act is rolled back.
    held_case(case_id, referee, now)
    return act


@transaction.atomic
def open_sealed(
    *,
    case_id: int,
    referee: User,
    ordinal: int,
    reason: str,
    now: datetime,
    voided_in: int = 0,
) -> Act:
    """Let this referee see this turn's sealed orders, and everything that fog hid up to its end.

    The referee must hold the case. Opening is logged, and players can read the log when the duel is
    over. Opening a turn again has no effect. A turn that is played again after a rollback counts as
    another turn. Promise 10
    """
    case = held_case(case_id, referee, now)
    if case.duel is None:
        raise Refused("no_such_case", "This case is not about a duel.")
    turns = Turn.with_voided.filter(duel=case.duel, ordinal=ordinal, voided_in=voided_in)
    if not turns.exists():
        raise Refused("no_such_turn", "This duel has no such turn.")
    if case.duel.is_over:
        raise Refused("open_already", "The duel is over, so everything about it is public.")
    done = looks(case, referee).get((ordinal, voided_in))
    if done is not None:
        return done
    return act_log.append(
        ActKind.OPEN_SEALED,
        by=act_log.referee_ref(referee),
        reason=reason,
        now=now,
        duel=case.duel,
        case=case.pk,
        turn=ordinal,
        facts={"voided_in": voided_in} if voided_in else {},
    )
