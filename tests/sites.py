"""The whole site in separate processes, for tests that use it from outside.

    embedded_site()                     as `make play` runs it, but with static files collected
    services_site(postgresql, redis)    as in production: gunicorn, PostgreSQL, Redis, a
                                        Celery worker for each queue, SMTP

Both are context managers that yield a `Site`. A third one, `mail_listener(site)`, starts the site's
LMTP server, which accepts orders by email, and yields its port.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import ParamSpec, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests import prepared
from tests.inside import SiteProcess
from tests.services import (
    TEST_KEYS,
    VAPID_SETTINGS,
    accepts_connections,
    celery_workers,
    clean_environment,
    free_port,
    mail_sink,
    parse_email,
    running_server,
    temporary_folder,
)

SETTINGS_MODULE = "tests.site_settings"
REPLY_DOMAIN = "replies.example"
METRICS_TOKEN = "for-tests-only"
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """A running site."""

    url: str
    inside: SiteProcess
    mails: Callable[[], list[EmailMessage]]  # all emails sent so far, oldest first
    log: Path

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function with the site's settings and database, and return its result."""
        return self.inside.call(function, *args, **kwargs)


@contextmanager
def mail_listener(site: Site) -> Iterator[int]:
    """Start the site's LMTP listener, and yield its port."""
    port = free_port()
    command = [sys.executable, "manage.py", "listen_for_mail", f"--port={port}"]
    with (
        temporary_folder() as folder,
        running_server(
            command,
            log=folder / "log",
            env=site.inside.env,
            ready=lambda: accepts_connections(port),
        ),
    ):
        yield port


@contextmanager
def embedded_site(*, is_collected: bool = True) -> Iterator[Site]:
    """Run a site. If `is_collected`, it serves static files as in production."""
    port = free_port()
    with temporary_folder() as folder:
        url = f"http://127.0.0.1:{port}"
        env = clean_environment(
            DJANGO_SETTINGS_MODULE=SETTINGS_MODULE,
            REPLY_DOMAIN=REPLY_DOMAIN,
            SITE_URL=url,
            VAR_DIR=str(folder),
            **({"STATIC_ROOT": str(prepared.static_root())} if is_collected else {}),
            **VAPID_SETTINGS,
        )
        prepared.migrated_sqlite(folder)
        log = folder / "site.log"
        with (
            running_server(
                [sys.executable, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"],
                log=log,
                env=env,
                ready=lambda: accepts_connections(port) and _responds(url),
            ),
            closing(SiteProcess(env)) as inside,
        ):
            yield Site(url, inside, lambda: _emails_in(folder / "mail"), log)


def _emails_in(folder: Path) -> list[EmailMessage]:
    return [parse_email(file.read_bytes()) for file in sorted(folder.glob("*.eml"))]


@contextmanager
def services_site(postgresql_url: str, redis_url: str) -> Iterator[Site]:
    """Run a site with a new database on this server. No one else may use this Redis database."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        sink = stack.enter_context(mail_sink())
        template = prepared.migrated_postgresql(postgresql_url)
        env = clean_environment(
            ALLOWED_HOSTS="127.0.0.1",
            DATABASE_URL=prepared.new_postgresql(postgresql_url, f"site_{port}", template=template),
            DJANGO_SETTINGS_MODULE=SETTINGS_MODULE,
            EMAIL_URL=sink.url,
            HTTPS="off",
            METRICS_TOKEN=METRICS_TOKEN,
            REDIS_URL=redis_url,
            REPLY_DOMAIN=REPLY_DOMAIN,
            SITE_URL=url,
            STATIC_ROOT=str(prepared.static_root()),
            VAR_DIR=str(folder),
            **TEST_KEYS,
            **VAPID_SETTINGS,
        )
        stack.enter_context(celery_workers(env))
        log = folder / "site.log"
        stack.enter_context(
            running_server(
                [
                    sys.executable,
                    "-m",
                    "gunicorn",
                    f"--bind=127.0.0.1:{port}",
                ],
                log=log,
                env=env,
                ready=lambda: accepts_connections(port) and _responds(url),
            )
        )
        inside = stack.enter_context(closing(SiteProcess(env)))
        yield Site(url, inside, lambda: list(sink.mails), log)


def _responds(url: str) -> bool:
    try:
        urlopen(url, timeout=20).close()
    except HTTPError:
        return True
    except (URLError, OSError):
        return False
    return True
