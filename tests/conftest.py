"""Fixtures for every test. The fixtures use `tests/services.py` and `tests/sites.py`.

    db, client, ...     from pytest-django. Tests run on the PostgreSQL server of DATABASE_URL,
                        otherwise on SQLite (in a file, which threads can share); tasks run
                        in-process
    postgresql_server   address of a PostgreSQL server; from DATABASE_URL or POSTGRESQL_SERVER, if
                        one is set
    redis_server        address of a Redis server
    broker              this process's Celery sends to Redis instead of running tasks in-process
    celery_workers      a Celery worker for each queue, with this test's database, a broker, and a
                        mail server that accepts everything; needs PostgreSQL and
                        `django_db(transaction=True)`; all tests of this process share them; the
                        value is their log file
    start_workers       call it with EMAIL_URL and other variables to start workers for this test
    start_beat          the same for Celery beat
    connection_timeouts
                        the timeout in seconds of each connection that this process tries to open
    broken_broker       call it with a port, and Celery sends tasks there until the test ends
    mail_sink           an SMTP server that stores the emails it receives
    embedded_site, services_site
                        the whole site in separate processes, shared by all tests of this process;
                        each test creates the people and duels that it needs

`make test` runs all tests on PostgreSQL, and those marked `sqlite` on SQLite as well. Mark a test
that needs PostgreSQL, Redis or a worker with `services`. If their programs are not installed, the
test is skipped, or fails with REQUIRE_SERVICES=1.
"""

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests import daily, garbage, prepared, services, sites
from tests.sites import Site


def pytest_configure(config: pytest.Config) -> None:
    """Set up what all tests need, on every database."""
    from django.conf import settings

    garbage.pause()

    stack = ExitStack()
    stack.enter_context(prepared.shared_folder())
    config.add_cleanup(stack.close)

    # use plain file names: with a manifest, the static files would have to be collected first
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    _delete_rows_after_tests()
    # hash passwords fast, because secure hashing takes a tenth of a second by design
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_finish() -> None:
    garbage.resume_rarely()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seeds that tests have recorded, with which the run can be repeated."""
    terminalreporter.write_line(f"{daily.SEED_VARIABLE}={daily.SEED}")
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name.endswith("_SEED"):
                terminalreporter.write_line(f"{report.nodeid}: {name}={value}")


def _delete_rows_after_tests() -> None:
    """Make tests that commit delete the rows of all tables instead of truncating them.

    Truncating tables and creating all permissions again would take a tenth of a second. The
    triggers that protect the log of acts are disabled while rows are deleted.
    """
    from django.db import connection
    from django.test import TransactionTestCase

    def delete_rows(test: TransactionTestCase) -> None:
        names = connection.introspection.django_table_names(True, include_views=False)
        tables = sorted(set(names) - {"django_content_type", "auth_permission"})
        deletions = [f'DELETE FROM "{table}"' for table in tables]
        if connection.vendor == "postgresql":
            # wait for threads that still write, as TRUNCATE does
            lock = "LOCK TABLE " + ", ".join(f'"{table}"' for table in tables)
            turn_off = "SET LOCAL session_replication_role = replica"
            statements = [lock, turn_off, "; ".join(deletions)]
        else:
            triggers = _act_log_triggers()
            drops = [f"DROP TRIGGER {name}" for name in triggers]
            statements = [*drops, *deletions, *triggers.values()]
        connection.ops.execute_sql_flush(statements)

    setattr(TransactionTestCase, "_fixture_teardown", delete_rows)  # noqa: B010


def _act_log_triggers() -> dict[str, str]:
    """Return the SQL that creates the triggers of the log of acts on SQLite, by trigger name."""
    from django.db import connection

    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
    with connection.cursor() as cursor:
        cursor.execute(query, ["duels_act"])
        return dict(cursor.fetchall())


@pytest.fixture(scope="session", autouse=True)
def isolated_folders(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give tests their own folders for emails and static files."""
    from django.conf import settings

    folder = tmp_path_factory.mktemp("var")
    settings.MAILBOX_FOLDER = folder / "mail"
    settings.STATIC_ROOT = folder / "static"
    settings.STATIC_ROOT.mkdir()


@pytest.fixture(scope="session", autouse=True)
def record_only_whole_templates(django_test_environment: None) -> None:
    """Let Django record the context of each page, but not of its included templates.

    Recording them as well would copy the context for every attribute of every form field.
    """
    from django.template.base import Template
    from django.template.context import Context
    from django.test.signals import template_rendered

    def render(self: Template, context: Context) -> str:
        if context.template is self:
            template_rendered.send(sender=self, template=self, context=context)
        return self.nodelist.render(context)

    setattr(Template, "_render", render)  # noqa: B010  # Django restores it after all tests


