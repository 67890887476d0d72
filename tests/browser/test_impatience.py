"""Tests that users who act before the site responds get one response and do not lose any input."""

from playwright.sync_api import Page, Route, expect

from tests.browser.scenes import Desks, scenes, wait_until_held, wait_until_settled
from tests.sites import Site

A_MOMENT = 400  # milliseconds


def hold_requests(page: Page, address: str) -> list[Route]:
    """Hold back requests to this address from now on, and return a list that collects them."""
    found: list[Route] = []
    page.route(address, lambda route: found.append(route))
    return found


def test_pressing_enter_twice_opens_one_summary(desks: Desks, embedded_site: Site) -> None:
    page = desks.ada(*scenes(embedded_site))
    wait_until_settled(page)
    asked = hold_requests(page, "**/sheet")
    choice = page.locator("#left-2")
    choice.press("Enter")
    choice.press("Enter")
    wait_until_held(page, asked)
    for request in asked:
        request.continue_()
    expect(page.locator("dialog")).to_be_visible()
    page.wait_for_timeout(A_MOMENT)
    expect(page.locator("dialog")).to_have_count(1)


def test_text_typed_while_a_message_is_being_sent_is_kept(
    desks: Desks, embedded_site: Site
) -> None:
    page = desks.ada(*scenes(embedded_site))
    line = page.get_by_label("Message (others see it right away)")
    line.fill("Good evening.")
    said = hold_requests(page, "**/say")
    page.get_by_role("button", name="Send message").click()
    line.press_sequentially(" Shall we begin?")
    wait_until_held(page, said)
    (request,) = said
    request.continue_()
    expect(page.locator(".talk-line")).to_have_text("Good evening.")
    expect(line).to_have_value(" Shall we begin?")


def test_gesture_chosen_before_scripts_load_updates_the_sheet(
    desks: Desks, embedded_site: Site
) -> None:
    page = desks.ada(*scenes(embedded_site))
    scripts = hold_requests(page, "**/htmx*.js")
    page.reload(wait_until="commit")
    choice = page.locator('#orders input[name="left"][value="P"]')
    choice.press("Space")
    expect(choice).to_be_checked()
    wait_until_held(page, scripts)
    (script,) = scripts
    script.continue_()
    expect(page.locator('#sheet-rest[data-pair^="P"]')).to_be_attached()
