"""Duels against the practice opponent, which seals as soon as a turn opens."""

import logging
import random
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

import engine.orders
import engine.play
from duels import errors
from duels.commands import (
    challenges,
    closing,
    endings,
    practising,
    profiles,
    sealing,
    sweeping,
)
from duels.lessons.first import FIRST_LESSON
from duels.loaded import adjudication
from duels.loaded.loading import load_turn
from duels.models import Duel, DuelStatus, Marker, Orders, Seat, Stage, Turn, Wizard, WizardKind
from duels.post.models import Notice
from duels.practice import play
from duels.proof import records
from duels.queries import lists, presence
from duels.queries.pages import duel_page
from duels.queries.practising import history_up_to
from engine.proof.verify import verify
from tests.cast import (
    LATER,
    NOW,
    Cast,
    begin,
    challenge,
    hands,
    make_wizard,
    open_turn,
    seal,
    signed_in,
)
from tests.duels import duel_rows
from tests.duels.visitors import Committed


@pytest.fixture(autouse=True)
def no_error_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that no error is logged: the opponent always finds orders, and nudges never fail."""
    yield
    assert [row for row in caplog.get_records("call") if row.levelno >= logging.ERROR] == []


@pytest.fixture(autouse=True)
def known_random_seed() -> Iterator[None]:
    with mock.patch.object(practising, "RANDOM", random.Random(4)):
        yield


def practice_duel(wizard: Wizard, committed: Committed, **terms: Any) -> Duel:
    with committed():
        duel = practising.start_practice(
            wizard=wizard, now=NOW, **({"ruleset": "bartle-1"} | terms)
        )
    return duel


def rival_seat(duel: Duel) -> Seat:
    return Seat.objects.get(duel=duel, wizard__kind=WizardKind.PRACTICE)


def orders_of_opponent_for(duel: Duel, wizard: Wizard, luck: random.Random) -> dict[str, str]:
    """Return the orders that the practice opponent would choose in the wizard's seat."""
    turn = open_turn(duel)
    mine = Seat.objects.get(duel=duel, wizard=wizard)
    turns = Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).order_by("ordinal")
    history = adjudication.history(turns, adjudication.position_after_departures(turn))
    return engine.orders.fields(play.choose_orders(history, mine.code, luck))


def play_to_the_end(duel: Duel, wizard: Wizard, committed: Committed, *, most: int = 60) -> int:
    """Play as the wizard until the duel is over, and return the number of turns."""
    luck = random.Random(2)
    for number in range(most):
        duel.refresh_from_db()
        if duel.is_over:
            return number
        turn = open_turn(duel)
        mine = Seat.objects.get(duel=duel, wizard=wizard)
        with committed():
            if turn.stage == Stage.ANSWERS:
                asked = adjudication.questions_to(turn, mine.code)
                given = {question.id: question.default for question in asked}
                sealing.answer_questions(
                    turn_id=turn.pk,
                    wizard=wizard,
                    answers=given,
                    batch=turn.batch,
                    form_seal="",
                    now=NOW,
                )
            else:
                fields = orders_of_opponent_for(duel, wizard, luck)
                seal(duel, wizard, fields)
    duel.refresh_from_db()
    return most


def test_practice_opponent_has_already_sealed_when_the_page_opens(
    ada: Wizard, committed: Committed
) -> None:
    duel = practice_duel(ada, committed)
    page = duel_page(duel, ada)
    (other,) = [row for row in page.seats if not row.you]
    assert other.sealed_at is not None
    assert page.waiting_for == ("Ada",)
    assert (duel.visibility, duel.status) == ("private", DuelStatus.RUNNING)


def test_turn_of_a_practice_duel_is_played_as_soon_as_the_player_seals(
    ada: Wizard, committed: Committed
):
    duel = practice_duel(ada, committed)
    first = open_turn(duel)
    with committed():
        seal(duel, ada, hands("S", "W"))
    first.refresh_from_db()
    assert first.stage == Stage.RESOLVED
    assert rival_seat(duel).awaited is False, "the opponent has sealed the next turn too"
    assert duel_page(duel, ada).waiting_for == ("Ada",)


@pytest.mark.parametrize(
    ("ruleset", "strict"),
    [
        ("bartle-1", False),
        *[
            pytest.param(ruleset, strict, marks=pytest.mark.nightly)
            for ruleset, strict in (
                ("bartle-1", True),
                ("spellcast-1", False),
                ("spellcast-1", True),
                ("wizards-1", False),
                ("archmage-1", False),
                ("warlocks-1", False),
            )
        ],
    ],
)
def test_practice_duel_ends_with_a_valid_record(
    ada: Wizard, committed: Committed, ruleset: str, strict: bool
) -> None:
    duel = practice_duel(ada, committed, ruleset=ruleset, options=["strict"] if strict else [])
    play_to_the_end(duel, ada, committed)
    if not duel.is_over:
        endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
        duel.refresh_from_db()
    assert duel.is_over
    assert Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).count() > 4
    assert verify(records.duel_record(duel)) == []
    assert not Turn.objects.filter(duel=duel).exclude(last_error="").exists()


