"""Web Push settings: checks that find mistakes, and the command that creates a key pair."""

from io import StringIO

import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.test import override_settings

from duels.push import endpoints, vapid
from duels.push.checks import check_push_settings
from tests.services import VAPID_SETTINGS

KEY, CONTACT = VAPID_SETTINGS["VAPID_PRIVATE_KEY"], VAPID_SETTINGS["VAPID_CONTACT"]


def check_ids(key: str, contact: str, *services: str) -> list[str | None]:
    values = {"VAPID_PRIVATE_KEY": key, "VAPID_CONTACT": contact, "PUSH_SERVICES": list(services)}
    with override_settings(**values):
        return [message.id for message in check_push_settings(None)]


@pytest.mark.parametrize(
    ("key", "contact", "services"),
    [
        (KEY, CONTACT, []),
        (KEY, "https://duels.example/contact", []),
        (KEY, "mailto:Keeper.One+push@Duels.Example", []),
        (KEY, "https://duels.example", ["push.example.net", "*.push.example.com"]),
        ("", "", []),
    ],
)
def test_valid_push_settings_pass(key: str, contact: str, services: list[str]):
    assert check_ids(key, contact, *services) == []


@pytest.mark.parametrize(
    ("id_", "key", "contact", "services"),
    [
        ("push.E001", KEY, "", []),
        ("push.E001", "", CONTACT, []),
        ("push.E002", KEY[:-2], CONTACT, []),
        ("push.E002", "not a key", CONTACT, []),
        ("push.E002", "A" * 43, CONTACT, []),  # zero is not a valid private key
        ("push.E003", KEY, "keeper@duels.example", []),
        ("push.E003", KEY, "mailto:", []),
        *(
            ("push.E003", KEY, contact, [])
            for contact in (
                "mailto: keeper@duels.example",
                "mailto:<keeper@duels.example>",
                "MAILTO:keeper@duels.example",
                "mailto:keeper@duels.example?subject=push",
                "mailto:keeper@localhost",
                "mailto:keeper@duels.local",
                "mailto:a@b@duels.org",
                "mailto:keeper@duels.invalid",
                "mailto:keeper@[10.0.0.1]",
                "mailto:duels.org",
                "mailto:a@duels.org,b@duels.org",
                "https://localhost",
                "https://10.0.0.1",
                "http://duels.example",
                "https://duels",
                "https://",
                "https:duels.example",
                "mailto:keeper@duels.example ",
                "https://x@duels.org",
                "mailto://a@duels.org",
            )
        ),
        ("push.E004", KEY, CONTACT, ["10.0.0.1"]),
        ("push.E004", KEY, CONTACT, ["https://push.example.net/"]),
    ],
)
def test_each_error_in_push_settings_has_its_id(
    id_: str, key: str, contact: str, services: list[str]
):
    assert check_ids(key, contact, *services) == [id_]


def test_push_settings_are_checked_with_the_system_checks_of_django() -> None:
    with override_settings(VAPID_PRIVATE_KEY=KEY, VAPID_CONTACT=""):
        assert "push.E001" in [message.id for message in run_checks()]


def test_command_creates_a_new_pair_of_push_keys_each_time() -> None:
    keys = set()
    for _ in range(2):
        out = StringIO()
        call_command("make_push_keys", stdout=out)
        key, contact = (line.partition("=")[2] for line in out.getvalue().splitlines())
        assert check_ids(key, contact) == []
        keys.add(key)
    assert len(keys) == 2


def test_public_push_key_has_the_size_that_browsers_expect() -> None:
    with override_settings(VAPID_PRIVATE_KEY=KEY):
        assert len(endpoints.parse_public_key(vapid.public_key())) == endpoints.POINT_BYTES
