"""The duel of the day: how it is chosen, and the pages that show it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from duels.archive.commands import choose_daily_duel
from duels.archive.daily import Candidate, best_duel, recent_candidates
from duels.archive.models import ArchivedDuel, DailyDuel
from duels.caching.volatile import cache
from duels.commands import endings
from duels.loaded.database_clock import site_now
from duels.models import ActKind, Duel
from tests.cast import NOW, Cast, begin, hands, play
from tests.duels.ratings.test_commands import IDLE
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

DULL_CANDIDATE = Candidate(duel=1, turns=10, way="surrender")
GOOD_CANDIDATE = replace(
    DULL_CANDIDATE, way="kill", most_behind=6, health_left=2, ratings=(1733, 1701)
)


def test_strong_wizards_comebacks_and_narrow_results_are_preferred() -> None:
    best = best_duel(
        [
            DULL_CANDIDATE,
            replace(GOOD_CANDIDATE, duel=2),
            replace(GOOD_CANDIDATE, duel=3, most_behind=0),
        ]
    )
    assert best
    assert (best.duel, best.merit) == (2, 8)
    assert best.reason == (
        "Both wizards were rated 1700 or more; the winner had been 6 points of damage behind; "
        "the winner was 2 points of damage from death; it ended with a death on turn 10."
    )
    spells = replace(
        DULL_CANDIDATE, long_spells=("Delayed Effect", "Finger of Death"), most_behind=4
    )
    other = best_duel([spells])
    assert other
    assert "you can see Delayed Effect and Finger of Death" in other.reason


@pytest.mark.parametrize(
    "duel",
    [
        DULL_CANDIDATE,
        replace(DULL_CANDIDATE, ratings=(2100, 1400)),
        replace(GOOD_CANDIDATE, turns=7),
        replace(GOOD_CANDIDATE, way="time"),
        replace(GOOD_CANDIDATE, way="referee"),
    ],
)
def test_no_duel_is_chosen_if_none_is_good_enough(duel: Candidate) -> None:
    assert best_duel([duel]) is None
    assert best_duel([]) is None


def comeback(cast: Cast) -> Duel:
    """Let Bram stab Ada five times, then let Ada kill Bram."""
    duel = begin(cast.ada, cast.bram)
    for number in range(8):
        play(duel, {cast.ada: IDLE, cast.bram: hands(">" if number < 5 else "-", "-")})
    turn = duel.turns.latest("ordinal")
    turn.position["wizards"][1]["damage"] = 14
    turn.save(update_fields=["position"])
    play(duel, {cast.ada: hands(">", "-"), cast.bram: IDLE})
    duel.refresh_from_db()
    return duel


def chosen_duel(cast: Cast) -> Duel:
    duel = comeback(cast)
    now = site_now()
    ArchivedDuel.objects.filter(duel=duel).update(ended_at=now - timedelta(days=1))
    cache.clear()
    call_command("choose_daily_duel", verbosity=0)
    return duel


def test_candidate_is_read_from_the_archive(cast: Cast) -> None:
    duel = comeback(cast)
    assert list(recent_candidates(NOW)) == [
        Candidate(duel.pk, turns=9, way="kill", health_left=10, most_behind=5)
    ]
    assert list(recent_candidates(NOW + timedelta(days=4))) == []


def test_duel_that_cannot_be_compared_does_not_stop_the_choice(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    bad, good = comeback(cast), comeback(cast)
    Duel.objects.filter(pk=bad.pk).update(ruleset="of a later release")
    assert [each.duel for each in recent_candidates(NOW)] == [good.pk]
    assert f"Failed to compare archived duel {bad.pk}: " in caplog.text


def test_pages_show_the_duel_of_the_day_and_its_reason(cast: Cast) -> None:
    duel = chosen_duel(cast)
    assert DailyDuel.objects.get().archived_id == duel.pk
    assert choose_daily_duel(site_now()) == DailyDuel.objects.get(), "one each day"
    reader = Client()
    assert cast.ada.user
    reader.force_login(cast.ada.user)
    for client, path in ((Client(), "/"), (reader, "/"), (Client(), "/duels/?show=watch")):
        html = client.get(path).content.decode()
        assert "Duel of the day" in html
        assert "The winner had been" in html


def test_annulled_duel_is_no_longer_shown_or_chosen(cast: Cast) -> None:
    duel = chosen_duel(cast)
    perform_act(ActKind.ANNUL, make_referee(), duel)
    assert not DailyDuel.objects.exists()
    assert "Duel of the day" not in Client().get("/").content.decode()
    cache.clear()
    assert choose_daily_duel(site_now()) is None
    assert "Duel of the day" not in Client().get("/").content.decode()


def test_private_and_unfinished_duels_are_not_candidates(cast: Cast) -> None:
    private = begin(cast.ada, cast.bram, visibility="private")
    endings.resign(duel_id=private.pk, wizard=cast.ada, now=NOW)
    begin(cast.ada, cast.bram)
    assert list(recent_candidates(NOW)) == []
