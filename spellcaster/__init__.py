"""The project package: settings, URLs, accounts and the task queue."""

import gc

# By default, the garbage collector takes a sixth of the start-up time, and often scans all
# templates and modules.
gc.set_threshold(50_000, 20, 20)

from spellcaster.celery import app as celery_app  # noqa: E402, F401  # after the line above
