"""HTML for deadlines: the time left, which a script counts down, and the time of the deadline."""

from datetime import UTC, datetime

from django.utils.safestring import SafeString, mark_safe

from duels.queries.clocks import KnownClock
from duels.screens.parts.moment_html import moment_html
from duels.wording.moments import TIME_IS_UP, left_words, stopped_words


def clock_html(clock: KnownClock, now: datetime) -> SafeString:
    """Return the time left and the deadline: "2 days, 23 hours left (due 3 March, 13:00 CET)"."""
    if clock.due_at is None:
        assert clock.left is not None
        return mark_safe(f'<span class="time-left stopped">{stopped_words(clock.left)}</span>')
    words = left_words(clock.due_at, now, clock.since)
    since = f' data-since="{_machine_readable(clock.since)}"' if clock.since else ""
    is_up = " up" if words == TIME_IS_UP else ""
    return mark_safe(
        f'<span class="time-left{is_up}" role="timer" '
        f'data-due="{_machine_readable(clock.due_at)}"{since}>'
        f'{words}</span> <span class="due-at">(due {moment_html(clock.due_at)})</span>'
    )


def _machine_readable(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
