"""HTML for moments: text in the reader's time zone, with a machine-readable time in UTC."""

from datetime import UTC, datetime
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.wording.moments import moment_words


def moment_html(moment: datetime, style: str = "minute", class_: str = "") -> SafeString:
    """Return the moment as text; `style` is a key of `duels.wording.moments.FORMATS`."""
    return time_html(moment, moment_words(moment, style), class_)


def time_html(moment: datetime, words: str, class_: str = "") -> SafeString:
    """Return this text as a `<time>` element for this moment."""
    attribute = f' class="{escape(class_)}"' if class_ else ""
    machine = moment.astimezone(UTC).isoformat(timespec="seconds")
    return mark_safe(f'<time{attribute} datetime="{machine}">{escape(words)}</time>')
