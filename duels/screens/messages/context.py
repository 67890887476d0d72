"""Context for the pages of private messages."""

from datetime import datetime
from typing import Any

from duels.messages import public as messages
from duels.models import Wizard
from duels.screens.disputes.context import TypedForm


def threads_context(wizard: Wizard, before: int | None) -> dict[str, Any]:
    """Return the wizard's threads, newest first. If `before` is given, start after that message."""
    found = messages.threads_of(wizard, before)
    shown = found[: messages.THREADS_ON_A_PAGE]
    return {"threads": shown, "next": shown[-1].thread.newest if len(found) > len(shown) else None}


def thread_context(
    wizard: Wizard, other: Wizard, before: int | None, now: datetime, form: TypedForm
) -> dict[str, Any]:
    """Return the messages with another wizard, and whether this wizard can send more."""
    between, part = messages.relation(wizard, other), messages.participant(wizard, other)
    found = messages.messages_of(part.thread, before) if part else []
    said = found[: messages.MESSAGES_ON_A_PAGE]
    refused = messages.writing_refusal(wizard, other, between, now)
    return {
        "other": other,
        "part": part,
        "said": said[::-1],
        "earlier": said[-1].pk if len(found) > len(said) else None,
        "is_request": part is not None and part.consent == messages.Consent.PENDING,
        "can_block": not between.blocks and other.pk != wizard.pk,
        "why_not": refused.text if refused else "",
        "form": form,
        "message_length": messages.MESSAGE_LENGTH,
        "wizard": wizard,
    }
