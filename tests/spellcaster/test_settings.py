"""Tests of settings from environment variables. Each case runs the settings' module again."""

import json
import os
import runpy
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import environ
import pytest
from environ.fileaware_mapping import FileAwareMapping

from tests import services

Settings = dict[str, Any]

SETTINGS_FILE = services.ROOT / "spellcaster" / "settings.py"


@pytest.fixture
def settings_with(tmp_path: Path) -> Callable[..., Settings]:
    """Return a function that returns the settings, as JSON values, for some variables."""

    def read_settings(**variables: str) -> Settings:
        env = services.clean_environment(VAR_DIR=str(tmp_path), **variables)
        # the usual mapping keeps values that it has read from files
        unread = mock.patch.object(environ.FileAwareEnv, "ENVIRON", FileAwareMapping())
        with mock.patch.dict(os.environ, env, clear=True), unread:
            found = runpy.run_path(str(SETTINGS_FILE))
        named = {name: value for name, value in found.items() if name.isupper()}
        shown: Settings = json.loads(json.dumps(named, default=str))
        return shown

    return read_settings


def test_default_settings_use_embedded_services(settings_with, tmp_path):
    settings = settings_with()
    database = settings["DATABASES"]["default"]
    assert settings["DEBUG"] is True
    assert settings["MAILBOX_SHOWN"] is True
    assert settings["HTTPS"] is False
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is True
    assert settings["CELERY_BROKER_URL"] == "memory://localhost/"
    assert database["NAME"] == str(tmp_path / "spellcaster.sqlite3")
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "WAL" in database["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    "variables",
    [
        {"DATABASE_URL": "postgres://one@127.0.0.1/spellcaster"},
        {"REDIS_URL": "redis://127.0.0.1:6379/0"},
        {"EMAIL_URL": "smtp://127.0.0.1:25"},
        {"EMAIL_SERVICE": "postmark"},
        {"ALLOWED_HOSTS": "duels.example"},
    ],
    ids=lambda variables: next(iter(variables)),
)
def test_any_setting_for_production_turns_debug_off(settings_with, variables):
    settings = settings_with(**variables)
    assert settings["DEBUG"] is False
    assert settings["MAILBOX_SHOWN"] is False
    assert settings["SECURE_SSL_REDIRECT"] is True
    assert settings["SESSION_COOKIE_SECURE"] is True


def test_database_url_selects_postgresql(settings_with):
    settings = settings_with(DATABASE_URL="postgres://one:two@db.example:5433/spellcaster")
    database = settings["DATABASES"]["default"]
    assert database["ENGINE"] == "django.db.backends.postgresql"
    assert (database["HOST"], database["PORT"]) == ("db.example", 5433)
    assert "transaction_mode" not in database["OPTIONS"]


def test_other_sqlite_databases_use_the_same_options_as_the_default(settings_with, tmp_path):
    settings = settings_with(DATABASE_URL=f"sqlite:///{tmp_path}/other.sqlite3")
    assert settings["DATABASES"]["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_redis_url_enables_workers_and_shared_rate_limits(settings_with):
    settings = settings_with(REDIS_URL="redis://127.0.0.1:6379/3")
    assert settings["CELERY_TASK_ALWAYS_EAGER"] is False
    assert settings["CELERY_BROKER_URL"] == "redis://127.0.0.1:6379/3"
    assert settings["CELERY_TASK_PUBLISH_RETRY"] is False
    assert settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["socket_timeout"] == 1
    assert settings["CACHES"]["default"]["BACKEND"].endswith("SharedCache")
    assert settings["CACHES"]["default"]["LOCATION"] == "redis://127.0.0.1:6379/4"


def test_scheduled_tasks_run_every_minute_and_expire_after_two(settings_with):
    schedule = settings_with()["CELERY_BEAT_SCHEDULE"]
    for name, minute in (("records", 17), ("daily duel", 5)):
        assert schedule.pop(name)["schedule"].startswith(f"<crontab: {minute} * * * *")
    assert set(schedule) == {"sweep", "post", "push", "webhooks", "alarms", "pairing"}
    for entry in schedule.values():
        assert entry["schedule"] == 60.0
        # the clocks of beat and of a worker may differ by a minute
        assert 60 + 60 <= entry["options"]["expires"] <= 2 * 60


def test_mail_server_without_workers_delays_emails_to_the_next_round(settings_with):
    redis, smtp = {"REDIS_URL": "redis://127.0.0.1:6379/3"}, {"EMAIL_URL": "smtp://127.0.0.1:25"}
    immediate = [
        settings_with(**env)["POST_SENT_IMMEDIATELY"] for env in ({}, redis, smtp, redis | smtp)
    ]
    assert immediate == [True, True, False, True]


def test_email_url_selects_smtp(settings_with):
    settings = settings_with(EMAIL_URL="smtp+tls://one:two@mail.example:587")
    assert settings["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (settings["EMAIL_HOST"], settings["EMAIL_PORT"]) == ("mail.example", 587)
    assert (settings["EMAIL_HOST_USER"], settings["EMAIL_HOST_PASSWORD"]) == ("one", "two")
    assert settings["EMAIL_USE_TLS"] is True


def test_email_service_is_configured_by_environment_variables(settings_with, tmp_path):
    token = tmp_path / "token"
    token.write_text("out of a file")
    settings = settings_with(
        EMAIL_SERVICE="postmark",
        POSTMARK_SERVER_TOKEN_FILE=str(token),
        POSTMARK_MESSAGE_STREAM="duels",
        MAILGUN_API_KEY="of another service",
        ANYMAIL_WEBHOOK_SECRET="postmaster:a long random word",
        EMAIL_TIMEOUT="7",
    )
    assert settings["EMAIL_BACKEND"] == "anymail.backends.postmark.EmailBackend"
    assert settings["ANYMAIL"] == {
        "POSTMARK_SERVER_TOKEN": "out of a file",
        "POSTMARK_MESSAGE_STREAM": "duels",
        "WEBHOOK_SECRET": "postmaster:a long random word",
        "REQUESTS_TIMEOUT": 7,
        "IGNORE_UNSUPPORTED_FEATURES": True,
    }
    assert settings["POST_SENT_IMMEDIATELY"] is False


def test_number_of_proxies_is_used_for_rate_limits(settings_with):
    settings = settings_with(TRUSTED_PROXIES="2")
    assert settings["ALLAUTH_TRUSTED_PROXY_COUNT"] == 2
    assert settings["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]


def test_secret_can_be_read_from_a_file(settings_with, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("out of a file")
    settings = settings_with(SECRET_KEY_FILE=str(secret))
    assert settings["SECRET_KEY"] == "out of a file"
    assert settings["SECRET_KEY_GENERATED"] is False


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"SECRET_KEY_FILE": "/nowhere/secret"}, "/nowhere/secret"),
        ({"TRUSTED_PROXIES": "many"}, "many"),
    ],
    ids=["a missing file", "text instead of a number"],
)
def test_unreadable_settings_are_rejected(settings_with, variables, named):
    with pytest.raises((OSError, ValueError), match=named):
        settings_with(**variables)


def test_keys_are_generated_once_and_only_their_owner_can_read_them(settings_with, tmp_path):
    first, second = settings_with(), settings_with()
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert first["SEAL_KEYS"] == second["SEAL_KEYS"]
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600


def test_files_written_by_the_site_are_ignored_by_git():
    written = ["var/keys.json", "var/spellcaster.sqlite3", "var/mail/one.eml", "staticfiles/x.css"]
    ignored = subprocess.run(
        ["git", "check-ignore", *written],
        cwd=services.ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ignored.stdout.split() == written
