"""Notice that an opponent is on vacation."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.models import Notice
from duels.wording.moments import moment_words


class OnVacation(NoticeKind):
    code, label = "vacation", "an opponent is on vacation"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context | None:
        ends_at = notice.about.vacation_ends_at if notice.about else None
        if ends_at is None or notice.the_duel.is_over:
            return None
        return {"until": moment_words(ends_at, "year"), "day": moment_words(ends_at, "day")}

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        is_away = notice.about is not None and notice.about.vacation_ends_at is not None
        return not is_away or notice.the_duel.status != DuelStatus.RUNNING
