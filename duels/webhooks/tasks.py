"""Celery tasks for webhooks, which run in the queue `post`."""

from celery import shared_task

from duels.webhooks.commands import delivering


@shared_task(soft_time_limit=20, time_limit=30)  # seconds
def deliver_message(message_id: int) -> None:
    delivering.deliver_message(message_id=message_id)


@shared_task(soft_time_limit=100, time_limit=115)  # seconds
def deliver_due() -> None:
    delivering.deliver_due()
