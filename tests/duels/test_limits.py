"""Limits on numbers and rates. A request beyond a limit gets an error page with the input."""

from typing import Any

import pytest
from django.test import Client

from duels import errors
from duels.commands import challenges, endings, practising, sealing
from duels.models import Orders, Wizard, WizardKind
from tests.cast import NOW, Cast, begin, challenge, hands, open_turn, seal, signed_in

pytestmark = pytest.mark.django_db

CHALLENGE_FORM = {
    "to": "open",
    "ruleset": "bartle-1",
    "size": "2",
    "pace": "none",
    "visibility": "public",
}


def set_rate_limits(settings: Any, **rates: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | rates


def test_sealing_is_rate_limited_and_keeps_the_orders(cast: Cast, settings: Any):
    set_rate_limits(settings, seal="2/m/key")
    duel = begin(cast.ada, cast.bram)
    turn = open_turn(duel)
    client = signed_in(cast.ada)
    answers = []
    for say in ("one", "two", "three words to keep"):
        sealed = Orders.objects.filter(turn=turn, superseded=False).first()
        form = hands("W", "P", say=say, turn=str(turn.ordinal), do="seal", seen="")
        answers.append(
            client.post(
                f"/duels/{duel.pk}/orders",
                form | {"form_seal": sealed.commitment if sealed else ""},
            )
        )
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    page = answers[-1].content.decode()
    assert "Wait a minute" in page
    assert "three words to keep" in page
    assert Orders.objects.count() == 2
    other = signed_in(cast.bram)
    form = hands("W", "P", turn=str(turn.ordinal), do="seal", form_seal="")
    assert other.post(f"/duels/{duel.pk}/orders", form).status_code == 302, (
        "each wizard has their own limit"
    )


def test_number_of_seals_in_a_turn_is_limited(cast: Cast, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sealing, "MAX_SEALS_PER_TURN", 2)
    duel = begin(cast.ada, cast.bram)
    first = seal(duel, cast.ada, hands("W", "P"))
    second = seal(duel, cast.ada, hands("W", "F"), form_seal=first.commitment)
    with pytest.raises(errors.Refused) as refused:
        seal(duel, cast.ada, hands("W", "S"), form_seal=second.commitment)
    assert refused.value.code == "too_many_seals"
    again = seal(duel, cast.ada, hands("W", "F"), form_seal=second.commitment)
    assert again == second, "identical orders are not a new seal"


def test_number_of_duels_per_wizard_is_limited(cast: Cast, settings: Any):
    settings.MOST_DUELS_AT_ONCE = 2
    duel = begin(cast.ada, cast.bram)
    challenge(cast.ada)
    with pytest.raises(errors.Refused) as refused:
        challenge(cast.ada)
    assert refused.value.code == "too_many_duels"
    theirs = challenge(cast.bram, cast.ada)
    with pytest.raises(errors.Refused) as refused:
        challenges.accept(duel_id=theirs.pk, wizard=cast.ada, now=NOW)
    assert refused.value.code == "too_many_duels"
    practising.start_lesson(wizard=cast.ada, lesson="first", now=NOW)

    client = signed_in(cast.ada)
    answer = client.post("/challenge/new", CHALLENGE_FORM | {"words": "Who dares?"})
    assert answer.status_code == 429
    assert "which is the maximum" in answer.content.decode()
    assert "Who dares?" in answer.content.decode()
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert client.post("/challenge/new", CHALLENGE_FORM).status_code == 302


def test_challenging_is_rate_limited_and_keeps_the_form_input(cast: Cast, settings: Any):
    set_rate_limits(settings, challenge="1/h/key")
    client = signed_in(cast.ada)
    assert client.post("/challenge/new", CHALLENGE_FORM).status_code == 302
    answer = client.post("/challenge/new", CHALLENGE_FORM | {"words": "Who dares?"})
    assert answer.status_code == 429
    assert "Wait a minute" in answer.content.decode()
    assert "Who dares?" in answer.content.decode()


def test_number_of_guests_is_limited_by_network(settings: Any):
    """IPv6 addresses are counted by /64 network, because one host can use a whole network."""
    set_rate_limits(settings, guest="2/h/ip")
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def play_from_address(address: str) -> int:
        return Client().post("/play", headers={"X-Forwarded-For": address}).status_code

    same = [play_from_address(f"2001:db8:1:2:{number}::9") for number in range(3)]
    assert same == [302, 302, 429]
    assert play_from_address("2001:db8:1:3::9") == 302
    assert play_from_address("198.51.100.7") == 302
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 4


def test_practice_is_limited_by_network_and_keeps_the_form_input(cast: Cast, settings: Any):
    set_rate_limits(settings, practice="1/h/ip")
    assert signed_in(cast.ada).post("/practice/", {"ruleset": "bartle-1"}).status_code == 302
    answer = signed_in(cast.bram).post("/practice/", {"ruleset": "wizards-1", "strict": "on"})
    assert answer.status_code == 429
    assert answer.context["form"]["strict"].value()
    assert "Wait a minute" in answer.content.decode()
