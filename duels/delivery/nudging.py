"""Nudges, which ask a worker to process a row as soon as a change to it has been committed.

Tasks are sent by name, so that commands do not import tasks, which import commands.
"""

from collections.abc import Sequence
from enum import StrEnum

from celery import current_app
from django.db import transaction


class TaskName(StrEnum):
    """The names of the tasks that commands send to workers."""

    RESOLVE_TURN = "duels.tasks.resolve_turn"
    PRACTISE = "duels.tasks.practise"
    CLOSE_ACCOUNT = "duels.tasks.close_account"
    DELIVER_NOTICE = "duels.post.tasks.deliver_notice"
    DELIVER_NOTICES = "duels.post.tasks.deliver_notices"
    PAIR_WIZARDS = "duels.matching.tasks.pair_wizards"
    DELIVER_PUSH = "duels.push.tasks.deliver_push"
    DELIVER_WEBHOOK_MESSAGE = "duels.webhooks.tasks.deliver_message"


def send_task_after_commit(task_name: str, *pks: int | Sequence[int]) -> None:
    """Once the transaction is committed, send the task with this name for each of these rows.

    If the broker is down, only log the error, because the rows are saved and the sweep will find
    them. If sending the first task fails, do not try the others, because each would wait for a
    timeout.
    """

    def send_tasks() -> None:
        for pk in pks:
            # Look up the task instead of sending its name, because that ignores
            # CELERY_TASK_ALWAYS_EAGER.
            current_app.tasks[task_name].delay(pk)

    transaction.on_commit(send_tasks, robust=True)


def request_resolution(turn_id: int) -> None:
    """Once the change is committed, ask a worker to resolve the turn if possible.

    Call this after every seal, not only after the last one, because two transactions that seal at
    the same time may not see each other's seals.
    """
    send_task_after_commit(TaskName.RESOLVE_TURN, turn_id)
