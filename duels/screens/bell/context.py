"""The wizard's latest news as entries with links."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.text import capfirst

from duels.models import Wizard
from duels.post import public as post
from duels.screens.parts.notice_titles import notice_titles


@dataclass(frozen=True)
class NewsEntry:
    """An entry in the list of news."""

    title: str  # "Against Bram, turn 7", or the event alone if it is not about a turn
    event: str
    path: str
    at: datetime
    is_unread: bool


def news_entries(wizard: Wizard) -> Sequence[NewsEntry]:
    """Return the latest news, newest first."""
    notices = list(post.newest_notices(wizard))
    titles = notice_titles(wizard, [(each.duel_id, each.turn_id) for each in notices])
    return [
        NewsEntry(
            title=title or (notice.about.name if notice.about else "Spellcaster"),
            event=capfirst(notice.get_kind_display()),
            path=notice.path,
            at=notice.created_at,
            is_unread=notice.is_unread,
        )
        for notice, title in zip(notices, titles, strict=True)
    ]
