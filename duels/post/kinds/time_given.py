"""Notice that an opponent has given the reader more time."""

from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class TimeGiven(NoticeKind):
    code, label = "time_given", "you were given more time"

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)
