"""Delivery: a notice is claimed, sent and marked, by whoever comes first.

What is promised: every notice is sent or given up, though workers die at any step. One that dies
after the server has taken a mail and before that is marked leaves a second copy to be sent, with
the same Message-ID. A claim is of the moment it is made in, however long ago a round began.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, assert_never

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from duels.budget import Budget
from duels.errors import Refused, described
from duels.models import Wizard
from duels.nudging import TaskName, nudge_after_commit
from duels.post import emails, limits, mail_server, queries, timing
from duels.post.commands.bouncing import silence
from duels.post.models import FINISHED, DroppedFor, Notice, NoticeStatus, SilencedAddress
from duels.post.outgoing import Outgoing
from duels.post.timing import Drop, Send, Wait

logger = logging.getLogger(__name__)

# A minute, then twice as long each time, at most six hours: given up after 26 hours.
MOST_ATTEMPTS = 13
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=6)
ONE_DAY = timedelta(days=1)
STUCK_AFTER = timedelta(minutes=10)  # far longer than a task may take: see `duels.post.tasks`
ROUND_SECONDS = 50  # a round is called every minute
PRUNED_AT_ONCE = 1_000
AGAIN_WITHIN = timedelta(hours=1)


@dataclass(frozen=True)
class PostResult:
    """What a round of the post has done."""

    requeued: int
    sent: int
    pruned: int

    def __str__(self) -> str:
        return f"mails queued again {self.requeued}, sent {self.sent}, pruned {self.pruned}"


def deliver_notice(
    *, notice_id: int, now: datetime | None = None, outgoing: Outgoing | None = None
) -> bool:
    """Send this mail if its time has come, unless somebody has or does, or something speaks against
    it (`duels.post.timing`). Answers whether it was sent now. Without `outgoing` it has a
    connection of its own."""
    now = now or timezone.now()
    if silent_until := mail_server.silent_until(now):
        _due(notice_id, now).update(due_at=silent_until)
        return False
    letter = _claimed(notice_id, now)
    if not letter:
        return False
    try:
        letter = _to_send(letter, now)
        message = emails.message(letter) if letter else None
        if message is None:
            _mark(letter, NoticeStatus.DROPPED, dropped_for=DroppedFor.OUTDATED)
            return False
        _send(message, now, outgoing)
    except Exception as error:
        # Whatever went wrong, no notice must stay claimed; the text of a mail is not logged.
        _not_sent(letter, error, now)
        return False
    _mark_sent(letter, now)
    return True


@transaction.atomic
def resend_notice(*, notice_id: int, now: datetime) -> bool:
    """Queue a mail again that was sent, given up or dropped. Answers whether it was."""
    again = Notice.objects.filter(pk=notice_id, status__in=FINISHED)
    anew: dict[str, Any] = {"attempts": 0, "daily_at": None, "dropped_for": DroppedFor.NOTHING}
    if not again.update(status=NoticeStatus.QUEUED, due_at=now, is_insisted_on=True, **anew):
        return False
    nudge_after_commit(TaskName.DELIVER_NOTICE, notice_id)
    return True


@transaction.atomic
def send_again(*, notice_id: int, wizard: Wizard, now: datetime) -> None:
    """The wizard's mail is sent once more. Refuses what is on its way, and too many."""
    mine = Notice.objects.filter(wizard=wizard)
    notice = mine.filter(pk=notice_id).first()
    if notice is None:
        raise Refused("no_such_notice", "There is no such mail.")
    again = mine.filter(is_insisted_on=True, due_at__gt=now - AGAIN_WITHIN)
    if again.count() >= limits.AGAIN or again.filter(pk=notice_id).exists():
        raise Refused("sent_again", "You have asked for mails again enough for now. Wait an hour.")
    if not resend_notice(notice_id=notice_id, now=now):
        raise Refused("on_its_way", "This mail is on its way already.")


def requeue_stuck(*, now: datetime) -> int:
    """Queue what was claimed long ago by a worker that must have died."""
    stuck = Notice.objects.filter(status=NoticeStatus.SENDING, claimed_at__lte=now - STUCK_AFTER)
    return stuck.update(status=NoticeStatus.QUEUED, due_at=now)


def deliver_due(
    *, clock: Callable[[], datetime] = timezone.now, budget: Budget | None = None
) -> PostResult:
    """One round: what is stuck is queued again, what is due is sent, what is old is deleted.

    It ends with its budget, or when the mail server does not answer: the next round goes on.
    """
    budget = budget or Budget(ROUND_SECONDS)
    requeued = requeue_stuck(now=clock())
    due = Notice.objects.filter(status=NoticeStatus.QUEUED, due_at__lte=clock())
    sent = 0
    with Outgoing() as outgoing:
        for notice_id in due.order_by("due_at").values_list("pk", flat=True):
            if budget.is_spent or mail_server.silent_until(clock()):
                break
            sent += deliver_notice(notice_id=notice_id, now=clock(), outgoing=outgoing)
    return PostResult(requeued, sent, prune(now=clock()))


