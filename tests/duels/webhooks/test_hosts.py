"""Hosts of webhooks, which receive requests only if all their addresses are public."""

import socket
import time
from unittest import mock

import pytest

from duels.delivery import public_hosts
from duels.delivery.public_hosts import PrivateAddress, public_address
from duels.webhooks import sending
from duels.webhooks.formats import ServiceRequest
from tests.services import silent_server
from tests.webhook_sink import SINK_HOST, WebhookSink, fake_dns


@pytest.mark.parametrize("addresses", [["8.8.8.8", "10.0.0.1"], ["2606:4700::1", "::1"]])
def test_all_addresses_of_a_host_must_be_public(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str]
):
    fake_dns(monkeypatch, {SINK_HOST: addresses})
    with pytest.raises(PrivateAddress):
        public_address(SINK_HOST)
    with pytest.raises(PrivateAddress):
        sending.send(ServiceRequest("POST", f"https://{SINK_HOST}/x", b""))


def test_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch):
    """A second lookup could lead into the private network."""
    hosts = {SINK_HOST: ["8.8.8.8"]}
    fake_dns(monkeypatch, hosts)

    def connect(place: tuple[str, int], **named: object) -> None:
        hosts[SINK_HOST] = ["127.0.0.1"]
        raise ConnectionRefusedError(place)

    with (
        mock.patch.object(socket, "create_connection", side_effect=connect) as connected,
        pytest.raises(ConnectionRefusedError),
    ):
        sending.send(ServiceRequest("POST", f"https://{SINK_HOST}/x", b""))
    assert connected.call_args.args == (("8.8.8.8", 443),)
    with pytest.raises(PrivateAddress):
        sending.send(ServiceRequest("POST", f"https://{SINK_HOST}/x", b""))


def test_redirects_are_not_followed(sink: WebhookSink):
    sink.answers.append((307, b""))
    sink.headers["Location"] = "https://127.0.0.1/x"
    response = sending.send(ServiceRequest("POST", f"{sink.url}/x", b""))
    assert response.status == 307
    assert sink.request_lines == ["POST /x"]


def test_proxies_in_environment_variables_are_not_used(
    sink: WebhookSink, monkeypatch: pytest.MonkeyPatch
):
    for name in ("https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert sending.send(ServiceRequest("POST", f"{sink.url}/x", b"")).status == 200


def test_host_name_is_sent_and_checked_in_tls_and_http(
    sink: WebhookSink, monkeypatch: pytest.MonkeyPatch
):
    sending.send(ServiceRequest("POST", f"{sink.url}/x?thread_id=1", b""))
    (received,) = sink.received
    assert received.headers["Host"] == f"{SINK_HOST}:{sink.port}"
    assert received.path == "/x?thread_id=1"
    other = "other.example.com"  # the certificate is for another name
    fake_dns(monkeypatch, {other: ["127.0.0.1"]})
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        sending.send(ServiceRequest("POST", f"https://{other}:{sink.port}/x", b""))
    assert len(sink.received) == 1


def test_only_the_beginning_of_a_long_response_is_read(sink: WebhookSink):
    sink.answers.append((200, b"x" * 1_000_000))
    response = sending.send(ServiceRequest("POST", f"{sink.url}/x", b""))
    assert len(response.body) == sending.MAX_RESPONSE_BYTES


def test_connection_to_a_slow_host_is_closed(sink: WebhookSink, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sending, "TOTAL_TIMEOUT_SECONDS", 0.2)
    with silent_server() as port:
        monkeypatch.setattr(public_hosts, "HTTPS_PORT", port)
        begun = time.monotonic()
        with pytest.raises(OSError, match=r"."):
            sending.send(ServiceRequest("POST", f"https://{SINK_HOST}:{port}/x", b""))
    assert time.monotonic() - begun < sending.STEP_TIMEOUT_SECONDS
