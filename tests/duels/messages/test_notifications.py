"""Notifications on devices about private messages of accepted threads."""

from collections.abc import Iterator

import pytest

from duels.messages.commands import send_message, set_consent
from duels.messages.models import Consent
from duels.push.public import deliver_due, set_push_choice
from tests.cast import NOW, Cast, begin
from tests.duels.push.conftest import allow_push_host
from tests.push_service import PushService, push_service, subscribe_device
from tests.services import VAPID_SETTINGS

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, settings) -> Iterator[PushService]:
    for name, value in VAPID_SETTINGS.items():
        setattr(settings, name, value)
    with push_service() as running:
        allow_push_host(monkeypatch, running.url)
        yield running


@pytest.mark.parametrize("is_wanted", [True, False])
def test_messages_of_accepted_threads_are_sent_to_devices_that_want_them(
    cast: Cast, service: PushService, is_wanted: bool
) -> None:
    begin(cast.ada, cast.bram)
    subscribe_device(cast.bram, service.url)
    set_push_choice(wizard=cast.bram, turns=True, reminders=True, messages=is_wanted)
    send_message(author=cast.ada, reader=cast.bram, words="sesame", now=NOW)
    deliver_due(clock=lambda: NOW)
    assert service.titles == []
    set_consent(wizard=cast.bram, other=cast.ada, consent=Consent.ACCEPTED)
    send_message(author=cast.ada, reader=cast.bram, words="sesame", now=NOW)
    deliver_due(clock=lambda: NOW)
    assert service.titles == (["Message from Ada"] if is_wanted else [])
    assert all("sesame" not in str(each.content) for each in service.received)
