"""The site around the duels: settings, URLs, accounts and the task queue."""

from spellcaster.celery import app as celery_app  # noqa: F401
