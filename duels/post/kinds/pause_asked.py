"""Notice that an opponent asks to pause or resume the duel."""

from duels.models import DuelStatus, Seat
from duels.post.kinds.base import LimitGroup, NoticeKind
from duels.post.models import Notice


class PauseAsked(NoticeKind):
    code, label = "pause_asked", "a request to pause or resume"
    limit_group = LimitGroup.PROVOKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the request was withdrawn, has been fulfilled, or no longer matters."""
        asking = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
        is_running = notice.the_duel.status == DuelStatus.RUNNING
        return asking is None or not asking.asks_pause or not is_running
