"""Tests of notifications in a real browser: the settings, the service worker and the manifest.

Chromium cannot reach a push service here, and it does not show notifications without a desktop, so
both are simulated. Messages are delivered to the service worker through DevTools.
"""

import json
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Worker, expect

from tests.browser.scenes import Desks, Scene, scenes
from tests.push_service import AUTH_SECRET, P256DH
from tests.services import VAPID_SETTINGS
from tests.sites import Site

ENDPOINT = "https://fcm.googleapis.com/fcm/send/"
NOTIFICATION_SETTINGS = "#notifications"

# Simulates a user who allows notifications, and a push service that gives this browser an address,
# which stays the same on all pages.
FAKE_PUSH_SERVICE = """
(() => {
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  Notification.requestPermission = async () => "granted";
  const keys = %s;
  const made = (text) => text && {
    endpoint: text,
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: text, keys }),
    unsubscribe: async () => { localStorage.removeItem("made"); return true; },
  };
  PushManager.prototype.getSubscription = async () => made(localStorage.getItem("made"));
  PushManager.prototype.subscribe = async (wanted) => {
    localStorage.setItem("wanted", JSON.stringify(wanted));
    localStorage.setItem("made", "%s" + Math.random());
    return made(localStorage.getItem("made"));
  };
})()
"""


@pytest.fixture(scope="module")
def prepared_scenes(embedded_site: Site) -> list[Scene]:
    """Return scenes, each with a different Ada."""
    return [scenes(embedded_site)[0] for _ in range(4)]


@pytest.fixture
def page(desks: Desks, prepared_scenes: list[Scene], request: pytest.FixtureRequest) -> Page:
    """Return Ada's settings page, in a browser that allows notifications."""
    return open_settings(desks, prepared_scenes[request.param])


def open_settings(desks: Desks, scene: Scene) -> Page:
    opened = desks.window("/about/", scene.ada, {})
    keys = json.dumps({"p256dh": P256DH, "auth": encoded_key(AUTH_SECRET)})
    opened.context.add_init_script(FAKE_PUSH_SERVICE % (keys, ENDPOINT))
    opened.goto("/settings/mail")
    return opened


def encoded_key(value: bytes) -> str:
    from duels.push.endpoints import encode_key

    return encode_key(value)


def turn_on_notifications(page: Page) -> None:
    page.get_by_role("button", name="Turn on for this device").click()
    expect(page.locator("[data-push-state]")).to_have_text("Notifications are on for this device.")


def wait_until_listed(page: Page, *here: bool) -> None:
    """Wait until the list shows these devices. True stands for this device."""
    page.wait_for_function(
        """(here) => {
          const tags = [...document.querySelectorAll("[data-device] [data-this-device]")];
          return JSON.stringify(tags.map((tag) => !tag.hidden)) === JSON.stringify(here);
        }""",
        arg=list(here),
    )


def service_worker(page: Page) -> Worker:
    page.wait_for_function(
        "navigator.serviceWorker.getRegistration('/').then((one) => one?.active)"
    )
    (worker,) = page.context.service_workers
    return worker


@pytest.mark.parametrize("page", [0], indirect=True)
def test_notifications_can_be_turned_on_and_off_for_a_device(page: Page) -> None:
    section = page.locator(NOTIFICATION_SETTINGS)
    expect(section.get_by_role("button", name="Turn on for this device")).to_be_visible()
    expect(section.get_by_role("button", name="Turn off")).to_be_hidden()
    turn_on_notifications(page)
    wanted = json.loads(page.evaluate("localStorage.getItem('wanted')"))
    assert wanted["userVisibleOnly"]
    assert wanted["applicationServerKey"] == section.get_attribute("data-push")
    expect(section.locator("[data-push-state]")).to_have_text(
        "Notifications are on for this device."
    )
    wait_until_listed(page, True)
    expect(section.locator("[data-device] strong")).to_have_text("Chrome on Linux")
    section.get_by_role("button", name="Turn off for this device").click()
    expect(section.get_by_role("button", name="Turn on for this device")).to_be_visible()
    wait_until_listed(page)
    assert page.evaluate("localStorage.getItem('made')") is None


@pytest.mark.parametrize("page", [1], indirect=True)
def test_device_can_be_removed_from_another_device(
    page: Page, desks: Desks, prepared_scenes: list[Scene]
) -> None:
    turn_on_notifications(page)
    other = open_settings(desks, prepared_scenes[1])
    turn_on_notifications(other)
    wait_until_listed(other, False, True)
    other.get_by_role("button", name="Remove").first.click()  # this button removes the first device
    expect(other.get_by_text("Notifications are off for that device.")).to_be_visible()
    wait_until_listed(other, True)
    assert other.evaluate("localStorage.getItem('made')")
    page.goto("/settings/mail")  # back on the first device, which was removed
    expect(page.get_by_role("button", name="Turn on for this device")).to_be_visible()
    turn_on_notifications(page)
    wait_until_listed(page, False, True)
    page.get_by_role("button", name="Send test notification").click()
    expect(page.get_by_text("on its way to your 2 devices")).to_be_visible()
    expect(page.locator("[data-mail-log]")).to_contain_text("A test")


