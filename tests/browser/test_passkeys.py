"""Tests of adding a passkey and signing in with it, with a virtual authenticator in Chromium.

Browsers create passkeys only for host names, so the site is visited as localhost.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, CDPSession, Page, Route, expect

from tests.browser.axe import violations
from tests.browser.person import create_session
from tests.browser.windows import close_window
from tests.cast import PASSWORD
from tests.sites import Site


@pytest.fixture
def page(browser: Browser, embedded_site: Site) -> Iterator[Page]:
    """Yield a page on localhost, where passkeys work."""
    url = embedded_site.url.replace("127.0.0.1", "localhost")
    window = browser.new_context(base_url=url)
    yield window.new_page()
    close_window(window)


def add_virtual_authenticator(page: Page) -> tuple[CDPSession, str]:
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    made = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return cdp, made["authenticatorId"]


def sign_in(page: Page, site: Site, name: str) -> None:
    page.goto("/about/")
    session = site.call(create_session, name, f"{name.lower()}@example.test")
    address = page.url.removesuffix("/about/")
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": address}])


def test_player_can_add_a_passkey_and_sign_in_with_it(page: Page, embedded_site: Site) -> None:
    cdp, device = add_virtual_authenticator(page)
    sign_in(page, embedded_site, "Keyed")
    page.goto("/settings/")
    page.get_by_role("link", name="Second factor and passkeys").click()
    assert violations(page) == []
    page.get_by_role("link", name="Add a passkey").click()
    page.locator('[name="password"]').fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()

    page.get_by_label("Name").fill("Quill")
    expect(page.get_by_label("without a password")).to_be_checked()
    assert violations(page) == []
    page.get_by_role("button", name="Add passkey").click()
    page.wait_for_url("**/recovery-codes/**")
    (credential,) = cdp.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]
    assert credential["rpId"] == "localhost"
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_role("heading", name="Quill")).to_be_visible()
    expect(page.locator("main")).to_contain_text("It signs you in without a password.")

    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".site-nav")).to_contain_text("Sign in")
    page.goto("/accounts/login/?next=/settings/")
    expect(page.locator(".site-nav")).to_contain_text("Sign in")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".site-nav")).to_contain_text("Keyed")
    assert page.url.endswith("/settings/")

    page.goto("/accounts/sessions/")
    expect(page.get_by_role("heading", name=re.compile("this browser"))).to_have_count(1)
    assert violations(page) == []


def lose_first_responses(page: Page, path: str) -> list[int]:
    """Send every form to this path twice, and show the page only the second response.

    Return a list, to which the status of each lost response is added.
    """
    lost: list[int] = []

    def send_twice(route: Route) -> None:
        if route.request.method == "POST":
            lost.append(route.fetch(max_redirects=0).status)
        route.continue_()

    page.route(path, send_twice)
    return lost


def test_passkey_forms_sent_twice_have_one_effect(page: Page, embedded_site: Site) -> None:
    add_virtual_authenticator(page)
    sign_in(page, embedded_site, "Twice")
    page.goto("/accounts/2fa/webauthn/add/")
    page.locator('[name="password"]').fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    added = lose_first_responses(page, "**/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add passkey").click()
    page.wait_for_url("**/recovery-codes/**")
    assert added == [302]
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_role("link", name="Remove")).to_have_count(1)

    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".site-nav")).to_contain_text("Sign in")
    page.goto("/accounts/login/?next=/settings/")
    signed_in = lose_first_responses(page, "**/accounts/2fa/webauthn/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator(".site-nav")).to_contain_text("Twice")
    assert page.url.endswith("/settings/")
    assert signed_in == [302]


def test_sign_in_page_reports_a_rejected_passkey(page: Page) -> None:
    cdp, device = add_virtual_authenticator(page)
    cdp.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")


def test_passkey_button_is_disabled_until_scripts_load(page: Page) -> None:
    """Without scripts, the button would do nothing, so it is disabled and a note explains why."""
    add_virtual_authenticator(page)
    held: list[Route] = []
    page.route("**/pages/site*.js", lambda route: held.append(route))
    page.goto("/accounts/login/", wait_until="commit")
    button = page.get_by_role("button", name="Sign in with a passkey")
    expect(button).to_be_disabled()
    expect(page.get_by_text("This page is still loading")).to_be_visible()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    button.click()  # Playwright waits until the button is enabled
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")
    expect(page.get_by_text("This page is still loading")).to_be_hidden()


def test_passkey_page_reports_that_the_site_does_not_respond(page: Page) -> None:
    add_virtual_authenticator(page)
    page.goto("/accounts/login/")
    page.route("**/accounts/2fa/webauthn/login/", lambda route: route.abort())
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("This site did not respond")


def test_pressing_enter_in_the_field_for_a_passkeys_name_requests_the_passkey(
    page: Page, embedded_site: Site
) -> None:
    """Pressing Enter works like the button, so the form is not sent without a passkey."""
    add_virtual_authenticator(page)
    sign_in(page, embedded_site, "Entered")
    page.goto("/accounts/2fa/webauthn/add/")
    page.locator('[name="password"]').fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Add passkey")).to_be_enabled()
    page.get_by_label("Name").press("Enter")
    page.wait_for_url("**/recovery-codes/**")
