"""Wizards who are open to duels: each is paired at most once, or sees why there is no opponent."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from zipfile import ZipFile

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

import engine.play
from duels.commands import challenges, endings, profiles, vacations
from duels.commands.closing import begin_closing
from duels.commands.guests import create_guest
from duels.errors import Refused
from duels.matching import availability, queries
from duels.matching.models import Availability, ChallengeLimits
from duels.models import Duel, DuelStatus, Wizard
from duels.screens.account.export import data_archive
from duels.screens.opponents.context import status_words
from tests.cast import NOW, Cast, begin, challenge, deliver, make_cast, make_wizard, signed_in
from tests.duels.matching.rated import rate
from tests.duels.test_races import ROUNDS, run_simultaneously

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

THREE_DAYS, AN_HOUR = "259200", "3600"
LATER = NOW + timedelta(hours=1)


def become_open(wizard: Wizard, **terms: Any) -> None:
    usual: dict[str, Any] = {
        "rulesets": ["bartle-1"],
        "paces": [THREE_DAYS],
        "rated": "either",
        "most_duels": 3,
        "now": NOW,
    }
    availability.become_open(wizard=wizard, **usual | terms)


def open_without_pairing(wizard: Wizard, most_duels: int) -> None:
    """Make the wizard open to duels, without starting the task that pairs wizards."""
    terms = {"rulesets": ["bartle-1"], "paces": [THREE_DAYS], "rated": "either", "since": NOW}
    Availability.objects.update_or_create(
        wizard=wizard, defaults={"most_duels": most_duels, **terms}
    )


def pair_waiting_wizards() -> list[set[str]]:
    """Pair the waiting wizards, and return the names of the players in the new duels."""
    before = set(Duel.objects.values_list("pk", flat=True))
    availability.pair_wizards(now=NOW)
    new = Duel.objects.exclude(pk__in=before).order_by("pk")
    assert all(duel.status == DuelStatus.RUNNING and duel.paired for duel in new)
    return [set(duel.seats.values_list("wizard__name", flat=True)) for duel in new]


def status_text(wizard: Wizard) -> str:
    return status_words(wizard, Availability.objects.get(wizard=wizard), NOW)


def test_wizards_are_paired_on_terms_that_suit_both(cast: Cast) -> None:
    become_open(cast.ada, rulesets=["bartle-1", "warlocks-1"], rated="friendly")
    become_open(cast.bram, rulesets=["warlocks-1"], paces=[AN_HOUR, THREE_DAYS])
    assert pair_waiting_wizards() == [{"Ada", "Bram"}]
    duel = Duel.objects.get()
    terms = (duel.ruleset, duel.pace, duel.rated, duel.visibility, duel.size)
    assert terms == ("warlocks-1", THREE_DAYS, False, "public", 2)
    assert pair_waiting_wizards() == [], "the two are already in a duel"


def test_ratings_decide_who_is_paired(cast: Cast) -> None:
    for wizard, rating in ((cast.ada, 1500), (cast.bram, 1650), (cast.cleo, 1640)):
        rate(wizard, rating)
        become_open(wizard)
    assert pair_waiting_wizards() == [{"Bram", "Cleo"}]
    assert Availability.objects.get(wizard=cast.ada).since == NOW


def test_wizards_after_their_first_duel_are_paired_although_their_ratings_differ(
    cast: Cast,
) -> None:
    for wizard, rating in ((cast.ada, 1630), (cast.bram, 1370)):
        rate(wizard, rating, deviation=290)
        become_open(wizard)
    assert pair_waiting_wizards() == [{"Ada", "Bram"}]


@pytest.mark.parametrize("first_blocks", [True, False])
def test_wizards_are_not_paired_across_blocks(cast: Cast, first_blocks: bool) -> None:
    """The page does not reveal the block, because it counts only other wizards."""
    both = (cast.ada, cast.bram) if first_blocks else (cast.bram, cast.ada)
    profiles.block(wizard=both[0], other=both[1], now=NOW)
    become_open(cast.ada)
    become_open(cast.bram)
    assert pair_waiting_wizards() == []
    assert (
        status_text(cast.ada) == status_text(cast.bram) == "Nobody else is open to duels right now."
    )


def test_suspended_wizards_closed_accounts_and_absent_wizards_are_not_paired(cast: Cast) -> None:
    dana = make_wizard("Dana")
    for wizard in (cast.ada, cast.bram, cast.cleo, dana):
        become_open(wizard)
    Wizard.objects.filter(pk=cast.bram.pk).update(suspended_at=NOW, suspended_for="Spam")
    vacations.start_vacation(wizard=cast.cleo, until=NOW + timedelta(days=3), now=NOW)
    assert dana.user is not None
    begin_closing(user=dana.user, now=NOW)
    assert pair_waiting_wizards() == []
    assert not Availability.objects.filter(wizard=dana).exists()
    cast.bram.refresh_from_db()
    cast.cleo.refresh_from_db()
    assert "A referee has suspended you" in status_text(cast.bram)
    assert "You are on vacation." in status_text(cast.cleo)


def test_wizard_is_not_paired_beyond_their_maximum_number_of_duels(cast: Cast) -> None:
    become_open(cast.ada, most_duels=1)
    become_open(cast.bram)
    other = begin(cast.ada, cast.dorn)
    assert pair_waiting_wizards() == []
    assert status_text(cast.ada).startswith("You are in one duel, the maximum that you chose.")
    endings.resign(duel_id=other.pk, wizard=cast.ada, now=NOW)
    assert pair_waiting_wizards() == [{"Ada", "Bram"}]


def test_same_wizards_are_paired_again_only_if_nobody_else_is_waiting(cast: Cast) -> None:
    become_open(cast.ada)
    become_open(cast.bram)
    assert pair_waiting_wizards() == [{"Ada", "Bram"}]
    endings.resign(duel_id=Duel.objects.get().pk, wizard=cast.ada, now=NOW)
    become_open(cast.cleo)
    rate(cast.cleo, 1600)
    assert pair_waiting_wizards() == [{"Ada", "Cleo"}]
    availability.stop(wizard=cast.cleo)
    assert pair_waiting_wizards() == [{"Ada", "Bram"}]


def test_wizard_who_stops_waiting_is_not_paired(cast: Cast) -> None:
    become_open(cast.ada)
    become_open(cast.bram)
    availability.stop(wizard=cast.ada)
    availability.stop(wizard=cast.ada)
    assert pair_waiting_wizards() == []


def test_remaining_wizards_are_paired_if_one_cannot_begin_a_duel(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duels.commands.challenges.MAX_OPEN_CHALLENGES", 1)
    challenge(cast.ada)
    for wizard in (cast.ada, cast.bram, cast.cleo, cast.dorn):
        become_open(wizard)
    assert pair_waiting_wizards() == [{"Cleo", "Dorn"}]


def test_opponent_of_a_wizard_who_cannot_begin_a_duel_is_paired_again(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duels.commands.challenges.MAX_OPEN_CHALLENGES", 1)
    challenge(cast.ada)
    for wizard in (cast.ada, cast.bram, cast.cleo):
        become_open(wizard)
    assert pair_waiting_wizards() == [{"Bram", "Cleo"}]


def test_error_in_one_pair_is_logged_and_does_not_stop_the_round(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begin_duel = challenges.begin_paired_duel

    def fail_for_ada(*, first: Wizard, **terms: Any) -> Duel:
        duel = begin_duel(first=first, **terms)
        assert first != cast.ada, "a bad row"
        return duel

    monkeypatch.setattr(challenges, "begin_paired_duel", fail_for_ada)
    for wizard in (cast.ada, cast.bram, cast.cleo, cast.dorn):
        become_open(wizard)
    assert pair_waiting_wizards() == [{"Cleo", "Dorn"}]
    assert f"Failed to pair wizards {cast.ada.pk} and {cast.bram.pk}: " in caplog.text


def test_changing_choices_does_not_restart_the_wait(cast: Cast) -> None:
    become_open(cast.ada)
    become_open(cast.ada, rulesets=["warlocks-1"], now=LATER)
    row = Availability.objects.get()
    assert (row.since, row.rulesets) == (NOW, ["warlocks-1"])


def test_guests_cannot_be_open_to_duels(cast: Cast) -> None:
    with pytest.raises(Refused) as refused:
        become_open(create_guest(key="a" * 64, now=NOW))
    assert refused.value.code == "players_only"


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"rulesets": ["nonsense"]}, "rulesets"),
        ({"paces": ["60"]}, "paces"),
        ({"rated": "maybe"}, "rated"),
        ({"most_duels": 11}, "most_duels"),
    ],
)
def test_invalid_choices_are_rejected(cast: Cast, terms: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        become_open(cast.ada, **terms)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ([], "Nobody else is open to duels right now."),
        (
            [{"rulesets": ["spellcast-1"]}],
            "One wizard is open to duels, but only under the rules of Spellcast.",
        ),
        (
            [{"paces": [AN_HOUR]}, {"paces": [AN_HOUR]}],
            "Two wizards are open to Warlocks duels, but both want a different pace: "
            "an hour for each turn.",
        ),
        (
            [{"rated": "friendly"}],
            "One wizard is open to Warlocks duels, but wants only friendly duels.",
        ),
    ],
)
def test_page_says_why_there_is_no_opponent(
    cast: Cast, others: list[dict[str, Any]], words: str
) -> None:
    become_open(cast.ada, rulesets=["warlocks-1"], rated="rated")
    for wizard, terms in zip((cast.bram, cast.cleo), others, strict=False):
        become_open(wizard, **{"rulesets": ["warlocks-1"], **terms})
    assert status_text(cast.ada) == words


def test_page_says_if_ratings_are_too_far_apart(cast: Cast) -> None:
    rate(cast.ada, 1900)
    rate(cast.bram, 1500)
    become_open(cast.ada)
    become_open(cast.bram)
    assert "but your ratings are too far apart." in status_text(cast.ada)


def test_wizard_who_becomes_open_is_paired_at_once_and_both_are_notified(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    """The form, the home page and the stop button work without scripts."""
    become_open(cast.bram)
    ada = signed_in(cast.ada)
    form = {"rulesets": ["bartle-1"], "paces": [THREE_DAYS], "rated": "either", "most_duels": "1"}
    with django_capture_on_commit_callbacks(execute=True):
        answer = ada.post("/open-to-duels/", form)
    assert answer["Location"] == "/open-to-duels/"
    duel = Duel.objects.get()
    assert duel.status == DuelStatus.RUNNING
    page = ada.get("/open-to-duels/").content.decode()
    assert "Bram was found for you" in page
    assert "Your duel has begun: Bartle, three days for each turn, rated." in page
    button = f'<a class="button prime" href="/duels/{duel.pk}/">Play against Bram</a>'
    assert page.count(button) == 1
    assert "the maximum that you chose" in page
    assert 'action="/open-to-duels/stop"' in ada.get("/").content.decode()
    deliver(now=timezone.now())
    assert {each.subject for each in mail.outbox} == {
        "Your duel with Ada begins: turn 1",
        "Your duel with Bram begins: turn 1",
    }
    found = "The site paired you, because you are both open to duels."
    assert all(found in " ".join(str(each.body).split()) for each in mail.outbox)
    ada.post("/open-to-duels/stop")
    assert list(Availability.objects.values_list("wizard__name", flat=True)) == ["Bram"]
    assert 'action="/open-to-duels/stop"' not in ada.get("/").content.decode()


def test_form_explains_rulesets_paces_and_ratings(cast: Cast) -> None:
    page = signed_in(cast.ada).get("/open-to-duels/").content.decode()
    for ruleset in engine.play.RULESETS.values():
        assert f"<strong>{ruleset.name}.</strong> {escape(ruleset.description)}" in page
    assert "“No hurry” means that turns have no deadline." in page
    assert "A rated duel changes your ratings, a friendly duel does not." in page


@pytest.mark.parametrize(
    ("terms", "wanted", "is_offered"),
    [
        ({}, {}, True),
        ({"rated": False}, {"rated": "friendly"}, True),
        ({"rated": True}, {"rated": "friendly"}, False),
        ({"pace": AN_HOUR}, {}, False),
        ({"ruleset": "warlocks-1"}, {}, False),
        ({"size": 3}, {}, False),
    ],
)
def test_page_offers_an_open_challenge_on_the_chosen_terms(
    cast: Cast, terms: dict[str, Any], wanted: dict[str, Any], is_offered: bool
) -> None:
    made = challenge(cast.bram, **{"pace": THREE_DAYS, "now": timezone.now(), **terms})
    become_open(cast.ada, **wanted)
    ada = signed_in(cast.ada)
    assert ("Bram’s open challenge" in ada.get("/open-to-duels/").content.decode()) == is_offered
    if is_offered:
        ada.post(f"/duels/{made.pk}/accept")
        made.refresh_from_db()
        assert made.status == DuelStatus.RUNNING


def test_page_offers_no_challenge_across_a_block_or_outside_its_limits(cast: Cast) -> None:
    rate(cast.ada, 1700)
    become_open(cast.ada)
    made = challenge(cast.bram, pace=THREE_DAYS, now=timezone.now())
    ada = signed_in(cast.ada)
    assert ada.get("/open-to-duels/").context["challenge"] == made
    limits = ChallengeLimits.objects.create(duel=made, most_rating=1600)
    assert ada.get("/open-to-duels/").context["challenge"] is None
    limits.delete()
    profiles.block(wizard=cast.bram, other=cast.ada, now=NOW)
    assert ada.get("/open-to-duels/").context["challenge"] is None


def test_page_contains_the_state_that_its_polls_compare(cast: Cast) -> None:
    """Therefore the first poll also reports a duel that began before it."""
    become_open(cast.ada)
    ada = signed_in(cast.ada)
    page = ada.get("/open-to-duels/")
    shown = json.loads(page.context["presence"])
    assert f'data-live data-state="{escape(page.context["presence"])}"' in page.content.decode()
    polled = ada.get("/waiting").json()
    assert shown == {name: polled[name] for name in ("waiting", "clocks")}
    become_open(cast.bram)
    pair_waiting_wizards()
    assert ada.get("/waiting").json()["waiting"] == shown["waiting"] + 1


def test_page_requires_an_account_and_the_form_at_least_one_choice(cast: Cast) -> None:
    assert Client().get("/open-to-duels/").status_code == 302
    answer = signed_in(cast.ada).post("/open-to-duels/", {"rated": "either", "most_duels": "1"})
    assert answer.status_code == 400
    assert set(answer.context["form"].errors) == {"rulesets", "paces"}


def test_exported_data_include_the_duels_that_the_wizard_is_open_to(cast: Cast) -> None:
    become_open(cast.ada)
    assert cast.ada.user is not None
    with data_archive(cast.ada.user) as file, ZipFile(file) as packed:
        stored = json.loads(packed.read("wizard.json"))["open_to_duels"]
    assert stored["rulesets"] == ["bartle-1"]


@pytest.mark.django_db(transaction=True)
def test_simultaneous_pairing_tasks_begin_each_duel_once() -> None:
    cast = make_cast()
    for _ in range(ROUNDS):
        for wizard in (cast.ada, cast.bram, cast.cleo, cast.dorn):
            open_without_pairing(wizard, 1)
        work: list[Callable[[], Any]] = [partial(availability.pair_wizards, now=NOW)] * 3
        begun = run_simultaneously(*work, partial(availability.stop, wizard=cast.dorn))
        running = Duel.objects.filter(status=DuelStatus.RUNNING)
        assert sum(begun[:3]) == running.count()
        assert running.count() in {1, 2}, "Dorn may have stopped before"
        for wizard in (cast.ada, cast.bram, cast.cleo, cast.dorn):
            assert queries.seats_in_running_duels(wizard).count() <= 1
        for duel in running:
            seat = duel.seats.select_related("wizard").first()
            assert seat is not None
            endings.resign(duel_id=duel.pk, wizard=seat.wizard, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_accepting_a_challenge_while_being_paired_begins_each_duel_once() -> None:
    cast = make_cast()
    for _ in range(ROUNDS):
        open_without_pairing(cast.ada, 10)
        open_without_pairing(cast.bram, 10)
        made = challenge(cast.bram, cast.ada)
        begun = run_simultaneously(
            partial(availability.pair_wizards, now=NOW),
            partial(challenges.accept, duel_id=made.pk, wizard=cast.ada, now=NOW),
        )
        assert begun[0] in {0, 1}
        for duel in Duel.objects.filter(status=DuelStatus.RUNNING):
            endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
