"""Notice that one of the reader's extensions was used."""

from duels.models import Seat
from duels.post.kinds.base import LimitGroup, NoticeKind, is_not_awaited
from duels.post.models import Notice


class Excused(NoticeKind):
    code, label = "excused", "your time was extended"
    limit_group = LimitGroup.NEEDED
    shows_clock = True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return is_not_awaited(notice, seat)
