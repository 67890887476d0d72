"""Notice that the duel was paused."""

from duels.post.kinds.base import NoticeKind


class Paused(NoticeKind):
    code, label = "paused", "the duel was paused"
