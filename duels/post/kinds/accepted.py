"""Notice that a wizard has accepted the reader's challenge."""

from duels.post.kinds.base import NoticeKind


class Accepted(NoticeKind):
    code, label = "accepted", "your challenge was accepted"
