"""axe-core finds nothing wrong on any kind of page, by day and by night, wide and narrow; and no
page is wider than its window."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.person import Person
from tests.browser.test_sample_game import accept, challenge
from tests.sites import Site

AXE = next((Path(__file__).parent / "vendor").glob("axe-core-*/axe.min.js"))
WINDOWS: list[tuple[int, Literal["light", "dark"]]] = [
    (1440, "light"),
    (1440, "dark"),
    (360, "light"),
    (360, "dark"),
    (2560, "light"),
]
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
VISITORS = ["/", "/spellbook/", "/rules/bartle-1/", "/about/", "/privacy/", "/terms/"]
RULEBOOKS = [
    "/rules/",
    "/rules/spellcast-1/",
    "/rules/spellcast-1/differences/",
    "/rules/wizards-1/",
    "/rules/archmage-1/turn/",
    "/spellbook/wizards-1/?order=last",
    "/rules/wizards-1/games/froodal-and-bung/",
    "/rules/bartle-1/games/black-and-white/white/17/",
]
ENTRANCE = ["/accounts/login/", "/accounts/signup/", "/accounts/login/code/"]
PLAYERS = ["/", "/challenge/new", "/settings/", "/settings/close", "/wizards/bram/"]
ACCOUNT = ["/accounts/email/", "/accounts/password/change/", "/accounts/2fa/"]


@pytest.fixture
def site(embedded_site: Site) -> Site:
    return embedded_site


def violations(page: Page) -> list[str]:
    """What axe-core finds, in words."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate(
        "standard => axe.run({runOnly: standard}).then(result => result.violations.map("
        "  found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 120))}`))",
        STANDARD,
    )
    assert isinstance(found, list)
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        found.append("wider than its window")
    return found


def test_every_page_is_accessible_in_every_window(
    browser: Browser, site: Site, people: Callable[..., Person]
) -> None:
    ada, bram = people("Ada"), people("Bram")
    challenge(ada, "Bram")
    duel = accept(bram)
    play_one_turn(ada, bram, duel)
    state = ada.page.context.storage_state()
    wrong: dict[str, list[str]] = {}
    for width, scheme in WINDOWS:
        for paths, session in (
            (VISITORS + RULEBOOKS + ENTRANCE, None),
            ([*PLAYERS, *ACCOUNT, duel, f"{duel}turns/1/", f"{duel}resign"], state),
        ):
            window = browser.new_context(
                base_url=site.url,
                bypass_csp=True,
                color_scheme=scheme,
                storage_state=session,
                viewport={"width": width, "height": 900},
            )
            page = window.new_page()
            for path in paths:
                page.goto(path)
                if found := violations(page):
                    wrong[f"{path} {width} {scheme}"] = found
            window.close()
    assert wrong == {}


def play_one_turn(ada: Person, bram: Person, duel: str) -> None:
    for person in (ada, bram):
        person.open(duel)
        person.gesture("left", "P")
        person.gesture("right", "D")
        person.settled("PD")
        person.seal()
