"""Fixtures for every test. What is behind them: `tests/services.py`, `tests/sites.py`.

    db, client, ...     pytest-django's own. Tests run on SQLite (in a file, where threads can meet)
                        or, where DATABASE_URL says so, on PostgreSQL; tasks run in-process
    postgresql_server   address of a PostgreSQL server; the one of DATABASE_URL where it is set
    redis_server        address of a Redis server
    broker              this process's Celery sends to Redis instead of running tasks in-process
    celery_worker       a Celery worker on this test's database, `broker` and `mail_sink`; needs
                        PostgreSQL and `django_db(transaction=True)`; the file it logs to
    broken_broker       call it with a port: Celery sends there until the test is over
    mail_sink           an SMTP server that keeps what it is sent
    embedded_site, services_site
                        the whole site in processes of its own, a new one for each module

Mark a test that needs PostgreSQL, Redis or a worker with `services`. `make test` runs those on
PostgreSQL; elsewhere they skip, and with REQUIRE_SERVICES=1 they fail.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import services, sites
from tests.sites import Site


def pytest_configure(config: pytest.Config) -> None:
    """What differs in tests, wherever they run."""
    from django.conf import settings

    # Names of files as they are: a manifest would have to be collected first.
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    # Hashing a password well takes a tenth of a second, by design.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session", autouse=True)
def folders_of_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests read and write in a folder of their own."""
    from django.conf import settings

    folder = tmp_path_factory.mktemp("var")
    settings.MAILBOX_FOLDER = folder / "mail"
    settings.STATIC_ROOT = folder / "static"
    settings.STATIC_ROOT.mkdir()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_modify_db_settings_parallel_suffix: None,
) -> None:
    """SQLite's test database is a file: one in memory has no second connection to race with."""
    from django.db import connection

    if connection.vendor == "sqlite":
        folder = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(folder / "test.sqlite3")


@pytest.fixture(autouse=True)
def forget_rate_limits() -> Iterator[None]:
    """One test's attempts do not count against the next."""
    yield
    from django.core.cache import cache

    cache.clear()


# Services


def need(*names: str) -> None:
    """Skip, or fail where services are required, unless these programs are installed."""
    missing = services.missing_programs()
    lacking = [f"{name} (Debian package {missing[name]})" for name in names if name in missing]
    if not lacking:
        return
    reason = "not installed: " + ", ".join(lacking)
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        yield given
        return
    need("PostgreSQL")
    with services.postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    need("Redis")
    with services.redis() as url:
        yield url


def _empty(redis_server: str) -> None:
    import redis

    with redis.Redis.from_url(redis_server) as server:
        server.flushall()


@contextmanager
def _celery_as_it_was() -> Iterator[None]:
    from spellcaster.celery import app

    names = ("task_always_eager", "broker_url", "broker_transport_options")
    before = {name: app.conf[name] for name in names}
    try:
        yield
    finally:
        _configure_celery(before)


def _send_tasks_to(url: str) -> None:
    from django.conf import settings

    _configure_celery(
        {
            "task_always_eager": False,
            "broker_url": url,
            "broker_transport_options": settings.BROKER_PATIENCE,
        }
    )


def _configure_celery(values: dict[str, Any]) -> None:
    """Celery keeps connections to the broker it knew, so they go too."""
    import kombu.pools

    from spellcaster.celery import app

    app.conf.update(values)
    kombu.pools.reset()
    vars(app)["_pool"] = None
    vars(app.amqp)["_producer_pool"] = None


@pytest.fixture
def broken_broker() -> Iterator[Callable[[int], None]]:
    with _celery_as_it_was():
        yield lambda port: _send_tasks_to(f"redis://127.0.0.1:{port}/0")


@pytest.fixture
def broker(redis_server: str) -> Iterator[str]:
    _empty(redis_server)
    with _celery_as_it_was():
        _send_tasks_to(redis_server)
        yield redis_server


@pytest.fixture
def celery_worker(
    broker: str, transactional_db: None, mail_sink: services.MailSink
) -> Iterator[Path]:
    from django.conf import settings
    from django.db import connection

    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL as the test database: `make test` brings one")
    at = connection.settings_dict
    env = services.clean_environment(
        ALLOWED_HOSTS="127.0.0.1",
        DATABASE_URL=f"postgres://{at['USER']}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
        EMAIL_URL=mail_sink.url,
        HTTPS="off",
        REDIS_URL=broker,
        SECRET_KEY=settings.SECRET_KEY,
        SEAL_KEYS=",".join(settings.SEAL_KEYS),
        VAR_DIR=str(settings.VAR_DIR),
    )
    with services.celery_worker(env) as log:
        yield log


@pytest.fixture
def mail_sink() -> Iterator[services.MailSink]:
    with services.mail_sink() as sink:
        yield sink


@pytest.fixture(scope="module")
def embedded_site() -> Iterator[Site]:
    with sites.embedded_site() as site:
        yield site


@pytest.fixture(scope="module")
def services_site(postgresql_server: str, redis_server: str) -> Iterator[Site]:
    _empty(redis_server)
    with sites.services_site(postgresql_server, redis_server) as site:
        yield site
