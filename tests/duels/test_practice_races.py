"""Promise 3 for guests and the practice opponent: simultaneous events take effect once."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from duels import errors
from duels.commands import challenges, practising
from duels.commands.guests import claim_guest, create_guest, delete_expired_guests, delete_guest
from duels.models import Duel, Orders, Seat, Wizard, WizardKind
from duels.sign_in import guests
from tests.cast import LATER, NOW, Cast, challenge, hands, make_wizard, open_turn, seal
from tests.duels.test_races import run_simultaneously

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def make_guest(token: str = "token") -> Wizard:
    return create_guest(key=guests.token_hash(token), now=NOW)


def test_practice_turn_is_sealed_once_by_four_simultaneous_workers(cast: Cast) -> None:
    duel = practising.start_practice(wizard=cast.ada, ruleset="bartle-1", now=NOW)
    for ordinal in (1, 2):
        turn = open_turn(duel)
        assert turn.ordinal == ordinal
        think = partial(practising.play_opponent, turn_id=turn.pk, now=NOW)
        run_simultaneously(think, think, think, think)
        live = Orders.objects.filter(turn=turn, superseded=False)
        assert live.filter(seat__wizard__kind=WizardKind.PRACTICE).count() == 1
        seal(duel, cast.ada, hands("-", "-"))
        turn.refresh_from_db()
        assert turn.stage == "resolved"


def test_practice_opponent_is_created_once_by_simultaneous_requests(transactional_db: None) -> None:
    adas = [make_wizard(name) for name in ("Ada", "Bram", "Cleo", "Dorn")]
    begin = [
        partial(practising.start_practice, wizard=each, ruleset="bartle-1", now=NOW)
        for each in adas
    ]
    run_simultaneously(*begin)
    assert Duel.objects.count() == 4
    assert Wizard.objects.filter(kind=WizardKind.PRACTICE).count() == 1


def test_double_click_begins_only_one_lesson(transactional_db: None) -> None:
    begin = partial(practising.start_lesson, wizard=make_guest(), lesson="first", now=NOW)
    answers = run_simultaneously(begin, begin, begin)
    assert len({duel.pk for duel in answers}) == 1
    assert Duel.objects.count() == 1


def test_guest_is_either_moved_to_an_account_or_deleted(cast: Cast) -> None:
    for number in range(4):
        guest = make_guest(str(number))
        duel = practising.start_lesson(wizard=guest, lesson="first", now=NOW)
        run_simultaneously(
            partial(claim_guest, guest=guest, wizard=cast.ada),
            partial(delete_guest, guest=guest, now=NOW),
            partial(claim_guest, guest=guest, wizard=cast.ada),
        )
        assert not Wizard.objects.filter(pk=guest.pk).exists()
        found = Duel.objects.filter(pk=duel.pk).first()
        if found is not None:
            assert Seat.objects.filter(duel=found, wizard=cast.ada).count() == 1
            assert found.challenger == cast.ada


def test_guest_who_starts_a_duel_is_either_deleted_completely_or_kept(cast: Cast) -> None:
    for number in range(4):
        guest = make_guest(str(number))
        Wizard.objects.filter(pk=guest.pk).update(kept_until=NOW)
        run_simultaneously(
            partial(practising.start_practice, wizard=guest, ruleset="bartle-1", now=LATER),
            partial(delete_expired_guests, now=LATER),
        )
        if Wizard.objects.filter(pk=guest.pk).exists():
            assert Seat.objects.filter(wizard=guest).count() == 1
        else:
            assert not Duel.objects.filter(challenger_id=guest.pk).exists()


def test_guest_who_accepts_an_invitation_is_either_seated_completely_or_deleted(
    cast: Cast,
) -> None:
    for number in range(4):
        guest = make_guest(str(number))
        duel = challenge(cast.bram, invitation=True)
        accept = partial(
            challenges.accept, duel_id=duel.pk, wizard=guest, token=duel.token or "", now=NOW
        )
        forget = partial(delete_guest, guest=guest, now=NOW)
        keep = partial(claim_guest, guest=guest, wizard=cast.ada)
        run_simultaneously(partial(ignore_rejection, accept), forget, keep)
        duel.refresh_from_db()
        seats = Seat.objects.filter(duel=duel).exclude(wizard=cast.bram)
        if duel.started_at is None:
            assert not seats.exists()
        else:
            (seat,) = seats.select_related("wizard")
            assert seat.wizard == cast.ada or seat.wizard.is_closed
        assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()


def test_turn_is_played_while_its_guest_signs_up(cast: Cast) -> None:
    """The opponent's seal locks the duel, so moving the guest's seat has to wait."""
    for number in range(4):
        guest = make_guest(str(number))
        duel = challenge(cast.bram, invitation=True)
        challenges.accept(duel_id=duel.pk, wizard=guest, token=duel.token or "", now=NOW)
        seal(duel, guest, hands("S", "-"))
        run_simultaneously(
            partial(seal, duel, cast.bram, hands("D", "-")),
            partial(claim_guest, guest=guest, wizard=cast.ada),
        )
        assert Seat.objects.filter(duel=duel, wizard=cast.ada).count() == 1
        assert not Wizard.objects.filter(pk=guest.pk).exists()


def ignore_rejection(call: Callable[[], object]) -> None:
    with suppress(errors.Refused):
        call()
