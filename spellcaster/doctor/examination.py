"""The list of all checks, and the function that runs them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from duels.errors import error_summary
from spellcaster.doctor import (
    dns_faults,
    key_faults,
    mail_faults,
    process_faults,
    round_faults,
    server_faults,
    service_faults,
)
from spellcaster.doctor.problems import Problem


class Check(NamedTuple):
    """A check, and the name of the check that must pass before it can run, if any."""

    name: str
    find: Callable[[], Iterable[Problem]]
    needs: str = ""


class Finding(NamedTuple):
    """A problem and the name of the check that found it."""

    check: str
    problem: Problem

    def as_json(self) -> dict[str, Any]:
        return {"check": self.check, **self.problem._asdict()}


CHECKS: Final = (
    Check("settings", service_faults.settings_faults),
    Check("database", service_faults.database_fault),
    Check("migrations", service_faults.pending_migrations, needs="database"),
    Check("cache", service_faults.cache_fault),
    Check("broker", service_faults.broker_fault),
    Check("workers", process_faults.queues_without_worker, needs="broker"),
    Check("beat", process_faults.beat_faults, needs="migrations"),
    Check("releases", process_faults.old_releases, needs="migrations"),
    Check("clocks", process_faults.wrong_clocks, needs="migrations"),
    Check("sweep", round_faults.late_sweep, needs="migrations"),
    Check("outbox", round_faults.late_outbox, needs="migrations"),
    Check("webhooks", round_faults.failing_webhooks, needs="migrations"),
    Check("alarms", round_faults.open_alarms, needs="migrations"),
    Check("keys", key_faults.seal_key_faults, needs="migrations"),
    Check("push", key_faults.push_key_faults, needs="migrations"),
    Check("mail server", mail_faults.mail_server_fault),
    Check("rejected email", mail_faults.rejected_emails, needs="migrations"),
    Check("incoming email", mail_faults.missing_listener, needs="migrations"),
    Check("DNS", dns_faults.missing_records),
    Check("disk", server_faults.full_disks),
    Check("static files", server_faults.missing_static_files),
    Check("web server", server_faults.web_server_faults),
)


def examine(checks: Iterable[Check] = CHECKS) -> Iterator[Finding]:
    """Run these checks except those that depend on a failed one among them. Yield problems."""
    failed: set[str] = set()
    for check in checks:
        if check.needs in failed:
            failed.add(check.name)  # so that checks that need this one do not run
            continue
        try:
            problems = list(check.find())
        except Exception as error:  # client libraries raise many kinds of errors
            remedy = "Run all checks, solve any other problems first, and run this again."
            problems = [Problem(f"This could not be checked: {error_summary(error)}.", remedy)]
        for problem in problems:
            failed.add(check.name)
            yield Finding(check.name, problem)
