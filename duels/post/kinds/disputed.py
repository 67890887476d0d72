"""Notice of a new dispute or appeal, of its end without a ruling, or of a referee's message."""

from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.rendering import case_url, email_details


class Disputed(NoticeKind):
    code, label = "disputed", "news of a dispute"
    needs_duel = False
    is_urgent = True

    def url(self, notice: Notice) -> str:
        return case_url(notice)

    def context(self, notice: Notice) -> Context:
        # Only the case's page shows what players have written, not the email.
        return {"is_mine": notice.about_id == notice.wizard_id, **email_details(notice)}
