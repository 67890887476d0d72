"""An upgrade of a running site, while processes of the last release still run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from tests import prepared, released

pytestmark = pytest.mark.services

COLUMNS = """
SELECT table_name, column_name, data_type, character_maximum_length, is_nullable = 'YES',
       column_default IS NOT NULL OR is_identity = 'YES'
FROM information_schema.columns WHERE table_schema = 'public'
"""


class Column(NamedTuple):
    type: str
    length: int | None
    is_nullable: bool
    has_default: bool


def columns(database_url: str) -> dict[tuple[str, str], Column]:
    """Return the columns of this database by table and name."""
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(COLUMNS).fetchall()
    return {(table, name): Column(*column) for table, name, *column in rows}


def faults_for_older_code(
    before: Mapping[tuple[str, str], Column], after: Mapping[tuple[str, str], Column]
) -> Iterator[str]:
    """Yield every change because of which the code of the last release could fail."""
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


def test_migrations_since_the_last_release_suit_its_code(
    postgresql_server: str, tmp_path: Path
) -> None:
    env = released.restored_postgresql(postgresql_server, tmp_path)
    before = columns(env["DATABASE_URL"])
    prepared.manage(env, "migrate", "--verbosity=0")
    assert list(faults_for_older_code(before, columns(env["DATABASE_URL"]))) == []


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
def test_change_that_breaks_older_code_is_found(
    after: dict[tuple[str, str], Column], fault: str
) -> None:
    before = {("t", "old"): Column("varchar", 9, True, False)}
    assert list(faults_for_older_code(before, after)) == [fault]
