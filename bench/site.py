"""The measured sites, with their own servers and production settings."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from tests import prepared, services

HOST = "testserver"  # the default host of Django's test client
LOCALHOST = "127.0.0.1"


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


def site_environment(
    folder: Path, server: str, name: str, *, template: str = "", **more: str
) -> dict[str, str]:
    """Return the environment of a site with a new database of this name.

    The database is a copy of the template, or empty. Without a server, it is an SQLite file.
    """
    if server:
        template = template or prepared.migrated_postgresql(server)
        database = f"bench_{os.getpid()}_{name}"
        more["DATABASE_URL"] = prepared.new_postgresql(server, database, template=template)
    else:
        prepared.migrated_sqlite(folder)
    return services.clean_environment(
        ALLOWED_HOSTS=f"{HOST},{LOCALHOST}",
        HTTPS="off",
        STATIC_ROOT=str(prepared.static_root()),
        VAR_DIR=str(folder),
        **services.TEST_KEYS,
        **more,
    )


def script_output(env: Mapping[str, str], module: str, *arguments: object) -> list[str]:
    """Run a script of the bench in this environment, and return the lines that it prints."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(
        command, cwd=services.ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.splitlines()


@contextmanager
def served_site(env: Mapping[str, str], *options: str) -> Iterator[int]:
    """Serve the site of this environment with gunicorn, and yield its port."""
    port = services.free_port()
    bind = f"--bind={LOCALHOST}:{port}"
    with services.running_server(
        [sys.executable, "-m", "gunicorn", "spellcaster.wsgi", bind, "--threads=4", *options],
        log=Path(env["VAR_DIR"]) / "site.log",
        env=env,
        ready=lambda: services.accepts_connections(port),
    ):
        yield port


@contextmanager
def mail_server(folder: Path) -> Iterator[str]:
    """Yield the address of a server that deletes every email, in a process that is not measured."""
    port = services.free_port()
    options = ["--nosetuid", "--class=aiosmtpd.handlers.Sink", f"--listen={LOCALHOST}:{port}"]
    with services.running_server(
        [sys.executable, "-m", "aiosmtpd", *options],
        log=folder / "mail.log",
        ready=lambda: services.accepts_connections(port),
    ):
        yield f"smtp://{LOCALHOST}:{port}"


@contextmanager
def measured_site(server: str) -> Iterator[MeasuredSite]:
    """Set up Django with an empty database and collected static files."""
    missing = services.missing_programs()
    with ExitStack() as stack:
        folder = stack.enter_context(services.temporary_folder())
        variables = {"EMAIL_URL": stack.enter_context(mail_server(folder))}
        if "Redis" not in missing:
            variables["REDIS_URL"] = stack.enter_context(services.redis())
        env = site_environment(folder, server, "pages", **variables)
        stack.enter_context(mock.patch.dict(os.environ, env, clear=True))
        import django

        django.setup()
        from django.db import connections

        stack.callback(connections.close_all)
        print(f"The pages are measured on {'PostgreSQL' if server else 'SQLite'}.", file=sys.stderr)
        yield MeasuredSite(env, bool(server) and "Redis" not in missing)
