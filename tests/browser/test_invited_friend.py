"""Tests of an invited friend, from the invitation link to sealed orders and an account."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests import cast
from tests.browser.person import PASSWORD, Person, confirmation_link, signed_in_person
from tests.browser.scenes import poll, press, seal
from tests.browser.windows import close_window
from tests.sites import Site


@pytest.fixture
def friend(browser: Browser, site: Site) -> Iterator[Page]:
    """Yield a page in a browser that has never visited the site."""
    window = browser.new_context(base_url=site.url)
    yield window.new_page()
    close_window(window)


def invitation_link(host: Person) -> str:
    """Create a challenge by this player, and return its invitation link."""
    host.open("/challenge/new")
    host.page.get_by_label("Anyone with my invitation link").check()
    host.page.locator("main form button.prime").click()
    return host.page.get_by_label("Send this link to your friend").input_value()


def test_button_copies_the_invitation_link(people: Callable[..., Person]) -> None:
    host = people("Oriel")
    host.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = invitation_link(host)
    host.page.get_by_role("button", name="Copy").click()
    expect(host.page.locator("[data-share-status]")).to_have_text("Address copied.")
    assert host.page.evaluate("navigator.clipboard.readText()") == link


def test_button_reports_that_the_address_cannot_be_copied(people: Callable[..., Person]) -> None:
    host = people("Orla")
    invitation_link(host)
    host.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error()); }")
    host.page.get_by_role("button", name="Copy").click()
    status = host.page.locator("[data-share-status]")
    expect(status).to_contain_text("The address was not copied or sent")


@pytest.mark.parametrize("script", [True, False])
def test_invited_friend_seals_on_the_second_page_after_entering_a_name(
    browser: Browser, site: Site, people: Callable[..., Person], script: bool
) -> None:
    """The friend sees only two pages, and types only a name."""
    name = f"Tom {'with' if script else 'without'}"
    host = people("Morwen" if script else "Rowena")
    link = invitation_link(host)
    window = browser.new_context(base_url=site.url, java_script_enabled=script)
    friend = window.new_page()
    pages: list[str] = []
    friend.on("framenavigated", lambda frame: pages.append(frame.url))

    friend.goto(link)
    expect(friend.get_by_role("heading", level=1)).to_contain_text(f"{host.name} invites you")
    expect(friend.get_by_role("button", name="Try it first")).to_be_visible()
    friend.get_by_label("Your name").fill(name)
    friend.get_by_role("button", name="Accept as a guest").click()
    friend.wait_for_url("**/duels/*/")
    assert len(pages) == 2, pages
    if script:
        press(friend.locator('input[name="right"][value="S"]'))
        expect(friend.locator('#sheet-rest[data-pair="-S"]')).to_be_attached()
    else:
        friend.locator('input[name="left"][value="-"]').check(force=True)
        friend.locator('input[name="right"][value="S"]').check(force=True)
    seal(friend)
    expect(friend.locator(f'[data-seal-of="Guest {name}"]')).to_contain_text("You have sealed")
    host.open("/")
    expect(host.page.locator("#awaiting")).to_contain_text(f"Guest {name}")
    close_window(window)


@pytest.mark.parametrize("script", [True, False])
def test_rejected_name_can_be_corrected_on_the_same_page(
    browser: Browser, site: Site, people: Callable[..., Person], script: bool
) -> None:
    """On a phone, the field for the name is far down the page."""
    link = invitation_link(people("Ishild" if script else "Imogen"))
    window = browser.new_context(
        base_url=site.url, java_script_enabled=script, viewport={"width": 360, "height": 640}
    )
    friend = window.new_page()
    friend.goto(link)
    friend.get_by_label("Your name").fill("Goblin")
    friend.get_by_role("button", name="Accept as a guest").click()
    expect(friend.locator("p.fault")).to_have_text("This name is reserved. Choose another one.")
    expect(friend.get_by_label("Your name")).to_be_focused()
    expect(friend.get_by_label("Your name")).to_be_in_viewport()
    expect(friend.locator("p.fault")).to_be_in_viewport()
    friend.keyboard.press("Control+A")
    friend.keyboard.type(f"Gob {'with' if script else 'without'}")
    friend.keyboard.press("Enter")
    friend.wait_for_url("**/duels/*/")
    close_window(window)


def test_guest_invites_a_friend_with_two_clicks_and_a_name(
    browser: Browser, friend: Page, site: Site
) -> None:
    """The host gets a link after two clicks and a name. Later, the host sees the duel."""
    window = browser.new_context(base_url=site.url)
    window.grant_permissions(["clipboard-read", "clipboard-write"])
    host = window.new_page()
    host.goto("/")
    host.get_by_role("link", name="Play with a friend").click()
    host.get_by_label("Your name").fill("Ninian")
    host.get_by_role("button", name="Make link").click()
    host.get_by_role("button", name="Copy").click()
    expect(host.locator("[data-share-status]")).to_have_text("Address copied.")
    friend.goto(host.evaluate("navigator.clipboard.readText()"))
    expect(friend.get_by_role("heading", level=1)).to_contain_text("Guest Ninian invites you")
    friend.get_by_label("Your name").fill("Orville")
    friend.get_by_role("button", name="Accept as a guest").click()
    expect(friend.locator("#orders")).to_be_visible()
    poll(host)
    for page, rival in ((host, "Guest Orville"), (friend, "Guest Ninian")):
        expect(page.locator("#orders")).to_be_visible()
        expect(page.locator(f'[data-seal-of="{rival}"]')).to_contain_text("has not sealed yet")
    close_window(window)


def test_signing_up_from_an_invitation_returns_to_the_invitation(
    friend: Page, site: Site, people: Callable[..., Person]
) -> None:
    link = invitation_link(people("Oberon"))
    friend.goto(link)
    friend.get_by_role("link", name="sign up", exact=True).click()
    person = Person(friend, site, "Puck", "puck-the-friend@example.test")
    friend.locator('[name="email"]').fill(person.email)
    friend.locator('[name="password1"]').fill(PASSWORD)
    friend.get_by_label("Wizard’s name").fill(person.name)
    friend.get_by_role("button", name="Sign up").click()
    friend.wait_for_url("**/accounts/confirm-email/")  # the email has been sent by then
    friend.goto(confirmation_link(person))
    friend.get_by_role("button", name="Confirm").click()
    friend.wait_for_url(link)
    friend.get_by_role("button", name="Accept", exact=True).click()
    friend.wait_for_url("**/duels/*/")
    expect(friend.locator(".site-nav")).to_contain_text("Puck")
    expect(friend.locator('[data-seal-of="Puck"]')).to_contain_text("You have not sealed yet")


def test_private_challenge_opens_from_an_email_after_sign_in(
    browser: Browser, embedded_site: Site
) -> None:
    """A reader of the email who is not signed in sees the challenge after signing in."""
    windows = [browser.new_context(base_url=embedded_site.url) for _ in range(3)]
    host = signed_in_person(windows[0], embedded_site, "Perenelle")
    friend = signed_in_person(windows[1], embedded_site, "Nicolas")
    host.open(f"/challenge/new?opponent={friend.name}")
    host.page.get_by_text("More settings").click()
    host.page.get_by_label("Who can watch").select_option("private")
    host.page.get_by_role("button", name="Send challenge").click()
    host.page.wait_for_url("**/duels/*/")
    friend.open("/mail/")
    mail = friend.page.locator("article.mail").filter(has_text="Perenelle challenges")
    expect(mail.locator(f'a[href="{host.page.url}"]')).to_be_visible()
    reader = windows[2].new_page()
    reader.goto(host.page.url)
    reader.locator("main").get_by_role("link", name="Sign in").click()
    reader.locator('[name="login"]').fill(friend.email)
    reader.locator('[name="password"]').fill(cast.PASSWORD)
    reader.get_by_role("button", name="Sign in", exact=True).click()
    reader.wait_for_url(host.page.url)
    reader.get_by_role("button", name="Accept", exact=True).click()
    expect(reader.locator('[data-seal-of="Nicolas"]')).to_contain_text("You have not sealed")
    for window in windows:
        close_window(window)


def test_cited_rule_can_be_opened_by_keyboard_and_links_to_its_page(
    browser: Browser, embedded_site: Site
) -> None:
    window = browser.new_context(base_url=embedded_site.url)
    page = window.new_page()
    page.goto("/primer/")
    link = page.locator("a.rule-link[href$='#turn:shield']").first
    link.focus()
    expect(link).to_have_attribute("aria-haspopup", "dialog")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="The shield effect")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("link", name="Read the full rule")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(link).to_be_focused()
    assert page.url.endswith("/primer/")

    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("link", name="Read the full rule").click()
    page.wait_for_url("**/rules/bartle-1/#turn:shield")
    close_window(window)


def test_link_to_a_rule_opens_its_page_if_the_short_version_cannot_be_loaded(
    browser: Browser, embedded_site: Site
) -> None:
    window = browser.new_context(base_url=embedded_site.url)
    page = window.new_page()
    page.route("**/rule/*", lambda route: route.abort())
    page.goto("/primer/")
    page.locator("a.rule-link[href$='#spell:missile']").first.click()
    page.wait_for_url("**/rules/bartle-1/#spell:missile")
    close_window(window)


def test_cited_rule_is_a_plain_link_without_javascript(
    browser: Browser, embedded_site: Site
) -> None:
    window = browser.new_context(base_url=embedded_site.url, java_script_enabled=False)
    page = window.new_page()
    page.goto("/primer/")
    page.locator("a.rule-link[href$='#spell:missile']").first.click()
    page.wait_for_url("**/rules/bartle-1/#spell:missile")
    close_window(window)
