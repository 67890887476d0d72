"""Tests of details of the order sheet: its frame, its bars, and errors in the console."""

import re

from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.scenes import Desks, choose, scenes, wait_until_settled
from tests.browser.test_many_beings import UNIQUE_NUMBERS, open_state
from tests.sites import Site

PHONE: ViewportSize = {"width": 360, "height": 740}
WIDE: ViewportSize = {"width": 1440, "height": 900}
ZOOMED_WINDOW: ViewportSize = {"width": 720, "height": 450}  # 1440 x 900 at 200 %
MAX_BARS_HEIGHT = 150  # pixels that bars may cover on a phone
THREE_MONSTERS_SETUP = {
    "monsters": [{"kind": kind, "controller": "w0"} for kind in ("goblin", "ogre", "troll")]
}


def height(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    return box["height"] if box else 0


def test_sealing_right_after_a_gesture_reports_no_error(desks: Desks, embedded_site: Site) -> None:
    """The page aborts the request about the gesture. This is not an error."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    choose(page, "right", "-")
    reported: list[str] = []
    page.on("console", lambda message: reported.append(message.text))
    page.route("**/sheet", lambda route: None)  # the response never arrives
    with page.expect_request("**/sheet"):
        page.evaluate("document.querySelector('input[name=left][value=W]').click()")
    with page.expect_request("**/sheet"):
        page.evaluate("document.querySelector('input[name=left][value=P]').click()")
    page.locator("#order-form .seal-bar button.seal").click()
    page.wait_for_url("**/#*")
    expect(page.locator("[data-receipt]")).to_contain_text("casts Shield")
    assert [text for text in reported if "htmx" in text] == []


def test_inner_frame_of_the_sheet_is_not_interrupted(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        gaps = page.evaluate(
            """() => {
              const sheet = document.querySelector("#orders");
              const leaf = sheet.getBoundingClientRect();
              const bar = document.querySelector("#orders .seal-bar").getBoundingClientRect();
              const frame = parseFloat(getComputedStyle(sheet, "::before").left);
              return [bar.left - leaf.left - frame, leaf.right - bar.right - frame];
            }"""
        )
        assert all(gap >= 1 for gap in gaps), (size, gaps)


def test_bars_scroll_with_the_page_at_200_percent(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, viewport=ZOOMED_WINDOW)
    for bar in (".duel-bar", ".seal-bar"):
        expect(page.locator(bar)).to_have_css("position", "static")


def test_bars_leave_room_for_the_sheet_among_eight_wizards(
    desks: Desks, embedded_site: Site
) -> None:
    page = open_state(desks, embedded_site, "crowd", str(next(UNIQUE_NUMBERS)))
    page.set_viewport_size(PHONE)
    wait_until_settled(page)
    assert height(page, ".duel-bar") + height(page, ".seal-bar") <= MAX_BARS_HEIGHT
    page.set_viewport_size(WIDE)
    folded = page.locator("details.rivals")
    expect(folded).to_be_visible()
    folded.locator("summary").click()
    assert len(folded.locator("li:visible").all()) == 7


def test_long_warning_takes_two_lines_on_a_phone_until_it_is_tapped(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site, [THREE_MONSTERS_SETUP])
    page = desks.ada(scene, viewport=PHONE, has_touch=True)
    choose(page, "left", "C")
    warning = page.locator('.seal-bar [data-caution="half_a_clap"] > span')
    warning.evaluate("each => { each.firstChild.data += each.firstChild.data }")  # longest
    folded = height(page, ".seal-bar .warnings")
    assert height(page, ".duel-bar") + height(page, ".seal-bar") <= MAX_BARS_HEIGHT
    warning.tap(position={"x": 5, "y": 5})
    assert height(page, ".seal-bar .warnings") > folded * 1.4


def test_tap_opens_the_sentence_about_many_monsters(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site, [THREE_MONSTERS_SETUP])
    page = desks.ada(scene, viewport=PHONE, has_touch=True)
    page.wait_for_load_state()
    sentence = page.locator(".seal-bar .to-seal")
    expect(sentence).to_contain_text("The Red Goblin, the Green Ogre and the Blue Troll attack")
    folded = height(page, ".seal-bar .to-seal")
    assert height(page, ".duel-bar") + height(page, ".seal-bar") <= MAX_BARS_HEIGHT
    sentence.tap(position={"x": 5, "y": 5})
    assert height(page, ".seal-bar .to-seal") > folded * 1.4
    assert re.search(r"[.] The Red Goblin", sentence.inner_text())  # on one line, with a space
