"""Races between disputes, suspensions or account closures and seals, resolutions or acts.

The second event always sees the effect of the first. The tests use real threads, on
SQLite and PostgreSQL alike.
"""

import math
from functools import partial

import pytest

from duels import errors
from duels.clocks.budget import Budget
from duels.commands import closing, resolution
from duels.commands.leaving import seats_in_unfinished_duels
from duels.commands.sealing import unseal
from duels.models import AccountClosing, Act, ActKind, Duel, Orders, Seat, Stage, Turn, Wizard
from duels.referees.acts import carrying_out
from duels.referees.cases.disputes import open_dispute
from duels.referees.models import Case
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal
from tests.duels.referees.acts.refereeing import REASON, make_referee, perform_act
from tests.duels.referees.acts.test_act_words import carry_out_on
from tests.duels.test_races import IDLE, run_simultaneously, seal_call

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

ROUNDS = 4


def dispute_call(duel: Duel, wizard: Wizard) -> partial[Case]:
    given = {"category": "rule", "words": "That was no shield.", "rule": ""}
    return partial(
        open_dispute, duel_id=duel.pk, wizard=wizard, ordinal=1, now=NOW, **given
    )  # fmt: skip


def test_simultaneous_dispute_and_resolution_are_serialised(cast: Cast):
    """The turn is played once, or not at all if the dispute is first. No clock is left running."""
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram, pace="86400")
        turn = open_turn(duel)
        seal(duel, cast.ada, IDLE)
        resolving = partial(resolution.resolve_turn, turn_id=turn.pk, now=NOW)
        sealed, case, _, _ = run_simultaneously(
            seal_call(turn, cast.bram), dispute_call(duel, cast.ada), resolving, resolving
        )
        assert isinstance(sealed, Orders)
        assert isinstance(case, Case)
        turn.refresh_from_db()
        duel.refresh_from_db()
        assert duel.halted_at is not None
        assert not resolution.resolve_turn(turn_id=turn.pk, now=NOW), "the dispute stops the duel"
        was_played = turn.stage == Stage.RESOLVED
        assert Turn.objects.filter(duel=duel).count() == 1 + was_played
        assert not duel.seats.filter(due_at__isnull=False, awaited=True).exists()


def test_only_one_of_a_wizards_simultaneous_disputes_is_accepted(cast: Cast):
    for _ in range(ROUNDS):
        Case.objects.all().delete()
        duel = begin(cast.ada, cast.bram, pace="86400")
        answers = run_simultaneously(
            dispute_call(duel, cast.ada),
            dispute_call(duel, cast.ada),
            dispute_call(duel, cast.bram),
        )
        assert sorted(str(a) for a in answers if not isinstance(a, Case)) == ["one_at_a_time"]
        assert Case.objects.filter(duel=duel).count() == 2
        log = Act.objects.filter(duel=duel).order_by("ordinal")
        assert [act.ordinal for act in log] == [1, 2]


def test_simultaneous_suspension_and_seal_are_serialised(cast: Cast):
    """A suspended wizard cannot seal, even if their request began before the suspension."""
    by = make_referee()
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram)
        turn = open_turn(duel)
        suspending = partial(
            carrying_out.carry_out_act,
            ActKind.SUSPEND,
            wizard_id=cast.ada.pk,
            by=by,
            reason=REASON,
            now=NOW,
        )
        suspended, sealed = run_simultaneously(suspending, seal_call(turn, cast.ada))
        assert isinstance(suspended, Act)
        assert isinstance(sealed, Orders) or sealed == "suspended"
        # `cast.ada` was loaded before the referee's act, like the wizard in a request that is being
        # handled.
        assert not cast.ada.is_suspended_at(NOW)
        current = Orders.objects.filter(turn=turn, superseded=False).first()
        form_seal = current.commitment if current else ""
        with pytest.raises(errors.Refused) as refused:
            seal(duel, cast.ada, hands("W", "-"), form_seal=form_seal)
        assert refused.value.code == "suspended"
        with pytest.raises(errors.Refused) as refused:
            unseal(turn_id=turn.pk, wizard=cast.ada, now=NOW)
        assert refused.value.code == "suspended"
        carry_out_on(ActKind.REINSTATE, by, cast.ada)


def test_simultaneous_replacement_and_account_closing_are_serialised(cast: Cast):
    """A referee gives a seat to a wizard whose account is being closed.

    A closed account must not keep a seat.
    """
    by = make_referee()
    duel = begin(cast.ada, cast.bram)
    user = cast.dorn.user
    assert user is not None
    replacing = partial(
        carrying_out.carry_out_act,
        ActKind.REPLACE,
        duel_id=duel.pk,
        by=by,
        reason=REASON,
        now=NOW,
        fields={"seat": "w1", "wizard": cast.dorn.name},
    )
    replaced, _ = run_simultaneously(replacing, partial(closing.close_account, user=user, now=NOW))
    assert isinstance(replaced, Act) or replaced in ("opponent_not_player", "unknown_wizard")
    closing.continue_closings(now=LATER, budget=Budget(math.inf))
    assert not AccountClosing.objects.exists()
    seat = Seat.objects.get(duel=duel, place=1)
    cast.dorn.refresh_from_db()
    assert cast.dorn.is_closed
    assert seat.wizard_id == cast.bram.pk or not seat.is_playing


def test_seat_received_while_the_account_is_being_closed_is_resigned(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    """The referee acts between the last check for duels and the deletion of the account."""
    duel = begin(cast.ada, cast.bram)
    user = cast.dorn.user
    assert user is not None
    looked: list[Wizard] = []

    def find_seats_then_give_one(wizard: Wizard) -> list[Seat]:
        found = seats_in_unfinished_duels(wizard)
        if not looked:
            Seat.objects.filter(duel=duel, place=1).update(wizard=cast.dorn)
        looked.append(wizard)
        return found

    monkeypatch.setattr(closing, "seats_in_unfinished_duels", find_seats_then_give_one)
    closing.close_account(user=user, now=NOW)
    closing.continue_closings(now=LATER, budget=Budget(math.inf))
    assert not AccountClosing.objects.exists()
    assert not Seat.objects.get(duel=duel, place=1).is_playing


def test_wizard_whose_account_is_being_closed_cannot_get_a_seat(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(closing, "send_task_after_commit", lambda *_: None)
    duel = begin(cast.ada, cast.bram)
    assert cast.dorn.user is not None
    closing.begin_closing(user=cast.dorn.user, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        perform_act(ActKind.REPLACE, make_referee(), duel, seat="w1", wizard="Dorn")
    assert refused.value.code == "opponent_not_player"
