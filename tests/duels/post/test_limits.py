"""Limits on the number of emails, so that no one can flood a mailbox."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db.models import QuerySet

from duels import errors
from duels.commands import challenges, endings, sweeping
from duels.models import Duel, Wizard
from duels.post import limits
from duels.post.kinds.registry import all_kinds
from duels.post.models import DroppedFor, Notice
from duels.post.queries import has_played_with
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    deliver,
    make_wizard,
)
from tests.duels.test_deadlines import (
    A_DAY,
    begin_timed_duel,
    hours_after_start,
    process_deadlines_at,
)

DAY = timedelta(days=1)


def emails_received(wizard: Wizard) -> int:
    """Return the number of emails sent to this wizard so far."""
    assert wizard.user
    return sum(message.to == [wizard.user.email] for message in mail.outbox)


def challenge_and_withdraw(by: Wizard, victim: Wizard, times: int, now: datetime = NOW) -> None:
    for _ in range(times):
        duel = challenge(by, victim, words="Buy at www.example.com", now=now)
        deliver(now=now)
        challenges.withdraw(duel_id=duel.pk, wizard=by, now=now)


def test_repeated_challenges_cannot_flood_a_mailbox(cast: Cast):
    challenge_and_withdraw(cast.ada, cast.bram, 20)
    assert emails_received(cast.bram) == limits.MAX_FROM_STRANGER_TO_READER
    assert not any("example.com" in str(message.message()) for message in mail.outbox)
    unsent = Notice.objects.filter(wizard=cast.bram).exclude(dropped_for=DroppedFor.NOTHING)
    assert set(unsent.values_list("dropped_for", flat=True)) == {DroppedFor.RATE_LIMITED}
    assert emails_received(cast.bram) + unsent.count() == 20


def test_limits_on_emails_are_reset_the_next_day(cast: Cast):
    challenge_and_withdraw(cast.ada, cast.bram, 5)
    challenge_and_withdraw(cast.ada, cast.bram, 5, now=NOW + DAY)
    assert emails_received(cast.bram) == 2 * limits.MAX_FROM_STRANGER_TO_READER


def test_limit_on_emails_from_known_opponents_is_higher(cast: Cast):
    begin(cast.ada, cast.bram)
    deliver()
    mail.outbox.clear()
    challenge_and_withdraw(cast.ada, cast.bram, 20)
    assert emails_received(cast.bram) == limits.MAX_FROM_WIZARD_TO_READER


def test_repeated_joining_and_leaving_sends_a_limited_number_of_emails(cast: Cast):
    duel = challenge(cast.ada, size=3)
    for _ in range(10):
        challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        deliver()
        challenges.leave(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        deliver()
    assert emails_received(cast.ada) == limits.MAX_FROM_STRANGER_TO_READER


def test_emails_about_draw_offers_are_limited(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_FROM_WIZARD_TO_READER", 2)
    duels = [begin(cast.ada, cast.bram) for _ in range(4)]
    deliver()
    mail.outbox.clear()
    for duel in duels:
        endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
        deliver()
    assert emails_received(cast.bram) == 2


def test_one_wizard_can_only_cause_a_limited_number_of_emails(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UNREQUESTED_FROM_WIZARD", 2)
    for victim in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, victim)
        deliver()
    assert len(mail.outbox) == 2


def test_many_wizards_cannot_flood_one_mailbox(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UNREQUESTED_TO_READER", 2)
    for number in range(4):
        challenge(make_wizard(f"Sock {number}"), cast.bram)
        deliver()
    assert emails_received(cast.bram) == 2
    challenge(cast.ada, cast.cleo)
    deliver()
    assert emails_received(cast.cleo) == 1


def test_number_of_emails_to_one_address_is_limited(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_TO_READER", 3)
    for number in range(5):
        challenge(make_wizard(f"Sock {number}"), cast.bram)
    deliver()
    assert emails_received(cast.bram) == 3


def test_emails_about_clocks_are_never_limited(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "MAX_TO_READER", 0)
    duel = begin_timed_duel(cast, pace=A_DAY)
    deliver()
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
    process_deadlines_at(duel, 20)
    deliver(now=hours_after_start(20))
    mine = Notice.objects.filter(wizard=cast.bram)
    assert dict(mine.values_list("kind", "dropped_for")) == {
        "started": DroppedFor.NOTHING,
        "draw_offered": DroppedFor.RATE_LIMITED,
        "reminder": DroppedFor.NOTHING,
    }
    free = {kind for kind in all_kinds() if not limits.is_over_limit(with_kind(kind, mine[0]), NOW)}
    assert free == {"started", "your_turn", "question", "reminder", "excused", "played_for"}


def with_kind(kind: str, notice: Notice) -> Notice:
    notice.kind = kind
    return notice


# Rematches that one wizard requests and another declines


@pytest.fixture
def finished_duel(cast: Cast) -> Duel:
    """A finished duel of three wizards."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.ada, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    deliver()
    mail.outbox.clear()
    return duel


