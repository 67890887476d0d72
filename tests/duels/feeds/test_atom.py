"""Tests that Atom feeds contain only public data, and are sent again only after a change."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from lxml import etree

from duels.commands import endings
from duels.models import Wizard
from duels.referees.models import Case, Ruling
from tests.cast import NOW, Cast, begin, challenge
from tests.duels.ratings.test_commands import kill_loser, play_rated_duel

pytestmark = pytest.mark.django_db

ATOM_NAMESPACE = "{http://www.w3.org/2005/Atom}"
PAGES_BY_FEED = {
    "/wizards/ada/feed.atom": "/wizards/ada/",
    "/ladders/bartle-1/feed.atom": "/ladders/bartle-1/",
    "/duels/open.atom": "/duels/?show=open",
    "/rulings/feed.atom": "/rulings/",
}


def fetch_feed(path: str, **headers: str) -> Any:
    return Client().get(path, headers=headers)


def entries(path: str) -> list[dict[str, str]]:
    """Check a feed, and return its entries, each as a dictionary of texts by element."""
    answer = fetch_feed(path)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = etree.fromstring(answer.content)
    assert feed.findtext(f"{ATOM_NAMESPACE}id") == settings.SITE_URL + path
    assert feed.findtext(f"{ATOM_NAMESPACE}author/{ATOM_NAMESPACE}name")
    assert feed.findtext(f"{ATOM_NAMESPACE}updated")
    found = [
        {child.tag.removeprefix(ATOM_NAMESPACE): child.text or child.get("href") for child in entry}
        for entry in feed.iter(f"{ATOM_NAMESPACE}entry")
    ]
    assert len({entry["id"] for entry in found}) == len(found)
    assert all(entry["link"].startswith(settings.SITE_URL) for entry in found)
    return found


def publish_ruling(cast: Cast) -> None:
    case = Case.objects.create(
        kind="report",
        opened_by=cast.ada,
        about=cast.bram,
        words="It broke.",
        opened_at=NOW,
        category="other",
    )
    Ruling.objects.create(
        case=case,
        referee_name="Rhea",
        verdict="other",
        words="It did not.",
        private_words="Ada was hasty.",
        published_at=NOW,
    )


def finished_duel(wizard: Wizard, opponent: Wizard, visibility: str = "public") -> int:
    duel = begin(wizard, opponent, visibility=visibility)
    return endings.resign(duel_id=duel.pk, wizard=opponent, now=NOW).pk


def test_wizard_feed_has_finished_duels_and_open_challenges(cast: Cast) -> None:
    over = finished_duel(cast.ada, cast.bram)
    finished_duel(cast.ada, cast.cleo, visibility="private")
    begin(cast.ada, cast.dorn)
    now = timezone.now()
    is_open = challenge(cast.ada, words="Who <dares> & wins?", now=now)
    challenge(cast.ada, cast.bram, now=now)
    challenge(cast.bram, now=now)
    newest, oldest = entries("/wizards/ada/feed.atom")
    assert newest["link"].endswith(f"/duels/{is_open.pk}/")
    assert "Who &lt;dares&gt; &amp; wins?" in newest["summary"]
    assert oldest["link"].endswith(f"/duels/{over}/")
    assert "Ada won" in oldest["summary"]


def test_feed_of_open_challenges_omits_full_and_expired_challenges(cast: Cast) -> None:
    now = timezone.now()
    is_open = challenge(cast.ada, now=now)
    challenge(cast.bram, now=now - timedelta(days=365))
    challenge(cast.cleo, visibility="private", invitation=True, now=now)
    (entry,) = entries("/duels/open.atom")
    assert entry["link"].endswith(f"/duels/{is_open.pk}/")


def test_ladder_feed_has_the_newest_rating_changes(cast: Cast) -> None:
    duel = kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram)
    (entry,) = entries("/ladders/bartle-1/feed.atom")
    assert entry["title"] == "Ada against Bram: Ada 1662\u00a0±\u00a0569, Bram 1338\u00a0±\u00a0569"
    assert entry["link"].endswith(f"/duels/{duel.pk}/")
    assert "Ada scored 1 by killing the opponent" in entry["summary"]


def test_feed_of_rulings_has_only_their_published_text(cast: Cast) -> None:
    publish_ruling(cast)
    (entry,) = entries("/rulings/feed.atom")
    assert entry["summary"] == "It did not."


@pytest.mark.parametrize("path", PAGES_BY_FEED)
def test_unchanged_feed_is_not_sent_again(cast: Cast, path: str) -> None:
    empty = fetch_feed(path)
    assert fetch_feed(path, if_none_match=empty["ETag"]).status_code == 304
    kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram)
    challenge(cast.ada, now=timezone.now())
    publish_ruling(cast)
    filled = fetch_feed(path, if_none_match=empty["ETag"])
    assert filled.status_code == 200
    assert fetch_feed(path, if_none_match=filled["ETag"]).status_code == 304
    assert fetch_feed(path, if_modified_since=filled["Last-Modified"]).status_code == 304


@pytest.mark.parametrize(("path", "page"), PAGES_BY_FEED.items())
def test_pages_link_to_their_feeds(cast: Cast, path: str, page: str) -> None:
    links = etree.HTML(fetch_feed(page).content).iterfind(".//link[@type='application/atom+xml']")
    assert [link.get("href") for link in links] == [path]


def test_feeds_need_few_queries(cast: Cast) -> None:
    for _ in range(3):
        kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram)
        challenge(cast.ada, now=timezone.now())
    costs = {}
    for path in PAGES_BY_FEED:
        with CaptureQueriesContext(connection) as captured:
            assert fetch_feed(path).status_code == 200
        costs[path] = len(captured)
    assert max(costs.values()) <= 4, costs


@pytest.mark.parametrize("path", ["/wizards/nobody/feed.atom", "/ladders/chess/feed.atom"])
def test_unknown_feed_returns_404(path: str) -> None:
    assert fetch_feed(path).status_code == 404
