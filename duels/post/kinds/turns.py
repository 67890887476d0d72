"""Notices about turns that wait for the reader, and about the beginning and end of a duel."""

import engine.play
from duels.models import Seat, Stage, Turn
from duels.post.contexts import (
    clock_context,
    duel_state_context,
    question_context,
    reply_context,
    result_context,
)
from duels.post.kinds.base import Context, LimitGroup, NoticeKind, is_not_awaited
from duels.post.loading import reader_of
from duels.post.models import Notice
from duels.push import public as push


class Started(NoticeKind):
    code, label = "started", "the duel has begun"
    ends_with_turn = True
    limit_group = LimitGroup.NEEDED
    begins_turn = True
    push_text = push.YOUR_TURN

    def context(self, notice: Notice) -> Context:
        return reply_context(notice) | clock_context(notice) | duel_state_context(notice)


class YourTurn(NoticeKind):
    code, label = "your_turn", "your turn"
    ends_with_turn = True
    limit_group = LimitGroup.NEEDED
    begins_turn = True
    push_text = push.YOUR_TURN
    reveals_questions = False

    def context(self, notice: Notice) -> Context:
        assert notice.turn is not None
        position = notice.turn.position
        seat = reader_of(notice).own_seat
        decides = seat.code in engine.play.deciding_wizards(engine.play.load_position(position))
        # The turn may wait although nobody has a choice (see `resolution.MOST_TURNS_AT_ONCE`).
        stopped = notice.turn.is_open and seat.awaited and not decides
        return {
            "decides": decides,
            "stopped": stopped,
            **reply_context(notice),
            **clock_context(notice),
            **duel_state_context(notice, with_hands=decides),
        }


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


class Reminder(NoticeKind):
    code, label = "reminder", "your time is nearly over"
    limit_group = LimitGroup.NEEDED
    is_urgent = True
    push_text = push.PushText(
        push.PushKind.REMINDER, "Your time is nearly over: your turn against {others}"
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


class PlayedFor(NoticeKind):
    code, label = "played_for", "default orders were sealed for you"
    shows_clock = True
    limit_group = LimitGroup.NEEDED
    reveals_defaults = True


class Excused(NoticeKind):
    code, label = "excused", "your time was extended"
    shows_clock = True
    limit_group = LimitGroup.NEEDED

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return is_not_awaited(notice, seat)


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
