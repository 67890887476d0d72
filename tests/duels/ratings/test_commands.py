"""Ratings of finished duels: which duels count, undoing a rated duel, and recomputation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duels.commands import closing, endings
from duels.commands.duel_end import DuelEnd
from duels.commands.guests import create_guest
from duels.models import ActKind, Duel, DuelEnding, Outcome, Seat, Turn, Wizard
from duels.ratings.commands import rate_duel, recompute_ratings, restore_ratings
from duels.ratings.models import RatingChange, WizardRating
from tests import daily
from tests.cast import NOW, Cast, begin, hands, open_turn, play
from tests.duels.referees.acts.refereeing import make_referee, perform_act
from tests.duels.test_models import make_duel, make_seat, make_turn

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

IDLE, SURRENDER = hands("-", "-"), hands("P", "P")
RULESET = "bartle-1"


def play_rated_duel(*wizards: Wizard, turns: int = 2, **terms: Any) -> Duel:
    """Begin a rated duel and play this many turns."""
    duel = begin(*wizards, **{"rated": True} | terms)
    for _ in range(turns):
        play(duel, dict.fromkeys(wizards, IDLE))
    return duel


def resign_rated_duel(winner: Wizard, loser: Wizard, **terms: Any) -> Duel:
    return endings.resign(duel_id=play_rated_duel(winner, loser, **terms).pk, wizard=loser, now=NOW)


def kill_loser(duel: Duel, winner: Wizard, loser: Wizard) -> Duel:
    """Let the winner stab the loser, who has one hit point left."""
    turn = open_turn(duel)
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {winner: hands(">", "-"), loser: IDLE})
    return duel


def rating_change(duel: Duel, wizard: Wizard) -> RatingChange:
    return RatingChange.objects.get(duel=duel, wizard=wizard)


def rating_changes(duel: Duel) -> list[RatingChange]:
    return list(RatingChange.objects.filter(duel=duel).select_related("wizard"))


def test_killing_scores_a_full_point(cast: Cast) -> None:
    duel = kill_loser(play_rated_duel(cast.ada, cast.bram), cast.ada, cast.bram)
    ada, bram = rating_change(duel, cast.ada), rating_change(duel, cast.bram)
    assert (ada.actual, ada.result, ada.way, ada.place) == (1, "won", "kill", 1)
    assert (bram.actual, bram.result, bram.way, bram.place) == (0, "lost", "kill", 2)
    assert ada.expected == bram.expected == 0.5
    assert (ada.value_before, ada.deviation_before) == (1500, 350)
    assert ada.value - 1500 == pytest.approx(1500 - bram.value)
    assert ada.value > 1600
    assert ada.deviation < 350
    assert (ada.turns, ada.missed_turns) == (3, 0)
    assert (ada.opening, ada.spells) == ("-->/---", {})
    stored = WizardRating.objects.get(wizard=cast.ada)
    assert (stored.rating, stored.month_gain) == (ada.after, ada.value - 1500)


@pytest.mark.parametrize("is_gesture", [True, False])
def test_surrender_scores_a_tenth(cast: Cast, is_gesture: bool) -> None:
    duel = play_rated_duel(cast.ada, cast.bram)
    if is_gesture:
        play(duel, {cast.ada: IDLE, cast.bram: SURRENDER})
    else:
        endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert [rating_change(duel, wizard).actual for wizard in (cast.ada, cast.bram)] == [0.9, 0.1]
    assert rating_change(duel, cast.bram).way == "surrender"


def test_spells_that_a_wizard_casts_are_counted(cast: Cast) -> None:
    duel = play_rated_duel(cast.ada, cast.bram, turns=0)
    for letter in "PPP":
        play(duel, {cast.ada: hands(letter, "-"), cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    row = rating_change(duel, cast.ada)
    assert (row.opening, row.spells) == ("PPP/---", {"shield": 3})


def test_draw_scores_half(cast: Cast) -> None:
    duel = play_rated_duel(cast.ada, cast.bram)
    for wizard in (cast.ada, cast.bram):
        endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=NOW)
    assert {row.actual for row in RatingChange.objects.filter(duel=duel)} == {0.5}


def test_wizard_beats_everyone_who_left_a_larger_duel_earlier(cast: Cast) -> None:
    duel = play_rated_duel(cast.ada, cast.bram, cast.cleo, turns=2)
    endings.resign(duel_id=duel.pk, wizard=cast.cleo, now=NOW)
    play(duel, {cast.ada: IDLE, cast.bram: IDLE})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    found = {row.wizard.name: (row.place, round(row.actual, 3)) for row in rating_changes(duel)}
    assert found == {"Ada": (1, 1.8), "Bram": (2, 1.0), "Cleo": (3, 0.2)}


def guest_takes_part(cast: Cast) -> None:
    guest = create_guest(key="a" * 64, now=NOW)
    duel = play_rated_duel(cast.ada, cast.bram)
    Seat.objects.filter(duel=duel, wizard=cast.bram).update(wizard=guest)
    endings.resign(duel_id=duel.pk, wizard=guest, now=NOW)


def annul_rated_duel(cast: Cast) -> None:
    perform_act(ActKind.ANNUL, make_referee(), play_rated_duel(cast.ada, cast.bram))


@pytest.mark.parametrize(
    "end",
    [
        lambda cast: resign_rated_duel(cast.ada, cast.bram, rated=False),
        lambda cast: resign_rated_duel(cast.ada, cast.bram, visibility="private"),
        lambda cast: resign_rated_duel(cast.ada, cast.bram, turns=1),
        guest_takes_part,
        annul_rated_duel,
    ],
    ids=["friendly", "private", "before turn 3", "guest", "annulled"],
)
def test_friendly_private_short_annulled_and_guest_duels_are_not_rated(
    cast: Cast, end: Callable[[Cast], object]
) -> None:
    end(cast)
    assert Duel.objects.get().ended
    assert not RatingChange.objects.exists()


def test_annulment_and_rollback_undo_rating_changes(cast: Cast) -> None:
    for kind, fields in ((ActKind.ANNUL, {}), (ActKind.ROLL_BACK, {"turn": "1"})):
        duel = resign_rated_duel(cast.ada, cast.bram)
        assert WizardRating.objects.count() == 2
        perform_act(kind, make_referee(), duel, **fields)
        assert not RatingChange.objects.exists()
        assert not WizardRating.objects.exists()


def test_declared_result_replaces_the_result_for_ratings(cast: Cast) -> None:
    duel = resign_rated_duel(cast.ada, cast.bram)
    perform_act(ActKind.DECLARE, make_referee(), duel, result="w1")
    assert rating_change(duel, cast.bram).value > 1500 > rating_change(duel, cast.ada).value


def test_fourth_duel_of_two_wizards_within_thirty_days_counts_one_third(cast: Cast) -> None:
    duels = [resign_rated_duel(cast.ada, cast.bram) for _ in range(4)]
    weights = [rating_change(duel, cast.ada).weight for duel in duels]
    assert weights == [1, 1, 1, pytest.approx(1 / 3)]


def test_ratings_are_kept_when_an_account_is_closed(cast: Cast) -> None:
    duel = resign_rated_duel(cast.ada, cast.bram)
    assert cast.bram.user is not None
    closing.begin_closing(user=cast.bram.user, now=NOW)
    assert rating_change(duel, cast.bram).value < 1500


@dataclass(frozen=True)
class PastDuel:
    """A duel in a random history: its players by place, its length in days, and its outcome."""

    players: tuple[int, ...]
    days: int
    outcome: Outcome


def store_past_duel(past: PastDuel, wizards: Sequence[Wizard]) -> DuelEnd:
    """Store a finished duel without playing it. The last player has this outcome."""
    at = NOW + timedelta(days=past.days)
    players = [wizards[index] for index in past.players]
    ended: dict[str, Any] = {"status": "over", "ended": "rules", "ended_at": at, "result": "w0"}
    duel = make_duel(players[0], rated=True, started_at=NOW, **ended)
    make_turn(duel, number=5)
    seats = [
        make_seat(duel, wizard, place=place, outcome=past.outcome if place else Outcome.WON)
        for place, wizard in enumerate(players)
    ]
    position: Any = SimpleNamespace(wizards=[SimpleNamespace(id="w1", standing="dead")])
    return DuelEnd(duel, seats, position, DuelEnding.RULES, "w0", at)


def ratings_snapshot(exclude: int = 0) -> dict[str, Any]:
    """Return all ratings and rating changes, except those of the excluded duel."""
    keys = ("wizard", "value", "deviation", "volatility", "month", "month_gain", "reliability")
    changes = RatingChange.objects.exclude(duel=exclude).order_by("at", "duel", "wizard")
    fields = ("wizard", "at", "value_before", "value", "deviation", "expected", "weight")
    return {
        "ratings": list(WizardRating.objects.order_by("wizard").values(*keys, "ranked_until")),
        "changes": list(changes.values(*fields)),
    }


PAST_DUELS = st.builds(
    PastDuel,
    st.permutations(range(4)).map(lambda found: tuple(found[:2])),
    st.integers(0, 60),
    st.sampled_from([Outcome.RESIGNED, Outcome.FORFEITED, Outcome.LOST]),
)


@settings(
    max_examples=daily.examples(24),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(PAST_DUELS, min_size=1, max_size=8), st.data())
def test_undoing_a_duel_leaves_the_ratings_of_a_history_without_it(
    cast: Cast, pasts: list[PastDuel], data: st.DataObject
) -> None:
    """Duels are rated in any order, and one is undone. Recomputing everything changes nothing."""
    wizards = (cast.ada, cast.bram, cast.cleo, cast.dorn)
    for rows in (WizardRating, RatingChange, Seat, Turn, Duel):
        rows.objects.all().delete()
    ends = [store_past_duel(past, wizards) for past in pasts]
    left_out = data.draw(st.integers(0, len(ends) - 1))
    for end in ends[:left_out] + ends[left_out + 1 :]:
        rate_duel(end)
    without = ratings_snapshot()
    rate_duel(ends[left_out])
    restore_ratings(ends[left_out])
    assert ratings_snapshot() == without
    rate_duel(ends[left_out])
    whole = ratings_snapshot()
    recompute_ratings(RULESET)
    assert ratings_snapshot() == whole


def test_command_recomputes_the_same_ratings(cast: Cast) -> None:
    resign_rated_duel(cast.ada, cast.bram)
    resign_rated_duel(cast.bram, cast.cleo)
    before = ratings_snapshot()
    RatingChange.objects.update(value=0, deviation=1)
    call_command("recompute_ratings", verbosity=0)
    assert ratings_snapshot() == before
