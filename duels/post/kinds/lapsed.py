"""Notice that a challenge has ended without a duel."""

from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import Notice


class Lapsed(NoticeKind):
    code, label = "lapsed", "a challenge ended without a duel"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context:
        challenger = notice.the_duel.challenger
        return {"challenger": challenger.name, "is_challenger": challenger == notice.wizard}
