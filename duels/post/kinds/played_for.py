"""Notice that default orders were sealed for the reader."""

from duels.post.kinds.base import LimitGroup, NoticeKind


class PlayedFor(NoticeKind):
    code, label = "played_for", "default orders were sealed for you"
    limit_group = LimitGroup.NEEDED
    reveals_defaults = True
    shows_clock = True
