"""Tests of text orders: applying them to the order sheet, updating them from it, and errors."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.person import Person
from tests.browser.test_sample_game import accept_challenge, send_challenge

APPLY_BUTTON = "Apply to order sheet"


def apply_text(page: Page, text: str) -> None:
    """Wait until the page is loaded, type text into the box, and apply the text to the sheet."""
    page.wait_for_load_state()
    box = page.locator("#text-box")
    if box.get_attribute("open") is None:
        box.locator("summary").click()
    page.get_by_label("Your orders as text").fill(text)
    page.get_by_role("button", name=APPLY_BUTTON).click()


@pytest.mark.parametrize(
    ("writer", "rival", "script"),
    [("Edda", "Falk", True), ("Gwen", "Hugo", False)],
    ids=["with script", "without script"],
)
def test_text_orders_are_applied_and_sealed(
    people: Callable[..., Person], writer: str, rival: str, script: bool
) -> None:
    ada, bram = people(writer, script=script), people(rival)
    send_challenge(ada, rival)
    ada.open(accept_challenge(bram))
    page = ada.page

    apply_text(page, "LH P\nRH >\nTARGET RH Frodal\nSAY By candlelight")
    expect(page.locator("#text-faults")).to_contain_text("Line 3")
    expect(page.locator("#text-faults mark")).to_have_text("Frodal")
    expect(page.get_by_label("Your orders as text")).to_have_value(
        "LH P\nRH >\nTARGET RH Frodal\nSAY By candlelight"
    )

    apply_text(page, f"LH P\nRH >\nTARGET RH {rival.lower()}\nSAY By candlelight")
    expect(page.locator("[data-text-read]")).to_be_visible()
    expect(page.locator('input[name="left"][value="P"]')).to_be_checked()
    expect(page.locator('[name="right_subject"] option:checked')).to_have_text(f"{rival} (default)")
    expect(page.get_by_label("Say it with this turn")).to_have_value("By candlelight")
    expect(page.locator('[data-completes="L"]')).to_contain_text("Shield")
    if script:
        page.keyboard.press("Enter")
        summary = page.get_by_role("dialog", name="Seal these orders?")
        expect(summary).to_contain_text("casts Shield")
        page.keyboard.press("Escape")
        expect(summary).to_have_count(0)

    ada.seal()
    expect(page.locator("[data-receipt]")).to_contain_text("P palm")
    expect(page.locator("[data-receipt]")).to_contain_text("By candlelight")
    page.locator("#anew > summary").click()
    text = page.get_by_label("Your orders as text")
    expect(text).to_be_visible(visible=script)  # a script keeps the box open


def test_text_orders_follow_the_sheet_until_they_are_edited(people: Callable[..., Person]) -> None:
    ada, bram = people("Isolde"), people("Jorund")
    send_challenge(ada, "Jorund")
    ada.open(accept_challenge(bram))
    text = ada.page.get_by_label("Your orders as text")
    ada.page.locator("#text-box summary").click()
    ada.choose_gesture("left", "D")
    ada.choose_gesture("right", "W")
    expect(text).to_have_value("LH D\nRH W\n")
    text.fill("LH D\nRH W\nSAY mine")
    ada.choose_gesture("right", "F")
    ada.wait_for_spells("DF")
    expect(text).to_have_value("LH D\nRH W\nSAY mine")
    ada.seal()
    expect(ada.page.locator("[data-text-read]")).to_be_visible()
    ada.wait_for_spells("DF")
    expect(ada.page.get_by_label("Say it with this turn")).to_have_value("mine")
