"""Notices about disputes, rulings and referees’ acts."""

from datetime import datetime

from duels.models import Act
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.rendering import case_url, email_details
from duels.referees.log.visible_acts import visible_act
from duels.wording.moments import moment_words


class Disputed(NoticeKind):
    code, label = "disputed", "news of a dispute"
    needs_duel = False
    is_urgent = True

    def url(self, notice: Notice) -> str:
        return case_url(notice)

    def context(self, notice: Notice) -> Context:
        # Only the case's page shows what players have written, not the email.
        return {"is_mine": notice.about_id == notice.wizard_id, **email_details(notice)}


class Ruled(NoticeKind):
    code, label = "ruled", "a referee has ruled"
    needs_duel = False
    is_urgent = True

    def url(self, notice: Notice) -> str:
        return case_url(notice)

    def context(self, notice: Notice) -> Context:
        details = email_details(notice)
        until = details.pop("appeal_until")
        words = moment_words(datetime.fromisoformat(until), "day") if until else ""
        return {"appeal_until": words, **details}


class Refereed(NoticeKind):
    code, label = "refereed", "a referee has acted"
    needs_duel = False
    is_urgent = True

    def context(self, notice: Notice) -> Context | None:
        act = visible_act(Act.objects.get(pk=email_details(notice)["act"]), notice.wizard)
        return {"act": act, "case": act.case} if act else None
