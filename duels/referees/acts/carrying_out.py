"""Functions that plan an act and carry it out.

Both run the same code. Planning runs it in a transaction that is rolled back, so that nothing is
stored and nobody is notified. The plan shows the referee the changes in advance.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Required, TypedDict, Unpack

from django.db import transaction

from duels.caching.poll_cache import mark_duel_changed_on_commit
from duels.commands.locking import lock_duel, lock_turn
from duels.commands.resolution import resolve_turn
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, DuelStatus, Seat, User, Wizard
from duels.post.kinds.refereed import Refereed
from duels.post.public import notify
from duels.referees.acts.act_types import ActContext, ActPlan
from duels.referees.acts.entered_values import parse_entered_values
from duels.referees.acts.registry import SPEC_BY_ACT
from duels.referees.log import act_log
from duels.referees.log.act_log import RefereeRef, former_wizards

ACTS_ON_GUESTS = (ActKind.RENAME, ActKind.LOCK_SPEECH, ActKind.UNLOCK_SPEECH)


class ActRequest(TypedDict, total=False):
    """The arguments of an act: its referee, time, target and case, and the values of its fields."""

    by: Required[RefereeRef]
    now: Required[datetime]
    fields: Mapping[str, str]
    duel_id: int | None
    wizard_id: int | None
    case: int | None


def plan_act(kind: ActKind, **request: Unpack[ActRequest]) -> ActPlan:
    """Return the changes that this act would make, or raise `Refused`. Store nothing."""
    with transaction.atomic():
        _, planned = _apply_act(kind, "", request)
        transaction.set_rollback(True)
    return planned


@transaction.atomic
def carry_out_act(
    kind: ActKind, *, reason: str, seen_stamp: str | None = None, **request: Unpack[ActRequest]
) -> Act:
    """Carry out the act, log it and notify the players.

    `seen_stamp` is the stamp of the plan that the referee has read. Raise `Refused` if the plan has
    changed since.
    """
    reason = act_log.checked_reason(reason)
    context, done = _apply_act(kind, reason, request)
    if seen_stamp is not None and done.stamp != seen_stamp:
        text = (
            "The duel has changed since you opened this page, so the effect would be different. "
            "Check again."
        )
        raise Refused("plan_has_changed", text, field="seen")
    act = act_log.append_act(
        kind,
        by=context.by,
        reason=reason,
        now=context.now,
        duel=context.duel,
        case=context.case,
        seat=context.seat,
        wizard_id=context.wizard_id,
        turn=context.turn,
        facts=context.facts,
    )
    if context.after_logging is not None:
        context.after_logging(act.pk)
    _notify(act, context)
    return act


def resolve_for_operator(*, turn_id: int, by: User, now: datetime) -> bool:
    """Log the operator's request, then resolve the turn like `resolve_turn`."""
    with transaction.atomic():
        turn = lock_turn(turn_id)
        ordinal = turn.row.ordinal
        act_log.log_operator_action(ActKind.NUDGE, by, now, duel=turn.duel, turn=ordinal, facts={})
    return resolve_turn(turn_id=turn_id, now=now)


def _apply_act(kind: ActKind, reason: str, request: ActRequest) -> tuple[ActContext, ActPlan]:
    """Lock all rows that the act may change, then apply it. Return its context and changes."""
    if kind not in SPEC_BY_ACT:
        raise Refused("no_such_act", "This action does not exist.", field="kind")
    spec, by = SPEC_BY_ACT[kind], request["by"]
    if not act_log.referees().filter(pk=by.user_id).exists():
        raise Refused("not_a_referee", "Only referees can do this.")
    context = ActContext(
        kind=kind, by=by, reason=reason, case=request.get("case"), now=request["now"], values={}
    )
    duel_id, wizard_id = request.get("duel_id"), request.get("wizard_id")
    if duel_id is not None:
        context.duel = _duel_to_act_on(duel_id, by)
    elif wizard_id is not None:
        context.wizard = _wizard_to_act_on(wizard_id, by, kind)
        context.wizard_id = wizard_id
    subject = "duel" if context.duel else "wizard"
    if subject not in spec.subjects or (context.duel is None and context.wizard is None):
        raise Refused("wrong_subject", f"This action cannot be used on a {subject}.", field="kind")
    context.values = parse_entered_values(spec, request.get("fields", {}), context)
    spec.apply(context)
    return context, ActPlan(tuple(context.changes))


def _notify(act: Act, context: ActContext) -> None:
    """Notify everyone in the duel, or only the wizards that the act concerns."""
    duel, readers = context.duel, context.only_notified
    if duel is None:
        readers = (context.the_wizard,)
    elif readers is None:
        seats = Seat.objects.filter(duel=duel).select_related("wizard")
        readers = (*(seat.wizard for seat in seats), *context.also_notified)
    occasion, details = f"act {act.pk}", {"act": act.pk}
    notify(Refereed, readers, duel, context.now, occasion=occasion, details=details)


def _duel_to_act_on(duel_id: int, by: RefereeRef) -> Duel:
    duel = lock_duel(duel_id)
    if duel.is_practice:
        raise Refused("practice", "Practice duels have no referees.")
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        raise Refused("not_begun", "This duel has not begun yet.")
    is_seated = Seat.objects.filter(duel=duel, wizard__user=by.user_id).exists()
    if is_seated or any(gone.wizard.user_id == by.user_id for gone in former_wizards(duel)):
        raise Refused("own_duel", "You cannot referee your own duel.")
    return duel


def _wizard_to_act_on(wizard_id: int, by: RefereeRef, kind: ActKind) -> Wizard:
    """Lock all the wizard's duels and then the wizard, in the usual order of locks.

    Referees can only rename guests, and lock or unlock their messages.
    """
    duels = Duel.objects.filter(seats__wizard=wizard_id).order_by("pk")
    locked = duels.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True)
    for duel_id in list(locked):
        mark_duel_changed_on_commit(duel_id)
    wizard = Wizard.objects.select_for_update(of=("self",), no_key=True).filter(pk=wizard_id)
    found = wizard.first()
    if found is None or found.is_closed:
        raise Refused("no_such_wizard", "This wizard does not exist.")
    if found.user_id is None and not (found.is_guest and kind in ACTS_ON_GUESTS):
        raise Refused("players_only", "This wizard does not belong to a player.")
    if found.user_id is not None and found.user_id == by.user_id:
        raise Refused("own_wizard", "You cannot referee yourself.")
    return found
