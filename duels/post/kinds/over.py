"""Notice that a duel is over."""

from duels.post.contexts import (
    duel_state_context,
    result_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class Over(NoticeKind):
    code, label = "over", "the duel is over"

    def context(self, notice: Notice) -> Context:
        return result_context(notice) | duel_state_context(notice)
