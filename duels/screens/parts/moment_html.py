"""HTML for moments and clocks: text in the reader's time zone, with a machine-readable time in UTC.

A script counts down the time left.
"""

from datetime import UTC, datetime
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.queries.rows import KnownClock
from duels.wording.moments import TIME_IS_UP_TEXT, left_words, moment_words, stopped_words


def moment_html(moment: datetime, style: str = "minute", class_: str = "") -> SafeString:
    """Return the moment as text; `style` is a key of `duels.wording.moments.FORMATS`."""
    return time_html(moment, moment_words(moment, style), class_)


def time_html(moment: datetime, words: str, class_: str = "") -> SafeString:
    attribute = f' class="{escape(class_)}"' if class_ else ""
    machine = _machine_readable(moment, "seconds")
    return mark_safe(f'<time{attribute} datetime="{machine}">{escape(words)}</time>')


def clock_html(clock: KnownClock, now: datetime) -> SafeString:
    """Return the time left and the deadline: "2 days, 23 hours left (due 3 March, 13:00 CET)"."""
    if clock.due_at is None:
        assert clock.left is not None
        return mark_safe(f'<span class="time-left stopped">{stopped_words(clock.left)}</span>')
    words = left_words(clock.due_at, now, clock.since)
    since = f' data-since="{_machine_readable(clock.since)}"' if clock.since else ""
    is_up = " up" if words == TIME_IS_UP_TEXT else ""
    return mark_safe(
        f'<span class="time-left{is_up}" role="timer" '
        f'data-due="{_machine_readable(clock.due_at)}"{since}>'
        f'{words}</span> <span class="due-at">(due {moment_html(clock.due_at)})</span>'
    )


def _machine_readable(moment: datetime, precision: str = "milliseconds") -> str:
    return moment.astimezone(UTC).isoformat(timespec=precision)
