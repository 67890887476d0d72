"""Tests of warnings in the order sheet before sealing.

Each warning appears only for orders that deserve it, and not for similar orders. Orders are not
sealed before their warning is shown, and a surrender must be confirmed.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Desks, Scene, press, scenes, wait_until_settled
from tests.sites import Site

OWN_GOBLIN = {"kind": "goblin", "controller": "w0"}
BRAMS_OGRE = {"kind": "ogre", "controller": "w1"}


def setup_of_ada(**begun: object) -> dict[str, object]:
    return {"wizards": [begun, {}]}


BEGUN_MISSILE_SETUP = setup_of_ada(left="S", right="-")


@dataclass(frozen=True)
class WarningCase:
    """A warning, a position, orders that deserve the warning, and similar orders without it."""

    code: str
    setup: Mapping[str, object]
    deserving: Mapping[str, str]
    neighbour: Mapping[str, str] = field(default_factory=dict)


WARNING_CASES = (
    WarningCase("surrender", {}, {"left": "P", "right": "P"}, {"right": "W"}),
    WarningCase("half_a_clap", {}, {"left": "C", "right": "W"}, {"right": "C"}),
    WarningCase("two_knives", {}, {"left": ">", "right": ">"}, {"right": "-"}),
    WarningCase(
        "nowhere",
        BEGUN_MISSILE_SETUP,
        {"left": "D", "left_subject": "nowhere"},
        {"left_subject": "w1"},
    ),
    WarningCase("helps_rival", {}, {"left": "P", "left_subject": "w1"}, {"left_subject": "w0"}),
    WarningCase(
        "harms_you",
        BEGUN_MISSILE_SETUP,
        {"left": "D", "left_subject": "w0"},
        {"left_subject": "w1"},
    ),
    WarningCase(
        "harms_own_monster",
        {**BEGUN_MISSILE_SETUP, "monsters": [OWN_GOBLIN, BRAMS_OGRE]},
        {"left": "D", "left_subject": "m0"},
        {"left_subject": "m1"},
    ),
    WarningCase(
        "attacks_master", {"monsters": [OWN_GOBLIN]}, {"victim:m0": "w0"}, {"victim:m0": "w1"}
    ),
    WarningCase(
        "no_effect",
        {**setup_of_ada(left="PSD", right="---"), "monsters": [BRAMS_OGRE]},
        {"left": "D", "left_subject": "w1"},
        {"left_subject": "m0"},
    ),
    WarningCase(
        "counters_own",
        setup_of_ada(left="WP", right="-S"),
        {"left": "P", "right": "D", "left_subject": "w1"},
        {"left_subject": "w0"},
    ),
    WarningCase(
        "bank_full",
        setup_of_ada(left="DWSSS", right="-----", bank="fireball"),
        {"left": "P"},
        {"left": "W"},
    ),
)


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> dict[str, Scene]:
    found = scenes(embedded_site, [case.setup for case in WARNING_CASES])
    return dict(zip((case.code for case in WARNING_CASES), found, strict=True))


def fill_in_sheet(page: Page, fields: Mapping[str, str]) -> None:
    """Choose these values in the sheet, and wait for the response after each choice."""
    for name, value in fields.items():
        with page.expect_response("**/sheet"):
            if name in ("left", "right"):
                press(page.locator(f'input[name="{name}"][value="{value}"]'))
            else:
                field = page.locator(f'select[name="{name}"]')
                expect(field).to_be_attached()  # the page may not show the response yet
                is_default = not field.locator(f'option[value="{value}"]').count()
                field.select_option("" if is_default else value)
        wait_until_settled(page)


def warning_selector(page: Page, code: str) -> str:
    """Return the selector of a warning, or of the error about two stabs."""
    return '[data-live-fault="two_stabs"]' if code == "two_knives" else f'[data-caution="{code}"]'


@pytest.mark.parametrize("case", WARNING_CASES, ids=[case.code for case in WARNING_CASES])
def test_warning_appears_only_for_orders_that_deserve_it(
    desks: Desks, prepared_scenes: dict[str, Scene], case: WarningCase
) -> None:
    page = desks.ada(prepared_scenes[case.code])
    shown = page.locator(f"#sealing {warning_selector(page, case.code)}")
    expect(shown).to_have_count(0)
    fill_in_sheet(page, case.deserving)
    expect(shown.first).to_be_visible()
    expect(shown.first.locator(".rule-link")).to_have_attribute("href", re.compile("/rules/.*#."))
    fill_in_sheet(page, case.neighbour)
    expect(shown).to_have_count(0)


def test_surrender_requires_pressing_a_separate_button(desks: Desks, embedded_site: Site) -> None:
    """F13.

    Clicking *Seal* or pressing Enter twice is not enough; *Surrender and seal* must be pressed.
    """
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    fill_in_sheet(page, {"left": "P", "right": "P"})
    page.get_by_role("button", name="Seal these orders").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Both palms are a surrender")
    expect(dialog.get_by_role("button", name="Back to order sheet")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    page.locator("#left-2").press("Enter")
    expect(dialog).to_contain_text("Both palms are a surrender")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("[data-receipt]")).to_have_count(0)
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Surrender and seal").click()
    expect(page.locator("[data-receipt]")).to_contain_text("Sealed")


def test_empty_order_sheet_must_be_confirmed_once(desks: Desks, embedded_site: Site) -> None:
    """Pressing Enter twice before choosing anything does not seal any orders."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    expect(page.locator('[data-caution="unchosen_hand"]')).to_have_count(0)
    page.locator("#left-2").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("not chosen a gesture for your left hand or your right hand")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Seal these orders").click()
    dialog.get_by_role("button", name="Seal anyway").click()
    expect(page.locator("[data-receipt]")).to_contain_text("Sealed")


def test_hand_without_a_choice_must_be_confirmed_but_a_hand_made_idle_need_not(
    desks: Desks, embedded_site: Site
) -> None:
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    fill_in_sheet(page, {"left": "S"})
    page.get_by_role("button", name="Seal these orders").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("not chosen a gesture for your right hand")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    page.locator("#left-2").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("-")
    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator("[data-receipt]")).to_contain_text("Sealed")


def test_seal_before_the_sheet_has_shown_its_warning_must_be_confirmed(
    desks: Desks, embedded_site: Site
) -> None:
    """If the sheet's response is late, sealing shows the warning first, and no input is lost."""
    (scene,) = scenes(embedded_site)
    page = desks.ada(scene)
    page.route("**/sheet", lambda route: None)  # never respond
    for side, letter in (("left", "C"), ("right", "W")):
        press(page.locator(f'input[name="{side}"][value="{letter}"]'))
    page.get_by_label("Say it with this turn").fill("Half of it is mine")
    page.get_by_role("button", name="Seal these orders").click()
    expect(page.locator("[data-unwarned]")).to_be_visible()
    expect(page.locator('[data-caution="half_a_clap"]')).to_be_visible()
    expect(page.get_by_label("Say it with this turn")).to_have_value("Half of it is mine")
    expect(page.locator("[data-receipt]")).to_have_count(0)
    page.wait_for_load_state()  # the page's scripts do not ask for confirmation again
    page.get_by_role("button", name="Seal anyway").click()
    expect(page.locator("[data-receipt]")).to_contain_text("claps alone")
