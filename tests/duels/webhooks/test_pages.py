"""Players add, test and delete webhooks on a page that does not show their addresses."""

import json
from html import unescape
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from duels.commands.closing import begin_closing
from duels.errors import Refused
from duels.models import User, Wizard
from duels.screens.account.export import data_archive
from duels.sealing import seals
from duels.webhooks.addresses import ADDRESS_FORMATS
from duels.webhooks.commands import delivering
from duels.webhooks.commands.changing import MAX_TESTS, MAX_WEBHOOKS, add_webhook
from duels.webhooks.models import Service, Webhook, WebhookMessage
from tests.cast import NOW, Cast, begin, sign_in_with_second_factor, signed_in
from tests.webhook_sink import WebhookSink

pytestmark = pytest.mark.django_db

DISCORD_ADDRESS = "https://discord.com/api/webhooks/1/hush"


def webhooks_page(wizard: Wizard) -> str:
    return signed_in(wizard).get("/settings/webhooks").content.decode()


def post_webhook_form(wizard: Wizard, **fields: Any) -> Any:
    typed = {"service": "discord", "address": DISCORD_ADDRESS, **fields}
    return signed_in(wizard).post("/settings/webhooks", typed)


def test_added_webhook_is_listed_without_its_address(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    assert post_webhook_form(cast.ada).status_code == 302
    assert post_webhook_form(cast.ada, duel=duel.pk).status_code == 302
    webhook, of_duel = Webhook.objects.order_by("pk")
    assert (webhook.duel, of_duel.duel) == (None, duel)
    assert seals.is_encrypted(webhook.secret)
    shown = webhooks_page(cast.ada)
    assert "https://discord.com/••••" in shown
    assert "hush" not in shown
    assert "hush" not in webhooks_page(cast.bram)


def test_matrix_room_and_token_are_stored_as_one_secret(cast: Cast):
    typed = {"service": "matrix", "address": "https://matrix.example.org"}
    assert "internal ID" in post_webhook_form(cast.ada, **typed, token="syt_x").content.decode()
    assert (
        "access token"
        in post_webhook_form(cast.ada, **typed, room="!a:example.org").content.decode()
    )
    assert (
        post_webhook_form(cast.ada, **typed, token="syt_x", room="!a:example.org").status_code
        == 302
    )
    secret = json.loads(seals.decrypt(Webhook.objects.get().secret))
    assert secret == {
        "address": (
            "https://matrix.example.org/_matrix/client/v3/rooms/%21a%3Aexample.org"
            "/send/m.room.message"
        ),
        "token": "syt_x",
    }


def test_number_of_webhooks_is_limited(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    post_webhook_form(cast.ada, duel=duel.pk)
    answer = post_webhook_form(cast.ada, duel=duel.pk)
    assert answer.status_code == 400
    assert "already have a webhook for this duel" in answer.content.decode()
    for _ in range(MAX_WEBHOOKS + 1):
        post_webhook_form(cast.ada)
    assert Webhook.objects.filter(wizard=cast.ada).count() == MAX_WEBHOOKS
    assert post_webhook_form(cast.bram, duel=duel.pk).status_code == 302


def test_webhook_for_a_duel_requires_that_its_owner_is_playing_it(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    assert post_webhook_form(cast.cleo, duel=duel.pk).status_code == 400
    with pytest.raises(Refused, match="not a running duel of yours"):
        add_webhook(
            wizard=cast.cleo, service=Service.DISCORD, address=DISCORD_ADDRESS, duel=duel, now=NOW
        )
    assert not Webhook.objects.exists()


def test_guests_and_visitors_cannot_have_webhooks(cast: Cast):
    client = Client()
    client.post("/play", {"as": "guest"})
    assert client.post("/settings/webhooks", {"address": DISCORD_ADDRESS}).status_code == 302
    assert Client().get("/settings/webhooks").status_code == 302
    guest = Wizard.objects.get(kind="guest")
    with pytest.raises(Refused, match="Guests"):
        add_webhook(wizard=guest, service=Service.DISCORD, address=DISCORD_ADDRESS, now=NOW)


def test_test_message_is_sent_and_its_response_shown(cast: Cast, sink: WebhookSink):
    post_webhook_form(cast.ada, address=sink.discord_webhook)
    webhook = Webhook.objects.get()
    client, path = signed_in(cast.ada), f"/settings/webhooks/{webhook.pk}"
    assert client.post(path, {"do": "test"}).status_code == 302
    sink.answers.append((400, b"<script>alert(1)</script>" + b"x" * 500))
    assert delivering.deliver_due().sent == 0
    assert "this is a test message" in sink.received[0].value["content"]
    shown = webhooks_page(cast.ada)
    assert "<strong>400</strong>" in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;xxx" in shown
    assert "x" * 300 not in shown
    assert "No message has been accepted since" in shown
    for _ in range(MAX_TESTS):
        answer = client.post(path, {"do": "test"})
    assert answer.status_code == 409
    assert WebhookMessage.objects.count() == MAX_TESTS


def test_failing_webhook_can_be_turned_on_again_on_its_page(cast: Cast):
    post_webhook_form(cast.ada)
    Webhook.objects.update(failing_since=NOW, turned_off_at=NOW)
    webhook = Webhook.objects.get()
    assert "Turned off on" in webhooks_page(cast.ada)
    client, path = signed_in(cast.ada), f"/settings/webhooks/{webhook.pk}"
    assert client.post(path, {"do": "test"}).status_code == 409
    client.post(path, {"do": "on"})
    webhook.refresh_from_db()
    assert (webhook.failing_since, webhook.turned_off_at) == (None, None)


def test_only_the_owner_can_change_a_webhook(cast: Cast):
    post_webhook_form(cast.ada)
    path = f"/settings/webhooks/{Webhook.objects.get().pk}"
    assert signed_in(cast.bram).post(path, {"do": "test"}).status_code == 409
    signed_in(cast.bram).post(path, {"do": "delete"})
    assert Webhook.objects.exists()
    signed_in(cast.ada).post(path, {"do": "delete"})
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "http://discord.com/api/webhooks/1/x",
        "https://discord.com:8443/api/webhooks/1/x",
        "https://user@discord.com/api/webhooks/1/x",
        "https://user:secret@discord.com/x",
        "https://discord.com\\@evil.example/",
        "https://discord.com:port/",
        "https://127.0.0.1/x",
        "https://169.254.169.254/latest/meta-data/",
        "https://[::1]/x",
        "https://[::ffff:7f00:1]/x",
        "https://2130706433/x",
        "https://0x7f.1/x",
        "https://localhost/x",
        "https://redis/x",
        "https://db.local/x",
        "https://metadata.google.internal/x",
        "https://d\u0131scord.com/x",
        "file:///etc/passwd",
        "https://discord.com/" + "x" * 1000,
        "https://discord.gg/abcdefg",  # an invitation to a server
    ],
)
def test_unsuitable_webhook_addresses_are_rejected(cast: Cast, address: str):
    with pytest.raises(Refused) as refused:
        add_webhook(wizard=cast.ada, service=Service.DISCORD, address=address, now=NOW)
    assert (refused.value.code, refused.value.field) == ("bad_address", "address")
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    ("service", "address"),
    [
        (Service.DISCORD, DISCORD_ADDRESS),
        (Service.DISCORD, f"{DISCORD_ADDRESS}?thread_id=2"),
        (Service.DISCORD, "https://discordapp.com/api/webhooks/1/a-b_c"),
        (Service.DISCORD, "https://canary.discord.com/api/webhooks/1/x"),
        (Service.DISCORD, "https://ptb.discord.com/api/v10/webhooks/1/x"),
        (Service.SLACK, "https://hooks.slack.com/services/T0/B0/x1"),
        (Service.SLACK, "https://mattermost.example.org/hooks/x1"),
        (Service.MATRIX, "https://matrix.example.org"),
        (Service.MATRIX, "https://matrix.example.org/"),
        (Service.NTFY, "https://ntfy.sh/a-secret_topic"),
        (Service.NTFY, "https://ntfy.example.org/topic"),
    ],
)
def test_addresses_of_each_service_are_accepted(cast: Cast, service: Service, address: str):
    more = {"room": "!a:example.org", "token": "syt_x"} if service == Service.MATRIX else {}
    assert post_webhook_form(cast.ada, service=service, address=address, **more).status_code == 302


