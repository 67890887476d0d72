"""Celery tasks for push notifications. Each calls one command.

Their queue is `post`. A push service may use up its timeout at every step of the protocol, so the
tasks also have time limits. At the first limit, Celery asks a task to stop; at the second, it kills
the task.
"""

from celery import shared_task

from duels.push.commands import delivering


@shared_task(soft_time_limit=30, time_limit=40)  # seconds
def deliver_push(push_id: int) -> None:
    delivering.deliver_push(push_id=push_id)


@shared_task(soft_time_limit=100, time_limit=115)  # seconds, for a round and its last push
def deliver_due() -> None:
    delivering.deliver_due()
