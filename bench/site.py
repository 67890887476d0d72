"""The measured site, which runs in this process with its own servers and production settings."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from unittest import mock

from tests import prepared, services

HOST = "testserver"  # the default host of Django's test client


@dataclass(frozen=True)
class MeasuredSite:
    """The environment variables of the site and its workers, and whether workers can run here."""

    env: dict[str, str]
    has_worker: bool


@contextmanager
def database_server() -> Iterator[str]:
    """Yield the address of a PostgreSQL server for the databases, or "" if it is not installed.

    If POSTGRESQL_SERVER is not set, start a server.
    """
    if "PostgreSQL" in services.missing_programs():
        yield ""
    elif given := os.environ.get("POSTGRESQL_SERVER"):
        yield given
    else:
        with services.postgresql() as server:
            yield server


def new_database(server: str, name: str, *, template: str = "") -> str:
    """Create a copy of the template or a migrated, empty database, and return its address."""
    template = template or prepared.migrated_postgresql(server)
    return prepared.new_postgresql(server, f"bench_{os.getpid()}_{name}", template=template)


@contextmanager
def measured_site(server: str) -> Iterator[MeasuredSite]:
    """Set up Django with an empty database and collected static files."""
    missing = services.missing_programs()
    with ExitStack() as stack:
        folder = stack.enter_context(services.temporary_folder())
        variables = {
            "ALLOWED_HOSTS": f"{HOST},127.0.0.1",
            "EMAIL_URL": stack.enter_context(services.mail_sink()).url,
            "HTTPS": "off",
            "STATIC_ROOT": str(prepared.static_root()),
            "VAR_DIR": str(folder),
            **services.TEST_KEYS,
        }
        if server:
            variables["DATABASE_URL"] = new_database(server, "pages")
        else:
            prepared.migrated_sqlite(folder)
        if "Redis" not in missing:
            variables["REDIS_URL"] = stack.enter_context(services.redis())
        env = services.clean_environment(**variables)
        stack.enter_context(mock.patch.dict(os.environ, env, clear=True))
        stack.callback(_close_connections)
        _set_up()
        print(f"The pages are measured on {'PostgreSQL' if server else 'SQLite'}.", file=sys.stderr)
        yield MeasuredSite(env, bool(server) and "Redis" not in missing)


def _set_up() -> None:
    import django

    django.setup()


def _close_connections() -> None:
    from django.db import connections

    connections.close_all()
