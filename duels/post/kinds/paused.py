"""Notice that the duel was paused."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import NoticeKind
from duels.post.models import Notice


class Paused(NoticeKind):
    code, label = "paused", "the duel was paused"

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.paused_at is None or notice.the_duel.status != DuelStatus.RUNNING
