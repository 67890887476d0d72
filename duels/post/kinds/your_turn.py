"""Notice that a turn is waiting for the reader's orders."""

import engine.play
from duels.post.contexts import clock_context, duel_state_context, reply_context
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.loading import reader_of
from duels.post.models import Notice
from duels.push import public as push


class YourTurn(NoticeKind):
    code, label = "your_turn", "your turn"
    limit_group = LimitGroup.NEEDED
    begins_turn = True
    push_text = push.YOUR_TURN
    reveals_questions = False
    ends_with_turn = True

    def context(self, notice: Notice) -> Context:
        assert notice.turn is not None
        position = notice.turn.position
        seat = reader_of(notice).own_seat
        decides = seat.code in engine.play.deciding_wizards(engine.play.load_position(position))
        # The turn may wait although nobody has a choice (see `resolution.MAX_TURNS_AT_ONCE`).
        stopped = notice.turn.is_open and seat.awaited and not decides
        return {
            "decides": decides,
            "stopped": stopped,
            **reply_context(notice),
            **clock_context(notice),
            **duel_state_context(notice, with_hands=decides),
        }
