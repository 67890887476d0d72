"""Notice that a duel is over."""

from duels.models import Seat, Stage, Turn
from duels.post.contexts import duel_state_context, result_context
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class Over(NoticeKind):
    code, label = "over", "the duel is over"

    def context(self, notice: Notice) -> Context:
        return result_context(notice) | duel_state_context(notice)

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether a referee has resumed the duel."""
        return not notice.the_duel.is_over

    def has_read(self, notice: Notice, seat: Seat) -> bool:
        last = Turn.objects.filter(duel=notice.duel_id).order_by("-ordinal").first()
        return last is not None and last.stage == Stage.RESOLVED and seat.read_turn >= last.ordinal
