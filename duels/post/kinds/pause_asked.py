"""Notice that an opponent asks to pause or resume the duel."""

from duels.post.kinds.base import NoticeKind


class PauseAsked(NoticeKind):
    code, label = "pause_asked", "a request to pause or resume"
