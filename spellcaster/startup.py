"""Start-up checks of processes that can change data: web, worker, beat, mail listener, commands.

Such a process does not start if `check --deploy` reports errors in its settings, if its keys differ
from the rest of the site, or if its clock is wrong. Keys and clock are checked again every hour.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.core.checks import run_checks
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

logger = logging.getLogger(__name__)

RECHECK_SECONDS: Final = 60  # seconds between checks of whether the hour has passed
RETRY_PAUSE_SECONDS: Final = 5  # seconds between attempts to reach the database
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class RefusedToStart(Exception):
    """Error for a process that must not act. The message lists all reasons."""


def check_process(name: str, *, waits_for_database: bool = False) -> None:
    """Check this process. Raise `RefusedToStart` if it must not act.

    If the database does not respond, wait for it (`waits_for_database`) or check keys and clock
    later.
    """
    from duels.commands import process_check  # once the apps are loaded
    from spellcaster.processes import heartbeat

    errors = [each for each in run_checks(include_deployment_checks=True) if each.is_serious()]
    if faults := [str(each) for each in errors if not each.is_silenced()]:
        raise RefusedToStart("\n".join(faults))
    process_check.register_process(name)
    while True:
        try:
            process_check.check_process()
        except process_check.UnfitProcess as error:
            raise RefusedToStart(str(error)) from None
        except DatabaseError as error:
            logger.warning(
                "Cannot compare keys and clock with those of other processes yet: %s",
                type(error).__name__,
            )
            if waits_for_database:
                time.sleep(RETRY_PAUSE_SECONDS)
                continue
        finally:
            connections.close_all()  # forked processes must not share connections
        heartbeat.begin_heartbeats(name)
        return


def check_process_or_exit(name: str) -> None:
    """Check this process. If it must not act, notify the operators and end it.

    This process sends the email itself, because no other process may be able to start.
    """
    try:
        check_process(name, waits_for_database=True)
    except RefusedToStart as error:
        _send_startup_alarms()
        raise SystemExit(f"The {name} does not start: {error}") from None


def can_process_still_act() -> bool:
    """Return whether this process may still act. Repeat the check if an hour has passed.

    This also records once a minute that the process is running.
    """
    from duels.commands import process_check
    from spellcaster.processes import heartbeat

    heartbeat.record_heartbeat()
    try:
        process_check.recheck_process_hourly()
    except process_check.UnfitProcess as error:
        logger.critical("This process is stopping: %s", error)
        return False
    return True


def _send_startup_alarms() -> None:
    from duels.commands import alarms
    from duels.loaded import database_clock

    try:
        alarms.email_alarms(now=database_clock.database_now())
    except DatabaseError as error:
        logger.error("The operators could not be notified: %s", type(error).__name__)


class CheckedCommand(BaseCommand):
    """A command that changes duels or sends post, which starts only if the checks pass."""

    refusal_code = 1

    def check(self, *args: Any, **options: Any) -> None:
        name = self.__module__.rpartition(".")[2]
        try:
            check_process(name)
        except RefusedToStart as error:
            raise CommandError(str(error), returncode=self.refusal_code) from None


class ProcessCheckMiddleware:
    """Middleware that rejects changes while the clock or the keys of a web process are wrong."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        from spellcaster.processes import heartbeat  # once the apps are loaded

        self.get_response = get_response
        self.beat = heartbeat.record_heartbeat

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method in SAFE_METHODS:
            self.beat()
        elif not can_process_still_act():
            response: HttpResponse = render(request, "503.html", status=503)
            response["Retry-After"] = "60"
            return response
        return self.get_response(request)
