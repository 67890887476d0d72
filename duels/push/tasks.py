"""What the post's workers do for notifications: each task calls one command.

Their queue is `post`. A push service may take its timeout at each step of a conversation, so a task
has limits of its own: it is told to stop at the first, ended at the second.
"""

from celery import shared_task

from duels.push import commands


@shared_task(soft_time_limit=30, time_limit=40)  # seconds
def deliver_push(push_id: int) -> None:
    commands.deliver_push(push_id=push_id)


@shared_task(soft_time_limit=100, time_limit=115)  # seconds: a round, and what it ends with
def deliver_due() -> None:
    commands.deliver_due()
