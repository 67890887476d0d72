"""Headers of emails, which identify each email and group all emails about a duel in a thread.

They do not depend on the emails sent before.
"""

import hashlib
from datetime import datetime

from django.conf import settings
from django.urls import reverse

from duels.delivery.message_ids import site_domain
from duels.models import Duel
from duels.post import tokens
from duels.post.models import Notice


def notice_headers(notice: Notice) -> dict[str, str]:
    """Return the headers of this notice's email, except its subject and recipient."""
    own = {"Message-ID": message_id(notice)}
    if notice.duel is not None:
        thread = thread_id(notice.duel)
        own |= {"In-Reply-To": thread, "References": thread}
    return own | _common_headers(tokens.unsubscribe_token(notice.wizard_id, notice.duel_id))


def daily_headers(wizard_id: int, moment: datetime) -> dict[str, str]:
    """Return the headers of the daily email of this time, which belongs to no duel."""
    name = f"daily.{wizard_id}.{_text_digest(str(moment.timestamp()))}"
    return {"Message-ID": f"<{name}@{site_domain()}>"} | _common_headers(
        tokens.unsubscribe_token(wizard_id)
    )


def email_choices_url(token: str) -> str:
    """Return the URL for changing email preferences without signing in."""
    return f"{settings.SITE_URL}{reverse('mail_off', args=[token])}"


def _common_headers(token: str) -> dict[str, str]:
    """Return the headers that all emails have.

    They state that the email was sent by a program, that automatic replies and emoji reactions are
    not wanted, and how to unsubscribe with one click (RFC 8058).
    """
    return {
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "x-ms-reactions": "disallow",
        "List-Unsubscribe": f"<{email_choices_url(token)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def message_id(notice: Notice) -> str:
    """Return a Message-ID for this notice that never changes and is unique across sites."""
    written = f"{notice.key} {notice.created_at.timestamp()}"
    return f"<notice.{notice.pk}.{_text_digest(written)}@{site_domain()}>"


def thread_id(duel: Duel) -> str:
    """Return the Message-ID of the thread about this duel, which no email has itself."""
    return f"<duel.{duel.pk}.{_text_digest(str(duel.created_at.timestamp()))}@{site_domain()}>"


def _text_digest(text: str) -> str:
    """Return a digest for ids, because primary keys can repeat after a restore."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
