"""`manage.py doctor` names each fault of a site, and none of a healthy one."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import dns.resolver
import pytest
import requests
from cryptography.fernet import Fernet
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone
from pytest_django import Settings

from duels.commands import alarms, process_check
from duels.models import AlarmKind, LastSweep, OutboxStatus
from duels.post.models import Notice
from duels.push.models import PushSubscription
from duels.webhooks.models import Webhook
from duels.webhooks.public import Service, add_webhook
from spellcaster import health
from spellcaster.celery import app
from spellcaster.doctor import examination, server_faults
from spellcaster.processes import heartbeat
from spellcaster.processes.models import RunningProcess
from tests import services, sites
from tests.cast import Cast, begin, make_cast
from tests.duels.test_checks import PRODUCTION_SETTINGS

pytestmark = pytest.mark.django_db

DOMAIN = "duels.example.com"  # a public domain, whose records are looked up
DNS_RECORDS = {
    (DOMAIN, "TXT"): ['"v=spf1 a -all"'],
    (DOMAIN, "MX"): ["10 mail.duels.example.com."],
    (f"_domainkey.{DOMAIN}", "TXT"): [],
    ("_dmarc.example.com", "TXT"): ['"v=DMARC1; p=none"'],
}
WORKER_QUEUES = {"turns@a": [{"name": "turns"}, {"name": "sweep"}], "post@a": [{"name": "post"}]}


class FakeMailServer:
    """An SMTP server whose answers a test can change."""

    recipient_answer = "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        envelope.rcpt_tos.append(address)
        return self.recipient_answer


class HealthySite(NamedTuple):
    """A healthy site in which a test causes one fault."""

    settings: Settings
    cast: Cast
    patch: pytest.MonkeyPatch
    mail_server: FakeMailServer
    records: dict[tuple[str, str], list[str]]
    queues: dict[str, list[dict[str, str]]]
    headers: dict[str, str]  # headers of requests that reach the site


@pytest.fixture
def site(db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[HealthySite]:
    mail_server = FakeMailServer()
    with ExitStack() as stack:
        mail_port = stack.enter_context(services.smtp_server(mail_server))
        cast = make_cast()
        healthy = HealthySite(
            settings, cast, monkeypatch, mail_server, dict(DNS_RECORDS), dict(WORKER_QUEUES), {}
        )
        for name, value in PRODUCTION_SETTINGS.items():
            setattr(settings, name, value)
        settings.ALLOWED_HOSTS = [DOMAIN]
        settings.SITE_URL = f"https://{DOMAIN}"
        settings.DEFAULT_FROM_EMAIL = f"Spellcaster <duels@{DOMAIN}>"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_port
        settings.EMAIL_TIMEOUT = 1
        settings.REAL_MAIL = True
        settings.REPLY_DOMAIN = settings.BOUNCE_DOMAIN = DOMAIN
        settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        settings.SECURE_SSL_REDIRECT = True
        settings.SECURE_HSTS_SECONDS = 60
        settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
        settings.SILENCED_SYSTEM_CHECKS = [*settings.SILENCED_SYSTEM_CHECKS, "security.W009"]
        settings.WHITENOISE_USE_FINDERS = False
        healthy.headers.update({"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"})
        monkeypatch.setattr(health, "check_cache", lambda: None)
        monkeypatch.setattr(health, "check_broker", lambda: None)
        monkeypatch.setattr(dns.resolver, "resolve", fake_resolver(healthy.records))
        monkeypatch.setattr(requests, "get", fake_get(healthy.headers))
        monkeypatch.setattr(app.control, "inspect", fake_inspector(healthy.queues))
        set_collected_files(monkeypatch, lambda names: names)
        process_check.accept_keys(now=timezone.now())
        LastSweep.objects.create(pk=1, began_at=timezone.now())
        for kind in ("beat", "listen_for_mail"):
            add_process(kind)
        yield healthy


def fake_resolver(records: dict[tuple[str, str], list[str]]) -> Callable[..., Any]:
    def resolve(domain: str, kind: str, lifetime: float) -> list[Any]:
        if (domain, kind) in records and not records[domain, kind]:
            raise dns.resolver.NoAnswer(response=mock.MagicMock())
        if (domain, kind) not in records:
            raise dns.resolver.NXDOMAIN
        return [SimpleNamespace(to_text=lambda text=text: text) for text in records[domain, kind]]

    return resolve


def fake_get(headers: dict[str, str]) -> Callable[..., Any]:
    """Return a replacement for `requests.get` that sends these headers, as proxies do."""

    def get(url: str, **options: Any) -> Any:
        path = url.removeprefix(f"https://{DOMAIN}")
        answer: Any = Client(headers={**headers, "host": DOMAIN}).get(path)
        answer.is_redirect = answer.status_code in (301, 302)
        return answer

    return get


def fake_inspector(queues: dict[str, list[dict[str, str]]]) -> Callable[..., Any]:
    return lambda timeout: SimpleNamespace(active_queues=lambda: queues)


def set_collected_files(patch: pytest.MonkeyPatch, kept: Callable[[set[str]], set[str]]) -> None:
    """Replace the manifest of collected files with one that lists only some of this release's."""
    names = {name for finder in get_finders() for name, _ in finder.list([])}
    manifest = (dict.fromkeys(kept(names), ""), "")
    patch.setattr(
        server_faults, "staticfiles_storage", SimpleNamespace(load_manifest=lambda: manifest)
    )


