"""Notice that a duel has begun."""

from duels.post.contexts import (
    clock_context,
    duel_state_context,
    reply_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class Started(NoticeKind):
    code, label = "started", "the duel has begun"

    def context(self, notice: Notice) -> Context:
        return reply_context(notice) | clock_context(notice) | duel_state_context(notice)