@pytest.mark.parametrize(
    ("service", "address"),
    [
        (Service.DISCORD, "https://discord.gg/abc123"),
        (Service.DISCORD, "https://discord.com/channels/1/2"),
        (Service.DISCORD, "https://discord.com/api/webhooks/1"),
        (Service.DISCORD, f"{DISCORD_ADDRESS}/slack"),
        (Service.DISCORD, f"{DISCORD_ADDRESS}#x"),
        (Service.DISCORD, "https://discord.com.example.org/api/webhooks/1/x"),
        (Service.DISCORD, "https://hooks.slack.com/services/T0/B0/x1"),
        (Service.SLACK, "https://example.slack.com/archives/C0"),
        (Service.SLACK, "https://hooks.slack.com/workflows/T0/A0/1/x"),
        (Service.SLACK, DISCORD_ADDRESS),
        (Service.MATRIX, "https://matrix.to/#/!a:example.org"),
        (Service.MATRIX, "https://app.element.io/#/room/!a:example.org"),
        (Service.MATRIX, "https://matrix.example.org/_matrix/client"),
        (Service.MATRIX, "https://discord.com/"),
        (Service.NTFY, "https://ntfy.sh"),
        (Service.NTFY, "https://ntfy.sh/topic/json"),
        (Service.NTFY, "https://ntfy.sh/topic?auth=x"),
        (Service.NTFY, "https://discord.gg/abc123"),
        (Service.NTFY, DISCORD_ADDRESS),
    ],
)
def test_wrong_address_for_a_service_is_rejected(cast: Cast, service: Service, address: str):
    answer = post_webhook_form(
        cast.ada, service=service, address=address, room="!a:example.org", token="x"
    )
    assert answer.status_code == 400
    fault = (
        f"not an address for {service.label}. It must look like {ADDRESS_FORMATS[service].example}"
    )
    assert fault in answer.content.decode()
    assert not Webhook.objects.exists()