def add_process(kind: str, **changes: Any) -> None:
    now = timezone.now()
    news = {"clock_ahead_seconds": 0.0, "release": heartbeat.release_name(), "started_at": now}
    process_id = RunningProcess.objects.count() + 1
    values = {
        "kind": kind,
        "host": "a",
        "process_id": process_id,
        "seen_at": now,
        **news,
        **changes,
    }
    RunningProcess.objects.create(**values)


def stop_processes(kind: str) -> None:
    RunningProcess.objects.filter(kind=kind).update(seen_at=timezone.now() - timedelta(minutes=4))


def site_findings() -> list[str]:
    return [f"{check}: {problem.text}" for check, problem in examination.examine()]


def test_healthy_site_has_no_problems(site: HealthySite) -> None:
    assert site_findings() == []
    written = StringIO()
    call_command("doctor", stdout=written)
    assert written.getvalue() == f"No problems found by {len(examination.CHECKS)} checks.\n"


def test_only_the_named_checks_run(site: HealthySite) -> None:
    stop_listener(site)
    written = StringIO()
    call_command("doctor", "--only", "beat", "mail server", stdout=written)
    assert written.getvalue() == "No problems found by 2 checks.\n"
    stop_beat(site)
    with pytest.raises(SystemExit):
        call_command("doctor", "--only", "beat", stdout=written)
    with pytest.raises(CommandError, match="invalid choice: 'tea'"):
        call_command("doctor", "--only", "tea")


# Faults


def stop_database(site: HealthySite) -> None:
    site.patch.setattr(connection, "cursor", mock.Mock(side_effect=OperationalError("secret")))


def skip_migration(site: HealthySite) -> None:
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")


def stop_broker(site: HealthySite) -> None:
    site.patch.setattr(health, "check_broker", mock.Mock(side_effect=ConnectionError))


def stop_cache(site: HealthySite) -> None:
    site.patch.setattr(health, "check_cache", mock.Mock(side_effect=ConnectionError))


def stop_post_worker(site: HealthySite) -> None:
    del site.queues["post@a"]


def stop_beat(site: HealthySite) -> None:
    stop_processes("beat")


def start_second_beat(site: HealthySite) -> None:
    add_process("beat", host="b", started_at=timezone.now() - timedelta(hours=1))


def set_clock_of_another_machine(site: HealthySite) -> None:
    add_process("web process", host="b", clock_ahead_seconds=-20.0)


def lose_seal_key(site: HealthySite) -> None:
    begin(site.cast.ada, site.cast.bram)  # the duel's seed needs the key
    Notice.objects.all().delete()
    site.settings.SEAL_KEYS = [Fernet.generate_key().decode()]


def add_unused_seal_key(site: HealthySite) -> None:
    site.settings.SEAL_KEYS = [*site.settings.SEAL_KEYS, Fernet.generate_key().decode()]


def silence_mail_server(site: HealthySite) -> None:
    site.settings.EMAIL_PORT = services.free_port()


def reject_recipients(site: HealthySite) -> None:
    site.mail_server.recipient_answer = "550 relay not permitted"


def reject_all_notices(site: HealthySite) -> None:
    begin(site.cast.ada, site.cast.bram)
    Notice.objects.update(
        last_error="refused: 550 5.7.1", due_at=timezone.now(), created_at=timezone.now()
    )


def stop_listener(site: HealthySite) -> None:
    stop_processes("listen_for_mail")


def remove_spf(site: HealthySite) -> None:
    site.records[DOMAIN, "TXT"] = ['"something else"']


def remove_dkim(site: HealthySite) -> None:
    del site.records[f"_domainkey.{DOMAIN}", "TXT"]


def remove_dmarc(site: HealthySite) -> None:
    del site.records["_dmarc.example.com", "TXT"]


def remove_mx(site: HealthySite) -> None:
    del site.records[DOMAIN, "MX"]


def damage_push_key(site: HealthySite) -> None:
    site.settings.VAPID_PRIVATE_KEY = "short"
    site.settings.VAPID_CONTACT = "mailto:keeper@duels.example"


def lose_push_key(site: HealthySite) -> None:
    site.settings.VAPID_PRIVATE_KEY = site.settings.VAPID_CONTACT = ""
    PushSubscription.objects.create(
        wizard=site.cast.ada, endpoint="https://push.example.com/1", created_at=timezone.now()
    )


def fill_disk(site: HealthySite) -> None:
    site.patch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=3_000_000))


def delete_static_file(site: HealthySite) -> None:
    set_collected_files(site.patch, lambda names: names - {sorted(names)[0]})


