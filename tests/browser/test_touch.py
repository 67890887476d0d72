"""Tests of touch on a phone’s order sheet: large targets, and scrolling to the next hand."""

from playwright.sync_api import expect

from tests.browser.scenes import Desks, scenes
from tests.sites import Site

PHONE = {"width": 360, "height": 740}
MIN_TOUCH_SIZE = 44  # CSS pixels, from WCAG 2.5.5
MIN_LINK_HEIGHT = 24  # CSS pixels, from WCAG 2.5.8
LINK_HEIGHTS = """links => links.flatMap(
  each => [...each.getClientRects()].map(line => line.height))"""
# WCAG exempts links within a sentence. A radio button can be selected by touching its label.
FIND_SMALL_CONTROLS = """least => [...document.querySelectorAll(
    "#orders :is(button, summary, select, textarea, label:has(input), .sheet-tools a)"
  )]
  .filter(each => each.checkVisibility({ visibilityProperty: true }))
  .map(each => [each.getBoundingClientRect(), each])
  .filter(([box]) => box.width > 1 && box.height > 1)
  .filter(([box]) => box.height < least - 0.5 || box.width < least - 0.5)
  .map(([box, each]) =>
    `${each.outerHTML.slice(0, 90)}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""


def test_controls_of_the_order_sheet_are_large_enough_to_touch(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, viewport=PHONE, has_touch=True)
    expect(page.locator("#orders")).to_be_visible()
    assert page.evaluate(FIND_SMALL_CONTROLS, MIN_TOUCH_SIZE) == []
    page.locator('label:has(input[name="left"][value="P"])').click()
    page.locator('label:has(input[name="right"][value="D"])').click()
    expect(page.locator('[data-completes="L"]')).to_contain_text("Shield")
    for folded in page.locator("#orders details:not([open]) > summary").all():
        if folded.is_visible():
            folded.click()
    assert page.evaluate(FIND_SMALL_CONTROLS, MIN_TOUCH_SIZE) == []


def test_spell_names_on_gesture_cards_are_high_enough_to_touch(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site, [{"wizards": [{"left": "DFF", "right": "SFW"}, {}]}])
    page = desks.ada(scene, viewport=PHONE, has_touch=True)
    heights = page.locator(".gesture-hint .spell-link:visible").evaluate_all(LINK_HEIGHTS)
    assert len(heights) > 1
    assert min(heights) >= MIN_LINK_HEIGHT


def test_idle_hand_is_shown_as_one_dash(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    letters = page.locator(".gesture-face.sign-nothing > b")
    expect(letters).to_have_count(2)
    for letter in letters.all():
        expect(letter).to_have_css("font-size", "0px")


def test_phone_scrolls_to_the_next_hand_if_it_is_out_of_view(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, viewport=PHONE, has_touch=True, is_mobile=True)
    page.evaluate("document.documentElement.dataset.size = 'largest'")
    page.locator('label:has(input[name="left"][value="P"])').tap()
    expect(page.locator('input[name="left"][value="P"]')).to_be_checked()
    expect(page.locator('label:has(input[name="right"][value="F"])')).to_be_in_viewport(ratio=1)
