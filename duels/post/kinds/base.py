"""Base class of all kinds of notices, and conditions that several kinds share."""

from enum import Enum, auto
from typing import Any, ClassVar

from duels.models import Seat
from duels.post import loading
from duels.post.contexts import clock_context
from duels.post.models import MailChoice, Notice
from duels.post.rendering import duel_url
from duels.push import public as push

Context = dict[str, Any]


class LimitGroup(Enum):
    """The limits on emails of a kind (`duels.post.limits`)."""

    ORDINARY = auto()
    UNASKED = auto()  # a wizard can cause them for another wizard who has not done anything
    PROVOKED = auto()  # a wizard can cause them repeatedly, mostly in a duel that both have begun
    NEEDED = auto()  # the reader needs them in order not to lose, so they are always sent


class NoticeKind:
    """A kind of notice. Each module of this package defines one, which `registry` finds.

    `templates/emails/<code>.html` is its email.
    """

    code: ClassVar[str]  # stored with each notice
    label: ClassVar[str]  # for logs
    needs_duel: ClassVar[bool] = True
    limit_group: ClassVar[LimitGroup] = LimitGroup.ORDINARY
    is_urgent: ClassVar[bool] = False  # does not wait for the daily email or a visit
    is_requested: ClassVar[bool] = False  # requested by the reader, so it is always sent
    begins_turn: ClassVar[bool] = False  # the email reports the turn before the notice's
    # Notification for the reader's devices, or None. Such notices must have a turn.
    push_text: ClassVar[push.PushText | None] = None
    # Whether the existence of such an email reveals to a referee that default orders were sealed,
    # or whom a time-stopped turn concerns.
    reveals_defaults: ClassVar[bool] = False
    reveals_questions: ClassVar[bool] = True

    def context(self, notice: Notice) -> Context | None:
        """Return what the email's template needs, besides the context of all emails.

        Return None if there is nothing left to report.
        """
        return {}

    def url(self, notice: Notice) -> str:
        """Return the URL of the page that shows the news, and on which it is marked as read."""
        return duel_url(notice)

    def time_limit(self, notice: Notice) -> str:
        """Return a sentence with the deadline for acting on the notice, or "" if there is none."""
        clock = clock_context(notice) if notice.turn is not None else {}
        return f"Due on {clock['due_words']}." if clock.get("is_waited_for") else ""

    def is_wanted(self, choice: MailChoice) -> bool:
        """Return whether a reader with these preferences wants such emails."""
        return True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the news no longer applies, or a newer notice replaces this one."""
        return False

    def has_read(self, notice: Notice, seat: Seat) -> bool:
        """Return whether the reader already knows the news, as far as the site can tell.

        The site knows this from marks that a page sets when its reader looks at it
        (`Seat.read_turn`), from seals, and from replies. An open tab by itself does not set marks.
        """
        turn = notice.turn
        if turn is None:
            return False
        # A turn begins with the report of the previous turn, except the first turn.
        begins = self.begins_turn and turn.ordinal > 1
        if seat.read_turn >= (turn.ordinal - 1 if begins else turn.ordinal):
            return True
        return loading.has_acted_since(notice, turn, seat)


def is_turn_closed(notice: Notice) -> bool:
    """Return whether the turn has closed. Any later turn has its own notices."""
    return notice.turn is None or not notice.turn.is_open


def is_not_awaited(notice: Notice, seat: Seat | None) -> bool:
    return is_turn_closed(notice) or seat is None or not seat.awaited
