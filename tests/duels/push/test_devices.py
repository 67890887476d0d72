"""Devices for notifications: accepted endpoints, ownership, limits, and the settings page."""

import json
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import resolve

from duels.commands import closing
from duels.errors import Refused
from duels.models import User, Wizard
from duels.push import device_limits, endpoints, vapid
from duels.push.commands import delivering, queueing, subscribing
from duels.push.devices import device_name
from duels.push.models import Push, PushChoice, PushSubscription
from tests.cast import NOW, Cast, begin, sign_in_with_second_factor
from tests.push_service import AUTH_SECRET, P256DH, PushService, subscribe_device

FCM_ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc:def-123"
FIREFOX_USER_AGENT = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
SUBSCRIPTION_FORM = {
    "endpoint": FCM_ENDPOINT,
    "p256dh": P256DH,
    "auth": endpoints.encode_key(AUTH_SECRET),
}


def client_of(wizard: Wizard) -> Client:
    assert wizard.user
    client = Client(headers={"user-agent": FIREFOX_USER_AGENT})
    client.force_login(wizard.user)
    return client


def subscribe(wizard: Wizard, **changes: str) -> PushSubscription:
    values: dict[str, Any] = SUBSCRIPTION_FORM | {"device": "Firefox"} | changes
    return subscribing.subscribe(wizard=wizard, now=NOW, **values)


def subscription_error(wizard: Wizard, **changes: str) -> Refused:
    with pytest.raises(Refused) as caught:
        subscribe(wizard, **changes)
    assert not PushSubscription.objects.filter(wizard=wizard).exists()
    return caught.value


# Endpoints to which the site may send


@pytest.mark.parametrize(
    "endpoint",
    [
        FCM_ENDPOINT,
        "https://fcm.googleapis.com:443/wp/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGf",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYA",
        "https://push.example.net/x",
    ],
)
def test_endpoints_of_browsers_push_services_are_accepted(ada: Wizard, settings, endpoint: str):
    settings.PUSH_SERVICES = ["*.Example.net"]
    assert subscribe(ada, endpoint=endpoint).endpoint == endpoint


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://fcm.googleapis.com/fcm/send/abc",
        "https://fcm.googleapis.com:8443/fcm/send/abc",
        "https://fcm.googleapis.com.evil.example/fcm",
        "https://evilfcm.googleapis.com/fcm",
        "https://push.services.mozilla.com.evil.example/",
        "https://user@fcm.googleapis.com/fcm",
        "https://fcm.googleapis.com\\@evil.example/",
        "https://fcm.googleapis.com\t.evil.example/",
        "https://fcm.googleapis.com:port/",
        "https://evil.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://localhost/x",
        "https://redis/x",
        "https://db.local/x",
        "https://metadata.google.internal/x",
        "https://ﬀcm.googleapis.com/x",
        "file:///etc/passwd",
        "//fcm.googleapis.com/x",
        FCM_ENDPOINT + "x" * 1000,
    ],
)
def test_endpoints_of_other_servers_are_rejected(ada: Wizard, endpoint: str):
    answer = subscription_error(ada, endpoint=endpoint)
    assert (answer.code, answer.field) == ("bad_subscription", "endpoint")


@pytest.mark.parametrize(
    "service", ["127.0.0.1", "localhost", "*.internal", "*.local", "*", "*.", "db.lan"]
)
def test_configuration_cannot_allow_endpoints_in_private_networks(
    ada: Wizard, settings, service: str
):
    settings.PUSH_SERVICES = [service]
    host = service.replace("*", "push") if "." in service else "localhost"
    assert subscription_error(ada, endpoint=f"https://{host}/x").field == "endpoint"
    assert not endpoints.is_service_name(service)


def test_push_service_removed_from_the_settings_receives_nothing(
    cast: Cast, service: PushService, settings
):
    settings.PUSH_SERVICES = ["push.example.net"]
    subscribe(cast.ada, endpoint="https://push.example.net/x")
    settings.PUSH_SERVICES = []
    begin(cast.ada, cast.bram)
    assert delivering.deliver_due(clock=lambda: NOW).sent == 0
    assert Push.objects.get().dropped_for == "refused"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("p256dh", ""),
        (
            "p256dh",
            endpoints.encode_key(b"\x04" + bytes(64)),
        ),  # this key is not a point on the curve
        ("p256dh", endpoints.encode_key(b"\x04" + bytes(63))),
        ("p256dh", P256DH[:-4]),
        ("p256dh", "ä" * 87),
        ("auth", ""),
        ("auth", endpoints.encode_key(bytes(15))),
        ("auth", endpoints.encode_key(bytes(17))),
        ("auth", "a/b+" * 5 + "aa"),
        ("auth", "a"),
    ],
)
def test_invalid_keys_of_a_browser_are_rejected(ada: Wizard, field: str, value: str):
    answer = subscription_error(ada, **{field: value})
    assert (answer.code, answer.field) == ("bad_subscription", field)


