"""Closing an account: sign-in is blocked at once, and one or more rounds end its duels."""

from functools import partial
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.test import Client
from django.utils import timezone

from duels import errors
from duels.clocks.budget import Budget
from duels.commands import challenges, endings, leaving, practising, sweeping
from duels.commands import closing as steps
from duels.commands.closing import begin_closing, continue_closing
from duels.commands.renaming import rename_in_duels
from duels.feeds.commands import follow_wizard, renew_calendar_key, set_private_note
from duels.feeds.models import CalendarKey, Follow, PrivateNote
from duels.matching.availability import become_open
from duels.matching.models import Availability
from duels.models import AccountClosing, Duel, DuelStatus, Outcome, Seat, Turn, User, Wizard
from duels.referees.cases.disputes import open_dispute
from duels.webhooks.commands.changing import add_webhook
from duels.webhooks.models import Service, Webhook
from tests.cast import (
    LATER,
    NOW,
    PASSWORD,
    Cast,
    begin,
    challenge,
    hands,
    make_user,
    play,
    reauthenticate,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


class CountedBudget(Budget):
    """A time budget that is used up after a number of checks."""

    def __init__(self, looks: int) -> None:
        super().__init__(0)
        self.looks = looks

    @property
    def is_spent(self) -> bool:
        self.looks -= 1
        return self.looks < 0


@pytest.fixture
def busy_cast(cast: Cast) -> Cast:
    """The cast, with Ada in running, finished and practice duels and in several challenges."""
    for other in (cast.bram, cast.cleo):
        play(begin(cast.ada, other), {cast.ada: hands("W", "P"), other: hands("S", "D")})
    over = begin(cast.ada, cast.bram)
    endings.resign(duel_id=over.pk, wizard=cast.bram, now=NOW)
    challenge(cast.ada)
    challenge(cast.bram, cast.ada)
    joined = challenge(cast.bram, size=3)
    challenges.accept(duel_id=joined.pk, wizard=cast.ada, now=NOW)
    practising.start_lesson(wizard=cast.ada, lesson="first", now=NOW)
    return cast


def assert_account_is_closed(ada: Wizard, user_id: int) -> None:
    ada.refresh_from_db()
    assert ada.closed_at
    assert ada.user_id is None
    assert not User.objects.filter(pk=user_id).exists()
    assert not AccountClosing.objects.exists()
    seats = Seat.objects.filter(wizard=ada)
    assert not seats.filter(duel__status=DuelStatus.GATHERING).exists()
    assert not seats.filter(duel__status=DuelStatus.RUNNING, outcome=Outcome.NONE).exists()
    assert seats.filter(duel__status=DuelStatus.OVER).count() == 3
    assert not Duel.objects.exclude(lesson="").exists()
    rows = Turn.objects.values_list("position", "questions")
    finals = Duel.objects.values_list("final_position", flat=True)
    assert '"Ada"' not in f"{list(rows)}{list(finals)}".replace("'", '"')


@pytest.mark.parametrize("looks", [2, 3, 50])
def test_interrupted_closing_of_an_account_is_continued_until_done(busy_cast: Cast, looks: int):
    """Each round does as much as its time budget allows.

    The next round continues without repeating anything.
    """
    user = busy_cast.ada.user
    assert user
    closing = begin_closing(user=user, now=NOW)
    assert closing
    again = begin_closing(user=user, now=LATER)
    assert again == closing, "a second request continues the first"
    rounds = 0
    while not continue_closing(closing_id=closing.pk, now=NOW, budget=CountedBudget(looks)):
        rounds += 1
        assert rounds < 30
    assert continue_closing(closing_id=closing.pk, now=NOW, budget=CountedBudget(1))
    assert_account_is_closed(busy_cast.ada, user.pk)


def test_sweep_finishes_closing_an_account_after_an_interruption(busy_cast: Cast, monkeypatch: Any):
    user = busy_cast.ada.user
    assert user
    begin_closing(user=user, now=NOW)
    monkeypatch.setattr(steps, "rename_in_duels", None)  # as if the worker died at this step
    assert sweeping.sweep(now=NOW).failed == 1
    assert not User.objects.filter(pk=user.pk).exists()
    assert AccountClosing.objects.exists()
    monkeypatch.setattr(steps, "rename_in_duels", rename_in_duels)
    assert sweeping.sweep(now=NOW).failed == 0
    assert_account_is_closed(busy_cast.ada, user.pk)


def test_wizard_leaves_other_duels_if_one_cannot_be_left(busy_cast: Cast, monkeypatch: Any):
    user = busy_cast.ada.user
    assert user
    closing = begin_closing(user=user, now=NOW)
    assert closing
    stuck = Seat.objects.filter(wizard=busy_cast.ada, duel__status=DuelStatus.RUNNING).earliest(
        "pk"
    )

    def resign_unless_stuck(*, duel_id: int, **more: Any) -> Any:
        if duel_id == stuck.duel_id:
            raise errors.Refused("halted", "Not now.")
        return endings.resign(duel_id=duel_id, **more)

    monkeypatch.setattr(leaving, "resign", resign_unless_stuck)
    assert not continue_closing(closing_id=closing.pk, now=NOW, budget=Budget(60))
    left = Seat.objects.filter(
        wizard=busy_cast.ada, duel__status=DuelStatus.RUNNING, outcome=Outcome.NONE
    )
    assert [seat.pk for seat in left] == [stuck.pk]
    monkeypatch.setattr(leaving, "resign", endings.resign)
    assert continue_closing(closing_id=closing.pk, now=NOW, budget=Budget(60))
    assert_account_is_closed(busy_cast.ada, user.pk)


def signed_in(user: User) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert get_user(client) == user
    reauthenticate(client)
    return client


def test_data_stored_while_an_account_is_closed_are_deleted(cast: Cast):
    """Requests that arrive before sign-in is blocked may finish after the account is closed."""
    user = cast.ada.user
    assert user is not None

    def be_open_to_duels() -> None:
        rules, paces = ["bartle-1"], ["259200"]
        become_open(
            wizard=cast.ada, rulesets=rules, paces=paces, rated="either", most_duels=1, now=NOW
        )

    def create_webhook() -> None:
        address = "https://discord.com/api/webhooks/1/hush"
        add_webhook(wizard=cast.ada, service=Service.DISCORD, address=address, now=NOW)

    stores = (
        be_open_to_duels,
        create_webhook,
        partial(follow_wizard, wizard=cast.ada, other=cast.bram, now=NOW),
        partial(set_private_note, wizard=cast.ada, about=cast.bram, words="Rude.", now=NOW),
        partial(renew_calendar_key, wizard=cast.ada, now=NOW),
    )
    closing = begin_closing(user=user, now=NOW)
    assert closing is not None
    for each in stores:
        each()
    assert continue_closing(closing_id=closing.pk, now=NOW, budget=Budget(60))
    for each in stores:
        with pytest.raises(errors.Refused, match="account is closed"):
            each()
    for model in (Availability, Webhook, Follow, PrivateNote, CalendarKey):
        assert not model.objects.exists()


def test_closing_and_export_require_the_password_again(cast: Cast):
    """Anyone who finds an unlocked device must not be able to close or export the account."""
    user = cast.ada.user
    assert user
    client = Client()
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    for path, typed in (("/settings/close", {"name": "Ada"}), ("/settings/export", {})):
        assert client.get(path).status_code == 200, "the page itself is readable"
        asked = client.post(path, typed)
        assert (asked.status_code, asked["Location"].partition("?")[0]) == (
            302,
            "/accounts/reauthenticate/",
        )
        assert client.post(asked["Location"], {"password": "a guess"}).status_code == 200
    assert User.objects.filter(pk=user.pk, is_active=True).exists()
    # After the correct password, the account is closed with the name that was typed before.
    asked = client.post("/settings/close", {"name": "Ada"})
    told = client.post(asked["Location"], {"password": PASSWORD, "next": "/settings/close"})
    assert told.status_code == 302
    assert not get_user(client).is_authenticated
    assert not User.objects.filter(pk=user.pk, is_active=True).exists()


def test_account_without_a_password_is_closed_without_reauthentication(cast: Cast):
    user = cast.dorn.user
    assert user
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    answer = client.post("/settings/export")
    assert answer.status_code == 200
    answer.close()


def test_form_to_close_an_account_blocks_it_at_once(busy_cast: Cast):
    user = busy_cast.ada.user
    assert user
    here, there = signed_in(user), signed_in(user)
    assert here.post("/settings/close", {"name": "Bram"}).status_code == 400
    answer = here.post("/settings/close", {"name": " ada "}, follow=True)
    assert "takes a few minutes" in answer.content.decode()
    for client in (here, there):
        assert not get_user(client).is_authenticated
    closed = Client()
    closed.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert not get_user(closed).is_authenticated
    assert AccountClosing.objects.filter(user=user).exists()


def test_account_with_few_duels_is_deleted_at_once(
    cast: Cast, django_capture_on_commit_callbacks: Any
):
    user = cast.dorn.user
    assert user
    client = signed_in(user)
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/settings/close", {"name": "Dorn"})
    assert not User.objects.filter(pk=user.pk).exists()


def test_user_without_a_wizard_confirms_closing_by_typing_their_address():
    user = make_user("new@example.org")
    client = signed_in(user)
    assert client.post("/settings/close", {"name": "new"}).status_code == 400
    answer = client.post("/settings/close", {"name": "new@example.org"}, follow=True)
    assert "Your account is closed. Farewell." in answer.content.decode()
    assert not User.objects.filter(pk=user.pk).exists()


def test_closing_an_account_withdraws_its_disputes(busy_cast: Cast):
    duel = Duel.objects.filter(status=DuelStatus.RUNNING, lesson="").earliest("pk")
    case = open_dispute(
        duel_id=duel.pk,
        wizard=busy_cast.ada,
        ordinal=1,
        category="rule",
        rule="",
        words="Hm.",
        now=timezone.now(),
    )
    user = busy_cast.ada.user
    assert user
    signed_in(user).post("/settings/close", {"name": "Ada"})
    case.refresh_from_db()
    assert not case.is_open
    sweeping.sweep(now=timezone.now())
    assert_account_is_closed(busy_cast.ada, user.pk)
