"""System checks for settings that would expose secrets or lose emails or turns.

The meaning of a check's id never changes. An error makes `manage.py check` fail, and prevents web
processes, workers and some commands from starting (`spellcaster.startup`).
"""

import base64
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DEFAULT_DB_ALIAS, connection
from django.http.request import validate_host

from spellcaster.email_services import SERVICES, WEBHOOK_SECRET
from spellcaster.redis_urls import parse_redis_url

_DOMAIN_PATTERN = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*")


EXAMPLE_MARKER = "replace-me"  # part of every secret in .env.example


@register()
def check_settings(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return all faults in the settings."""
    return [*_check_keys(), *_check_services(), *_check_mail_service(), *_check_addresses()]


@register("security", deploy=True)
def check_deployment(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return faults that matter on a site that others can reach."""
    return [*_check_hosts(), *_check_operators()]


@register(Tags.database)
def check_alarms(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return the open alarms for the operator. They are listed by `check --database default`."""
    if DEFAULT_DB_ALIAS not in (databases or ()):
        return []
    alarms = apps.get_model("duels", "Alarm")
    if alarms._meta.db_table not in connection.introspection.table_names():
        return []  # the first migration has not run yet
    # `migrate` runs this check before it adds columns, so read only columns of the first release.
    found = alarms._default_manager.filter(ended_at=None).order_by("-pk")
    return [
        Warning(f"{alarm}: {alarm.words}", hint="See the alarms in the admin.", id="duels.W050")
        for alarm in found.only("kind", "about", "words")
    ]


def _check_hosts() -> Iterator[CheckMessage]:
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        yield Warning(
            "HTTP requests are redirected to HTTPS, but no proxy is trusted to report which "
            "requests used HTTPS. Behind a proxy that terminates TLS, every page redirects to "
            "itself.",
            hint="Set TRUSTED_PROXIES to the number of proxies in front of the site. Leave it at 0 "
            "only if this server terminates TLS itself.",
            id="duels.W040",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield Error(
            "ALLOWED_HOSTS contains *, so the sender of a request can choose the host in links, "
            "even in password reset emails.",
            hint="List the hosts of the site, for example ALLOWED_HOSTS=duels.example",
            id="duels.E042",
        )
    host = urlsplit(settings.SITE_URL).hostname or ""
    if settings.ALLOWED_HOSTS and not validate_host(host, settings.ALLOWED_HOSTS):
        yield Error(
            f"The host of SITE_URL, {host!r}, is not in ALLOWED_HOSTS, so links in emails would "
            "be rejected with status 400.",
            hint="Add it to ALLOWED_HOSTS.",
            id="duels.E043",
        )


def _check_operators() -> Iterator[CheckMessage]:
    if not settings.ADMINS:
        yield Warning(
            "ADMINS is empty, so problems that only an operator can fix, such as a lost key, are "
            "only logged.",
            hint="Set ADMINS to the email addresses of the operators.",
            id="duels.W041",
        )


def _check_keys() -> Iterator[CheckMessage]:
    if settings.SECRET_KEY_GENERATED and not settings.DEBUG:
        yield Error(
            "SECRET_KEY is not set and DEBUG is off.",
            hint="Set SECRET_KEY to a long random text, or SECRET_KEY_FILE to a file with one.",
            id="duels.E001",
        )
    if settings.SEAL_KEYS_GENERATED and not settings.DEBUG:
        yield Error(
            "SEAL_KEYS is not set and DEBUG is off.",
            hint="Set SEAL_KEYS to one or more Fernet keys, newest first, or SEAL_KEYS_FILE to a "
            "file with them.",
            id="duels.E002",
        )
    if EXAMPLE_MARKER in settings.SECRET_KEY and not settings.DEBUG:
        yield Error(
            "SECRET_KEY is the example key, so anyone can forge the site's signatures.",
            hint="Set it to a long random text of your own.",
            id="duels.E040",
        )
    for place, key in enumerate(settings.SEAL_KEYS, start=1):
        if not settings.DEBUG and EXAMPLE_MARKER.encode() in _decoded_key(key):
            yield Error(
                f"Key {place} of SEAL_KEYS is the example key, so anyone can decrypt its data.",
                hint="Generate your own key; .env.example explains how.",
                id="duels.E041",
            )
        if not _is_fernet_key(key):
            yield Error(
                f"Key {place} of SEAL_KEYS is not a Fernet key.",
                hint="A Fernet key is 32 random bytes in URL-safe base64: 44 characters.",
                id="duels.E003",
            )


def _decoded_key(key: str) -> bytes:
    """Return the decoded key, or b"" if it is not valid base64."""
    try:
        return base64.urlsafe_b64decode(key)
    except ValueError:
        return b""


def _is_fernet_key(key: str) -> bool:
    try:
        Fernet(key)
    except ValueError:
        return False
    return True


def _check_services() -> Iterator[CheckMessage]:
    if settings.DEBUG and not settings.EMBEDDED_DATABASE:
        yield Error(
            "DEBUG is on although the site uses a real database.",
            hint="Unset DEBUG. Error pages would show the contents of the database.",
            id="duels.E004",
        )
    if settings.REDIS_URL and settings.CELERY_TASK_ALWAYS_EAGER:
        yield Error(
            "Tasks run in the process that requests them, although REDIS_URL names a broker.",
            id="duels.E005",
        )
    yield from _check_cache()
    if not settings.EMAIL_URL and not settings.EMAIL_SERVICE and not settings.DEBUG:
        yield Error(
            "Neither EMAIL_URL nor EMAIL_SERVICE is set and DEBUG is off: no email can be sent.",
            hint="Set EMAIL_URL, for example smtp+tls://user:password@mail.example:587.",
            id="duels.E006",
        )
    if not settings.REDIS_URL and not settings.DEBUG:
        yield Warning(
            "REDIS_URL is not set and DEBUG is off: each process counts rate limits separately, "
            "requests wait until their turns are resolved, and emails wait for `resolve_due`.",
            id="duels.W001",
        )


def _check_cache() -> Iterator[CheckMessage]:
    try:
        broker = parse_redis_url(settings.REDIS_URL) if settings.REDIS_URL else None
        cache = parse_redis_url(settings.CACHE_URL) if settings.CACHE_URL else None
    except ValueError:
        yield Error(
            "REDIS_URL or CACHE_URL does not name a Redis database.",
            hint="End the URL with a number: redis://127.0.0.1:6379/0",
            id="duels.E031",
        )
        return
    if broker is not None and broker == cache:
        yield Error(
            "CACHE_URL and REDIS_URL name the same database: a full cache could evict tasks, and "
            "clearing the cache would delete them.",
            hint="Give the cache its own database number, for example redis://127.0.0.1:6379/1, or "
            "unset CACHE_URL.",
            id="duels.E030",
        )


def _check_mail_service() -> Iterator[CheckMessage]:
    """Check EMAIL_SERVICE and the variables of its options."""
    name, service = settings.EMAIL_SERVICE, settings.MAIL_SERVICE
    if name and settings.EMAIL_URL:
        yield Error(
            "EMAIL_URL and EMAIL_SERVICE are both set, but only one of them can send emails.",
            hint="Unset one of them.",
            id="duels.E011",
        )
    if name and service is None:
        yield Error(
            f"EMAIL_SERVICE is {name!r}, which is not a known service.",
            hint=f"Use one of: {', '.join(SERVICES)}.",
            id="duels.E012",
        )
    if service is None:
        return
    for variable in service.missing:
        if variable == WEBHOOK_SECRET:
            yield Error(
                f"{variable} is not set, or does not have the form user:password, so the service "
                "cannot report bounced emails.",
                hint="Set it to random words, and give the service webhook URLs that begin with "
                f"https://user:password@ (docs/POST.md). {_signing_hint(name)}".strip(),
                id="duels.E014",
            )
        else:
            yield Error(f"{variable} is not set, so {name} cannot send emails.", id="duels.E013")
    if service.missing_package:
        yield Error(
            f"{name} needs the package {service.missing_package}, which is not installed.",
            hint=f"pip install {service.missing_package}",
            id="duels.E015",
        )


def _signing_hint(service_name: str) -> str:
    """Return a hint about variables that replace the secret if the service signs webhooks."""
    options = SERVICES[service_name].signing
    return f"Or set {' and '.join(options)} instead." if options else ""


def _check_addresses() -> Iterator[CheckMessage]:
    site = urlsplit(settings.SITE_URL)
    if site.scheme not in {"http", "https"} or not site.netloc or site.path:
        yield Error(
            "SITE_URL is not a valid site address.",
            hint="Give only the scheme and the host: https://duels.example",
            id="duels.E007",
        )
    elif settings.HTTPS and site.scheme != "https":
        yield Error(
            "SITE_URL does not begin with https, so links in emails would not lead to the site.",
            hint="Set SITE_URL to the public address, or HTTPS=off to try the site out.",
            id="duels.E008",
        )
    if settings.REPLY_DOMAIN and not _DOMAIN_PATTERN.fullmatch(settings.REPLY_DOMAIN):
        yield Error(
            "REPLY_DOMAIN is not a domain, so nobody could reply to emails.",
            hint="Set it to the part of an address after the @: duels.example",
            id="duels.E010",
        )
    if settings.BOUNCE_DOMAIN and not _DOMAIN_PATTERN.fullmatch(settings.BOUNCE_DOMAIN):
        yield Error(
            "BOUNCE_DOMAIN is not a domain, so bounced emails could not be received.",
            hint="Set it to the part of an address after the @: duels.example",
            id="duels.E016",
        )
    if settings.TRUSTED_PROXIES < 0:
        yield Error("TRUSTED_PROXIES is negative.", id="duels.E009")
