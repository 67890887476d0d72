"""Tests of name suggestions in the challenge form, by keyboard and without JavaScript."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.person import Person

NAME_FIELD = 'input[name="opponent"]'
OFFERED_NAMES = "#wizard-names option"


def choose_opponent_by_name(page: Page) -> None:
    """Move from the first field of the form to the name field with the keyboard."""
    page.locator('input[name="to"]').first.focus()
    expect(page.locator(NAME_FIELD)).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("A wizard by name")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.locator(NAME_FIELD)).to_be_focused()


def suggested_names(page: Page) -> list[str]:
    return [each.get_attribute("value") or "" for each in page.locator(OFFERED_NAMES).all()]


def test_names_are_suggested_while_typing_and_enter_sends_the_challenge(
    people: Callable[..., Person],
) -> None:
    """The browser's own list of suggestions is updated with each letter."""
    for name in ("Xerenth", "Xenodora", "Xerbert"):
        people(name)
    player = people("Zephyrine")
    page = player.page
    player.open("/challenge/new")
    choose_opponent_by_name(page)
    page.keyboard.type("xe")
    expect(page.locator(OFFERED_NAMES)).to_have_count(3)
    assert suggested_names(page) == ["Xenodora", "Xerbert", "Xerenth"]
    page.keyboard.type("RE")
    expect(page.locator(OFFERED_NAMES)).to_have_count(1)
    assert suggested_names(page) == ["Xerenth"]
    listed = page.locator(NAME_FIELD).evaluate(
        "field => [...field.list.options].map(each => each.value)"
    )
    assert listed == ["Xerenth"]
    page.keyboard.press("Backspace")
    expect(page.locator(OFFERED_NAMES)).to_have_count(2)
    page.keyboard.press("Shift+Home")
    page.keyboard.type("xyzzy")
    expect(page.locator(OFFERED_NAMES)).to_have_count(0)
    page.keyboard.press("Shift+Home")
    page.keyboard.type("xerenth")
    page.keyboard.press("Enter")
    page.wait_for_url("**/duels/*/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your challenge")
    expect(page.locator("#live-wizards")).to_contain_text("Xerenth")


def test_wizard_chosen_from_the_suggestions_is_challenged(
    people: Callable[..., Person],
) -> None:
    """The browser shows its list of suggestions outside the page, so the test simulates a choice.

    Choosing a name causes an `input` event that replaces the typed text.
    """
    for name in ("Ambrosius", "Amalthea"):
        people(name)
    player = people("Wolfram")
    page = player.page
    player.open("/challenge/new")
    choose_opponent_by_name(page)
    page.keyboard.type("am")
    expect(page.locator(OFFERED_NAMES)).to_have_count(2)
    page.locator(NAME_FIELD).evaluate(
        """field => {
            field.value = field.list.options[1].value;
            const chosen = { bubbles: true, inputType: "insertReplacementText" };
            field.dispatchEvent(new InputEvent("input", chosen));
            field.dispatchEvent(new Event("change", { bubbles: true }));
        }"""
    )
    expect(page.locator(OFFERED_NAMES)).to_have_count(1)
    expect(page.locator(NAME_FIELD)).to_have_value("Ambrosius")
    page.get_by_role("button", name="Send challenge").click()
    page.wait_for_url("**/duels/*/")
    expect(page.locator("#live-wizards")).to_contain_text("Ambrosius")


def test_unknown_name_is_kept_as_typed_without_javascript(
    people: Callable[..., Person],
) -> None:
    people("Ysolde")
    player = people("Quillon", script=False)
    page = player.page
    player.open("/challenge/new")
    page.get_by_label("A wizard by name").check()
    page.locator(NAME_FIELD).fill("ysol")
    page.get_by_role("button", name="Send challenge").click()
    expect(page.locator('[data-field="opponent"] .fault')).to_be_visible()
    expect(page.locator(NAME_FIELD)).to_have_value("ysol")
    expect(page.get_by_label("A wizard by name")).to_be_checked()
    page.locator(NAME_FIELD).fill("ysolde")
    page.get_by_role("button", name="Send challenge").click()
    page.wait_for_url("**/duels/*/")
    expect(page.locator("#live-wizards")).to_contain_text("Ysolde")
