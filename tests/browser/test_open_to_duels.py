"""A test of pairing two strangers who are open to duels: one on a phone, one without JavaScript."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person


def choose_pace(page: Page, pace: str) -> None:
    """Go from the home page to the form, and turn on duels of Archmage at this pace."""
    page.goto("/")
    page.get_by_role("link", name="Let the site find opponents").click()
    rules, paces = (
        page.get_by_role("group", name=name) for name in ("Rules", "Time for each turn")
    )
    for group in (rules, paces):
        for box in group.get_by_role("checkbox").all():
            box.uncheck()
    rules.get_by_label("Archmage").check()
    paces.get_by_label(pace).check()
    page.get_by_role("button", name="Find opponents for me").click()


@pytest.mark.parametrize("script", [True, False])
def test_two_strangers_who_are_open_to_duels_are_paired(
    people: Callable[..., Person], script: bool
) -> None:
    names = ("Wilmot", "Yseult") if script else ("Osbert", "Petronel")
    first, second = (people(name, script=script).page for name in names)
    second.set_viewport_size({"width": 360, "height": 740})
    choose_pace(first, "a day for each turn")
    expect(first.get_by_text("Nobody else is open to duels right now.")).to_be_visible()
    choose_pace(second, "an hour for each turn")
    reason = (
        "One wizard is open to Archmage duels, but wants a different pace: a day for each turn."
    )
    expect(second.get_by_text(reason)).to_be_visible()
    second.get_by_label("a day for each turn").check()
    second.get_by_role("button", name="Save changes").click()
    found = second.get_by_role("link", name=f"Play against {names[0]}")
    expect(found).to_be_visible()
    if script:
        first.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # polls at once
        expect(first.get_by_role("link", name=f"Play against {names[1]}")).to_be_visible()
        expect(first.get_by_role("link", name="Your turn (1)")).to_be_visible()
    found.click()
    expect(second.locator("#orders-title")).to_contain_text("turn 1")
    expect(second.locator("h1")).to_contain_text(names[0])
    for page in (first, second):
        page.goto("/")
        page.get_by_role("button", name="Stop looking").click()
        expect(page.get_by_text("You are no longer open to duels.")).to_be_visible()
