"""Tests of upgrading a running site, with migrations and with workers of two releases."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tests import prepared, released, services

pytestmark = [pytest.mark.services, pytest.mark.timeout(1800)]

COLUMNS_QUERY = """
SELECT table_name, column_name, data_type, character_maximum_length, is_nullable = 'YES',
       column_default IS NOT NULL OR is_identity = 'YES'
FROM information_schema.columns WHERE table_schema = 'public'
"""
# Script that seals for everyone in every running duel, using names that both releases have.
SEAL_SCRIPT = """
from django.utils import timezone
from duels.commands import sealing
from duels.models import Seat, Turn
for seat in Seat.objects.filter(awaited=True, duel__status="running"):
    turn = Turn.objects.get(duel=seat.duel, stage="orders")
    fields = {"left": "D", "right": "W"}
    now = timezone.now()
    sealing.seal_orders(
        turn_id=turn.pk, wizard=seat.wizard, fields=fields, form_seal="", now=now)
"""
NEWEST_TURN_QUERY = """
SELECT min(newest) FROM (
    SELECT max(turn.ordinal) AS newest FROM duels_turn turn JOIN duels_duel duel
    ON duel.id = turn.duel_id WHERE duel.status = 'running' GROUP BY duel.id) AS turns
"""


class Column(NamedTuple):
    type: str
    length: int | None
    is_nullable: bool
    has_default: bool


def database_columns(database_url: str) -> dict[tuple[str, str], Column]:
    """Return the columns of this database, by table and name."""
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(COLUMNS_QUERY).fetchall()
    return {(table, name): Column(*column) for table, name, *column in rows}


def faults_for_older_code(
    before: Mapping[tuple[str, str], Column], after: Mapping[tuple[str, str], Column]
) -> Iterator[str]:
    """Yield every change that could make the code of the previous release fail, as text."""
    for (table, name), old in before.items():
        new = after.get((table, name))
        if new is None:
            yield f"{table}.{name} was removed or renamed"
        elif new.type != old.type or (new.length or 0) < (old.length or 0):
            yield f"{table}.{name} has another type"
        elif old.is_nullable and not new.is_nullable:
            yield f"{table}.{name} no longer accepts NULL"
    tables = {table for table, _ in before}
    for table, name in after.keys() - before.keys():
        column = after[table, name]
        if table in tables and not (column.is_nullable or column.has_default):
            yield f"{table}.{name} has no default in the database"


def test_code_of_the_previous_release_works_after_new_migrations(
    postgresql_server: str, tmp_path: Path
) -> None:
    env = released.restored_postgresql(postgresql_server, tmp_path)
    before = database_columns(env["DATABASE_URL"])
    prepared.run_manage(env, "migrate", "--verbosity=0")
    assert list(faults_for_older_code(before, database_columns(env["DATABASE_URL"]))) == []


@pytest.mark.parametrize(
    ("after", "fault"),
    [
        ({}, "t.old was removed or renamed"),
        ({("t", "old"): Column("text", None, True, False)}, "t.old has another type"),
        ({("t", "old"): Column("varchar", 4, True, False)}, "t.old has another type"),
        ({("t", "old"): Column("varchar", 9, False, True)}, "t.old no longer accepts NULL"),
        (
            {
                ("t", "old"): Column("varchar", 9, True, False),
                ("t", "new"): Column("integer", None, False, False),
            },
            "t.new has no default in the database",
        ),
    ],
)
def test_change_that_breaks_older_code_is_detected(
    after: dict[tuple[str, str], Column], fault: str
) -> None:
    before = {("t", "old"): Column("varchar", 9, True, False)}
    assert list(faults_for_older_code(before, after)) == [fault]


@pytest.mark.nightly
def test_duels_continue_while_workers_of_two_releases_run(
    postgresql_server: str, tmp_path: Path
) -> None:
    """In each step, the workers play a turn of every running duel of release 0.1.0."""
    older = tmp_path / "older"
    released.unpack_code(older)
    with ExitStack() as stack:
        broker = stack.enter_context(services.redis())
        env = released.restored_postgresql(postgresql_server, tmp_path)
        env |= {"ALLOWED_HOSTS": "127.0.0.1", "REDIS_URL": broker}

        def start_worker(cwd: Path) -> Callable[[], None]:
            own = stack.enter_context(ExitStack())
            log = tmp_path / f"{cwd.name}.log"
            command = services.worker_command("turns,sweep")

            def is_ready() -> bool:
                return b" ready." in log.read_bytes()

            own.enter_context(
                services.running_server(command, log=log, env=env, ready=is_ready, cwd=cwd)
            )
            return own.close

        stop_older_worker = start_worker(older)
        play_turn(env, older)
        migrating = subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=services.ROOT, env=env
        )
        play_turn(env, older)
        assert migrating.wait(services.PATIENCE_SECONDS) == 0
        play_turn(env, older)
        start_worker(services.ROOT)
        play_turn(env, older)
        play_turn(env, services.ROOT)
        stop_older_worker()
        play_turn(env, services.ROOT)
        assert " 0 faults" in prepared.run_manage(env, "verify_all")


def play_turn(env: Mapping[str, str], release: Path) -> None:
    """Seal for all wizards with the code of this release, and wait until every turn is played."""
    before = newest_turn(env)
    command = [sys.executable, "manage.py", "shell", "-c", SEAL_SCRIPT]
    done = subprocess.run(
        command, cwd=release, env=env, check=False, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr
    give_up = time.monotonic() + services.PATIENCE_SECONDS
    while newest_turn(env) == before:
        assert time.monotonic() < give_up, f"turn {before} of a duel is not resolved"
        time.sleep(0.1)


def newest_turn(env: Mapping[str, str]) -> int:
    """Return the smallest number of turns among the running duels."""
    with psycopg.connect(env["DATABASE_URL"]) as connection:
        (number,) = connection.execute(NEWEST_TURN_QUERY).fetchone() or (0,)
    return int(number)
