"""Requests to Discord, Slack, Matrix and ntfy, in which all text is escaped."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from duels.webhooks.formats import (
    MessageTarget,
    ServiceRequest,
    matrix_address,
    remote_id_in,
    request_for,
)
from duels.webhooks.messages import ChatMessage, WaitingWizards
from duels.webhooks.models import Service

DEADLINE = datetime(2026, 3, 2, 12, tzinfo=UTC)
CHAT_MESSAGE = ChatMessage(
    "duel-7",
    "Duel 7: Ada against Bram",
    "turn 3",
    "https://duels.example/duels/7/",
    (WaitingWizards("Ada and Bram", DEADLINE),),
)
ROOM_ADDRESS = matrix_address("https://matrix.example.org/", "!a/b:example.org")


def webhook_call(
    service: Service, address: str, message: ChatMessage = CHAT_MESSAGE, **values: str
) -> ServiceRequest:
    target = {"token": "", "remote_id": "", "key": "5-ab"} | values
    return request_for(service, MessageTarget(address, **target), message)


def json_value(call: ServiceRequest) -> dict[str, Any]:
    assert call.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = json.loads(call.body)
    return found


def message_with_name(name: str) -> ChatMessage:
    return ChatMessage("duel-7", f"Duel 7: {name}", "turn 3", "https://duels.example/duels/7/")


def test_discord_message_is_posted_and_then_edited():
    address = "https://discord.com/api/webhooks/1/secret?thread_id=2"
    posted = webhook_call(Service.DISCORD, address)
    assert (posted.method, posted.url) == ("POST", f"{address}&wait=true")
    assert json_value(posted) == {
        "content": (
            "Duel 7\\: Ada against Bram · turn 3\n"
            "Waiting for Ada and Bram: due <t:1772452800:f> (<t:1772452800:R>)\n"
            "<https://duels.example/duels/7/>"
        ),
        "allowed_mentions": {"parse": []},
        "flags": 4,
    }
    edited = webhook_call(Service.DISCORD, address, remote_id="99")
    url = "https://discord.com/api/webhooks/1/secret/messages/99?thread_id=2&wait=true"
    assert (edited.method, edited.url) == ("PATCH", url)
    assert edited.body == posted.body


def test_slack_message_is_posted():
    posted = webhook_call(Service.SLACK, "https://hooks.slack.com/services/T/B/x")
    assert (posted.method, posted.url) == ("POST", "https://hooks.slack.com/services/T/B/x")
    assert json_value(posted) == {
        "text": (
            "Duel 7: Ada against Bram · turn 3\n"
            "Waiting for Ada and Bram: due 2 March, 12:00 UTC\n"
            "https://duels.example/duels/7/"
        ),
        "mrkdwn": False,
        "unfurl_links": False,
    }


def test_matrix_message_is_sent_and_then_replaced():
    sent = webhook_call(Service.MATRIX, ROOM_ADDRESS, token="syt_x")
    url = (
        "https://matrix.example.org/_matrix/client/v3/rooms/%21a%2Fb%3Aexample.org"
        "/send/m.room.message/5-ab"
    )
    assert (sent.method, sent.url) == ("PUT", url)
    assert sent.headers["Authorization"] == "Bearer syt_x"
    content = {
        "msgtype": "m.notice",
        "body": (
            "Duel 7: Ada against Bram · turn 3\n"
            "Waiting for Ada and Bram: due 2 March, 12:00 UTC\n"
            "https://duels.example/duels/7/"
        ),
        "format": "org.matrix.custom.html",
        "formatted_body": (
            "Duel 7: Ada against Bram · turn 3<br>"
            "Waiting for Ada and Bram: due 2 March, 12:00 UTC<br>"
            '<a href="https://duels.example/duels/7/">https://duels.example/duels/7/</a>'
        ),
        "m.mentions": {},
    }
    assert json_value(sent) == content
    edited = json_value(webhook_call(Service.MATRIX, ROOM_ADDRESS, token="syt_x", remote_id="$1"))
    assert edited["m.new_content"] == content
    assert edited["m.relates_to"] == {"rel_type": "m.replace", "event_id": "$1"}
    assert edited["body"] == f"* {content['body']}"


def test_ntfy_messages_about_a_duel_share_an_id_and_replace_each_other():
    posted = webhook_call(Service.NTFY, "https://ntfy.sh/topic", token="tk_x")
    assert (posted.method, posted.url) == ("POST", "https://ntfy.sh/topic")
    assert posted.headers == {
        "Click": "https://duels.example/duels/7/",
        "X-Sequence-ID": "duel-7",
        "Authorization": "Bearer tk_x",
    }
    assert posted.body.decode() == (
        "Duel 7: Ada against Bram · turn 3\nWaiting for Ada and Bram: due 2 March, 12:00 UTC"
    )
    assert "Authorization" not in webhook_call(Service.NTFY, "https://ntfy.sh/topic").headers


def test_message_shows_clocks_even_without_names():
    waits = (
        WaitingWizards("Cleo"),
        WaitingWizards("", DEADLINE),
        WaitingWizards("", None, timedelta(days=2)),
    )
    message = ChatMessage("duel-7", "Duel 7", "turn 3", "https://duels.example/duels/7/", waits)
    assert webhook_call(Service.NTFY, "https://ntfy.sh/topic", message).body.decode().split(
        "\n"
    ) == [
        "Duel 7 · turn 3",
        "Waiting for Cleo",
        "due 2 March, 12:00 UTC",
        "2\N{NO-BREAK SPACE}days left, and the clock is stopped",
    ]


@pytest.mark.parametrize(
    ("service", "name", "written"),
    [
        (Service.DISCORD, "@everyone", "\\@everyone"),
        (Service.DISCORD, "<@1> **x** [y](https://z)", "\\<\\@1\\> \\*\\*x\\*\\* \\[y\\]\\("),
        (Service.DISCORD, "`a` ~b~ |c| _d_", "\\`a\\` \\~b\\~ \\|c\\| \\_d\\_"),
        (Service.SLACK, "<!channel> & <https://z|y>", "&lt;!channel&gt; &amp; &lt;https://z|y&gt;"),
        (Service.NTFY, "<b>x</b>", "<b>x</b>"),
    ],
)
def test_names_are_escaped(service: Service, name: str, written: str):
    posted = webhook_call(service, "https://hooks.example.com/x", message_with_name(name))
    text = posted.body.decode()
    if service != Service.NTFY:
        text = json.loads(text)["content" if service == Service.DISCORD else "text"]
    assert written in text


def test_names_in_matrix_messages_are_escaped():
    sent = json_value(
        webhook_call(Service.MATRIX, ROOM_ADDRESS, message_with_name('<b>@room</b> & "x"'))
    )
    assert "&lt;b&gt;@room&lt;/b&gt; &amp; &quot;x&quot;" in sent["formatted_body"]
    assert sent["m.mentions"] == {}


@pytest.mark.parametrize(
    ("service", "body", "found"),
    [
        (Service.DISCORD, b'{"id": "99"}', "99"),
        (Service.MATRIX, b'{"event_id": "$1"}', "$1"),
        (Service.SLACK, b'{"id": "99"}', ""),
        (Service.NTFY, b'{"id": "99"}', ""),
        (Service.DISCORD, b"ok", ""),
        (Service.DISCORD, b"[]", ""),
        (Service.DISCORD, b'{"id": 99}', ""),
        (Service.DISCORD, b"\xff", ""),
        (Service.DISCORD, b"[" * 20_000, ""),
        (Service.DISCORD, b'{"id": "' + b"9" * 300 + b'"}', ""),
    ],
)
def test_id_of_a_message_is_read_from_the_response(service: Service, body: bytes, found: str):
    assert remote_id_in(service, body) == found


def test_id_of_a_message_cannot_change_the_path():
    edited = webhook_call(Service.DISCORD, "https://hooks.example.com/x", remote_id="../../y?z")
    assert edited.url == "https://hooks.example.com/x/messages/..%2F..%2Fy%3Fz?wait=true"
