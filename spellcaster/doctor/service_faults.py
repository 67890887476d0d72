"""Checks of the settings, the database, the cache and the broker."""

from collections.abc import Callable, Iterator

from django.core.checks import run_checks

from spellcaster import health
from spellcaster.doctor.problems import Problem


def settings_faults() -> Iterator[Problem]:
    """Yield what `manage.py check --deploy` reports."""
    for message in run_checks(include_deployment_checks=True):
        if not message.is_silenced():
            yield Problem(f"{message.id}: {message.msg}", message.hint or "Change the setting.")


def database_fault() -> Iterator[Problem]:
    yield from _service_fault(
        health.check_database,
        "The database does not respond",
        "Start PostgreSQL, and compare DATABASE_URL with its address, user and password.",
    )


def pending_migrations() -> Iterator[Problem]:
    yield from _service_fault(
        health.check_migrations,
        "The database lacks migrations of this release",
        "Run `manage.py migrate`.",
    )


def cache_fault() -> Iterator[Problem]:
    yield from _service_fault(
        health.check_cache,
        "The cache does not respond",
        "Start Redis, and compare CACHE_URL with its address and password.",
    )


def broker_fault() -> Iterator[Problem]:
    yield from _service_fault(
        health.check_broker,
        "The broker does not respond, so workers get no tasks",
        "Start Redis, and compare REDIS_URL with its address and password.",
    )


def _service_fault(check: Callable[[], None], text: str, remedy: str) -> Iterator[Problem]:
    try:
        check()
    except Exception as error:  # client libraries raise many kinds of errors
        yield Problem(f"{text} ({type(error).__name__}).", remedy)
