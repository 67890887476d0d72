"""Every bad combination of settings is found, by its id; a sound production finds none."""

from typing import Any

import pytest
from django.core.checks import run_checks
from django.test import override_settings

from duels.checks import check_settings
from tests.services import TEST_KEYS

PRODUCTION: dict[str, Any] = {
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

EMBEDDED: dict[str, Any] = {
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


def found(settings: dict[str, Any]) -> list[str | None]:
    with override_settings(**settings):
        return [message.id for message in check_settings(None)]


@pytest.mark.parametrize("settings", [PRODUCTION, EMBEDDED], ids=["production", "embedded"])
def test_sound_settings_have_no_fault(settings: dict[str, Any]) -> None:
    assert found(settings) == []


@pytest.mark.parametrize(
    ("id_", "fault"),
    [
        ("duels.E001", {"SECRET_KEY_GENERATED": True}),
        ("duels.E002", {"SEAL_KEYS_GENERATED": True}),
        ("duels.E003", {"SEAL_KEYS": ["too short"]}),
        ("duels.E003", {"SEAL_KEYS": [TEST_KEYS["SEAL_KEYS"], "ärger"]}),
        ("duels.E004", {"DEBUG": True}),
        ("duels.E005", {"CELERY_TASK_ALWAYS_EAGER": True}),
        ("duels.E006", {"EMAIL_URL": ""}),
        ("duels.E007", {"SITE_URL": "duels.example"}),
        ("duels.E007", {"SITE_URL": "https://duels.example/site"}),
        ("duels.E008", {"SITE_URL": "http://duels.example"}),
        ("duels.E009", {"TRUSTED_PROXIES": -1}),
        ("duels.W001", {"REDIS_URL": ""}),
    ],
)
def test_each_fault_has_its_id(id_: str, fault: dict[str, Any]) -> None:
    assert found(PRODUCTION | fault) == [id_]


def test_the_checks_run_with_djangos_own() -> None:
    with override_settings(**PRODUCTION | {"SECRET_KEY_GENERATED": True}):
        assert "duels.E001" in [message.id for message in run_checks()]
