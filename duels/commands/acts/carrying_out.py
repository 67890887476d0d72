"""An act is planned, which shows what it would change, and carried out, which does just that.

Both run the same code: what is planned is done in a transaction that is then undone, so that
nothing is written and nobody is told.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from duels import act_log
from duels.act_log import RefereeRef, former_wizards
from duels.commands.acts.reading import read
from duels.commands.acts.registry import ACTS
from duels.commands.acts.shapes import ActPlan, ActSpec, Doing
from duels.commands.acts.telling import tell
from duels.commands.locking import locked_duel, locked_turn
from duels.commands.resolution import resolve_turn
from duels.errors import Refused
from duels.models import Act, ActKind, Duel, DuelStatus, Seat, User, Wizard
from duels.poll_cache import mark_changed_on_commit
from duels.second_factor import REFEREES


class _Undone(Exception):
    """What was planned has been done to see what it changes, and is undone."""


def plan(
    kind: ActKind,
    *,
    by: RefereeRef,
    now: datetime,
    fields: Mapping[str, str] | None = None,
    duel_id: int | None = None,
    wizard_id: int | None = None,
    case: int | None = None,
) -> ActPlan:
    """What this act would change. Refuses what could not be done. Nothing is written."""
    spec = _spec(kind)
    changes: tuple[Any, ...] = ()
    try:
        with transaction.atomic():
            doing = _begun(spec, by, "", now, fields or {}, duel_id, wizard_id, case)
            spec.apply(doing)
            changes = tuple(doing.changes)
            raise _Undone
    except _Undone:
        return ActPlan(spec, changes)


@transaction.atomic
def carry_out(
    kind: ActKind,
    *,
    by: RefereeRef,
    reason: str,
    now: datetime,
    fields: Mapping[str, str] | None = None,
    duel_id: int | None = None,
    wizard_id: int | None = None,
    case: int | None = None,
    seen: str | None = None,
) -> Act:
    """The act is done, stands in the log, and the players are told.

    `seen`: the stamp of the plan that the referee has read; refuses where another is true by now.
    """
    reason = act_log.checked_reason(reason)
    spec = _spec(kind)
    doing = _begun(spec, by, reason, now, fields or {}, duel_id, wizard_id, case)
    spec.apply(doing)
    if seen is not None and ActPlan(spec, tuple(doing.changes)).stamp != seen:
        text = "Something has happened meanwhile, and this would change something else: look again."
        raise Refused("plan_has_changed", text, field="seen")
    act = act_log.append(
        kind,
        by=by,
        reason=reason,
        now=now,
        duel=doing.duel,
        case=case,
        seat=doing.seat,
        wizard_id=doing.wizard_id,
        turn=doing.turn,
        facts=doing.facts,
    )
    if doing.once_logged is not None:
        doing.once_logged(act.pk)
    tell(act, doing, now)
    return act


@transaction.atomic
def note(
    kind: ActKind,
    *,
    by: RefereeRef,
    reason: str,
    now: datetime,
    duel_id: int | None = None,
    case: int | None = None,
    seat: str = "",
    wizard_id: int | None = None,
    turn: int | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Act:
    """A line of the log for what changes nothing of a duel: a look at what is sealed, a ruling."""
    duel = None if duel_id is None else locked_duel(duel_id)
    return act_log.append(
        kind,
        by=by,
        reason=reason,
        now=now,
        duel=duel,
        case=case,
        seat=seat,
        wizard_id=wizard_id,
        turn=turn,
        facts=facts,
    )


def nudge(*, turn_id: int, by: User, now: datetime) -> bool:
    """An operator has this turn looked at again, which stands in the log: it is resolved if it is
    complete. Answers whether by this call. Raises `ResolutionFailed`."""
    with transaction.atomic():
        turn = locked_turn(turn_id)
        ordinal = turn.row.ordinal
        act_log.note_of_operator(ActKind.NUDGE, by, now, duel=turn.duel, turn=ordinal, facts={})
    return resolve_turn(turn_id=turn_id, now=now)


def _spec(kind: ActKind) -> ActSpec:
    if kind not in ACTS:
        raise Refused("no_such_act", "There is no such act.", field="kind")
    return ACTS[kind]


def _begun(
    spec: ActSpec,
    by: RefereeRef,
    reason: str,
    now: datetime,
    typed: Mapping[str, str],
    duel_id: int | None,
    wizard_id: int | None,
    case: int | None,
) -> Doing:
    """The act at its beginning, with everything locked that it may change."""
    check_is_referee(by)
    doing = Doing(kind=spec.kind, by=by, reason=reason, case=case, now=now, values={})
    if duel_id is not None:
        doing.duel = _duel_to_act_on(duel_id, by)
    elif wizard_id is not None:
        doing.wizard = _wizard_to_act_on(wizard_id, by, spec.kind)
        doing.wizard_id = wizard_id
    subject = "duel" if doing.duel else "wizard"
    if subject not in spec.subjects or (doing.duel is None and doing.wizard is None):
        raise Refused("wrong_subject", "This is not done to a " + subject + ".", field="kind")
    doing.values = read(spec, typed, doing)
    return doing


def check_is_referee(by: RefereeRef) -> None:
    """Refuses whoever is no referee: no rank of an operator stands in for it."""
    referees = User.objects.filter(pk=by.user_id, is_active=True, groups__name=REFEREES)
    if not referees.exists():
        raise Refused("not_a_referee", "Only referees do this.")


def _duel_to_act_on(duel_id: int, by: RefereeRef) -> Duel:
    duel = locked_duel(duel_id)
    if duel.is_practice:
        raise Refused("practice", "There are no referees in practice.")
    if duel.status in (DuelStatus.GATHERING, DuelStatus.LAPSED):
        raise Refused("not_begun", "This duel has not begun.")
    is_seated = Seat.objects.filter(duel=duel, wizard__user=by.user_id).exists()
    if is_seated or any(gone.wizard.user_id == by.user_id for gone in former_wizards(duel)):
        raise Refused("own_duel", "Nobody referees a duel of their own.")
    return duel


def _wizard_to_act_on(wizard_id: int, by: RefereeRef, kind: ActKind) -> Wizard:
    """The wizard, locked after all their duels, in the one order of locks. Of guests only the name
    is anybody's business."""
    duels = Duel.objects.filter(seats__wizard=wizard_id).order_by("pk")
    locked = duels.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True)
    for duel_id in list(locked):
        mark_changed_on_commit(duel_id)
    wizard = Wizard.objects.select_for_update(of=("self",), no_key=True).filter(pk=wizard_id)
    found = wizard.first()
    if found is None or found.is_closed:
        raise Refused("no_such_wizard", "There is no such wizard.")
    if found.user_id is None and not (found.is_guest and kind == ActKind.RENAME):
        raise Refused("players_only", "This is no player’s wizard.")
    if found.user_id is not None and found.user_id == by.user_id:
        raise Refused("own_wizard", "Nobody referees themselves.")
    return found
