"""Nobody's mail can be filled by somebody else: how many mails a wizard can make, in one place.

What counts is what was sent, or is just being sent, within a day. What is over a limit is not sent;
its reader finds it on the site all the same. What the clocks of one's own duels demand is never
over a limit: nobody misses a turn because others have filled their mail.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from duels.models import OutboxStatus
from duels.post import queries
from duels.post.models import Notice, NoticeKind

WITHIN: Final = timedelta(days=1)

# What a wizard can make another one be told without their having done anything for it.
UNASKED: Final = frozenset({NoticeKind.CHALLENGED, NoticeKind.ACCEPTED, NoticeKind.DECLINED})
# And what one can make again and again, mostly in a duel that both have begun.
PROVOKED: Final = UNASKED | {
    NoticeKind.LAPSED,
    NoticeKind.DRAW_OFFERED,
    NoticeKind.PAUSE_ASKED,
    NoticeKind.TIME_GIVEN,
    NoticeKind.VACATION,
    NoticeKind.RETURNED,
    NoticeKind.SAID,
}
# What is lost by whoever does not hear of it in time.
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
UNASKED_TO_ONE: Final = 30  # from whomever
TO_ONE: Final = 300  # of any kind, though none that is demanded is held back
AGAIN: Final = 10  # that a wizard has sent again, within an hour


def is_over_limit(notice: Notice, now: datetime) -> bool:
    """Whether this mail would be one too many."""
    if notice.kind in DEMANDED:
        return False
    # Of two that are sent at the same instant the older one counts for the younger.
    done = Q(status=OutboxStatus.SENT) | Q(status=OutboxStatus.SENDING, pk__lt=notice.pk)
    sent = Notice.objects.filter(done, created_at__gt=now - WITHIN).exclude(pk=notice.pk)
    reader, maker = notice.wizard, notice.about
    if _reach(TO_ONE, sent.filter(wizard=reader)):
        return True
    if maker is None or notice.kind not in PROVOKED:
        return False
    is_known = queries.has_taken_part_with(reader, maker)
    of_pair = FROM_ONE_TO_ONE if is_known else FROM_A_STRANGER_TO_ONE
    if _reach(of_pair, sent.filter(wizard=reader, about=maker, kind__in=PROVOKED)):
        return True
    unasked = sent.filter(kind__in=UNASKED)
    return notice.kind in UNASKED and (
        _reach(UNASKED_FROM_ONE, unasked.filter(about=maker))
        or _reach(UNASKED_TO_ONE, unasked.filter(wizard=reader))
    )


def _reach(most: int, sent: QuerySet[Notice]) -> bool:
    """Whether there are so many already; no more are counted."""
    return sent.order_by()[:most].count() >= most
