"""Timing of notices, which are sent at once, later, in the daily email, or never, with a reason."""

from datetime import UTC, datetime, timedelta
from unittest import mock
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from duels.caching import poll_cache
from duels.caching.volatile import cache
from duels.commands import (
    challenges,
    endings,
    profiles,
    read_marks,
    sealing,
    sweeping,
    time_keeping,
)
from duels.delivery.outbox import DeliveryDecision
from duels.models import Duel, OutboxStatus, Seat, Wizard
from duels.post import timing
from duels.post.commands import choosing, delivering
from duels.post.models import DroppedFor, EmailTiming, Notice
from duels.post.timing import next_hour
from tests.cast import NOW, Cast, begin, challenge, deliver, hands, open_turn, play, seal, seat
from tests.duels.replies.writing import reply

IDLE = hands("-", "-")
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
NEXT_MORNING = NOW.replace(hour=8) + timedelta(days=1)  # because NOW is at noon


def set_email_choice(
    wizard: Wizard, when: EmailTiming, *, hour: int = 8, though_here: bool = False
) -> None:
    choosing.set_mail_choice(wizard=wizard, when=when, hour=hour, though_here=though_here, now=NOW)


def mails_to(wizard: Wizard, now: datetime = NOW) -> list[str]:
    """Run a round of deliveries and return the subjects of emails to this wizard."""
    mail.outbox.clear()
    deliver(now=now)
    assert wizard.user
    return [str(message.subject) for message in mail.outbox if message.to == [wizard.user.email]]


def play_next_turn(duel: Duel, now: datetime = NOW) -> None:
    seats = duel.seats.select_related("wizard").order_by("place")
    play(duel, {each.wizard: IDLE for each in seats}, now=now)


def drop_reasons(wizard: Wizard, kind: str = "your_turn") -> set[str]:
    notices = Notice.objects.filter(wizard=wizard, kind=kind, status=OutboxStatus.DROPPED)
    return set(notices.values_list("dropped_for", flat=True))


