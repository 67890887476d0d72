"""Notice that the duel was resumed."""

from duels.models import DuelStatus, Seat
from duels.post.contexts import (
    clock_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class WentOn(NoticeKind):
    code, label = "went_on", "the duel was resumed"

    def context(self, notice: Notice) -> Context:
        return clock_context(notice)

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.paused_at is not None or notice.the_duel.status != DuelStatus.RUNNING
