"""Notice that the reader can claim the duel because an opponent is absent."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import NoticeKind
from duels.post.models import Notice


class Claimable(NoticeKind):
    code, label = "claimable", "you can claim the duel"
    reveals_defaults = True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        absent = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
        if absent is None or notice.turn is None or notice.the_duel.status != DuelStatus.RUNNING:
            return True
        return not absent.is_absent_in(notice.turn.ordinal) or absent.vacation_until is not None
