"""Commands for the referee of a case: act on its duel, and open sealed orders. Promise 10"""

from datetime import datetime
from typing import Unpack

from django.db import transaction

from duels.errors import Refused
from duels.models import Act, ActKind, Turn, User
from duels.referees.acts.carrying_out import ActRequest, carry_out_act
from duels.referees.cases.handling import lock_held_case
from duels.referees.log.act_log import append_act, referee_ref
from duels.referees.models import Case

TurnKey = tuple[int, int]  # the turn's ordinal, and the rollback that voided it, or 0


@transaction.atomic
def carry_out_in_case(
    kind: ActKind, *, referee: User, reason: str, seen: str, **request: Unpack[ActRequest]
) -> Act:
    """Carry out an act in a case that this referee holds."""
    act = carry_out_act(kind, reason=reason, seen_stamp=seen, **request)
    # Lock the case last, because cases are locked after all rows that the act changes. If the case
    # has ended in the meantime, the act is rolled back.
    assert request["case"] is not None
    lock_held_case(request["case"], referee, request["now"])
    return act


@transaction.atomic
def open_sealed_orders(
    *,
    case_id: int,
    referee: User,
    ordinal: int,
    reason: str,
    now: datetime,
    voided_in: int = 0,
) -> Act:
    """Show this referee the turn's sealed orders, and everything that fog hid in the duel so far.

    The referee must hold the case. The act is logged, and players can read the log when the duel is
    over. Opening a turn a second time has no effect. A turn that is played again after a rollback
    counts as another turn. Promise 10
    """
    case = lock_held_case(case_id, referee, now)
    if case.duel is None:
        raise Refused("no_such_case", "This case is not about a duel.")
    turns = Turn.with_voided.filter(duel=case.duel, ordinal=ordinal, voided_in=voided_in)
    if not turns.exists():
        raise Refused("no_such_turn", "This duel has no such turn.")
    if case.duel.is_over:
        raise Refused("open_already", "The duel is over, so everything about it is public.")
    done = acts_that_opened_turns(case, referee).get((ordinal, voided_in))
    if done is not None:
        return done
    return append_act(
        ActKind.OPEN_SEALED,
        by=referee_ref(referee),
        reason=reason,
        now=now,
        duel=case.duel,
        case=case.pk,
        turn=ordinal,
        facts={"voided_in": voided_in} if voided_in else {},
    )


def acts_that_opened_turns(case: Case, referee: User) -> dict[TurnKey, Act]:
    """Return the acts that opened turns to this referee in this case, by the turns' current keys.

    If an opened turn was rolled back, its key changes because it is void. The turn that replaces it
    has not been opened.
    """
    found: dict[TurnKey, Act] = {}
    kinds = [ActKind.OPEN_SEALED, ActKind.ROLL_BACK]
    for act in Act.objects.filter(duel=case.duel, kind__in=kinds).order_by("ordinal"):
        if act.kind == ActKind.ROLL_BACK:
            number, void = act.facts["roll_back"], act.facts["void"]
            for ordinal in void:
                if (ordinal, 0) in found:
                    found[ordinal, number] = found.pop((ordinal, 0))
        elif (act.case, act.referee) == (case.pk, referee.pk) and act.turn is not None:
            found[act.turn, act.facts.get("voided_in", 0)] = act
    return found
