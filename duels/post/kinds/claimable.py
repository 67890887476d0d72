"""Notice that the reader can claim the duel because an opponent is absent."""

from duels.post.kinds.base import NoticeKind


class Claimable(NoticeKind):
    code, label = "claimable", "you can claim the duel"
