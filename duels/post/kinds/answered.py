"""Notice about the result of an email that the reader sent to the site (`duels.replies`)."""

from duels.loaded.database_clock import site_now
from duels.post.contexts import due_words, question_context, reply_context, result_context
from duels.post.kinds.base import Context, NoticeKind
from duels.post.loading import reader_of
from duels.post.models import Notice
from duels.post.receipts import receipt_context
from duels.post.rendering import email_details, turn_name


class Answered(NoticeKind):
    code, label = "answered", "a reply to your email"
    is_requested = True

    def context(self, notice: Notice) -> Context:
        details = email_details(notice)
        context = details | receipt_context(notice, details) | result_context(notice)
        open_turn = context.get("open_turn", notice.turn)
        if open_turn is not None:
            seat = reader_of(notice).own_seat
            context |= reply_context(notice, open_turn)
            context |= {"open_turn_name": turn_name(notice, open_turn), "is_awaited": seat.awaited}
            context["due_words"] = due_words(seat.due_at, site_now()) if seat.due_at else ""
        if not context.get("is_played"):
            context["reply_lines"] = ()
        if details["outcome"] != "sealed":
            context |= question_context(notice, open_turn)
        return context
