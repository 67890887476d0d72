"""Notice that a turn is waiting for the reader's answers."""

from duels.models import Seat, Stage
from duels.post.contexts import clock_context, duel_state_context, question_context, reply_context
from duels.post.kinds.base import Context, LimitGroup, NoticeKind, is_not_awaited
from duels.post.models import Notice
from duels.push import public as push


class Question(NoticeKind):
    code, label = "question", "a question for you"
    limit_group = LimitGroup.NEEDED
    push_text = push.YOUR_TURN

    def context(self, notice: Notice) -> Context:
        return {
            **question_context(notice, notice.turn),
            **reply_context(notice),
            **clock_context(notice),
            **duel_state_context(notice),
        }

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the questions were answered, or newer questions have been asked."""
        if is_not_awaited(notice, seat) or notice.turn is None:
            return True
        newer = Notice.objects.filter(
            kind=self.code, wizard=notice.wizard, turn=notice.turn, pk__gt=notice.pk
        )
        return notice.turn.stage != Stage.ANSWERS or newer.exists()

    def has_read(self, notice: Notice, seat: Seat) -> bool:
        return self.is_outdated(notice, seat)