def test_keys_of_a_browser_may_have_padding(ada: Wizard):
    subscribe(ada, p256dh=P256DH + "=", auth=SUBSCRIPTION_FORM["auth"] + "==")
    row = PushSubscription.objects.get()
    assert (row.p256dh, row.auth) == (P256DH, SUBSCRIPTION_FORM["auth"])


# Ownership and limits


def test_subscribing_twice_creates_one_device(ada: Wizard):
    subscribe(ada)
    PushSubscription.objects.update(failures=3)
    subscribe(ada, device="Chrome")
    row = PushSubscription.objects.get()
    assert (row.device, row.failures) == ("Chrome", 0)


def test_browser_belongs_to_the_wizard_who_subscribed_last(cast: Cast):
    subscribe(cast.ada)
    subscribe(cast.bram)
    assert PushSubscription.objects.get().wizard == cast.bram


def test_new_endpoint_cannot_replace_that_of_another_wizard(cast: Cast):
    subscribe(cast.ada)
    subscribe(cast.bram, endpoint=FCM_ENDPOINT + "2", replaces=FCM_ENDPOINT)
    assert PushSubscription.objects.count() == 2
    subscribe(cast.ada, endpoint=FCM_ENDPOINT + "3", replaces=FCM_ENDPOINT)
    assert {row.endpoint for row in PushSubscription.objects.all()} == {
        FCM_ENDPOINT + "2",
        FCM_ENDPOINT + "3",
    }


def test_number_of_devices_per_wizard_is_limited(cast: Cast):
    for number in range(device_limits.MAX_DEVICES):
        subscribe(cast.ada, endpoint=f"{FCM_ENDPOINT}{number}")
    with pytest.raises(Refused) as caught:
        subscribe(cast.ada)
    assert caught.value.code == "too_many_devices"
    subscribe(cast.ada, endpoint=f"{FCM_ENDPOINT}0")  # this device is already subscribed
    subscribe(cast.bram)


def test_subscribing_is_rejected_if_the_site_has_no_push_keys(ada: Wizard, settings):
    settings.VAPID_PRIVATE_KEY = ""
    assert subscription_error(ada).code == "push_is_off"


def test_closing_an_account_deletes_its_push_data(cast: Cast):
    subscribe(cast.ada)
    subscribing.set_push_choice(wizard=cast.ada, turns=True, reminders=False)
    queueing.send_test(wizard=cast.ada, now=NOW)
    assert cast.ada.user
    closing.close_account(user=cast.ada.user, now=NOW)
    assert Wizard.objects.filter(pk=cast.ada.pk).exists()
    for model in (Push, PushChoice, PushSubscription):
        assert not model._default_manager.exists()


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (FIREFOX_USER_AGENT, "Firefox on Android"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
            "Chrome/140.0.0.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 "
            "(KHTML, like Gecko) Version/18.5 Safari/605.1.15",
            "Safari on Mac",
        ),
        ("", "A browser"),
    ],
)
def test_name_of_a_device_has_its_browser_and_system(user_agent: str, name: str):
    assert device_name(user_agent) == name


# Settings


def test_device_can_be_turned_on_and_off_in_the_settings(ada: Wizard):
    client = client_of(ada)
    assert "data-push-on" in client.get("/settings/mail").content.decode()
    assert client.post("/settings/push-on", SUBSCRIPTION_FORM).status_code == 302
    device = PushSubscription.objects.get()
    page = client.get("/settings/mail").content.decode()
    assert "Notifications are on for this device." in page
    assert "<strong>Firefox on Android</strong>" in page
    for secret in (device.endpoint, device.p256dh, device.auth):
        assert secret not in page
    client.post("/settings/push-off", {"device": device.pk})
    assert not PushSubscription.objects.exists()


