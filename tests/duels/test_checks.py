"""Checks of settings: invalid combinations are reported with an id, and valid settings pass."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.checks import run_checks
from django.test import Client, override_settings

from duels.checks import check_deployment, check_settings
from spellcaster.email_services import SERVICES, chosen_service
from tests.services import TEST_KEYS, example_environment

pytestmark = pytest.mark.sqlite

PRODUCTION_SETTINGS: dict[str, Any] = {
    "ADMINS": [("Operator", "operator@duels.example")],
    "ALLOWED_HOSTS": ["duels.example"],
    "CACHE_URL": "redis://redis.example/1",
    "CELERY_TASK_ALWAYS_EAGER": False,
    "DEBUG": False,
    "EMAIL_URL": "smtp://mail.example",
    "EMBEDDED_DATABASE": False,
    "HTTPS": True,
    "REDIS_URL": "redis://redis.example",
    "SEAL_KEYS": [TEST_KEYS["SEAL_KEYS"]],
    "SEAL_KEYS_GENERATED": False,
    "SECRET_KEY_GENERATED": False,
    "SITE_URL": "https://duels.example",
    "TRUSTED_PROXIES": 1,
}

POSTMARK_SETTINGS = chosen_service("postmark", lambda option: "user:word")

EMBEDDED_SETTINGS: dict[str, Any] = {
    "CACHE_URL": "",
    "CELERY_TASK_ALWAYS_EAGER": True,
    "DEBUG": True,
    "EMAIL_URL": "",
    "EMBEDDED_DATABASE": True,
    "HTTPS": False,
    "REDIS_URL": "",
    "SEAL_KEYS": [TEST_KEYS["SEAL_KEYS"]],
    "SEAL_KEYS_GENERATED": True,
    "SECRET_KEY_GENERATED": True,
    "SITE_URL": "http://127.0.0.1:8000",
    "TRUSTED_PROXIES": 0,
}


def check_ids(settings: dict[str, Any]) -> list[str | None]:
    with override_settings(**settings):
        return [message.id for message in check_settings(None)]


def deployment_check_ids(settings: dict[str, Any]) -> list[str | None]:
    """Return the ids that only `check --deploy` reports."""
    with override_settings(**settings):
        return [message.id for message in check_deployment(None)]


EXAMPLE_ENVIRONMENT = example_environment()


def test_example_environment_can_be_sourced_by_a_shell(tmp_path: Path) -> None:
    """Every line must be a single assignment, even if it is commented out."""
    text = (settings.BASE_DIR / ".env.example").read_text()
    everything = tmp_path / "env"
    everything.write_text(re.sub(r"(?m)^# (?=[A-Z_]+=)", "", text))
    command = ["sh", "-euc", f"set -a; . {everything}; exec env -0"]
    done = subprocess.run(command, env={}, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    read = dict(line.split("=", 1) for line in done.stdout.split("\0") if line)
    assert EXAMPLE_ENVIRONMENT.items() <= read.items()
    assert read["PUSH_SERVICES"] == "push.example.net,*.push.example.com"
    assert len(re.findall(r"(?m)^(?:# )?[A-Z_]+='[^']*'$", text)) == len(
        re.findall(r"(?m)^(?:# )?[A-Z_]+=", text)
    )


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("duels.E040", {"SECRET_KEY": EXAMPLE_ENVIRONMENT["SECRET_KEY"]}),
        ("duels.E041", {"SEAL_KEYS": EXAMPLE_ENVIRONMENT["SEAL_KEYS"].split(",")}),
        ("duels.E041", {"SEAL_KEYS": [TEST_KEYS["SEAL_KEYS"], EXAMPLE_ENVIRONMENT["SEAL_KEYS"]]}),
    ],
)
def test_secret_keys_of_the_example_are_rejected(id_: str, fault: dict[str, Any]) -> None:
    assert check_ids(PRODUCTION_SETTINGS | fault) == [id_]


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("duels.W040", {"TRUSTED_PROXIES": 0}),
        ("duels.E042", {"ALLOWED_HOSTS": ["duels.example", "*"]}),
        ("duels.E043", {"ALLOWED_HOSTS": ["other.example"]}),
        ("duels.W041", {"ADMINS": []}),
    ],
)
def test_deployment_check_reports_each_problem(id_: str, fault: dict[str, Any]) -> None:
    assert deployment_check_ids(PRODUCTION_SETTINGS) == []
    assert deployment_check_ids(PRODUCTION_SETTINGS | fault) == [id_]


def test_site_without_tls_and_proxies_passes_the_deployment_check() -> None:
    tried_out = {"HTTPS": False, "TRUSTED_PROXIES": 0, "SITE_URL": "http://duels.example"}
    assert deployment_check_ids(PRODUCTION_SETTINGS | tried_out) == []


def test_untrusted_proxy_causes_a_redirect_loop(settings: Any, client: Client) -> None:
    """The check for proxies warns of this loop, which does not occur if the proxy is trusted."""
    settings.SECURE_SSL_REDIRECT = True
    by_tls = {"x-forwarded-proto": "https"}
    lost = client.get("/about/", headers=by_tls)
    assert lost.headers["Location"] == "https://testserver/about/"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    assert client.get("/about/", headers=by_tls).status_code == 200


@pytest.mark.parametrize(
    "settings", [PRODUCTION_SETTINGS, EMBEDDED_SETTINGS], ids=["production", "embedded"]
)
def test_valid_settings_pass_every_check(settings: dict[str, Any]) -> None:
    assert check_ids(settings) == []


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("duels.E001", {"SECRET_KEY_GENERATED": True}),
        ("duels.E030", {"CACHE_URL": "redis://redis.example"}),
        ("duels.E030", {"CACHE_URL": "redis://:word@REDIS.example:6379/0"}),
        ("duels.E030", {"CACHE_URL": "redis://redis.example/7?db=0"}),
        ("duels.E031", {"CACHE_URL": "redis://redis.example/first"}),
        ("duels.E031", {"REDIS_URL": "redis://redis.example:port/1"}),
        ("duels.E002", {"SEAL_KEYS_GENERATED": True}),
        ("duels.E003", {"SEAL_KEYS": ["too short"]}),
        ("duels.E003", {"SEAL_KEYS": [TEST_KEYS["SEAL_KEYS"], "ärger"]}),
        ("duels.E004", {"DEBUG": True}),
        ("duels.E005", {"CELERY_TASK_ALWAYS_EAGER": True}),
        ("duels.E006", {"EMAIL_URL": ""}),
        ("duels.E007", {"SITE_URL": "duels.example"}),
        ("duels.E007", {"SITE_URL": "https://duels.example/site"}),
        ("duels.E008", {"SITE_URL": "http://duels.example"}),
        ("duels.E010", {"REPLY_DOMAIN": "reply@duels.example"}),
        ("duels.E016", {"BOUNCE_DOMAIN": "bounce@duels.example"}),
        ("duels.E011", {"EMAIL_SERVICE": "postmark", "MAIL_SERVICE": POSTMARK_SETTINGS}),
        ("duels.E012", {"EMAIL_URL": "", "EMAIL_SERVICE": "pigeons"}),
        ("duels.E009", {"TRUSTED_PROXIES": -1}),
        ("duels.W001", {"REDIS_URL": ""}),
    ],
)
def test_each_settings_error_is_reported_with_its_id(id_: str, fault: dict[str, Any]) -> None:
    assert check_ids(PRODUCTION_SETTINGS | fault) == [id_]


def settings_with_service(name: str, **variables: str) -> dict[str, Any]:
    """Return production settings with this email service and these variables."""
    service = chosen_service(name, lambda option: variables.get(option, ""))
    return PRODUCTION_SETTINGS | {"EMAIL_URL": "", "EMAIL_SERVICE": name, "MAIL_SERVICE": service}


WEBHOOK_SECRET = {"ANYMAIL_WEBHOOK_SECRET": "postmaster:a long random word"}


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"amazon_ses"}))
def test_missing_options_of_each_email_service_are_reported(name: str) -> None:
    needed = dict.fromkeys(SERVICES[name].required, "x")
    assert check_ids(settings_with_service(name, **WEBHOOK_SECRET | needed)) == []
    for option in needed:
        lacking = WEBHOOK_SECRET | {each: "x" for each in needed if each != option}
        with override_settings(**settings_with_service(name, **lacking)):
            (message,) = check_settings(None)
        assert message.id == "duels.E013"
        assert f"{option} is not set" in message.msg


@pytest.mark.parametrize("secret", ["", "without a colon", "user:"])
def test_email_service_with_webhooks_needs_a_secret(secret: str) -> None:
    token = {"POSTMARK_SERVER_TOKEN": "x", "ANYMAIL_WEBHOOK_SECRET": secret}
    assert check_ids(settings_with_service("postmark", **token)) == ["duels.E014"]


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("mailgun", {"MAILGUN_API_KEY": "x", "MAILGUN_WEBHOOK_SIGNING_KEY": "x"}),
        ("unisender_go", {"UNISENDER_GO_API_KEY": "x", "UNISENDER_GO_API_URL": "x"}),
        ("scaleway", {"SCALEWAY_SECRET_KEY": "x", "SCALEWAY_PROJECT_ID": "x"}),
    ],
)
def test_email_service_needs_no_secret_if_it_signs_events_or_has_no_webhooks(
    name: str, variables: dict[str, str]
) -> None:
    assert check_ids(settings_with_service(name, **variables)) == []


def test_missing_package_of_an_email_service_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spellcaster.email_services.find_spec", lambda name: None)
    with override_settings(**settings_with_service("amazon_ses", **WEBHOOK_SECRET)):
        (message,) = check_settings(None)
    assert message.id == "duels.E015"
    assert "boto3" in message.msg


def test_checks_of_settings_are_registered_with_django() -> None:
    with override_settings(**PRODUCTION_SETTINGS | {"SECRET_KEY_GENERATED": True}):
        assert "duels.E001" in [message.id for message in run_checks()]
