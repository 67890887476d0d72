"""The Celery application, with the CELERY_ settings and the tasks of each app's `tasks.py`."""

import gc
import logging
import os
from typing import Any

from celery import Celery, Task, signals
from celery.platforms import EX_FAILURE
from celery.worker import state
from django.db import close_old_connections, connections
from kombu.transport import TRANSPORT_ALIASES

from spellcaster import counters, logs, startup

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")
TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), "spellcaster.broker:Transport"))


@signals.import_modules.connect  # connected before Celery's own receiver, which imports all modules
def pause_garbage_collection(**_: Any) -> None:
    """Save a seventh of the start-up time: loading modules creates hardly any garbage."""
    gc.disable()


def resume_garbage_collection() -> None:
    gc.freeze()  # the pool's processes then share the modules' objects
    gc.enable()


app = Celery("spellcaster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.celeryd_init.connect
def ignore_other_workers(instance: Any, **_: Any) -> None:
    """Do not ask other workers for their state, which takes a second. All state is in the database.

    This is the same as `--without-mingle --without-gossip`.
    """
    without = {"without_mingle": True, "without_gossip": True}
    instance.prepare_args = lambda **options: options | without


@signals.worker_init.connect
def check_worker(sender: Any, **_: Any) -> None:
    resume_garbage_collection()
    startup.check_process_or_exit(f"worker {sender.hostname}")


@signals.beat_init.connect
def check_beat(**_: Any) -> None:
    resume_garbage_collection()
    startup.check_process_or_exit("beat")


@signals.worker_ready.connect
def recheck_worker_hourly(sender: Any, **_: Any) -> None:
    sender.timer.call_repeatedly(startup.RECHECK_SECONDS, stop_unfit_worker)


def stop_unfit_worker() -> None:
    """Stop this worker after its current tasks if its clock or its keys are no longer right."""
    if not startup.can_process_still_act():
        state.should_stop = EX_FAILURE  # type: ignore[assignment]  # declared as None
    connections.close_all()  # the pool's processes are forked from this one


@signals.worker_ready.connect
def check_new_release(**_: Any) -> None:
    """Replay turns of the previous release when a worker of a new release starts (promise 13)."""
    from duels.commands import release_check
    from duels.loaded import database_clock  # once the apps are loaded

    release_check.held_rulesets(now=database_clock.database_now())
    close_old_connections()


@signals.setup_logging.connect
def configure_logs(loglevel: int, **_: Any) -> None:
    """Log as the web processes do. `--loglevel` applies to Celery's own lines."""
    logging.getLogger("celery").setLevel(loglevel)


@signals.task_prerun.connect
def refresh_connections_before_task(
    task: "Task[Any, Any]", args: tuple[object, ...] = (), **_: Any
) -> None:
    """Close old or broken connections before a task, as Django does before a request."""
    if not task.request.is_eager:  # an in-process task shares its caller's connection and ids
        close_old_connections()
        logs.set_task_ids(task, *args)


@signals.task_postrun.connect
def count_task(task: "Task[Any, Any]", state: str | None = None, **_: Any) -> None:
    counters.count_task(task.name, state or "unknown")
