"""Tests of limits of open challenges: only wizards within them can accept; the page says why."""

from typing import Any

import pytest
from django.test import Client

from duels.commands import challenges
from duels.commands.guests import create_guest
from duels.errors import Refused
from duels.matching import limits
from duels.matching.models import ChallengeLimits
from duels.matching.play_now import accept_or_create_challenge
from duels.models import Duel, DuelStatus, Wizard
from tests.cast import NOW, Cast, signed_in
from tests.duels.matching.rated import rate

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

RATED_1400_TO_1700 = {"least_rating": 1400, "most_rating": 1700}


@pytest.fixture(autouse=True)
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make views use `NOW` as the current time."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def limited_challenge(by: Wizard, **terms: Any) -> Duel:
    """Create an open challenge with limits."""
    usual: dict[str, Any] = {
        "ruleset": "bartle-1",
        "size": 2,
        "pace": "none",
        "visibility": "public",
        "words": "",
        "opponent": None,
        "invitation": False,
        "open_to_guests": True,
        "least_rating": None,
        "most_rating": None,
        "least_reliability": None,
    }
    return limits.create_challenge(challenger=by, now=NOW, **usual | terms)


@pytest.mark.parametrize(
    ("rating", "reliability", "terms", "words"),
    [
        (1210, 1.0, RATED_1400_TO_1700, "rated 1400 to 1700 under Bartle; you are at 1210."),
        (1700.6, 1.0, RATED_1400_TO_1700, "you are at 1701."),
        (1399.6, 1.0, RATED_1400_TO_1700, ""),
        (1700.4, 1.0, RATED_1400_TO_1700, ""),
        (1399, 1.0, {"least_rating": 1400}, "rated 1400 or more"),
        (1401, 1.0, {"most_rating": 1400}, "rated 1400 or less"),
        (1500, 0.899, {"least_reliability": 90}, "you have played 89 % in time."),
        (1500, 0.9, {"least_reliability": 90}, ""),
        (None, None, RATED_1400_TO_1700 | {"least_reliability": 100}, ""),
        (None, None, {"least_rating": 1501}, "you are at 1500."),
    ],
)
def test_only_wizards_within_the_limits_can_accept_a_challenge(
    cast: Cast, rating: float | None, reliability: float, terms: dict[str, int], words: str
) -> None:
    """The list, the page and the command agree, and the page names the limit."""
    duel = limited_challenge(cast.ada, **terms)
    if rating is not None:
        rate(cast.bram, rating, reliability=reliability)
    rate(cast.bram, 1550, reliability=1, ruleset="warlocks-1")
    assert limits.open_challenge_list(cast.bram, NOW).found.exists() is not bool(words)
    page = " ".join(signed_in(cast.bram).get(f"/duels/{duel.pk}/").content.decode().split())
    assert words in page
    assert ('<button class="prime">Accept</button>' in page) is not bool(words)
    if words:
        with pytest.raises(Refused) as refused:
            challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW)
        assert refused.value.code == "outside_limits"
        assert words in refused.value.text
    else:
        assert challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=NOW).started_at


def test_guests_cannot_accept_a_challenge_with_limits(cast: Cast) -> None:
    duel, guest = (
        limited_challenge(cast.ada, least_rating=1400),
        create_guest(key="a" * 64, now=NOW),
    )
    assert not limits.open_challenge_list(guest, NOW).found.exists()
    with pytest.raises(Refused):
        challenges.accept(duel_id=duel.pk, wizard=guest, now=NOW)


def test_play_somebody_now_skips_challenges_whose_limits_exclude_the_wizard(cast: Cast) -> None:
    limited_challenge(cast.ada, least_rating=1600)
    assert accept_or_create_challenge(wizard=cast.bram, now=NOW).status == DuelStatus.GATHERING
    rate(cast.cleo, 1650)
    assert accept_or_create_challenge(wizard=cast.cleo, now=NOW).challenger == cast.ada


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"least_rating": "1700", "most_rating": "1400"}, "least_rating"),
        ({"least_rating": "1400", "to": "named", "opponent": "Bram"}, "least_rating"),
        ({"least_reliability": "101"}, "least_reliability"),
    ],
)
def test_challenge_form_rejects_impossible_limits(
    cast: Cast, typed: dict[str, str], field: str
) -> None:
    answer = _post_challenge(signed_in(cast.ada), typed)
    assert answer.context["form"].errors[field]
    assert not Duel.objects.exists()


def test_challenge_form_stores_limits_and_pages_show_them(cast: Cast) -> None:
    ada = signed_in(cast.ada)
    assert (
        _post_challenge(ada, {"least_rating": "1400", "least_reliability": "90"}).status_code == 302
    )
    duel = Duel.objects.get()
    assert not duel.open_to_guests
    for reader in (ada, Client()):
        page = " ".join(reader.get(f"/duels/{duel.pk}/").content.decode().split())
        assert "rated 1400 or more and with at least 90 % of their turns in time" in page


def test_challenge_without_limits_stores_no_row_of_limits(cast: Cast) -> None:
    assert _post_challenge(signed_in(cast.ada), {}).status_code == 302
    assert Duel.objects.get().open_to_guests
    assert not ChallengeLimits.objects.exists()


def _post_challenge(client: Client, typed: dict[str, str]) -> Any:
    terms = {"to": "open", "ruleset": "bartle-1", "size": "2", "pace": "none"}
    return client.post("/challenge/new", terms | {"visibility": "public"} | typed)
