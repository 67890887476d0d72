"""Notice that a duel has begun."""

from duels.post.contexts import clock_context, duel_state_context, reply_context
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import Notice
from duels.push import public as push


class Started(NoticeKind):
    code, label = "started", "the duel has begun"
    limit_group = LimitGroup.NEEDED
    begins_turn = True
    push_text = push.YOUR_TURN
    ends_with_turn = True

    def context(self, notice: Notice) -> Context:
        return reply_context(notice) | clock_context(notice) | duel_state_context(notice)
