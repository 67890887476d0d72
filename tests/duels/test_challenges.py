"""Challenges, from their creation to the first turn."""

from datetime import timedelta
from typing import Any

import pytest

from duels import errors
from duels.clocks.budget import Budget
from duels.commands import challenges, closing, endings, profiles
from duels.commands.challenges import MAX_OPEN_CHALLENGES
from duels.loaded import adjudication
from duels.models import Duel, DuelStatus, Seat, Wizard
from duels.post.models import Notice
from duels.queries import lists
from tests.cast import NOW, Cast, begin, challenge, count_missing_wizards, make_wizard, open_turn
from tests.duels import duel_rows

DAY = timedelta(days=1)


def rejection_code(call: Any, **arguments: Any) -> str:
    """Return the error code with which a command is rejected."""
    with pytest.raises(errors.Refused) as refused:
        call(**arguments)
    assert str(refused.value).endswith((".", "?"))
    return refused.value.code


def notified_wizards(kind: str) -> list[str]:
    return sorted(Notice.objects.filter(kind=kind).values_list("wizard__name", flat=True))


def test_challenge_to_a_wizard_notifies_that_wizard(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram, words="  Come if you dare. ", options=["strict"], pace="86400")
    assert duel.status == DuelStatus.GATHERING
    assert (duel.words, duel.options, duel.pace) == ("Come if you dare.", ["strict"], "86400")
    assert (duel.open, duel.token) == (False, None)
    assert duel.expires_at == NOW + 14 * DAY
    assert notified_wizards("challenged") == ["Bram"]
    assert [row.duel for row in duel_rows.challenges_for(bram)] == [duel]
    challenges = [duel_rows.challenges_for(wizard)[0].mine for wizard in (bram, ada)]
    assert [bool(seat and seat.accepted_at) for seat in challenges] == [False, True]
    assert duel_rows.open_challenges(bram, NOW) == ()


def test_duel_and_its_first_turn_start_when_the_last_wizard_accepts(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram)
    accepted = challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert (accepted.status, accepted.started_at) == (DuelStatus.RUNNING, NOW)
    turn = open_turn(duel)
    assert (turn.ordinal, turn.number, turn.kind, count_missing_wizards(turn)) == (
        1,
        1,
        "normal",
        2,
    )
    assert set(Seat.objects.values_list("place", flat=True)) == {0, 1}
    assert set(Seat.objects.values_list("awaited", "awaited_since")) == {(True, NOW)}
    assert notified_wizards("started") == ["Ada", "Bram"]
    assert len(accepted.seed_commitment) == 64
    assert accepted.seed_commitment not in accepted.seed


def test_accepting_a_challenge_again_has_no_effect(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram)
    for _ in range(2):
        duel = challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert duel.turns.count() == 1
    assert Notice.objects.count() == 3


def test_wizards_are_seated_at_random(ada: Wizard, bram: Wizard):
    first = set()
    for _ in range(30):
        duel = begin(ada, bram, seated=False)
        first.add(Seat.objects.get(duel=duel, place=0).wizard.name)
    assert first == {"Ada", "Bram"}


def test_open_challenge_is_listed_for_everyone_except_its_challenger(
    ada: Wizard, bram: Wizard, cleo: Wizard
):
    duel = challenge(ada)
    assert [row.duel for row in duel_rows.open_challenges(bram, NOW)] == [duel]
    assert [row.duel for row in duel_rows.open_challenges(None, NOW)] == [duel]
    assert duel_rows.open_challenges(ada, NOW) == ()
    challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert duel_rows.open_challenges(cleo, NOW) == ()
    assert rejection_code(challenges.accept, duel_id=duel.pk, wizard=cleo, now=NOW) == "has_started"


def test_invitation_can_only_be_accepted_with_its_token(ada: Wizard, bram: Wizard, dorn: Wizard):
    duel = challenge(ada, invitation=True)
    assert duel.token
    assert duel_rows.open_challenges(bram, NOW) == ()
    for token in ("", "wrong", "wröng"):
        code = rejection_code(challenges.accept, duel_id=duel.pk, wizard=dorn, now=NOW, token=token)
        assert code == "not_invited"
    assert lists.challenge_by_token(duel.token) == duel
    assert lists.challenge_by_token("") is None
    assert lists.visible_duel(duel.pk, bram) is None
    assert lists.visible_duel(duel.pk, bram, token=duel.token) == duel
    challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW, token=duel.token)
    assert open_turn(duel).ordinal == 1


def test_strangers_cannot_see_or_answer_a_challenge_to_a_wizard(cast: Cast):
    duel = challenge(cast.ada, cast.bram)
    for command in (challenges.accept, challenges.decline):
        assert rejection_code(command, duel_id=duel.pk, wizard=cast.dorn, now=NOW) == "not_invited"
    assert (
        rejection_code(challenges.leave, duel_id=duel.pk, wizard=cast.dorn, now=NOW) == "not_in_it"
    )
    code = rejection_code(challenges.withdraw, duel_id=duel.pk, wizard=cast.dorn, now=NOW)
    assert code == "not_your_challenge"
    assert (
        rejection_code(challenges.request_rematch, duel_id=duel.pk, wizard=cast.dorn, now=NOW)
        == "not_your_duel"
    )
    assert lists.visible_duel(duel.pk, cast.dorn) is None
    assert lists.visible_duel(duel.pk, cast.bram) == duel