def test_practice_opponent_plays_with_the_options_of_warlocks(
    ada: Wizard, committed: Committed
) -> None:
    """rules: W21, W23"""
    options = ["parafc", "maladroit"]
    duel = practice_duel(ada, committed, ruleset="warlocks-1", options=options)
    assert duel.options == options
    play_to_the_end(duel, ada, committed, most=12)
    assert Turn.objects.filter(duel=duel, stage=Stage.RESOLVED).count() > 4
    assert not Turn.objects.filter(duel=duel).exclude(last_error="").exists()


def test_practice_opponent_does_not_know_what_the_player_has_sealed(
    ada: Wizard, committed: Committed
) -> None:
    """The opponent's view does not depend on orders that Ada has already sealed."""
    seen = []
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    previous = ""
    for pair in ("WP", "SD", ">-"):
        previous = seal(duel, ada, hands(*pair), form_seal=previous).commitment
        turn = load_turn(open_turn(duel).pk)
        assert turn
        history = history_up_to(turn)
        seen.append(repr(engine.play.view(history, rival_seat(duel).code)))
        seen.append(repr(engine.play.dump(history.position)))
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3] == seen[5]


def test_sealed_orders_of_the_practice_opponent_are_hidden(ada: Wizard) -> None:
    """Promise 1 applies to the opponent too: its seals do not change what the page shows."""
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    practice_opponent = rival_seat(duel).wizard
    previous, pages = "", set()
    for pair in ("WP", "SD", "PP"):
        previous = seal(duel, practice_opponent, hands(*pair), form_seal=previous).commitment
        page = duel_page(duel, ada)
        pages.add(repr((page.view, page.reports, page.sheet, page.waiting_for)))
    assert len(pages) == 1


def test_practice_opponent_seals_a_turn_once_even_if_asked_twice(ada: Wizard) -> None:
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    turn = open_turn(duel)
    assert practising.play_opponent(turn_id=turn.pk, now=NOW)
    assert not practising.play_opponent(turn_id=turn.pk, now=NOW)
    assert Orders.objects.filter(turn=turn).count() == 1
    assert not practising.play_opponent(turn_id=turn.pk + 1, now=NOW)


def test_second_worker_does_not_replace_the_practice_opponents_seal(ada: Wizard) -> None:
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    turn = open_turn(duel)
    seat = rival_seat(duel)
    seal(duel, seat.wizard, hands("W", "W"))
    with mock.patch.object(practising, "_awaited_seat", return_value=seat):
        assert not practising.play_opponent(turn_id=turn.pk, now=NOW)
    (kept,) = Orders.objects.filter(turn=turn)
    assert not kept.superseded


def test_sweep_seals_for_the_practice_opponent_after_a_lost_message(ada: Wizard) -> None:
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    assert rival_seat(duel).awaited
    assert sweeping.sweep(now=LATER).practised == 1
    assert not rival_seat(duel).awaited
    assert sweeping.sweep(now=LATER).practised == 0


def test_practice_opponent_does_not_play_in_other_duels(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    assert not practising.play_opponent(turn_id=open_turn(duel).pk, now=NOW)
    assert sweeping.sweep(now=LATER).practised == 0


def test_practice_duels_do_not_create_notices(ada: Wizard, committed: Committed) -> None:
    duel = practice_duel(ada, committed)
    play_to_the_end(duel, ada, committed, most=3)
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    assert not Notice.objects.exists()


def test_practice_duels_do_not_affect_markers(ada: Wizard, committed: Committed) -> None:
    duel = practice_duel(ada, committed, ruleset="wizards-1")
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    duel.refresh_from_db()
    assert duel.is_over
    assert not Marker.objects.exists()
    assert duel_page(duel, ada).markers == ()
    assert verify(records.duel_record(duel)) == []


def test_practice_opponent_rejects_draws_challenges_and_rematches(
    ada: Wizard, committed: Committed
) -> None:
    duel = practice_duel(ada, committed)
    with pytest.raises(errors.Refused, match="never agrees to a draw"):
        endings.offer_draw(duel_id=duel.pk, wizard=ada, ordinal=None, now=NOW)
    practice_opponent = rival_seat(duel).wizard
    with pytest.raises(errors.Refused) as refused:
        challenges.create_challenge(
            challenger=ada,
            ruleset="bartle-1",
            size=2,
            pace="86400",
            visibility="public",
            words="",
            opponent=practice_opponent,
            invitation=False,
            now=NOW,
        )
    assert refused.value.code == "opponent_not_player"
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        challenges.request_rematch(duel_id=duel.pk, wizard=ada, now=NOW)
    assert refused.value.code == "opponent_not_player"


def test_number_of_unfinished_practice_duels_is_limited(ada: Wizard) -> None:
    for _ in range(practising.MAX_UNFINISHED_PRACTICE_DUELS):
        duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    with pytest.raises(errors.Refused) as refused:
        practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    assert refused.value.code == "too_many_practice"
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)


