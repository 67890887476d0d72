"""Rendering of emails, each from three templates."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse

import engine
from duels.delivery.wrapping import with_short_lines
from duels.models import Turn
from duels.post.models import Notice
from duels.sealing import seals

SITE_NAME: Final = "Spellcaster"
NAMED_IN_SUBJECT: Final = 2  # names in a subject line


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


def duel_url(notice: Notice) -> str:
    """Return the URL of the notice's duel, or of the home page if there is none."""
    page = reverse("duel", args=[notice.duel_id]) if notice.duel_id else reverse("home")
    return f"{settings.SITE_URL}{page}"


def case_url(notice: Notice) -> str:
    """Return the URL of the dispute or report that the notice is about."""
    return f"{settings.SITE_URL}{reverse('case', args=[details_of(notice)['case']])}"


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
    return engine.turn_name(notice.the_duel.ruleset, turn.kind, turn.number) if turn else ""


def shortened_names(names: Sequence[str]) -> str:
    """Return names for a subject line, such as "Bram", "Bram and Cleo" or "Bram and 6 others"."""
    if len(names) <= NAMED_IN_SUBJECT:
        return engine.and_list(names)
    return f"{names[0]} and {len(names) - 1} others"
