"""A turn with JavaScript off: looked at, sealed, refused, played."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.test_sample_game import accept, await_turn, challenge


def test_a_turn_without_script(people: Callable[..., Person]) -> None:
    ada, bram = people("Ada", script=False), people("Bram", script=False)
    challenge(ada, "Bram")
    path = accept(bram)
    ada.open(path)
    ada.gesture("left", "P")
    ada.gesture("right", ">")
    ada.page.get_by_label("Something to say").fill("By candlelight")
    ada.page.get_by_role("button", name="Show what this completes").click()
    expect(ada.page.locator('[data-completes="L"]')).to_contain_text("Shield")
    expect(ada.page.locator('[data-completes="R"]')).to_contain_text("stabs")
    ada.gesture("left", ">")
    ada.seal()
    expect(ada.page.locator("#faults")).to_be_visible()
    expect(ada.page.get_by_label("Something to say")).to_have_value("By candlelight")
    ada.gesture("left", "P")
    ada.seal()
    expect(ada.page.locator("[data-receipt]")).to_contain_text("P palm")
    bram.gesture("left", "W")
    bram.seal()
    await_turn(bram, path, 1)
    expect(bram.page.locator(".report")).to_contain_text("By candlelight")
    assert sorted([bram.damage("w0"), bram.damage("w1")]) == [0, 1]
