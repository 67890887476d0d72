"""Notice that an opponent offers a draw."""

from duels.models import Seat, Turn
from duels.post.kinds.base import LimitGroup, NoticeKind
from duels.post.models import Notice


class DrawOffered(NoticeKind):
    code, label = "draw_offered", "a draw was offered"
    limit_group = LimitGroup.PROVOKED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the draw offer was declined or has expired, or the duel is over."""
        latest = Turn.objects.filter(duel=notice.duel_id).order_by("-ordinal").first()
        offering = Seat.objects.filter(duel=notice.duel_id, wizard=notice.about_id).first()
        if latest is None or offering is None or not latest.is_open:
            return True
        return not offering.offers_draw_in(latest.ordinal)
