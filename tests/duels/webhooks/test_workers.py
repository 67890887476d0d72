"""Webhook messages that real workers send to a server."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone

from duels.models import OutboxStatus
from duels.webhooks import tasks
from duels.webhooks.commands.changing import add_webhook
from duels.webhooks.models import Service, WebhookMessage
from tests.cast import Cast, begin, hands, play
from tests.duels.test_races import wait_until
from tests.services import MailSink
from tests.webhook_sink import DISCORD_HOST, DISCORD_PATH, webhook_sink

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_worker_posts_and_edits_the_message_of_a_duel(
    cast: Cast, start_workers: Callable[..., Path], mail_sink: MailSink, tmp_path: Path
) -> None:
    certificate = tmp_path / "certificate.pem"
    with webhook_sink(certificate) as sink:
        start_workers(
            mail_sink.url,
            DJANGO_SETTINGS_MODULE="tests.webhook_settings",
            SINK_PORT=str(sink.port),
            SINK_CERTIFICATE=str(certificate),
        )

        def is_sent() -> bool:
            tasks.deliver_due.delay()
            sent = WebhookMessage.objects.filter(status=OutboxStatus.SENT)
            return sent.filter(sent_at__gt=since).exists()

        since = timezone.now()
        duel = begin(cast.ada, cast.bram)
        address = f"https://{DISCORD_HOST}{DISCORD_PATH}"
        add_webhook(wizard=cast.ada, service=Service.DISCORD, address=address, now=since)
        wait_until(is_sent, "no worker posts the message")
        since = timezone.now()
        play(duel, dict.fromkeys((cast.ada, cast.bram), hands("W", "-")))
        wait_until(is_sent, "no worker edits the message")
    posted, edited = (each.partition("?")[0] for each in sink.request_lines)
    assert (posted, edited) == (f"POST {DISCORD_PATH}", f"PATCH {DISCORD_PATH}/messages/1")
    assert "turn 2" in sink.received[1].body.decode()
