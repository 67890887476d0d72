"""Notice that default orders were sealed for the reader."""

from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import Notice


class PlayedFor(NoticeKind):
    code, label = "played_for", "default orders were sealed for you"
    limit_group = LimitGroup.NEEDED
    reveals_defaults = True

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)
