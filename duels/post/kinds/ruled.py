"""Notice of a ruling."""

from datetime import datetime

from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.rendering import case_url, email_details
from duels.wording.moments import moment_words


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
