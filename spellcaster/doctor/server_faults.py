"""Checks of the disks, the static files and the web server."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final

import requests
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse

from spellcaster.doctor.probe import new_token
from spellcaster.doctor.problems import Problem

MIN_FREE_BYTES: Final = 500_000_000
TIMEOUT_SECONDS: Final = 10


def full_disks() -> Iterator[Problem]:
    """Check the disks of this machine, including the disk of an SQLite database."""
    devices: dict[int, Path] = {}
    for folder in (settings.VAR_DIR, settings.STATIC_ROOT, Path(gettempdir())):
        if folder.exists():
            devices.setdefault(folder.stat().st_dev, folder)
    for folder in devices.values():
        if (free := shutil.disk_usage(folder).free) < MIN_FREE_BYTES:
            yield Problem(
                f"The disk of {folder} has only {free // 1_000_000} MB left.",
                "Delete old logs and backups, or use a larger disk.",
            )


def missing_static_files() -> Iterator[Problem]:
    """Compare the files of this release with those that `collectstatic` has collected."""
    if settings.WHITENOISE_USE_FINDERS:
        return  # in this case, files are served without being collected
    storage: Any = staticfiles_storage
    collected, _ = storage.load_manifest()
    found = {name.replace("\\", "/") for finder in get_finders() for name, _ in finder.list([])}
    if missing := sorted(found - collected.keys()):
        yield Problem(
            f"{len(missing)} static files of this release are not in {settings.STATIC_ROOT}, such "
            f"as {missing[0]}.",
            "Run `manage.py collectstatic --no-input`, and restart the web processes.",
        )


def web_server_faults() -> Iterator[Problem]:
    """Request a page at the public address that shows how requests reach the site."""
    url = settings.SITE_URL + reverse("doctor_probe", args=[new_token()])
    try:
        answer = requests.get(url, timeout=TIMEOUT_SECONDS, allow_redirects=False)
    except requests.RequestException as error:
        yield Problem(
            f"The site does not answer at {settings.SITE_URL} ({type(error).__name__}).",
            "Start the web processes and the proxy, and compare SITE_URL with the site’s address.",
        )
        return
    if answer.is_redirect:
        yield Problem(
            f"{settings.SITE_URL} redirects to {answer.headers.get('Location', '')[:80]}.",
            PROXY_REMEDY,
        )
    elif answer.status_code != requests.codes.ok:
        yield Problem(
            f"{settings.SITE_URL} answers with status {answer.status_code}.",
            "Read the log of the web processes. All processes need the same SECRET_KEY.",
        )
    else:
        yield from _request_faults(answer.json())


PROXY_REMEDY: Final = (
    "Set TRUSTED_PROXIES to the number of proxies that add to X-Forwarded-For, and let the first "
    "one set X-Forwarded-Proto."
)


def _request_faults(seen: dict[str, Any]) -> Iterator[Problem]:
    if (proxies := seen["proxies"]) != settings.TRUSTED_PROXIES:
        yield Problem(
            f"Requests pass {proxies} proxies, but TRUSTED_PROXIES is {settings.TRUSTED_PROXIES}, "
            "so rate limits count the wrong addresses.",
            PROXY_REMEDY,
        )
    if not seen["is_parallel"] and not proxies:
        yield Problem(
            "One synchronous process serves the site without a proxy, so one slow client stops it.",
            "Start gunicorn with the settings in `gunicorn.conf.py`, which has threads, or put a "
            "proxy that buffers requests, such as nginx, in front of it.",
        )
