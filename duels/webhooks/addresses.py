"""The addresses that each service gives out for webhooks."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from duels.webhooks.models import Service


@dataclass(frozen=True)
class AddressFormat:
    """The form of a service's addresses, and how a player finds one."""

    pattern: re.Pattern[str]  # host and path
    example: str
    source: str
    can_have_query: bool = False


# Hosts of other services, whose addresses look like those of a server of Matrix or ntfy.
_NOT_ANOTHER_SERVICE: Final = (
    r"(?!(?:.+\.)?(?:discord|discordapp|slack)\.com/|discord\.gg/|matrix\.to/)"
)
ADDRESS_FORMATS: Final = {
    Service.DISCORD: AddressFormat(
        re.compile(
            r"(?:canary\.|ptb\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/[\w-]+"
        ),
        "https://discord.com/api/webhooks/ID/TOKEN",
        "in the server’s settings, under Integrations, Webhooks, “Copy Webhook URL”. The address "
        "of an invitation does not work.",
        can_have_query=True,  # contains a thread's id
    ),
    Service.SLACK: AddressFormat(
        re.compile(rf"hooks\.slack\.com/services/\w+/\w+/\w+|{_NOT_ANOTHER_SERVICE}[^/]+/hooks/.+"),
        "https://hooks.slack.com/services/…",
        "on the page of your app at api.slack.com/apps, under Incoming Webhooks. Mattermost and "
        "Rocket.Chat accept the same messages, at addresses with /hooks/.",
    ),
    Service.MATRIX: AddressFormat(
        re.compile(_NOT_ANOTHER_SERVICE + r"[^/]+/?"),
        "https://matrix.example.org",
        "in Element, under All settings, Help & About: the homeserver and, below it, the access "
        "token. The room’s ID is in the room’s settings, under Advanced.",
    ),
    Service.NTFY: AddressFormat(
        re.compile(_NOT_ANOTHER_SERVICE + r"[^/]+/[\w-]{1,64}"),
        "https://ntfy.sh/a-secret-topic",
        "the server’s address, a slash, and the name of the topic to which you subscribe in the "
        "app. Choose a name that nobody can guess.",
    ),
}


def is_address_of(service: Service, address: str) -> bool:
    """Return whether this HTTPS address has the form of the service's webhooks."""
    parts, form = urlsplit(address), ADDRESS_FORMATS[service]
    is_bare = not parts.fragment and (form.can_have_query or not parts.query)
    return is_bare and bool(form.pattern.fullmatch(f"{parts.hostname}{parts.path}"))
