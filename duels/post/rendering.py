"""Parts of the context of emails: names, URLs, and data stored with a notice."""

import json
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.urls import reverse

import engine.words
from duels.models import Turn
from duels.post.models import Notice
from duels.sealing import seals

MAX_NAMES_IN_SUBJECT: Final = 2  # names in a subject line


def case_url(notice: Notice) -> str:
    """Return the URL of the dispute or report that the notice is about."""
    return f"{settings.SITE_URL}{reverse('case', args=[email_details(notice)['case']])}"


def email_details(notice: Notice) -> dict[str, Any]:
    """Return the data that is stored only for this email."""
    details: dict[str, Any] = json.loads(seals.decrypt(notice.details))
    return details


def turn_name(notice: Notice, turn: Turn | None) -> str:
    """Return the name of this turn in the notice's duel, or "" if there is no turn."""
    return engine.words.turn_name(notice.the_duel.ruleset, turn.kind, turn.number) if turn else ""


def shortened_names(names: Sequence[str]) -> str:
    """Return names for a subject line, such as "Bram", "Bram and Cleo" or "Bram and 6 others"."""
    if len(names) <= MAX_NAMES_IN_SUBJECT:
        return engine.words.and_list(names)
    return f"{names[0]} and {len(names) - 1} others"
