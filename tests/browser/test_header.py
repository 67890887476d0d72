"""Tests of the header, which is one line with a menu on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Desks, scenes
from tests.sites import Site

ONE_LINE = 64  # pixels; two rows of links would be higher


@pytest.fixture
def phone_page(desks: Desks, embedded_site: Site) -> Page:
    """Return a page of Ada, who must act in two duels."""
    first, _ = scenes(embedded_site, [{}, {}])
    return desks.ada(first, viewport={"width": 360, "height": 740})


@pytest.mark.parametrize("size", ["normal", "largest"])
def test_header_is_one_line_on_a_phone(phone_page: Page, size: str) -> None:
    """If it is the reader's turn in a duel, only the initial of their name is shown."""
    phone_page.evaluate("size => { document.documentElement.dataset.size = size }", size)
    name = phone_page.locator(".own-name")
    name.evaluate("each => { each.textContent = 'Gwendolyn the Most Unlikely' }")
    expect(phone_page.get_by_role("link", name="Your turn")).to_be_in_viewport(ratio=1)
    expect(phone_page.get_by_role("link", name="Settings")).to_be_in_viewport(ratio=1)
    header, initial = phone_page.locator(".site-head").bounding_box(), name.bounding_box()
    assert header is not None
    assert initial is not None
    assert initial["width"] < 48
    assert header["height"] <= ONE_LINE * (1 if size == "normal" else 1.4)
    assert phone_page.evaluate("document.documentElement.scrollWidth") == 360


def test_menu_on_a_phone_works_by_keyboard(phone_page: Page) -> None:
    menu = phone_page.get_by_role("button", name="Menu")
    links = phone_page.locator("#site-menu").get_by_role("link")
    expect(links).to_have_count(0)
    menu.press("Enter")
    expect(links).to_have_text(["New challenge", "Duels", "Wizards", "Spellbook", "Rules"])
    phone_page.keyboard.press("Tab")
    expect(links.first).to_be_focused()
    phone_page.keyboard.press("Escape")
    expect(links).to_have_count(0)
    expect(menu).to_be_focused()


def test_user_can_sign_out_from_the_menu_on_a_phone(phone_page: Page) -> None:
    phone_page.get_by_role("button", name="Menu").click()
    phone_page.get_by_role("button", name="Sign out").click()
    expect(phone_page.locator(".site-nav").get_by_role("link", name="Sign in")).to_be_visible()