def request_and_decline_rematch(over: Duel, by: Wizard, accomplice: Wizard) -> Duel:
    again = challenges.request_rematch(duel_id=over.pk, wizard=by, now=NOW)
    challenges.decline(duel_id=again.pk, wizard=accomplice, now=NOW)
    return again


def lapsed_notices(wizard: Wizard) -> QuerySet[Notice]:
    return Notice.objects.filter(wizard=wizard, kind="lapsed")


def test_each_wizard_can_request_a_rematch_three_times(finished_duel: Duel, cast: Cast):
    for _ in range(challenges.MAX_REMATCHES):
        request_and_decline_rematch(finished_duel, cast.ada, cast.bram)
    with pytest.raises(errors.Refused) as refused:
        challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.ada, now=NOW)
    assert refused.value.code == "too_many_rematches"
    # other players can still request one
    asked = challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.cleo, now=NOW)
    assert challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.ada, now=NOW) == asked
    assert asked.seats.get(wizard=cast.ada).accepted_at is not None


def test_declined_rematch_is_not_emailed_to_wizards_who_do_not_know_of_it(
    finished_duel: Duel, cast: Cast
):
    request_and_decline_rematch(finished_duel, cast.ada, cast.bram)
    deliver()
    assert not lapsed_notices(cast.cleo).exists()
    assert emails_received(cast.cleo) == 0


def test_declined_rematch_is_emailed_to_wizards_who_were_emailed_about_it(
    finished_duel: Duel, cast: Cast
):
    again = challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.ada, now=NOW)
    deliver()
    challenges.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
    deliver()
    assert [(each.about, each.status) for each in lapsed_notices(cast.cleo)] == [(cast.ada, "sent")]
    assert not lapsed_notices(cast.ada).exists()  # Ada's own notice names the wizard who declined
    assert not lapsed_notices(cast.bram).exists()


def test_declined_rematch_is_emailed_to_wizards_who_accepted_it(finished_duel: Duel, cast: Cast):
    again = challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.ada, now=NOW)
    challenges.accept(duel_id=again.pk, wizard=cast.cleo, now=NOW)
    challenges.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
    assert lapsed_notices(cast.cleo).count() == 1


def test_emails_about_failed_challenges_count_towards_the_challengers_limit(
    finished_duel: Duel, cast: Cast, monkeypatch
):
    monkeypatch.setattr(challenges, "MAX_REMATCHES", 20)
    for _ in range(limits.MAX_FROM_WIZARD_TO_READER):
        again = challenges.request_rematch(duel_id=finished_duel.pk, wizard=cast.ada, now=NOW)
        deliver()
        challenges.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
        deliver()
    assert emails_received(cast.cleo) == limits.MAX_FROM_WIZARD_TO_READER


def test_email_about_your_own_expired_challenge_does_not_count_towards_a_limit(cast: Cast):
    challenge(cast.ada, cast.bram)
    late = NOW + 14 * DAY
    assert sweeping.sweep(now=late).expired == 1
    assert [each.about for each in lapsed_notices(cast.ada)] == [None]
    assert [each.about for each in lapsed_notices(cast.bram)] == [cast.ada]


def test_emails_being_sent_at_the_same_time_count_towards_the_limit(cast: Cast, monkeypatch):
    """Two notices are claimed at the same time.

    Each notice counts the other, so only one is sent.
    """
    monkeypatch.setattr(limits, "MAX_FROM_STRANGER_TO_READER", 1)
    for _ in range(2):
        challenge(cast.ada, cast.bram)
    older, younger = Notice.objects.order_by("pk")
    Notice.objects.update(status="sending", claimed_at=NOW)
    assert not limits.is_over_limit(older, NOW)
    assert limits.is_over_limit(younger, NOW)


# Strangers


def test_wizards_who_accepted_a_challenge_or_played_a_duel_are_not_strangers(cast: Cast):
    ada, bram, cleo, dorn = cast.ada, cast.bram, cast.cleo, cast.dorn
    assert not has_played_with(bram, ada)
    duel = challenge(ada, bram, size=3)
    assert not has_played_with(bram, ada)
    challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert has_played_with(bram, ada)
    assert not has_played_with(ada, bram)  # Bram has accepted, but Ada has not
    challenges.accept(duel_id=duel.pk, wizard=cleo, now=NOW)  # now the duel begins
    for one in (ada, bram, cleo):
        for other in (ada, bram, cleo):
            assert one == other or has_played_with(one, other)
        assert not has_played_with(one, dorn)
        assert not has_played_with(dorn, one)


def test_wizard_who_joins_an_open_challenge_is_still_a_stranger(cast: Cast):
    duel = challenge(cast.ada, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
    assert not has_played_with(cast.ada, cast.dorn)
