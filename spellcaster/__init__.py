"""The site around the duels: settings, URLs, accounts and the task queue."""

from spellcaster.celery import app as celery_app

__all__ = ["celery_app"]
