"""Tests that a seal includes random bytes from the browser, except without JavaScript."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs

from playwright.sync_api import Locator, Page, expect

from tests.browser.person import load
from tests.browser.scenes import Desks, press, scenes
from tests.sites import Site

CHANCE_VALUE = re.compile(r"[0-9a-f]{32}")
PARALYSIS_SETUP = {"wizards": [{"left": "FF", "right": "--"}, {}], "turn": 3}
SEAL_BUTTON = re.compile("^(Seal|Change)")


def choose(page: Page, **letters: str) -> None:
    for side, letter in letters.items():
        press(page.locator(f'input[name="{side}"][value="{letter}"]'))
    pair = "".join(letters.values())
    expect(page.locator(f'#sheet-rest[data-pair="{pair}"]')).to_be_attached()
    expect(page.locator(".htmx-request")).to_have_count(0)


def fields_sent_by(page: Page, address: str, press: Callable[[], None]) -> dict[str, list[str]]:
    """Return the form fields that the page sends when this button is pressed."""
    with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith(address)
    ) as found:
        press()
    return parse_qs(found.value.post_data or "", keep_blank_values=True)


def test_each_seal_includes_new_random_bytes_that_its_receipt_shows(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    choose(page, left="W", right="D")
    first = fields_sent_by(page, "/orders", page.get_by_role("button", name=SEAL_BUTTON).click)[
        "chance"
    ][0]
    assert CHANCE_VALUE.fullmatch(first)
    expect(page.locator("[data-chance]")).to_have_text(first)
    expect(page.locator("[data-seed-commitment]")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    page.get_by_text("Change your orders", exact=True).click()
    choose(page, left="D", right="D")
    page.locator('input[name="right"][value="D"]').press("Enter")  # opens a dialog
    button = page.get_by_role("dialog").get_by_role("button", name=SEAL_BUTTON)
    second = fields_sent_by(page, "/orders", button.click)["chance"][0]
    assert CHANCE_VALUE.fullmatch(second)
    assert second != first
    expect(page.locator("[data-chance]")).to_have_text(second)


def test_answers_to_questions_include_random_bytes(desks: Desks, embedded_site: Site) -> None:
    (scene,) = scenes(embedded_site, [PARALYSIS_SETUP])
    ada, bram = desks.ada(scene), desks.bram(scene)
    choose(ada, left="F", right="S")
    ada.get_by_role("button", name=SEAL_BUTTON).click()
    expect(ada.locator("[data-chance]")).to_be_attached()
    choose(bram, left="W", right="D")
    bram.get_by_role("button", name=SEAL_BUTTON).click()
    load(ada, scene.path)
    hand: Locator = ada.locator("#questions .answers label").last
    hand.click()
    form = fields_sent_by(ada, "/answers", ada.locator("#questions button.seal").click)
    assert CHANCE_VALUE.fullmatch(form["chance"][0])
    expect(ada.locator("#questions")).to_have_count(0)


def test_seal_does_not_include_random_bytes_without_javascript(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene, java_script_enabled=False)
    for side, letter in (("left", "W"), ("right", "D")):
        press(page.locator(f'input[name="{side}"][value="{letter}"]'))
    form = fields_sent_by(page, "/orders", page.get_by_role("button", name=SEAL_BUTTON).click)
    assert form["chance"] == [""]
    expect(page.locator("[data-receipt]")).to_be_visible()
    expect(page.locator("[data-chance]")).to_have_count(0)


def test_rejected_seal_is_sent_again_with_the_same_random_bytes(
    desks: Desks, embedded_site: Site
) -> None:
    """Otherwise the site could reject seals until the random bytes lead to draws that it wants."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    page.route("**/orders", lambda route: route.fulfill(status=503, body="Later."), times=1)
    found: list[str] = []
    for _ in range(2):
        choose(page, left="W", right="D")
        form = fields_sent_by(page, "/orders", page.get_by_role("button", name=SEAL_BUTTON).click)
        found.append(form["chance"][0])
        load(page, scene.path)
    assert CHANCE_VALUE.fullmatch(found[0])
    assert found[0] == found[1]
    expect(page.locator("[data-chance]")).to_have_text(found[0])