def test_practice_opponent_is_created_even_if_a_player_has_its_name(db: None) -> None:
    with mock.patch("duels.accounts.names.is_reserved", return_value=False):
        make_wizard("Old Quill")  # a player who took this name before it was reserved
    practice_opponent = practising.practice_wizard(NOW)
    assert practice_opponent.name == "Old Inkpot"
    assert practising.practice_wizard(LATER) == practice_opponent
    assert Wizard.objects.filter(kind=WizardKind.PRACTICE).count() == 1


def test_players_cannot_take_names_of_the_practice_opponent_or_guests(db: None) -> None:
    for name in ("Old Quill", "old  qui11", "Guest 4F2K"):
        with pytest.raises(errors.Refused) as refused:
            profiles.available_name(name)
        assert refused.value.code in ("name_reserved", "name_taken")


def test_practice_duels_are_hidden_from_other_users(cast: Cast, committed: Committed) -> None:
    duel = practice_duel(cast.ada, committed)
    assert lists.visible_duel(duel.pk, cast.dorn) is None
    assert lists.visible_duel(duel.pk, None) is None
    assert duel_rows.public_duels() == ()


def test_closing_an_account_deletes_its_practice_duels(cast: Cast, committed: Committed) -> None:
    duel = practice_duel(cast.ada, committed)
    real = begin(cast.ada, cast.bram)
    assert cast.ada.user is not None
    closing.close_account(user=cast.ada.user, now=NOW)
    assert not Duel.objects.filter(pk=duel.pk).exists()
    assert Duel.objects.filter(pk=real.pk).exists()


class PracticeOpponentError(Exception):
    """The practice opponent fails with an error while it decides."""


@pytest.mark.parametrize(
    ("thought", "told"),
    [
        ({"side_effect": PracticeOpponentError("secret")}, "PracticeOpponentError"),
        ({"return_value": engine.orders.from_fields(hands(">", ">"))}, "two_stabs"),
    ],
)
def test_practice_duel_continues_if_the_opponents_decision_fails(
    ada: Wizard, caplog: pytest.LogCaptureFixture, thought: dict[str, Any], told: str
) -> None:
    duel = practising.start_practice(wizard=ada, ruleset="bartle-1", now=NOW)
    with mock.patch("duels.practice.play.choose_orders", **thought):
        assert practising.play_opponent(turn_id=open_turn(duel).pk, now=NOW)
    assert not rival_seat(duel).awaited
    (row,) = [row for row in caplog.records if row.levelno >= logging.ERROR]
    assert told in row.getMessage()
    assert "secret" not in caplog.text
    caplog.clear()  # checked above


def test_practice_duels_are_listed_after_duels_against_players(
    cast: Cast, committed: Committed
) -> None:
    practised = practice_duel(cast.ada, committed)
    real = begin(cast.ada, cast.bram)
    rows = duel_rows.duels_awaiting(cast.ada, NOW)
    assert [row.duel.pk for row in rows] == [real.pk, practised.pk]
    assert presence.waiting_state(cast.ada)["waiting"] == 1, (
        "practice duels do not count as waiting"
    )


@pytest.mark.parametrize("path", ["/practice/", "/challenge/new", "/invite"])
def test_forms_preselect_the_rules_of_the_last_duel_that_the_player_created(
    cast: Cast, path: str
) -> None:
    """Challenges to people do not preselect the ruleset of a practice duel."""
    ada = signed_in(cast.ada)

    def preselected_ruleset() -> str:
        return str(ada.get(path).context["form"]["ruleset"].value())

    assert preselected_ruleset() == "bartle-1"
    challenge(cast.ada, ruleset="wizards-1")
    practising.start_lesson(wizard=cast.ada, lesson=FIRST_LESSON.slug, now=NOW)
    assert preselected_ruleset() == "wizards-1"
    practising.start_practice(wizard=cast.ada, ruleset="warlocks-1", now=NOW)
    assert preselected_ruleset() == ("warlocks-1" if path == "/practice/" else "wizards-1")


def test_page_of_a_finished_practice_duel_offers_a_duel_against_a_player(
    ada: Wizard, committed: Committed
) -> None:
    duel, client = practice_duel(ada, committed), signed_in(ada)
    offer = b'action="/somebody"'
    assert offer not in client.get(f"/duels/{duel.pk}/").content
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    assert offer in client.get(f"/duels/{duel.pk}/").content
