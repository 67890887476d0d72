"""The site around the duels: settings, addresses, accounts, the task queue."""

from spellcaster.celery import app as celery_app

__all__ = ["celery_app"]
