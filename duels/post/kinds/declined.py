"""Notice that a wizard has declined the reader's challenge."""

from duels.models import DuelEnding, DuelStatus, Seat
from duels.post.kinds.base import LimitGroup, NoticeKind
from duels.post.models import Notice


class Declined(NoticeKind):
    code, label = "declined", "your challenge was declined"
    limit_group = LimitGroup.UNASKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        duel = notice.the_duel
        return duel.status != DuelStatus.GATHERING and duel.ended != DuelEnding.DECLINED