def test_challenge_ends_when_its_only_opponent_declines(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram)
    declined = challenges.decline(duel_id=duel.pk, wizard=bram, now=NOW)
    assert (declined.status, declined.ended) == (DuelStatus.LAPSED, "declined")
    assert notified_wizards("declined") == ["Ada"]
    assert (
        rejection_code(challenges.decline, duel_id=duel.pk, wizard=bram, now=NOW) == "not_invited"
    )
    assert (
        rejection_code(challenges.accept, duel_id=duel.pk, wizard=bram, now=NOW)
        == "challenge_lapsed"
    )


def test_another_wizard_can_take_the_seat_of_one_who_declines(cast: Cast):
    duel = challenge(cast.ada, cast.bram, size=3)
    assert duel.open
    declined = challenges.decline(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert declined.status == DuelStatus.GATHERING
    for wizard in (cast.cleo, cast.dorn):
        challenges.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    assert count_missing_wizards(open_turn(duel)) == 3


def test_duel_of_three_starts_when_the_last_seat_is_taken(cast: Cast):
    duel = challenge(cast.ada, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert notified_wizards("accepted") == ["Ada"]
    assert not duel.turns.exists()
    challenges.leave(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert (
        rejection_code(challenges.leave, duel_id=duel.pk, wizard=cast.bram, now=NOW) == "not_in_it"
    )
    for wizard in (cast.cleo, cast.bram):
        challenges.accept(duel_id=duel.pk, wizard=wizard, now=NOW)
    assert count_missing_wizards(open_turn(duel)) == 3
    assert (
        rejection_code(challenges.leave, duel_id=duel.pk, wizard=cast.cleo, now=NOW)
        == "has_started"
    )
    assert (
        rejection_code(challenges.accept, duel_id=duel.pk, wizard=cast.dorn, now=NOW)
        == "has_started"
    )


def test_nobody_else_can_take_the_seat_kept_for_a_challenged_wizard(cast: Cast):
    """Cleo's seat is kept for her, because she was challenged by name and has not answered yet."""
    duel = challenge(cast.ada, cast.cleo, size=3)
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert (
        rejection_code(challenges.accept, duel_id=duel.pk, wizard=cast.dorn, now=NOW) == "no_place"
    )
    assert duel_rows.open_challenges(cast.dorn, NOW) == ()


def test_challenger_can_withdraw_until_the_duel_starts(ada: Wizard, bram: Wizard):
    duel = challenge(ada, bram)
    assert rejection_code(challenges.leave, duel_id=duel.pk, wizard=ada, now=NOW) == "own_challenge"
    for _ in range(2):
        withdrawn = challenges.withdraw(duel_id=duel.pk, wizard=ada, now=NOW)
        assert (withdrawn.status, withdrawn.ended) == (DuelStatus.LAPSED, "withdrawn")
    assert (
        rejection_code(challenges.accept, duel_id=duel.pk, wizard=bram, now=NOW)
        == "challenge_lapsed"
    )
    running = begin(ada, bram)
    assert (
        rejection_code(challenges.withdraw, duel_id=running.pk, wizard=ada, now=NOW)
        == "has_started"
    )


@pytest.mark.parametrize("kind", ["open", "named", "link"])
def test_challenge_expires_after_fourteen_days(ada: Wizard, bram: Wizard, kind: str):
    duel = challenge(ada, bram if kind == "named" else None, invitation=kind == "link")
    assert challenges.expire_challenges(
        now=NOW + 14 * DAY - timedelta(seconds=1), budget=Budget(60)
    ) == (0, 0)
    late = NOW + 14 * DAY
    arguments = {"duel_id": duel.pk, "wizard": bram, "now": late, "token": duel.token or ""}
    assert rejection_code(challenges.accept, **arguments) == "challenge_lapsed"
    assert duel_rows.open_challenges(bram, late) == ()
    assert challenges.expire_challenges(now=late, budget=Budget(60)) == (1, 0)
    assert challenges.expire_challenges(now=late, budget=Budget(60)) == (0, 0)
    duel.refresh_from_db()
    assert (duel.status, duel.ended, duel.ended_at) == (DuelStatus.LAPSED, "expired", late)


def test_running_duel_does_not_expire(ada: Wizard, bram: Wizard):
    begin(ada, bram)
    assert challenges.expire_challenges(now=NOW + 100 * DAY, budget=Budget(60)) == (0, 0)


@pytest.mark.parametrize(
    ("terms", "code", "field"),
    [
        ({"ruleset": "bartle-0"}, "unknown_ruleset", "ruleset"),
        ({"size": 1}, "wrong_size", "size"),
        ({"size": 9}, "wrong_size", "size"),
        ({"pace": "brisk"}, "unknown_pace", "pace"),
        ({"visibility": "some"}, "unknown_visibility", "visibility"),
        ({"words": "x" * 201}, "words_too_long", "words"),
        ({"options": ["sacrifice"]}, "no_such_option", "sacrifice"),
        ({"options": ["maladroit"]}, "no_such_option", "maladroit"),
        ({"ruleset": "warlocks-1", "options": ["strict"]}, "no_such_option", "strict"),
    ],
)
def test_challenge_with_unknown_terms_is_rejected(
    ada: Wizard, terms: dict[str, Any], code: str, field: str
):
    with pytest.raises(errors.Refused) as refused:
        challenge(ada, **terms)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert not Duel.objects.exists()


def test_challenging_yourself_or_a_closed_account_is_rejected(ada: Wizard, bram: Wizard):
    assert rejection_code(challenge, by=ada, opponent=ada) == "own_opponent"
    user = bram.user
    assert user
    closing.close_account(user=user, now=NOW)
    bram.refresh_from_db()
    assert rejection_code(challenge, by=ada, opponent=bram) == "opponent_gone"
    assert rejection_code(challenge, by=bram) == "account_closed"


def test_number_of_open_challenges_is_limited(ada: Wizard, bram: Wizard):
    for _ in range(MAX_OPEN_CHALLENGES):
        challenge(ada)
    assert rejection_code(challenge, by=ada) == "too_many_challenges"
    assert challenge(bram)


@pytest.mark.parametrize("blocker", ["ada", "bram"])
def test_challenges_are_rejected_between_wizards_if_one_blocks_the_other(cast: Cast, blocker: str):
    pair = (cast.ada, cast.bram) if blocker == "ada" else (cast.bram, cast.ada)
    profiles.block(wizard=pair[0], other=pair[1], now=NOW)
    assert rejection_code(challenge, by=cast.ada, opponent=cast.bram) == "blocked"
    duel = challenge(cast.ada)
    assert duel_rows.open_challenges(cast.bram, NOW) == ()
    assert len(duel_rows.open_challenges(cast.cleo, NOW)) == 1
    assert (
        rejection_code(challenges.accept, duel_id=duel.pk, wizard=cast.bram, now=NOW) == "blocked"
    )
    profiles.unblock(wizard=pair[0], other=pair[1])
    assert len(duel_rows.open_challenges(cast.bram, NOW)) == 1


def test_duel_has_the_sacrifice_option_of_its_challenge(ada: Wizard, bram: Wizard):
    """rules: R24"""
    duel = challenge(ada, bram, ruleset="wizards-1", options=["sacrifice"])
    assert duel.options == ["sacrifice"]
    started = challenges.accept(duel_id=duel.pk, wizard=bram, now=NOW)
    assert adjudication.position_after_departures(started.turns.get()).options == ("sacrifice",)


def test_rematch_is_a_challenge_to_the_same_wizards(ada: Wizard, bram: Wizard):
    duel = begin(ada, bram, visibility="private", strict=True)
    assert (
        rejection_code(challenges.request_rematch, duel_id=duel.pk, wizard=ada, now=NOW)
        == "not_over"
    )
    endings.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    again = challenges.request_rematch(duel_id=duel.pk, wizard=bram, now=NOW)
    assert again.rematch_of == duel
    assert (again.visibility, again.options, again.size) == ("private", ["strict"], 2)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=bram, now=NOW) == again
    assert again.status == DuelStatus.GATHERING
    started = challenges.request_rematch(duel_id=duel.pk, wizard=ada, now=NOW)
    assert (started, started.status) == (again, DuelStatus.RUNNING)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=ada, now=NOW) == again


def test_wizards_keep_their_seats_in_a_rematch(cast: Cast) -> None:
    """Seats and colours stay the same no matter which wizard asks for the rematch."""
    duel = begin(cast.cleo, cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    again = challenges.request_rematch(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    for wizard in (cast.ada, cast.cleo):
        again = challenges.accept(duel_id=again.pk, wizard=wizard, now=NOW)
    assert again.status == DuelStatus.RUNNING
    seats = again.seats.order_by("place").select_related("wizard")
    assert [seat.wizard for seat in seats] == [cast.cleo, cast.ada, cast.bram]


def test_rematch_of_three_ends_when_one_wizard_declines(cast: Cast):
    duel = begin(cast.ada, cast.bram, cast.cleo)
    for wizard in (cast.ada, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=NOW)
    again = challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert not again.open
    challenges.accept(duel_id=again.pk, wizard=cast.bram, now=NOW)
    again = challenges.decline(duel_id=again.pk, wizard=cast.cleo, now=NOW)
    assert again.status == DuelStatus.LAPSED


def test_duel_can_have_eight_wizards(cast: Cast):
    others = [make_wizard(f"Wizard {letter}") for letter in "abcdefg"]
    duel = begin(cast.ada, *others)
    assert count_missing_wizards(open_turn(duel)) == 8


def test_answering_an_unknown_challenge_is_rejected(ada: Wizard):
    for command in (challenges.accept, challenges.decline, challenges.leave, challenges.withdraw):
        assert rejection_code(command, duel_id=404, wizard=ada, now=NOW) == "no_such_duel"