def add_proxy(site: HealthySite) -> None:
    site.headers["X-Forwarded-For"] = "192.0.2.1, 10.0.0.1"


def forget_protocol(site: HealthySite) -> None:
    del site.headers["X-Forwarded-Proto"]


def serve_synchronously(site: HealthySite) -> None:
    del site.headers["X-Forwarded-For"]
    site.settings.TRUSTED_PROXIES, site.settings.HTTPS = 0, False
    site.patch.setattr(ClientHandler, "__call__", one_process_without_threads)


def one_process_without_threads(handler: ClientHandler, environ: dict[str, Any]) -> Any:
    return CALL_HANDLER(handler, {**environ, "wsgi.multiprocess": False})


CALL_HANDLER = ClientHandler.__call__


def stop_web_processes(site: HealthySite) -> None:
    site.patch.setattr(requests, "get", mock.Mock(side_effect=requests.ConnectionError))


def delay_sweep(site: HealthySite) -> None:
    LastSweep.objects.update(began_at=timezone.now() - timedelta(minutes=7))


def delay_outbox(site: HealthySite) -> None:
    begin(site.cast.ada, site.cast.bram)
    Notice.objects.update(status=OutboxStatus.QUEUED, due_at=timezone.now() - timedelta(minutes=9))


def fail_webhook(site: HealthySite) -> None:
    address, now = "https://chat.example.org/hooks/1", timezone.now()
    add_webhook(wizard=site.cast.ada, service=Service.SLACK, address=address, now=now)
    Webhook.objects.update(failing_since=now - timedelta(hours=2))


def keep_old_release(site: HealthySite) -> None:
    add_process("web process", release="0.0.9 (12345678)")


def raise_alarm(site: HealthySite) -> None:
    alarms.raise_alarm(AlarmKind.CLOCK, "beat on b", "Correct it.", timezone.now())


@pytest.mark.parametrize(
    ("cause", "check", "words"),
    [
        (stop_database, "database", "does not respond"),
        (skip_migration, "migrations", "lacks migrations"),
        (stop_broker, "broker", "does not respond"),
        (stop_cache, "cache", "does not respond"),
        (stop_post_worker, "workers", "No worker serves the queue post"),
        (stop_beat, "beat", "Beat is not running"),
        (start_second_beat, "beat", "2 beats are running"),
        (set_clock_of_another_machine, "clocks", "20 seconds behind"),
        (lose_seal_key, "keys", "SEAL_KEYS lacks a key"),
        (add_unused_seal_key, "keys", "Key 2 of SEAL_KEYS does not encrypt"),
        (silence_mail_server, "mail server", "is not responding correctly"),
        (reject_recipients, "mail server", "550 relay not permitted"),
        (reject_all_notices, "rejected email", "more emails were rejected (2) than sent"),
        (stop_listener, "incoming email", "REPLY_DOMAIN and BOUNCE_DOMAIN"),
        (remove_spf, "DNS", "0 SPF records"),
        (remove_dkim, "DNS", "no DKIM record"),
        (remove_dmarc, "DNS", "no DMARC record"),
        (remove_mx, "DNS", "no MX record"),
        (damage_push_key, "settings", "push.E002"),
        (lose_push_key, "push", "1 devices"),
        (fill_disk, "disk", "only 3 MB left"),
        (delete_static_file, "static files", "1 static files"),
        (add_proxy, "web server", "2 proxies"),
        (forget_protocol, "web server", "redirects to"),
        (serve_synchronously, "web server", "One synchronous process"),
        (stop_web_processes, "web server", "does not answer"),
        (delay_sweep, "sweep", "7 minutes ago"),
        (delay_outbox, "outbox", "9 minutes ago"),
        (fail_webhook, "webhooks", "more than an hour at chat.example.org"),
        (keep_old_release, "releases", "0.0.9 (12345678)"),
        (raise_alarm, "alarms", "a process has a wrong clock"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_fault_is_named(
    site: HealthySite, cause: Callable[[HealthySite], None], check: str, words: str, capsys: Any
) -> None:
    cause(site)
    written = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", stdout=written)
    assert ended.value.code == 1
    problems = json.loads(written.getvalue())
    assert {problem["check"] for problem in problems} == {check}
    assert any(words in problem["text"] for problem in problems)
    assert all(problem["remedy"] for problem in problems)
    secrets = (*site.settings.SEAL_KEYS, site.settings.SECRET_KEY)
    assert not any(secret in written.getvalue() for secret in secrets)


@pytest.mark.services
def test_running_test_site_has_only_the_expected_problems(services_site: sites.Site) -> None:
    """The site runs without beat, without a mail listener and without HTTPS."""
    done = subprocess.run(
        [sys.executable, "manage.py", "doctor", "--json"],
        cwd=services.ROOT,
        env=services_site.inside.env,
        check=False,
        capture_output=True,
        timeout=services.PATIENCE_SECONDS,
    )
    assert done.returncode == 1, done.stderr
    found = {problem["check"] for problem in json.loads(done.stdout)}
    assert found - {"outbox"} == {"settings", "beat", "sweep", "incoming email"}
