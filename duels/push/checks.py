"""System checks for Web Push settings that would prevent notifications from arriving."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from duels.push import endpoints, vapid


@register()
def check_push_settings(
    app_configs: Sequence[AppConfig] | None, **kwargs: Any
) -> list[CheckMessage]:
    """Return all faults. If no setting is set, the site does not offer Web Push."""
    return list(_setting_faults())


def _setting_faults() -> Iterator[CheckMessage]:
    key, contact = settings.VAPID_PRIVATE_KEY, settings.VAPID_CONTACT
    if bool(key) != bool(contact):
        missing = "VAPID_CONTACT" if key else "VAPID_PRIVATE_KEY"
        yield Error(
            f"{missing} is not set, so no Web Push notifications can be sent.",
            hint="Set both variables, or neither. `manage.py make_push_keys` prints both.",
            id="push.E001",
        )
    if key and not vapid.is_private_key(key):
        yield Error(
            "VAPID_PRIVATE_KEY is not a private key on the P-256 curve.",
            hint="A key is 32 bytes in URL-safe base64. `manage.py make_push_keys` makes one.",
            id="push.E002",
        )
    if contact and not vapid.is_valid_contact(contact):
        yield Error(
            "VAPID_CONTACT is not an address that push services can use to contact you. Apple "
            "rejects every notification with such a contact.",
            hint="Set it to mailto: and a public email address, without spaces or brackets, such "
            "as mailto:you@duels.example, or to a public address such as https://duels.example.",
            id="push.E003",
        )
    for name in settings.PUSH_SERVICES:
        if not endpoints.is_service_name(name.lower()):
            yield Error(
                f"PUSH_SERVICES names {name!r}, which is not a public host.",
                hint="List host names: push.example.com, or *.push.example.com for its subdomains.",
                id="push.E004",
            )