def prune(*, now: datetime) -> int:
    """Notices that are long done with are gone, not more than a batch at once. How many."""
    oldest_kept = now - timedelta(days=settings.NOTICES_KEPT_DAYS)
    SilencedAddress.objects.filter(lifted_at__lt=oldest_kept).delete()
    old = Notice.objects.filter(status__in=FINISHED, created_at__lt=oldest_kept)
    found = list(old.order_by("created_at").values_list("pk", flat=True)[:PRUNED_AT_ONCE])
    return Notice.objects.filter(pk__in=found, status__in=FINISHED).delete()[0] if found else 0


def _send(message: EmailMultiAlternatives, now: datetime, outgoing: Outgoing | None) -> None:
    try:
        if outgoing is None:
            message.send()
        else:
            outgoing.send(message)
    except Exception as error:
        mail_server.note_failure(error, now)
        raise


def _due(notice_id: int, now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(pk=notice_id, status=NoticeStatus.QUEUED, due_at__lte=now)


@transaction.atomic
def _claimed(notice_id: int, now: datetime) -> list[Notice]:
    """The notice, which is ours to deliver now, with all others of its daily mail, the oldest
    first; nothing where it is not.

    A daily mail is claimed whole, or not at all: its notices are sent under one Message-ID.
    """
    row = _due(notice_id, now).values("wizard", "daily_at").first()
    if row is None:
        return []
    ours = Notice.objects.filter(pk=notice_id)
    if row["daily_at"] is not None and row["daily_at"] <= now:
        ours = Notice.objects.filter(**row)
    # Locked in one order: of two workers the second finds that all of them are claimed.
    queued = ours.filter(status=NoticeStatus.QUEUED).order_by("pk").select_for_update()
    found = dict(queued.values_list("pk", "due_at"))
    if notice_id not in found or found[notice_id] > now:
        return []
    claimed = Notice.objects.filter(pk__in=found).order_by("pk")
    claimed.update(status=NoticeStatus.SENDING, claimed_at=now)
    return list(claimed.select_related("wizard", "duel", "turn", "about"))


def _to_send(claimed: Sequence[Notice], now: datetime) -> list[Notice]:
    """Which of them are sent now, in one mail; the others wait, or are dropped."""
    letter: list[Notice] = []
    for notice in claimed:
        plan = timing.plan(notice, now)
        if isinstance(plan, Send):
            letter.append(notice)
        else:
            _follow(notice, plan)
    return letter


def _follow(claimed: Notice, plan: Wait | Drop) -> None:
    match plan:
        case Wait(until, daily_at):
            _mark([claimed], NoticeStatus.QUEUED, due_at=until, daily_at=daily_at)
        case Drop(why):
            _mark([claimed], NoticeStatus.DROPPED, dropped_for=why)
        case _:
            assert_never(plan)


def _not_sent(letter: Sequence[Notice], error: Exception, now: datetime) -> None:
    """Tried again, or given up: at once where the address does not exist, which is turned off.

    A refusal that does not say so turns it off when all attempts are spent, if the same server has
    taken mails for others meanwhile: one that takes none speaks of the site, not of addresses.
    """
    wizard = letter[0].wizard
    answer = mail_server.permanent_refusal(error)
    if answer:
        _mark(letter, NoticeStatus.FAILED, last_error=f"refused: {answer}")
    elif unclear := mail_server.unclear_refusal(error):
        is_given_up = _put_off(letter, f"refused: {unclear}", now)
        if is_given_up and queries.have_others_been_sent(wizard, since=now - ONE_DAY):
            answer = unclear
    else:
        _put_off(letter, described(error), now)
    address = queries.address_of(wizard)
    if answer and address:
        silence(address=address, answer=answer, now=now)


@transaction.atomic
def _put_off(letter: Sequence[Notice], error: str, now: datetime) -> bool:
    """Whether any of it is given up now."""
    for claimed in letter:
        attempts = claimed.attempts + 1
        is_given_up = attempts >= MOST_ATTEMPTS
        logger.error(
            "Notice %s (%s, duel %s) was not sent, attempt %s%s: %s",
            *(claimed.pk, claimed.kind, claimed.duel_id, attempts),
            *(" and given up" if is_given_up else "", error),
        )
        status = NoticeStatus.FAILED if is_given_up else NoticeStatus.QUEUED
        pause = min(FIRST_PAUSE * 2**claimed.attempts, LONGEST_PAUSE)
        _mark([claimed], status, attempts=attempts, last_error=error, due_at=now + pause)
    return any(claimed.attempts + 1 >= MOST_ATTEMPTS for claimed in letter)


def _mark(letter: Sequence[Notice], status: NoticeStatus, **changes: Any) -> None:
    """Only where the claim is still ours: it may have been taken for dead."""
    for claimed in letter:
        ours = Notice.objects.filter(
            pk=claimed.pk, status=NoticeStatus.SENDING, claimed_at=claimed.claimed_at
        )
        ours.update(status=status, **changes)


def _mark_sent(letter: Sequence[Notice], now: datetime) -> None:
    """Whoever holds them by now need not send them again."""
    Notice.objects.filter(pk__in=[claimed.pk for claimed in letter]).update(
        status=NoticeStatus.SENT, sent_at=now, last_error=""
    )
