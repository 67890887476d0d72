"""Limits against flooding a mailbox; strangers' messages are not emailed."""

from datetime import datetime, timedelta

import pytest
from django.core import mail
from django.db.models import QuerySet

from duels import commands
from duels.commands import challenges
from duels.models import Duel, Wizard
from duels.post import limits
from duels.post.models import DroppedFor, Notice, NoticeKind
from duels.post.queries import has_taken_part_with
from tests.cast import (
    NOW,
    Cast,
    begin,
    challenge,
    deliver,
    make_wizard,
)
from tests.duels.test_deadlines import A_DAY, act, at, timed

pytestmark = pytest.mark.sqlite

DAY = timedelta(days=1)


def got(wizard: Wizard) -> int:
    """Return the number of emails sent to this wizard so far."""
    assert wizard.user
    return sum(message.to == [wizard.user.email] for message in mail.outbox)


def challenge_and_withdraw(by: Wizard, victim: Wizard, times: int, now: datetime = NOW) -> None:
    for _ in range(times):
        duel = challenge(by, victim, words="Buy at www.example.com", now=now)
        deliver(now=now)
        commands.withdraw(duel_id=duel.pk, wizard=by, now=now)


def test_a_stranger_cannot_fill_anybodys_mail_by_challenging_and_withdrawing(cast: Cast):
    challenge_and_withdraw(cast.ada, cast.bram, 20)
    assert got(cast.bram) == limits.FROM_A_STRANGER_TO_ONE
    assert not any("example.com" in str(message.message()) for message in mail.outbox)
    unsent = Notice.objects.filter(wizard=cast.bram).exclude(dropped_for=DroppedFor.NOTHING)
    assert set(unsent.values_list("dropped_for", flat=True)) == {DroppedFor.LIMITED}
    assert got(cast.bram) + unsent.count() == 20


def test_the_next_day_is_another_one(cast: Cast):
    challenge_and_withdraw(cast.ada, cast.bram, 5)
    challenge_and_withdraw(cast.ada, cast.bram, 5, now=NOW + DAY)
    assert got(cast.bram) == 2 * limits.FROM_A_STRANGER_TO_ONE


def test_who_is_known_may_write_more_and_not_without_end(cast: Cast):
    begin(cast.ada, cast.bram)
    deliver()
    mail.outbox.clear()
    challenge_and_withdraw(cast.ada, cast.bram, 20)
    assert got(cast.bram) == limits.FROM_ONE_TO_ONE


