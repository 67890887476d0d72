"""Celery tasks of the archive. Their queue is `post`, so that turns never wait for them."""

from celery import shared_task

from duels.archive import download


@shared_task(soft_time_limit=3_300, time_limit=3_400)  # seconds, less than Redis waits for a worker
def write_download() -> None:
    download.write_download()
