"""Notice that an opponent offers a draw."""

from duels.post.kinds.base import NoticeKind


class DrawOffered(NoticeKind):
    code, label = "draw_offered", "a draw was offered"
