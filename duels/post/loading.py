"""Functions that load notices with all data for their emails, in a few handwritten queries.

Workers run these queries for every email, and Django would compile them each time.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from duels.email_addresses import address_spellings
from duels.loaded.joined_rows import ModelColumns, fetch_rows
from duels.models import Duel, Seat, Turn, Wizard
from duels.post.models import EmailTiming, MailChoice, Notice, Reader

NOTICE_COLUMNS = ModelColumns(Notice, "notice")
WIZARD_COLUMNS = ModelColumns(Wizard, "wizard", NOTICE_COLUMNS.end)
DUEL_COLUMNS = ModelColumns(Duel, "duel", WIZARD_COLUMNS.end)
TURN_COLUMNS = ModelColumns(Turn, "turn", DUEL_COLUMNS.end)
ABOUT_WIZARD_COLUMNS = ModelColumns(Wizard, "about", TURN_COLUMNS.end)
NOTICES_SQL = f"""
    SELECT
        {NOTICE_COLUMNS.sql}, {WIZARD_COLUMNS.sql}, {DUEL_COLUMNS.sql}, {TURN_COLUMNS.sql},
        {ABOUT_WIZARD_COLUMNS.sql}
    FROM post_notice notice
    JOIN duels_wizard wizard ON wizard.id = notice.wizard_id
    LEFT JOIN duels_duel duel ON duel.id = notice.duel_id
    LEFT JOIN duels_turn turn ON turn.id = notice.turn_id
    LEFT JOIN duels_wizard about ON about.id = notice.about_id
"""

# Joins that return a row for each verified or confirmed address of a wizard.
ADDRESS_SQL = "COALESCE(guest.address, given.email)"
ADDRESS_JOINS_SQL = """
    LEFT JOIN post_guestaddress guest
        ON guest.wizard_id = reader.id AND guest.confirmed_at IS NOT NULL
        AND reader.kind = 'guest'
    LEFT JOIN account_emailaddress given
        ON given.user_id = reader.user_id AND given.verified AND reader.kind <> 'guest'
"""
MAIN_ADDRESS_FIRST_SQL = 'given."primary" DESC, given.id'

# Each row contains an address of the reader, the preference for this duel, the preferences for all
# duels, and a seat of the duel with its wizard.
CHOICE_COLUMNS = ModelColumns(MailChoice, "choice", 2)
SEAT_COLUMNS = ModelColumns(Seat, "seat", CHOICE_COLUMNS.end)
SEATED_WIZARD_COLUMNS = ModelColumns(Wizard, "seated", SEAT_COLUMNS.end)
READER_SQL = f"""
    SELECT
        {ADDRESS_SQL}, duel_choice."when", {CHOICE_COLUMNS.sql}, {SEAT_COLUMNS.sql},
        {SEATED_WIZARD_COLUMNS.sql}
    FROM duels_wizard reader
    {ADDRESS_JOINS_SQL}
    LEFT JOIN post_mailchoice choice ON choice.wizard_id = reader.id
    LEFT JOIN post_duelmailchoice duel_choice
        ON duel_choice.wizard_id = reader.id AND duel_choice.duel_id = %s
    LEFT JOIN duels_seat seat ON seat.duel_id = %s
    LEFT JOIN duels_wizard seated ON seated.id = seat.wizard_id
    WHERE reader.id = %s
    ORDER BY seat.place, seat.id, {MAIN_ADDRESS_FIRST_SQL}
"""

# Whether the reader has sealed orders or replied, for this turn or a later one, since a given time.
HAS_ACTED_SQL = """
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
    rows = fetch_rows(f"{NOTICES_SQL} WHERE notice.id IN ({places}) ORDER BY notice.id", pks)
    return [_notice_from_row(row) for row in rows]


def _notice_from_row(row: Sequence[Any]) -> Notice:
    notice = NOTICE_COLUMNS.make_instance(row)
    notice.wizard = WIZARD_COLUMNS.make_instance(row)
    notice.duel = DUEL_COLUMNS.make_instance(row) if row[DUEL_COLUMNS.key] else None
    notice.turn = TURN_COLUMNS.make_instance(row) if row[TURN_COLUMNS.key] else None
    notice.about = (
        ABOUT_WIZARD_COLUMNS.make_instance(row) if row[ABOUT_WIZARD_COLUMNS.key] else None
    )
    if notice.turn is not None:
        notice.turn.duel = notice.the_duel
    return notice


def reader_of(notice: Notice) -> Reader:
    """Return the reader of this notice. Only the first call loads the reader."""
    if notice.reader is None:
        notice.reader = _load_reader(notice)
    return notice.reader


def _load_reader(notice: Notice) -> Reader:
    rows = fetch_rows(READER_SQL, [notice.duel_id, notice.duel_id, notice.wizard_id])
    first = rows[0]
    duel_choice, is_chosen = first[1], first[CHOICE_COLUMNS.key] is not None
    seats: dict[int, Seat] = {}
    for row in rows:
        if row[SEAT_COLUMNS.key] and row[SEAT_COLUMNS.key] not in seats:
            seat = SEAT_COLUMNS.make_instance(row)
            seat.duel, seat.wizard = notice.the_duel, SEATED_WIZARD_COLUMNS.make_instance(row)
            seats[seat.pk] = seat
    return Reader(
        wizard_id=notice.wizard_id,
        address=_usable_address(rows),
        choice=CHOICE_COLUMNS.make_instance(first)
        if is_chosen
        else MailChoice(wizard=notice.wizard),
        duel_choice=EmailTiming(duel_choice) if duel_choice else None,
        seats=tuple(seats.values()),
    )


def load_address(wizard_id: int) -> str:
    """Return the address for emails to this wizard, or "" if there is none."""
    sql = f"SELECT {ADDRESS_SQL} FROM duels_wizard reader {ADDRESS_JOINS_SQL}"
    return _usable_address(
        fetch_rows(f"{sql} WHERE reader.id = %s ORDER BY {MAIN_ADDRESS_FIRST_SQL}", [wizard_id])
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
    ((has_acted,),) = fetch_rows(HAS_ACTED_SQL, [*sealed, *written])
    return bool(has_acted)
