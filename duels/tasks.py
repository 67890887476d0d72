"""What workers do. A task takes a primary key and calls one command; rows hold the truth."""

from celery import shared_task
from django.utils import timezone

from duels import commands


@shared_task
def resolve_turn(turn_id: int) -> None:
    commands.resolve_turn(turn_id=turn_id)


@shared_task
def practise(turn_id: int) -> None:
    commands.practise(turn_id=turn_id)


@shared_task
def sweep() -> None:
    commands.sweep(now=timezone.now())


@shared_task
def tell_operators() -> None:
    commands.tell_operators(now=timezone.now())
