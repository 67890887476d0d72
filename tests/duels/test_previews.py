"""Link previews of challenges and of pages about the site, as other sites read them."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from duels.models import Wizard
from tests.cast import Cast, challenge
from tests.duels.test_guests import sign_in
from tests.duels.test_invite_friend import create_invitation
from tests.duels.test_invited_guests import accept_invitation, invite
from tests.duels.test_open_to_guests import open_challenge
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db
SITE = "https://spellcaster.example"
REQUIRED_TAGS = {"og:type", "og:title", "og:description", "og:url", "og:image", "og:image:alt"}
REQUIRED_TAGS |= {"og:image:width", "og:image:height", "twitter:card"}


class Metadata(HTMLParser):
    """Parser for a page's metadata and its canonical address."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        for key in ("name", "property"):
            if tag == "meta" and key in given:
                self.found[given[key]] = given["content"]
        if tag == "link" and given["rel"] == "canonical":
            self.found["canonical"] = given["href"]


def page_metadata(html: str) -> dict[str, str]:
    return Metadata(html).found


def assert_complete(found: dict[str, str], path: str) -> None:
    assert found.keys() >= REQUIRED_TAGS
    assert found["og:url"] == found["canonical"] == SITE + path
    assert found["description"] == found["og:description"]
    assert len(found["og:description"]) <= 160
    assert len(found["og:title"]) <= 70
    assert found["twitter:card"] == "summary_large_image"
    address = found["og:image"]
    assert address.startswith(f"{SITE}{settings.STATIC_URL}")
    file = Path(str(finders.find(address.removeprefix(f"{SITE}{settings.STATIC_URL}"))))
    size = (int(found["og:image:width"]), int(found["og:image:height"]))
    with Image.open(file) as picture:
        assert picture.size == size
    assert file.stat().st_size < 50_000


@pytest.fixture(autouse=True)
def use_site_url(settings: Any) -> None:
    settings.SITE_URL = SITE


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Spellcaster: wizards’ duels by correspondence"),
        ("/primer/", "Spellcaster: the game in two minutes"),
        ("/invite", "Play a wizards’ duel with a friend"),
        ("/from-warlocks/", "Spellcaster for players of Warlocks"),
        ("/ladders/bartle-1/", "Bartle ladder"),
        ("/wizards/ada/", "Ada"),
    ],
)
def test_pages_without_a_duel_have_previews(cast: Cast, path: str, title: str) -> None:
    found = page_metadata(Client().get(path).content.decode())
    assert_complete(found, path)
    assert found["og:title"] == title


def test_invitation_names_the_challenger(
    cast: Cast, visitor: Visitor, committed: Committed
) -> None:
    _, by_guest = create_invitation(visitor, name="Ida")
    _, by_player = invite(cast.ada, visibility="private")
    for name, link in (("Guest Ida", by_guest), ("Ada", by_player)):
        found = page_metadata(Visitor(committed).page(link))
        assert_complete(found, link)
        assert found["og:title"] == f"{name} challenges you to a wizards’ duel"
        assert found["robots"] == "noindex", "only people with the link should find it"


def test_page_that_rejects_a_name_links_to_the_invitation_in_its_metadata(
    cast: Cast, visitor: Visitor
) -> None:
    _, link = invite(cast.ada)
    assert_complete(
        page_metadata(accept_invitation(visitor, link, "Goblin").content.decode()), link
    )


def test_name_in_a_preview_is_escaped(cast: Cast, visitor: Visitor) -> None:
    Wizard.objects.filter(pk=cast.ada.pk).update(name="O'Neil")
    page = visitor.page(invite(cast.ada)[1])
    assert page_metadata(page)["og:title"].startswith("O'Neil challenges you")


def test_open_challenge_has_a_preview(cast: Cast, visitor: Visitor) -> None:
    duel = open_challenge(cast.ada)
    found = page_metadata(visitor.page(f"/duels/{duel.pk}/"))
    assert_complete(found, f"/duels/{duel.pk}/")
    assert found["og:title"] == "Ada challenges anyone to a wizards’ duel"


def test_only_visitors_get_previews(cast: Cast, visitor: Visitor) -> None:
    duel = challenge(cast.bram, cast.ada)
    sign_in(visitor, "ada@example.org")
    for path in ("/primer/", f"/duels/{duel.pk}/"):
        assert "og:title" not in page_metadata(visitor.page(path))
