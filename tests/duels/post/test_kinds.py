"""Kinds of notices: a new one needs only a class and a template."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.template import Engine
from django.template.loaders import locmem
from django.test import Client

from duels.models import Seat, Wizard
from duels.post.kinds.base import Context, LimitGroup, NoticeKind
from duels.post.kinds.registry import all_kinds
from duels.post.models import DroppedFor, Notice
from duels.post.public import new_notice, queue_notices
from duels.push.models import PushKind, PushText
from duels.push.public import deliver_due
from tests.cast import NOW, Cast, begin, deliver, open_turn
from tests.duels.push.conftest import allow_push_host
from tests.push_service import PushService, push_service, subscribe_device
from tests.services import VAPID_SETTINGS

TEMPLATE = """
{% extends "emails/base.html" %}
{% block subject %}A {{ colour }} comet over your duel with {{ others_in_short }}{% endblock %}
{% block content %}<p><strong>Look up</strong>, {{ wizard.name }}.</p>{% endblock %}
"""


class CometSeen(NoticeKind):
    code, label = "comet_seen_over_the_duel", "a comet was seen"
    limit_group = LimitGroup.NEEDED
    is_urgent = True
    push_text = PushText(PushKind.TURN, "A comet over your duel with {others}")

    def context(self, notice: Notice) -> Context:
        return {"colour": "green"}

    def is_outdated(self, notice: Notice, seat: Seat | None) -> bool:
        return notice.about is not None


@pytest.fixture(autouse=True)
def comet(monkeypatch: pytest.MonkeyPatch, settings) -> None:
    """Define the new kind and configure push keys."""
    monkeypatch.setitem(all_kinds(), CometSeen.code, CometSeen())
    engine = Engine.get_default()
    cached: Any = engine.template_loaders[0]
    templates = locmem.Loader(engine, {f"emails/{CometSeen.code}.html": TEMPLATE.strip()})
    monkeypatch.setattr(cached, "loaders", [templates, *cached.loaders])
    for name, value in VAPID_SETTINGS.items():
        setattr(settings, name, value)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    with push_service() as running:
        allow_push_host(monkeypatch, running.url)
        yield running


def queue_comet(cast: Cast, about: Wizard | None = None) -> None:
    """Queue a notice of the new kind to Ada, after the emails about the start of the duel."""
    duel = begin(cast.ada, cast.bram)
    deliver()
    deliver_due(clock=lambda: NOW)
    mail.outbox.clear()
    queue_notices([new_notice(CometSeen, cast.ada, duel, NOW, turn=open_turn(duel), about=about)])


def test_new_kind_of_notice_is_emailed(cast: Cast):
    queue_comet(cast)
    assert deliver() == 1
    (message,) = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    assert message.subject == "A green comet over your duel with Bram"
    assert "Look up, Ada.\n\nOpen the duel: http" in message.body
    ((html, _),) = message.alternatives
    assert "<strong>Look up</strong>, Ada." in str(html)


def test_new_kind_of_notice_is_sent_to_devices(cast: Cast, service: PushService):
    subscribe_device(cast.ada, service.url)
    queue_comet(cast)
    deliver_due(clock=lambda: NOW)
    assert service.titles[-1] == "A comet over your duel with Bram"


def test_new_kind_of_notice_is_listed_in_the_settings(cast: Cast):
    queue_comet(cast)
    client = Client()
    assert cast.ada.user
    client.force_login(cast.ada.user)
    assert "a comet was seen" in client.get("/settings/mail").content.decode()


def test_outdated_notice_of_a_new_kind_is_dropped(cast: Cast):
    queue_comet(cast, about=cast.bram)
    assert deliver() == 0
    assert Notice.objects.get(kind=CometSeen.code).dropped_for == DroppedFor.OUTDATED


def test_each_module_of_kinds_defines_one_kind_named_after_it():
    for code, kind in all_kinds().items():
        if code != CometSeen.code:
            assert type(kind).__module__ == f"duels.post.kinds.{code}"
