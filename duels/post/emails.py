"""Emails for a single notice or for all notices of a day.

An email contains only what its reader may see (`queries.story`). Following a link in it only opens
a page. It never contains another person's address.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone

import engine.play
import engine.words
from duels.accounts.preferences import time_zone_of
from duels.delivery.email_rendering import render_email
from duels.loaded import adjudication
from duels.post import tokens
from duels.post.bounce_address import make_bounce_address
from duels.post.headers import daily_headers, email_choices_url, notice_headers
from duels.post.kinds.registry import kind_of
from duels.post.loading import reader_of
from duels.post.models import Notice
from duels.post.rendering import shortened_names, turn_name

SITE_NAME: Final = "Spellcaster"


def email_for(letter: Sequence[Notice]) -> EmailMultiAlternatives | None:
    """Return the email for one notice, or for all notices of a reader's daily email.

    Return None if there is no address to send it to, or nothing left to report.
    """
    first = letter[0]
    address = reader_of(first).address
    if not address:
        return None
    # Use the reader's time zone, not that of the current request or worker.
    with timezone.override(time_zone_of(first.wizard)):
        if first.daily_at is not None:
            mail = _daily_email(letter, address, first.daily_at)
        else:
            mail = _single_email(first, address)
    bounce_to = make_bounce_address(first.pk, address)
    if mail is not None and bounce_to and not settings.EMAIL_SERVICE:
        # In Django, `from_email` is the envelope sender if there is also a From header.
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = bounce_to
    return mail


def _single_email(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    kind = kind_of(notice)
    own = kind.context(notice)
    if own is None:
        return None
    context = _common_context(notice) | own
    mail = render_email(f"emails/{kind.code}.html", context, [address], notice_headers(notice))
    if reply_to := context.get("reply_address"):
        mail.reply_to = [f"{SITE_NAME} <{reply_to}>"]
    return mail


def _common_context(notice: Notice) -> dict[str, Any]:
    others = reader_of(notice).others
    return {
        "wizard": notice.wizard,
        "duel": notice.duel,
        "turn": notice.turn,
        "turn_name": turn_name(notice, notice.turn),
        "about": notice.about,
        "rules": adjudication.ruleset_label(notice.duel) if notice.duel else "",
        "others": engine.words.and_list(others),
        "others_in_short": shortened_names(others),
        "site_url": settings.SITE_URL,
        "url": kind_of(notice).url(notice),
        "choices_url": email_choices_url(
            tokens.unsubscribe_token(notice.wizard_id, notice.duel_id)
        ),
    }


def _daily_email(
    letter: Sequence[Notice], address: str, moment: datetime
) -> EmailMultiAlternatives | None:
    mails = [(notice, _single_email(notice, address)) for notice in letter]
    lines = [
        (mail.subject, kind_of(notice).time_limit(notice), kind_of(notice).url(notice))
        for notice, mail in mails
        if mail is not None
    ]
    if not lines:
        return None
    wizard = letter[0].wizard
    token = tokens.unsubscribe_token(wizard.pk)
    context = {
        "wizard": wizard,
        "lines": lines,
        "url": settings.SITE_URL + reverse("home"),
        "choices_url": email_choices_url(token),
    }
    return render_email("emails/daily.html", context, [address], daily_headers(wizard.pk, moment))
