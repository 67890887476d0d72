"""Nudges: once a change is committed, a worker is told to look at a row."""

from typing import Any

from celery import Task
from django.db import transaction


def nudge_after_commit(task: "Task[Any, Any]", pk: int) -> None:
    """Send the task for this row once the transaction is committed.

    Robust: an absent broker does not turn saved rows into an error page; it is logged, and the
    sweep finds the row. (A `partial` would not do: Django's log line of a robust callback that
    fails wants a function's name, and fails itself without one.)
    """

    def send() -> None:
        task.delay(pk)

    transaction.on_commit(send, robust=True)