def test_page_explains_how_to_allow_blocked_notifications(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.window("/settings/mail", prepared_scenes[0].bram, {})
    section = page.locator(NOTIFICATION_SETTINGS)
    expect(section.locator("[data-push-state]")).to_contain_text("in the browser’s settings")
    expect(section.get_by_role("button", name="Turn on")).to_be_hidden()


def test_notification_settings_can_be_changed_without_javascript(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    page = desks.window("/settings/mail", prepared_scenes[0].bram, {"java_script_enabled": False})
    expect(page.get_by_text("requires JavaScript")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on")).to_be_hidden()
    warning = page.get_by_label("When my time is running out", exact=True)
    warning.uncheck()
    page.locator(NOTIFICATION_SETTINGS).get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("Saved.")
    expect(page.get_by_label("When it is my turn")).to_be_checked()
    expect(warning).not_to_be_checked()


# Tests of the service worker


# Records the notifications that the script shows, and the windows that it opens or focuses.
RECORD_NOTIFICATIONS = """() => {
  self.shown = [];
  self.done = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, tag, address: data.address });
  };
  Clients.prototype.openWindow = async (url) => { self.done.push(["opened", url]); };
  WindowClient.prototype.focus = async function () { self.done.push(["focused", this.url]); };
}"""


def registration_of(page: Page, devtools: CDPSession) -> str:
    """Return the id of the site's service worker in DevTools."""
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(
            each["registrationId"] for each in event["registrations"] if not each["isDeleted"]
        ),
    )
    devtools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    return found[-1]


def wait_until_shown(page: Page, worker: Worker, number: int) -> list[dict[str, Any]]:
    """Wait for `number` notifications, and return them."""
    while worker.evaluate("self.shown.length") < number:
        page.wait_for_timeout(20)
    shown: list[dict[str, Any]] = worker.evaluate("self.shown")
    assert len(shown) == number
    return shown


@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", [2], indirect=True)
def test_clicking_a_notification_opens_the_duel(
    page: Page, desks: Desks, prepared_scenes: list[Scene]
) -> None:
    turn_on_notifications(page)
    worker = service_worker(page)
    assert worker.url == f"{desks.site.url}/service-worker.js"
    devtools = page.context.new_cdp_session(page)
    registration = registration_of(page, devtools)
    message = {
        "kind": "turn",
        "title": "Your turn against Bram",
        "body": "Due 2 March, 12:00 UTC",
        "address": prepared_scenes[2].path,
    }

    def push_message(data: str) -> None:
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": desks.site.url, "registrationId": registration, "data": data},
        )

    worker.evaluate(RECORD_NOTIFICATIONS)
    push_message(json.dumps(message))
    (shown,) = wait_until_shown(page, worker, 1)
    told = {name: message[name] for name in ("title", "body", "address")}
    assert shown == told | {"tag": prepared_scenes[2].path}
    push_message("this is no JSON")  # browsers require that something is shown for every message
    assert wait_until_shown(page, worker, 2)[1]["title"] == "Spellcaster"
    worker.evaluate("(address) => self.open(address)", prepared_scenes[2].path)
    duel = page.context.new_page()
    duel.goto(prepared_scenes[2].path)
    worker.evaluate("(address) => self.open(address)", prepared_scenes[2].path)
    worker.evaluate("self.open('https://evil.example/')")
    address = desks.site.url + prepared_scenes[2].path
    assert worker.evaluate("self.done") == [["opened", address], ["focused", address]]
    assert worker.evaluate("caches.keys()") == []


@pytest.mark.parametrize("page", [3], indirect=True)
def test_changed_push_address_is_sent_to_the_site(page: Page) -> None:
    turn_on_notifications(page)
    old = page.evaluate("localStorage.getItem('made')")
    new = {
        "endpoint": f"{ENDPOINT}new",
        "keys": {"p256dh": P256DH, "auth": encoded_key(AUTH_SECRET)},
    }
    service_worker(page).evaluate(
        """([old, made]) => self.renew({
          oldSubscription: { endpoint: old }, newSubscription: { toJSON: () => made },
        })""",
        [old, new],
    )
    page.evaluate("(text) => localStorage.setItem('made', text)", new["endpoint"])
    page.reload()
    expect(page.locator("[data-push-state]")).to_have_text("Notifications are on for this device.")
    wait_until_listed(page, True)


# Tests of installing the site as an app


def test_chromium_accepts_the_manifest(desks: Desks, prepared_scenes: list[Scene]) -> None:
    page = desks.window("/", prepared_scenes[0].ada, {})
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["url"] == f"{desks.site.url}/manifest.webmanifest"
    assert found["errors"] == []
    assert json.loads(found["data"])["name"] == "Spellcaster"
    devtools.send("Page.enable")
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    assert refused == []


def test_browser_accepts_the_push_key_of_the_site(
    desks: Desks, prepared_scenes: list[Scene]
) -> None:
    """The key has the format that `subscribe` requires: a point on the curve, as text."""
    page = desks.window("/settings/mail", prepared_scenes[0].ada, {})
    key = page.locator(NOTIFICATION_SETTINGS).get_attribute("data-push")
    imported = page.evaluate(
        """async (text) => {
          const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
          const curve = { name: "ECDSA", namedCurve: "P-256" };
          const key = await crypto.subtle.importKey("raw", bytes, curve, true, ["verify"]);
          return key.type;
        }""",
        key,
    )
    assert imported == "public"
    assert key != VAPID_SETTINGS["VAPID_PRIVATE_KEY"]
