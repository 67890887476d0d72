"""The whole site in processes of its own, seen from outside.

    embedded_site()                     as `make play` runs it, with nothing set
    services_site(postgresql, redis)    in production's way: gunicorn, PostgreSQL, Redis, a Celery
                                        worker, SMTP

Both are context managers that answer a `Site`.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import psycopg

from tests.services import (
    ROOT,
    TEST_KEYS,
    accepts,
    celery_worker,
    clean_environment,
    free_port,
    mail_sink,
    parsed,
    running,
    temporary_folder,
)


@dataclass(frozen=True)
class Site:
    """A running site."""

    url: str
    env: Mapping[str, str]
    mails: Callable[[], list[EmailMessage]]  # every mail sent so far, oldest first
    log: Path

    def manage(self, *arguments: str) -> str:
        """Runs manage.py in the site's environment: what it prints."""
        return manage(self.env, *arguments)


def manage(env: Mapping[str, str], *arguments: str) -> str:
    """What manage.py prints; RuntimeError with its complaint where it fails."""
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


@contextmanager
def embedded_site() -> Iterator[Site]:
    port = free_port()
    with temporary_folder() as folder:
        url = f"http://127.0.0.1:{port}"
        env = clean_environment(VAR_DIR=str(folder), SITE_URL=url)
        manage(env, "migrate", "--verbosity=0")
        log = folder / "site.log"
        with running(
            [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"],
            log=log,
            env=env,
            ready=lambda: accepts(port) and _answers(url),
            stop=signal.SIGINT,
        ):
            yield Site(url, env, lambda: _mails_in(folder / "mail"), log)


def _mails_in(folder: Path) -> list[EmailMessage]:
    return [parsed(file.read_bytes()) for file in sorted(folder.glob("*.eml"))]


@contextmanager
def services_site(postgresql_url: str, redis_url: str) -> Iterator[Site]:
    """Uses a new database on this server, and all of this Redis."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        sink = stack.enter_context(mail_sink())
        env = clean_environment(
            ALLOWED_HOSTS="127.0.0.1",
            DATABASE_URL=_new_database(postgresql_url, f"site_{port}"),
            EMAIL_URL=sink.url,
            HTTPS="off",
            REDIS_URL=redis_url,
            SITE_URL=url,
            STATIC_ROOT=str(folder / "static"),
            VAR_DIR=str(folder),
            **TEST_KEYS,
        )
        manage(env, "migrate", "--verbosity=0")
        manage(env, "collectstatic", "--no-input", "--verbosity=0")
        stack.enter_context(celery_worker(env))
        log = folder / "site.log"
        stack.enter_context(
            running(
                [
                    *(sys.executable, "-m", "gunicorn", "spellcaster.wsgi"),
                    *(f"--bind=127.0.0.1:{port}", "--workers=2", "--threads=4"),
                ],
                log=log,
                env=env,
                ready=lambda: accepts(port) and _answers(url),
            )
        )
        yield Site(url, env, lambda: list(sink.mails), log)


def _new_database(server_url: str, name: str) -> str:
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return server_url.rpartition("/")[0] + f"/{name}"


def _answers(url: str) -> bool:
    try:
        urlopen(url, timeout=20).close()
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
    return True
