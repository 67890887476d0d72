"""Notice that a turn is waiting for the reader's answers."""

from duels.post.contexts import (
    clock_context,
    duel_state_context,
    question_context,
    reply_context,
)
from duels.post.kinds.base import Context, NoticeKind
from duels.post.models import Notice


class Question(NoticeKind):
    code, label = "question", "a question for you"

    def context(self, notice: Notice) -> Context:
        return {
            **question_context(notice, notice.turn),
            **reply_context(notice),
            **clock_context(notice),
            **duel_state_context(notice),
        }
