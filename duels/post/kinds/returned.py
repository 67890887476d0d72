"""Notice that an opponent has returned from a vacation before its announced end."""

from datetime import datetime

from duels.models import DuelStatus, OutboxStatus, Seat
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.kinds.vacation import OnVacation
from duels.post.models import DroppedFor, Notice
from duels.post.rendering import email_details
from duels.wording.moments import moment_words


class Returned(NoticeKind):
    code, label = "returned", "an opponent is back early"
    limit_group = LimitGroup.PROVOKED

    def context(self, notice: Notice) -> Context:
        announced = datetime.fromisoformat(email_details(notice)["until"])
        since, until = (moment_words(at, "year") for at in (notice.created_at, announced))
        return {"since": since, "until": until}

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the opponent is away again, or the reader was never notified of the
        vacation."""
        is_away = notice.about is not None and notice.about.vacation_ends_at is not None
        gone = Notice.objects.filter(
            kind=OnVacation.code, wizard=notice.wizard, duel=notice.duel, about=notice.about
        )
        last = gone.order_by("-created_at").first()
        was_told = last is None or _has_reached_reader(last)
        return not was_told or is_away or notice.the_duel.status != DuelStatus.RUNNING


def _has_reached_reader(notice: Notice) -> bool:
    is_sent = notice.status == OutboxStatus.SENT or notice.is_probably_sent
    return is_sent or notice.dropped_for == DroppedFor.READ
