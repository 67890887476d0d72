"""Notifications are sent only if the wizard wants them, they are still true and unread, and the
wizard is not looking at the duel.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from duels import errors
from duels.caching import poll_cache
from duels.commands import endings, read_marks, resolution, sweeping
from duels.models import Duel, Seat, Turn, Wizard
from duels.post.commands import choosing
from duels.post.models import EmailTiming
from duels.push import device_limits
from duels.push.commands import delivering, subscribing
from duels.push.models import Push, PushKind
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal
from tests.cast import deliver as deliver_mails
from tests.push_service import PushService, subscribe_device
from tests.states import People, answers

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
IDLE = hands("-", "-")


@pytest.fixture
def duel(cast: Cast, service: PushService) -> Duel:
    """A duel in turn 2, which waits for both wizards.

    Only Ada has a device, which was already notified of turn 1.
    """
    subscribe_device(cast.ada, service.url)
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    deliver()
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    service.received.clear()
    return duel


def deliver(now=NOW) -> int:
    return delivering.deliver_due(clock=lambda: now).sent


def drop_reason() -> str:
    return Push.objects.latest("pk").dropped_for


def mark_viewing(duel: Duel, wizard: Wizard) -> None:
    code = Seat.objects.get(duel=duel, wizard=wizard).code
    poll_cache.mark_viewing_duel(duel.pk, code, poll_cache.read_cached_poll(duel.pk, code))


def test_device_is_notified_of_a_new_turn(duel: Duel, service: PushService):
    assert deliver() == 1
    assert service.titles == ["Your turn against Bram"]


@pytest.mark.parametrize("when", [EmailTiming.OFF, EmailTiming.DAILY, EmailTiming.VISIT])
def test_email_choices_do_not_affect_notifications(
    duel: Duel, cast: Cast, service: PushService, when: str
):
    choosing.set_mail_choice(wizard=cast.ada, when=when, hour=8, though_here=False, now=NOW)
    assert deliver() == 1
    deliver_mails()
    to_ada = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert len(to_ada) == (1 if when == EmailTiming.VISIT else 0)


def test_emails_are_sent_even_if_notifications_are_off(
    duel: Duel, cast: Cast, service: PushService
):
    subscribing.set_push_choice(wizard=cast.ada, turns=False, reminders=False)
    assert deliver() == 0
    assert drop_reason() == "unwanted"
    deliver_mails()
    assert "Your turn against Bram (turn 2)" in [each.subject for each in mail.outbox]


@pytest.mark.parametrize("kind", ["turns", "reminders"])
def test_each_kind_of_notification_can_be_chosen_separately(
    duel: Duel, cast: Cast, service: PushService, kind: str
):
    chosen = {"turns": False, "reminders": False, kind: True}
    subscribing.set_push_choice(wizard=cast.ada, **chosen)
    deliver()
    sweeping.sweep(now=NOW + 20 * HOUR)
    deliver(NOW + 20 * HOUR)
    expected = {
        "turns": "Your turn against Bram",
        "reminders": "Your time is running out: your turn against Bram",
    }
    assert service.titles == [expected[kind]]


def test_wizard_who_has_sealed_is_not_notified(duel: Duel, cast: Cast):
    seal(duel, cast.ada, IDLE)
    assert deliver() == 0
    assert drop_reason() == "outdated"


def test_device_is_not_notified_of_a_turn_that_is_already_resolved(
    duel: Duel, cast: Cast, service: PushService
):
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    assert deliver() == 1
    (told,) = service.received
    assert told.content["address"] == f"/duels/{duel.pk}/"
    assert [each.status for each in Push.objects.order_by("pk")] == ["sent", "dropped", "sent"]


def test_device_is_not_notified_of_a_turn_in_a_finished_duel(duel: Duel, cast: Cast):
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert deliver() == 0
    assert drop_reason() == "outdated"


def test_reminder_is_sent_in_place_of_a_failed_notification(duel: Duel, service: PushService):
    service.will_answer(503)
    deliver()
    late = NOW + 20 * HOUR
    sweeping.sweep(now=late)
    assert deliver(late) == 1
    assert service.titles[1:] == ["Your time is running out: your turn against Bram"]


def test_device_is_not_notified_of_a_turn_read_on_the_site(duel: Duel, cast: Cast):
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    assert deliver() == 0
    assert drop_reason() == "read"


def test_reminder_is_sent_even_if_the_turn_was_read(duel: Duel, cast: Cast, service: PushService):
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    sweeping.sweep(now=NOW + 20 * HOUR)
    assert deliver(NOW + 20 * HOUR) == 1


def test_wizard_looking_at_the_duel_is_not_notified(duel: Duel, cast: Cast, service: PushService):
    mark_viewing(duel, cast.ada)
    assert deliver() == 0
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    assert deliver(NOW + MINUTE) == 0
    assert drop_reason() == "read"
    assert service.received == []


def test_open_page_does_not_suppress_notifications_for_long(duel: Duel, cast: Cast):
    """Notifications are sent a few minutes later, however long the page stays open."""
    for seconds in range(0, 300, 30):
        mark_viewing(duel, cast.ada)
        assert deliver(NOW + timedelta(seconds=seconds)) == 0
    mark_viewing(duel, cast.ada)
    assert deliver(NOW + 5 * MINUTE) == 1


def test_wizard_looking_at_another_duel_is_notified_at_once(
    duel: Duel, cast: Cast, service: PushService
):
    mark_viewing(begin(cast.ada, cast.cleo), cast.ada)
    mark_viewing(duel, cast.bram)
    assert deliver() == 1
    assert service.titles == ["Your turn against Bram"]


def test_question_is_notified(db: None, service: PushService):
    people = People()
    subscribe_device(people[0], service.url)
    state = answers(people)
    assert open_turn(state.duel).stage == "answers"
    read_marks.mark_read(duel_id=state.duel.pk, wizard=people[0], turn=1, speech=0)
    assert deliver() == 1
    assert service.titles == ["Your turn against Bram"]
    assert [each.status for each in Push.objects.order_by("pk")] == ["dropped", "sent"]


def test_device_is_not_notified_of_a_turn_without_a_decision(cast: Cast, service: PushService):
    """An email is still sent about such a turn."""
    subscribe_device(cast.ada, service.url)
    duel = begin(cast.ada, cast.bram)
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(awaited=False)
    assert deliver() == 0
    assert drop_reason() == "outdated"


def test_devices_are_not_notified_of_other_kinds_of_events(cast: Cast, service: PushService):
    duel = begin(cast.ada, cast.bram)
    subscribe_device(cast.ada, service.url)
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert not Push.objects.exists()


def test_number_of_notifications_to_a_device_is_limited(duel: Duel, cast: Cast, monkeypatch):
    monkeypatch.setattr(device_limits, "MAX_TO_ONE_DEVICE", 1)
    assert deliver() == 0
    assert drop_reason() == "limited"
    play(duel, {cast.ada: IDLE, cast.bram: IDLE}, now=NOW + 25 * HOUR)
    assert deliver(NOW + 25 * HOUR) == 1


def test_failed_notification_does_not_prevent_the_reminder(duel: Duel, service: PushService):
    service.will_answer(500)
    deliver()
    sweeping.sweep(now=NOW + 20 * HOUR)
    assert Push.objects.filter(kind=PushKind.REMINDER).count() == 1
    assert deliver(NOW + 20 * HOUR) == 1


def test_no_notification_is_queued_if_the_transaction_fails(
    cast: Cast, service: PushService, monkeypatch: pytest.MonkeyPatch
):
    subscribe_device(cast.ada, service.url)
    duel = begin(cast.ada, cast.bram)
    before = Push.objects.count()
    for wizard in (cast.ada, cast.bram):
        seal(duel, wizard, IDLE)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("duels.push.commands.queueing.send_task_after_commit", fail)
    monkeypatch.setattr("django.conf.settings.PUSH_SENT_IMMEDIATELY", True)
    with pytest.raises(errors.ResolutionFailed):
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=LATER)
    assert Push.objects.count() == before
    assert Turn.objects.filter(duel=duel).count() == 1