def test_errors_when_subscribing_a_device_are_shown_on_a_page(ada: Wizard):
    client = client_of(ada)
    answer = client.post(
        "/settings/push-on", SUBSCRIPTION_FORM | {"endpoint": "https://evil.example/x"}
    )
    assert answer.status_code == 422
    assert "your browser: evil.example" in answer.content.decode()
    assert "Back to settings" in answer.content.decode()
    answer = client.post("/settings/push-on", {"endpoint": FCM_ENDPOINT})
    assert answer.status_code == 422
    assert "p256dh" in answer.content.decode()


def test_service_worker_can_send_a_new_endpoint(ada: Wizard):
    client = Client(enforce_csrf_checks=True, headers={"user-agent": FIREFOX_USER_AGENT})
    assert ada.user
    client.force_login(ada.user)
    subscribe(ada)
    answer = client.get("/settings/push-key")
    assert "no-store" in answer.headers["Cache-Control"]
    told = json.loads(answer.content)
    assert told["key"] == vapid.public_key()
    form = SUBSCRIPTION_FORM | {
        "endpoint": FCM_ENDPOINT + "new",
        "replaces": FCM_ENDPOINT,
        "quietly": "1",
    }
    assert client.post("/settings/push-on", form).status_code == 403
    form["csrfmiddlewaretoken"] = told["token"]
    assert client.post("/settings/push-on", form).status_code == 204
    assert PushSubscription.objects.get().endpoint == FCM_ENDPOINT + "new"


def test_addresses_and_pictures_used_by_the_service_worker_exist():
    script = Client().get("/service-worker.js").content.decode()
    for address in ("/settings/push-key", "/settings/push-on"):
        assert f'"{address}"' in script
        assert resolve(address).url_name
    for picture in ("icon-192.png", "icon-badge-96.png"):
        assert f'"/static/img/{picture}"' in script
        assert finders.find(f"img/{picture}")


def test_only_the_owner_can_remove_a_device(cast: Cast):
    device = subscribe(cast.ada)
    for number in (device.pk, "", "x", "9" * 30):
        client_of(cast.bram).post("/settings/push-off", {"device": number})
    assert PushSubscription.objects.exists()


def test_choice_of_notifications_is_stored_and_shown(ada: Wizard):
    client = client_of(ada)
    page = client.get("/settings/mail").content.decode()
    # One box per kind of notification, one for emails of private messages, and the email choice.
    assert page.count(" checked") == 5
    client.post("/settings/push-choice", {"reminders": "on"})
    choice = PushChoice.objects.get()
    assert (choice.turns, choice.reminders, choice.messages) == (False, True, False)
    assert client.get("/settings/mail").content.decode().count(" checked") == 3


@pytest.mark.parametrize("name", ["on", "off", "choice", "test"])
def test_push_settings_require_login_and_post(ada: Wizard, name: str):
    address = f"/settings/push-{name}"
    assert "/accounts/login/" in Client().post(address, SUBSCRIPTION_FORM).headers["Location"]
    assert client_of(ada).get(address).headers["Location"] == "/settings/"
    assert not PushSubscription.objects.exists()


def test_public_push_key_is_shown_only_after_login(db: None):
    assert Client().get("/settings/push-key").status_code == 302


@pytest.mark.parametrize("missing", ["VAPID_PRIVATE_KEY", "VAPID_CONTACT"])
def test_pages_do_not_mention_notifications_if_the_site_has_no_push_keys(
    ada: Wizard, settings, missing: str
):
    setattr(settings, missing, "")
    client = client_of(ada)
    assert "otification" not in client.get("/settings/mail").content.decode()
    assert "otification" not in client.get("/settings/").content.decode()
    assert client.get("/settings/push-key").status_code == 404
    assert client.post("/settings/push-on", SUBSCRIPTION_FORM).status_code == 409


def test_settings_page_links_to_notifications(ada: Wizard):
    assert "/settings/mail#notifications" in client_of(ada).get("/settings/").content.decode()


# Test notifications, and the log of notifications


def test_test_notification_is_sent_to_all_devices_of_the_wizard(
    cast: Cast, service: PushService, settings, committed
):
    settings.PUSH_SENT_IMMEDIATELY = True
    client = client_of(cast.ada)
    assert client.post("/settings/push-test").status_code == 409
    for name in ("one", "two"):
        subscribe_device(cast.ada, service.url, name=name)
    subscribe_device(cast.bram, service.url)
    with committed():
        assert client.post("/settings/push-test").status_code == 302
    assert service.titles == ["Notifications work on this device"] * 2
    (told,) = {each.content["address"] for each in service.received}
    assert told == "/settings/mail"
    assert "on its way to your 2 devices" in client.get("/settings/mail").content.decode()


