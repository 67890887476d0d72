"""Notice of a referee's act."""

from duels.models import Act
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.rendering import email_details
from duels.referees.log.visible_acts import visible_act


class Refereed(NoticeKind):
    code, label = "refereed", "a referee has acted"
    needs_duel = False
    is_urgent = True

    def context(self, notice: Notice) -> Context | None:
        act = visible_act(Act.objects.get(pk=email_details(notice)["act"]), notice.wizard)
        return {"act": act, "case": act.case} if act else None
