"""Notice that an opponent has given the reader more time."""

from duels.models import Seat
from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, LimitGroup, NoticeKind, is_turn_closed
from duels.post.models import Notice


class TimeGiven(NoticeKind):
    code, label = "time_given", "you were given more time"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return is_turn_closed(notice)
