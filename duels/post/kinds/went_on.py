"""Notice that the duel was resumed."""

from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class WentOn(NoticeKind):
    code, label = "went_on", "the duel was resumed"

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)
