"""Nudges: after a change is committed, they ask a worker to look at a row.

Tasks are sent by name, so that tasks can import commands and commands need not import tasks.
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
    DELIVER_PUSH = "duels.push.tasks.deliver_push"


def nudge_after_commit(task_name: str, pk: int) -> None:
    """Send the task of this name for this row once the transaction is committed.

    This is robust: an absent broker is logged and does not turn saved rows into an error page. The
    sweep finds the row. (A `partial` would not work, because Django logs the function's name when a
    robust callback fails, and a partial has none.)
    """

    nudge_each_after_commit(task_name, [pk])


def nudge_each_after_commit(task_name: str, pks: Sequence[int]) -> None:
    """Send the task of this name for each of these rows once the transaction is committed.

    If the broker does not accept the first nudge, the others are not tried, since each would cost
    its timeout.
    """

    def send() -> None:
        for pk in pks:
            # Use the task itself instead of its name, to respect CELERY_TASK_ALWAYS_EAGER.
            current_app.tasks[task_name].delay(pk)

    transaction.on_commit(send, robust=True)


def nudge_resolution(turn_id: int) -> None:
    """Once the change is committed, check whether the turn can be resolved.

    This follows every seal, not only the last: two wizards who seal at once may not see each
    other's seal. An absent broker does not undo what was saved; the sweep finds the turn.
    """
    nudge_after_commit(TaskName.RESOLVE_TURN, turn_id)
