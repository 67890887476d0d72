"""What workers do. A task takes a primary key and calls one command; rows hold the truth."""

from celery import shared_task
from django.utils import timezone


@shared_task
def resolve_turn(turn_id: int) -> None:
    from duels import commands

    commands.resolve_turn(turn_id=turn_id)


@shared_task
def practise(turn_id: int) -> None:
    from duels import commands

    commands.practise(turn_id=turn_id)


@shared_task
def deliver_notice(notice_id: int) -> None:
    from duels import commands

    commands.deliver_notice(notice_id=notice_id)


@shared_task
def sweep() -> None:
    from duels import commands

    commands.sweep(now=timezone.now())
