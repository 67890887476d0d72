"""When a notice is sent: at once, later, in the daily mail, or not at all; and why it was not."""

from datetime import UTC, datetime, timedelta
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from duels import commands, poll_cache
from duels.models import Duel, OutboxStatus, Seat, Wizard
from duels.post import commands as post
from duels.post import timing
from duels.post.models import DroppedFor, Notice, NoticeKind, When
from duels.post.timing import next_hour
from tests.cast import NOW, Cast, begin, challenge, deliver, hands, open_turn, play, seal, seat
from tests.duels.replies.writing import reply

IDLE = hands("-", "-")
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
EIGHT = NOW.replace(hour=8) + timedelta(days=1)  # NOW is at noon


def wants(wizard: Wizard, when: When, *, hour: int = 8, though_here: bool = False) -> None:
    post.choose_mails(wizard=wizard, when=when, hour=hour, though_here=though_here, now=NOW)


def mails_to(wizard: Wizard, now: datetime = NOW) -> list[str]:
    """The subjects of what the wizard is sent in a round of the post."""
    mail.outbox.clear()
    deliver(now=now)
    assert wizard.user
    return [str(message.subject) for message in mail.outbox if message.to == [wizard.user.email]]


def next_turn(duel: Duel, now: datetime = NOW) -> None:
    seats = duel.seats.select_related("wizard").order_by("place")
    play(duel, {each.wizard: IDLE for each in seats}, now=now)


def dropped(wizard: Wizard, kind: NoticeKind = NoticeKind.YOUR_TURN) -> set[str]:
    notices = Notice.objects.filter(wizard=wizard, kind=kind, status=OutboxStatus.DROPPED)
    return set(notices.values_list("dropped_for", flat=True))


def report_is_read(duel: Duel, wizard: Wizard) -> None:
    turn = open_turn(duel).ordinal - 1
    commands.mark_read(duel_id=duel.pk, wizard=wizard, turn=turn, speech=0)


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """Turn 1 is told, turn 2 has begun."""
    duel = begin(cast.ada, cast.bram)
    deliver()
    next_turn(duel)
    return duel


# On the site


def test_who_is_on_the_site_is_not_written_to_for_five_minutes(duel: Duel, cast: Cast):
    poll_cache.mark_on_site(cast.ada.pk)
    assert mails_to(cast.ada) == []
    assert mails_to(cast.bram) == []  # he was written to in the same round
    assert mails_to(cast.ada, NOW + 5 * MINUTE - timedelta(seconds=1)) == []
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == ["Your turn against Bram (turn 2)"]


def test_what_is_read_meanwhile_is_not_sent(duel: Duel, cast: Cast):
    poll_cache.mark_on_site(cast.ada.pk)
    deliver()
    report_is_read(duel, cast.ada)
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == []
    assert dropped(cast.ada) == {DroppedFor.READ}


def test_who_has_sealed_has_read(duel: Duel, cast: Cast):
    poll_cache.mark_on_site(cast.ada.pk)
    deliver()
    seal(duel, cast.ada, IDLE, now=NOW + MINUTE)
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == []


def test_an_open_tab_alone_swallows_no_mail(duel: Duel, cast: Cast):
    for minute in range(6):
        poll_cache.mark_on_site(cast.ada.pk)
        sent = mails_to(cast.ada, NOW + minute * MINUTE)
        assert sent == (["Your turn against Bram (turn 2)"] if minute == 5 else [])


def test_who_wants_mails_though_here_gets_them_at_once(duel: Duel, cast: Cast):
    wants(cast.ada, When.EVERY, though_here=True)
    poll_cache.mark_on_site(cast.ada.pk)
    report_is_read(duel, cast.ada)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_the_first_turn_has_no_report_that_could_be_read(cast: Cast):
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]


def test_default_orders_are_nobodys_reading(duel: Duel, cast: Cast):
    """What was sealed for an absent wizard does not show that they were there."""
    seal(duel, cast.ada, IDLE)
    seat(duel, cast.ada).orders.update(source="default")
    Seat.objects.filter(duel=duel).update(read_turn=0)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_the_end_is_not_mailed_to_who_has_read_it(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    deliver()
    play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE})
    commands.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    assert mails_to(cast.ada) == []
    assert Notice.objects.get(wizard=cast.bram, kind=NoticeKind.OVER).status == OutboxStatus.SENT


# Out of date


def test_only_the_newest_turn_is_told_of(duel: Duel, cast: Cast):
    next_turn(duel)
    next_turn(duel)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 4)"]
    assert dropped(cast.ada) == {DroppedFor.OUTDATED}


