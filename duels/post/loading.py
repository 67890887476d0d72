"""Functions that load notices with all data for their emails, in a few handwritten queries.

Workers run these queries for every email, and Django would compile them each time.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from duels.email_addresses import address_spellings
from duels.loaded.joined_rows import Columns, fetch_rows
from duels.models import Duel, Seat, Turn, Wizard
from duels.post.models import MailChoice, Notice, Reader, When

NOTICE, WIZARD = Columns(Notice, "notice"), Columns(Wizard, "wizard")
DUEL, TURN, ABOUT = Columns(Duel, "duel"), Columns(Turn, "turn"), Columns(Wizard, "about")
CHOICE, SEAT, SEATED = (
    Columns(MailChoice, "choice"),
    Columns(Seat, "seat"),
    Columns(Wizard, "seated"),
)

NOTICES = f"""
    SELECT {NOTICE.sql}, {WIZARD.sql}, {DUEL.sql}, {TURN.sql}, {ABOUT.sql}
    FROM post_notice notice
    JOIN duels_wizard wizard ON wizard.id = notice.wizard_id
    LEFT JOIN duels_duel duel ON duel.id = notice.duel_id
    LEFT JOIN duels_turn turn ON turn.id = notice.turn_id
    LEFT JOIN duels_wizard about ON about.id = notice.about_id
"""

# Joins that return a row for each verified or confirmed address of a wizard.
ADDRESS = "COALESCE(guest.address, given.email)"
ADDRESSES = """
    LEFT JOIN post_guestaddress guest
        ON guest.wizard_id = reader.id AND guest.confirmed_at IS NOT NULL
        AND reader.kind = 'guest'
    LEFT JOIN account_emailaddress given
        ON given.user_id = reader.user_id AND given.verified AND reader.kind <> 'guest'
"""
MAIN_FIRST = 'given."primary" DESC, given.id'

# Each row contains a seat of the duel with its wizard, an address of the reader, and the reader's
# preferences.
READER = f"""
    SELECT {ADDRESS}, duel_choice."when", {CHOICE.sql}, {SEAT.sql}, {SEATED.sql}
    FROM duels_wizard reader
    {ADDRESSES}
    LEFT JOIN post_mailchoice choice ON choice.wizard_id = reader.id
    LEFT JOIN post_duelmailchoice duel_choice
        ON duel_choice.wizard_id = reader.id AND duel_choice.duel_id = %s
    LEFT JOIN duels_seat seat ON seat.duel_id = %s
    LEFT JOIN duels_wizard seated ON seated.id = seat.wizard_id
    WHERE reader.id = %s
    ORDER BY seat.place, seat.id, {MAIN_FIRST}
"""

# Whether the reader has sealed orders or replied, for this turn or a later one, since a given time.
HAS_ACTED = """
    SELECT EXISTS (
        SELECT 1 FROM duels_orders sealed JOIN duels_turn turn ON turn.id = sealed.turn_id
        WHERE sealed.seat_id = %s AND turn.ordinal >= %s
            AND sealed.source = 'player' AND sealed.sealed_at >= %s
    ) OR EXISTS (
        SELECT 1 FROM post_notice receipt JOIN duels_turn turn ON turn.id = receipt.turn_id
        WHERE receipt.kind = 'answered' AND receipt.wizard_id = %s AND receipt.duel_id = %s
            AND turn.ordinal >= %s AND receipt.created_at >= %s
    )
"""


def load_notices(pks: Sequence[int]) -> list[Notice]:
    """Return these notices, oldest first, each with its wizard, duel, turn and `about`."""
    if not pks:
        return []
    places = ", ".join(["%s"] * len(pks))
    rows = fetch_rows(f"{NOTICES} WHERE notice.id IN ({places}) ORDER BY notice.id", pks)
    return [_notice_from_row(row) for row in rows]


def _notice_from_row(row: Sequence[Any]) -> Notice:
    of_notice, of_wizard, of_duel, of_turn, of_about = _split_row(
        row, NOTICE, WIZARD, DUEL, TURN, ABOUT
    )
    notice = NOTICE.make_instance(of_notice)
    notice.wizard = WIZARD.make_instance(of_wizard)
    notice.duel = DUEL.make_instance(of_duel) if DUEL.has_row(of_duel) else None
    notice.turn = TURN.make_instance(of_turn) if TURN.has_row(of_turn) else None
    notice.about = ABOUT.make_instance(of_about) if ABOUT.has_row(of_about) else None
    if notice.turn is not None:
        notice.turn.duel = notice.the_duel
    return notice


def reader_of(notice: Notice) -> Reader:
    """Return the reader of this notice. Only the first call loads the reader."""
    if notice.reader is None:
        notice.reader = _load_reader(notice)
    return notice.reader


def _load_reader(notice: Notice) -> Reader:
    rows = fetch_rows(READER, [notice.duel_id, notice.duel_id, notice.wizard_id])
    _, duel_choice, *_ = rows[0]
    of_choice, *_ = _split_row(rows[0][2:], CHOICE)
    is_chosen = CHOICE.has_row(of_choice)
    seats: dict[int, Seat] = {}
    for row in rows:
        _, of_seat, of_seated = _split_row(row[2:], CHOICE, SEAT, SEATED)
        if SEAT.has_row(of_seat) and of_seat[SEAT.key] not in seats:
            seat = SEAT.make_instance(of_seat)
            seat.duel, seat.wizard = notice.the_duel, SEATED.make_instance(of_seated)
            seats[seat.pk] = seat
    return Reader(
        wizard_id=notice.wizard_id,
        address=_usable_address(rows),
        choice=CHOICE.make_instance(of_choice) if is_chosen else MailChoice(wizard=notice.wizard),
        duel_choice=When(duel_choice) if duel_choice else None,
        seats=tuple(seats.values()),
    )


def load_address(wizard_id: int) -> str:
    """Return the address for emails to this wizard, or "" if there is none."""
    sql = f"SELECT {ADDRESS} FROM duels_wizard reader {ADDRESSES}"
    return _usable_address(
        fetch_rows(f"{sql} WHERE reader.id = %s ORDER BY {MAIN_FIRST}", [wizard_id])
    )


def _usable_address(rows: Sequence[Sequence[Any]]) -> str:
    """Return the first address in the first column of these rows that is not turned off, or ""."""
    for address in dict.fromkeys(row[0] for row in rows if row[0]):
        if not is_silenced(address):
            return str(address)
    return ""


def is_silenced(address: str) -> bool:
    """Return whether emails to this address, in any spelling, are turned off."""
    lowered = [each.lower() for each in address_spellings(address)]
    places = ", ".join(["%s"] * len(lowered))
    sql = "SELECT 1 FROM post_silencedaddress WHERE lifted_at IS NULL"
    return bool(fetch_rows(f"{sql} AND LOWER(address) IN ({places})", lowered))


def has_acted_since(notice: Notice, turn: Turn, seat: Seat) -> bool:
    """Return whether the reader has acted in this or a later turn since the notice.

    Sealing orders and replying to an email count as acting.
    """
    since = connection.ops.adapt_datetimefield_value(notice.created_at)
    sealed = [seat.pk, turn.ordinal, since]
    written = [notice.wizard_id, notice.duel_id, turn.ordinal, since]
    ((has_acted,),) = fetch_rows(HAS_ACTED, [*sealed, *written])
    return bool(has_acted)


def _split_row(row: Sequence[Any], *parts: Columns[Any]) -> list[Sequence[Any]]:
    """Split a row into one list of columns for each of these parts."""
    found, at = [], 0
    for part in parts:
        found.append(row[at : at + len(part)])
        at += len(part)
    return found
