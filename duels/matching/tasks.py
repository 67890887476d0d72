"""The Celery task that pairs wizards, every minute and when a wizard becomes open to duels."""

from celery import shared_task

from duels.loaded.database_clock import database_now
from duels.matching import availability


@shared_task
def pair_wizards(_wizard_id: int = 0) -> None:
    availability.pair_wizards(now=database_now())
