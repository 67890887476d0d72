"""Atom feeds of public duels, challenges, rated results and rulings."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from duels.models import DuelStatus, Wizard
from duels.queries import lists
from duels.queries.listing import EPOCH, DuelList, load_duel_lists
from duels.ratings.public import newest_changes_of_ruleset
from duels.referees.cases.queries import rulings_citing
from duels.screens.lists.lines import list_entries
from duels.screens.parts.rating_words import change_words, rating_words
from engine.words import versus_text

MAX_ENTRIES: Final = 30


@dataclass(frozen=True)
class FeedEntry:
    """An entry of a feed. `code` distinguishes entries that link to the same page."""

    title: str
    page: str
    at: datetime
    words: str
    code: str


class SiteFeed(Atom1Feed):
    """An Atom feed whose bytes do not change until it has a new entry."""

    def latest_post_date(self) -> datetime:
        """Return the time of the newest entry. If there are none, return a fixed time, because
        Django would use the current one."""
        return super().latest_post_date() if self.items else EPOCH


def atom_feed(title: str, page: str, address: str, entries: Iterable[FeedEntry]) -> SiteFeed:
    feed = SiteFeed(
        f"{title} · Spellcaster",
        settings.SITE_URL + page,
        None,
        language=settings.LANGUAGE_CODE,
        author_name="Spellcaster",
        feed_url=settings.SITE_URL + address,
        feed_guid=settings.SITE_URL + address,
    )
    for entry in entries:
        link = settings.SITE_URL + entry.page
        feed.add_item(
            entry.title,
            link,
            escape(entry.words),
            pubdate=entry.at,
            updateddate=entry.at,
            unique_id=f"{link}#{entry.code}",
        )
    return feed


def wizard_entries(wizard: Wizard, now: datetime) -> list[FeedEntry]:
    """Return the wizard's public finished duels and open challenges, newest first."""
    finished = lists.finished_list(wizard)
    challenges = lists.open_challenge_list(None, now).filtered(challenger=wizard)
    return _duel_entries({"finished": finished, "open": challenges})


def challenge_entries(now: datetime) -> list[FeedEntry]:
    return _duel_entries({"open": lists.open_challenge_list(None, now)})


def _duel_entries(lists_by_name: dict[str, DuelList]) -> list[FeedEntry]:
    loaded = load_duel_lists(
        {name: each.limited_to(MAX_ENTRIES) for name, each in lists_by_name.items()}, None
    )
    entries = []
    for row in (row for each in loaded.values() for row in each.rows):
        (line,) = list_entries([row])
        page, words = reverse("duel", args=[row.duel.pk]), f"{line.about}. {line.words}".strip()
        title = f"{line.title}: {line.name}" if line.name else line.title
        if row.duel.status != DuelStatus.GATHERING:
            assert row.duel.ended_at is not None
            entries.append(FeedEntry(title, page, row.duel.ended_at, words, "over"))
        elif row.free_places:
            entries.append(FeedEntry(title, page, row.duel.created_at, words, "challenge"))
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:MAX_ENTRIES]


def ladder_entries(ruleset: str) -> list[FeedEntry]:
    """Return the newest rated duels under the ruleset, and how they changed the ratings."""
    found = newest_changes_of_ruleset(ruleset, MAX_ENTRIES)
    entries = []
    for duel, changes in groupby(found, key=lambda change: change.duel_id):
        each = list(changes)
        names = versus_text(change.wizard.name for change in each)
        ratings = ", ".join(f"{row.wizard.name} {rating_words(row.after)}" for row in each)
        words = " ".join(map(change_words, each))
        page = reverse("duel", args=[duel])
        entries.append(FeedEntry(f"{names}: {ratings}", page, each[0].at, words, "rated"))
    return entries


def ruling_entries() -> list[FeedEntry]:
    return [
        FeedEntry(
            f"{ruling.title}: {ruling.get_verdict_display().lower()}",
            reverse("ruling", args=[ruling.pk]),
            ruling.published_at,
            ruling.words,
            "ruling",
        )
        for ruling in rulings_citing()[:MAX_ENTRIES]
    ]
