"""Notice that a wizard has accepted the reader's challenge."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import LimitGroup, NoticeKind
from duels.post.models import Notice


class Accepted(NoticeKind):
    code, label = "accepted", "your challenge was accepted"
    limit_group = LimitGroup.UNASKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.status != DuelStatus.GATHERING
