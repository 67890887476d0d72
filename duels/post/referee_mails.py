"""Emails about disputes, reports, rulings and referees' acts."""

from datetime import datetime

from django.core.mail import EmailMultiAlternatives

from duels.models import Act
from duels.post.models import Notice
from duels.post.rendering import build_email, details_of
from duels.referees.log.visible_acts import visible_act
from duels.wording.moments import moment_words


def disputed_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    """Return the email about a new dispute or appeal, its end without a ruling, or a referee's
    message.

    Players' statements in the case are not in the email, only on the case's page.
    """
    is_mine = notice.about_id == notice.wizard_id
    return build_email("disputed", notice, address, is_mine=is_mine, **details_of(notice))


def ruled_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    details = details_of(notice)
    until = details.pop("appeal_until")
    words = moment_words(datetime.fromisoformat(until), "day") if until else ""
    return build_email("ruled", notice, address, appeal_until=words, **details)


def refereed_email(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """Return the email about a referee's act, or None if the reader may no longer see the act."""
    act = visible_act(Act.objects.get(pk=details_of(notice)["act"]), notice.wizard)
    return build_email("refereed", notice, address, act=act, case=act.case) if act else None
