"""Tests of a whole turn without JavaScript: preview, draft, warning, rejection, seal and report."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.person import Person
from tests.browser.scenes import Desks, press, scenes
from tests.browser.test_sample_game import accept_challenge, await_turn, send_challenge
from tests.sites import Site


def test_whole_turn_can_be_played_without_javascript(people: Callable[..., Person]) -> None:
    ada, bram = people("Perdita", script=False), people("Quentin", script=False)
    send_challenge(ada, "Quentin")
    path = accept_challenge(bram)
    ada.open(path)
    ada.choose_gesture("left", "P")
    ada.choose_gesture("right", ">")
    ada.page.get_by_label("Say it with this turn").fill("By candlelight")
    ada.page.get_by_role("button", name="Preview").click()
    expect(ada.page.locator('[data-completes="L"]')).to_contain_text("Shield")
    expect(ada.page.locator('[data-completes="R"]')).to_contain_text("stabs")
    ada.choose_gesture("left", ">")
    ada.seal()
    expect(ada.page.locator("#faults")).to_be_visible()
    expect(ada.page.get_by_label("Say it with this turn")).to_have_value("By candlelight")
    ada.choose_gesture("left", "P")
    ada.seal()
    expect(ada.page.locator("[data-receipt]")).to_contain_text("casts Shield on yourself")
    bram.choose_gesture("left", "W")
    bram.choose_gesture("right", "-")
    bram.seal()
    await_turn(bram, path, 1)
    expect(bram.page.locator(".report").first).to_contain_text("By candlelight")
    assert sorted([bram.damage("w0"), bram.damage("w1")]) == [0, 1]


def test_responses_of_the_order_sheet_are_in_view_without_javascript(
    desks: Desks, embedded_site: Site
) -> None:
    """On a phone the sheet is taller than the window."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, java_script_enabled=False, viewport={"width": 360, "height": 640})
    expect(page.get_by_text("Preview shows these orders as sentences.")).to_be_visible()
    expect(page.locator("[data-to-seal]")).to_be_hidden()

    for name, letter in (("left", "P"), ("right", "-")):
        press(page.locator(f'input[name="{name}"][value="{letter}"]'))
    page.get_by_role("button", name="Preview").click()
    choices = page.locator("[data-choices]")
    expect(choices).to_be_focused()
    expect(choices).to_be_in_viewport()
    expect(page.locator('[data-completes="L"]')).to_be_in_viewport()
    expect(page.locator("[data-to-seal]")).to_contain_text("casts Shield")

    for side in ("left", "right"):
        press(page.locator(f'input[name="{side}"][value=">"]'))
    page.get_by_role("button", name="Seal these orders").click()
    faults = page.locator("#faults")
    expect(faults).to_be_focused()
    expect(faults.locator("li").first).to_be_in_viewport()


def test_drafts_and_warnings_work_without_javascript(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, java_script_enabled=False)
    press(page.locator('input[name="left"][value="C"]'))
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator("[data-draft-note]")).to_contain_text("This is your draft")
    expect(page.locator("[data-draft-note]")).to_be_visible()
    expect(page.locator('input[name="left"][value="C"]')).to_be_checked()

    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator('[data-caution="unchosen_hand"]')).to_be_visible()
    page.locator('input[name="right"][value="W"]').press("Enter")  # Enter shows a preview
    expect(page.locator('[data-caution="half_a_clap"]')).to_be_visible()
    expect(page.locator("[data-to-seal]")).to_contain_text("claps alone")
    expect(page.get_by_role("button", name="Seal anyway")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-receipt]")).to_contain_text("claps alone")

    page.get_by_text("Change your orders", exact=True).click()
    for side in ("left", "right"):
        press(page.locator(f'input[name="{side}"][value="P"]'))
    page.get_by_role("button", name="Seal new orders").click()
    expect(page.locator("[data-unwarned]")).to_be_visible()
    expect(page.locator('[data-caution="surrender"]')).to_be_visible()
    press(page.locator('input[name="right"][value="D"]'))
    page.get_by_role("button", name="Surrender and seal").click()
    expect(page.locator("[data-receipt]").first).to_contain_text("makes D")
    page.get_by_role("button", name="Unseal").click()
    expect(page.locator("[data-receipt]").first).to_contain_text("Unsealed")
