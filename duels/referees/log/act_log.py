"""The append-only log of acts by referees and operators. Each entry is chained to the previous one.

The `chain` of an act is a SHA-256 hash in hexadecimal. It covers the `chain` of the previous act in
the same duel as text ("" for the first act), directly followed by the canonical JSON of the act's
`entry`. Acts without a duel, such as acts on a wizard, have a chain of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypedDict, Unpack

from django.db import connection
from django.db.models import QuerySet

import engine.proof
from duels.accounts.second_factor import REFEREE_GROUP
from duels.caching.poll_cache import mark_duel_changed_on_commit
from duels.errors import Refused
from duels.models import MAX_REASON_LENGTH, Act, ActKind, Duel, User, Wizard
from duels.typed_text import clean_text

ADMIN_ACTION_REASON: Final = "An action in Django’s admin."
# PostgreSQL's advisory lock for entries without a duel, because there is no row to lock.
LOCK_WITHOUT_DUEL: Final = 0x61637473


@dataclass(frozen=True)
class RefereeRef:
    """The person who performs an act: the user's key, and the name that players see."""

    user_id: int
    name: str


class ActSubject(TypedDict, total=False):
    """The subject of an act, in addition to its duel."""

    case: int | None
    seat: str
    wizard_id: int | None
    turn: int | None


@dataclass(frozen=True)
class FormerWizard:
    """A wizard whose seat a referee gave to another wizard."""

    seat: str
    wizard: Wizard
    until: int  # the ordinal of the first turn of the new wizard


def referees() -> QuerySet[User]:
    """Return all referees. Operators are not referees."""
    return User.objects.filter(groups__name=REFEREE_GROUP, is_active=True).order_by("pk")


def is_referee(user: User) -> bool:
    return referees().filter(pk=user.pk).exists()


def public_name(user: User) -> str:
    """Return the referee's public name: their wizard's name, or a number if they have no wizard."""
    name = Wizard.objects.filter(user=user).values_list("name", flat=True).first()
    return name or f"Referee {user.pk}"


def referee_ref(user: User) -> RefereeRef:
    """Return this user as a referee, under their public name."""
    return RefereeRef(user.pk, public_name(user))


def log_operator_action(
    kind: ActKind,
    user: User,
    now: datetime,
    *,
    duel: Duel | None,
    facts: Mapping[str, Any],
    **about: Unpack[ActSubject],
) -> None:
    """Log an operator's action on a duel in Django's admin.

    Entries about practice duels do not refer to their duel, because such duels are deleted along
    with guests.
    """
    if duel is not None and duel.is_practice:
        facts, duel = {**facts, "duel": duel.pk}, None
    by = RefereeRef(user.pk, f"Operator {user.pk}")  # operators are not referees
    append_act(kind, by=by, reason=ADMIN_ACTION_REASON, now=now, duel=duel, facts=facts, **about)


def checked_reason(reason: str) -> str:
    """Return the cleaned reason. Raise `Refused` if it is empty or too long."""
    reason = clean_text(reason)
    if not reason:
        raise Refused("no_reason", "Give a reason. The players can read it.", field="reason")
    if len(reason) > MAX_REASON_LENGTH:
        most = MAX_REASON_LENGTH
        text = f"The reason has {len(reason)} characters; the maximum is {most}. Shorten it."
        raise Refused("reason_too_long", text, field="reason")
    return reason


def append_act(
    kind: ActKind,
    *,
    by: RefereeRef,
    reason: str,
    now: datetime,
    duel: Duel | None = None,
    facts: Mapping[str, Any] | None = None,
    **about: Unpack[ActSubject],
) -> Act:
    """Append an act to the log. Call this in the transaction that performs the act."""
    ordinal, before = _next_ordinal_and_last_chain(duel)
    act = Act(duel=duel, ordinal=ordinal, kind=kind, at=now, facts=dict(facts or {}), **about)
    act.referee, act.referee_name = by.user_id, by.name
    act.reason = checked_reason(reason)
    act.chain = engine.proof.link(before, act.entry)
    act.save()
    return act


def former_wizards(duel: Duel) -> list[FormerWizard]:
    """Return the wizards that a referee has replaced in this duel, in order of replacement."""
    if not duel.last_act:
        return []
    replaced = list(Act.objects.filter(duel=duel, kind=ActKind.REPLACE).order_by("ordinal"))
    wizards = Wizard.objects.in_bulk([act.facts["from"] for act in replaced])
    return [FormerWizard(act.seat, wizards[act.facts["from"]], act.turn or 0) for act in replaced]


def _next_ordinal_and_last_chain(duel: Duel | None) -> tuple[int, str]:
    """Return the next act's ordinal and the last act's `chain`."""
    if duel is None:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_WITHOUT_DUEL])
        last = Act.objects.filter(duel=None).order_by("-ordinal").first()
        return (last.ordinal + 1, last.chain) if last else (1, "")
    held = Duel.objects.select_for_update(of=("self",), no_key=True).get(pk=duel.pk)
    chain = Act.objects.filter(duel=duel, ordinal=held.last_act).values_list("chain", flat=True)
    duel.last_act = held.last_act + 1
    Duel.objects.filter(pk=duel.pk).update(last_act=duel.last_act)
    mark_duel_changed_on_commit(duel.pk)
    return duel.last_act, chain.first() or ""
