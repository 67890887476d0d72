"""Commands for referees: claim cases, hand them over, write notes and close reports."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from duels.errors import Refused
from duels.models import Act, User
from duels.referees.cases.case_state import check_is_open, checked_text, end_case, lock_case
from duels.referees.cases.eligibility import check_may_handle, handling_refusal
from duels.referees.cases.notices import notify_parties
from duels.referees.log.act_log import is_referee, public_name
from duels.referees.models import (
    MAX_CASE_WORDS_LENGTH,
    Assignment,
    AssignmentKind,
    Case,
    CaseStatus,
    Note,
    NoteAudience,
)

# If a case's referee does not act for this time, another referee may claim the case.
UNATTENDED_AFTER: Final = timedelta(days=7)


@transaction.atomic
def claim_case(*, case_id: int, user: User, now: datetime) -> Case:
    """Claim the case for this referee. Do nothing if they already hold it.

    A case can be claimed if it waits for a referee, or if its referee has become ineligible or has
    not acted for seven days.
    """
    case = lock_case(case_id)
    check_may_handle(user, case, now)
    check_is_open(case)
    if case.status == CaseStatus.CLAIMED and case.referee_id == user.pk:
        return case
    if not can_be_claimed(case, now):
        assert case.referee is not None
        text = f"{case.title} is already held by {public_name(case.referee)}."
        raise Refused("claimed_already", text)
    _assign_case(case, AssignmentKind.CLAIMED, user, now)
    return case


def can_be_claimed(case: Case, now: datetime) -> bool:
    """Return whether another referee may claim this case."""
    if not case.is_open or case.referee is None or case.claimed_at is None:
        return case.is_open
    if handling_refusal(case.referee, case, now) is not None:
        return True
    since = now - UNATTENDED_AFTER
    wrote = Note.objects.filter(case=case, referee=case.referee, at__gt=since)
    acted = Act.objects.filter(case=case.pk, referee=case.referee.pk, at__gt=since)
    return case.claimed_at <= since and not wrote.exists() and not acted.exists()


@transaction.atomic
def hand_over_case(*, case_id: int, user: User, to: User, reason: str, now: datetime) -> Case:
    """Hand a case over to another referee, who must be eligible, and record the reason."""
    case = lock_held_case(case_id, user, now)
    if to.pk == user.pk:
        raise Refused("own_case_already", "You already hold this case.", field="to")
    if not is_referee(to):
        raise Refused("no_such_referee_here", "This user is not a referee.", field="to")
    try:
        check_may_handle(to, case, now)
    except Refused as refused:
        text = f"{public_name(to)} cannot hold this case because they are or were involved in it."
        raise Refused(refused.code, text, field="to") from None
    reason = checked_text(reason, MAX_CASE_WORDS_LENGTH, field="reason")
    _assign_case(case, AssignmentKind.HANDED_OVER, to, now, reason)
    return case


@transaction.atomic
def give_back_case(*, case_id: int, user: User, reason: str, now: datetime) -> Case:
    """Return a case to the queue. Referees can do this even if they have become ineligible."""
    case = lock_case(case_id)
    if case.referee_id != user.pk:
        raise not_held_refusal(case)
    check_is_open(case)
    reason = checked_text(reason, MAX_CASE_WORDS_LENGTH, field="reason")
    return_to_queue(case, user, now, reason)
    return case


def return_to_queue(case: Case, user: User, now: datetime, reason: str) -> None:
    """Return this case to the queue. It must be locked, and the user must hold it."""
    remove_referee(case)
    _store_assignment(case, AssignmentKind.GIVEN_BACK, user, now, reason)


def remove_referee(case: Case) -> None:
    """Remove the referee from this locked case, so that it waits for another referee."""
    case.referee, case.claimed_at = None, None
    case.status = CaseStatus.OPEN if case.round == 1 else CaseStatus.APPEALED
    case.save(update_fields=["referee", "claimed_at", "status"])


@transaction.atomic
def add_note(
    *, case_id: int, user: User, words: str, now: datetime, for_players: bool = False
) -> Note:
    """Add a referee's note for other referees.

    The referee who holds the case can also write to the players (`for_players`), who are notified.
    """
    case = lock_case(case_id)
    if for_players:
        check_holds_case(case, user, now)
    else:
        check_may_handle(user, case, now)
    written = _store_note(
        case, user, words, NoteAudience.PLAYERS if for_players else NoteAudience.REFEREES, now
    )
    if for_players:
        notify_parties(case, "written", now, words=written.words)
    return written


@transaction.atomic
def close_report(*, case_id: int, user: User, words: str, now: datetime) -> Case:
    """Close a report with a message to its author, without a ruling. Disputes need a ruling."""
    case = lock_held_case(case_id, user, now)
    if case.is_dispute:
        text = "A dispute must end with a ruling, even if the engine was right."
        raise Refused("needs_ruling", text)
    written = _store_note(case, user, words, NoteAudience.PLAYERS, now)
    end_case(case, CaseStatus.CLOSED, now)
    notify_parties(case, "closed", now, words=written.words)
    return case


def _store_note(case: Case, user: User, words: str, audience: NoteAudience, now: datetime) -> Note:
    return Note.objects.create(
        case=case,
        referee=user,
        referee_name=public_name(user),
        audience=audience,
        words=checked_text(words, MAX_CASE_WORDS_LENGTH),
        at=now,
    )


def lock_held_case(case_id: int, user: User, now: datetime) -> Case:
    """Lock and return an open case. Raise `Refused` if this referee does not hold it."""
    case = lock_case(case_id)
    check_holds_case(case, user, now)
    return case


def check_holds_case(case: Case, user: User, now: datetime) -> None:
    """Raise `Refused` if the case is over, or if this referee does not or may not hold it."""
    check_may_handle(user, case, now)
    check_is_open(case)
    if case.status != CaseStatus.CLAIMED or case.referee_id != user.pk:
        raise not_held_refusal(case)


def not_held_refusal(case: Case) -> Refused:
    return Refused("not_held", f"You do not hold {case.title.lower()}. Claim it first.")


def _assign_case(
    case: Case, kind: AssignmentKind, to: User, now: datetime, reason: str = ""
) -> None:
    case.referee, case.claimed_at, case.status = to, now, CaseStatus.CLAIMED
    case.save(update_fields=["referee", "claimed_at", "status"])
    _store_assignment(case, kind, to, now, reason)


def _store_assignment(
    case: Case, kind: AssignmentKind, who: User, now: datetime, reason: str
) -> None:
    Assignment.objects.create(
        case=case, kind=kind, referee=who, referee_name=public_name(who), reason=reason, at=now
    )
