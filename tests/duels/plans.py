"""Query plans, for tests that check which index a query uses."""

from django.db import connection


def empty_table_files(table: str = "duels_duel") -> None:
    """Empty this table and those that refer to it; on PostgreSQL, empty their files too.

    The files still contain rows that earlier tests have rolled back, which make an index look
    expensive even if it has no rows.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"TRUNCATE {table} CASCADE")


def update_statistics() -> None:
    """Update PostgreSQL's statistics about the rows of every table."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def avoid(*ways: str) -> None:
    """Make PostgreSQL avoid these steps in query plans ("seqscan", "sort" …) until the test ends.

    On SQLite this does nothing, because it is not needed.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for way in ways:
                cursor.execute(f"SET LOCAL enable_{way} = off")


def plan_of(statement: str) -> str:
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        cursor.execute(f"{explain} {statement}")
        return "\n".join(str(row) for row in cursor.fetchall())
