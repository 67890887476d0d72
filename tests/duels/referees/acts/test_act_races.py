"""Races between referees' acts and seals or resolutions. The second sees the first's effect."""

from functools import partial

import pytest

from duels.commands import resolution
from duels.models import Act, ActKind, Duel, Orders, Stage, Turn
from duels.referees.acts.carrying_out import carry_out_act
from duels.referees.log.act_log import RefereeRef
from tests.cast import NOW, Cast, begin, open_turn, play, seal
from tests.duels.referees.acts.refereeing import REASON, make_referee
from tests.duels.test_races import IDLE, run_simultaneously, seal_call

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

ROUNDS = 4


def act_call(kind: ActKind, duel: Duel, by: RefereeRef, **fields: str):
    return partial(
        carry_out_act, kind, duel_id=duel.pk, by=by, reason=REASON, now=NOW, fields=fields
    )


def test_simultaneous_seal_and_rollback_are_serialised(cast: Cast):
    by = make_referee()
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    for number in range(1, ROUNDS + 1):
        turn = open_turn(duel)
        seal(duel, cast.ada, IDLE)
        resolving = partial(resolution.resolve_turn, turn_id=turn.pk, now=NOW)
        rolling = act_call(ActKind.ROLL_BACK, duel, by, turn=str(turn.ordinal))
        answers = run_simultaneously(seal_call(turn, cast.bram), rolling, resolving)
        assert isinstance(answers[0], Orders) or answers[0] == "turn_void"
        assert isinstance(answers[1], Act)
        turn.refresh_from_db()
        assert turn.voided_in == number
        # The new turn does not take over seals from the void turn.
        again = Turn.objects.get(duel=duel, stage=Stage.ORDERS)
        assert (again.ordinal, again.orders.count()) == (turn.ordinal, 0)
        assert {each.awaited for each in duel.seats.all()} == {True}


def test_turn_is_resolved_either_before_a_simultaneous_pause_or_after_it_ends(cast: Cast):
    by = make_referee()
    for _ in range(ROUNDS):
        duel = begin(cast.ada, cast.bram, pace="86400")
        turn = open_turn(duel)
        seal(duel, cast.ada, IDLE)
        stopped, sealed = run_simultaneously(
            act_call(ActKind.PAUSE, duel, by), seal_call(turn, cast.bram)
        )
        assert isinstance(stopped, Act)
        assert isinstance(sealed, Orders)
        assert not duel.seats.filter(due_at__isnull=False, awaited=True).exists()
        turn.refresh_from_db()
        was_played = turn.stage == Stage.RESOLVED
        assert not resolution.resolve_turn(turn_id=turn.pk, now=NOW)
        act_call(ActKind.GO_ON, duel, by)()
        turn.refresh_from_db()
        assert turn.stage == Stage.RESOLVED, was_played
        assert duel.seats.filter(due_at__isnull=False, awaited=True).count() == 2


def test_simultaneous_acts_become_separate_links_of_the_hash_chain(cast: Cast):
    one, other = make_referee(), make_referee("other@example.org")
    duel = begin(cast.ada, cast.bram, pace="86400")
    calls = [
        act_call(ActKind.EXTEND, duel, by, time="60") for by in (one, other) for _ in range(ROUNDS)
    ]
    wizard = partial(
        carry_out_act,
        ActKind.LOCK_SPEECH,
        wizard_id=cast.dorn.pk,
        by=one,
        reason=REASON,
        now=NOW,
    )
    renaming = partial(
        carry_out_act,
        ActKind.RENAME,
        wizard_id=cast.cleo.pk,
        by=other,
        reason=REASON,
        now=NOW,
        fields={"name": "Cleo of Rome"},
    )
    answers = run_simultaneously(*calls, wizard, renaming)
    assert all(isinstance(answer, Act) for answer in answers)
    ordinals = Act.objects.filter(duel=duel).order_by("ordinal").values_list("ordinal", flat=True)
    assert list(ordinals) == list(range(1, 2 * ROUNDS + 1))
    assert Act.objects.filter(duel=None).count() == 2
    assert Act.objects.values("chain").distinct().count() == 2 * ROUNDS + 2