def test_taking_a_place_and_leaving_it_writes_to_the_challenger_a_few_times(cast: Cast):
    duel = challenge(cast.ada, size=3)
    for _ in range(10):
        commands.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        deliver()
        commands.leave(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        deliver()
    assert got(cast.ada) == limits.FROM_A_STRANGER_TO_ONE


def test_offers_are_limited_in_a_duel(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "FROM_ONE_TO_ONE", 2)
    duels = [begin(cast.ada, cast.bram) for _ in range(4)]
    deliver()
    mail.outbox.clear()
    for duel in duels:
        commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
        deliver()
    assert got(cast.bram) == 2


def test_one_wizard_cannot_write_to_all(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "UNASKED_FROM_ONE", 2)
    for victim in (cast.bram, cast.cleo, cast.dorn):
        challenge(cast.ada, victim)
        deliver()
    assert len(mail.outbox) == 2


def test_many_wizards_cannot_fill_the_mail_of_one(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "UNASKED_TO_ONE", 2)
    for number in range(4):
        challenge(make_wizard(f"Sock {number}"), cast.bram)
        deliver()
    assert got(cast.bram) == 2
    challenge(cast.ada, cast.cleo)
    deliver()
    assert got(cast.cleo) == 1


def test_no_address_gets_more_than_its_limit_from_all(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "TO_ONE", 3)
    for number in range(5):
        challenge(make_wizard(f"Sock {number}"), cast.bram)
    deliver()
    assert got(cast.bram) == 3


def test_no_limit_holds_back_what_clocks_demand(cast: Cast, monkeypatch):
    monkeypatch.setattr(limits, "TO_ONE", 0)
    duel = timed(cast, pace=A_DAY)
    deliver()
    commands.offer_draw(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    act(duel, 20)
    deliver(now=at(20))
    mine = Notice.objects.filter(wizard=cast.bram)
    assert dict(mine.values_list("kind", "dropped_for")) == {
        "started": DroppedFor.NOTHING,
        "draw_offered": DroppedFor.LIMITED,
        "reminder": DroppedFor.NOTHING,
    }
    free = {kind for kind in NoticeKind if not limits.is_over_limit(of_kind(kind, mine[0]), NOW)}
    assert free == {"started", "your_turn", "question", "reminder", "excused", "played_for"}


def of_kind(kind: NoticeKind, notice: Notice) -> Notice:
    notice.kind = kind
    return notice


# Rematches that one wizard offers and another declines


@pytest.fixture
def over(cast: Cast) -> Duel:
    """A finished duel of three wizards."""
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.ada, cast.bram):
        commands.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    deliver()
    mail.outbox.clear()
    return duel


def ask_and_decline(over: Duel, by: Wizard, accomplice: Wizard) -> Duel:
    again = commands.rematch(duel_id=over.pk, wizard=by, now=NOW)
    commands.decline(duel_id=again.pk, wizard=accomplice, now=NOW)
    return again


def lapsed(wizard: Wizard) -> QuerySet[Notice]:
    return Notice.objects.filter(wizard=wizard, kind="lapsed")


def test_a_wizard_asks_for_a_rematch_of_one_duel_three_times_at_most(over: Duel, cast: Cast):
    for _ in range(challenges.MOST_REMATCHES):
        ask_and_decline(over, cast.ada, cast.bram)
    with pytest.raises(commands.Refused) as refused:
        commands.rematch(duel_id=over.pk, wizard=cast.ada, now=NOW)
    assert refused.value.code == "too_many_rematches"
    asked = commands.rematch(duel_id=over.pk, wizard=cast.cleo, now=NOW)  # others may ask
    assert commands.rematch(duel_id=over.pk, wizard=cast.ada, now=NOW) == asked
    assert asked.seats.get(wizard=cast.ada).accepted_at is not None


def test_who_knows_nothing_of_a_rematch_is_not_told_that_it_was_declined(over: Duel, cast: Cast):
    ask_and_decline(over, cast.ada, cast.bram)
    deliver()
    assert not lapsed(cast.cleo).exists()
    assert got(cast.cleo) == 0


def test_who_was_mailed_of_a_rematch_is_told_that_it_was_declined(over: Duel, cast: Cast):
    again = commands.rematch(duel_id=over.pk, wizard=cast.ada, now=NOW)
    deliver()
    commands.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
    deliver()
    assert [(each.about, each.status) for each in lapsed(cast.cleo)] == [(cast.ada, "sent")]
    assert not lapsed(cast.ada).exists()  # got a notice that names who declined
    assert not lapsed(cast.bram).exists()


def test_who_has_accepted_a_rematch_is_told_that_it_was_declined(over: Duel, cast: Cast):
    again = commands.rematch(duel_id=over.pk, wizard=cast.ada, now=NOW)
    commands.accept(duel_id=again.pk, wizard=cast.cleo, now=NOW)
    commands.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
    assert lapsed(cast.cleo).count() == 1


def test_challenges_that_come_to_nothing_count_by_their_challenger(
    over: Duel, cast: Cast, monkeypatch
):
    monkeypatch.setattr(challenges, "MOST_REMATCHES", 20)
    for _ in range(limits.FROM_ONE_TO_ONE):
        again = commands.rematch(duel_id=over.pk, wizard=cast.ada, now=NOW)
        deliver()
        commands.decline(duel_id=again.pk, wizard=cast.bram, now=NOW)
        deliver()
    assert got(cast.cleo) == limits.FROM_ONE_TO_ONE


def test_ones_own_challenge_that_expires_counts_by_nobody(cast: Cast):
    challenge(cast.ada, cast.bram)
    late = NOW + 14 * DAY
    assert commands.sweep(now=late).expired == 1
    assert [each.about for each in lapsed(cast.ada)] == [None]
    assert [each.about for each in lapsed(cast.bram)] == [cast.ada]


def test_what_is_claimed_at_once_counts(cast: Cast, monkeypatch):
    """Claim two notices at the same time. Each counts the other, and only one may be sent."""
    monkeypatch.setattr(limits, "FROM_A_STRANGER_TO_ONE", 1)
    for _ in range(2):
        challenge(cast.ada, cast.bram)
    older, younger = Notice.objects.order_by("pk")
    Notice.objects.update(status="sending", claimed_at=NOW)
    assert not limits.is_over_limit(older, NOW)
    assert limits.is_over_limit(younger, NOW)


# Strangers


def test_who_is_no_stranger_any_more(cast: Cast):
    ada, bram, cleo, dorn = cast.ada, cast.bram, cast.cleo, cast.dorn
    assert not has_taken_part_with(bram, ada)
    duel = challenge(ada, bram, size=3)
    assert not has_taken_part_with(bram, ada)
    commands.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert has_taken_part_with(bram, ada)
    assert not has_taken_part_with(ada, bram)  # he has accepted, she has only asked
    commands.accept(duel_id=duel.pk, wizard=cleo, now=NOW)  # the duel begins
    for one in (ada, bram, cleo):
        for other in (ada, bram, cleo):
            assert one == other or has_taken_part_with(one, other)
        assert not has_taken_part_with(one, dorn)
        assert not has_taken_part_with(dorn, one)


def test_who_merely_sits_down_in_ones_open_challenge_is_a_stranger(cast: Cast):
    duel = challenge(cast.ada, size=3)
    commands.accept(duel_id=duel.pk, wizard=cast.dorn, now=NOW)
    assert not has_taken_part_with(cast.ada, cast.dorn)