def test_page_shows_where_to_find_each_address(cast: Cast):
    shown = webhooks_page(cast.ada)
    assert all(each.source in unescape(shown) for each in ADDRESS_FORMATS.values())


def test_closing_an_account_deletes_its_webhooks(cast: Cast):
    post_webhook_form(cast.ada)
    assert cast.ada.user
    begin_closing(user=cast.ada.user, now=NOW)
    assert not Webhook.objects.exists()


def test_exported_data_contain_webhook_addresses_but_no_tokens(cast: Cast):
    post_webhook_form(cast.ada, service="ntfy", address="https://ntfy.sh/topic", token="tk_secret")
    assert cast.ada.user
    with data_archive(cast.ada.user) as file, ZipFile(file) as archive:
        (webhook,) = json.loads(archive.read("webhooks.json"))
        assert not any(b"tk_secret" in archive.read(name) for name in archive.namelist())
    assert (webhook["service"], webhook["address"]) == ("ntfy", "https://ntfy.sh/topic")


def test_admin_does_not_show_webhook_addresses_or_responses(admin_user: User, cast: Cast):
    post_webhook_form(cast.ada)
    client = Client()
    sign_in_with_second_factor(client, admin_user)
    Webhook.objects.update(responses=[{"at": NOW.isoformat(), "status": 200, "words": "told"}])
    webhook = Webhook.objects.get()
    for path in ("", f"{webhook.pk}/change/"):
        shown = client.get(f"/admin/webhooks/webhook/{path}", follow=True).content.decode()
        assert "discord.com" in shown
        assert "hush" not in shown
        assert webhook.secret not in shown
        assert "told" not in shown
