"""The site that is measured: in this process, on servers of its own, as production runs it."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from tests import services

HOST = "testserver"  # as Django's test client calls it


@dataclass(frozen=True)
class MeasuredSite:
    """What there is to measure with."""

    env: dict[str, str]  # the environment in which its worker is one of this site
    static_root: Path
    has_worker: bool  # whether what a worker needs is installed


@contextmanager
def measured_site() -> Iterator[MeasuredSite]:
    """Django is set up, the database is there and empty, static files are collected."""
    missing = services.missing_programs()
    missing.pop("Chromium", None)  # no figure needs it
    with ExitStack() as stack:
        folder = stack.enter_context(services.temporary_folder())
        variables = {
            "ALLOWED_HOSTS": f"{HOST},127.0.0.1",
            "EMAIL_URL": stack.enter_context(services.mail_sink()).url,
            "HTTPS": "off",
            "STATIC_ROOT": str(folder / "static"),
            "VAR_DIR": str(folder),
            **services.TEST_KEYS,
        }
        if "PostgreSQL" not in missing:
            variables["DATABASE_URL"] = stack.enter_context(services.postgresql())
        if "Redis" not in missing:
            variables["REDIS_URL"] = stack.enter_context(services.redis())
        env = services.clean_environment(**variables)
        stack.enter_context(mock.patch.dict(os.environ, env, clear=True))
        stack.callback(_hang_up)
        _set_up()
        _tell(missing)
        yield MeasuredSite(env, folder / "static", not missing)


def _set_up() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def _hang_up() -> None:
    from django.db import connections

    connections.close_all()


def _tell(missing: dict[str, str]) -> None:
    database = "SQLite" if "PostgreSQL" in missing else "PostgreSQL"
    print(f"The pages are measured on {database}.", file=sys.stderr)
    for name, package in missing.items():
        print(
            f"{name} is not installed; the Debian package {package} brings it. "
            "seal_to_resolved_ms, noop_task_and_commit_ms and turns_with_silent_mail_server_ratio "
            "are not measured without it.",
            file=sys.stderr,
        )
