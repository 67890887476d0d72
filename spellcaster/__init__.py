"""The site around the duels: settings, URLs, accounts and the task queue."""

import gc

# The collector's default takes a sixth of each start, and scans all templates and modules often.
gc.set_threshold(50_000, 20, 20)

from spellcaster.celery import app as celery_app  # noqa: E402, F401  # after the line above
