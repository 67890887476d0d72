"""The headers of the mails: by them a mail program tells one mail from another, and puts those of
one duel into one conversation. They never depend on what was sent before."""

import hashlib
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from duels.models import Duel
from duels.post import tokens
from duels.post.models import Notice


def headers(notice: Notice) -> dict[str, str]:
    """What the mail of this notice says of itself, beside its subject and whom it is for."""
    own = {"Message-ID": message_id(notice)}
    if notice.duel is not None:
        thread = thread_id(notice.duel)
        own |= {"In-Reply-To": thread, "References": thread}
    return own | _of_every_mail(tokens.token(notice.wizard_id, notice.duel_id))


def daily_headers(wizard_id: int, moment: datetime) -> dict[str, str]:
    """The same of the daily mail of this moment, which belongs to no one duel."""
    name = f"daily.{wizard_id}.{_digest(str(moment.timestamp()))}"
    return {"Message-ID": f"<{name}@{_domain()}>"} | _of_every_mail(tokens.token(wizard_id))


def choices_url(token: str) -> str:
    """Where the holder of this token says which mails they want, without signing in."""
    return f"{settings.SITE_URL}{reverse('mail_off', args=[token])}"


def _of_every_mail(token: str) -> dict[str, str]:
    """No person has sent it; one click in the mail program ends all mails (RFC 8058)."""
    return {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{choices_url(token)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def message_id(notice: Notice) -> str:
    """The same whenever the same notice is sent; no other notice has it, nor another site."""
    written = f"{notice.key} {notice.created_at.timestamp()}"
    return f"<notice.{notice.pk}.{_digest(written)}@{_domain()}>"


def thread_id(duel: Duel) -> str:
    """What every mail of this duel refers to. No mail has it as its own."""
    return f"<duel.{duel.pk}.{_digest(str(duel.created_at.timestamp()))}@{_domain()}>"


def _digest(text: str) -> str:
    """Primary keys alone may come again, where a database was restored."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _domain() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"
