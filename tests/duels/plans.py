"""By which index a statement finds its rows, for tests that ask the database for its plan."""

from django.db import connection


def empty_files() -> None:
    """The tables of duels are empty, on PostgreSQL also as files.

    Rows of tests that came before lie in them still, rolled back, and let an index of many pages
    look dear that has no row.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE duels_duel CASCADE")


def count_rows() -> None:
    """PostgreSQL knows how many rows there are, and what is in them."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def avoid(*ways: str) -> None:
    """PostgreSQL takes none of these ways ("seqscan", "sort" …) where it has another, until the
    test ends. SQLite needs none of it."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ways:
                cursor.execute(f"SET LOCAL enable_{way} = off")


def plan_of(statement: str) -> str:
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {statement}")
        return "\n".join(str(row) for row in cursor.fetchall())
