"""Celery tasks. Each takes a primary key and calls one command; all state is in the database."""

from celery import shared_task
from django.conf import settings

from duels.clocks.budget import Budget
from duels.commands import alarms, closing, practising, resolution, sweeping
from duels.loaded.database_clock import database_now

CLOSING_SECONDS, EAGER_CLOSING_SECONDS = 200, 2


@shared_task
def resolve_turn(turn_id: int) -> None:
    resolution.resolve_turn(turn_id=turn_id)


@shared_task
def practise(turn_id: int) -> None:
    practising.play_opponent(turn_id=turn_id)


@shared_task
def close_account(closing_id: int) -> None:
    is_eager = settings.CELERY_TASK_ALWAYS_EAGER  # the request waits, so stop early
    seconds = EAGER_CLOSING_SECONDS if is_eager else CLOSING_SECONDS
    closing.continue_closing(closing_id=closing_id, now=database_now(), budget=Budget(seconds))


@shared_task
def sweep() -> None:
    sweeping.sweep(now=database_now())


@shared_task
def tell_operators() -> None:
    alarms.email_alarms(now=database_now())
