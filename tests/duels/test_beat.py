"""Deadlines that are handled automatically, tested with real Celery beat, workers and time."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from duels import errors
from duels.clocks import clock
from duels.commands import challenges
from duels.models import (
    Duel,
    DuelStatus,
    Orders,
    OutboxStatus,
    Outcome,
    SealSource,
    Seat,
    Turn,
    Wizard,
)
from duels.post.models import Notice
from tests.cast import Cast, challenge, hands, seal, seat
from tests.duels.test_races import wait_until
from tests.services import MailSink

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

FIVE_MINUTES = "300"  # lasts four seconds in this test, in which time passes faster
ALWAYS_EXCUSED = 1000


def seal_if_awaited(duel: Duel, ada: Wizard) -> None:
    """Seal for Ada if a turn is waiting for her."""
    if Seat.objects.filter(duel=duel, wizard=ada, awaited=True).exists():
        with suppress(errors.Refused, Turn.DoesNotExist):  # the turn may just have been played
            seal(duel, ada, hands("W", "S"), now=timezone.now())


def notice_counts(wizard: Wizard) -> Counter[tuple[str, int | None]]:
    """Count the wizard's notices by kind and turn."""
    notices = Notice.objects.filter(wizard=wizard)
    return Counter(notices.values_list("kind", "turn__ordinal"))


def is_over_and_delivered(duel: Duel, ada: Wizard) -> bool:
    """Return whether the duel is over and no email is left to send."""
    seal_if_awaited(duel, ada)
    duel.refresh_from_db()
    waiting = Notice.objects.filter(status__in=[OutboxStatus.QUEUED, OutboxStatus.SENDING])
    return duel.status == DuelStatus.OVER and not waiting.exists()


@pytest.mark.timeout(180)
def test_deserted_duel_is_ended_by_the_clock(
    cast: Cast,
    start_workers: Callable[..., Path],
    start_beat: Callable[..., Path],
    mail_sink: MailSink,
    monkeypatch: pytest.MonkeyPatch,
):
    """Promise 9: the clock causes a reminder, an extension, default orders twice and a forfeit.

    Each of these happens once, although sweeps run twice a second and two workers run the tasks.
    """
    quick_time = property(lambda pace: timedelta(seconds=pace.seconds) / 75)
    monkeypatch.setattr(clock.Pace, "turn_time", quick_time)  # as in the settings of the workers
    for start in (start_workers, start_beat):
        start(mail_sink.url, DJANGO_SETTINGS_MODULE="tests.quick_settings")
    duel = challenge(cast.ada, pace=FIVE_MINUTES, excuses=1, now=timezone.now())
    duel = challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=timezone.now())
    Seat.objects.filter(duel=duel, wizard=cast.ada).update(excuses_left=ALWAYS_EXCUSED)
    wait_until(lambda: is_over_and_delivered(duel, cast.ada), "the duel does not end by itself")

    assert (duel.ended, seat(duel, cast.bram).outcome) == ("time", Outcome.FORFEITED)
    assert seat(duel, cast.ada).outcome == Outcome.WON
    assert seat(duel, cast.bram).excuses_left == 0
    played = Orders.objects.filter(source=SealSource.DEFAULT, seat__wizard=cast.bram)
    assert sorted(played.values_list("turn__ordinal", flat=True)) == [1, 2]
    counts = notice_counts(cast.bram)
    assert {key: number for key, number in counts.items() if key[0] in TIMED_NOTICES} == {
        ("reminder", 1): 1,
        ("excused", 1): 1,
        ("played_for", 1): 1,
        ("reminder", 2): 1,
        ("played_for", 2): 1,
        ("reminder", 3): 1,
        ("over", None): 1,
    }
    assert notice_counts(cast.ada)["claimable", 3] == 1
    assert_each_mail_came_once(cast.bram, mail_sink)


TIMED_NOTICES = ("reminder", "excused", "played_for", "over")


def assert_each_mail_came_once(wizard: Wizard, sink: MailSink) -> None:
    """Check that each sent email arrived once, unsent ones are outdated, and none has failed."""
    notices = Notice.objects.filter(wizard=wizard)
    assert not notices.exclude(last_error="").exists()
    assert not notices.filter(status=OutboxStatus.DROPPED).exclude(dropped_for="outdated").exists()
    assert wizard.user is not None
    mine = [mail for mail in sink.mails if mail["To"] == wizard.user.email]
    ids = [mail["Message-ID"] for mail in mine]
    assert len(set(ids)) == len(ids) == notices.filter(status=OutboxStatus.SENT).count()
    subjects = " / ".join(str(mail["Subject"]) for mail in mine)
    for words in (
        "left for turn 1 against Ada",
        "Your time was extended: turn 1 against Ada",
        "Your time ran out: turn 1 against Ada",
        "Your time ran out: turn 2 against Ada",
        "Your duel with Ada is over: Ada has won",
    ):
        assert subjects.count(words) == 1, subjects
