"""Copies of a form that arrive at the same moment, only one of which creates something."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from duels.models import Duel, Seat, User, Wizard, WizardKind
from duels.sign_in import guests
from tests.cast import PASSWORD, Cast, challenge
from tests.duels.test_races import run_simultaneously
from tests.duels.test_submissions import TERMS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

RACES = 3


def post_call(path: str, typed: dict[str, str], user: User | None = None) -> Callable[[], Any]:
    client = Client()
    if user is not None:
        client.force_login(user)
    return partial(client.post, path, typed)


def test_simultaneous_copies_of_a_form_create_only_one_thing(cast: Cast) -> None:
    for number in range(RACES):
        key = {"form_key": f"{number:022}"}
        duel = challenge(cast.ada, invitation=True, now=timezone.now())
        accept = f"/c/{duel.token}/accept"
        answers = run_simultaneously(
            *(post_call(accept, {"name": f"Tom {number}"} | key) for _ in range(3))
        )
        assert {answer.url for answer in answers} == {f"/duels/{duel.pk}/"}
        assert all(guests.GUEST_COOKIE in answer.cookies for answer in answers)
        assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == number + 1
        assert Seat.objects.filter(duel=duel).count() == 2
        typed = {"email": f"n{number}@example.test", "password1": PASSWORD, "name": f"Nia {number}"}
        typed |= {"pronouns": "she"} | key
        answers = run_simultaneously(*(post_call("/accounts/signup/", typed) for _ in range(3)))
        assert {answer.status_code for answer in answers} == {302}
        before = Duel.objects.count()
        answers = run_simultaneously(
            *(post_call("/challenge/new", TERMS | key, cast.cleo.user) for _ in range(3)),
        )
        assert len({answer.url for answer in answers}) == 1
        assert Duel.objects.count() == before + 1
