"""Notice that an opponent has declined the reader's offer of a draw."""

from duels.models import Seat
from duels.post.kinds.base import LimitGroup, NoticeKind
from duels.post.models import Notice


class DrawDeclined(NoticeKind):
    code, label = "draw_declined", "a draw was declined"
    limit_group = LimitGroup.PROVOKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.the_duel.is_over
