"""Dates and times as text in the reader's time zone, and the time left until a deadline.

The reader's time zone is Django's current time zone (`duels.accounts.preferences`).
"""

from datetime import datetime, timedelta
from typing import Final

from django.utils import dateformat, timezone

# Formats for dates and times, by style.
FORMATS: Final = {
    "time": "H:i",
    "day": "j F Y",
    "minute": "j F, H:i",
    "second": "j F, H:i:s",
    "year": "j F Y, H:i",
}


def moment_words(at: datetime, style: str = "minute") -> str:
    """Return a date or time as text, such as "1 March, 13:00 CET". Dates alone have no zone."""
    local = timezone.localtime(at)
    words = dateformat.format(local, FORMATS[style])
    return words if style == "day" else f"{words} {zone_label(local)}"


def zone_label(local: datetime) -> str:
    """Return the zone's abbreviation, such as "CET", or its offset, such as "UTC+05:45"."""
    name = local.tzname() or ""
    if name.isalpha():
        return name
    offset = f"{local:%z}".replace("-", "−")
    return f"UTC{offset[:3]}:{offset[3:5]}"


# Units and limits for the time left

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
SECONDS_SHOWN_BELOW: Final = timedelta(minutes=10)  # shorter times are shown with seconds
FULL_TIME_SHOWN_DURING: Final = MINUTE
TIME_IS_UP_TEXT: Final = "the time is up"
SPACE: Final = "\N{NO-BREAK SPACE}"


def left_words(due_at: datetime, now: datetime, since: datetime | None = None) -> str:
    """Return the time left until a deadline, such as "2 days, 23 hours left".

    Smaller units are dropped, not rounded. `since` is the time when the clock started. During its
    first minute, the whole time is shown, as in "3 days left". `static/js/countdown.js` writes the
    same text.
    """
    left = due_at - now
    if left <= timedelta(0):
        return TIME_IS_UP_TEXT
    if left >= HOUR and since is not None and now - since < FULL_TIME_SHOWN_DURING:
        left = due_at - since
    return f"{span_words(left)} left"


def stopped_words(left: timedelta) -> str:
    """Return the time left on a stopped clock, as text."""
    told = span_words(left) if left >= timedelta(seconds=1) else "no time"
    return f"{told} left, and the clock is stopped"


def span_words(span: timedelta) -> str:
    """Return a duration as text, in its two largest units. Show seconds only below ten minutes."""
    if span < SECONDS_SHOWN_BELOW:
        units = (("minute", MINUTE), ("second", timedelta(seconds=1)))
    elif span < DAY:
        units = (("hour", HOUR), ("minute", MINUTE))
    else:
        units = (("day", DAY), ("hour", HOUR))
    large, small = units
    counts = ((large[0], span // large[1]), (small[0], span % large[1] // small[1]))
    told = [_number_with_unit(count, unit) for unit, count in counts if count]
    return ", ".join(told) or _number_with_unit(0, small[0])


def _number_with_unit(count: int, unit: str) -> str:
    return f"{count}{SPACE}{unit}{'' if count == 1 else 's'}"
