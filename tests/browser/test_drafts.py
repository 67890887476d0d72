"""Tests of drafts, of late responses, and of orders for a turn that has already been played.

Drafts are saved automatically, late responses are ignored, and typed text is never lost.
"""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.scenes import Desks, Scene, press, scenes, seal, wait_until_held
from tests.sites import Site


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    return scenes(embedded_site, [{}] * 5)


def choose(page: Page, field: str, letter: str) -> None:
    press(page.locator(f'input[name="{field}"][value="{letter}"]'))


def test_draft_is_saved_automatically_and_survives_a_reload(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[0])
    choose(page, "left", "W")
    page.get_by_label("Say it with this turn").fill("Not yet sure")
    state = page.locator("[data-draft-state]")
    expect(state).to_contain_text(re.compile(r"Draft saved at \d\d:\d\d UTC"))
    expect(page.get_by_role("button", name="Save draft")).to_be_hidden()
    page.reload()
    expect(page.locator("[data-draft-note]")).to_contain_text("This is your draft of")
    expect(page.locator('input[name="left"][value="W"]')).to_be_checked()
    expect(page.get_by_label("Say it with this turn")).to_have_value("Not yet sure")
    page.get_by_role("button", name="Start with an empty sheet").click()
    expect(page.locator("[data-draft-note]")).to_have_count(0)
    expect(page.locator('input[name="left"]:checked')).to_have_count(0)
    expect(page.get_by_label("Say it with this turn")).to_have_value("")


def own_row(page: Page) -> list[str]:
    """Return the HTML of the player's own squares in the open turn of the history."""
    squares = page.locator(".history tr.now td.mine")
    found: list[str] = squares.evaluate_all("all => all.map(each => each.outerHTML)")
    return found


def test_row_of_the_open_turn_shows_the_chosen_gestures(desks: Desks, embedded_site: Site) -> None:
    """Both sets of a hasted wizard are updated at once, and look like the saved draft.

    Nothing moves. Sealed gestures are marked as sealed until other gestures are chosen.
    """
    hasted = {"wizards": [{"effects": {"haste": {"turns": 3}}}, {}]}
    (scene,) = scenes(embedded_site, [hasted])
    page = desks.ada(scene)
    squares = page.locator(".history tr.now td.mine")
    history = page.locator("#history")
    room = history.bounding_box()
    expect(squares).to_have_text(["", "", "", ""])
    choose(page, "left", "W")
    choose(page, "right2", ">")
    expect(squares).to_have_text(
        [
            "W wave, drafteddrafted",
            "",
            "",
            "> stab, drafteddrafted",
        ]
    )
    assert history.bounding_box() == room
    drafted = own_row(page)
    expect(page.locator("[data-draft-state]")).to_contain_text("Draft saved")
    page.reload()
    assert own_row(page) == drafted

    choose(page, "left", "F")
    expect(squares.first).to_have_class("sign-F mine drafted")
    choose(page, "left", "W")
    expect(squares.first).to_have_class("sign-W mine drafted")
    assert own_row(page) == drafted
    seal(page)
    expect(squares.first).to_have_class("sign-W mine sealed")
    page.get_by_text("Change your orders", exact=True).click()
    choose(page, "left", "P")
    expect(squares.first).to_have_text("P palm, drafteddrafted")
    expect(squares.last).to_have_class("sign-stab mine drafted")
    choose(page, "left", "W")
    expect(squares.first).to_have_text("W wave, sealedsealed")
    expect(squares.last).to_have_class("sign-stab mine sealed")


def test_unchanged_draft_is_not_sent_again(desks: Desks, prepared_scenes: list[Scene]) -> None:
    page = desks.ada(prepared_scenes[1])
    page.clock.install()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    choose(page, "left", "W")
    expect(page.locator("[data-draft-state]")).to_contain_text("Draft saved")
    choose(page, "left", "F")
    choose(page, "left", "W")
    page.clock.run_for(5_000)
    assert len([url for url in sent if url.endswith("/draft")]) == 1


def test_page_shows_that_a_draft_could_not_be_saved(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.ada(prepared_scenes[1])
    page.route("**/draft", lambda route: route.abort())
    choose(page, "right", "D")
    expect(page.locator("[data-draft-state]")).to_contain_text("Draft not saved yet")
    expect(page.get_by_role("button", name="Save draft")).to_be_visible()


def test_late_response_to_an_older_choice_is_ignored(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    """A response has no effect if the choice has changed since it was requested."""
    page = desks.ada(prepared_scenes[4])
    held: list[Route] = []
    page.route("**/sheet", lambda route: held.append(route) if not held else route.continue_())
    choose(page, "left", "P")
    wait_until_held(page, held)
    with page.expect_response("**/sheet"):
        choose(page, "left", "S")
    rest = page.locator("#sheet-rest")
    expect(rest).to_have_attribute("data-pair", "S-")
    held[0].continue_()
    page.wait_for_timeout(500)
    expect(rest).to_have_attribute("data-pair", "S-")
    expect(page.locator("[data-to-seal]")).to_contain_text("makes S")
    expect(page.locator("#hint-right-3 .leads")).to_contain_text("Missile")


def test_late_response_does_not_undo_a_newer_choice(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    """If the response to a choice arrives just after the next choice, the next choice is kept."""
    page = desks.ada(prepared_scenes[2])
    with page.expect_response("**/sheet"):
        choose(page, "left", "P")
    subject = page.locator('select[name="left_subject"]')
    expect(subject).to_be_visible()
    page.evaluate(
        """() => {
          const form = document.querySelector('#order-form');
          const subject = form.querySelector('[name=left_subject]');
          document.addEventListener('htmx:beforeSwap', () => {
            subject.value = 'w1';
            subject.dispatchEvent(new Event('change', {bubbles: true}));
          }, {once: true, capture: true});
        }"""
    )
    choose(page, "right", "W")
    expect(page.locator('[data-caution="helps_rival"]')).to_be_visible()
    expect(subject).to_have_value("w1")


def test_text_written_for_a_past_turn_is_kept(desks: Desks, prepared_scenes: list[Scene]) -> None:
    scene = prepared_scenes[3]
    ada, again, bram = desks.ada(scene), desks.ada(scene), desks.bram(scene)
    ada.route("**/poll*", lambda route: route.abort())  # this page does not receive updates
    ada.get_by_label("Say it with this turn").fill("Words to keep")
    for page in (again, bram):
        choose(page, "left", "-")
        choose(page, "right", "W")
        expect(page.locator("#sealing[data-asks]")).to_have_count(0)
        page.get_by_role("button", name="Seal these orders").click()
        page.wait_for_url("**/#*")
    choose(ada, "left", "W")
    expect(ada.locator("[data-turn-over]")).to_be_visible()
    expect(ada.get_by_label("Say it with this turn")).to_have_value("Words to keep")
    expect(ada.locator('input[name="left"][value="W"]')).to_be_checked()
    ada.get_by_role("button", name="Compare with the duel").click()
    expect(ada.locator("#not-taken")).to_contain_text("W wave")
    expect(ada.locator("#orders-title")).to_contain_text("turn 2")
    expect(ada.get_by_label("Say it with this turn")).to_have_value("Words to keep")
