"""Nudges: once a change is committed, a worker is told to look at a row.

Tasks are sent by name, so that tasks may import commands and commands need not import tasks.
"""

from collections.abc import Sequence
from enum import StrEnum

from celery import current_app
from django.db import transaction


class TaskName(StrEnum):
    """What commands ask workers to do."""

    RESOLVE_TURN = "duels.tasks.resolve_turn"
    PRACTISE = "duels.tasks.practise"
    CLOSE_ACCOUNT = "duels.tasks.close_account"
    DELIVER_NOTICE = "duels.post.tasks.deliver_notice"
    DELIVER_PUSH = "duels.push.tasks.deliver_push"


def nudge_after_commit(task_name: str, pk: int) -> None:
    """Send the task of this name for this row once the transaction is committed.

    Robust: an absent broker does not turn saved rows into an error page; it is logged, and the
    sweep finds the row. (A `partial` would not do: Django's log line of a robust callback that
    fails wants a function's name, and fails itself without one.)
    """

    nudge_each_after_commit(task_name, [pk])


def nudge_each_after_commit(task_name: str, pks: Sequence[int]) -> None:
    """The same for several rows. A broker that does not take the first nudge is not asked again:
    each would cost its timeout."""

    def send() -> None:
        for pk in pks:
            # The task itself, not its name alone, so that CELERY_TASK_ALWAYS_EAGER is honoured.
            current_app.tasks[task_name].delay(pk)

    transaction.on_commit(send, robust=True)


def nudge_resolution(turn_id: int) -> None:
    """Once the change is committed, look whether the turn can be resolved.

    After every seal, whoever was last: two wizards who seal at once need not see each other. An
    absent broker does not undo what was saved; the sweep finds the turn.
    """
    nudge_after_commit(TaskName.RESOLVE_TURN, turn_id)