def mark_report_as_read(duel: Duel, wizard: Wizard) -> None:
    turn = open_turn(duel).ordinal - 1
    read_marks.mark_read(duel_id=duel.pk, wizard=wizard, turn=turn, speech=0)


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel in turn 2, with the emails about turn 1 already sent."""
    duel = begin(cast.ada, cast.bram)
    deliver()
    play_next_turn(duel)
    return duel


# Readers who are on the site


def test_wizards_on_the_site_get_emails_after_five_minutes(duel: Duel, cast: Cast):
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    assert mails_to(cast.ada) == []
    assert mails_to(cast.bram) == []  # Bram's email was sent in the same round
    assert mails_to(cast.ada, NOW + 5 * MINUTE - timedelta(seconds=1)) == []
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == ["Your turn against Bram (turn 2)"]


def test_email_is_sent_soon_after_its_reader_leaves_the_site(duel: Duel, cast: Cast):
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    assert mails_to(cast.ada) == []
    cache.clear()
    assert mails_to(cast.ada, NOW + MINUTE) == ["Your turn against Bram (turn 2)"]


def test_email_is_not_sent_if_its_reader_has_seen_the_news_on_the_site(duel: Duel, cast: Cast):
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    deliver()
    mark_report_as_read(duel, cast.ada)
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == []
    assert drop_reasons(cast.ada) == {DroppedFor.READ}


def test_sealing_counts_as_reading_the_report(duel: Duel, cast: Cast):
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    deliver()
    seal(duel, cast.ada, IDLE, now=NOW + MINUTE)
    assert mails_to(cast.ada, NOW + 5 * MINUTE) == []


def test_open_page_delays_emails_only_for_a_few_minutes(duel: Duel, cast: Cast):
    for minute in range(6):
        poll_cache.mark_wizard_on_site(cast.ada.pk)
        sent = mails_to(cast.ada, NOW + minute * MINUTE)
        assert sent == (["Your turn against Bram (turn 2)"] if minute == 5 else [])


def test_readers_can_choose_to_get_emails_while_on_the_site(duel: Duel, cast: Cast):
    set_email_choice(cast.ada, EmailTiming.EVERY, though_here=True)
    poll_cache.mark_wizard_on_site(cast.ada.pk)
    mark_report_as_read(duel, cast.ada)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_email_about_the_first_turn_has_no_report(cast: Cast):
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]


def test_default_orders_do_not_count_as_reading_the_report(duel: Duel, cast: Cast):
    """Default orders do not prove that the wizard was on the site."""
    seal(duel, cast.ada, IDLE)
    seat(duel, cast.ada).orders.update(source="default")
    Seat.objects.filter(duel=duel).update(read_turn=0)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_email_about_a_result_read_on_the_site_is_not_sent(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    deliver()
    play(duel, {cast.ada: hands("P", "P"), cast.bram: IDLE})
    read_marks.mark_read(duel_id=duel.pk, wizard=cast.ada, turn=1, speech=0)
    assert mails_to(cast.ada) == []
    assert Notice.objects.get(wizard=cast.bram, kind="over").status == OutboxStatus.SENT


# Outdated notices


def test_only_the_email_about_the_newest_turn_is_sent(duel: Duel, cast: Cast):
    play_next_turn(duel)
    play_next_turn(duel)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 4)"]
    assert drop_reasons(cast.ada) == {DroppedFor.OUTDATED}


def test_email_about_a_withdrawn_challenge_is_not_sent(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    challenges.withdraw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert mails_to(cast.bram) == []


def test_email_about_a_challenge_is_not_sent_after_it_was_answered(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert mails_to(cast.bram) == []


def test_email_about_an_acceptance_is_not_sent_once_the_duel_has_begun(cast: Cast):
    duel = challenge(cast.ada, size=3)
    for wizard in (cast.bram, cast.cleo):
        challenges.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    (subject,) = mails_to(cast.ada)
    assert subject.startswith("Your duel with ")


def test_email_about_a_declined_challenge_is_sent_unless_the_challenge_was_withdrawn(
    cast: Cast,
):
    ended, withdrawn = challenge(cast.ada, cast.bram), challenge(cast.ada, cast.bram, size=3)
    for duel in (ended, withdrawn):
        challenges.decline(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    challenges.withdraw(duel_id=withdrawn.pk, wizard=cast.ada, now=NOW)
    assert mails_to(cast.ada) == ["Bram declined your challenge"]


@pytest.mark.parametrize("how", ["declined", "over", "old"])
def test_email_about_an_outdated_draw_offer_is_not_sent(duel: Duel, cast: Cast, how: str):
    deliver()
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
    if how == "declined":
        endings.decline_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    elif how == "over":
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    else:
        play_next_turn(duel)
        play_next_turn(duel)
    assert not [subject for subject in mails_to(cast.bram) if "draw" in subject]


def test_email_about_a_declined_pause_request_is_not_sent(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    deliver()
    time_keeping.request_pause(duel_id=duel.pk, wizard=cast.ada, is_paused=None, now=NOW)
    time_keeping.decline_pause(duel_id=duel.pk, wizard=cast.bram, is_paused=None, now=NOW)
    assert mails_to(cast.bram) == []
    assert drop_reasons(cast.bram, "pause_asked") == {DroppedFor.OUTDATED}


def test_only_the_email_about_the_last_pause_or_resumption_is_sent(cast: Cast):
    duel = begin(cast.ada, cast.bram, pace=str(24 * 3600))
    deliver()
    for hour in range(2):
        for wizard in (cast.ada, cast.bram):
            time_keeping.request_pause(
                duel_id=duel.pk, wizard=wizard, is_paused=None, now=NOW + hour * HOUR
            )
    mails_to(cast.bram, NOW + HOUR)
    unsent = Notice.objects.filter(wizard=cast.bram, status=OutboxStatus.DROPPED)
    kinds = ["pause_asked", "pause_asked", "paused"]
    assert sorted(unsent.values_list("kind", flat=True)) == kinds
    last = Notice.objects.get(wizard=cast.bram, kind="went_on")
    assert last.status == OutboxStatus.SENT


def test_email_about_an_answered_question_is_not_sent(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        deliver()
        play(duel, {cast.ada: hands("F", letter), cast.bram: IDLE})
    turn = open_turn(duel)
    answers = {turn.questions[0]["id"]: "L"}
    sealing.answer_questions(
        turn_id=turn.pk, wizard=cast.ada, answers=answers, form_seal="", batch=1, now=NOW
    )
    assert mails_to(cast.ada) == []
    assert drop_reasons(cast.ada, "question") == {DroppedFor.OUTDATED}


# Choices: no emails, one email until the next visit, or a daily email


def test_emails_can_be_turned_off(duel: Duel, cast: Cast):
    set_email_choice(cast.ada, EmailTiming.OFF)
    assert mails_to(cast.ada) == []
    assert drop_reasons(cast.ada) == {DroppedFor.UNWANTED}


def test_wizard_can_choose_other_emails_for_one_duel(cast: Cast):
    loud, quiet = begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)
    set_email_choice(cast.ada, EmailTiming.OFF)
    choosing.set_duel_mail_choice(wizard=cast.ada, duel=loud, when=EmailTiming.EVERY, now=NOW)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]
    choosing.set_duel_mail_choice(wizard=cast.ada, duel=loud, when="", now=NOW)
    for duel in (loud, quiet):
        play_next_turn(duel)
    assert mails_to(cast.ada) == []


def test_wizard_can_choose_one_email_until_the_next_visit(duel: Duel, cast: Cast):
    set_email_choice(cast.ada, EmailTiming.VISIT)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]
    # Ada does not visit the site, so default orders are played for her.
    for _ in range(2):
        play_next_turn(duel)
        Seat.objects.filter(wizard=cast.ada).update(read_turn=0)
        Notice.objects.filter(wizard=cast.ada, status=OutboxStatus.QUEUED).update(due_at=NOW)
        seat(duel, cast.ada).orders.update(source="default")
        assert mails_to(cast.ada) == []
    assert drop_reasons(cast.ada) == {DroppedFor.ALREADY_NOTIFIED}
    mark_report_as_read(duel, cast.ada)
    play_next_turn(duel)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 5)"]


@pytest.mark.parametrize("sealed_first", [True, False])
def test_reply_by_email_counts_as_a_visit(cast: Cast, settings, sealed_first: bool):
    """A receipt does not count as the one email allowed until the next visit."""
    settings.REPLY_DOMAIN = "replies.example"
    set_email_choice(cast.ada, EmailTiming.VISIT)
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
    assert drop_reasons(cast.ada) == {DroppedFor.ALREADY_NOTIFIED}


def test_resent_email_does_not_count_as_the_one_email_allowed_until_a_visit(duel: Duel, cast: Cast):
    set_email_choice(cast.ada, EmailTiming.VISIT)
    (first,) = Notice.objects.filter(wizard=cast.ada, kind="started")
    seat(duel, cast.ada).orders.update(source="default")
    Seat.objects.filter(wizard=cast.ada).update(read_turn=0)
    Notice.objects.filter(pk=first.pk).update(is_insisted_on=True)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]


def test_limit_of_one_email_until_the_next_visit_applies_to_each_duel(cast: Cast):
    set_email_choice(cast.ada, EmailTiming.VISIT)
    begin(cast.ada, cast.bram)
    begin(cast.ada, cast.cleo)
    assert len(mails_to(cast.ada)) == 2


def test_daily_email_covers_all_duels_at_the_chosen_hour(cast: Cast):
    set_email_choice(cast.ada, EmailTiming.DAILY)
    duels = [begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)]
    play_next_turn(duels[0])
    assert mails_to(cast.ada) == []
    assert mails_to(cast.ada, NEXT_MORNING - MINUTE) == []
    assert mails_to(cast.ada, NEXT_MORNING) == ["Your duels: 2 updates"]
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
    assert mails_to(cast.ada, NEXT_MORNING + HOUR) == []
    states = Notice.objects.filter(wizard=cast.ada).values_list("status", flat=True)
    assert sorted(states) == [OutboxStatus.DROPPED, OutboxStatus.SENT, OutboxStatus.SENT]


def test_daily_email_lists_deadlines(cast: Cast):
    set_email_choice(cast.ada, EmailTiming.DAILY)
    begin(cast.ada, cast.bram, pace=str(3 * 24 * 3600))
    duel = begin(cast.ada, cast.cleo, pace="none")
    endings.offer_draw(duel_id=duel.pk, wizard=cast.cleo, ordinal=None, now=NOW)
    challenge(cast.bram, cast.ada)
    assert mails_to(cast.ada) == []
    assert mails_to(cast.ada, NEXT_MORNING) == ["Your duels: 4 updates"]
    (message,) = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert isinstance(message, EmailMultiAlternatives)
    ((html, _),) = message.alternatives
    for text in (str(message.body), str(html).partition("<h1")[2]):
        assert text.count("Due on 4 March 2026, 12:00 UTC") == 1
        assert text.count("Open until 15 March 2026.") == 1
    assert "Nobody reads replies to this email." in str(message.body)


def test_failed_daily_email_is_retried_with_the_same_message_id(cast: Cast):
    set_email_choice(cast.ada, EmailTiming.DAILY)
    begin(cast.ada, cast.bram)
    other = begin(cast.ada, cast.cleo)
    deliver()
    with mock.patch.object(EmailMultiAlternatives, "send", autospec=True) as send:
        send.side_effect = OSError
        deliver(now=NEXT_MORNING)
        (failed,) = [each.args[0] for each in send.call_args_list]
    play_next_turn(other)  # one of the two updates in the email is now outdated
    assert mails_to(cast.ada, NEXT_MORNING + HOUR) == ["Your duels: 1 update"]
    (message,) = [each for each in mail.outbox if each.to == ["ada@example.org"]]
    assert message.extra_headers["Message-ID"] == failed.extra_headers["Message-ID"]


@pytest.fixture
def daily_notices(cast: Cast) -> list[Notice]:
    """The two notices that belong to Ada's next daily email."""
    set_email_choice(cast.ada, EmailTiming.DAILY)
    for opponent in (cast.bram, cast.cleo):
        begin(cast.ada, opponent)
    deliver()
    mail.outbox.clear()
    found = list(Notice.objects.filter(wizard=cast.ada).order_by("pk"))
    assert [each.daily_at for each in found] == [NEXT_MORNING, NEXT_MORNING]
    return found


