"""Notice that an extension was used for the reader."""

from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class Excused(NoticeKind):
    code, label = "excused", "your time was extended"

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)
