"""Base class of all kinds of notices, and conditions that several kinds share."""

from typing import Any, ClassVar

from duels.post.contexts import clock_context
from duels.post.models import Notice
from duels.post.rendering import duel_url

Context = dict[str, Any]


class NoticeKind:
    """A kind of notice. Each module of this package defines one, which `registry` finds.

    `templates/emails` contains its email.
    """

    code: ClassVar[str]  # stored with each notice
    label: ClassVar[str]  # for logs

    def context(self, notice: Notice) -> Context | None:
        """Return what the email's template needs, besides the context of all emails.

        Return None if there is nothing left to report.
        """
        return {}

    def url(self, notice: Notice) -> str:
        """Return the URL of the page that shows the news."""
        return duel_url(notice)

    def time_limit(self, notice: Notice) -> str:
        """Return a sentence with the deadline for acting on the notice, or "" if there is none."""
        clock = clock_context(notice) if notice.turn is not None else {}
        return f"Due on {clock['due_words']}." if clock.get("is_waited_for") else ""
