"""Base class of all kinds of notices, and conditions that several kinds share."""

from enum import Enum, auto
from typing import Any, ClassVar

from django.conf import settings
from django.urls import reverse

from duels.models import Seat
from duels.post import loading
from duels.post.contexts import clock_context
from duels.post.models import MailChoice, Notice
from duels.push import public as push

Context = dict[str, Any]


class LimitGroup(Enum):
    """The group of kinds, which determines the limits on their emails (`duels.post.limits`)."""

    ORDINARY = auto()
    UNASKED = auto()  # a wizard can send them to a stranger
    PROVOKED = auto()  # a wizard can send them repeatedly, mostly to an opponent
    NEEDED = auto()  # always sent, because a reader who misses one could lose the duel


class NoticeKind:
    """A kind of notice. Each module of this package defines one, which `registry` finds.

    `templates/emails/<code>.html` is its email.
    """

    code: ClassVar[str]  # stored with each notice
    label: ClassVar[str]  # for logs
    needs_duel: ClassVar[bool] = True
    limit_group: ClassVar[LimitGroup] = LimitGroup.ORDINARY
    is_urgent: ClassVar[bool] = False  # sent at once, even with daily emails or between visits
    is_requested: ClassVar[bool] = False  # always sent, because the reader requested it
    begins_turn: ClassVar[bool] = False  # the email reports the turn before the notice's turn
    # Push notification for the reader's devices, or None. Notices with push notifications must have
    # a turn.
    push_text: ClassVar[push.PushText | None] = None
    # Whether such an email in the log would reveal to a referee that default orders were sealed, or
    # which wizards a time-stopped turn concerns.
    reveals_defaults: ClassVar[bool] = False
    reveals_questions: ClassVar[bool] = True
    shows_clock: ClassVar[bool] = False  # the reader's clock in the notice's turn
    ends_with_turn: ClassVar[bool] = False  # outdated as soon as the turn closes

    def context(self, notice: Notice) -> Context | None:
        """Return the context of the email's template, in addition to the context of all emails.

        Return None if there is nothing left to report.
        """
        return clock_context(notice) if self.shows_clock else {}

    def url(self, notice: Notice) -> str:
        """Return the URL of the page that shows the news. Opening it marks the notice as read.

        This is the page of the notice's duel, or the home page if there is none.
        """
        page = reverse("duel", args=[notice.duel_id]) if notice.duel_id else reverse("home")
        return f"{settings.SITE_URL}{page}"

    def time_limit(self, notice: Notice) -> str:
        """Return a sentence with the deadline for acting on the notice, or "" if there is none."""
        clock = clock_context(notice) if notice.turn is not None else {}
        return f"Due on {clock['due_words']}." if clock.get("is_waited_for") else ""

    def is_wanted(self, choice: MailChoice) -> bool:
        """Return whether a reader with these preferences wants such emails."""
        return True

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        """Return whether the news no longer applies, or a newer notice replaces this one."""
        return self.ends_with_turn and is_turn_closed(notice)

    def has_read(self, notice: Notice, seat: Seat) -> bool:
        """Return whether the reader has probably read the news already.

        They have if they have looked at a page with the news (`Seat.read_turn`), sealed, or replied
        since. A page that is only open in a hidden tab does not count.
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
    """Return whether the turn has closed, because later turns have their own notices."""
    return notice.turn is None or not notice.turn.is_open


def is_not_awaited(notice: Notice, seat: Seat | None) -> bool:
    return is_turn_closed(notice) or seat is None or not seat.awaited
