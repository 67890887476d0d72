"""Moments as HTML: read in the reader's time zone, and kept for machines in UTC."""

from datetime import UTC, datetime
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.moments import moment_words


def moment_html(at: datetime, style: str = "minute", class_: str = "") -> SafeString:
    """The moment in words; `style`: a key of `duels.moments.FORMATS`."""
    return time_html(at, moment_words(at, style), class_)


def time_html(at: datetime, words: str, class_: str = "") -> SafeString:
    """These words, which stand for this moment."""
    attribute = f' class="{escape(class_)}"' if class_ else ""
    machine = at.astimezone(UTC).isoformat(timespec="seconds")
    return mark_safe(f'<time{attribute} datetime="{machine}">{escape(words)}</time>')
