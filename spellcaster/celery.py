"""The Celery application. Its options are the CELERY_ settings, its tasks each app's `tasks.py`."""

import os
from typing import Any

from celery import Celery, Task, signals
from django.db import close_old_connections
from django.utils import timezone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")

app = Celery("spellcaster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@signals.worker_ready.connect
def check_new_release(**_: Any) -> None:
    """Let a worker of a new release replay turns of the previous release first (promise 13)."""
    from duels import commands  # once the apps are loaded

    commands.held_rulesets(now=timezone.now())
    close_old_connections()


@signals.task_prerun.connect
def close_stale_connections(task: "Task[Any, Any]", **_: Any) -> None:
    """Close old or broken connections before a task, as Django does before a request."""
    if not task.request.is_eager:  # an in-process task shares its caller's connection
        close_old_connections()
