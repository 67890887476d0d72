"""Reminder that the reader's time is running out."""

from duels.models import Seat
from duels.post.contexts import clock_context, question_context, reply_context
from duels.post.kinds.base import Context, LimitGroup, NoticeKind, is_not_awaited
from duels.post.models import Notice
from duels.push import public as push


class Reminder(NoticeKind):
    code, label = "reminder", "your time is running out"
    limit_group = LimitGroup.NEEDED
    is_urgent = True
    push_text = push.PushText(
        push.PushKind.REMINDER, "Your time is running out: your turn against {others}"
    )

    def context(self, notice: Notice) -> Context | None:
        due = clock_context(notice)
        if not due["is_waited_for"]:  # the reader has sealed, or the turn is over
            return None
        assert notice.turn is not None
        draft = notice.turn.drafts.filter(seat__wizard=notice.wizard)
        return {
            "has_draft": draft.exists(),
            **question_context(notice, notice.turn),
            **reply_context(notice),
            **due,
        }

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return is_not_awaited(notice, seat)
