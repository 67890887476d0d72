"""Return addresses for undeliverable emails (variable envelope return path, VERP).

The envelope sender contains a token for a notice and its recipient's address. The token can turn
off emails only to that address. Nobody can turn off another person's emails, because only the
recipient and the servers on the way see the token.
"""

from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare

from duels.email_addresses import canonical_address
from duels.post.signed_addresses import (
    make_signed_address,
    short_authentication_code,
    verified_content,
)

BOUNCE_PURPOSE = "bounce"
DIGEST_BYTES = 5


class BouncedNotice(NamedTuple):
    """A notice that bounced, with a digest of the address it was sent to."""

    notice_id: int
    digest: str

    def is_of(self, address: str) -> bool:
        """Return whether the email was sent to this address."""
        return constant_time_compare(self.digest, _address_digest(address))


def make_bounce_address(notice_id: int, address: str) -> str:
    """Return the bounce address for this notice and recipient, or "" if bounces are turned off."""
    return make_signed_address(
        BOUNCE_PURPOSE, f"{notice_id}-{_address_digest(address)}", settings.BOUNCE_DOMAIN
    )


def parse_bounce_address(address: str) -> BouncedNotice | None:
    """Return the notice that this bounce address names, or None if it is not the site's."""
    notice_id, _, digest = verified_content(
        BOUNCE_PURPOSE, address, settings.BOUNCE_DOMAIN
    ).partition("-")
    return BouncedNotice(int(notice_id), digest) if notice_id else None


def _address_digest(address: str) -> str:
    return short_authentication_code(
        "bounce_address.digest", canonical_address(address), DIGEST_BYTES
    )
