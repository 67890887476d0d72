"""Rendering of emails, each from three templates, and the context that all of them share."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

import engine.words
from duels.loaded import adjudication
from duels.models import Turn
from duels.post import tokens
from duels.post.headers import choices_url, headers
from duels.post.loading import reader_of
from duels.post.models import Notice, NoticeKind
from duels.post.wrapping import with_short_lines
from duels.sealing import seals

SITE_NAME: Final = "Spellcaster"
NAMED_IN_SUBJECT: Final = 2  # names in a subject line


def build_email(name: str, notice: Notice, address: str, **more: Any) -> EmailMultiAlternatives:
    others = reader_of(notice).others
    context = {
        "wizard": notice.wizard,
        "duel": notice.duel,
        "turn": notice.turn,
        "turn_name": turn_name(notice, notice.turn),
        "about": notice.about,
        "rules": adjudication.ruleset_label(notice.duel) if notice.duel else "",
        "others": engine.words.and_list(others),
        "others_in_short": shortened_names(others),
        "site_url": settings.SITE_URL,
        "url": url_of(notice),
        "choices_url": choices_url(tokens.unsubscribe_token(notice.wizard_id, notice.duel_id)),
        **more,
    }
    return rendered(name, context, address, headers(notice))


def rendered(
    name: str, context: dict[str, Any], address: str, headers: dict[str, str]
) -> EmailMultiAlternatives:
    """Return the email rendered from these three templates."""
    subject = " ".join(render_to_string(f"emails/{name}-subject.txt", context).split())
    body = _text(f"emails/{name}-body.txt", context)
    # Phones show the beginning of an email below its subject.
    words = body.partition("\n\n")[0].split()
    preview = " ".join(word for word in words if "://" not in word)
    context = {**context, "subject": subject, "preview": preview}
    mail = EmailMultiAlternatives(
        subject=subject,
        body=body,
        to=[address],
        headers=headers,
    )
    if reply_to := context.get("reply_address"):
        mail.reply_to = [f"{SITE_NAME} <{reply_to}>"]
    mail.attach_alternative(render_to_string(f"emails/{name}-body.html", context), "text/html")
    return mail


def url_of(notice: Notice) -> str:
    """Return the URL of the page that shows the notice's news."""
    if notice.kind in (NoticeKind.DISPUTED, NoticeKind.RULED):
        return f"{settings.SITE_URL}{reverse('case', args=[details_of(notice)['case']])}"
    page = reverse("duel", args=[notice.duel_id]) if notice.duel_id else reverse("home")
    return f"{settings.SITE_URL}{page}"


def details_of(notice: Notice) -> dict[str, Any]:
    """Return the data that are stored only for this email."""
    details: dict[str, Any] = json.loads(seals.decrypt(notice.details))
    return details


def _text(template: str, context: dict[str, Any]) -> str:
    """Return the text in paragraphs with one empty line between them.

    Line breaks in the templates are ignored, and the text is wrapped to fit a terminal.
    """
    text = re.sub(r"\n{3,}", "\n\n", render_to_string(template, context).strip())
    return with_short_lines(text) + "\n"


def turn_name(notice: Notice, turn: Turn | None) -> str:
    """Return the name of this turn in the notice's duel, or "" if there is no turn."""
    return engine.words.turn_name(notice.the_duel.ruleset, turn.kind, turn.number) if turn else ""


def shortened_names(names: Sequence[str]) -> str:
    """Return names for a subject line, such as "Bram", "Bram and Cleo" or "Bram and 6 others"."""
    if len(names) <= NAMED_IN_SUBJECT:
        return engine.words.and_list(names)
    return f"{names[0]} and {len(names) - 1} others"
