"""Limits on the number of emails, so that no one can fill another person's mailbox.

Emails count if they were sent, or are being sent, within a day. An email over a limit is not sent,
but its reader can still find the news on the site. Limits never apply to what the clocks of a
reader's own duels demand, so that nobody misses a turn because others have filled their mailbox.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from duels.models import OutboxStatus
from duels.post import queries
from duels.post.models import Notice, NoticeKind

WITHIN: Final = timedelta(days=1)

# Notices that a wizard can cause for another one who has not done anything.
UNASKED: Final = frozenset({NoticeKind.CHALLENGED, NoticeKind.ACCEPTED, NoticeKind.DECLINED})
# Notices that a wizard can cause repeatedly, mostly in a duel that both have begun.
PROVOKED: Final = UNASKED | {
    NoticeKind.LAPSED,
    NoticeKind.DRAW_OFFERED,
    NoticeKind.PAUSE_ASKED,
    NoticeKind.TIME_GIVEN,
    NoticeKind.VACATION,
    NoticeKind.RETURNED,
    NoticeKind.SAID,
}
# Notices without which a reader can lose something.
DEMANDED: Final = frozenset(
    {
        NoticeKind.STARTED,
        NoticeKind.YOUR_TURN,
        NoticeKind.QUESTION,
        NoticeKind.REMINDER,
        NoticeKind.EXCUSED,
        NoticeKind.PLAYED_FOR,
    }
)

FROM_A_STRANGER_TO_ONE: Final = 3
FROM_ONE_TO_ONE: Final = 10
UNASKED_FROM_ONE: Final = 30  # to all their readers together
UNASKED_TO_ONE: Final = 30  # from all wizards together
TO_ONE: Final = 300  # of any kind; demanded ones are always sent
AGAIN: Final = 10  # emails that a wizard requests again within an hour


def is_over_limit(notice: Notice, now: datetime) -> bool:
    """Return whether this email would exceed a limit."""
    if notice.kind in DEMANDED:
        return False
    # If two are sent at the same instant, the older one counts for the younger.
    done = Q(status=OutboxStatus.SENT) | Q(status=OutboxStatus.SENDING, pk__lt=notice.pk)
    sent = Notice.objects.filter(done, created_at__gt=now - WITHIN).exclude(pk=notice.pk)
    reader, maker = notice.wizard, notice.about
    if _reach(TO_ONE, sent.filter(wizard=reader)):
        return True
    if maker is None or notice.kind not in PROVOKED:
        return False
    is_known = queries.has_played_with(reader, maker)
    of_pair = FROM_ONE_TO_ONE if is_known else FROM_A_STRANGER_TO_ONE
    if _reach(of_pair, sent.filter(wizard=reader, about=maker, kind__in=PROVOKED)):
        return True
    unasked = sent.filter(kind__in=UNASKED)
    return notice.kind in UNASKED and (
        _reach(UNASKED_FROM_ONE, unasked.filter(about=maker))
        or _reach(UNASKED_TO_ONE, unasked.filter(wizard=reader))
    )


def _reach(most: int, sent: QuerySet[Notice]) -> bool:
    """Return whether this many were sent. No more than that are counted."""
    return sent.order_by()[:most].count() >= most
