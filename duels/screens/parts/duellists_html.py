"""HTML for the duellists and the state of their seals."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from django.utils.safestring import SafeString, mark_safe

from duels.loaded.database_clock import site_now
from duels.models import Stage, WizardKind
from duels.queries.rows import SeatRow
from duels.screens.parts.addresses import view_address
from duels.screens.parts.moment_html import clock_html, moment_html
from duels.screens.parts.signs import sign
from duels.standing.beings import seat_number

AGAINST_HTML = ' <span class="versus">against</span> '


# The text that explains a commitment.
COMMITMENT_WORDS = (
    "Nobody can change sealed orders: when the duel is over, they must match this fingerprint."
)


def duellists_html(seats: Sequence[SeatRow]) -> SafeString:
    """Return "A against B", with a link to each wizard's page. Guests do not have a page.

    The reader is called "You" if listed first, and "you" after another wizard.
    """
    duellists = []
    for seat, name in zip(seats, reader_names(seats), strict=True):
        html = f'<span class="seat-name">{escape(name)}</span>'
        if seat.wizard.kind != WizardKind.GUEST:
            page = view_address("wizard", seat.wizard.slug)
            html = f'<a class="seat-name" href="{page}">{escape(name)}</a>'
        duellists.append(f'<span class="seat-{seat_number(seat.code)}">{html}</span>')
    return mark_safe(AGAINST_HTML.join(duellists))


def reader_names(seats: Sequence[SeatRow]) -> list[str]:
    """Return the wizards' names for a title, with "You" or "you" for the reader."""
    return [
        ("You" if number == 0 else "you") if seat.you else seat.name
        for number, seat in enumerate(seats)
    ]


def seals_html(seats: Iterable[SeatRow], stage: str) -> SafeString:
    """Return the list of wizards: the time and commitment of their seals, or their clock if they
    must still act.

    Wizards who have left the duel come last.
    """
    now = site_now()
    in_order = sorted(seats, key=lambda seat: bool(seat.outcome))
    return mark_safe("".join(_seal_html(seat, stage, now) for seat in in_order))


def _seal_html(seat: SeatRow, stage: str, now: datetime) -> str:
    name = escape(seat.name)
    sealed = "yes" if seat.sealed_at else "no"
    you = " you" if seat.you else ""
    return (
        f'<li class="seat-{seat_number(seat.code)}{you}" data-seal-of="{name}"'
        f' data-sealed="{sealed}">'
        f"{_seal_state_html(seat, name, stage, now)}{_vacation_html(seat)}</li>\n"
    )


def _seal_state_html(seat: SeatRow, name: str, stage: str, now: datetime) -> str:
    who = f'<span class="seat-name">{"You" if seat.you else name}</span>'
    has, is_, does = ("have", "are", "do") if seat.you else ("has", "is", "does")
    if seat.sealed_at:
        return (
            f"{sign('seal')} {who} {has} sealed, {moment_html(seat.sealed_at)}"
            f'<details class="proof"><summary>proof</summary> {COMMITMENT_WORDS}'
            f"<code>{seat.commitment}</code></details>"
        )
    if seat.awaited:
        asked = stage == Stage.ANSWERS
        clock = f'<span class="clock">{clock_html(seat.clock, now)}</span>' if seat.clock else ""
        waits = f"{has} a question to answer" if asked else f"{has} not sealed yet"
        return f"{who} {waits}{clock}"
    return f"{who} {f'{is_} out of the duel' if seat.outcome else f'{does} not have to act'}"


def _vacation_html(seat: SeatRow) -> str:
    if seat.vacation_until is not None:
        words = f"on vacation until {moment_html(seat.vacation_until)}"
    elif seat.back_since is not None:
        words = f"back from vacation since {moment_html(seat.back_since)}"
    else:
        return ""
    return f'<span class="vacation">{words}</span>'
