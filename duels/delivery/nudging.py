"""Nudges, which ask a worker to look at a row after a change to it has been committed.

Tasks are sent by name, so that commands do not import tasks, which import commands.
"""

from collections.abc import Sequence
from enum import StrEnum

from celery import current_app
from django.db import transaction


class TaskName(StrEnum):
    """The tasks that commands send to workers."""

    RESOLVE_TURN = "duels.tasks.resolve_turn"
    PRACTISE = "duels.tasks.practise"
    CLOSE_ACCOUNT = "duels.tasks.close_account"
    DELIVER_NOTICE = "duels.post.tasks.deliver_notice"
    DELIVER_NOTICES = "duels.post.tasks.deliver_notices"
    PAIR_WIZARDS = "duels.matching.tasks.pair_wizards"
    DELIVER_PUSH = "duels.push.tasks.deliver_push"
    DELIVER_WEBHOOK_MESSAGE = "duels.webhooks.tasks.deliver_message"


def send_task_after_commit(task_name: str, *pks: int | Sequence[int]) -> None:
    """Send the task with this name for each of these rows once the transaction is committed.

    If the broker is down, the error is only logged, because the rows are saved and a sweep will
    find them. If it does not accept the first task, do not try the others, because each would wait
    for a timeout.
    """

    def send_tasks() -> None:
        for pk in pks:
            # Use the task itself instead of its name, to respect CELERY_TASK_ALWAYS_EAGER.
            current_app.tasks[task_name].delay(pk)

    transaction.on_commit(send_tasks, robust=True)


def request_resolution(turn_id: int) -> None:
    """Ask a worker, once the change is committed, to resolve the turn if possible.

    Call this after every seal, not only the last, because two transactions that seal at the same
    time may not see each other's seal.
    """
    send_task_after_commit(TaskName.RESOLVE_TURN, turn_id)
