"""The hosts to which the site may send requests at addresses that users have entered."""

import ipaddress
import re
from typing import Final
from urllib.parse import urlsplit

PORT: Final = 443

_HOST: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]")
_PRIVATE: Final = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa")


def host_of(endpoint: str) -> str:
    """Return the host of an HTTPS address at the usual port, or "" for any other text."""
    if not re.fullmatch(r"[!-~]+", endpoint) or "\\" in endpoint:
        return ""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return ""
    is_plain = parts.scheme == "https" and "@" not in parts.netloc and port in (None, PORT)
    return parts.hostname or "" if is_plain else ""


def is_public_host(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return bool(_HOST.fullmatch(host)) and not f".{host}".endswith(_PRIVATE)
    return False
