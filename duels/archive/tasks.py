"""Celery tasks of the archive. They run in the queue `post`, so turns never wait for them.

Each is called every hour, and does nothing if the day's work is already done.
"""

from celery import shared_task

from duels.archive import commands, download
from duels.loaded.database_clock import site_now


@shared_task(soft_time_limit=3_300, time_limit=3_400)  # seconds; Redis waits longer for a worker
def write_download() -> None:
    if download.is_download_due(site_now()):
        download.write_download()


@shared_task
def choose_daily_duel() -> None:
    commands.choose_daily_duel(site_now())
