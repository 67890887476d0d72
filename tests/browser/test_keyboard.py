"""Tests of the order sheet's keyboard shortcuts, which must not have any effect elsewhere."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.scenes import Desks, Scene, scenes
from tests.browser.windows import close_window
from tests.sites import Site

FEAR_SETUP = {"wizards": [{"effects": {"fear": {"turns": 1}}}]}
HASTE_SETUP = {"wizards": [{"effects": {"haste": {"turns": 3}}}]}


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> dict[str, Scene]:
    names = ("turn", "free", "text", "colours", "fear", "hasted")
    return dict(
        zip(names, scenes(embedded_site, [{}, {}, {}, {}, FEAR_SETUP, HASTE_SETUP]), strict=True)
    )


def chosen_gestures(page: Page) -> str:
    """Return the gesture that is chosen for each hand in the sheet, or "?" if none is."""
    hands = page.locator("[data-hand-choice]").all()
    found = [hand.locator("input:checked") for hand in hands]
    return "".join(str(each.get_attribute("value")) if each.count() else "?" for each in found)


def press_keys(page: Page, *names: str) -> None:
    for name in names:
        page.keyboard.press(name)


def skip_to_orders(page: Page) -> None:
    """Go from the beginning of the page to the orders with the page's skip links."""
    press_keys(page, "Tab", "Tab")
    expect(page.get_by_role("link", name="Skip to your orders")).to_be_focused()
    press_keys(page, "Enter")
    expect(page.locator("#orders")).to_be_focused()


