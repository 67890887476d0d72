"""Tests that news is marked as read by a button, or after it has been in view for a while."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Desks, Scene, scenes
from tests.browser.windows import close_page
from tests.sites import Site

NEW_REPORT = ".told.new"
MARK_READ_BUTTON = "[data-mark-read]"


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    return scenes(embedded_site, [{}] * 4)


def seal(page: Page) -> None:
    """Seal fixed orders with a direct request, because these tests are not about the sheet."""
    token = page.locator("[data-order-sheet] input[name=csrfmiddlewaretoken]").first.input_value()
    answer = page.request.post(
        f"{page.url}orders",
        form={
            "csrfmiddlewaretoken": token,
            "turn": page.locator("[data-order-sheet] input[name=turn]").input_value(),
            "form_seal": "",
            "left": "W",
            "right": "-",
            "do": "seal",
        },
        headers={"Referer": page.url},
    )
    assert answer.ok, answer.status


def play_turn(desks: Desks, scene: Scene) -> None:
    """Play a turn by sealing for both wizards; nobody has read its report yet."""
    for window in (desks.ada(scene), desks.bram(scene)):
        seal(window)
        close_page(window)


def test_news_is_marked_as_read_after_a_while_in_view(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    play_turn(desks, prepared_scenes[0])
    page = desks.ada(prepared_scenes[0])
    expect(page.locator(NEW_REPORT)).to_have_count(1)
    expect(page.locator(MARK_READ_BUTTON)).to_be_hidden()
    with page.expect_response(re.compile(r"/duels/\d+/read$")) as answer:
        pass
    assert answer.value.status == 204
    expect(page.locator(NEW_REPORT)).to_have_count(
        1
    )  # the report stays marked as new until a reload
    page.reload()
    expect(page.locator(".told")).to_have_count(1)
    expect(page.locator(NEW_REPORT)).to_have_count(0)
    bram = desks.bram(prepared_scenes[0])
    expect(bram.locator(NEW_REPORT)).to_have_count(1)  # Bram has not read the news


def test_hidden_page_does_not_mark_news_as_read(desks: Desks, prepared_scenes: list[Scene]) -> None:
    play_turn(desks, prepared_scenes[1])
    page = desks.ada(prepared_scenes[1])
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.add_init_script(
        "Object.defineProperty(document, 'visibilityState', {get: () => 'hidden'});"
    )
    page.clock.install()
    page.reload()
    page.clock.run_for(10_000)
    assert not [url for url in sent if url.endswith("/read")]
    expect(page.locator(NEW_REPORT)).to_have_count(1)


def test_hidden_page_is_reloaded_only_once_it_is_visible(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[3])
    page.evaluate("Object.defineProperty(document, 'hidden', {get: () => window.isHidden})")
    page.evaluate("window.isHidden = true")
    with page.expect_response(lambda answer: "/poll" in answer.url and answer.status == 200):
        play_turn(desks, prepared_scenes[3])
    with page.expect_response(lambda answer: "/poll" in answer.url):
        assert page.evaluate("window.isHidden"), "the page is still the same"
    with page.expect_navigation():
        page.evaluate(
            "window.isHidden = false; document.dispatchEvent(new Event('visibilitychange'))"
        )
    expect(page.locator(".told")).not_to_have_count(0)


def test_news_can_be_marked_as_read_by_a_button_without_javascript(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    play_turn(desks, prepared_scenes[2])
    page = desks.ada(prepared_scenes[2], java_script_enabled=False)
    expect(page.locator(NEW_REPORT)).to_have_count(1)
    page.get_by_role("button", name="Mark as read").click()
    expect(page.locator(NEW_REPORT)).to_have_count(0)
    expect(page.locator(MARK_READ_BUTTON)).to_have_count(0)
