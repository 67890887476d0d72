"""What the post's workers do. A task takes a primary key and calls one command.

Their queue is `post`: no turn waits behind it. A mail server may take its timeout at each step of a
conversation, so a task has limits of its own: it is told to stop at the first, ended at the second.
"""

from celery import shared_task

from duels.post import commands


@shared_task(soft_time_limit=60, time_limit=75)  # seconds
def deliver_notice(notice_id: int) -> None:
    commands.deliver_notice(notice_id=notice_id)


@shared_task(soft_time_limit=150, time_limit=165)  # seconds: a round, and the mail it ends with
def deliver_due() -> None:
    commands.deliver_due()
