"""Notice that an opponent is on vacation."""

from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice
from duels.wording.moments import moment_words


class Vacation(NoticeKind):
    code, label = "vacation", "an opponent is on vacation"

    def context(self, notice: Notice) -> Context | None:
        ends_at = notice.about.vacation_ends_at if notice.about else None
        if ends_at is None or notice.the_duel.is_over:
            return None
        return {"until": moment_words(ends_at, "year"), "day": moment_words(ends_at, "day")}
