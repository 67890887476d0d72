"""Checks that hosts in addresses entered by users are public."""

import ipaddress
import re
import socket
from typing import Final
from urllib.parse import urlsplit

HTTPS_PORT: Final = 443

_HOST_PATTERN: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]"
)
_PRIVATE_SUFFIXES: Final = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa")
# Networks that `ipaddress` in Python 3.11 does not exclude: protocol assignments, relays,
# documentation.
_SPECIAL_NETWORKS: Final = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "2002::/16", "3fff::/20"))
)
_GLOBAL_IPV6: Final = ipaddress.ip_network("2000::/3")  # excludes mapped and translated IPv4


class PrivateAddress(OSError):
    """Error for a host with an address in a private network."""


def host_of(endpoint: str) -> str:
    """Return the host of an HTTPS address at the usual port, or "" for any other text."""
    if not re.fullmatch(r"[!-~]+", endpoint) or "\\" in endpoint:
        return ""
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return ""
    is_plain = parts.scheme == "https" and "@" not in parts.netloc and port in (None, HTTPS_PORT)
    return parts.hostname or "" if is_plain else ""


def is_public_host(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return bool(_HOST_PATTERN.fullmatch(host)) and not f".{host}".endswith(_PRIVATE_SUFFIXES)
    return False


def public_address(host: str) -> str:
    """Return an IP address of this host. Raise `PrivateAddress` unless all are public.

    Callers must connect to this address, because the name may resolve to another one the next time.
    """
    found = socket.getaddrinfo(host, HTTPS_PORT, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    if not all(map(is_public_address, addresses)):
        raise PrivateAddress(f"{host} has an address in a private network")
    return addresses[0]


def is_public_address(text: str) -> bool:
    """Return whether this IP address can be reached from the public Internet."""
    address = ipaddress.ip_address(text)
    if not address.is_global or address.is_multicast:
        return False
    if address.version == 6 and address not in _GLOBAL_IPV6:
        return False
    return not any(address in network for network in _SPECIAL_NETWORKS)
