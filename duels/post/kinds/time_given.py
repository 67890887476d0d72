"""Notice that an opponent has given the reader more time."""

from duels.post.kinds.base import LimitGroup, NoticeKind


class TimeGiven(NoticeKind):
    code, label = "time_given", "you were given more time"
    limit_group = LimitGroup.PROVOKED
    ends_with_turn = True
    shows_clock = True
