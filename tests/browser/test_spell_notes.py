"""Tests of notes that open from a spell's name and show its effect, gestures and defence."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.scenes import Desks, Scene, scenes
from tests.sites import Site

BLIND_ADA_SETUP = {
    "wizards": [{"left": "SW", "right": "--", "effects": {"blindness": {"turns": 2}}}]
}
PHONE = {"width": 360, "height": 740}
FIRST_SPELL = "#hint-left-2 a.spell-link"  # the left palm completes Shield


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    return scenes(embedded_site, [BLIND_ADA_SETUP, BLIND_ADA_SETUP])


def chosen_gestures(page: Page) -> list[str]:
    inputs = page.locator(".gestures input:checked").all()
    return [each.get_attribute("value") or "" for each in inputs]


def test_note_opens_next_to_the_mouse_and_closes_again(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[0])
    spell, note = page.locator(FIRST_SPELL), page.locator("#spell-note")
    for close in (lambda: page.mouse.move(1, 1), lambda: page.keyboard.press("Escape")):
        spell.hover()
        expect(note).to_be_visible()
        expect(note).to_contain_text("Shield")
        expect(note).to_contain_text("stops missiles, stabs")
        sheet, card = page.locator("[data-order-sheet]").bounding_box(), note.bounding_box()
        assert sheet is not None
        assert card is not None
        assert card["x"] >= sheet["x"] + sheet["width"]  # does not cover any control of the sheet
        assert violations(page) == []
        close()
        expect(note).to_be_hidden()
        page.mouse.move(1, 1)


def test_note_opens_next_to_the_focus(desks: Desks, prepared_scenes: list[Scene]) -> None:
    page = desks.ada(prepared_scenes[0])
    page.keyboard.press("Tab")
    page.locator("[data-effect=blindness] a.spell-link").focus()
    note = page.locator("#spell-note")
    expect(note).to_contain_text("Defence: Stopped by Counter-spell or Dispel Magic.")
    page.keyboard.press("Tab")
    expect(note).to_be_hidden()


def test_every_spell_name_opens_by_keyboard(desks: Desks, prepared_scenes: list[Scene]) -> None:
    page = desks.ada(prepared_scenes[1])
    page.wait_for_load_state()
    page.locator('input[name="left"][value="D"]').press("Space")
    expect(page.locator('[data-completes="L"] a.spell-link')).to_be_visible()
    seen = set()
    for link in page.locator("a.spell-link:visible").all():
        name = link.inner_text().replace("\u00ad", "")
        if link.get_attribute("tabindex") == "-1":
            link.locator("xpath=ancestor::div[contains(@class, 'gesture-choice')]//input").focus()
            page.keyboard.press("i")
        else:
            link.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog.get_by_role("heading")).to_have_text(name)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        seen.add(name)
    assert {"Fear", "Shield", "Blindness", "Paralysis"} <= seen
    assert chosen_gestures(page) == ["D"]


def test_first_tap_on_a_spell_name_chooses_the_gesture_and_second_opens_the_note(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[0], viewport=PHONE, has_touch=True)
    page.wait_for_load_state()
    page.locator(FIRST_SPELL).tap()
    expect(page.locator('input[name="left"][value="P"]')).to_be_checked()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(FIRST_SPELL).tap()
    expect(page.get_by_role("dialog")).to_contain_text("stops missiles, stabs")
    assert chosen_gestures(page) == ["P"]


def test_spell_name_is_a_link_to_its_rule_without_javascript(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[0], java_script_enabled=False)
    page.locator(FIRST_SPELL).click(force=True)  # a tap on a card chooses the gesture
    assert chosen_gestures(page) == ["P"]
    page.locator("[data-effect=blindness] a.spell-link").click()
    page.wait_for_url("**/rules/bartle-1/#spell:blindness")
