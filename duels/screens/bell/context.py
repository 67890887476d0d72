"""The wizard's latest news as entries with links."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.text import capfirst

from duels.models import Outcome, Seat, Wizard
from duels.post import public as post
from duels.post.kinds.over import Over
from duels.screens.parts.notice_titles import notice_titles
from duels.screens.parts.outcomes import OWN_OUTCOME_WORDS


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
    results = _own_results(wizard, notices)
    return [
        NewsEntry(
            title=title or (notice.about.name if notice.about else "Spellcaster"),
            event=capfirst(notice.get_kind_display()) + results.get(notice.pk, ""),
            path=notice.path,
            at=notice.created_at,
            is_unread=notice.is_unread,
        )
        for notice, title in zip(notices, titles, strict=True)
    ]


def _own_results(wizard: Wizard, notices: Sequence[post.Notice]) -> dict[int, str]:
    """Return the wizard's results, such as ": you won", for the notices that a duel is over."""
    over = {notice.pk: notice.duel_id for notice in notices if notice.kind == Over.code}
    seats = Seat.objects.filter(wizard=wizard, duel__in=over.values()).exclude(outcome="")
    outcomes = {duel: Outcome(code) for duel, code in seats.values_list("duel", "outcome")}
    return {
        pk: f": {OWN_OUTCOME_WORDS[outcomes[duel]]}"
        for pk, duel in over.items()
        if duel in outcomes
    }
