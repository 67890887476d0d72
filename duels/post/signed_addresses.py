"""Email addresses of the site that contain data and a message authentication code (MAC), so that
only the site can create them.

They consist of lower-case letters, digits and hyphens, because some email programs change capitals.
The part before the `@` is limited to 64 characters.
"""

import base64

from django.utils.crypto import constant_time_compare, salted_hmac

from duels.email_addresses import canonical_address


def make_signed_address(kind: str, content: str, domain: str) -> str:
    """Return a signed address that contains `kind` and `content`, or "" if there is no domain."""
    return (
        f"{kind}+{content}-{_address_authentication_code(kind, content)}@{domain}" if domain else ""
    )


def verified_content(kind: str, address: str, domain: str) -> str:
    """Return the content of this address, or "" if the site did not create the address."""
    local, _, found = canonical_address(address).rpartition("@")
    content, _, mac = local.removeprefix(f"{kind}+").rpartition("-")
    is_named = domain and found == canonical_address(domain) and local.startswith(f"{kind}+")
    is_ours = is_named and constant_time_compare(mac, _address_authentication_code(kind, content))
    return content if is_ours else ""


def _address_authentication_code(kind: str, content: str) -> str:
    return short_authentication_code(f"{kind}_address", content)


def short_authentication_code(purpose: str, text: str, length: int = 16) -> str:
    """Return a message authentication code of this many bytes, in lower-case letters and digits.
    Each purpose has its own key."""
    mac = salted_hmac(f"duels.post.{purpose}", text, algorithm="sha256").digest()
    return base64.b32encode(mac[:length]).decode().rstrip("=").lower()
