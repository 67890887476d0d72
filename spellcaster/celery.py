"""The Celery application: its options are the CELERY_ settings, its tasks each app's `tasks.py`."""

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
def look_at_running_duels(**_: Any) -> None:
    """A worker of another release first plays again what the last one has played. Promise 13"""
    from duels import commands  # once the applications are there

    commands.held_rulesets(now=timezone.now())
    close_old_connections()


@signals.task_prerun.connect
def look_at_connections(task: "Task[Any, Any]", **_: Any) -> None:
    """A task begins as a request does: with a connection that is neither too old nor broken."""
    if not task.request.is_eager:  # in-process, it runs on somebody else's connection
        close_old_connections()
