"""Notice that a duel has begun."""

from duels.models import Seat
from duels.post.contexts import (
    clock_context,
    duel_state_context,
    reply_context,
)
from duels.post.kinds.base import Context, LimitGroup, NoticeKind, is_turn_closed
from duels.post.models import Notice
from duels.push import public as push


class Started(NoticeKind):
    code, label = "started", "the duel has begun"
    limit_group = LimitGroup.NEEDED
    begins_turn = True
    push_text = push.YOUR_TURN

    def context(self, notice: Notice) -> Context:
        return reply_context(notice) | clock_context(notice) | duel_state_context(notice)

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return is_turn_closed(notice)
