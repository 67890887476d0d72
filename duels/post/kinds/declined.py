"""Notice that a wizard has declined the reader's challenge."""

from duels.post.kinds.base import NoticeKind


class Declined(NoticeKind):
    code, label = "declined", "your challenge was declined"
