"""The append-only log of what referees and operators do. Each entry is chained to the previous one.

An act's `chain` is SHA-256, in hexadecimal, over the `chain` of the previous act on the same duel
("" for the first), as text, followed directly by the canonical JSON of the act's `entry`. Acts
without a duel, such as those on a wizard only, have a chain of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection

import engine.proof
from duels.caching.poll_cache import mark_changed_on_commit
from duels.errors import Refused
from duels.models import REASON_LENGTH, Act, ActKind, Duel, User, Wizard
from duels.typed_text import clean_text

IN_THE_ADMIN: Final = "An action of the admin."
# PostgreSQL's advisory lock for entries without a duel, which have no duel's row to lock.
LOCK_OF_NO_DUEL: Final = 0x61637473


@dataclass(frozen=True)
class RefereeRef:
    """The person who performs an act: the user's key, and the name shown to players."""

    user_id: int
    name: str


@dataclass(frozen=True)
class FormerWizard:
    """A wizard whose seat a referee gave to another wizard."""

    seat: str
    wizard: Wizard
    until: int  # the ordinal of the first turn that was no longer theirs


def referee_ref(user: User) -> RefereeRef:
    """Return this user as a referee, named after their wizard, or numbered without one."""
    name = Wizard.objects.filter(user=user).values_list("name", flat=True).first()
    return RefereeRef(user.pk, name or f"Referee {user.pk}")


def operator_ref(user: User) -> RefereeRef:
    """Return this user as an operator, who runs the site and is not a referee."""
    return RefereeRef(user.pk, f"Operator {user.pk}")


def note_of_operator(
    kind: ActKind,
    user: User,
    now: datetime,
    *,
    duel: Duel | None,
    wizard_id: int | None = None,
    turn: int | None = None,
    facts: Mapping[str, Any],
) -> None:
    """Log an operator's action on a duel in Django's admin.

    Entries about practice duels do not refer to the duel, because it is deleted with its guest.
    """
    if duel is not None and duel.is_practice:
        facts, duel = {**facts, "duel": duel.pk}, None
    append(
        kind,
        by=operator_ref(user),
        reason=IN_THE_ADMIN,
        now=now,
        duel=duel,
        wizard_id=wizard_id,
        turn=turn,
        facts=facts,
    )


def checked_reason(reason: str) -> str:
    """Return the reason, cleaned up for storing. Raise `Refused` if it is empty or too long."""
    reason = clean_text(reason)
    if not reason:
        raise Refused("no_reason", "Give a reason. The players can read it.", field="reason")
    if len(reason) > REASON_LENGTH:
        text = (
            f"The reason has {len(reason)} characters; the maximum is {REASON_LENGTH}. Shorten it."
        )
        raise Refused("reason_too_long", text, field="reason")
    return reason


def append(
    kind: ActKind,
    *,
    by: RefereeRef,
    reason: str,
    now: datetime,
    duel: Duel | None = None,
    case: int | None = None,
    seat: str = "",
    wizard_id: int | None = None,
    turn: int | None = None,
    facts: Mapping[str, Any] | None = None,
) -> Act:
    """Append an act to the log. Call this in the transaction that performs the act."""
    ordinal, before = _after_last_of(duel)
    act = Act(
        duel=duel,
        ordinal=ordinal,
        kind=kind,
        case=case,
        referee=by.user_id,
        referee_name=by.name,
        seat=seat,
        wizard_id=wizard_id,
        turn=turn,
        reason=checked_reason(reason),
        facts=dict(facts or {}),
        at=now,
    )
    act.chain = engine.proof.link(before, act.entry)
    act.save()
    return act


def former_wizards(duel: Duel) -> list[FormerWizard]:
    """Return the wizards whom a referee has replaced by others, in the order of replacement."""
    if not duel.last_act:
        return []
    replaced = list(Act.objects.filter(duel=duel, kind=ActKind.REPLACE).order_by("ordinal"))
    wizards = Wizard.objects.in_bulk([act.facts["from"] for act in replaced])
    return [FormerWizard(act.seat, wizards[act.facts["from"]], act.turn or 0) for act in replaced]


def _after_last_of(duel: Duel | None) -> tuple[int, str]:
    """Return the next act's ordinal and the last act's `chain`."""
    if duel is None:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_OF_NO_DUEL])
        last = Act.objects.filter(duel=None).order_by("-ordinal").first()
        return (last.ordinal + 1, last.chain) if last else (1, "")
    held = Duel.objects.select_for_update(of=("self",), no_key=True).get(pk=duel.pk)
    chain = Act.objects.filter(duel=duel, ordinal=held.last_act).values_list("chain", flat=True)
    duel.last_act = held.last_act + 1
    Duel.objects.filter(pk=duel.pk).update(last_act=duel.last_act)
    mark_changed_on_commit(duel.pk)
    return duel.last_act, chain.first() or ""
