"""Duels with a lost seed cannot resolve turns, but they can end. Promises 4 and 14

The records of such duels still verify, and say what cannot be checked.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.test import Client

from duels.commands import closing, endings, sweeping
from duels.errors import MissingKey, Refused
from duels.models import (
    AccountClosing,
    ActKind,
    Alarm,
    Duel,
    DuelEnding,
    DuelStatus,
    Outcome,
    Stage,
)
from duels.queries import stories
from duels.referees.acts import carrying_out
from engine.proof.verify import UNCHECKED_PARTS, UNCHECKED_WITHOUT_SEED, examine, verify
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, play, seal, signed_in
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")


@pytest.fixture
def duel_with_lost_seed(cast: Cast, settings: Any) -> Duel:
    """A duel with a draw in a played turn, whose seed is then lost, so that the next turn fails."""
    return lose_seed(cast, begin(cast.ada, cast.bram), settings)


def lose_seed(cast: Cast, duel: Duel, settings: Any) -> Duel:
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {cast.ada: hands(left, "-", **more), cast.bram: IDLE})
    play(duel, {cast.ada: IDLE, cast.bram: hands("W", "W")})  # Bram is confused, so dice are drawn
    settings.SEAL_KEYS = [Fernet.generate_key().decode(), *settings.SEAL_KEYS]
    seal(duel, cast.ada, hands("W", "P"))
    seal(duel, cast.bram, IDLE)
    drop_key_of_seed(duel)
    assert sweeping.sweep(now=NOW).failed == 1
    duel.refresh_from_db()
    return duel


SAVED_SEEDS: dict[int, str] = {}  # the encrypted seeds of duels before the loss


def drop_key_of_seed(duel: Duel) -> None:
    """Lose only the key of the seed. Everything else is encrypted with another, newer key."""
    duel.refresh_from_db()
    SAVED_SEEDS[duel.pk] = duel.seed
    gone = Fernet(Fernet.generate_key()).encrypt(b"00").decode()
    Duel.objects.filter(pk=duel.pk).update(seed=gone)


def end_by_resignation(cast: Cast, duel: Duel) -> None:
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)


def end_by_agreement(cast: Cast, duel: Duel) -> None:
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=LATER)


def end_by_annulment(cast: Cast, duel: Duel) -> None:
    perform_act(ActKind.ANNUL, make_referee(), duel)


def end_by_declared_result(cast: Cast, duel: Duel) -> None:
    perform_act(ActKind.DECLARE, make_referee(), duel, result="w0")


def end_by_removal(cast: Cast, duel: Duel) -> None:
    perform_act(ActKind.REMOVE, make_referee(), duel, seat="w1")


def end_by_closed_account(cast: Cast, duel: Duel) -> None:
    assert cast.ada.user is not None
    closing.close_account(user=cast.ada.user, now=LATER)
    assert not AccountClosing.objects.exists()
    cast.ada.refresh_from_db()
    assert cast.ada.is_closed


ENDINGS: dict[DuelEnding, Callable[[Cast, Duel], None]] = {
    DuelEnding.RESIGNED: end_by_resignation,
    DuelEnding.AGREED: end_by_agreement,
    DuelEnding.ANNULLED: end_by_annulment,
    DuelEnding.DECLARED: end_by_declared_result,
    DuelEnding.REMOVED: end_by_removal,
}


@pytest.mark.parametrize("how", ENDINGS)
def test_duel_with_a_lost_seed_can_end_and_its_page_reports_the_loss(
    cast: Cast, duel_with_lost_seed: Duel, how: DuelEnding
):
    ENDINGS[how](cast, duel_with_lost_seed)
    check_ended(duel_with_lost_seed, how)


def test_lost_seed_does_not_prevent_closing_an_account(cast: Cast, duel_with_lost_seed: Duel):
    end_by_closed_account(cast, duel_with_lost_seed)
    check_ended(duel_with_lost_seed, DuelEnding.RESIGNED)


def check_ended(duel: Duel, how: DuelEnding) -> None:
    """Check that the duel is over, and that its record and page report the lost seed."""
    duel.refresh_from_db()
    assert (duel.is_over, duel.ended) == (True, how)
    assert duel.status == (DuelStatus.ANNULLED if how == DuelEnding.ANNULLED else DuelStatus.OVER)
    assert not Alarm.objects.filter(ended_at=None).exists()
    record = json.loads(json.dumps(stories.record_of_finished_duel(duel)))
    assert (record["dice"]["seeds"][-1]["seed"], record["ended"]["seed_lost"]) == (None, True)
    assert any(turn["draws"] for turn in record["turns"])
    assert verify(record) == []
    found = examine(record)
    assert found.not_covered == (*UNCHECKED_PARTS, *UNCHECKED_WITHOUT_SEED)
    assert any("without the seed, which is lost" in line for line in found.lines)
    assert "by the seed" not in " ".join(found.lines)
    assert "Turn 4" in stories.transcript(duel)
    html = Client().get(f"/duels/{duel.pk}/").content.decode()
    assert "data-seed-lost" in html
    assert "data-stopped" not in html
    record["turns"][1]["closed_at"] = record["turns"][2]["opened_at"]
    record["turns"][0]["seals"][0]["source"] = "default"
    assert verify(record)[0].startswith("ended.chain: ")


def test_duel_of_three_with_a_lost_seed_can_end_in_a_draw(cast: Cast, settings: Any):
    three = (cast.ada, cast.bram, cast.cleo)
    duel = begin(*three)
    play(duel, dict.fromkeys(three, IDLE))
    drop_key_of_seed(duel)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=LATER)
    duel.refresh_from_db()
    assert not duel.is_over
    end_by_agreement(cast, duel)
    duel.refresh_from_db()
    assert duel.is_over
    assert verify(json.loads(json.dumps(stories.record_of_finished_duel(duel)))) == []


def test_wizard_can_resign_while_questions_are_open_despite_a_lost_seed(cast: Cast):
    """In spellcast, new questions are asked after a resignation, and this requires dice."""
    three = (cast.ada, cast.bram, cast.cleo)
    duel = begin(*three, ruleset="spellcast-1", strict=True)
    for letter in "SD":
        play(duel, {cast.ada: hands(letter, "-"), cast.bram: IDLE, cast.cleo: IDLE})
    turn = open_turn(duel)
    assert turn.stage == Stage.ANSWERS
    drop_key_of_seed(duel)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=LATER)
    turn.refresh_from_db()
    assert turn.resigned == ["w2"]
    assert [each["wizard"] for each in turn.questions] == ["w0"]


def test_duel_with_a_lost_seed_cannot_be_rolled_back(cast: Cast, duel_with_lost_seed: Duel):
    by, back = make_referee(), {"turn": "2"}
    with pytest.raises(MissingKey):
        carrying_out.plan_act(
            ActKind.ROLL_BACK, duel_id=duel_with_lost_seed.pk, by=by, now=LATER, fields=back
        )
    end_by_resignation(cast, duel_with_lost_seed)
    with pytest.raises(MissingKey):
        carrying_out.plan_act(
            ActKind.ROLL_BACK, duel_id=duel_with_lost_seed.pk, by=by, now=LATER, fields=back
        )
    Duel.objects.filter(pk=duel_with_lost_seed.pk).update(seed=SAVED_SEEDS[duel_with_lost_seed.pk])
    with pytest.raises(Refused) as refused:
        carrying_out.plan_act(
            ActKind.ROLL_BACK, duel_id=duel_with_lost_seed.pk, by=by, now=LATER, fields=back
        )
    assert refused.value.code == "seed_was_lost"


def test_record_contains_a_seed_that_is_recovered_after_the_end(
    cast: Cast, duel_with_lost_seed: Duel
):
    """The last link still has no salt. Everything else in the record can be checked."""
    end_by_resignation(cast, duel_with_lost_seed)
    Duel.objects.filter(pk=duel_with_lost_seed.pk).update(seed=SAVED_SEEDS[duel_with_lost_seed.pk])
    duel_with_lost_seed.refresh_from_db()
    record = json.loads(json.dumps(stories.record_of_finished_duel(duel_with_lost_seed)))
    assert record["dice"]["seeds"][-1]["seed"]
    assert record["ended"]["seed_lost"] is True
    assert verify(record) == []
    assert examine(record).not_covered == UNCHECKED_PARTS
    record["turns"][1]["chain"] = "ab" * 32
    assert verify(record)[0].startswith("turns[1].chain: ")


def test_result_can_be_changed_after_the_end_despite_a_lost_seed(
    cast: Cast, duel_with_lost_seed: Duel
):
    end_by_resignation(cast, duel_with_lost_seed)
    end_by_declared_result(cast, duel_with_lost_seed)
    duel_with_lost_seed.refresh_from_db()
    assert [each.outcome for each in duel_with_lost_seed.seats.all()] == [Outcome.WON, Outcome.LOST]
    check_ended(duel_with_lost_seed, DuelEnding.DECLARED)
    end_by_annulment(cast, duel_with_lost_seed)
    check_ended(duel_with_lost_seed, DuelEnding.ANNULLED)


def test_page_of_a_duel_with_a_lost_seed_explains_how_it_can_end(
    cast: Cast, duel_with_lost_seed: Duel
):
    html = signed_in(cast.ada).get(f"/duels/{duel_with_lost_seed.pk}/").content.decode()
    stopped = html[html.index("data-stopped") :].partition("</section>")[0]
    for words in ("resign", "draw", "annul"):
        assert words in stopped
    assert "resign" in Alarm.objects.get().words
