"""Signal receiver for emails that arrive through an email service. The service's requests are
verified by django-anymail.

Database errors are passed on to the service, so that it tries again.
"""

import logging
from collections.abc import Mapping
from email.policy import compat32
from typing import Any

from anymail.signals import AnymailInboundEvent, inbound
from django.dispatch import receiver

from duels.loaded.database_clock import database_now
from duels.replies.commands import receive_email

logger = logging.getLogger(__name__)


@receiver(inbound)
def process_inbound_event(event: AnymailInboundEvent, **_: Any) -> None:
    """Process an email that the service has received."""
    message = event.message
    if message is None:
        return
    try:
        raw: bytes = message.as_bytes(policy=compat32)  # other policies decode headers, slowly
    except Exception as error:  # a library's error for input that would fail again
        logger.warning(
            "An email from the email service could not be read: %s", type(error).__name__
        )
        return
    recipient = message.envelope_recipient
    receive_email(
        raw=raw,
        now=database_now(),
        recipients=[recipient] if recipient else [],
        envelope_sender=message.envelope_sender,
        is_forged=_fails_dmarc(event.esp_event),
    )


def _fails_dmarc(esp_event: object) -> bool:
    """Return whether the service reports a DMARC failure outside the headers, as SES does."""
    receipt = esp_event.get("receipt") if isinstance(esp_event, Mapping) else None
    verdict = receipt.get("dmarcVerdict") if isinstance(receipt, Mapping) else None
    return isinstance(verdict, Mapping) and verdict.get("status") == "FAIL"
