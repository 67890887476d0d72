"""Requests that post messages to Discord, Slack, Matrix and ntfy, with all texts escaped."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from django.utils import timezone

from duels.webhooks.messages import ChatMessage
from duels.webhooks.models import MAX_REMOTE_ID_LENGTH, Service
from duels.wording.moments import moment_words, stopped_words

# The services that can edit messages, and the field of their responses with the message's id.
# For ntfy the site chooses the id, and a newer message with the same id replaces the older one.
REMOTE_ID_FIELDS: Final = {Service.DISCORD: "id", Service.MATRIX: "event_id"}
EDITABLE_SERVICES: Final = (*REMOTE_ID_FIELDS, Service.NTFY)
SUPPRESS_EMBEDS: Final = 4  # a flag of Discord's messages


@dataclass(frozen=True)
class MessageTarget:
    """The destination of a message. `remote_id` is the id of a message to edit, or ""."""

    address: str
    token: str
    remote_id: str
    key: str  # identifies the request, so that services recognise repetitions


@dataclass(frozen=True)
class ServiceRequest:
    """An HTTP request to a service."""

    method: str
    url: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


def request_for(service: Service, target: MessageTarget, message: ChatMessage) -> ServiceRequest:
    """Return the request that posts or edits this message."""
    return _REQUEST_BUILDERS[service](target, message)


def remote_id_in(service: Service, body: bytes) -> str:
    """Return the id of a message from the service's response, or "" if there is none."""
    try:
        found = json.loads(body)[REMOTE_ID_FIELDS[service]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return found if isinstance(found, str) and len(found) <= MAX_REMOTE_ID_LENGTH else ""


def matrix_address(homeserver: str, room: str) -> str:
    """Return the URL for posting messages to this Matrix room."""
    path = f"/_matrix/client/v3/rooms/{quote(room, safe='')}/send/m.room.message"
    return homeserver.rstrip("/") + path


def _discord(target: MessageTarget, message: ChatMessage) -> ServiceRequest:
    lines = _message_lines(message, _escape_markdown, _discord_moment)
    value = {
        "content": "\n".join((*lines, f"<{message.url}>")),
        "allowed_mentions": {"parse": []},
        "flags": SUPPRESS_EMBEDS,
    }
    parts = urlsplit(target.address)  # the query may contain a thread's id
    query = {**dict(parse_qsl(parts.query)), "wait": "true"}
    path = f"/messages/{quote(target.remote_id, safe='')}" if target.remote_id else ""
    url = parts._replace(path=parts.path + path, query=urlencode(query)).geturl()
    return _json_request("PATCH" if target.remote_id else "POST", url, value)


def _slack(target: MessageTarget, message: ChatMessage) -> ServiceRequest:
    text = "\n".join((*_message_lines(message, _escape_slack), message.url))
    value = {"text": text, "mrkdwn": False, "unfurl_links": False}
    return _json_request("POST", target.address, value)


def _matrix(target: MessageTarget, message: ChatMessage) -> ServiceRequest:
    link = f'<a href="{escape(message.url)}">{escape(message.url)}</a>'
    value: dict[str, Any] = {
        "msgtype": "m.notice",
        "body": "\n".join((*_message_lines(message), message.url)),
        "format": "org.matrix.custom.html",
        "formatted_body": "<br>".join((*_message_lines(message, escape), link)),
        "m.mentions": {},
    }
    if target.remote_id:
        relation = {"rel_type": "m.replace", "event_id": target.remote_id}
        body, html = f"* {value['body']}", f"* {value['formatted_body']}"
        edited = {"body": body, "formatted_body": html, "m.relates_to": relation}
        value = {**value, **edited, "m.new_content": value}
    url = f"{target.address}/{quote(target.key, safe='')}"
    return _json_request("PUT", url, value, Authorization=f"Bearer {target.token}")


def _ntfy(target: MessageTarget, message: ChatMessage) -> ServiceRequest:
    headers = {"Click": message.url, "X-Sequence-ID": message.code}
    if target.token:
        headers["Authorization"] = f"Bearer {target.token}"
    return ServiceRequest(
        "POST", target.address, "\n".join(_message_lines(message)).encode(), headers
    )


_REQUEST_BUILDERS: Final[dict[Service, Callable[[MessageTarget, ChatMessage], ServiceRequest]]] = {
    Service.DISCORD: _discord,
    Service.SLACK: _slack,
    Service.MATRIX: _matrix,
    Service.NTFY: _ntfy,
}


def _json_request(method: str, url: str, value: dict[str, Any], **headers: str) -> ServiceRequest:
    body = json.dumps(value, ensure_ascii=False).encode()
    return ServiceRequest(method, url, body, {"Content-Type": "application/json", **headers})


def _utc_moment(at: datetime) -> str:
    with timezone.override(UTC):
        return moment_words(at)


def _message_lines(
    message: ChatMessage,
    escape_text: Callable[[str], str] = str,
    moment: Callable[[datetime], str] = _utc_moment,
) -> Iterator[str]:
    yield escape_text(f"{message.title} · {message.state}")
    for wait in message.waits:
        until = stopped_words(wait.left) if wait.left is not None else ""
        until = f"due {moment(wait.due_at)}" if wait.due_at else until
        names = escape_text(f"Waiting for {wait.names}") if wait.names else ""
        if names or until:
            yield ": ".join(filter(None, [names, until]))


def _discord_moment(at: datetime) -> str:
    """Return markup that Discord shows in the reader's time zone, with the time left."""
    seconds = int(at.timestamp())
    return f"<t:{seconds}:f> (<t:{seconds}:R>)"


def _escape_markdown(text: str) -> str:
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


def _escape_slack(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
