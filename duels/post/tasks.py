"""Celery tasks for emails. Each takes primary keys and calls one command.

The tasks have a queue of their own, `post`, so that turns never wait for them. A mail server may
use up its timeout at every step of the protocol, so the tasks also have time limits. At the first
limit, Celery asks a task to stop; at the second, it kills the task.
"""

from celery import shared_task

from duels.post.commands import delivering


@shared_task(soft_time_limit=60, time_limit=75)  # seconds
def deliver_notice(notice_id: int) -> None:
    delivering.deliver_notice(notice_id=notice_id)


@shared_task(soft_time_limit=150, time_limit=165)  # seconds, for a round and its last email
def deliver_notices(notice_ids: list[int]) -> None:
    delivering.deliver_notices(notice_ids=notice_ids)


@shared_task(soft_time_limit=150, time_limit=165)  # seconds, for a round and its last email
def deliver_due() -> None:
    delivering.deliver_due()
