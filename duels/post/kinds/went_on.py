"""Notice that the duel was resumed."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import NoticeKind
from duels.post.models import Notice


class WentOn(NoticeKind):
    code, label = "went_on", "the duel was resumed"
    shows_clock = True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.paused_at is not None or notice.the_duel.status != DuelStatus.RUNNING
