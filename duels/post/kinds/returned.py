"""Notice that an opponent has returned from a vacation before its announced end."""

from datetime import datetime

from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.post.rendering import details_of
from duels.wording.moments import moment_words


class Returned(NoticeKind):
    code, label = "returned", "an opponent is back early"

    def context(self, notice: Notice) -> Context:
        announced = datetime.fromisoformat(details_of(notice)["until"])
        since, until = (moment_words(at, "year") for at in (notice.created_at, announced))
        return {"since": since, "until": until}