def deliver_and_list(now: datetime) -> list[tuple[str, str]]:
    """Deliver what is due, and return the Message-IDs and subjects of all emails sent so far."""
    deliver(now=now)
    return [(each.extra_headers["Message-ID"], str(each.subject)) for each in mail.outbox]


def test_only_one_of_two_workers_sends_the_daily_email(daily_notices: list[Notice], monkeypatch):
    """The second worker tries the second notice just after the first worker claims the first."""
    usual, first, second = timing.plan_delivery, daily_notices[0], daily_notices[1]
    others: list[bool] = []

    def plan_and_deliver(notice: Notice, now: datetime) -> DeliveryDecision:
        if not others:
            others.append(False)
            others.append(delivering.deliver_notice(notice_id=second.pk, now=NEXT_MORNING))
        return usual(notice, now)

    monkeypatch.setattr(timing, "plan_delivery", plan_and_deliver)
    assert delivering.deliver_notice(notice_id=first.pk, now=NEXT_MORNING)
    assert others == [False, False]
    ((_, subject),) = deliver_and_list(NEXT_MORNING + HOUR)
    assert subject == "Your duels: 2 updates"


@pytest.mark.parametrize(
    "step", ["timing.plan_delivery", "emails.email_for", "_send_email", "outbox.mark_sent"]
)
def test_daily_email_of_a_dead_worker_is_sent_again_in_full(daily_notices: list[Notice], step: str):
    name = f"duels.post.commands.delivering.{step}"
    with mock.patch(name, side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        delivering.deliver_notice(notice_id=daily_notices[1].pk, now=NEXT_MORNING)
    assert len(deliver_and_list(NEXT_MORNING + MINUTE)) == (step == "outbox.mark_sent")
    copies = deliver_and_list(NEXT_MORNING + 10 * MINUTE)
    assert len(copies) == 1 + (step == "outbox.mark_sent")
    assert len(set(copies)) == 1
    assert copies[0][1] == "Your duels: 2 updates"


def test_daily_email_includes_notices_due_at_different_times(daily_notices: list[Notice]):
    Notice.objects.filter(pk=daily_notices[1].pk).update(
        due_at=NEXT_MORNING + MINUTE
    )  # the mail server was down
    assert [subject for _, subject in deliver_and_list(NEXT_MORNING)] == ["Your duels: 2 updates"]


def test_daily_email_that_fails_is_postponed_as_a_whole(daily_notices: list[Notice]):
    usual = timing.plan_delivery

    def plan(notice: Notice, now: datetime) -> DeliveryDecision:
        if notice.pk == daily_notices[1].pk:
            raise RuntimeError
        return usual(notice, now)

    with mock.patch.object(timing, "plan_delivery", plan):
        assert not delivering.deliver_notice(notice_id=daily_notices[0].pk, now=NEXT_MORNING)
    queued = Notice.objects.filter(status=OutboxStatus.QUEUED, attempts=1)
    assert set(queued) == set(daily_notices)


@pytest.mark.parametrize("status", [OutboxStatus.SENT, OutboxStatus.SENDING])
def test_notice_that_misses_a_daily_email_goes_into_the_next_one(
    daily_notices: list[Notice], cast: Cast, status: OutboxStatus
):
    """A slow worker assigns a notice to a daily email that has already been sent."""
    Notice.objects.filter(pk=daily_notices[0].pk).update(
        status=status, sent_at=NEXT_MORNING, claimed_at=NEXT_MORNING
    )
    assert deliver_and_list(NEXT_MORNING + MINUTE) == []
    daily_notices[1].refresh_from_db()
    assert daily_notices[1].daily_at == NEXT_MORNING + timedelta(days=1)


def test_changed_email_choice_applies_to_queued_notices(cast: Cast):
    set_email_choice(cast.ada, EmailTiming.DAILY)
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == []
    set_email_choice(cast.ada, EmailTiming.EVERY)
    assert mails_to(cast.ada) == ["Your duel with Bram begins: turn 1"]


def test_hour_of_the_daily_email_is_in_the_wizards_time_zone(cast: Cast):
    profiles.set_reading_preferences(wizard=cast.ada, typed={"zone": "Asia/Tokyo"})
    set_email_choice(cast.ada, EmailTiming.DAILY, hour=22)  # NOW is 21:00 in Tokyo
    begin(cast.ada, cast.bram)
    assert mails_to(cast.ada) == []
    assert mails_to(cast.ada, NOW + HOUR) == ["Your duels: 1 update"]


@pytest.mark.parametrize(
    ("now", "hour", "moment"),
    [
        ("2026-03-28 12:00", 2, "2026-03-29 01:00"),  # 2:00 does not exist on that day: use 3:00
        ("2026-03-29 01:00", 2, "2026-03-30 00:00"),
        ("2026-10-24 12:00", 2, "2026-10-25 00:00"),  # 2:00 occurs twice; use the first
        ("2026-10-25 00:30", 2, "2026-10-26 01:00"),
        ("2026-06-01 05:59", 8, "2026-06-01 06:00"),
        ("2026-06-01 06:00", 8, "2026-06-02 06:00"),
    ],
)
def test_daily_email_is_sent_at_the_right_hour_when_clocks_change(now: str, hour: int, moment: str):
    at = [datetime.fromisoformat(each).replace(tzinfo=UTC) for each in (now, moment)]
    assert next_hour(hour, ZoneInfo("Europe/Berlin"), at[0]) == at[1]


@pytest.mark.parametrize("when", [EmailTiming.VISIT, EmailTiming.DAILY])
def test_reminder_is_sent_at_once_whatever_the_wizard_has_chosen(cast: Cast, when: EmailTiming):
    set_email_choice(cast.ada, when)
    begin(cast.ada, cast.bram, pace=str(24 * 3600))
    mails_to(cast.ada)
    late = NOW + 20 * HOUR
    sweeping.sweep(now=late)
    assert any("left for turn 1" in subject for subject in mails_to(cast.ada, late))


def test_notice_can_be_resent_whatever_the_wizard_has_chosen(duel: Duel, cast: Cast):
    set_email_choice(cast.ada, EmailTiming.OFF)
    mark_report_as_read(duel, cast.ada)
    assert mails_to(cast.ada) == []
    notice = Notice.objects.get(wizard=cast.ada, kind="your_turn")
    assert delivering.resend_notice(notice_id=notice.pk, now=NOW)
    assert mails_to(cast.ada) == ["Your turn against Bram (turn 2)"]