def test_test_notifications_are_rate_limited(cast: Cast, service: PushService, monkeypatch):
    monkeypatch.setattr(device_limits, "MAX_TESTS", 2)
    subscribe_device(cast.ada, service.url)
    for number in range(2):
        queueing.send_test(wizard=cast.ada, now=NOW.replace(second=number))
    with pytest.raises(Refused) as caught:
        queueing.send_test(wizard=cast.ada, now=NOW)
    assert caught.value.code == "tested_out"
    queueing.send_test(wizard=cast.ada, now=NOW.replace(hour=14))


def notification_log(client: Client) -> str:
    shown = client.get("/settings/mail").content.decode()
    return " ".join(shown.partition("data-mail-log>")[2].partition("</ul>")[0].split())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"status": "sent", "sent_at": NOW}, "On Firefox on Android: sent 1 March, 12:00"),
        ({"status": "dropped", "dropped_for": "read"}, "not sent: read on the site"),
        ({"status": "dropped", "was_interrupted": True}, ": probably sent"),
        ({"status": "failed"}, "failed: the push service did not accept it"),
        ({"status": "failed", "was_interrupted": True}, ": probably sent"),
        ({"status": "failed", "was_interrupted": True, "last_error": "refused: 400"}, "failed:"),
        ({"attempts": 2}, "not sent yet; next attempt 1 March, 12:00"),
        ({}, "on its way"),
    ],
)
def test_log_lists_notifications(
    cast: Cast, service: PushService, changes: dict[str, Any], words: str
):
    subscribe_device(cast.ada, service.url)
    begin(cast.ada, cast.bram)
    Push.objects.update(**changes)
    log = notification_log(client_of(cast.ada))
    assert ": your turn, <time" in log
    assert words in log
    assert ": the duel has begun, <time" in log  # the email
    assert "Android" not in notification_log(client_of(cast.bram))


def test_admin_does_not_show_push_keys_or_endpoints(cast: Cast, service: PushService):
    device = subscribe_device(cast.ada, service.url)
    begin(cast.ada, cast.bram)
    client = Client()
    sign_in_with_second_factor(client, User.objects.create_superuser("root@example.org", "x"))
    for path in (
        "pushsubscription/",
        f"pushsubscription/{device.pk}/change/",
        "push/",
        f"push/{Push.objects.get().pk}/change/",
    ):
        answer = client.get(f"/admin/push/{path}")
        assert answer.status_code == 200
        page = answer.content.decode()
        assert "Firefox on Android" in page
        for secret in (device.endpoint, device.p256dh, device.auth):
            assert secret not in page


# Signing out


def test_signing_out_removes_only_this_browsers_device(cast: Cast):
    other = subscribe(cast.ada, endpoint=f"{FCM_ENDPOINT}-other")
    client = client_of(cast.ada)
    client.post("/settings/push-on", SUBSCRIPTION_FORM)
    cookie = client.cookies["push_device"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    here = PushSubscription.objects.get(endpoint=FCM_ENDPOINT)
    # a new session in the same browser
    assert cast.ada.user
    client.force_login(cast.ada.user)
    client.post("/accounts/logout/")
    assert list(PushSubscription.objects.all()) == [other]
    assert here != other


@pytest.mark.parametrize("value", ["", "7", "7:signed-by-nobody"])
def test_signing_out_with_a_forged_device_cookie_does_not_remove_a_device(cast: Cast, value: str):
    device = subscribe(cast.ada)
    client = client_of(cast.ada)
    client.cookies["push_device"] = value.replace("7", str(device.pk))
    assert client.post("/accounts/logout/").status_code == 302
    assert PushSubscription.objects.filter(pk=device.pk).exists()


def test_signing_out_keeps_devices_of_other_users(cast: Cast):
    client = client_of(cast.ada)
    client.post("/settings/push-on", SUBSCRIPTION_FORM)
    device = PushSubscription.objects.get()
    assert cast.bram.user
    client.force_login(cast.bram.user)
    client.post("/accounts/logout/")
    assert PushSubscription.objects.filter(pk=device.pk).exists()