@pytest.fixture(scope="session", autouse=True)
def fast_client_sign_in(django_test_environment: None) -> None:
    from django.test import Client

    from tests import fast_sign_in

    setattr(Client, "force_login", fast_sign_in.force_login)  # noqa: B010


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_modify_db_settings_parallel_suffix: None,
) -> None:
    """Create the test database as a copy of a migrated one.

    On SQLite it is a file, because only one connection can use a database in memory.
    """
    from django.db import connection

    test = connection.settings_dict["TEST"]
    if connection.vendor == "sqlite":
        test["NAME"] = str(prepared.migrated_sqlite(tmp_path_factory.mktemp("database")))
    else:
        test["TEMPLATE"] = prepared.migrated_postgresql(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Return True on SQLite, because Django would otherwise delete the copied file."""
    from django.db import connection

    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(autouse=True)
def reset_rate_limits_and_clocks() -> Iterator[None]:
    """Clear the caches, and forget their failures and the measured difference between clocks.

    Otherwise they, and rate limits, could affect the next test.
    """
    yield
    from django.core.cache import caches

    if clock := sys.modules.get("duels.loaded.database_clock"):
        vars(clock)["_difference"] = timedelta(0)
    if poll_cache := sys.modules.get("duels.caching.poll_cache"):
        vars(poll_cache)["_CacheBackoff"].until = 0.0
    for cache in caches.all(initialized_only=True):
        cache.clear()


# Services


def require_programs(*names: str) -> None:
    """Skip the test if a program is not installed, or fail with REQUIRE_SERVICES=1."""
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
    require_programs("PostgreSQL")
    with services.postgresql() as url:
        yield url


@pytest.fixture(scope="session")
def redis_server() -> Iterator[str]:
    require_programs("Redis")
    with services.redis() as url:
        yield url


def _worker_cache_url(redis_server: str) -> str:
    """Return the address of a Redis database that is not used by any broker or site's cache."""
    return redis_server.removesuffix("/0") + "/3"


def _shared_broker_url(redis_server: str) -> str:
    """Return the address of a Redis database for the messages of the shared workers only."""
    return redis_server.removesuffix("/0") + "/4"


def _clear_broker_and_cache(broker: str, redis_server: str) -> None:
    """Delete messages and the cache of workers, which stores silent mail servers."""
    import redis

    for url in (broker, _worker_cache_url(redis_server)):
        with redis.Redis.from_url(url) as server:
            server.flushdb()


@contextmanager
def _restored_celery_configuration() -> Iterator[None]:
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
            "broker_transport_options": settings.BROKER_TIMEOUTS,
        }
    )


def _configure_celery(values: dict[str, Any]) -> None:
    """Configure Celery, and close its connections to the previous broker."""
    import kombu.pools

    from spellcaster.celery import app

    app.conf.update(values)
    kombu.pools.reset()
    vars(app)["_pool"] = None
    vars(app.amqp)["_producer_pool"] = None


@pytest.fixture
def connection_timeouts(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """Collect the timeouts, in seconds, of all connections that this process tries to open."""
    tried: list[float | None] = []
    connect = socket.socket.connect

    def connect_and_record(self: socket.socket, address: Any) -> None:
        tried.append(self.gettimeout())
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect_and_record)
    return tried


@pytest.fixture
def broken_broker() -> Iterator[Callable[[int], None]]:
    with _restored_celery_configuration():
        yield lambda port: _send_tasks_to(f"redis://127.0.0.1:{port}/0")


@pytest.fixture
def broker(redis_server: str) -> Iterator[str]:
    _clear_broker_and_cache(redis_server, redis_server)
    with _restored_celery_configuration():
        _send_tasks_to(redis_server)
        yield redis_server


@pytest.fixture(scope="session")
def worker_environment(redis_server: str, django_db_setup: None) -> Callable[..., dict[str, str]]:
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
            "REDIS_URL": redis_server,
            "CACHE_URL": _worker_cache_url(redis_server),
            "SECRET_KEY": settings.SECRET_KEY,
            "SEAL_KEYS": ",".join(settings.SEAL_KEYS),
            "VAR_DIR": str(settings.VAR_DIR),
        }
        return services.clean_environment(**given | variables)

    return environment


@pytest.fixture
def start_workers(
    broker: str, transactional_db: None, worker_environment: Callable[..., dict[str, str]]
) -> Iterator[Callable[..., Path]]:
    with ExitStack() as stack:

        def start(email_url: str, **variables: str) -> Path:
            env = worker_environment(email_url, **variables)
            return stack.enter_context(services.celery_workers(env))

        yield start


@pytest.fixture
def start_beat(
    broker: str, transactional_db: None, worker_environment: Callable[..., dict[str, str]]
) -> Iterator[Callable[..., Path]]:
    with ExitStack() as stack:

        def start(email_url: str, **variables: str) -> Path:
            env = worker_environment(email_url, **variables)
            return stack.enter_context(services.celery_beat(env))

        yield start


@pytest.fixture(scope="session")
def _shared_workers(
    redis_server: str, worker_environment: Callable[..., dict[str, str]]
) -> Iterator[Path]:
    with (
        services.mail_sink() as sink,
        services.celery_workers(
            worker_environment(sink.url, REDIS_URL=_shared_broker_url(redis_server))
        ) as log,
    ):
        yield log


@pytest.fixture
def celery_workers(
    redis_server: str, transactional_db: None, _shared_workers: Path
) -> Iterator[Path]:
    _clear_broker_and_cache(_shared_broker_url(redis_server), redis_server)
    with _restored_celery_configuration():
        _send_tasks_to(_shared_broker_url(redis_server))
        yield _shared_workers


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
    # do not use the database of `broker`, so that neither process receives the other's messages
    redis = redis_server.removesuffix("/0") + "/1"
    with sites.services_site(postgresql_server, redis) as site:
        yield site
