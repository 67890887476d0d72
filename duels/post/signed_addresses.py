"""Addresses of the site that contain data and a code (MAC), which only the site can make.

They consist only of small letters and digits, because email programs change capitals, and the part
before the `@` has at most 64 characters.
"""

import base64

from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address


def make_signed_address(kind: str, content: str, domain: str) -> str:
    """Return the address of this kind with this content, or "" if there is no domain."""
    return f"{kind}+{content}-{_address_mac(kind, content)}@{domain}" if domain else ""


def verified_content(kind: str, address: str, domain: str) -> str:
    """Return the content of this address, or "" if the site did not create the address."""
    local, _, found = canonical_address(address).rpartition("@")
    content, _, mac = local.removeprefix(f"{kind}+").rpartition("-")
    is_named = domain and found == canonical_address(domain) and local.startswith(f"{kind}+")
    is_ours = is_named and constant_time_compare(mac, _address_mac(kind, content))
    return content if is_ours else ""


def _address_mac(kind: str, content: str) -> str:
    return short_mac(f"{kind}_address", content)


def short_mac(purpose: str, text: str, length: int = 16) -> str:
    """Return a code of this many bytes for a text, which depends on the purpose."""
    mac = salted_hmac(f"duels.post.{purpose}", text, algorithm="sha256").digest()
    return base64.b32encode(mac[:length]).decode().rstrip("=").lower()
