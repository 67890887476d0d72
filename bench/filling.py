"""Fill a PostgreSQL database with any number of duels within seconds.

    python -m bench.filling 20000

This command must run in the environment of a site with a migrated, empty database. It plays three
duels with the usual commands. The database copies the rows of these duels, with other wizards and
times, to make all other duels. The last line of the output is JSON with a session key and the
addresses to measure.

One player has the same hundred duels in every database, so that the same pages can be compared.
"""

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import django
from django.core.management.color import no_style
from django.db import connection, models
from django.urls import reverse

if TYPE_CHECKING:
    from duels.models import Duel, Wizard

PLAYERS_DUELS = 100  # duels of the player whose pages are measured
KIND_SHARES = {"over": (0, 5), "running": (6, 8), "open": (9, 9)}  # last digits of duels' numbers
PRIVATE_ONE_IN = 5  # every fifth duel is private
DUELS_PER_WIZARD = 60  # duels of every other wizard, approximately
ID_OFFSET = 1_000_000  # first id of the copies
COPIES_PER_STATEMENT = 32  # ids reserved for the turns of one duel


@dataclass(frozen=True)
class CopiedKind:
    """A kind of duel: the played duel to copy, and its share of the total number of duels."""

    duel: int
    digits: tuple[int, int]
    number: int

    @property
    def copy_numbers_sql(self) -> str:
        first, last = self.digits
        return f"generate_series(0, {self.number - 1}) AS n WHERE n % 10 BETWEEN {first} AND {last}"


