"""Counter-proposals, in which an invited wizard answers a challenge with other terms."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from duels.commands import challenges, endings, profiles
from duels.errors import Refused
from duels.models import Duel, DuelEnding, DuelStatus, Seat, Wizard
from duels.post.models import Notice
from tests.cast import NOW, Cast, begin, challenge, deliver, make_cast, signed_in
from tests.duels.test_races import ROUNDS, run_simultaneously

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make views use `NOW` as the current time."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def make_counter_proposal(duel: Duel, wizard: Wizard, **terms: Any) -> Duel:
    usual: dict[str, Any] = {"ruleset": "warlocks-1", "options": [], "pace": "none"}
    return challenges.make_counterproposal(duel_id=duel.pk, wizard=wizard, now=NOW, **usual | terms)


def page(wizard: Wizard, path: str) -> str:
    return " ".join(signed_in(wizard).get(path).content.decode().split())


def test_counter_proposal_replaces_the_challenge(cast: Cast) -> None:
    first = challenge(cast.ada, cast.bram, rated=True, excuses=3)
    second = make_counter_proposal(first, cast.bram, options=["parafc"], pace="86400")
    first.refresh_from_db()
    assert (first.status, first.ended) == (DuelStatus.LAPSED, DuelEnding.COUNTERED)
    assert (second.counter_to, second.challenger, second.open) == (first, cast.bram, False)
    assert (second.ruleset, second.options, second.pace) == ("warlocks-1", ["parafc"], "86400")
    assert (second.rated, second.excuses, second.visibility) == (True, 3, "public")
    with pytest.raises(Refused) as refused:
        challenges.accept(duel_id=first.pk, wizard=cast.bram, now=NOW)
    assert refused.value.code == "challenge_lapsed"
    assert challenges.accept(duel_id=second.pk, wizard=cast.ada, now=NOW).started_at


def test_repeated_counter_proposal_has_no_effect(cast: Cast) -> None:
    first = challenge(cast.ada, cast.bram)
    second = make_counter_proposal(first, cast.bram)
    assert make_counter_proposal(first, cast.bram, ruleset="wizards-1") == second
    assert Duel.objects.count() == 2


def test_challenger_can_decline_or_counter_a_counter_proposal(cast: Cast) -> None:
    second = make_counter_proposal(challenge(cast.ada, cast.bram), cast.bram)
    third = make_counter_proposal(second, cast.ada, pace="3600")
    assert (third.challenger, third.counter_to) == (cast.ada, second)
    assert (
        challenges.decline(duel_id=third.pk, wizard=cast.bram, now=NOW).ended == DuelEnding.DECLINED
    )


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"ruleset": "bartle-1"}, "same_terms"),
        ({"ruleset": "nonsense"}, "unknown_ruleset"),
        ({"pace": "7"}, "unknown_pace"),
        ({"options": ["sacrifice"]}, "no_such_option"),
    ],
)
def test_invalid_terms_leave_the_challenge_open(
    cast: Cast, terms: dict[str, Any], code: str
) -> None:
    duel = challenge(cast.ada, cast.bram)
    with pytest.raises(Refused) as refused:
        make_counter_proposal(duel, cast.bram, **terms)
    assert refused.value.code == code
    duel.refresh_from_db()
    assert duel.status == DuelStatus.GATHERING


def test_only_the_invited_wizard_can_counter(cast: Cast) -> None:
    named, of_three = challenge(cast.ada, cast.bram), challenge(cast.ada, cast.bram, size=3)
    opened, begun = challenge(cast.ada), begin(cast.ada, cast.bram)
    blocked = challenge(cast.cleo, cast.bram)
    profiles.block(wizard=cast.cleo, other=cast.bram, now=NOW)
    for duel, wizard, code in (
        (named, cast.ada, "not_invited"),
        (named, cast.dorn, "not_invited"),
        (of_three, cast.bram, "not_invited"),
        (opened, cast.bram, "not_invited"),
        (begun, cast.bram, "has_started"),
        (blocked, cast.bram, "challenge_lapsed"),
    ):
        with pytest.raises(Refused) as refused:
            make_counter_proposal(duel, wizard)
        assert refused.value.code == code


def test_counter_proposal_to_a_rematch_is_still_the_rematch(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    asked = challenges.request_rematch(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    second = make_counter_proposal(asked, cast.ada)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=cast.bram, now=NOW) == second
    second.refresh_from_db()
    assert second.status == DuelStatus.RUNNING


def test_page_says_that_only_duels_of_two_can_be_countered(cast: Cast) -> None:
    duel = challenge(cast.ada, cast.bram, size=3)
    assert "other terms only for a duel of two wizards" in page(cast.bram, f"/duels/{duel.pk}/")


def test_form_has_the_current_terms_and_the_challenger_sees_the_changes(cast: Cast) -> None:
    duel = challenge(cast.ada, cast.bram, ruleset="warlocks-1", options=["parafc"], pace="7200")
    path = f"/duels/{duel.pk}/counter"
    assert f'href="{path}"' in page(cast.bram, f"/duels/{duel.pk}/")
    assert f'href="{path}"' not in page(cast.ada, f"/duels/{duel.pk}/")
    bram = signed_in(cast.bram)
    form = bram.get(path).context["form"]
    assert {name: form[name].value() for name in ("ruleset", "parafc", "maladroit")} == {
        "ruleset": "warlocks-1",
        "parafc": True,
        "maladroit": None,
    }
    assert (form["pace"].value(), form["pace_number"].value()) == ("turn", 2)
    assert form["pace_unit"].value() == "hours"
    typed = {"ruleset": "warlocks-1", "parafc": "on", "pace": "turn", "pace_number": "2"}
    same = bram.post(path, typed | {"pace_unit": "hours"})
    assert "These are the terms of the challenge." in same.content.decode()
    answer = bram.post(path, typed | {"pace_unit": "days"})
    second = Duel.objects.get(counter_to=duel)
    assert answer["Location"] == f"/duels/{second.pk}/"
    changes = "Pace: <strong>two days for each turn</strong> instead of two hours for each turn"
    shown = page(cast.ada, f"/duels/{second.pk}/")
    assert "Bram answers your challenge with other terms:" in shown
    assert changes in shown
    assert "Rules: <strong>" not in shown
    assert f'href="/duels/{second.pk}/"' in page(cast.ada, f"/duels/{duel.pk}/")
    assert bram.get(path)["Location"] == f"/duels/{duel.pk}/"


@pytest.mark.parametrize("pace", ["none", "daily 21:00 Europe/Dublin", "5400"])
def test_form_keeps_every_kind_of_pace(cast: Cast, pace: str) -> None:
    duel = challenge(cast.ada, cast.bram, pace=pace)
    bram = signed_in(cast.bram)
    form = bram.get(f"/duels/{duel.pk}/counter").context["form"]
    typed = {name: form[name].value() for name in form.fields if form[name].value()}
    bram.post(f"/duels/{duel.pk}/counter", typed | {"ruleset": "wizards-1"})
    assert Duel.objects.get(counter_to=duel).pace == pace


def test_email_lists_the_changed_terms(cast: Cast) -> None:
    duel = challenge(cast.ada, cast.bram)
    Notice.objects.all().delete()
    make_counter_proposal(duel, cast.bram)
    deliver(now=timezone.now())
    (message,) = mail.outbox
    assert message.subject == "Bram proposes other terms"
    assert "Rules: Warlocks instead of Bartle" in message.body


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_accepting_and_countering_simultaneously_starts_at_most_one_duel() -> None:
    cast = make_cast()
    for _ in range(ROUNDS):
        duel = challenge(cast.ada, cast.bram)
        answers: list[Callable[[], Any]] = [
            partial(challenges.accept, duel_id=duel.pk, wizard=cast.bram, now=NOW),
            partial(make_counter_proposal, duel, cast.bram),
            partial(make_counter_proposal, duel, cast.bram, ruleset="wizards-1"),
        ]
        run_simultaneously(*answers)
        duel.refresh_from_db()
        counters = Duel.objects.filter(counter_to=duel, status=DuelStatus.GATHERING).count()
        assert (duel.status, counters) in {(DuelStatus.RUNNING, 0), (DuelStatus.LAPSED, 1)}
        assert Seat.objects.filter(duel=duel, place__isnull=False).count() in {0, 2}
        Duel.objects.filter(counter_to=duel).update(counter_to=None)
