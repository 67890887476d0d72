"""The Celery application: its options are the CELERY_ settings, its tasks each app's `tasks.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "spellcaster.settings")

app = Celery("spellcaster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