def main(number: int) -> None:
    """Fill the database with `number` duels."""
    django.setup()
    from bench.played import two_wizards

    black, white = two_wizards()
    played = _create_played_duels(black, white)
    others = max(number // DUELS_PER_WIZARD, 10)
    _execute_sql("SET session_replication_role = replica")  # do not check foreign keys
    _copy_wizards(white, others)
    for kind, duel in played.items():
        _copy_duel(CopiedKind(duel.pk, KIND_SHARES[kind], number), black, others)
    _execute_sql("SET session_replication_role = DEFAULT")
    for statement in connection.ops.sequence_reset_sql(no_style(), [*_models_by_name().values()]):
        _execute_sql(statement)
    _execute_sql("VACUUM ANALYZE")
    print(json.dumps(_measured_paths(black)))


def _create_played_duels(black: "Wizard", white: "Wizard") -> dict[str, "Duel"]:
    """Create a finished duel, a duel at turn 20 that waits for Black, and an open challenge."""
    from bench.played import EMPTY_ORDERS, duel_at_turn, tasks_disabled
    from duels.commands import endings
    from tests.cast import NOW, challenge, seal

    over, running = duel_at_turn(20, black, white), duel_at_turn(20, black, white)
    with tasks_disabled():
        endings.resign(duel_id=over.pk, wizard=white, now=NOW)
        seal(running, white, EMPTY_ORDERS)
    return {"over": over, "running": running, "open": challenge(black)}


def _copy_wizards(white: "Wizard", others: int) -> None:
    n = f"generate_series(1, {others}) AS n"
    changes = {
        "id": f"{ID_OFFSET} + n",
        "user_id": "NULL",
        **dict.fromkeys(("name", "slug", "skeleton"), "'wizard-' || n"),
    }
    _copy_rows("Wizard", changes, f"id = {white.pk}", f"{n} WHERE true")


def _copy_duel(copied: CopiedKind, black: "Wizard", others: int) -> None:
    """Copy a duel and its rows.

    Each new id is the sum of `ID_OFFSET`, a number for the duel and one for the row.
    """
    moment = "interval '1 minute' * n"
    times = {
        "Duel": ("created_at", "started_at", "ended_at"),
        "Seat": ("invited_at", "awaited_since", "duel_ended_at"),
        "Turn": ("opened_at", "closed_at"),
    }
    # One seat of the first duels is Black's. In later duels, a wizard with an even number has this
    # seat. The opponents are many different wizards with odd numbers.
    half = others // 2
    one = f"CASE WHEN n < {PLAYERS_DUELS} THEN {black.pk} ELSE {ID_OFFSET} + 2 + n % {half} * 2 END"
    other = f"{ID_OFFSET} + 1 + (n * 7 + n / {half}) % {half} * 2"
    ordinal = "(SELECT ordinal FROM duels_turn AS at WHERE at.id = row.turn_id)"
    place = "(SELECT coalesce(place, 0) FROM duels_seat AS at WHERE at.id = row.seat_id)"
    changes: dict[str, dict[str, str]] = {
        "Duel": {
            "id": f"{ID_OFFSET} + n",
            "challenger_id": one,
            "token": "NULL",
            "expires_at": "now() + interval '1 day' * (n % 9 + 1)",
            "visibility": f"CASE WHEN n % {PRIVATE_ONE_IN} = 0 THEN 'private' ELSE 'public' END",
        },
        "Seat": {
            "id": f"{ID_OFFSET} + n * 2 + coalesce(row.place, 0)",
            "duel_id": f"{ID_OFFSET} + n",
            "wizard_id": f"CASE WHEN row.wizard_id = {black.pk} THEN {one} ELSE {other} END",
        },
        "Turn": {
            "id": f"{ID_OFFSET} + n * {COPIES_PER_STATEMENT} + row.ordinal",
            "duel_id": f"{ID_OFFSET} + n",
        },
        "Orders": {
            "id": f"{ID_OFFSET} + (n * {COPIES_PER_STATEMENT} + {ordinal}) * 8 + {place} * 4"
            " + row.batch",
            "turn_id": f"{ID_OFFSET} + n * {COPIES_PER_STATEMENT} + {ordinal}",
            "seat_id": f"{ID_OFFSET} + n * 2 + {place}",
        },
    }
    for name, columns in times.items():
        changes[name] |= {column: f"row.{column} + {moment}" for column in columns}
    conditions = {
        "Duel": f"row.id = {copied.duel}",
        "Seat": f"row.duel_id = {copied.duel}",
        "Turn": f"row.duel_id = {copied.duel}",
        "Orders": f"row.turn_id IN (SELECT id FROM duels_turn WHERE duel_id = {copied.duel})",
    }
    for name, condition in conditions.items():
        _copy_rows(name, changes[name], condition, copied.copy_numbers_sql)


def _copy_rows(name: str, changes: dict[str, str], condition: str, which: str) -> None:
    """Copy the rows of this model that match the condition, once for each number in `which`."""
    meta = _models_by_name()[name]._meta
    columns = [field.column for field in meta.concrete_fields if field.column]
    values = [changes.get(column, f'row."{column}"') for column in columns]
    numbers, _, chosen = which.partition(" WHERE ")
    _execute_sql(
        f'INSERT INTO "{meta.db_table}" ({", ".join(map(connection.ops.quote_name, columns))}) '
        f'SELECT {", ".join(values)} FROM "{meta.db_table}" AS row, {numbers} '
        f"WHERE {condition} AND {chosen}"
    )


def _models_by_name() -> dict[str, type[models.Model]]:
    from duels.models import Duel, Orders, Seat, Turn, Wizard

    return {model.__name__: model for model in (Wizard, Duel, Seat, Turn, Orders)}


def _execute_sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def _measured_paths(black: "Wizard") -> dict[str, str]:
    """Return the key of Black's session, and the addresses of the measured pages."""
    from bench.web import signed_in_client
    from duels.models import Duel, DuelStatus, Seat

    running = Seat.objects.filter(
        wizard=black,
        awaited=True,
        duel__in=Duel.objects.filter(pk__gte=ID_OFFSET, status=DuelStatus.RUNNING),
    )
    duel = running.order_by("pk").values_list("duel_id", flat=True)[0]
    rival = Seat.objects.filter(duel=duel).exclude(wizard=black).get().wizard
    lists_url = reverse("duels")
    return {
        "session": signed_in_client(black).cookies["sessionid"].value,
        "home": reverse("home"),
        "finished_duels": f"{lists_url}?show=finished",
        "duels_to_watch": f"{lists_url}?show=watch",
        "duels_to_read": f"{lists_url}?show=read",
        "open_challenges": f"{lists_url}?show=open",
        "wizard": reverse("wizard", args=[rival.slug]),
        "wizards": reverse("wizards"),
        "duel_page": reverse("duel", args=[duel]),
        "past_turn": reverse("turn", args=[duel, 12]),
        "poll": reverse("poll", args=[duel]),
    }


if __name__ == "__main__":
    main(int(sys.argv[1]))
