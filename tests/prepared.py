"""Slow preparations that all tests of a run share: done once and then copied.

    migrated_sqlite(folder)       copies a migrated, empty database into a site's VAR_DIR
    migrated_postgresql(server)   the name of a TEMPLATE database on this server
    static_root()                 the folder of the collected static files
    bench_output(server)          the output of all parts of the bench at their smallest size

The results are stored in the folder in the variable PREPARED. `tests/run.py` and
`tests/conftest.py` set it, so that the processes of one run share the folder. Without it, each
process has its own folder.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from tests.services import ROOT, TEST_KEYS, clean_environment

FOLDER_VARIABLE = "PREPARED"
SQLITE_FILE = "spellcaster.sqlite3"
TEMPLATE_DATABASE = "migrated"


@contextmanager
def shared_folder() -> Iterator[None]:
    """Share one folder between this process and those that it starts inside the block."""
    if FOLDER_VARIABLE in os.environ:
        yield
        return
    with TemporaryDirectory(prefix="spellcaster-prepared-") as folder:
        os.environ[FOLDER_VARIABLE] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER_VARIABLE]


def migrated_sqlite(folder: Path) -> Path:
    with _prepared_folder("sqlite") as prepared:
        if not (prepared / SQLITE_FILE).exists():
            with TemporaryDirectory(dir=prepared) as var:
                run_manage(clean_environment(VAR_DIR=var), "migrate", "--verbosity=0")
                (Path(var) / SQLITE_FILE).rename(prepared / SQLITE_FILE)
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(prepared / SQLITE_FILE, folder / SQLITE_FILE))


def migrated_postgresql(server_url: str) -> str:
    server = hashlib.sha256(server_url.rpartition("/")[0].encode()).hexdigest()[:16]
    with _prepared_folder(f"postgresql-{server}") as prepared:
        if not (prepared / "done").exists():
            url = new_postgresql(server_url, TEMPLATE_DATABASE)
            with TemporaryDirectory(dir=prepared) as var:
                run_manage(
                    _production_environment(var, DATABASE_URL=url), "migrate", "--verbosity=0"
                )
            (prepared / "done").touch()
    return TEMPLATE_DATABASE


def new_postgresql(server_url: str, name: str, *, template: str = "template1") -> str:
    """Create a database on this server, and return its address."""
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
    return server_url.rpartition("/")[0] + f"/{name}"


def static_root() -> Path:
    with _prepared_folder("static") as prepared:
        if not (prepared / "done").exists():
            with TemporaryDirectory(dir=prepared) as var:
                env = _production_environment(
                    var, ALLOWED_HOSTS="127.0.0.1", STATIC_ROOT=str(prepared)
                )
                run_manage(env, "collectstatic", "--no-input", "--verbosity=0")
            (prepared / "done").touch()
    return prepared


def bench_output(server_url: str) -> str:
    with _prepared_folder("bench") as prepared:
        printed = prepared / "printed"
        if not printed.exists():
            env = clean_environment(POSTGRESQL_SERVER=server_url)
            printed.write_text(module_output("bench", "smallest", env=env))
    return printed.read_text()


def module_output(*command: str, env: Mapping[str, str]) -> str:
    """Return the output of running a module with these arguments.

    It includes the description of a failure, so that a stored failure is not tried again.
    """
    run = [sys.executable, "-m", *command]
    done = subprocess.run(run, cwd=ROOT, env=env, check=False, capture_output=True, text=True)
    if not done.returncode:
        return done.stdout
    return f"{done.stdout}{' '.join(run)} failed:\n{done.stderr}"


def _production_environment(var: str, **variables: str) -> dict[str, str]:
    """Return the environment of a site with `DEBUG` off that does not send emails."""
    nowhere = "smtp://127.0.0.1:9"
    return clean_environment(EMAIL_URL=nowhere, HTTPS="off", VAR_DIR=var, **TEST_KEYS, **variables)


@contextmanager
def _prepared_folder(name: str) -> Iterator[Path]:
    """Yield the folder with the result of a preparation.

    If several processes need the result, one prepares it and the others wait.
    """
    folder = _preparations_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder


def _preparations_folder() -> Path:
    return Path(os.environ.get(FOLDER_VARIABLE) or _temporary_folder().name)


@cache
def _temporary_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="spellcaster-prepared-")


def run_manage(env: Mapping[str, str], *arguments: str) -> str:
    """Return the output of manage.py. If it fails, raise RuntimeError with its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=env,
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
