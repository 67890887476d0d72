"""Fixtures for every test. What is behind them: `tests/services.py`, `tests/sites.py`.

    db, client, ...     pytest-django's own. Tests run on the PostgreSQL server of DATABASE_URL,
                        otherwise on SQLite (in a file, where threads can meet); tasks run
                        in-process
    postgresql_server   address of a PostgreSQL server; the one of DATABASE_URL or POSTGRESQL_SERVER
                        where it is set
    redis_server        address of a Redis server
    broker              this process's Celery sends to Redis instead of running tasks in-process
    celery_workers      a Celery worker for each queue, on this test's database, `broker` and
                        `mail_sink`; needs PostgreSQL and `django_db(transaction=True)`; the file
                        they log to
    start_workers       call it with EMAIL_URL, and other variables, for workers of one's own
    start_beat          the same for Celery beat
    timeouts            of each connection that this process tries, in seconds
    broken_broker       call it with a port: Celery sends there until the test is over
    mail_sink           an SMTP server that keeps what it is sent
    embedded_site, services_site
                        the whole site in processes of its own; one for all tests of this process,
                        so a test makes the people and duels that it looks at

`make test` runs all tests on PostgreSQL, and those marked `sqlite` on SQLite as well. Mark a test
that needs PostgreSQL, Redis or a worker with `services`; without their programs it is skipped, and
with REQUIRE_SERVICES=1 it fails.
"""

import gc
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import prepared, services, sites
from tests.sites import Site


def pytest_configure(config: pytest.Config) -> None:
    """What differs in tests, wherever they run."""
    from django.conf import settings

    stack = ExitStack()
    stack.enter_context(prepared.shared_folder())
    config.add_cleanup(stack.close)

    # Names of files as they are: a manifest would have to be collected first.
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    _let_acts_go_between_tests()
    # Hashing a password well takes a tenth of a second, by design.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking at what stays to the end: modules and tests."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seeds that tests have recorded: with them a run is repeated."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name.endswith("_SEED"):
                terminalreporter.write_line(f"{report.nodeid}: {name}={value}")


def _let_acts_go_between_tests() -> None:
    """SQLite empties a table by deleting its rows, which the log of acts refuses; PostgreSQL
    truncates it."""
    from django.db.backends.sqlite3.base import DatabaseWrapper

    flush = DatabaseWrapper.ops_class.execute_sql_flush

    def flush_all(operations: Any, sql_list: Any) -> None:
        with operations.connection.cursor() as cursor:
            triggers = (
                "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
            )
            cursor.execute(triggers, ["duels_act"])
            kept = cursor.fetchall()
        drops = [f"DROP TRIGGER {name}" for name, _ in kept]
        flush(operations, [*drops, *sql_list, *(sql for _, sql in kept)])

    setattr(DatabaseWrapper.ops_class, "execute_sql_flush", flush_all)  # noqa: B010


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
    """The test database begins as a copy of one that is migrated.

    SQLite's is a file: one in memory has no second connection to race with.
    """
    from django.db import connection

    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        test["NAME"] = str(prepared.migrated_sqlite(tmp_path_factory.mktemp("database")))
    else:
        test["TEMPLATE"] = prepared.migrated_postgresql(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Django would remove the copy of SQLite's file before it begins."""
    from django.db import connection

    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(autouse=True)
def forget_rate_limits() -> Iterator[None]:
    """One test's attempts do not count against the next."""
    yield
    from django.core.cache import caches

    for cache in caches.all(initialized_only=True):
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
    given = os.environ.get("DATABASE_URL") or os.environ.get("POSTGRESQL_SERVER", "")
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


def _cache_of_workers(redis_server: str) -> str:
    """Of the server of tests a database that is nobody's broker, nor the cache of a site."""
    return redis_server.removesuffix("/0") + "/3"


def _empty(redis_server: str) -> None:
    """No messages are left, nor what workers have cached: which mail server is silent."""
    import redis

    for url in (redis_server, _cache_of_workers(redis_server)):
        with redis.Redis.from_url(url) as server:
            server.flushdb()


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
def timeouts(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """The seconds after which each connection that is tried is given up."""
    tried: list[float | None] = []
    connect = socket.socket.connect

    def counted(self: socket.socket, address: Any) -> None:
        tried.append(self.gettimeout())
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", counted)
    return tried


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
def worker_environment(broker: str, transactional_db: None) -> Callable[..., dict[str, str]]:
    from django.conf import settings
    from django.db import connection

    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL as the test database: `make test` brings one")
    at = connection.settings_dict

    def environment(email_url: str, **variables: str) -> dict[str, str]:
        given = {
            "ALLOWED_HOSTS": "127.0.0.1",
            "DATABASE_URL": f"postgres://{at['USER']}@{at['HOST']}:{at['PORT']}/{at['NAME']}",
            "EMAIL_URL": email_url,
            "HTTPS": "off",
            "REDIS_URL": broker,
            "CACHE_URL": _cache_of_workers(broker),
            "SECRET_KEY": settings.SECRET_KEY,
            "SEAL_KEYS": ",".join(settings.SEAL_KEYS),
            "VAR_DIR": str(settings.VAR_DIR),
        }
        return services.clean_environment(**given | variables)

    return environment


@pytest.fixture
def start_workers(
    worker_environment: Callable[..., dict[str, str]],
) -> Iterator[Callable[..., Path]]:
    with ExitStack() as stack:

        def start(email_url: str, **variables: str) -> Path:
            env = worker_environment(email_url, **variables)
            return stack.enter_context(services.celery_workers(env))

        yield start


@pytest.fixture
def start_beat(worker_environment: Callable[..., dict[str, str]]) -> Iterator[Callable[..., Path]]:
    with ExitStack() as stack:

        def start(email_url: str, **variables: str) -> Path:
            env = worker_environment(email_url, **variables)
            return stack.enter_context(services.celery_beat(env))

        yield start


@pytest.fixture
def celery_workers(start_workers: Callable[..., Path], mail_sink: services.MailSink) -> Path:
    return start_workers(mail_sink.url)


@pytest.fixture
def mail_sink() -> Iterator[services.MailSink]:
    with services.mail_sink() as sink:
        yield sink


@pytest.fixture(scope="session")
def embedded_site() -> Iterator[Site]:
    with sites.embedded_site() as site:
        yield site


@pytest.fixture(scope="session")
def services_site(postgresql_server: str, redis_server: str) -> Iterator[Site]:
    # Of Redis the other database than `broker`: neither takes the other's messages.
    redis = redis_server.removesuffix("/0") + "/1"
    with sites.services_site(postgresql_server, redis) as site:
        yield site