def test_chosen_gestures_are_visible_in_forced_colours(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    """A chosen gesture is shown by its background, and a chosen idle hand by its border."""
    page = desks.ada(prepared_scenes["colours"])
    skip_to_orders(page)
    press_keys(page, "w", "ArrowRight", "-")
    assert chosen_gestures(page) == "W-"
    page.emulate_media(forced_colors="active")
    looks = page.locator(".gesture-choice").evaluate_all(
        """labels => labels.map(label => {
            const input = label.querySelector("input"), style = getComputedStyle(label);
            return [input.checked ? input.value : "", style.backgroundColor, style.borderTopWidth];
        })"""
    )
    page.emulate_media(forced_colors="none")
    others = [look[1:] for look in looks if not look[0]]
    ((_, background, _),) = [look for look in looks if look[0] == "W"]
    assert background not in [each for each, _ in others]
    ((_, _, border),) = [look for look in looks if look[0] == "-"]
    assert border not in [each for _, each in others]


def test_whole_turn_can_be_played_by_keyboard(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    """The test uses only keys, from loading the page to reading the turn's report."""
    ada, bram = desks.ada(prepared_scenes["turn"]), desks.bram(prepared_scenes["turn"])
    skip_to_orders(ada)
    press_keys(ada, "w", "ArrowRight", "p")
    assert chosen_gestures(ada) == "WP"
    expect(ada.locator("[data-to-seal]")).to_contain_text("casts Shield on yourself")
    press_keys(ada, "Enter")
    dialog = ada.get_by_role("dialog", name="Seal these orders?")
    expect(dialog).to_contain_text("your right hand makes P and casts Shield on yourself")
    expect(dialog.get_by_role("button", name="Seal these orders")).to_be_focused()
    press_keys(ada, "Enter")
    expect(ada.locator("[data-receipt]")).to_contain_text("casts Shield on yourself")

    skip_to_orders(bram)
    press_keys(bram, ">", "ArrowRight", "d", "ArrowLeft")
    assert chosen_gestures(bram) == ">D"
    press_keys(bram, "ArrowUp")  # in browsers, this chooses the previous radio button: the clap
    assert chosen_gestures(bram) == "CD"
    press_keys(bram, ".", "Enter")
    expect(bram.get_by_role("dialog")).to_contain_text("Your left hand stabs Ada")
    press_keys(bram, "Enter")
    expect(bram.locator("#orders-title")).to_contain_text("turn 2")
    expect(bram.locator(".duel-report")).to_contain_text("stab")


def test_gesture_keys_work_without_focus_in_the_sheet(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    """The keys work unless the focus is in the page's header or on something that uses keys."""
    page = desks.ada(prepared_scenes["free"])
    expect(page.locator("body")).to_be_focused()
    press_keys(page, "w", "ArrowRight", "p")
    assert chosen_gestures(page) == "WP"
    page.evaluate("document.activeElement.blur()")
    press_keys(page, "s")
    assert chosen_gestures(page) == "SP"
    page.get_by_role("link", name="Find a spell").focus()
    press_keys(page, "-")
    assert chosen_gestures(page) == "-P"  # this time, the focused link is in the sheet
    page.get_by_role("link", name="Rules").focus()
    press_keys(page, "d")
    assert chosen_gestures(page) == "-P"
    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator("[data-receipt]")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    press_keys(page, "d")
    expect(page.locator("#anew")).not_to_have_attribute("open", "")  # the sealed sheet stays folded


def test_gesture_keys_type_letters_in_text_fields(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    page = desks.ada(prepared_scenes["text"])
    words = page.get_by_label("Say it with this turn")
    words.focus()
    page.keyboard.type("swd? /")
    expect(words).to_have_value("swd? /")
    assert chosen_gestures(page) == "??"
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".history").first.click()  # letters have no effect outside the sheet
    page.keyboard.type("swd")
    assert chosen_gestures(page) == "??"

    press_keys(page, "?")
    listed = page.get_by_role("dialog", name="Keys")
    expect(listed).to_contain_text("fingers, with the selected hand")
    expect(listed).to_contain_text("find a spell")
    press_keys(page, "s", "Escape")
    expect(listed).to_have_count(0)
    assert chosen_gestures(page) == "??"

    page.locator("#orders").focus()
    press_keys(page, "/")
    found = page.get_by_role("dialog", name="Find a spell")
    page.keyboard.type("SWW")
    expect(found.locator('[data-spell="fire_storm"]')).to_be_visible()
    expect(found.locator('[data-spell="shield"]')).to_have_count(0)
    press_keys(page, "Escape")
    expect(page.locator("#orders")).to_be_focused()
    assert chosen_gestures(page) == "??"


def test_gesture_keys_work_while_a_link_in_the_report_has_the_focus(
    desks: Desks, embedded_site: Site
) -> None:
    page = desks.ada(*scenes(embedded_site))
    page.locator("#news a.rule-link").first.focus()
    press_keys(page, "s")
    assert chosen_gestures(page) == "S?"
    expect(page.locator("#left-3")).to_be_focused()


def test_arrow_keys_work_in_hands_without_a_choice(desks: Desks, embedded_site: Site) -> None:
    """The left and right arrows select a hand but do not choose a gesture for it."""
    page = desks.ada(*scenes(embedded_site))
    skip_to_orders(page)
    press_keys(page, "ArrowLeft", "ArrowRight")
    expect(page.locator("#right-1")).to_be_focused()
    assert chosen_gestures(page) == "??"
    press_keys(page, "ArrowDown")
    assert chosen_gestures(page) == "?P"
    press_keys(page, "ArrowLeft", "ArrowUp")
    assert chosen_gestures(page) == "-P"


def test_page_does_not_scroll_when_a_visible_button_gets_the_focus(
    desks: Desks, embedded_site: Site
) -> None:
    page = desks.ada(*scenes(embedded_site), viewport={"width": 1280, "height": 720})
    page.get_by_label("Say it with this turn").focus()
    before = page.evaluate("scrollY")
    seal = page.get_by_role("button", name="Seal these orders")
    expect(seal).to_be_in_viewport(ratio=1)
    press_keys(page, "Tab")
    expect(seal).to_be_focused()
    assert page.evaluate("scrollY") == before


def test_guest_can_turn_shortcuts_off_in_the_list_of_keys(
    browser: Browser, embedded_site: Site
) -> None:
    """WCAG 2.1.4"""
    window = browser.new_context(base_url=embedded_site.url)
    page = window.new_page()
    page.goto("/")
    page.get_by_role("button", name="Play your first duel").click()
    page.wait_for_url("**/duels/*/")
    page.set_viewport_size({"width": 1280, "height": 500})
    page.get_by_role("button", name="Keys").click()
    listed = page.get_by_role("dialog", name="Keys")
    expect(listed.get_by_role("heading", name="Keys")).to_be_in_viewport()
    expect(listed.get_by_role("button", name="Close")).to_be_focused()
    expect(listed).not_to_contain_text("settings")
    with page.expect_response("**/reading"):
        listed.get_by_role("button", name="Turn these keys off").click()
    expect(listed.get_by_role("button", name="Turn these keys on")).to_be_focused()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-shortcuts", "off")
    close_window(window)


def test_keyboard_shortcuts_can_be_turned_off(desks: Desks, embedded_site: Site) -> None:
    """WCAG 2.1.4. The browser's own keys still work, and sealing still shows a summary first."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    page.goto("/settings/")
    page.get_by_label("Keyboard shortcuts").select_option("off")
    page.locator("#reading").get_by_role("button", name="Save").click()
    expect(page.locator("[data-reading-said]")).not_to_be_empty()
    page.goto(scene.path)
    expect(page.locator("html")).to_have_attribute("data-shortcuts", "off")
    page.locator("#left-8").focus()
    press_keys(page, "w", "?", "/", "ArrowRight")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#left-1")).to_be_checked()  # the browser's arrow key wraps around
    press_keys(page, "Enter")
    expect(page.get_by_role("dialog", name="Seal these orders?")).to_be_visible()


def test_pressing_the_key_of_a_barred_gesture_shows_the_reason(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    page = desks.ada(prepared_scenes["fear"])
    page.locator("#orders").focus()
    press_keys(page, "s")
    expect(page.locator("#sheet-said")).to_contain_text("S is not allowed. You are afraid")
    assert chosen_gestures(page) == "??"
    press_keys(page, "w")
    assert chosen_gestures(page) == "W?"


def test_arrow_keys_move_through_all_hands_of_both_sets(
    desks: Desks, prepared_scenes: dict[str, Scene]
) -> None:
    page = desks.ada(prepared_scenes["hasted"])
    page.locator("#orders").focus()
    press_keys(page, "s", "ArrowRight", "w", "ArrowRight", "d", "ArrowRight", "p")
    expect(page.locator("#sheet-rest")).to_have_attribute("data-pair", "SW")
    expect(page.locator("[data-to-seal]")).to_contain_text(re.compile("Then: .*casts Missile"))
    assert chosen_gestures(page) == "SWDP"
    expect(page.locator("#right2-2")).to_be_focused()