def test_a_challenge_that_was_withdrawn_is_not_told_of(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    commands.withdraw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert mails_to(cast.bram) == []


def test_a_challenge_that_was_answered_is_not_told_of(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    commands.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert mails_to(cast.bram) == []


def test_an_acceptance_is_old_news_once_the_duel_has_begun(cast: Cast):
    duel = challenge(cast.ada, size=3)
    for wizard in (cast.bram, cast.cleo):
        commands.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    (subject,) = mails_to(cast.ada)
    assert subject.startswith("Your duel with ")


def test_who_declined_is_told_where_the_challenge_ends_by_that_not_where_it_was_withdrawn(
    cast: Cast,
):
    ended, withdrawn = challenge(cast.ada, cast.bram), challenge(cast.ada, cast.bram, size=3)
    for duel in (ended, withdrawn):
        commands.decline(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    commands.withdraw(duel_id=withdrawn.pk, wizard=cast.ada, now=NOW)
    assert mails_to(cast.ada) == ["Bram declined your challenge"]


@pytest.mark.parametrize("how", ["declined", "over", "old"])
def test_a_draw_that_is_offered_no_more_is_not_told_of(duel: Duel, cast: Cast, how: str):
    deliver()
    commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    if how == "declined":
        commands.decline_draw(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    elif how == "over":
        commands.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    else:
        next_turn(duel)
        next_turn(duel)
    assert not [subject for subject in mails_to(cast.bram) if "draw" in subject]


def test_a_pause_that_nobody_asks_for_any_more_is_not_told_of(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    deliver()
    commands.ask_pause(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    commands.decline_pause(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert mails_to(cast.bram) == []
    assert dropped(cast.bram, NoticeKind.PAUSE_ASKED) == {DroppedFor.OUTDATED}


def test_of_pauses_and_their_ends_the_last_is_told(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    deliver()
    for hour in range(2):
        for wizard in (cast.ada, cast.bram):
            commands.ask_pause(duel_id=duel.pk, wizard=wizard, now=NOW + hour * HOUR)
    mails_to(cast.bram, NOW + HOUR)
    unsent = Notice.objects.filter(wizard=cast.bram, status=OutboxStatus.DROPPED)
    kinds = [NoticeKind.PAUSE_ASKED, NoticeKind.PAUSE_ASKED, NoticeKind.PAUSED]
    assert sorted(unsent.values_list("kind", flat=True)) == kinds
    last = Notice.objects.get(wizard=cast.bram, kind=NoticeKind.WENT_ON)
    assert last.status == OutboxStatus.SENT


def test_a_question_that_is_answered_is_not_told_of(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        deliver()
        play(duel, {cast.ada: hands("F", letter), cast.bram: IDLE})
    turn = open_turn(duel)
    answers = {turn.questions[0]["id"]: "L"}
    commands.answer_questions(
        turn_id=turn.pk, wizard=cast.ada, answers=answers, form_seal="", now=NOW
    )
    assert mails_to(cast.ada) == []
    assert dropped(cast.ada, NoticeKind.QUESTION) == {DroppedFor.OUTDATED}


# Off, once, daily


def test_who_wants_no_mails_gets_none(duel: Duel, cast: Cast):
    wants(cast.ada, When.OFF)
    assert mails_to(cast.ada) == []
    assert dropped(cast.ada) == {DroppedFor.UNWANTED}


def test_a_duel_can_have_a_choice_of_its_own(cast: Cast):
    loud, quiet = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)
    wants(cast.ada, When.OFF)
    post.choose_duel_mails(wizard=cast.ada, duel=loud, when=When.EVERY, now=NOW)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]
    post.choose_duel_mails(wizard=cast.ada, duel=loud, when="", now=NOW)
    for duel in (loud, quiet):
        next_turn(duel)
    assert mails_to(cast.ada) == []


def test_once_until_a_visit(duel: Duel, cast: Cast):
    wants(cast.ada, When.VISIT)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]
    # She is played for, and does not look.
    for _ in range(2):
        next_turn(duel)
        Seat.objects.filter(wizard=cast.ada).update(read_turn=0)
        Notice.objects.filter(wizard=cast.ada, status=OutboxStatus.QUEUED).update(due_at=NOW)
        seat(duel, cast.ada).orders.update(source="default")
        assert mails_to(cast.ada) == []
    assert dropped(cast.ada) == {DroppedFor.TOLD}
    report_is_read(duel, cast.ada)
    next_turn(duel)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 5)"]


@pytest.mark.parametrize("sealed_first", [True, False])
def test_once_until_a_visit_or_a_reply(cast: Cast, settings, sealed_first: bool):
    """A receipt tells nothing of itself, and who answers a mail has read it."""
    settings.REPLY_DOMAIN = "replies.example"
    wants(cast.ada, When.VISIT)
    duel = begin(cast.ada, cast.bram)
    assert len(mails_to(cast.ada)) == 1
    if sealed_first:
        assert reply(duel, cast.ada, "left P\nright W", now=NOW + MINUTE) == "sealed"
        assert len(mails_to(cast.ada, NOW + MINUTE)) == 1
    assert reply(duel, cast.ada, "Well met!", number=2, now=NOW + 2 * MINUTE) == "unreadable"
    assert len(mails_to(cast.ada, NOW + 2 * MINUTE)) == 1
    missing = {cast.bram: IDLE} if sealed_first else {cast.ada: IDLE, cast.bram: IDLE}
    play(duel, missing, now=NOW + 3 * MINUTE)
    seat(duel, cast.ada).orders.filter(sealed_at=NOW + 3 * MINUTE).update(source="default")
    assert mails_to(cast.ada, NOW + 3 * MINUTE) == ["Your turn against Bram (turn 2)"]
    play(duel, {cast.ada: IDLE, cast.bram: IDLE}, now=NOW + 4 * MINUTE)
    Seat.objects.filter(wizard=cast.ada).update(read_turn=0)
    seat(duel, cast.ada).orders.filter(sealed_at=NOW + 4 * MINUTE).update(source="default")
    assert mails_to(cast.ada, NOW + 4 * MINUTE) == []
    assert dropped(cast.ada) == {DroppedFor.TOLD}


def test_a_mail_that_was_sent_again_does_not_count_as_told(duel: Duel, cast: Cast):
    wants(cast.ada, When.VISIT)
    (first,) = Notice.objects.filter(wizard=cast.ada, kind=NoticeKind.STARTED)
    seat(duel, cast.ada).orders.update(source="default")
    Seat.objects.filter(wizard=cast.ada).update(read_turn=0)
    Notice.objects.filter(pk=first.pk).update(is_insisted_on=True)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_once_for_each_duel(cast: Cast):
    wants(cast.ada, When.VISIT)
    begin(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    assert len(mails_to(cast.ada)) == 2


def test_the_daily_mail_tells_all_duels_at_the_chosen_hour(cast: Cast):
    wants(cast.ada, When.DAILY)
    duels = [begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)]
    next_turn(duels[0])
    assert mails_to(cast.ada) == []
    assert mails_to(cast.ada, EIGHT - MINUTE) == []
    assert mails_to(cast.ada, EIGHT) == ["Your duels: 2 updates"]
    (message,) = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert isinstance(message, EmailMultiAlternatives)
    ((html, _),) = message.alternatives
    for duel, subject in zip(
        duels,
        ["Your turn against Bram (turn 2)", "Your duel with Cleo begins: turn 1"],
        strict=True,
    ):
        for text in (message.body, str(html)):
            assert subject in text
            assert f"/duels/{duel.pk}/" in text
    assert mails_to(cast.ada, EIGHT + HOUR) == []
    states = Notice.objects.filter(wizard=cast.ada).values_list("status", flat=True)
    assert sorted(states) == [OutboxStatus.DROPPED, OutboxStatus.SENT, OutboxStatus.SENT]


def test_a_daily_mail_that_fails_comes_again_under_the_same_message_id(cast: Cast):
    wants(cast.ada, When.DAILY)
    begin(cast.ada, cast.bram)
    other = begin(cast.ada, cast.cleo)
    deliver()
    with mock.patch.object(EmailMultiAlternatives, "send", autospec=True) as send:
        send.side_effect = OSError
        deliver(now=EIGHT)
        (failed,) = [each.args[0] for each in send.call_args_list]
    next_turn(other)  # one of its two things is out of date by now
    assert mails_to(cast.ada, EIGHT + HOUR) == ["Your duels: 1 update"]
    (message,) = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert message.extra_headers["Message-ID"] == failed.extra_headers["Message-ID"]


@pytest.fixture
def daily(cast: Cast) -> list[Notice]:
    """Two notices of Ada's next daily mail."""
    wants(cast.ada, When.DAILY)
    for opponent in (cast.bram, cast.cleo):
        begin(cast.ada, opponent)
    deliver()
    mail.outbox.clear()
    found = list(Notice.objects.filter(wizard=cast.ada).order_by("pk"))
    assert [each.daily_at for each in found] == [EIGHT, EIGHT]
    return found


def told(now: datetime) -> list[tuple[str, str]]:
    """The Message-IDs and subjects of what was sent and is sent now."""
    deliver(now=now)
    return [(each.extra_headers["Message-ID"], str(each.subject)) for each in mail.outbox]


def test_of_two_workers_one_sends_the_whole_daily_mail(daily: list[Notice], monkeypatch):
    """The other looks for the second notice when the first has just claimed the first."""
    usual, first, second = timing.plan, daily[0], daily[1]
    others: list[bool] = []

    def plan(notice: Notice, now: datetime) -> timing.Plan:
        if not others:
            others.append(False)
            others.append(post.deliver_notice(notice_id=second.pk, now=EIGHT))
        return usual(notice, now)

    monkeypatch.setattr(timing, "plan", plan)
    assert post.deliver_notice(notice_id=first.pk, now=EIGHT)
    assert others == [False, False]
    ((_, subject),) = told(EIGHT + HOUR)
    assert subject == "Your duels: 2 updates"


@pytest.mark.parametrize("step", ["timing.plan", "emails.message", "_send", "outbox.mark_sent"])
def test_a_daily_mail_of_a_dead_worker_is_sent_whole(daily: list[Notice], step: str):
    name = f"duels.post.commands.delivering.{step}"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        post.deliver_notice(notice_id=daily[1].pk, now=EIGHT)
    assert len(told(EIGHT + MINUTE)) == (step == "outbox.mark_sent")
    copies = told(EIGHT + 10 * MINUTE)
    assert len(copies) == 1 + (step == "outbox.mark_sent")
    assert len(set(copies)) == 1
    assert copies[0][1] == "Your duels: 2 updates"


def test_a_daily_mail_stays_whole_when_its_notices_are_due_at_two_moments(daily: list[Notice]):
    Notice.objects.filter(pk=daily[1].pk).update(due_at=EIGHT + MINUTE)  # its server was silent
    assert [subject for _, subject in told(EIGHT)] == ["Your duels: 2 updates"]


def test_a_daily_mail_that_cannot_be_written_is_put_off_whole(daily: list[Notice]):
    usual = timing.plan

    def plan(notice: Notice, now: datetime) -> timing.Plan:
        if notice.pk == daily[1].pk:
            raise RuntimeError
        return usual(notice, now)

    with mock.patch.object(timing, "plan", plan):
        assert not post.deliver_notice(notice_id=daily[0].pk, now=EIGHT)
    queued = Notice.objects.filter(status=OutboxStatus.QUEUED, attempts=1)
    assert set(queued) == set(daily)


@pytest.mark.parametrize("status", [OutboxStatus.SENT, OutboxStatus.SENDING])
def test_who_comes_too_late_for_a_daily_mail_is_in_the_next(
    daily: list[Notice], cast: Cast, status: OutboxStatus
):
    """A slow worker has put it into the mail of a moment that has passed."""
    Notice.objects.filter(pk=daily[0].pk).update(status=status, sent_at=EIGHT, claimed_at=EIGHT)
    assert told(EIGHT + MINUTE) == []
    daily[1].refresh_from_db()
    assert daily[1].daily_at == EIGHT + timedelta(days=1)


def test_a_new_choice_holds_for_what_waits(cast: Cast):
    wants(cast.ada, When.DAILY)
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == []
    wants(cast.ada, When.EVERY)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]


def test_the_hour_is_of_the_wizards_time_zone(cast: Cast):
    commands.change_reading(wizard=cast.ada, typed={"zone": "Asia/Tokyo"})
    wants(cast.ada, When.DAILY, hour=22)  # NOW is at 21 there
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == []
    assert mails_to(cast.ada, NOW + HOUR) == ["Your duels: 1 update"]


@pytest.mark.parametrize(
    ("now", "hour", "moment"),
    [
        ("2026-03-28 12:00", 2, "2026-03-29 01:00"),  # 2:00 does not exist that night: 3:00 is it
        ("2026-03-29 01:00", 2, "2026-03-30 00:00"),
        ("2026-10-24 12:00", 2, "2026-10-25 00:00"),  # 2:00 comes twice: the first
        ("2026-10-25 00:30", 2, "2026-10-26 01:00"),
        ("2026-06-01 05:59", 8, "2026-06-01 06:00"),
        ("2026-06-01 06:00", 8, "2026-06-02 06:00"),
    ],
)
def test_the_daily_hour_where_clocks_change(now: str, hour: int, moment: str):
    at = [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (now, moment)]
    assert next_hour(hour, ZoneInfo("Europe/Berlin"), at[0]) == at[1]


@pytest.mark.parametrize("when", [When.VISIT, When.DAILY])
def test_a_reminder_waits_for_no_visit_and_no_morning(cast: Cast, when: When):
    wants(cast.ada, when)
    begin(cast.ada, cast.bram, pace=str(24 * 3600))
    mails_to(cast.ada)
    late = NOW + 20 * HOUR
    commands.sweep(now=late)
    assert any("left for turn 1" in subject for subject in mails_to(cast.ada, late))


def test_what_is_asked_for_again_is_sent_whatever_speaks_against_it(duel: Duel, cast: Cast):
    wants(cast.ada, When.OFF)
    report_is_read(duel, cast.ada)
    assert mails_to(cast.ada) == []
    notice = Notice.objects.get(wizard=cast.ada, kind=NoticeKind.YOUR_TURN)
    assert post.resend_notice(notice_id=notice.pk, now=NOW)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]
