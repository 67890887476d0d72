"""Referees take cases, hand them over, write in them, and close reports that need no ruling."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from duels.errors import Refused
from duels.models import Act, User
from duels.referee.commands.cases import check_goes_on, checked_words, end, locked_case
from duels.referee.commands.telling import CLOSED, WRITTEN, tell
from duels.referee.fairness import check_may_handle, is_referee, may_handle, public_name
from duels.referee.models import (
    CASE_WORDS_LENGTH,
    Assignment,
    AssignmentKind,
    Audience,
    Case,
    CaseStatus,
    Note,
)

# A case in which its referee has done nothing for so long can be claimed by another.
LEFT_ALONE: Final = timedelta(days=7)


@transaction.atomic
def claim(*, case_id: int, user: User, now: datetime) -> Case:
    """The referee holds the case: one that waits, or that lies with somebody who may not hold it
    any more or has done nothing in it for long. Whoever holds it already keeps it."""
    case = locked_case(case_id)
    check_may_handle(user, case, now)
    check_goes_on(case)
    if case.status == CaseStatus.CLAIMED and case.referee_id == user.pk:
        return case
    if not may_be_claimed(case, now):
        assert case.referee is not None
        text = f"{case.title} is with {public_name(case.referee)} already."
        raise Refused("claimed_already", text)
    _assign(case, AssignmentKind.CLAIMED, user, now)
    return case


def may_be_claimed(case: Case, now: datetime) -> bool:
    """Whether somebody else may claim this case: nobody is waited for who does not come."""
    if not case.is_going_on or case.referee is None or case.claimed_at is None:
        return case.is_going_on
    if may_handle(case.referee, case, now) is not None:
        return True
    since = now - LEFT_ALONE
    wrote = Note.objects.filter(case=case, referee=case.referee, at__gt=since)
    acted = Act.objects.filter(case=case.pk, referee=case.referee.pk, at__gt=since)
    return case.claimed_at <= since and not wrote.exists() and not acted.exists()


@transaction.atomic
def hand_over(*, case_id: int, user: User, to: User, reason: str, now: datetime) -> Case:
    """Another referee holds the case: one who may, with a reason from who has held it."""
    case = held_case(case_id, user, now)
    if to.pk == user.pk:
        raise Refused("own_case_already", "You hold this case already.", field="to")
    if not is_referee(to):
        raise Refused("no_such_referee_here", "That is no referee.", field="to")
    try:
        check_may_handle(to, case, now)
    except Refused as refused:
        text = f"{public_name(to)} may not hold this case: they have, or had, a part in it."
        raise Refused(refused.code, text, field="to") from None
    reason = checked_words(reason, CASE_WORDS_LENGTH, field="reason")
    _assign(case, AssignmentKind.HANDED_OVER, to, now, reason)
    return case


@transaction.atomic
def give_back(*, case_id: int, user: User, reason: str, now: datetime) -> Case:
    """The case waits for a referee again. Also who may not hold it any more can do this."""
    case = locked_case(case_id)
    if case.referee_id != user.pk:
        raise _not_held(case)
    check_goes_on(case)
    reason = checked_words(reason, CASE_WORDS_LENGTH, field="reason")
    case.referee, case.claimed_at = None, None
    case.status = CaseStatus.OPEN if case.round == 1 else CaseStatus.APPEALED
    case.save(update_fields=["referee", "claimed_at", "status"])
    _write(case, AssignmentKind.GIVEN_BACK, user, now, reason)
    return case


@transaction.atomic
def note(*, case_id: int, user: User, words: str, now: datetime, for_players: bool = False) -> Note:
    """The referee writes something in the case: for colleagues, or for the players as well, which
    only who holds it can."""
    case = locked_case(case_id)
    if for_players:
        check_holds(case, user, now)
    else:
        check_may_handle(user, case, now)
    written = Note.objects.create(
        case=case,
        referee=user,
        referee_name=public_name(user),
        audience=Audience.PLAYERS if for_players else Audience.REFEREES,
        words=checked_words(words, CASE_WORDS_LENGTH),
        at=now,
    )
    if for_players:
        tell(case, WRITTEN, now, words=written.words)
    return written


@transaction.atomic
def close(*, case_id: int, user: User, words: str, now: datetime) -> Case:
    """A report is closed without a ruling, with words to who has made it. A dispute gets one."""
    case = held_case(case_id, user, now)
    if case.is_dispute:
        text = "A dispute ends with a ruling, which may be that the engine was right."
        raise Refused("needs_ruling", text)
    words = checked_words(words, CASE_WORDS_LENGTH)
    Note.objects.create(
        case=case,
        referee=user,
        referee_name=public_name(user),
        audience=Audience.PLAYERS,
        words=words,
        at=now,
    )
    end(case, CaseStatus.CLOSED, now)
    tell(case, CLOSED, now, words=words)
    return case


def held_case(case_id: int, user: User, now: datetime) -> Case:
    """The open case, locked, that this referee holds and may hold. Refuses everybody else."""
    case = locked_case(case_id)
    check_holds(case, user, now)
    return case


def check_holds(case: Case, user: User, now: datetime) -> None:
    """Refuses who does not hold this case, or may not any more, and what is not open."""
    check_may_handle(user, case, now)
    check_goes_on(case)
    if case.status != CaseStatus.CLAIMED or case.referee_id != user.pk:
        raise _not_held(case)


def _not_held(case: Case) -> Refused:
    return Refused("not_held", f"You do not hold {case.title.lower()}: claim it first.")


def _assign(case: Case, kind: AssignmentKind, to: User, now: datetime, reason: str = "") -> None:
    case.referee, case.claimed_at, case.status = to, now, CaseStatus.CLAIMED
    case.save(update_fields=["referee", "claimed_at", "status"])
    _write(case, kind, to, now, reason)


def _write(case: Case, kind: AssignmentKind, who: User, now: datetime, reason: str) -> None:
    Assignment.objects.create(
        case=case, kind=kind, referee=who, referee_name=public_name(who), reason=reason, at=now
    )
