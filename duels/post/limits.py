"""Limits on the number of emails, so that nobody can flood another person's mailbox.

Emails count if they were sent within the last day or are being sent. An email above a limit is not
sent, but the site still shows its news. Limits do not apply to emails about the reader's own
clocks, so that nobody misses a turn because of emails caused by others.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet

from duels.models import OutboxStatus
from duels.post import queries
from duels.post.kinds.base import LimitGroup
from duels.post.kinds.registry import codes_of_kinds, kind_of
from duels.post.models import Notice

LIMIT_PERIOD: Final = timedelta(days=1)
GROUPS_CAUSED_BY_WIZARDS: Final = (LimitGroup.UNASKED, LimitGroup.PROVOKED)

MAX_FROM_STRANGER_TO_READER: Final = 3
MAX_FROM_WIZARD_TO_READER: Final = 10
MAX_UNREQUESTED_FROM_WIZARD: Final = 30  # emails caused by one wizard, to all readers
MAX_UNREQUESTED_TO_READER: Final = 30  # emails caused by other wizards, to one reader
MAX_TO_READER: Final = 300  # all emails to one reader, except `NEEDED` ones, which are always sent
MAX_REPEATS: Final = 10  # emails that a wizard can request again within an hour


def is_over_limit(notice: Notice, now: datetime) -> bool:
    """Return whether this email would exceed a limit."""
    group = kind_of(notice).limit_group
    if group == LimitGroup.NEEDED:
        return False
    # If two emails are being sent at the same time, the older one counts towards the newer one's
    # limit.
    done = Q(status=OutboxStatus.SENT) | Q(status=OutboxStatus.SENDING, pk__lt=notice.pk)
    sent = Notice.objects.filter(done, created_at__gt=now - LIMIT_PERIOD).exclude(pk=notice.pk)
    reader, maker = notice.wizard, notice.about
    if _has_reached(MAX_TO_READER, sent.filter(wizard=reader)):
        return True
    if maker is None or group not in GROUPS_CAUSED_BY_WIZARDS:
        return False
    is_known = queries.has_played_with(reader, maker)
    of_pair = MAX_FROM_WIZARD_TO_READER if is_known else MAX_FROM_STRANGER_TO_READER
    if _has_reached(
        of_pair,
        sent.filter(wizard=reader, about=maker, kind__in=_limited_codes(*GROUPS_CAUSED_BY_WIZARDS)),
    ):
        return True
    unasked = sent.filter(kind__in=_limited_codes(LimitGroup.UNASKED))
    return group == LimitGroup.UNASKED and (
        _has_reached(MAX_UNREQUESTED_FROM_WIZARD, unasked.filter(about=maker))
        or _has_reached(MAX_UNREQUESTED_TO_READER, unasked.filter(wizard=reader))
    )


def _limited_codes(*groups: LimitGroup) -> list[str]:
    return codes_of_kinds(lambda kind: kind.limit_group in groups)


def _has_reached(limit: int, sent: QuerySet[Notice]) -> bool:
    """Return whether at least this many were sent, without counting any further."""
    return sent.order_by()[:limit].count() >= limit
